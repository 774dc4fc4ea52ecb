"""Hooks of the documentation site: run Litotes and include its report."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from litotes.cli.main import app

PAGE = "demo-report.md"
REPORT = "demo/report.html"
PICTURE = "![The report"
MODELS = ("overlap:words", "glove:")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the report to the files of the site, so that links to it are checked."""
    files.append(File.generated(config, REPORT, content=demo_report()))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Replace the picture of the report by the report itself; the Markdown file shows the picture."""
    if page.file.src_uri != PAGE:
        return markdown
    if markdown.count(PICTURE) != 1:
        raise ValueError(f"{PAGE}: no picture to put the report in the place of")
    page.meta["hide"] = ["toc"]  # more width for the report
    frame = f'<iframe class="demo-report" src="{REPORT}" title="The report of a run"></iframe>'
    lines = [
        f"{frame}\n\n[Open it alone]({REPORT})" if line.startswith(PICTURE) else line for line in markdown.splitlines()
    ]
    return "\n".join(lines)


def demo_report() -> str:
    """Return the report of a real run of the models on the built-in suites."""
    folder = Path(tempfile.mkdtemp(prefix="litotes-site-"))
    try:
        with redirect_stdout(StringIO()):
            code = app(["run", *MODELS, "--out", str(folder / "runs"), "--json"], standalone_mode=False)
        if code:
            raise RuntimeError(f"litotes run {' '.join(MODELS)} ended with {code}")
        return (folder / "runs" / "report.html").read_text("utf-8")
    finally:
        shutil.rmtree(folder)
