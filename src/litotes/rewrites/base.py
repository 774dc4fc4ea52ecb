"""The types of rewrites: a rule reads a parsed sentence and returns edits, or skips that say why there are none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from litotes.core.files import is_encodable
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.tree import Doc, Span, Token

Effect: TypeAlias = Literal["same", "opposite", "different"]
"""How the meaning of an edit relates to that of the original sentence."""
Need: TypeAlias = Literal["parse", "lexicon", "inflection", "spelling", "model"]
"""A resource that a rule uses."""
T = TypeVar("T")
_LETTER = re.compile(r"[^\W\d_]")


class WordChange(NamedTuple):
    """Words that are removed and the words that replace them; either may be empty."""

    old: str
    new: str


@dataclass(frozen=True, init=False)
class Edit:
    """A rewritten sentence.

    >>> edit = Edit("It did not rain.", "negation", "opposite", before="It rained.")
    >>> edit
    Edit(text='It did not rain.', rule='negation', effect='opposite', reason='')
    >>> edit.words
    (WordChange(old='rained', new='did not rain'),)
    """

    text: str
    """The rewritten sentence."""
    rule: str
    """The name of the rule."""
    effect: Effect
    changed: tuple[WordChange, ...] | None = field(default=None, repr=False, compare=False)
    """The changed words if the rule reports them, otherwise None."""
    reason: str = ""
    """Why the rule proposes this edit at this rank."""
    before: str = field(default="", repr=False, compare=False)
    """The original sentence."""

    def __init__(  # noqa: PLR0917  (the fields in order)
        self,
        text: str,
        rule: str,
        effect: Effect,
        changed: tuple[WordChange, ...] | None = None,
        reason: str = "",
        before: str = "",
    ) -> None:
        # The generated __init__ of a frozen dataclass takes longer than many rules do.
        fields = self.__dict__
        fields["text"], fields["rule"], fields["effect"] = text, rule, effect
        fields["changed"], fields["reason"], fields["before"] = changed, reason, before

    @cached_property
    def words(self) -> tuple[WordChange, ...]:
        """The changed words in sentence order, computed on first use."""
        if self.changed is not None:
            return self.changed
        from litotes.rewrites.patches import changes

        return changes(self.before, self.text)

    def to_dict(self) -> dict[str, object]:
        """Return the edit as a JSON-compatible dictionary."""
        return {
            "text": self.text,
            "rule": self.rule,
            "effect": self.effect,
            "words": [list(change) for change in self.words],
            "reason": self.reason,
        }


class Skip(NamedTuple):
    """The reason why a rule returned no edit, or omitted one."""

    code: str
    """One of the codes that the rule or the gate declares."""
    reason: str = ""
    """A message; empty if the declared meaning of the code is enough."""


class Refusal(Exception):
    """Raised by a check if a sentence, clause or word cannot be changed; a rule that raises it yields its skip."""

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(code)
        self.skip = Skip(code, reason)


def refuse_if(condition: object, code: str, reason: str = "") -> None:
    """Raise a refusal if a condition holds."""
    if condition:
        raise Refusal(code, reason)


def require(value: T | None, code: str, reason: str = "") -> T:
    """Return a value; raise a refusal if it is None."""
    if value is None:
        raise Refusal(code, reason)
    return value


class Draft(NamedTuple):
    """An edit as a rule yields it; the framework adds the rule's name and effect."""

    text: str
    words: tuple[WordChange, ...] | None = None
    """The changed words if the rule knows them without comparing the two sentences."""
    reason: str = ""
    effect: Effect | None = None
    """The effect if it differs from the rule's."""


Outcome: TypeAlias = Draft | Skip
"""What a rule yields."""


def change_each(items: Iterable[T], change: Callable[[T], Iterable[Draft]]) -> Iterator[Outcome]:
    """Yield the drafts that a function makes of some items; if it makes none, its refusals, one per skip code."""
    skips: dict[str, Skip] = {}
    has_draft = False
    for item in items:
        try:
            for draft in change(item):
                has_draft = True
                yield draft
        except Refusal as refusal:
            skips.setdefault(refusal.skip.code, refusal.skip)
    if not has_draft:
        yield from skips.values()


