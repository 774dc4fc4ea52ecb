"""`litotes run`: models through suites."""

from __future__ import annotations

import json
import math
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AllowPickle, AsJson, Offline, TrustRemoteCode, choose_suites

if TYPE_CHECKING:
    from litotes.evaluation.comparison import Comparison
    from litotes.evaluation.encoding import CacheUsage
    from litotes.evaluation.engine import Engine
    from litotes.evaluation.model_list import ModelEntry
    from litotes.evaluation.result import RunResult
    from litotes.evaluation.sweep import Outcome
    from litotes.models.access import Access
    from litotes.suites.base import Suite


FEW_MODELS = 5
"""The tables of a report have so many models side by side; more are shown one below the other."""
_SUITES_IN_A_LINE = 3
_WIDEST = 32


class SweepLines:
    """One line a model on standard error; those that were done before are only counted."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._ended = 0

    def told(self, outcome: Outcome) -> None:
        """A model has ended."""
        self._ended += 1
        if outcome.state not in ("ran", "failed"):
            return
        if outcome.failure is not None:
            what = f"failed: {outcome.failure.line}"
        else:
            shown = [f"{suite} {100 * share:.1f} %" for suite, share in outcome.accuracies[:_SUITES_IN_A_LINE]]
            more = len(outcome.accuracies) - len(shown)
            what = ", ".join(shown) + (f", … {more} more" if more > 0 else "")
        say(f"[{self._ended}/{self._total}] {outcome.entry.label}: {what} ({outcome.seconds:.0f} s)")


def say_how_it_went(outcomes: Sequence[Outcome]) -> None:
    """How many models were run, are done, failed or are being run elsewhere; the latter two by name."""
    by_state: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_state.setdefault(outcome.state, []).append(outcome)
    words = {
        "ran": "run now",
        "done": "done already",
        "failed": "failed",
        "left out": "failed before and left out",
        "elsewhere": "being run elsewhere",
    }
    counts = [f"{len(by_state[state])} {told}" for state, told in words.items() if state in by_state]
    say(f"\n{len(outcomes)} {'model' if len(outcomes) == 1 else 'models'}: {', '.join(counts)}")
    for outcome in by_state.get("elsewhere", ()):
        if (holder := outcome.holder) is not None:
            say(f"  {outcome.entry.label}: by process {holder.pid} on {holder.host}, since {holder.started}")
    _say_failures([outcome for outcome in outcomes if outcome.failure is not None])
    if "left out" in by_state:
        say("--retry tries again what failed before")


def _say_failures(failed: Sequence[Outcome]) -> None:
    """A table: model, group, what was wrong; on a terminal cut to its width, the whole was told before and is kept."""
    from litotes.models.names import shorten

    rows = [(one.entry.label, one.entry.group, one.failure.line) for one in failed if one.failure is not None]
    if not rows:
        return
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    label_width, group_width = (min(max(len(row[place]) for row in rows), _WIDEST) for place in (0, 1))
    say("\nfailed:")
    for label, group, line in rows:
        start = f"  {shorten(label, label_width).ljust(label_width)}  "
        start += f"{shorten(group, group_width).ljust(group_width)}  " if group_width else ""
        say(start + (shorten(line, max(width - len(start), _WIDEST)) if width else line))


def models_table(results: Sequence[RunResult], *, width: int) -> str:
    """The accuracy of many models: a line a model, in the order of the list, a column a suite."""
    from litotes.report.formats import PERCENT
    from litotes.report.table import Column, Table, as_text

    models = list(dict.fromkeys(result.model for result in results))
    accuracy = {(result.model, result.suite.name): result.metrics.accuracy for result in results}
    columns = [Column("model", "model", models)]
    for suite in dict.fromkeys(result.suite.name for result in results):
        # Headings are broken at blanks, and a name with hyphens would be too wide.
        shares = [accuracy.get((model, suite), math.nan) for model in models]
        columns.append(Column(suite.replace("-", " "), suite, shares, PERCENT))
    return as_text(Table("right %", columns), width=width)


def sweep_document(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """What a sweep adds to the document for programs."""
    return {
        "failures": [asdict(one.failure) for one in outcomes if one.failure is not None],
        "elsewhere": [
            {"model": one.entry.label, "host": one.holder.host, "pid": one.holder.pid, "started": one.holder.started}
            for one in outcomes
            if one.holder is not None
        ],
    }


def run(  # noqa: PLR0917  (a command's options)
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MODEL]...",
            help="A folder, a hub id, a short name (all-MiniLM-L6-v2), name@revision, or scheme:rest. "
            "None: the built-in default.",
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--models",
            metavar="FILE|NAME",
            help="A list of models, a TOML file or a ready one; again for more. "
            "One that fails does not stop the others.",
        ),
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="Of the lists only the models of this group; again for more.")
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
    json_: AsJson = False,
    report: Annotated[bool, typer.Option(help="Write report.html.")] = True,
    workers: Annotated[int | None, typer.Option(min=1, help="How many cores to use. None: all.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute everything again, whatever is cached.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try models of a list again that failed before.")] = False,
    offline: Offline = False,
    allow_pickle: AllowPickle = False,
    trust_remote_code: TrustRemoteCode = False,
) -> None:
    """Evaluate models on suites and write a report."""
    from litotes.core.files import ensure_writable

    # What can be wrong is found before anything heavy is imported: a typo is told at once.
    chosen = choose_suites(suite, data)
    ensure_writable(out)
    entries = _entries(models, lists, group, retry=retry)
    if lists:
        _check_out(entries, out)
    all_must_fit = bool(suite or data) and not lists
    _check_fit(entries, chosen, all_must_fit=all_must_fit)

    from litotes.core.progress import terminal_progress
    from litotes.evaluation.engine import Engine
    from litotes.models.access import Access
    from litotes.report.export import FEW_SUITES

    access = Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
    outcomes: list[Outcome] = []
    with terminal_progress() as progress:
        engine = Engine(workers=workers, fresh=fresh, progress=progress, warn=warn)
        if lists:
            outcomes = _sweep(entries, chosen, engine, access, out, retry=retry)
        else:
            results, paths = _run_each(entries, chosen, engine, access, out, all_must_fit=all_must_fit)
    page: Path | None = None
    if lists:
        paths = [path for outcome in outcomes for path in outcome.paths]
        results = _summaries(paths)
    if report and results:
        page = _write_report(out, unless_newer=bool(lists))
    # Of many models the terminal shows no comparisons: there would be thousands.
    many = len({result.model for result in results}) > FEW_MODELS
    if json_:
        document = _document(results, paths, _compare(paths), page)
        # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
        put(json.dumps({**document, **(sweep_document(outcomes) if lists else {})}, indent=2))
    elif results:
        _print_tables(results, [] if many else _compare(paths), many=many)
        left_out = many or len(chosen) > FEW_SUITES
        more = f" (all tables: litotes report {shlex.quote(str(out))} --out tables.txt)" if left_out else ""
        say(f"\nresults: {out}{more}" + (f"\nreport:  {page}" if page else ""))
    if lists:
        say_how_it_went(outcomes)
    if any(outcome.failure is not None for outcome in outcomes):
        raise typer.Exit(1)


def _entries(
    names: list[str] | None, lists: list[str] | None, groups: list[str] | None, *, retry: bool
) -> list[ModelEntry]:
    """Each model once; one that nobody can have is told now, not after the hours that the others take."""
    from litotes.core.errors import UsageError
    from litotes.evaluation.model_list import entry_of, load_model_list, merge_entries, of_groups
    from litotes.models.hub import DEFAULT_MODEL

    if not lists:
        for option, given in (("--group", groups), ("--retry", retry)):
            if given:
                raise UsageError("L102", f"{option} is for lists of models", hint="give one by --models")
        names = names or [DEFAULT_MODEL]
    listed = merge_entries(load_model_list(one).entries for one in dict.fromkeys(lists or ()))
    if groups:
        listed = of_groups(listed, groups)
    return merge_entries([[entry_of(name) for name in names or ()], listed])


def _check_out(entries: Sequence[ModelEntry], out: Path) -> None:
    """Raise if the results of a model would lie where its bare name is looked for the next time."""
    from litotes.core.errors import UsageError
    from litotes.evaluation.result_store import model_folder

    for entry in entries:
        if Path(entry.name_here).absolute() == model_folder(out, entry.label).absolute():
            raise UsageError(
                "L102", f"--out {out}: results would be taken for the model {entry.name}", hint="choose another --out"
            )


def _check_fit(entries: Sequence[ModelEntry], suites: Sequence[Suite], *, all_must_fit: bool) -> None:
    """Raise if a model cannot answer what a suite asks, where the name tells, before any model is loaded."""
    from litotes.models.loading import predicts_labels
    from litotes.suites.nli import asks_for_labels

    asking = [suite for suite in suites if asks_for_labels(suite)]
    if not asking or not (all_must_fit or len(asking) == len(suites)):
        return
    wrong = [entry.name for entry in entries if predicts_labels(entry.name_here) is False]
    if wrong:
        from litotes.evaluation.scoring import needs_labels

        raise needs_labels(asking[0].name, wrong[0])


def _run_each(
    entries: Sequence[ModelEntry],
    suites: Sequence[Suite],
    engine: Engine,
    access: Access,
    out: Path,
    *,
    all_must_fit: bool,
) -> tuple[list[RunResult], list[Path]]:
    """The results of models that were named one by one: what goes wrong with one of them ends it."""
    from dataclasses import replace

    from litotes.evaluation.result_store import write_run
    from litotes.evaluation.sweep import ask_model, free_memory

    engine = replace(engine, on_encoded=_say_effort)
    results: list[RunResult] = []
    paths: list[Path] = []
    for entry in entries:
        for result in ask_model(entry, suites, engine, access, all_must_fit=all_must_fit):
            paths.append(write_run(out, result))
            results.append(result)
            for note in result.notes:
                say(f"note: {result.model} on {result.suite.name}: {note}")
        free_memory()  # models are held one at a time
    return results, paths


def _say_effort(name: str, effort: CacheUsage) -> None:
    if effort.computed:
        say(f"{name}: {effort.computed:,} encoded, {effort.cached:,} from the cache")
    else:
        say(f"{name}: nothing to encode, all {effort.cached:,} are in the cache")


def _sweep(
    entries: Sequence[ModelEntry],
    suites: Sequence[Suite],
    engine: Engine,
    access: Access,
    out: Path,
    *,
    retry: bool,
) -> list[Outcome]:
    """How it stands with models of lists: what goes wrong with one of them is noted."""
    from litotes.evaluation.sweep import Sweep

    return Sweep(out, suites, engine, access, retry=retry, told=SweepLines(len(entries)).told).run(entries)


def _summaries(paths: Sequence[Path]) -> list[RunResult]:
    """The results without their items, which of many models would fill the memory."""
    from litotes.evaluation.result_store import read_run

    return [read_run(path, with_items=False) for path in paths]


def _write_report(out: Path, *, unless_newer: bool = False) -> Path:
    """The report of everything in the folder, so that models run one after another stand side by side."""
    from litotes.core.errors import LitotesError
    from litotes.core.files import is_file, write_atomic
    from litotes.evaluation.comparison import compare_models
    from litotes.evaluation.result_store import find_runs, read_run
    from litotes.report.pages.report import render_report

    page = out / "report.html"
    runs = find_runs(out)
    if unless_newer and is_file(page) and page.stat().st_mtime >= max(path.stat().st_mtime for path in runs):
        return page
    found: list[RunResult] = []
    for path in runs:
        try:
            found.append(read_run(path))
        except LitotesError as error:  # an old run that is damaged does not spoil a new one
            warn(f"{error}; left out of the report")
    write_atomic(page, render_report(found, compare_models(found)))
    return page


def _compare(paths: Sequence[Path]) -> list[Comparison]:
    """Every two models; suite by suite, so that no more than the items of one are held."""
    from litotes.evaluation.comparison import compare_models
    from litotes.evaluation.result_store import read_run

    by_suite: dict[str, list[Path]] = {}
    for path in paths:
        by_suite.setdefault(path.parent.name, []).append(path)
    return [found for of_suite in by_suite.values() for found in compare_models([read_run(one) for one in of_suite])]


def _document(
    results: list[RunResult], paths: list[Path], comparisons: list[Comparison], page: Path | None
) -> dict[str, Any]:
    from litotes.report.export import json_document

    document = json_document(results, comparisons, report=str(page) if page else None)
    for run, path in zip(document["runs"], paths, strict=True):
        run["result_path"] = str(path)
        run["items_path"] = str(path.with_name("items.jsonl"))
    return document


def _print_tables(results: list[RunResult], comparisons: list[Comparison], *, many: bool) -> None:
    import shutil

    from litotes.report.export import text_tables
    from litotes.report.suite_runs import by_suite

    width = shutil.get_terminal_size((80, 24)).columns
    if many:
        put(models_table(results, width=width))
        return
    put("\n\n".join(text_tables(by_suite(results, comparisons), comparisons, width=width, brief=True)))
