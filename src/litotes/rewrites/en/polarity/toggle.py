"""Turning a clause round: adding its negation or taking it away, with all that goes along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.morphology.contractions import full_form, is_short
from litotes.languages.en.syntax.question_tags import QuestionTag, tag_of
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.grammar.clauses import predicate_of
from litotes.rewrites.en.polarity.add import add_negation
from litotes.rewrites.en.polarity.amounts import negate_quantified_subject
from litotes.rewrites.en.polarity.do_support import ContractionStyle, VerbForms, WordSwap, base_form
from litotes.rewrites.en.polarity.polarity_change import ChangeOrSkip, PolarityChange
from litotes.rewrites.en.polarity.polarity_items import ends_clause
from litotes.rewrites.en.polarity.remove import is_negative, remove_negation
from litotes.rewrites.en.polarity.sentence_types import is_linked_command
from litotes.rewrites.patches import Patch, delete, end_of, insert_before, patched, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token


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
_FORMS = VerbForms()
"""Of the verbs as they are, none of them swapped."""


class Toggle(NamedTuple):
    """Patches that turn a clause round; a swapped word is among them."""

    patches: tuple[Patch, ...]
    reason: str
    is_local: bool = False
    """Whether “not” stands before a word that has no verb of its own to be negated with."""


def toggle_word(
    sentence: Sentence,
    at: Token,
    *,
    contractions: ContractionStyle = "keep",
    swap: WordSwap | None = None,
    clause_is_done: bool = False,
) -> Iterator[Toggle | Skip]:
    """The ways to turn round the clause of a word, or the word alone, best first; `clause_is_done`: the word alone."""
    predicate = predicate_of(at)
    group = None if predicate is None else verb_group(predicate)
    start = _start_of_phrase(at)
    own = _not_right_before(start)
    if own is not None and (group is None or group.negation is not own):
        yield _finished(PolarityChange((delete(own),), "without not"), VerbForms(swap), None)
        return
    if group is not None:
        if not clause_is_done:
            yield from toggle_clause(sentence, group, contractions=contractions, swap=swap, at_word=True)
        if is_negative(group):
            return
    if at.pos_ in {"ADJ", "ADV"}:
        yield _finished(
            PolarityChange((_not_before(start),), "not before the word"), VerbForms(swap), None, is_local=True
        )


def toggle_clause(
    sentence: Sentence,
    group: VerbGroup,
    *,
    contractions: ContractionStyle = "keep",
    swap: WordSwap | None = None,
    at_word: bool = False,
) -> Sequence[Toggle | Skip]:
    """The ways to turn a clause round: without its negation if it has one, else with one."""
    if at_word and negate_quantified_subject(group) is None:
        at_word = False  # it makes no difference, and rules that ask in either way share what is found
    return _clause_toggles(sentence, group, contractions, VerbForms(swap), at_word=at_word)


@cached_on_doc
def _clause_toggles(
    sentence: Sentence, group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[Toggle | Skip]:
    tag = _own_tag(sentence, group)
    turns = _kept_turns(group, style, forms, at_word=at_word)
    return [_finished(turn, forms, tag) for turn in turns] or [Skip("negative-word")]


def _kept_turns(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[ChangeOrSkip]:
    """The turns of a clause, found once for all rules unless one of its verbs is swapped on the way."""
    if forms.swap is not None and forms.swap.token.pos_ in {"VERB", "AUX"}:
        return _turns(group, style, forms, at_word=at_word)
    return _turns(group, style, _FORMS, at_word=at_word)


@cached_on_doc
def _turns(group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool) -> Sequence[ChangeOrSkip]:
    if is_linked_command(group):
        return [Skip("coordination")]
    answer = _swap_so_and_not(group)
    if answer is not None:
        return [answer]
    turns = list(
        remove_negation(group, forms) if is_negative(group) else add_negation(group, style, forms, at_word=at_word)
    )
    if style == "expand" and is_short(group.first):
        return [_spelled_out(turn, group) for turn in turns]
    return turns


def _spelled_out(turn: ChangeOrSkip, group: VerbGroup) -> ChangeOrSkip:
    """A turn with the whole word for the contracted verb of its clause, unless it is changed already."""
    first = group.first
    if isinstance(turn, Skip) or any(patch.start < end_of(first) and first.idx < patch.end for patch in turn.patches):
        return turn
    return turn._replace(patches=(replace(first, f" {full_form(first, group.verb)}"), *turn.patches))


def _finished(
    turn: ChangeOrSkip, forms: VerbForms, tag: QuestionTag | None, *, is_local: bool = False
) -> Toggle | Skip:
    """The turn with the swapped word and the question tag that goes along."""
    if isinstance(turn, Skip):
        return turn
    patches = _apart(turn.patches)
    if forms.swap is not None:
        completed = forms.completed(patches)
        if completed is None or len(_apart(completed)) < len(completed):
            return Skip("not-sure", "the other word has no form for this place")
        patches = completed
    return Toggle(patches if tag is None else (*patches, *_tag_patches(tag)), turn.reason, is_local)


def apply_toggle(sentence: Sentence, toggle: Toggle) -> str:
    """The text with a clause turned round; rules often turn the same one."""
    return _patched(sentence, toggle.patches)


@cached_on_doc
def _patched(sentence: Sentence, patches: tuple[Patch, ...]) -> str:
    return patched(sentence.text, patches)


def _tag_patches(tag: QuestionTag | None) -> tuple[Patch, ...]:
    if tag is None:
        return ()
    verb = Patch(tag.verb_start, tag.verb_end, tag.turned)
    return (verb, Patch(tag.not_start, tag.not_end, "")) if tag.not_end > tag.not_start else (verb,)


def toggle_tag(sentence: Sentence, group: VerbGroup) -> tuple[Patch, ...]:
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
    if len(patches) == 1:
        return patches
    kept: list[Patch] = []
    for patch in patches:
        if not any(patch.start < other.end and other.start < patch.end for other in kept):
            kept.append(patch)
    return tuple(kept)


def _is_tagged(group: VerbGroup, tag: QuestionTag) -> bool:
    """Whether the tag asks about this clause: the one right before it whose polarity is the other one."""
    return group.verb.idx < tag.start and is_negative(group) != tag.is_negative


def _not_right_before(start: Token) -> Token | None:
    before = start.doc.tokens[start.i - 1]
    return before if start.i and before.lower_ == "not" else None


def _start_of_phrase(at: Token) -> Token:
    """The word, or the first of the adverbs of degree right before it."""
    start, tokens = at, at.doc.tokens
    while start.i:
        before = tokens[start.i - 1]
        if before.head is not at or before.dep_ != "advmod" or before.lower_ == "not":
            break
        start = before
    return start


def _not_before(start: Token) -> Patch:
    if start.text[:1].isupper() and start.i == start.sent.start:
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


_TO_NOT = frozenset("hope guess suppose fear presume afraid".split())
"""“I don't hope so” is not said; of “think” it is, and its “so” stays."""
_TO_SO = _TO_NOT | frozenset("think believe expect imagine say seem appear assume".split())
_OTHER = {"so": "not", "not": "so"}


