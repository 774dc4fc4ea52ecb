"""Gates: checks that an edit must pass, whichever rule produced it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

from litotes.rewrites.base import Edit, Edits, Skip
from litotes.rewrites.registry import GATES

BATCH = 64
"""The number of texts whose edits are passed to a gate together."""


class EditCandidate(NamedTuple):
    """An edit and the text it was made from."""

    text: str
    edit: Edit


class Gate(Protocol):
    """Rejects edits; it receives many at a time, so that it can process them in batches."""

    @property
    def codes(self) -> Mapping[str, str]:
        """The skip codes of its rejections and their meanings."""

    def refusals(self, candidates: Sequence[EditCandidate]) -> Sequence[Skip | None]:
        """Return for each candidate the reason for its rejection, or None if it passes."""


def filter_edits(
    rewritten: Iterable[tuple[str, Edits]], gates: Sequence[Gate], *, batch: int = BATCH
) -> Iterator[Edits]:
    """Yield the edits of each text that pass every gate, in order; add the rejections to the skips.

    >>> from litotes.rewrites.en.gates import TextGate
    >>> good = Edit("I am not glad.", "negation", "opposite", ())
    >>> bad = Edit("I am not not glad.", "negation", "opposite", ())
    >>> [passed] = filter_edits([("I am glad.", Edits([bad, good]))], [TextGate()])
    >>> passed == [good], [skip.code for skip in passed.skips]
    (True, ['broken'])
    """
    stream = iter(rewritten)
    while texts := list(islice(stream, batch)):
        yield from _filter_batch(texts, gates)


def _filter_batch(texts: Sequence[tuple[str, Edits]], gates: Sequence[Gate]) -> Iterator[Edits]:
    remaining = [(index, EditCandidate(text, edit)) for index, (text, edits) in enumerate(texts) for edit in edits]
    refused: dict[int, dict[Skip, None]] = {}
    for gate in gates:
        skips_of_gate = gate.refusals([candidate for _, candidate in remaining]) if remaining else []
        passed = []
        for (index, candidate), skip in zip(remaining, skips_of_gate, strict=True):
            if skip is None:
                passed.append((index, candidate))
            else:
                refused.setdefault(index, {})[skip] = None
        remaining = passed
    edits_by_text: dict[int, list[Edit]] = {}
    for index, candidate in remaining:
        edits_by_text.setdefault(index, []).append(candidate.edit)
    for index, (_, edits) in enumerate(texts):
        skips = dict.fromkeys([*edits.skips, *refused.get(index, ())])
        yield Edits(edits_by_text.get(index), tuple(skips))


@lru_cache(maxsize=8)
def load_gates(names: tuple[str, ...], pipeline: str | None) -> tuple[Gate, ...]:
    """Return the gates with these names; they are created once per process, because a gate may cache results."""
    return tuple(load_gate(name, pipeline) for name in names)


def load_gate(name: str, pipeline: str | None = None) -> Gate:
    """Return the gate with that name, or the gate of the LanguageTool server at that address.

    >>> load_gate("reprase")
    Traceback (most recent call last):
    ...
    litotes.core.errors.UsageError: [L101] unknown gate "reprase"; did you mean reparse?
    """
    if "://" in name:
        from litotes.rewrites.language_tool import LanguageTool

        return LanguageTool(name)
    gate: Gate = GATES.get(name)(pipeline=pipeline)
    return gate
