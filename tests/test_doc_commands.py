"""Every command and every piece of Python that the documentation shows is run.

The commands run on small example files, models and servers, page by page in one folder. The tables below list the
substitutions that reduce the work, and the commands that are not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from litotes.cli.main import app
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from tests import example_files
from tests.documented_commands import PAGES, ROOT, Shown, blocks, shown_commands, shown_examples
from tests.models.openai_server import Server, serving

NOT_RUN = {
    r"make [a-z-]+( |$)": "sets the machine up or measures; test_docs.py holds that the target exists",
    r"litotes (audit|repair) .*--from tatoeba/": "reads a large corpus; how-to pages show the same with a small one",
    r"pip install ": "installs",
    r"accelerate launch": "starts four processes; tests/training/test_nli.py starts several",
    r"litotes fetch semantoneg$": "needs the network; tests/suites/test_official_files.py uses a local server",
    r"litotes run .*--models (semantoneg|heros|triplets)\b": "need the hub; test_built_in_model_lists.py",
    r"litotes experiment .*--plan paper": "needs the hub; tests/training/test_experiments_plan.py reads that plan",
    r"python tools/synthetic_runs\.py": "is large; tests/report/test_browser_large_report.py makes the same runs",
    r"litotes run model2vec:potion-base-8M": "needs the hub; tests/models/test_model2vec.py runs that model",
    r"python benchmarks/": "measures",
    r"litotes .*--from '?(s3|hf)://": "needs a server; tests/corpora/test_remote.py reads from a local one",
    r"litotes build .*--from edits\.parquet": "needs the output of such a command; tests/corpora/test_partitions.py",
    r"litotes run --models models.toml .*--engine ray": "tests/cli/test_engines.py runs a sweep on a cluster",
    r"litotes (classify --rules paper|rewrite --json|report --paper triplets)$": "names an option, is not whole",
    r"litotes experiment developmental --split published$": "names an option, is not whole",
}
"""Patterns of commands, and why each is not run.

`litotes review DIR`, which would serve a page until Ctrl-C, is replaced by `accept_all`.
"""

IN_ALL = {
    r"http://localhost:\d+/v1": "{server}",
    r"--workers \d+": "--workers 1",
    r"--engine '?ray(:[\d.]+:\d+)?(\?gpus=[\d.]+')?": "--engine processes",
    r"ENGINE=ray:[\d.]+:\d+": "ENGINE=processes",
    r"--suite semantoneg-mini": "--suite few-items",
    r"--suite triplets-mini": "--suite negation-detection-mini",
    r"report hundred": "report runs",
    r"--published --formats svg,md": "--published --formats md",
    r"suites --stats$": "suites --stats few-items",
    r"dimensions=256": "dimensions=16",
    r"layer=all": "layer=1",
    r"--base (all-MiniLM-L6-v2|roberta-base)": "--base my-model",
    r'repair( |_model\(")all-MiniLM-L6-v2': r"repair\1my-model",
    r"RepairSettings\(": "RepairSettings(steps=2, batch_size=4, ",
    r"nli:\./folder": "nli:my-nli-model",
    r"infersent:\./folder": "infersent:infersent",
    r"cross:FOLDER": "cross:cross",
    r"--out /net/": "--out ",
    r"--preset (small|paper)": "--preset smoke",
    r"--order [A-Z,]+": "--order R,EX",
    r'"semantoneg-mini"': '"few-items"',
}
"""Substitutions in commands and in Python that reduce the work or replace missing models."""

ADDED = {
    "run": "--suite negation-detection-mini",
    "audit": "--workers 1",
    "repair": "--steps 2 --batch-size 4 --suite few-items --workers 1",
    "train nli": "--preset smoke --epochs 1 --examples 32",
    "train infersent": "--dim 8 --hidden 8 --epochs 1 --examples 32 --fresh",
    "train skipthought": "--dim 8 --words 8 --epochs 1 --samples 4 --min-count 1 --fresh",
    "train sent2vec": "--dim 8 --epochs 1 --bucket 50 --min-count 1",
    "build developmental --from": "--option dev_size=30",
    "experiment developmental": "--preset smoke --categories R,EX",
}
"""Additional options of commands; those of `run` only if it names no suite."""


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with example `files`, a `hub` with models in its cache layout, and a `cache`.

    Parallel test processes share it; the first one creates it.
    """
    own = tmp_path_factory.getbasetemp()
    base = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "docs"
    with FileLock(f"{base}.lock"):
        if not (base / "made").exists():
            make_world(base)
            (base / "made").touch()
    return base


