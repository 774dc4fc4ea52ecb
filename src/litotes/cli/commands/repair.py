"""`litotes repair`: fine-tune an encoder on negation and antonyms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import put, say
from litotes.cli.options import AsJson, Overrides, SuiteOptions, Workers
from litotes.core.errors import UsageError
from litotes.models.access import Access
from litotes.repair.settings import AdapterSettings, RepairSettings

if TYPE_CHECKING:
    from litotes.repair.result import MetricChange, RepairResult
    from litotes.suites.base import Suite

METHODS = {"training": RepairSettings, "adapter": AdapterSettings}


def repair(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="Sentence encoder: folder, hub id or short name; adapters: any encoder."),
    ],
    *,
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="English text to learn from: a file, a folder, a glob, hf:NAME, builtin. Repeatable.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the repaired model.")],
    settings: Annotated[dict[str, Any], Overrides(tuple(METHODS.values()), default="depends on the method")],
    method: Annotated[
        str, typer.Option(help="training, or adapter: a map over the vectors of a model that cannot be trained.")
    ] = "training",
    general: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="More general text, whose vectors should not change. Repeatable."),
    ] = None,
    nli: Annotated[list[str] | None, typer.Option(metavar="FILE", help="NLI pairs to learn from. Repeatable.")] = None,
    sts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Evaluate on sentence pairs with human scores (STS benchmark)."),
    ] = None,
    paraphrases: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Evaluate the search for paraphrases (STS benchmark, MRPC).")
    ] = None,
    suites: SuiteOptions,
    workers: Workers = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Train again even if the folder has a model.")] = False,
    access: Access,
    json_: AsJson = False,
) -> None:
    """Fine-tune an encoder on negation and antonyms."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.core.registry import unknown_name
    from litotes.repair.api import repair_model

    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    for name in settings:
        if name not in METHODS[method].__struct_fields__:
            option = f"--{name.replace('_', '-')}"
            raise UsageError("L102", f"{option}: does not apply to --method {method}", hint="leave it out")
    result = repair_model(
        model,
        out=expand_user(out),
        sources=from_,
        general=general or (),
        nli=nli or (),
        sts=sts,
        paraphrases=paraphrases,
        suites=_evaluation_suites(suites),
        settings=METHODS[method](**settings),
        fresh=fresh,
        workers=workers,
        progress=terminal_progress(),
        access=access,
        on_message=say,
    )
    if json_:
        import json

        # ASCII only, so that the output does not depend on the encoding of the terminal or pipe.
        put(json.dumps(result.to_dict(), indent=2))
        return
    put(before_after_table(result))
    say("")
    target = result.folder if result.method == "training" else f"adapter:{result.folder}"
    say(f"model: {result.folder}\nnext:  litotes run {target}, litotes audit {target} --from {from_[0]}")


def _evaluation_suites(options: SuiteOptions) -> list[Suite]:
    """Return the named suites, or else the built-in ones, and those whose official files are given."""
    from litotes.suites.loading import BUILT_IN, LABEL_SUITES

    names = options.suite or tuple(name for name in BUILT_IN if name not in LABEL_SUITES)
    return options.replace(suite=(*names, *(entry.partition("=")[0] for entry in options.data))).load()


def before_after_table(result: RepairResult) -> str:
    """Return the metrics as a table for a terminal of 80 columns."""
    from litotes.repair.model_card import base_name, format_difference, format_metric, verdict
    from litotes.report.table import Column, Table, as_text

    changes = result.changes
    if not changes:
        return f"{base_name(result.base)}: repaired; nothing was evaluated"
    caption = (
        f"{base_name(result.base)} before and after its repair. Rows without a metric show the accuracy; all values "
        "times 100, with the 95 % interval of the difference; “better” and “worse” by a paired test."
    )
    columns = [
        Column("metric", "metric", _row_names(changes)),
        Column("before", "before", [format_metric(change.before) for change in changes]),
        Column("after", "after", [format_metric(change.after) for change in changes]),
        Column("difference", "difference", [format_difference(change) for change in changes]),
        Column(" ", "verdict", [verdict(change) for change in changes]),
    ]
    return as_text(Table(caption, columns))


def _row_names(changes: Sequence[MetricChange]) -> list[str]:
    """Return the row headers; consecutive rows on the same data repeat only the metric."""
    names: list[str] = []
    previous = ""
    for change in changes:
        data, _, metric = change.metric.rpartition(": ")
        full = data if metric == "accuracy" else change.metric
        names.append(f"  {metric}" if data and data == previous else full)
        previous = data
    return names
