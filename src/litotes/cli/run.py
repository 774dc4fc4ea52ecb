"""`litotes run`: models through suites."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.choosing import choose_suites
from litotes.cli.guard import put, say, warn

if TYPE_CHECKING:
    from litotes.bench.compare_models import Comparison
    from litotes.bench.encode import Effort
    from litotes.bench.result import RunResult
    from litotes.scorers.base import Scorer
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
        typer.Option(
            help="A suite, a family (triplets-mini), a folder; again for more. "
            "None: the built-in ones that fit the model."
        ),
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
    chosen = choose_suites(suite, data)
    ensure_writable(out)
    names = _models(models)
    all_must_fit = bool(suite or data)
    if all_must_fit:
        _check_fit(names, chosen)

    from litotes.bench.compare_models import compare_models
    from litotes.bench.evaluate import Engine
    from litotes.bench.store import write_run
    from litotes.core.progress import progress_for_people
    from litotes.report.writing import FEW_SUITES
    from litotes.scorers.loading import load_scorer

    results: list[RunResult] = []
    paths: list[Path] = []
    with progress_for_people() as progress:
        engine = Engine(workers=workers, fresh=fresh, progress=progress, warn=warn, told=_say_effort)
        for name in names:
            scorer = load_scorer(name, offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
            for result in engine.run(scorer, chosen if all_must_fit else _fitting(scorer, chosen)):
                paths.append(write_run(out, result))
                results.append(result)
                for note in result.notes:
                    say(f"note: {result.model} on {result.suite.name}: {note}")
            del scorer  # models are held one at a time
    comparisons = compare_models(results)
    page = _write_report(out) if report else None
    if json_:
        # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
        put(json.dumps(_document(results, paths, comparisons, page), indent=2))
    else:
        _print_tables(results, comparisons)
        more = f" (all tables: litotes report {shlex.quote(str(out))} --out tables.txt)"
        say(f"\nresults: {out}{more if len(chosen) > FEW_SUITES else ''}" + (f"\nreport:  {page}" if page else ""))


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
        named = check_name(name)
        label = named.options.get("label") or named.text
        if label in labels:
            # Results are kept by the label: the second would take the place of the first.
            raise UsageError("L102", f'{name}: another model that is run is called "{label}" too')
        labels.add(label)
    return chosen


def _check_fit(names: Sequence[str], suites: Sequence[Suite]) -> None:
    """Raise if a model cannot answer what a suite asks, where the name tells, before any model is loaded."""
    from litotes.scorers.loading import gives_labels
    from litotes.suites.nli import asks_for_labels

    asking = [suite for suite in suites if asks_for_labels(suite)]
    wrong = [name for name in names if gives_labels(name) is False] if asking else []
    if wrong:
        from litotes.bench.comparing import needs_labels

        raise needs_labels(asking[0].name, wrong[0])


def _fitting(scorer: Scorer, suites: Sequence[Suite]) -> list[Suite]:
    """Of the built-in suites those that the model can be asked."""
    from litotes.scorers.base import PairClassifier
    from litotes.suites.nli import asks_for_labels

    return [suite for suite in suites if isinstance(scorer, PairClassifier) or not asks_for_labels(suite)]


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

    from litotes.report.suite_runs import by_suite
    from litotes.report.writing import text_tables

    width = shutil.get_terminal_size((80, 24)).columns
    put("\n\n".join(text_tables(by_suite(results, comparisons), comparisons, width=width, brief=True)))
