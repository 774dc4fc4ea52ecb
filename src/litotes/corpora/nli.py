"""Pairs of natural language inference (NLI): premise, hypothesis and label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import read_corpus

LABELS = ("entailment", "neutral", "contradiction")
"""The labels in the order in which Litotes writes them and trains models."""


@dataclass(frozen=True)
class NliPair:
    """A premise and a hypothesis with their gold label."""

    id: str
    premise: str
    hypothesis: str
    label: str
    categories: tuple[str, ...] | None = None
    """The negation categories of the pair, if its file has columns for them."""


def read_nli(
    sources: Sequence[str],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
    problems: Problems | None = None,
) -> Iterator[NliPair]:
    """Yield the pairs of NLI files that have a gold label; it is an error if none of them has one."""
    problems = Problems() if problems is None else problems
    n_pairs = n_labelled = 0
    for record in nli_records(sources, format=format, columns=columns, strict=strict, problems=problems):
        n_pairs += 1
        if record.label:
            n_labelled += 1
            yield NliPair(record.id, record.text, record.second_text or "", record.label, record.negation_categories)
    if n_pairs and not n_labelled:
        skipped = f" ({problems.summary()})" if problems.count else ""
        raise LitotesError(
            "L203",
            f"{', '.join(sources)}: none of the {n_pairs:,} pairs has a gold label{skipped}",
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
    """Yield all pairs of NLI files, also without a gold label; other records are an error."""
    for record in read_corpus(sources, format=format, columns=columns, strict=strict, problems=problems):
        if record.second_text is None:
            raise LitotesError(
                "L203",
                f"{record.id}: has one sentence, but an NLI pair has a premise and a hypothesis",
                hint="name the two columns: --column premise --column hypothesis",
            )
        if record.label and record.label not in LABELS:
            raise LitotesError(
                "L203",
                f'{record.id}: "{record.label}" is not an NLI label',
                hint=f"known: {', '.join(LABELS)}, 0, 1, 2",
            )
        yield record