class Edits(list[Edit]):
    """The edits of one sentence, best first.

    `skips` contains the reasons why the rule or a gate left out edits.
    """

    __slots__ = ("skips",)

    def __init__(self, edits: Iterable[Edit] | None = None, skips: tuple[Skip, ...] = ()) -> None:
        if edits:
            self.extend(edits)
        self.skips = skips

    def __repr__(self) -> str:
        return f"Edits({super().__repr__()}, skips={self.skips!r})"


class Sentence:
    """A text and its parse, the input of every rule."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.text: str = doc.text
        self.pieces = self.text.split(" ")
        """The text split at each space; every edit is compared with it."""
        self.faults: dict[str, str | None] = {}
        """Text of an edit → skip code of its fault, or None; shared by rules that produce the same edits."""

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def spans(self) -> list[Span]:
        """The sentences that the parser finds in the text; usually one."""
        return self.doc.sents

    @cached_property
    def roots(self) -> list[Token]:
        """The root of each sentence in the text."""
        return [span.root for span in self.spans]

    @cached_property
    def refusal(self) -> Skip | None:
        """The reason why no rule can process the sentence, or None."""
        return find_refusal(self.text) or (None if len(self.doc) and self.doc.is_parsed else common_skip("too-long"))

    @cached_property
    def is_question(self) -> bool:
        """Whether the text ends with a question mark."""
        return self.text.rstrip(" \"'”’)").endswith("?")


COMMON_SKIPS = {
    "empty": "the text contains no word",
    "not-text": "the text contains lone surrogates",
    "too-long": "the text is too long for a sentence",
    "unchanged": "the rewritten sentence would be the same",
    "broken": "the rewritten sentence would have repeated words, or misplaced spaces or punctuation",
}
"""The skip codes of every rule."""


def common_skip(code: str) -> Skip:
    """Return the skip for one of the common codes."""
    return Skip(code, COMMON_SKIPS[code])


def find_refusal(text: str) -> Skip | None:
    """Return the reason why a text cannot be parsed, if there is one."""
    if not _LETTER.search(text):
        return common_skip("empty")
    if len(text) > MAX_TEXT_LENGTH:
        return common_skip("too-long")
    return None if is_encodable(text) else common_skip("not-text")


@dataclass(frozen=True)
class Rule:
    """A rewrite: a function and its metadata. Create one with the decorator `rule`."""

    name: str
    effect: Effect
    needs: tuple[Need, ...] = field(repr=False)
    skips: Mapping[str, str] = field(hash=False, repr=False)
    """Skip code → meaning."""
    summary: str
    apply: Callable[..., Iterator[Outcome]] = field(repr=False)
    """(sentence, **options) → drafts, best first, and skips"""

    @cached_property
    def declared_skips(self) -> Mapping[str, Skip]:
        """Skip code → the skip with its declared meaning."""
        return {code: Skip(code, meaning) for code, meaning in self.skips.items()}


def rule(
    name: str, *, effect: Effect, needs: tuple[Need, ...] = ("parse",), skips: Mapping[str, str]
) -> Callable[[Callable[..., Iterator[Outcome]]], Rule]:
    """Return a decorator that turns a function into a `Rule`.

    The keyword arguments of the function are the options of the rule, the first line of its docstring is the summary.
    `skips` maps each skip code of the rule to its meaning. A `Refusal` that the function raises is its last outcome.

    >>> @rule("shout", effect="same", skips={"loud": "the sentence is in capitals already"})
    ... def shout(sentence: Sentence) -> Iterator[Outcome]:
    ...     '''Put the sentence in capitals.'''
    ...     yield Skip("loud") if sentence.text.isupper() else Draft(sentence.text.upper())
    >>> shout
    Rule(name='shout', effect='same', summary='Put the sentence in capitals.')
    """

    def declare(function: Callable[..., Iterator[Outcome]]) -> Rule:
        @wraps(function)
        def outcomes(sentence: Sentence, **options: Any) -> Iterator[Outcome]:
            try:
                yield from function(sentence, **options)
            except Refusal as refusal:
                yield refusal.skip

        summary = (function.__doc__ or "").strip().partition("\n")[0]
        return Rule(name, effect, needs, {**COMMON_SKIPS, **skips}, summary, outcomes)

    return declare
