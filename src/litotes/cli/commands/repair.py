"""`litotes repair`: fine-tune an encoder on negation and antonyms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Meta

from litotes.cli.error_handling import put, say
from litotes.cli.options import Overrides, SuiteOptions
from litotes.core.errors import UsageError
from litotes.core.settings import EngineSetting, PositiveInt, Settings
from litotes.models.access import Access
from litotes.repair.settings import AdapterSettings, RepairSettings

if TYPE_CHECKING:
    from litotes.repair.result import MetricChange, RepairResult
    from litotes.suites.base import Suite

METHODS = {"training": RepairSettings, "adapter": AdapterSettings}


class MoreText(Settings, frozen=True, kw_only=True):
    """What an encoder learns from besides the text."""

    general: Annotated[
        tuple[str, ...],
        Meta(description="More general text, whose vectors should not change. Repeatable.", extra={"metavar": "FILE"}),
    ] = ()
    nli: Annotated[
        tuple[str, ...], Meta(description="NLI pairs to learn from. Repeatable.", extra={"metavar": "FILE"})
    ] = ()


class EvaluationFiles(SuiteOptions, frozen=True, kw_only=True):
    """What an encoder is evaluated on before and after its repair."""

    sts: Annotated[
        str | None,
        Meta(description="Evaluate on sentence pairs with human scores (STS benchmark).", extra={"metavar": "FILE"}),
    ] = None
    paraphrases: Annotated[
        str | None,
        Meta(description="Evaluate the search for paraphrases (STS benchmark, MRPC).", extra={"metavar": "FILE"}),
    ] = None

    def load(self) -> list[Suite]:
        """Load the named suites, or else the built-in ones, and those whose official files are given."""
        from litotes.suites.loading import BUILT_IN, LABEL_SUITES

        names = self.suite or tuple(name for name in BUILT_IN if name not in LABEL_SUITES)
        options = SuiteOptions(data=self.data, suite=(*names, *(entry.partition("=")[0] for entry in self.data)))
        return options.load()


class JobOptions(Settings, frozen=True, kw_only=True):
    """How the job is run and reported."""

    workers: Annotated[PositiveInt | None, Meta(description="Number of processes. Default: one per core.")] = None
    engine: EngineSetting = None
    fresh: Annotated[bool, Meta(description="Train again even if the folder has a model.")] = False
    json: Annotated[bool, Meta(description="Print one JSON document and nothing else.")] = False


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
            help="English text to learn from: a file, folder, glob, URL, hf:NAME or builtin. Repeatable.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the repaired model.")],
    settings: Annotated[dict[str, Any], Overrides(tuple(METHODS.values()), default="depends on the method")],
    method: Annotated[
        str, typer.Option(help="training, or adapter: a map over the vectors of a model that cannot be trained.")
    ] = "training",
    more_text: MoreText,
    evaluation: EvaluationFiles,
    job: JobOptions,
    access: Access,
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
        general=more_text.general,
        nli=more_text.nli,
        sts=evaluation.sts,
        paraphrases=evaluation.paraphrases,
        suites=evaluation.load(),
        settings=METHODS[method](**settings),
        fresh=job.fresh,
        workers=job.workers,
        engine=job.engine,
        progress=terminal_progress(),
        access=access,
        on_message=say,
    )
    if job.json:
        import json

        # ASCII only, so that the output does not depend on the encoding of the terminal or pipe.
        put(json.dumps(result.to_dict(), indent=2))
        return
    put(before_after_table(result))
    say("")
    target = result.folder if result.method == "training" else f"adapter:{result.folder}"
    say(f"model: {result.folder}\nnext:  litotes run {target}, litotes audit {target} --from {from_[0]}")


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
