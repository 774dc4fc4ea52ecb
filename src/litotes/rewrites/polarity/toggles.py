"""Turning a clause round: adding its negation or taking it away, with all that goes along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from litotes.language.contractions import full_form, is_short
from litotes.language.question_tags import QuestionTag, tag_of
from litotes.language.verb_group import VerbGroup, verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.grammar.clauses import predicate_of
from litotes.rewrites.kept import Kept
from litotes.rewrites.patches import Patch, delete, end_of, insert_before, replace
from litotes.rewrites.polarity.add import added
from litotes.rewrites.polarity.answers import so_or_not
from litotes.rewrites.polarity.forms import Forms, Style, Swap
from litotes.rewrites.polarity.imperatives import leads_on
from litotes.rewrites.polarity.remove import is_negative, removed
from litotes.rewrites.polarity.turn import Turn, Turned

if TYPE_CHECKING:
    from litotes.language.tree import Token

__all__ = ["POLARITY_SKIPS", "Style", "Swap", "Toggle", "toggle_clause", "toggles", "turned_tag"]

POLARITY_SKIPS = {
    "several-sentences": "it has several sentences, and turning one round does not turn the whole round",
    "not-a-clause": "it has no clause that could be turned round",
    "negative-word": "it has a negative word that cannot be taken away word for word",
    "focus": "“not” would belong to one adverb (only, even, almost) and not to the clause",
    "quantifier": "its subject is of an amount whose denial is not made by “not”",
    "inversion": "its verb stands before the subject, and it is no question",
    "wh-question": "a question for a place, time or manner has no denial",
    "coordination": "another verb or clause leans on this one, and would not go with its denial",
    "polarity-item": "words that need the negation (at all, ever, any) would be left behind",
    "correlative": "“not” belongs to a “but”, “nor” or “until”",
    "set-phrase": "the negation is part of a set phrase",
    "unknown-verb": "the verb is no form of a verb that the dictionary knows",
    "not-sure": "there are several ways to read it",
}


class Toggle(NamedTuple):
    """Patches that turn a clause round; a swapped word is among them."""

    patches: tuple[Patch, ...]
    reason: str
    is_local: bool = False
    """Whether “not” stands before a word that has no verb of its own to be negated with."""


def toggles(
    sentence: Sentence,
    at: Token,
    *,
    contractions: Style = "keep",
    swap: Swap | None = None,
    clause_is_done: bool = False,
) -> Iterator[Toggle | Skip]:
    """The ways to turn round the clause of a word, or the word alone, best first; `clause_is_done`: the word alone."""
    forms = Forms(swap)
    predicate = predicate_of(at)
    own = _own_not(at)
    if own is not None and (predicate is None or verb_group(predicate).negation != own):
        yield _finished(Turn((delete(own),), "without not"), forms, None)
        return
    if predicate is not None:
        group = verb_group(predicate)
        if not clause_is_done:
            yield from toggle_clause(sentence, group, contractions=contractions, swap=swap, at_word=True)
        if is_negative(group):
            return
    if at.pos_ in {"ADJ", "ADV"}:
        local = _finished(Turn((_not_before(_start_of_phrase(at)),), "not before the word"), forms, None)
        yield local if isinstance(local, Skip) else local._replace(is_local=True)


def toggle_clause(
    sentence: Sentence,
    group: VerbGroup,
    *,
    contractions: Style = "keep",
    swap: Swap | None = None,
    at_word: bool = False,
) -> Iterator[Toggle | Skip]:
    """The ways to turn a clause round: without its negation if it has one, else with one."""
    forms = Forms(swap)
    tag = _own_tag(sentence, group)
    found = False
    for turn in _kept_turns(group, contractions, forms, at_word=at_word):
        found = True
        yield _finished(turn, forms, tag)
    if not found:
        yield Skip("negative-word")


def _kept_turns(group: VerbGroup, style: Style, forms: Forms, *, at_word: bool) -> Iterable[Turned]:
    """The turns of a clause, found once for all rules unless one of its verbs is swapped on the way."""
    if forms.swap is not None and forms.swap.token.pos_ in {"VERB", "AUX"}:
        return _turns(group, style, forms, at_word=at_word)
    memory, key = group.verb.doc.memory, ("turns", group.verb.i, style, at_word)
    if key not in memory:
        memory[key] = Kept(_turns(group, style, Forms(), at_word=at_word))
    turns: Kept[Turned] = memory[key]
    return turns


def _turns(group: VerbGroup, style: Style, forms: Forms, *, at_word: bool) -> Iterator[Turned]:
    if leads_on(group):
        yield Skip("coordination")
        return
    answer = so_or_not(group)
    if answer is not None:
        yield answer
        return
    turns = removed(group, forms) if is_negative(group) else added(group, style, forms, at_word=at_word)
    if style == "expand" and is_short(group.first):
        turns = (_spelled_out(turn, group) for turn in turns)
    yield from turns


def _spelled_out(turn: Turned, group: VerbGroup) -> Turned:
    """A turn with the whole word for the contracted verb of its clause, unless it is changed already."""
    first = group.first
    if isinstance(turn, Skip) or any(patch.start < end_of(first) and first.idx < patch.end for patch in turn.patches):
        return turn
    return turn._replace(patches=(replace(first, f" {full_form(first, group.verb)}"), *turn.patches))


def _finished(turn: Turned, forms: Forms, tag: QuestionTag | None) -> Toggle | Skip:
    """The turn with the swapped word and the question tag that goes along."""
    if isinstance(turn, Skip):
        return turn
    patches = forms.completed(_apart(turn.patches))
    if patches is None or len(_apart(patches)) < len(patches):
        return Skip("not-sure", "the other word has no form for this place")
    return Toggle((*patches, *_tag_patches(tag)), turn.reason)


def _tag_patches(tag: QuestionTag | None) -> tuple[Patch, ...]:
    if tag is None:
        return ()
    verb = Patch(tag.verb_start, tag.verb_end, tag.turned)
    return (verb, Patch(tag.not_start, tag.not_end, "")) if tag.not_end > tag.not_start else (verb,)


def turned_tag(sentence: Sentence, group: VerbGroup) -> tuple[Patch, ...]:
    """The patches that turn the question tag of a clause round, for a rule that turns the clause in its own way."""
    return _tag_patches(_own_tag(sentence, group))


def _own_tag(sentence: Sentence, group: VerbGroup) -> QuestionTag | None:
    """The question tag that asks about a clause, if the text has one."""
    tag = tag_of(sentence.doc)
    if tag is None or not _is_tagged(group, tag):
        return None
    if group.verb.lemma_ == "have" and not group.auxiliaries and not is_negative(group):
        return tag.with_do  # “He has a car, hasn't he?”: the denial has “does”, and so has its tag
    return tag


def _apart(patches: tuple[Patch, ...]) -> tuple[Patch, ...]:
    """The patches without those that would change what an earlier one changes: “not yet” takes its “yet” along."""
    kept: list[Patch] = []
    for patch in patches:
        if not any(patch.start < other.end and other.start < patch.end for other in kept):
            kept.append(patch)
    return tuple(kept)


def _is_tagged(group: VerbGroup, tag: QuestionTag) -> bool:
    """Whether the tag asks about this clause: the one right before it whose polarity is the other one."""
    return group.verb.idx < tag.start and is_negative(group) != tag.is_negative


def _own_not(at: Token) -> Token | None:
    """The “not” that stands right before a word or its degree."""
    start = _start_of_phrase(at)
    if start.i == 0:
        return None
    before = start.nbor(-1)
    return before if before.lower_ == "not" else None


def _start_of_phrase(at: Token) -> Token:
    """The word, or the first of the adverbs of degree right before it."""
    start = at
    while start.i > 0 and start.nbor(-1).dep_ == "advmod" and start.nbor(-1).head.i == at.i:
        if start.nbor(-1).lower_ == "not":
            break
        start = start.nbor(-1)
    return start


def _not_before(start: Token) -> Patch:
    if start.text[:1].isupper() and start.i == start.sent.start:
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")
