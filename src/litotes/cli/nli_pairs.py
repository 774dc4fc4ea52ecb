"""The labelled pairs that a training command was given: read, and what must not be learnt from left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litotes.cli.error_handling import say, warn

if TYPE_CHECKING:
    from litotes.corpora.base import Problems
    from litotes.corpora.nli import NliPair


@dataclass(frozen=True)
class PairsRead:
    """What is learnt from and what it is measured on."""

    pairs: list[NliPair]
    dev: list[NliPair]
    count: int
    """All pairs of the data, before any were left out."""
    problems: Problems

    def tell(self) -> None:
        """Say how many there are, and what could not be read."""
        if self.problems.count:
            warn(self.problems.summary())
        say(f"{self.count:,} pairs read, {len(self.pairs):,} may be learnt from, {len(self.dev):,} are the dev set")


def read_pairs(
    data: Sequence[str],
    dev: Sequence[str],
    *,
    except_: Sequence[str] = (),
    without_negation: bool = False,
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
) -> PairsRead:
    """The pairs of the files, but for those with a premise of `dev` or `except_`; an unknown label stops it."""
    from litotes.core.errors import LitotesError
    from litotes.corpora.base import Problems
    from litotes.corpora.nli import LABELS, read_nli
    from litotes.training.nli.data import without_negation as positive
    from litotes.training.nli.data import without_premises

    problems = Problems()

    def read_all(files: Sequence[str]) -> list[NliPair]:
        return list(read_nli(files, format=format, columns=columns, strict=strict, problems=problems))

    pairs, dev_pairs = read_all(data), read_all(dev) if dev else []
    if problems.by_kind.get("label"):
        first = next(problem for problem in problems.first if problem.kind == "label")
        hint = f"known: {', '.join(LABELS)}, 0, 1, 2, and - for none"
        raise LitotesError("L203", f'{first.file}:{first.line}: unknown label "{first.detail}"', hint=hint)
    count = len(pairs)
    if without_negation:
        pairs, dev_pairs = list(positive(pairs)), list(positive(dev_pairs))
    if except_:
        pairs = list(without_premises(pairs, read_nli(except_, problems=problems)))
    if dev and not dev_pairs:
        raise LitotesError("L204", f"{', '.join(dev)}: no pairs are left to measure on", hint="give other --dev files")
    # What it is measured on it must not have seen.
    return PairsRead(list(without_premises(pairs, dev_pairs)), dev_pairs, count, problems)
