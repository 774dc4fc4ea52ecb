"""NLI pairs: a premise, a hypothesis and which of three labels holds between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import read_corpus

LABELS = ("entailment", "neutral", "contradiction")
"""In the order in which Litotes writes and trains them."""


@dataclass(frozen=True)
class NliPair:
    """A premise and a hypothesis with their gold label."""

    id: str
    premise: str
    hypothesis: str
    label: str
    categories: tuple[str, ...] | None = None
    """The categories of negation that its file says it has; None where the file says nothing of them."""


def read_nli(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[NliPair]:
    """The labelled pairs of NLI files, in order; pairs on whose label the annotators did not agree are left out.

    That none of them has a label is an error.
    """
    kept = Problems() if problems is None else problems
    read = labelled = 0
    for record in nli_records(sources, format=format, columns=columns, strict=strict, problems=kept):
        read += 1
        if record.label:
            labelled += 1
            yield NliPair(record.id, record.text, record.other or "", record.label, record.flags)
    if read and not labelled:
        left = f" ({kept.summary()})" if kept.count else ""
        raise LitotesError(
            "L203",
            f"{', '.join(sources)}: none of the {read:,} pairs that can be read has a gold label{left}",
            hint=f"the column is label or gold_label, with {', '.join(LABELS)} or 0, 1, 2",
        )


def nli_records(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[Record]:
    """The pairs of NLI files, those without a gold label too; anything else is an error."""
    for record in read_corpus(sources, format=format, columns=columns, strict=strict, problems=problems):
        if record.other is None:
            raise LitotesError(
                "L203",
                f"{record.id}: has one sentence, an NLI pair has a premise and a hypothesis",
                hint="name the two columns: --column premise --column hypothesis",
            )
        if record.label and record.label not in LABELS:
            raise LitotesError(
                "L203", f'{record.id}: "{record.label}" is no label of NLI', hint=f"known: {', '.join(LABELS)}, 0, 1, 2"
            )
        yield record
