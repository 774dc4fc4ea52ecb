"""`litotes classify`: which categories of negation the pairs of an NLI corpus have, and on which side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AsJson

if TYPE_CHECKING:
    from litotes.building.developmental.classify_corpus import Classified
    from litotes.languages.negation_categories import Ruleset


def classify(  # noqa: PLR0917  (a command's options)
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="NLI pairs: a file, a folder, a glob, - for standard input, hf:NAME; again for more.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the labelled pairs go.")] = None,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The ruleset: paper or litotes.")] = "litotes",
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    format_: Annotated[str | None, typer.Option("--format", help="Of the corpus. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Twice: the column of the premise, of the hypothesis.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    json_: AsJson = False,
) -> None:
    """Find categories of negation in NLI pairs."""
    from litotes.core.errors import UsageError

    if not from_:
        raise UsageError("L102", "there is no corpus", hint="give NLI pairs by --from FILE")
    if out is None:
        raise UsageError("L102", "--out is missing", hint="name a file for the labelled pairs")

    from litotes.building.developmental.classify_corpus import classify_nli
    from litotes.core.progress import terminal_progress
    from litotes.speedups.gc_control import end_without_collecting
    from litotes.speedups.spacy_import import prefer_spacy_alone

    prefer_spacy_alone()
    found = classify_nli(
        from_,
        out,
        rules=cast("Ruleset", rules),  # the function says what is wrong with it
        format=format_,
        columns=column or (),
        strict=strict,
        workers=workers,
        progress=terminal_progress("pairs"),
    )
    end_without_collecting()
    if found.problems.count:
        warn(found.problems.summary())
    if json_:
        _put_json(found, rules)
    else:
        _put_table(found)


def _put_table(found: Classified) -> None:
    from litotes.building.developmental.classify_corpus import SIDES

    put(f"{'category':<12}" + "".join(f"{side:>12}" for side in SIDES))
    for category, counts in found.counts.items():
        put(f"{category:<12}" + "".join(f"{counts[side]:>12,}" for side in SIDES))
    put(f"{found.negated:,} of {found.pairs:,} pairs have a category; {found.unlabelled:,} pairs have no gold label")
    went_on = f", {found.resumed:,} pairs were there from an earlier call" if found.resumed else ""
    say(f"wrote {found.out}: {found.parsed:,} of {2 * found.pairs:,} sentences were parsed{went_on}")


def _put_json(found: Classified, rules: str) -> None:
    import json

    put(
        json.dumps(
            {
                "out": str(found.out),
                "rules": rules,
                "pairs": found.pairs,
                "unlabelled": found.unlabelled,
                "negated": found.negated,
                "categories": {category: dict(counts) for category, counts in found.counts.items()},
                "parsed": found.parsed,
                "resumed": found.resumed,
                "problems": found.problems.by_kind,
            },
            indent=2,
        )
    )
