"""The builder protocol: a builder turns a parsed sentence into candidates for items, or into a reason to skip it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry
from litotes.rewrites.base import Sentence, Skip

if TYPE_CHECKING:
    from litotes.corpora.base import Record


@dataclass(frozen=True)
class Candidate:
    """The sentences of a possible item by role, with where they come from."""

    set: str
    """Name of the builder's set; "" for builders with a single set."""
    sentences: Mapping[str, str]
    group: str
    """Shared by dependent items, such as those of one antonym pair or one word."""
    tags: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    """Roles whose naturalness is compared with that of the first role; () for all."""
    alternatives: str = ""
    """Name of the alternatives among the candidates of a sentence, of which the most natural is selected."""

    def to_list(self) -> list[Any]:
        """Return the fields for the journal."""
        return [self.set, dict(self.sentences), self.group, dict(self.tags), list(self.changed), self.alternatives]

    @classmethod
    def from_list(cls, fields: Sequence[Any]) -> Candidate:
        """Create a candidate from the fields in the journal."""
        set_, sentences, group, tags, changed, alternatives = fields
        return cls(set_, sentences, group, tags, tuple(changed), alternatives)


BuilderOutput: TypeAlias = Candidate | Skip


@dataclass(frozen=True)
class Subject:
    """The input of a builder: a record with one sentence or a pair, and the parse of its first sentence."""

    record: Record
    sentence: Sentence


Filter: TypeAlias = "Callable[[Record, Mapping[str, Any]], str | None]"
"""(record, options) → code of the reason why the text of a record is unsuitable, or None."""


@dataclass(frozen=True)
class Builder:
    """A way to build suites, declared with `@builder`."""

    name: str
    sets: Mapping[str, str] = field(hash=False)
    """Set name → suite kind; the only set of a builder is named ""."""
    skips: Mapping[str, str] = field(hash=False)
    """Skip code → explanation."""
    summary: str
    filter: Filter = field(repr=False)
    """Drops most sentences before the parser runs."""
    apply: Callable[..., Iterator[BuilderOutput]] = field(repr=False)
    """(subject, **options) → candidates, best first, and skips."""
    items: Callable[[Mapping[str, str]], list[dict[str, str]]] = field(repr=False)
    """Sentences of a candidate → sentences of its items."""
    units: Callable[[Record, Mapping[str, Any]], Iterable[Record]] = field(repr=False)
    """(record, options) → the records to build from: the sentences of a pair, one of them, or the pair itself."""


COMMON_SKIPS = {
    "duplicate": "the same sentence occurred earlier",
    "not-parsed": "it cannot be parsed: it has no word or is too long",
    "unnatural": "its rewrites are less natural than --min-naturalness allows",
    "same-items": "another sentence gave the same items",
    "frequent": "its group already has --per-group items",
    "over-limit": "there are already --limit items",
    "language-tool": "LanguageTool finds an error in the original, or one in a rewrite that the original does not have",
}
"""Skip codes of the pipeline itself."""


def single_item(sentences: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a candidate's sentences as one item."""
    return [dict(sentences)]


def each_sentence(record: Record, _: Mapping[str, Any]) -> Iterable[Record]:
    """Return one record per sentence."""
    from litotes.corpora.read import single_sentences

    return single_sentences([record])


def split_record(record: Record) -> Iterator[Record]:
    """Split a text into records of one sentence, each with its own id."""
    from litotes.languages.en.sentences import split_sentences

    parts = [part for _, part in split_sentences(record.text)]
    if len(parts) < 2:
        yield record
        return
    for number, part in enumerate(parts, 1):
        # Splitting a quotation of two sentences leaves an unpaired quotation mark on each.
        text = part.strip('"“”') if part.count('"') == 1 or part.count("“") != part.count("”") else part
        yield replace(record, id=f"{record.id}/{number}", text=text)


def builder(
    name: str,
    *,
    sets: Mapping[str, str],
    skips: Mapping[str, str],
    filter: Filter,
    items: Callable[[Mapping[str, str]], list[dict[str, str]]] = single_item,
    units: Callable[[Record, Mapping[str, Any]], Iterable[Record]] = each_sentence,
) -> Callable[[Callable[..., Iterator[BuilderOutput]]], Builder]:
    """Declare a builder; its options are the keyword arguments, its summary is the first line of the docstring."""

    def declare(function: Callable[..., Iterator[BuilderOutput]]) -> Builder:
        summary = (function.__doc__ or "").strip().partition("\n")[0]
        return Builder(name, sets, {**COMMON_SKIPS, **skips}, summary, filter, function, items, units)

    return declare


BUILDERS = Registry(
    "builder",
    {
        "semantoneg": "litotes.building.semantoneg:semantoneg",
        "heros": "litotes.building.heros:heros",
        "triplets": "litotes.building.triplets:triplets",
    },
    group="litotes.builders",
)


def list_builders() -> list[str]:
    """Return the names of all builders.

    >>> list_builders()[:3]
    ['semantoneg', 'heros', 'triplets']
    """
    return BUILDERS.names()


def load_builder(name: str) -> Builder:
    """Return the builder with this name."""
    value = BUILDERS.get(name)
    if not isinstance(value, Builder):  # an entry point of another package can be any object
        raise LitotesError("L203", f'the builder "{name}" is a {type(value).__name__}, not a Builder')
    return value
