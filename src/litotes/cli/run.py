"""`litotes run`: models through suites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.guard import put, say, warn

if TYPE_CHECKING:
    from litotes.bench.compare_models import Comparison
    from litotes.bench.encode import Effort
    from litotes.bench.result import RunResult
    from litotes.suites.base import Suite


def run(  # noqa: PLR0917  (a command's options)
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="A folder, a hub id, a short name (all-MiniLM-L6-v2), name@revision, or scheme:rest. "
            "None: the built-in default.",
        ),
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option(help="A suite's name or folder; again for more. None: the built-in ones."),
    ] = None,
    data: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="The official file of a published suite.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where results and the report go.")] = Path("runs"),
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
    report: Annotated[bool, typer.Option(help="Write report.html.")] = True,
    workers: Annotated[int | None, typer.Option(min=1, help="How many cores to use. None: all.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute everything again, whatever is cached.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Never touch the network.")] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Read models that have nothing but pickled weights.")
    ] = False,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run the code that a model brings along.")
    ] = False,
) -> None:
    """Put models through suites and write the report."""
    from litotes.core.files import ensure_writable

    # What can be wrong is found before anything heavy is imported: a typo is told at once.
    chosen = _suites(suite, data)
    ensure_writable(out)
    names = _models(models)

    from litotes.bench.compare_models import compare_models
    from litotes.bench.evaluate import Engine
    from litotes.bench.store import write_run
    from litotes.core.progress import progress_for_people
    from litotes.scorers.loading import load_scorer

    results: list[RunResult] = []
    paths: list[Path] = []
    with progress_for_people() as progress:
        engine = Engine(workers=workers, fresh=fresh, progress=progress, warn=warn, told=_say_effort)
        for name in names:
            scorer = load_scorer(name, offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
            for result in engine.run(scorer, chosen):
                paths.append(write_run(out, result))
                results.append(result)
            del scorer  # models are held one at a time
    comparisons = compare_models(results)
    page = _write_report(out) if report else None
    if json_:
        # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
        put(json.dumps(_document(results, paths, comparisons, page), indent=2))
    else:
        _print_tables(results, comparisons)
        say(f"\nresults: {out}" + (f"\nreport:  {page}" if page else ""))


def _say_effort(name: str, effort: Effort) -> None:
    if effort.computed:
        say(f"{name}: {effort.computed:,} encoded, {effort.cached:,} from the cache")
    else:
        say(f"{name}: nothing to encode, all {effort.cached:,} are in the cache")


def _models(names: list[str] | None) -> list[str]:
    """Each name once; one that nobody can have is told now, not after the hours that the others take."""
    from litotes.core.errors import UsageError
    from litotes.scorers.hub import DEFAULT_MODEL
    from litotes.scorers.loading import check_name

    chosen = list(dict.fromkeys(names or [DEFAULT_MODEL]))
    labels: set[str] = set()
    for name in chosen:
        label = check_name(name).options.get("label") or name
        if label in labels:
            # Results are kept by the label: the second would take the place of the first.
            raise UsageError("L102", f'{name}: another model that is run is called "{label}" too')
        labels.add(label)
    return chosen


def _suites(names: list[str] | None, data: list[str] | None) -> list[Suite]:
    from litotes.core.errors import UsageError
    from litotes.suites.loading import BUILT_IN, load_suite

    files = _data_files(data or [])
    # A data file that is given is meant to be run.
    chosen = list(dict.fromkeys(names or files or BUILT_IN))
    unused = [name for name in files if name not in chosen]
    if unused:
        raise UsageError("L102", f"--data {unused[0]}=…: that suite is not run", hint=f"add --suite {unused[0]}")
    found: dict[str, Suite] = {}
    for name in chosen:
        suite = load_suite(name, path=files.get(name))
        if suite.name in found:
            # Results are kept by the suite's name: the second would take the place of the first.
            raise UsageError("L102", f'--suite {name}: another suite that is run is called "{suite.name}" too')
        found[suite.name] = suite
    return list(found.values())


def _data_files(entries: list[str]) -> dict[str, Path]:
    from litotes.core.errors import UsageError
    from litotes.core.registry import unknown_name
    from litotes.suites.loading import list_suites

    files: dict[str, Path] = {}
    for entry in entries:
        name, separator, path = entry.partition("=")
        if not separator or not path:
            raise UsageError("L102", f"--data {entry}: is written NAME=PATH", hint="semantoneg=FILE, for example")
        if name not in list_suites():
            raise unknown_name("suite", name, list_suites())
        if name in files:
            raise UsageError("L102", f"--data {entry}: a file was already given for {name}", hint="give one")
        files[name] = Path(path)
    return files


def _write_report(out: Path) -> Path:
    """The report of everything in the folder, so that models run one after another stand side by side."""
    from litotes.bench.store import find_runs, read_run
    from litotes.core.errors import LitotesError
    from litotes.report.writing import write_report

    found: list[RunResult] = []
    for path in find_runs(out):
        try:
            found.append(read_run(path))
        except LitotesError as error:  # an old run that is damaged does not spoil a new one
            warn(f"{error}; left out of the report")
    page = out / "report.html"
    write_report(page, found)
    return page


def _document(
    results: list[RunResult], paths: list[Path], comparisons: list[Comparison], page: Path | None
) -> dict[str, Any]:
    from litotes.report.writing import json_document

    document = json_document(results, comparisons, report=str(page) if page else None)
    for run, path in zip(document["runs"], paths, strict=True):
        run["result_path"] = str(path)
        run["items_path"] = str(path.with_name("items.jsonl"))
    return document


def _print_tables(results: list[RunResult], comparisons: list[Comparison]) -> None:
    import shutil
    import textwrap

    from litotes.report.suite_runs import by_suite
    from litotes.report.tables import accuracy_table, as_text, comparison_lines, similarity_table

    width = shutil.get_terminal_size((80, 24)).columns
    for suite in by_suite(results, comparisons):
        put(as_text(accuracy_table(suite), width=width) + "\n")
        put(as_text(similarity_table(suite), width=width) + "\n")
    for line in comparison_lines(comparisons):
        put(textwrap.fill(line, width, subsequent_indent="  "))
