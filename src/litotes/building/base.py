"""What a builder is: it reads a parsed sentence of a corpus and yields candidates, or says why it does not."""

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
    """What may become an item: sentences under roles, and where they come from."""

    set: str
    """The set of the builder that it belongs to; "" where there is one set."""
    sentences: Mapping[str, str]
    group: str
    """What makes items depend on each other: an antonym pair, a word."""
    tags: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    """The roles whose naturalness counts, against the first role's; () for all."""

    def to_list(self) -> list[Any]:
        """As the journal keeps it."""
        return [self.set, dict(self.sentences), self.group, dict(self.tags), list(self.changed)]

    @classmethod
    def from_list(cls, kept: Sequence[Any]) -> Candidate:
        """From the journal."""
        set_, sentences, group, tags, changed = kept
        return cls(set_, sentences, group, tags, tuple(changed))


Found: TypeAlias = Candidate | Skip


@dataclass(frozen=True)
class Subject:
    """A sentence of the corpus, or a pair of them: the record, and the parse of its first sentence."""

    record: Record
    sentence: Sentence


Filter: TypeAlias = "Callable[[Record, Mapping[str, Any]], str | None]"
"""(record, options) → the skip code of what makes the record unfit, by its text alone, or None."""


@dataclass(frozen=True)
class Builder:
    """A way to make suites, as its file declares it."""

    name: str
    sets: Mapping[str, str] = field(hash=False)
    """Set → the kind of suite; one set is named ""."""
    skips: Mapping[str, str] = field(hash=False)
    """Code → what it means."""
    summary: str
    filter: Filter = field(repr=False)
    """Before the parser: most sentences are dropped here."""
    apply: Callable[..., Iterator[Found]] = field(repr=False)
    """(subject, **options) → candidates, best first, and skips."""
    items: Callable[[Mapping[str, str]], list[dict[str, str]]] = field(repr=False)
    """A candidate's sentences → those of its items."""
    units: Callable[[Record, Mapping[str, Any]], Iterable[Record]] = field(repr=False)
    """(record, options) → what is looked at: the sentences of a pair, one of them, the pair itself."""


COMMON_SKIPS = {
    "duplicate": "the sentence came before",
    "not-parsed": "it cannot be parsed: no word, or longer than a sentence can be",
    "unnatural": "what was made of it is less natural than --min-naturalness allows",
    "same-items": "another sentence gave the same items",
    "frequent": "its group has --per-group items already",
    "over-limit": "there are --limit items already",
    "language-tool": "LanguageTool finds an error in the original, or one in a rewrite that the original does not have",
}
"""Codes that the engine itself gives."""


def one_item(sentences: Mapping[str, str]) -> list[dict[str, str]]:
    """One item a candidate."""
    return [dict(sentences)]


def each_sentence(record: Record, _: Mapping[str, Any]) -> Iterable[Record]:
    """Every sentence by itself."""
    from litotes.corpora.read import single_sentences

    return single_sentences([record])


def split_record(record: Record) -> Iterator[Record]:
    """A text of several sentences as those sentences, each with an id of its own."""
    from litotes.languages.en.sentences import split_sentences

    parts = [part for _, part in split_sentences(record.text)]
    if len(parts) < 2:
        yield record
        return
    for number, part in enumerate(parts, 1):
        # A quotation of two sentences leaves each with one of its marks.
        text = part.strip('"“”') if part.count('"') == 1 or part.count("“") != part.count("”") else part
        yield replace(record, id=f"{record.id}/{number}", text=text)


def builder(
    name: str,
    *,
    sets: Mapping[str, str],
    skips: Mapping[str, str],
    filter: Filter,
    items: Callable[[Mapping[str, str]], list[dict[str, str]]] = one_item,
    units: Callable[[Record, Mapping[str, Any]], Iterable[Record]] = each_sentence,
) -> Callable[[Callable[..., Iterator[Found]]], Builder]:
    """Declare a builder: its options are the function's keyword arguments, its summary the docstring's first line."""

    def declare(function: Callable[..., Iterator[Found]]) -> Builder:
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
    """The names that `load_builder` knows.

    >>> list_builders()[:3]
    ['semantoneg', 'heros', 'triplets']
    """
    return BUILDERS.names()


def load_builder(name: str) -> Builder:
    """The builder of that name."""
    found = BUILDERS.get(name)
    if not isinstance(found, Builder):  # an entry point of another package could hold anything
        raise LitotesError("L203", f'the builder "{name}" is a {type(found).__name__}, not a Builder')
    return found
