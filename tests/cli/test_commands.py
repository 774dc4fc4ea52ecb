"""Every command: output, files and exit codes."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import litotes as package

Run = Callable[..., Any]
COMMAND = Path(sys.executable).with_name("litotes")
ITEM = {
    "idx": 0,
    "label": 2,
    "input": "That is good.",
    "sentences": ["That is bad.", "That is not good.", "That is not bad."],
}
OFFICIAL_NAME = "SemAntoNeg_v1.0.json"
MINI = "semantoneg-mini"
SUITE = package.load_suite(MINI)
ITEMS = len(SUITE.items)
SENTENCES = len({text for item in SUITE.items for text in item.sentences.values()})
PAIRS = len({(item.sentences[a], item.sentences[b]) for item in SUITE.items for a, b in SUITE.kind.pairs})
HEAVY = {"torch", "numpy", "spacy", "transformers", "sentence_transformers", "onnxruntime", "pandas"}


def write_data(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(ITEM) + "\n")
    return path


# Imports


def imported(*command: str) -> set[str]:
    """Return the packages that a Python command imports."""
    done = subprocess.run([sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True)
    return {module.split(".")[0] for module in re.findall(r"import time: .*\| +(\S+)$", done.stderr, re.MULTILINE)}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["report", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    result = imported(str(COMMAND), *arguments)
    assert "litotes" in result
    assert not result & (HEAVY | {"rich"})


def test_the_package_imports_nothing_heavy() -> None:
    assert not imported("-c", "import litotes; litotes.__version__; dir(litotes)") & (HEAVY | {"typer", "rich"})


def test_version_is_printed(run_litotes: Run) -> None:
    assert run_litotes("--version").succeeded().out == f"litotes {package.__version__}\n"


def test_help_names_every_command(run_litotes: Run) -> None:
    help_text = run_litotes("--help").succeeded().out
    for command in ("run", "report", "suites", "models", "fetch", "cache", "doctor", "rewrite"):
        assert re.search(rf"^  {command} ", help_text, re.MULTILINE)
    assert run_litotes("run", "--help").succeeded().out.startswith("Usage: litotes run")


def test_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "litotes", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"litotes {package.__version__}\n"


# litotes run


def test_json_output_is_a_single_document(run_litotes: Run, tmp_path: Path) -> None:
    done = run_litotes("run", "overlap:words", "--suite", MINI, "--json", "--out", "out").succeeded()
    document = done.document
    [run] = document["runs"]
    assert (run["model"], run["suite"]) == ("overlap:words", "semantoneg-mini")
    low, high = run["metrics"]["accuracy_ci"]
    assert 0 <= low <= run["metrics"]["accuracy"] <= high <= 1
    assert set(run["choices"]) == {"antonym", "polarity", "both"}
    assert sum(run["choices"].values()) + run["metrics"]["ties"] == run["metrics"]["items"] == ITEMS
    items = [json.loads(line) for line in (tmp_path / run["items_path"]).read_text("utf-8").splitlines()]
    assert len(items) == ITEMS
    assert document["report"] == "out/report.html"
    stored = json.loads((tmp_path / run["result_path"]).read_text("utf-8"))
    assert {key: run[key] for key in stored if key in run} == {
        key: value for key, value in stored.items() if key != "items_sha256"
    }


def test_every_metric_can_be_computed_from_the_items(run_here: Run, tmp_path: Path) -> None:
    [run] = run_here("run", "overlap:words", "--suite", MINI, "--json").succeeded().document["runs"]
    content = (tmp_path / run["items_path"]).read_bytes()
    items = [json.loads(line) for line in content.splitlines()]
    assert sum(item["credit"] for item in items) / len(items) == pytest.approx(run["metrics"]["accuracy"])
    for role, count in run["choices"].items():
        assert sum(item["choice"] == role for item in items) == count
    stored = json.loads((tmp_path / run["result_path"]).read_text("utf-8"))
    assert stored["items_sha256"] == hashlib.sha256(content).hexdigest()


def test_a_run_writes_only_the_reported_files(run_litotes: Run) -> None:
    done = run_litotes("run", "overlap:words", "--suite", MINI, "--out", "out").succeeded()
    assert sorted(path.name for path in done.new_files if "out" in path.parts) == [
        "items.jsonl",
        "report.html",
        "result.json",
    ]
    assert "results: out" in done.err and "report:  out/report.html" in done.err


def test_tables_fit_a_terminal(run_litotes: Run) -> None:
    out = run_litotes("run", "overlap:words", "--suite", MINI).succeeded().out
    assert f"semantoneg-mini: {ITEMS:,} items" in out
    assert max(map(len, out.splitlines())) <= 80


def test_built_in_suites_fit_a_terminal(run_here: Run) -> None:
    from litotes.suites.loading import BUILT_IN, LABEL_SUITES

    done = run_here("run", "overlap:words").succeeded()
    assert [name for name in BUILT_IN if name not in done.out] == list(LABEL_SUITES)
    assert max(map(len, done.out.splitlines())) <= 80


def test_report_can_be_switched_off(run_here: Run, tmp_path: Path) -> None:
    document = run_here("run", "overlap:words", "--suite", MINI, "--json", "--no-report").succeeded().document
    assert document["report"] is None
    assert not (tmp_path / "runs" / "report.html").exists()


def test_two_models_are_compared(with_plugin: Any) -> None:
    done = with_plugin.run("run", "overlap:words", "toy:words", "overlap:words", "--suite", MINI, "--json").succeeded()
    assert [run["model"] for run in done.document["runs"]] == ["overlap:words", "toy:words"]
    [comparison] = done.document["comparisons"]
    assert {comparison["a"], comparison["b"]} == {"overlap:words", "toy:words"}


def test_several_suites_are_run(with_plugin: Any) -> None:
    write_data(with_plugin.folder / "data.json")
    done = with_plugin.run(
        "run", "toy:words", "--json", "--data", "semantoneg=data.json", "--suite", "semantoneg",
        "--suite", "toys", "--suite", "semantoneg-mini",
    ).succeeded()  # fmt: skip
    assert [run["suite"] for run in done.document["runs"]] == ["semantoneg", "toys", "semantoneg-mini"]


def test_a_suite_with_data_is_run(run_here: Run, tmp_path: Path) -> None:
    write_data(tmp_path / "data.json")
    [run] = run_here("run", "overlap:words", "--json", "--data", "semantoneg=data.json").document["runs"]
    assert (run["suite"], run["metrics"]["items"]) == ("semantoneg", 1)
    assert run["suite_info"]["version"] == "not as published"


@pytest.mark.parametrize("folder", [OFFICIAL_NAME, f"semantoneg/{OFFICIAL_NAME}"])
def test_data_is_loaded_from_litotes_data(run_here: Run, tmp_path: Path, folder: str) -> None:
    write_data(tmp_path / "corpora" / folder)
    command = ("run", "overlap:words", "--json", "--suite", "semantoneg")
    done = run_here(*command, env={"LITOTES_DATA": str(tmp_path / "corpora")}).succeeded()
    assert done.document["runs"][0]["metrics"]["items"] == 1


def test_data_is_loaded_from_the_users_data_folder(litotes: Any) -> None:
    write_data(litotes.data / "litotes" / OFFICIAL_NAME)
    done = litotes.run("run", "overlap:words", "--json", "--suite", "semantoneg").succeeded()
    assert done.document["runs"][0]["metrics"]["items"] == 1
    assert str(litotes.data / "litotes" / OFFICIAL_NAME) in litotes.run("suites").succeeded().out


def test_an_impossible_data_folder_is_skipped(litotes: Any) -> None:
    write_data(litotes.data / "litotes" / OFFICIAL_NAME)
    for folder in ("/nowhere", "a" * 300, "/dev/null/x"):
        assert str(litotes.data) in litotes.run("suites", env={"LITOTES_DATA": folder}).succeeded().out


def test_litotes_data_takes_precedence_over_the_users_folder(litotes: Any) -> None:
    write_data(litotes.data / "litotes" / OFFICIAL_NAME).write_text("this would fail")
    write_data(litotes.folder / "first" / OFFICIAL_NAME)
    litotes.run(
        "run", "overlap:words", "--suite", "semantoneg", env={"LITOTES_DATA": str(litotes.folder / "first")}
    ).succeeded()


# HEROS and the triplets

HEROS = [
    "Original\tSynonym\tAntonym\tNegation (Main)\tNegation (Antonym)\tRandom MLM\tTypo",
    "I hear the ferry was slow.\tI hear the ferry was sluggish.\tI hear the ferry was fast.\t"
    "I do not hear the ferry was slow.\tI hear the ferry was not slow.\tI hear the ferry was red.\t"
    "I hear the ferry was slwo.",
    "The shop is open late.\tThe shop is running late.\tThe shop is shut late.\tThe shop is not open late.\t"
    "The shop is not open late.\tThe shop is found late.\tThe shop is opne late.",
]


def test_official_heros_file_is_run(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "heros.tsv").write_text("\n".join(HEROS) + "\n")
    done = run_here("run", "overlap:words", "--suite", "heros", "--data", "heros=heros.tsv", "--json").succeeded()
    [run] = done.document["runs"]
    metrics = run["metrics"]
    assert (run["suite"], metrics["items"], metrics["chance"]) == ("heros", 2, 0.25)
    assert set(metrics["also"]) == {"over antonym", "over negation_main", "over negation_antonym"}
    assert set(metrics["normalised"]) == set(metrics["similarities"])
    assert len(metrics["similarities"]) == 6
    shown = run_here("run", "overlap:words", "--data", "heros=heros.tsv").succeeded().out
    assert "heros: mean similarity above the baseline" in shown
    assert max(map(len, shown.splitlines())) <= 80
    done = run_here("report", "runs", "--out", "heat.svg", "--out", "all.txt").succeeded()
    assert (tmp_path / "heat.svg").read_text("utf-8").startswith("<?xml")
    assert "heros: 2 items" in (tmp_path / "all.txt").read_text("utf-8")


def test_fetch_explains_how_to_obtain_heros(run_here: Run) -> None:
    run_here("fetch", "heros").refused(1, "L501", "download heros.tsv from", "--data heros=PATH")
    run_here("run", "overlap:words", "--suite", "heros").refused(1, "L201", "--data heros=PATH")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a folder of suites, as the builder of triplets writes it."""
    from litotes.suites.base import Item, Suite
    from litotes.suites.folder import save_folder
    from litotes.suites.triplets import KINDS

    for kind in KINDS:
        texts = ("Noor saw Bram leave.", "Bram was seen by Noor to leave.", "Bram saw Noor leave.")
        item = Item("1", "", dict(zip(kind.roles, texts, strict=True)))
        save_folder(Suite(kind.name, kind, [item], sha256=""), tmp_path / "built" / kind.name)
    return tmp_path / "built"


