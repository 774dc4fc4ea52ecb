"""`litotes classify`: the categories of negation of NLI pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.building.developmental.classify import ClassifySettings
from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AsJson, EngineName, LocalWorkers
from litotes.corpora.settings import ParquetSettings

if TYPE_CHECKING:
    from litotes.building.developmental.classify import ClassificationResult


def classify(
    *,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="NLI pairs: a file, folder, glob, URL, - for standard input or hf:NAME; can be repeated.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Output file, or NAME.parquet for a folder of Parquet files.")
    ] = None,
    settings: ClassifySettings,
    parquet: ParquetSettings,
    workers: LocalWorkers = None,
    engine: EngineName = None,
    json_: AsJson = False,
) -> None:
    """Find categories of negation in NLI pairs."""
    from litotes.core.errors import UsageError

    if not from_:
        raise UsageError("L102", "the corpus is missing", hint="name NLI pairs with --from FILE")
    if out is None:
        raise UsageError("L102", "--out is missing", hint="name a file for the classified pairs")

    from litotes.building.developmental.classify import classify_nli
    from litotes.core.files import is_stream
    from litotes.core.progress import terminal_progress
    from litotes.speedups.spacy_import import prefer_minimal_spacy

    prefer_minimal_spacy()
    result = classify_nli(
        from_, out, settings, workers=workers, engine=engine, progress=terminal_progress("pairs"), parquet=parquet
    )
    if result.problems.count:
        warn(result.problems.summary())
    if json_:
        _put_json(result, settings.rules)
    else:
        _put_table(result, say if is_stream(out) else put)


def _put_table(result: ClassificationResult, put: Callable[[str], None]) -> None:
    from litotes.building.developmental.classify import SIDES

    put(f"{'category':<12}" + "".join(f"{side:>12}" for side in SIDES))
    for category, counts in result.counts.items():
        put(f"{category:<12}" + "".join(f"{counts[side]:>12,}" for side in SIDES))
    put(f"{result.negated:,} of {result.pairs:,} pairs have a category; {result.unlabelled:,} pairs have no gold label")
    resumed = f", {result.resumed:,} pairs were written by an earlier call" if result.resumed else ""
    say(f"wrote {result.out}: {result.parsed:,} of {2 * result.pairs:,} sentences were parsed{resumed}")


def _put_json(result: ClassificationResult, rules: str) -> None:
    import json

    put(
        json.dumps(
            {
                "out": str(result.out),
                "rules": rules,
                "pairs": result.pairs,
                "unlabelled": result.unlabelled,
                "negated": result.negated,
                "categories": {category: dict(counts) for category, counts in result.counts.items()},
                "parsed": result.parsed,
                "resumed": result.resumed,
                "problems": result.problems.by_kind,
            },
            indent=2,
        )
    )