def _swap_so_and_not(group: VerbGroup) -> ChangeOrSkip | None:
    """“I hope so” ↔ “I hope not”; None for any other clause."""
    if group.verb.doc.lowers.isdisjoint(_OTHER):
        return None
    word = next((one for one in _opinion(group) if one.i + 1 < len(one.doc)), None)
    answer = word.nbor() if word is not None else None
    if word is None or answer is None or answer.lower_ not in _OTHER:
        return None
    lemma = base_form(word) or word.lower_
    if lemma not in (_TO_NOT if answer.lower_ == "so" else _TO_SO):
        return None
    following = answer.nbor() if answer.i + 1 < len(answer.doc) else answer
    if following.lower_ in {"too", "either"}:
        return Skip("set-phrase")
    if not ends_clause(answer) or following.dep_ == "mark":
        return None  # an adverb: “I hope so much …”, “I say so because …”
    new = _OTHER[answer.lower_]
    return PolarityChange((replace(answer, new),), f"{answer.lower_} → {new}")


def _opinion(group: VerbGroup) -> list[Token]:
    """The word that says what somebody thinks, without a negation of its own before it."""
    verb = group.verb
    if group.subject is None or group.is_inverted or (group.negation is not None and group.negation.i < verb.i):
        return []
    return [child for child in verb.rights if child.lower_ == "afraid"] if group.is_copula else [verb]
