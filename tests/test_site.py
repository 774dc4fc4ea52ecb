"""The documentation site is built without warnings, is complete, and loads nothing from other servers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import litotes

ROOT = Path(__file__).resolve().parent.parent
ELSEWHERE = re.compile(
    r"""<(?:script|img|iframe|link|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//  # loaded by a page
    |@import\s|url\(["']?(?:https?:)?//                                              # loaded by a style""",
    re.VERBOSE,
)
MADE_FOR_THE_SITE = {"404.html", "demo/report.html"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site, built as by `make docs`."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "LITOTES_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder / "site"


def test_every_page_is_built_and_in_the_menu(site: Path) -> None:
    pages = {str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").glob("**/*.md")}
    built = {str(path.relative_to(site)) for path in site.glob("**/*.html")}
    assert built == pages | MADE_FOR_THE_SITE
    menu = (site / "index.html").read_text("utf-8")
    assert [page for page in sorted(pages - {"index.html"}) if f'href="{page}"' not in menu] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in sorted([*site.glob("**/*.html"), *site.glob("**/*.css")]):
        assert not ELSEWHERE.findall(path.read_text("utf-8")), path.relative_to(site)


def test_every_public_name_has_its_section(site: Path) -> None:
    text = "".join(path.read_text("utf-8") for path in (site / "api").glob("*.html"))
    for name, module in litotes._MODULES.items():
        assert f'id="{module}.{name}"' in text, name
    assert set(litotes._MODULES) | {"__version__"} == set(litotes.__all__)
    assert "&gt;&gt;&gt;" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)  # examples are code blocks


def test_example_report_is_interactive(site: Path) -> None:
    page = (site / "demo-report.html").read_text("utf-8")
    assert '<iframe class="demo-report" src="demo/report.html"' in page
    report = (site / "demo" / "report.html").read_text("utf-8")
    assert "overlap:words" in report and "glove:6b-50d" in report
    assert len(report) < 3_000_000


def test_site_has_search_and_both_colour_schemes(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert "Westfall" in index and "LitotesEvaluator" in index
    page = (site / "index.html").read_text("utf-8")
    assert 'data-md-color-scheme="slate"' in page and 'data-md-color-scheme="default"' in page
