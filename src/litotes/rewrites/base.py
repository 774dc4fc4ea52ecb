"""What a rewrite is: a rule reads a parsed sentence and yields drafts, or says why it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Span, Token

Effect: TypeAlias = Literal["same", "opposite", "different"]
Need: TypeAlias = Literal["parse", "lexicon", "inflection", "spelling", "model"]


class Change(NamedTuple):
    """Words that went and words that came; one of the two may be empty."""

    old: str
    new: str


@dataclass(frozen=True, init=False)
class Edit:
    """One rewritten sentence."""

    text: str
    rule: str
    effect: Effect
    changed: tuple[Change, ...] | None = field(default=None, repr=False, compare=False)
    """What was changed, where the rule says it itself."""
    reason: str = ""
    """Why this one, and why at this rank."""
    before: str = field(default="", repr=False, compare=False)
    """The sentence that was rewritten."""

    def __init__(  # noqa: PLR0917  (the fields, in their order)
        self,
        text: str,
        rule: str,
        effect: Effect,
        changed: tuple[Change, ...] | None = None,
        reason: str = "",
        before: str = "",
    ) -> None:
        # Past the frozen fields: what a dataclass does by itself takes longer than many a rule.
        fields = self.__dict__
        fields["text"], fields["rule"], fields["effect"] = text, rule, effect
        fields["changed"], fields["reason"], fields["before"] = changed, reason, before

    @cached_property
    def words(self) -> tuple[Change, ...]:
        """What was changed, in the order of the sentence; found out when it is asked for."""
        if self.changed is not None:
            return self.changed
        from litotes.rewrites.patches import changes

        return changes(self.before, self.text)

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "text": self.text,
            "rule": self.rule,
            "effect": self.effect,
            "words": [list(change) for change in self.words],
            "reason": self.reason,
        }


class Skip(NamedTuple):
    """Why a rule does not touch a sentence, or leaves out one of the edits that it might have made."""

    code: str
    """One of the codes that the rule declares."""
    reason: str = ""
    """In words; the declared meaning of the code where the rule says no more."""


class Draft(NamedTuple):
    """What a rule yields: its name and effect are filled in by the framework."""

    text: str
    words: tuple[Change, ...] | None = None
    """What was changed, if the rule knows it without comparing the two sentences."""
    reason: str = ""
    effect: Effect | None = None
    """Where it differs from the rule's own."""


Outcome: TypeAlias = Draft | Skip


class Edits(list[Edit]):
    """Edits, best first; an empty list carries the reasons in `skips`."""

    __slots__ = ("skips",)

    def __init__(self, edits: Iterable[Edit] | None = None, skips: tuple[Skip, ...] = ()) -> None:
        if edits:
            self.extend(edits)
        self.skips = skips


class Sentence:
    """A text and its parse, read by every rule."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.text: str = doc.text
        self.pieces = self.text.split(" ")
        """The text cut at each blank: every edit of it is held against them."""
        self.faults: dict[str, str | None] = {}
        """What is wrong with each of its edits so far."""
        self._roots: list[Token] | None = None

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def spans(self) -> list[Span]:
        """The sentences in it, by the parser; most texts have one."""
        return self.doc.sents

    @property
    def roots(self) -> list[Token]:
        """The head of each."""
        if self._roots is None:
            self._roots = [span.root for span in self.spans]
        return self._roots

    @cached_property
    def is_question(self) -> bool:
        """Whether it ends as a question does."""
        return self.text.rstrip(" \"'”’)").endswith("?")


COMMON_SKIPS = {
    "empty": "there is no word in it",
    "not-text": "it holds halves of characters, which are no text",
    "too-long": "it is longer than a sentence can be",
    "unchanged": "the rewritten sentence would be the same",
    "broken": "the rewritten sentence would not read as English: doubled words, stray blanks or punctuation",
}
"""Codes that the framework itself gives."""


@dataclass(frozen=True)
class Rule:
    """A rewrite, as its file declares it."""

    name: str
    effect: Effect
    needs: tuple[Need, ...]
    skips: Mapping[str, str] = field(hash=False)
    """Code → what it means."""
    summary: str
    apply: Callable[..., Iterator[Outcome]] = field(repr=False)
    """(sentence, **options) → drafts, best first, and skips."""

    @cached_property
    def told(self) -> Mapping[str, Skip]:
        """Each skip in the words that the rule declares for it; made once: most rules skip most sentences."""
        return {code: Skip(code, meaning) for code, meaning in self.skips.items()}


def rule(
    name: str, *, effect: Effect, needs: tuple[Need, ...] = ("parse",), skips: Mapping[str, str]
) -> Callable[[Callable[..., Iterator[Outcome]]], Rule]:
    """Declare a rewrite: its options are the function's keyword arguments, its summary the docstring's first line."""

    def declare(function: Callable[..., Iterator[Outcome]]) -> Rule:
        summary = (function.__doc__ or "").strip().partition("\n")[0]
        return Rule(name, effect, needs, {**COMMON_SKIPS, **skips}, summary, function)

    return declare
