"""NLI pairs: a premise, a hypothesis and which of three labels holds between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.corpora.base import Problems, Record
from litotes.corpora.reading import read_corpus

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
    """The labelled pairs of NLI files, in order; pairs on whose label the annotators did not agree are left out."""
    kept = Problems() if problems is None else problems
    records = read_corpus(sources, format=format, columns=columns, strict=strict, problems=kept)
    return nli_pairs(records, ", ".join(sources), kept)


def nli_pairs(records: Iterable[Record], name: str, problems: Problems | None = None) -> Iterator[NliPair]:
    """Records as labelled pairs; those without a gold label are left out, and it is an error if that is all of them.

    >>> [pair.label for pair in nli_pairs([Record("a:1", "Ann sings.", "Ann is silent.", "contradiction")], "a")]
    ['contradiction']
    """
    read = labelled = 0
    for record in records:
        read += 1
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
        if record.label:
            labelled += 1
            yield NliPair(record.id, record.text, record.other, record.label, record.flags)
    if read and not labelled:
        left = f" ({problems.summary()})" if problems is not None and problems.count else ""
        raise LitotesError(
            "L203",
            f"{name}: none of the {read:,} pairs that can be read has a gold label{left}",
            hint=f"the column is label or gold_label, with {', '.join(LABELS)} or 0, 1, 2",
        )