def make_world(base: Path) -> None:
    files = base / "files"
    files.mkdir(parents=True)
    example_files.make_all(files, base / "hub")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LITOTES_CACHE", str(base / "cache"))
        patch.chdir(files)
        example_files.train_classics(files, lambda line: run(Shown("", f"litotes {line}"), files))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if shown_commands(page) or shown_examples(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_commands_of_a_page_run(
    page: Path,
    world: Path,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(world / "hub"))
    monkeypatch.setenv("LITOTES_CACHE", str(world / "cache"))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    folder = shutil.copytree(world / "files", tmp_path / "files", symlinks=True)
    monkeypatch.chdir(folder)
    commands = [shown for shown in shown_commands(page) if not why_not(shown)]
    prepare(folder, page, commands)
    # Training commands run first, because pages show the use of a model before its training.
    for shown in sorted(commands, key=lambda one: one.words[1] != "train"):
        code = run(smaller(shown, server.url), folder)
        output = capfd.readouterr()
        assert code == 0, f"{shown.line}\n{output.err}{output.out}"
    for number, example in enumerate(shown_examples(page), 1):
        names: dict[str, object] = {}
        exec(compile(with_less(example, server.url), f"{page.name}, example {number}", "exec"), names)
        for name, value in list(names.items()):
            if name.startswith("test_"):  # an example of a test is a test
                assert callable(value)
                value()


def why_not(shown: Shown) -> str:
    """Return the reason why a command is not run, or an empty string."""
    return next((reason for pattern, reason in NOT_RUN.items() if re.match(pattern, shown.line)), "")


def test_every_exception_is_needed() -> None:
    lines = [shown.line for page in PAGES for shown in shown_commands(page)]
    for pattern in NOT_RUN:
        assert any(re.match(pattern, line) for line in lines), pattern


def prepare(folder: Path, page: Path, commands: list[Shown]) -> None:
    """Write the files that a page shows; delete those that its commands create."""
    text = page.read_text("utf-8")
    for block in blocks(text, ""):
        if result := re.match(r"\$ cat (\S+)\n", block):
            (folder / result[1]).write_text(block[result.end() :], "utf-8")
    for shown in commands:
        for output in re.findall(r"--out (\S+)", shown.line):
            shutil.rmtree(folder / output, ignore_errors=True)
    (folder / "models.toml").write_text(shown_list(), "utf-8")


def shown_list() -> str:
    """Return the list of models on the page about sweeps."""
    return next(block for block in blocks((ROOT / "docs/how-to/run-a-sweep.md").read_text("utf-8"), "toml"))


def smaller(shown: Shown, server: str) -> Shown:
    """Return the command with the substitutions."""
    line = with_less(shown.line, server)
    verb = next((verb for verb in ADDED if line.startswith(f"litotes {verb}")), "")
    if verb and not (verb == "run" and re.search(r"--(suite|data) ", line)):
        line += f" {ADDED[verb]}"
    return Shown(shown.page, line)


def with_less(text: str, server: str) -> str:
    for pattern, less in IN_ALL.items():
        text = re.sub(pattern, less.replace("{server}", server), text)
    return text


def run(shown: Shown, folder: Path) -> int:
    """Run a command, Litotes in this process and others in a shell; return the exit code."""
    words = shown.words
    if words[0] != "litotes":
        return subprocess.run(["bash", "-c", shown.line], cwd=folder, check=False).returncode
    if words[1] == "review" and is_a_page(words):
        accept_all(folder / words[2])
        return 0
    if "project.json" in words:
        shutil.copy(folder / "tasks.json", folder / "project.json")  # Label Studio gives back what it was given
    code = app(words[1:], standalone_mode=False)
    return code if isinstance(code, int) else 0


def is_a_page(words: list[str]) -> bool:
    """Return whether the command would open a review in the browser."""
    return not {"--status", "--export", "--import"}.intersection(words)


def accept_all(suite: Path) -> None:
    """Accept all units in place of an annotator; tests/review/ tests the page."""
    with open_review(suite) as review:
        review.store.add_all([Verdict(key, "ann", "accept") for key in review.units])