def test_folder_of_suites_is_run(run_here: Run, built: Path) -> None:
    done = run_here("run", "overlap:words", "--suite", built).succeeded()
    assert re.search(r"^argument-sensitivity +1 +50\.0 +0\.0", done.out, re.MULTILINE)
    assert "right %, all suites" in done.out
    assert "--out tables.txt" in done.err
    run_here("report", "runs", "--out", "tables.txt").succeeded()
    assert "Zhu et al. 2018, Table 5" in (built.parent / "tables.txt").read_text("utf-8")


def test_suite_statistics_are_printed(run_here: Run, built: Path) -> None:
    shown = run_here("suites", "--stats", built / "argument-sensitivity", MINI).succeeded().out
    assert "argument-sensitivity: 1 items; each role compared with original" in shown
    assert re.search(r"^both +[\d,]+ +\d\d\.\d +\d\d\.\d +\d\d\.\d +0\.\d\d +\d\.\d$", shown, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 80
    document = json.loads(run_here("suites", "--stats", "--json", built).succeeded().out)
    assert [one["suite"] for one in document] == sorted(one["suite"] for one in document)
    swapped = next(one for one in document if one["suite"] == "argument-sensitivity")["roles"][1]
    assert (swapped["role"], swapped["rouge_1"], swapped["rouge_l"], swapped["levenshtein"]) == (
        "swapped", 1.0, pytest.approx(0.5), pytest.approx(2 / 5),
    )  # fmt: skip
    run_here("suites", MINI).refused(2, "L102", "semantoneg-mini: needs --stats")
    run_here("suites", "--stats", "nowhere").refused(2, "L101", 'unknown suite "nowhere"')


def test_statistics_of_a_file_of_pairs(run_here: Run, built: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("a,b\nThe old man sold a boat.,The old man sold the boat.\nIt rained.,It rained.\n", "utf-8")
    columns = ("--column", "a", "--column", "b")
    out = run_here("suites", "--stats", path, *columns).succeeded().out
    assert re.search(r"^mean +2 +91\.7 +80\.0 +91\.7 +0\.07 +4\.0$", out, re.MULTILINE)
    [document] = json.loads(run_here("suites", "--stats", path, *columns, "--json").succeeded().out)
    assert (document["items"], document["same_negations"]) == (2, None)
    both = run_here("suites", "--stats", path, *columns, MINI).succeeded().out
    assert both.startswith("semantoneg-mini") and "pairs.csv: 2 items" in both
    text = tmp_path / "plain.txt"
    text.write_text("One sentence.\n", "utf-8")
    run_here("suites", "--stats", text).refused(1, "L203", "is not a table of sentence pairs")
    run_here("suites", "--stats", "none.csv").refused(1, "L201", "none.csv: no such file")
    run_here("suites", "--stats", path, "--column", "a").refused(2, "L102", "name the two columns")
    run_here("suites", "--tokenizer", "x").refused(2, "L102", "--tokenizer: needs --stats")
    run_here("suites", "--stats", path, *columns, "--tokenizer", tmp_path).refused(1, "L304", "no tokenizer.json")


def test_statistics_count_the_word_pieces_of_a_tokenizer(run_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("It was unbelievable.,It was believable.\n", "utf-8")
    out = run_here("suites", "--stats", path, "--tokenizer", "all-MiniLM-L6-v2", "--column", "1", "--column", "2").out
    # it was unbelievable . against it was bel ##ie ##vable .
    assert re.search(r"^sentence2 .* +0\.50 +6\.0$", out, re.MULTILINE)
    assert re.search(r"^sentence1 +4\.0$", out, re.MULTILINE)


def test_the_share_of_equal_negations_is_printed(run_here: Run) -> None:
    out = run_here("suites", "--stats", "heros-mini").succeeded().out
    assert re.search(r"^the two negations are the same sentence in \d+\.\d % of the items$", out, re.MULTILINE)


VECTORS = "noor 1 0 0\nbram 0 1 0\nsaw 0 0 1\nleave 1 1 0\nwas 0 1 1\nseen 0 0.5 1\nby 1 0 1\nto 0.5 0 0\n"


def test_word_vectors_are_loaded_from_a_file(litotes: Any, built: Path) -> None:
    (litotes.folder / "small.txt").write_text(VECTORS)
    command = ("run", "glove:small.txt", "--suite", built / "argument-sensitivity", "--json")
    done = litotes.run(*command)
    assert done.code == 0
    assert done.err.count("note: ") == 1
    assert "note: glove:small.txt on argument-sensitivity: 3 of 18 words have no vector and are left out: ." in done.err
    [run] = done.document["runs"]
    assert (run["metrics"]["accuracy"], run["metrics"]["similarities"]["original~swapped"]) == (0.0, 1.0)
    assert run["notes"] == ["3 of 18 words have no vector and are left out: ."]
    shown = litotes.run("cache").succeeded().out
    assert re.search(r"MB +8 rows  word vectors of small.txt\n", shown)
    litotes.run("cache", "--clear").succeeded()
    assert list(litotes.cache.iterdir()) == []


# Lists


def test_suites_are_listed(run_litotes: Run) -> None:
    out = run_litotes("suites").succeeded().out
    assert re.search(
        rf"^semantoneg-mini +built in, {ITEMS:,} items, {SUITE.count_groups():,} antonym pairs$", out, re.MULTILINE
    )
    assert re.search(
        r"^semantoneg +published; download it with litotes fetch semantoneg \(CC BY 4.0\)$", out, re.MULTILINE
    )
    assert re.search(r"^heros +published; give heros.tsv by --data heros=PATH \(Apache-2.0\)$", out, re.MULTILINE)


def test_models_are_listed(run_litotes: Run) -> None:
    out = run_litotes("models").succeeded().out
    assert "all-MiniLM-L6-v2 (default)" in out
    for scheme in ("st:", "hf:", "onnx:", "glove:", "overlap:"):
        assert f"  {scheme}" in out


def test_doctor_describes_the_installation(litotes: Any) -> None:
    out = litotes.run("doctor", env={"LITOTES_DATA": "/somewhere"}).succeeded().out
    assert out.startswith(f"litotes {package.__version__} on Python")
    assert f"cache: {litotes.cache}" in out
    assert "data:  /somewhere, " in out
    assert re.search(r"^torch +\d", out, re.MULTILINE)


# Plugins


def test_plugin_adds_a_scheme_and_a_suite(with_plugin: Any) -> None:
    assert re.search(r"toy: +from another package", with_plugin.run("models").succeeded().out)
    assert re.search(r"toys +from another package", with_plugin.run("suites").succeeded().out)
    [run] = with_plugin.run("run", "toy:words", "--suite", "toys", "--json").document["runs"]
    assert (run["model"], run["suite"], run["metrics"]["items"]) == ("toy:words", "toys", 4)
    assert run["suite_info"]["source"] == "none"


def test_plugin_suite_can_require_a_file(with_plugin: Any) -> None:
    [run] = with_plugin.run("run", "toy:words", "--data", "toys=a.txt", "--json").document["runs"]
    assert run["suite_info"]["source"] == "a.txt"


def test_broken_plugin_is_reported(with_plugin: Any) -> None:
    with_plugin.run("run", "toy:words", "--suite", "broken").refused(
        1, "L203", 'suite "broken": its package returned str instead of a suite'
    )


# litotes report


@pytest.fixture(scope="module")
def stored_runs(
    litotes_in: Callable[[Path], Any], example_plugin: Path, tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """Return a folder with the runs of two models."""
    litotes = litotes_in(tmp_path_factory.mktemp("kept"))
    litotes.plugins.append(example_plugin)
    litotes.run("run", "overlap:words", "toy:words", "--suite", MINI, "--no-report").succeeded()
    return litotes


def test_report_is_a_page_by_default(stored_runs: Any) -> None:
    done = stored_runs.run("report", "runs").succeeded()
    assert [path.name for path in done.new_files] == ["report.html"]
    assert done.err == "wrote report.html\n"
    page = (stored_runs.folder / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "overlap:words" in page and "toy:words" in page


def test_every_report_format_is_written(stored_runs: Any) -> None:
    names = [f"all.{ending}" for ending in ("html", "md", "csv", "tex", "json", "HTML")]
    outs = [argument for name in names for argument in ("--out", f"made/{name}")]
    done = stored_runs.run("report", "runs", *outs).succeeded()
    assert sorted(path.name for path in done.new_files) == sorted(names)
    reports = {name: (stored_runs.folder / "made" / name).read_text("utf-8") for name in names}
    assert "| model" in reports["all.md"]
    assert "\\begin{tabular}" in reports["all.tex"]
    rows = list(csv.DictReader(reports["all.csv"].splitlines()))
    assert {row["model"] for row in rows} == {"overlap:words", "toy:words"}
    document = json.loads(reports["all.json"])
    assert [run["model"] for run in document["runs"]] == ["overlap:words", "toy:words"]
    assert len(document["comparisons"]) == 1


@pytest.mark.parametrize("name", ["report.pdf", "report"])
def test_unknown_report_format_is_reported(stored_runs: Any, name: str) -> None:
    stored_runs.here("report", "runs", "--out", name).refused(
        2, "L102", f"{name}: the extension of a report is one of .html, .md"
    )


def test_report_path_that_is_a_folder_is_reported(stored_runs: Any) -> None:
    (stored_runs.folder / "folder.html").mkdir()
    stored_runs.here("report", "runs", "--out", "folder.html").refused(1, "L401", "folder.html: cannot be written")


def test_report_without_runs_is_reported(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    run_here("report", "empty").refused(1, "L204", "empty: contains no runs", "litotes run")
    run_here("report", "gone").refused(1, "L201", "gone: no such folder", "litotes run")
    run_here("report", "file").refused(1, "L202", "file: is a file")


# litotes fetch


class Handler(BaseHTTPRequestHandler):
    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[[bytes], str]]:
    """Serve the content on this machine; return the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def serve(body: bytes) -> str:
        Handler.body = body
        return f"http://127.0.0.1:{server.server_port}/{OFFICIAL_NAME}"

    yield serve
    server.shutdown()
    server.server_close()


def test_fetch_refuses_a_different_file(litotes: Any, serve: Callable[[bytes], str]) -> None:
    done = litotes.run("fetch", "semantoneg", "--url", serve(b"<html>please log in</html>"))
    done.refused(1, "L502", "is not the published file", "it was deleted")


def test_fetch_offline_does_not_use_the_network(litotes: Any, serve: Callable[[bytes], str]) -> None:
    litotes.run("fetch", "semantoneg", "--offline", "--url", serve(b"")).refused(1, "L501", "because of --offline")


def test_fetch_reports_an_unknown_name(run_litotes: Run) -> None:
    run_litotes("fetch", "semantonge").refused(2, "L101", "did you mean semantoneg?")


@pytest.mark.shared
def test_fetch_downloads_the_file_to_the_data_folder(
    litotes: Any, serve: Callable[[bytes], str], official_semantoneg: Path
) -> None:
    url = serve(official_semantoneg.read_bytes())
    done = litotes.run("fetch", "semantoneg", "--url", url).succeeded()
    path = litotes.data / "litotes" / OFFICIAL_NAME
    assert done.out == f"{path}\n"
    assert done.new_files == [path]
    assert litotes.run("fetch", "semantoneg", "--offline").succeeded().out == f"{path}\n"
    [run] = litotes.run("run", "overlap:words", "--suite", "semantoneg", "--json").succeeded().document["runs"]
    assert (run["metrics"]["items"], run["suite_info"]["version"]) == (3152, "1.0")


# litotes cache


def test_the_cache_is_listed_and_cleared(with_plugin: Any) -> None:
    litotes = with_plugin
    assert litotes.run("cache").succeeded().out == f"      0.0 MB  in {litotes.cache}\n"
    litotes.run("run", "overlap:words", "toy:words", "--suite", MINI, "--no-report").succeeded()
    shown = litotes.run("cache").succeeded().out
    assert re.search(rf"MB +{SENTENCES:,} rows  toy:words\n", shown)
    assert re.search(rf"MB +{PAIRS:,} rows  overlap:words\n", shown)
    assert "overlap" not in litotes.run("cache", "--model", "toy:words").succeeded().out
    litotes.run("cache", "--model", "toy:word").refused(2, "L101", "did you mean toy:words")

    removed = litotes.run("cache", "--clear", "--model", "toy:words").succeeded().out
    assert "toy:words" in removed and f"removed from {litotes.cache}" in removed
    assert [path.name.split("-")[0] for path in litotes.cache.iterdir()] == ["overlap"]
    litotes.run("cache", "--clear").succeeded()
    assert list(litotes.cache.iterdir()) == []
    done = litotes.run("run", "toy:words", "--suite", MINI, "--no-report").succeeded()
    assert done.effort == (SENTENCES, 0)
