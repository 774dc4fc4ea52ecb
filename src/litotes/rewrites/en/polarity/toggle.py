"""Toggle the polarity of a clause: add its negation or remove it, with all the words that change along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.morphology.contractions import full_form, is_contracted
from litotes.languages.en.syntax.question_tags import QuestionTag, question_tag_of
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.verbs import NEG_RAISING_VERBS
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
    "several-sentences": "the text has several sentences, and negating one does not negate the whole",
    "not-a-clause": "there is no clause that could be negated",
    "negative-word": "a negative word cannot be removed or replaced on its own",
    "focus": "“not” would negate one adverb (only, even, almost) and not the clause",
    "quantifier": "“not” would not negate the amount in the subject",
    "inversion": "the verb precedes the subject, and the sentence is not a question",
    "wh-question": "a question about a place, time or manner has no negation",
    "coordination": "another verb or clause depends on this one and does not fit its negation",
    "polarity-item": "words that need the negation (at all, ever, any) would be left over",
    "correlative": "“not” belongs to a “but”, “nor” or “until”",
    "set-phrase": "the negation is part of a set phrase",
    "unknown-verb": "the dictionary does not know the form of the verb",
    "not-sure": "the sentence is ambiguous",
}
"""Skip codes of the rules that toggle polarity."""
_HOPING_WORDS = frozenset("hope guess suppose fear presume afraid".split())
"""They take “not” as an answer and are not negated themselves: “I hope not”, but “I don't think so”."""
_OPINION_WORDS = _HOPING_WORDS | NEG_RAISING_VERBS | {"say", "seem", "appear", "assume"}
_OPPOSITE_ANSWER = {"so": "not", "not": "so"}
_PLAIN_FORMS = VerbForms()
"""Forms without a replaced word."""


class Toggle(NamedTuple):
    """Patches that toggle the polarity of a clause; a replaced word is among them."""

    patches: tuple[Patch, ...]
    reason: str
    is_local: bool = False
    """Whether “not” is put before a word, because there is no verb to negate."""


def toggle_word(
    sentence: Sentence,
    word: Token,
    *,
    contractions: ContractionStyle = "keep",
    swap: WordSwap | None = None,
    clause_is_done: bool = False,
) -> Iterator[Toggle | Skip]:
    """Yield the ways to toggle the clause of a word, or the word alone, best first.

    `swap` is a word to be replaced at the same time. With `clause_is_done` only the word itself is negated.
    """
    predicate = predicate_of(word)
    group = None if predicate is None else verb_group(predicate)
    start = _start_of_phrase(word)
    preceding_not = _preceding_not(start)
    if preceding_not is not None and (group is None or group.negation is not preceding_not):
        yield _finish(PolarityChange((delete(preceding_not),), "without not"), VerbForms(swap), None)
        return
    if group is not None:
        if not clause_is_done:
            yield from toggle_clause(sentence, group, contractions=contractions, swap=swap, at_word=True)
        if is_negative(group):
            return
    if word.pos_ in {"ADJ", "ADV"}:
        yield _finish(
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
    """Return the ways to remove the negation of a clause, or to add one if it has none."""
    if at_word and negate_quantified_subject(group) is None:
        at_word = False  # without effect here, and rules share the cached result
    return _clause_toggles(sentence, group, contractions, VerbForms(swap), at_word=at_word)


@cached_on_doc
def _clause_toggles(
    sentence: Sentence, group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[Toggle | Skip]:
    tag = _own_tag(sentence, group)
    changes = _changes(group, style, forms, at_word=at_word)
    return [_finish(change, forms, tag) for change in changes] or [Skip("negative-word")]


def _changes(group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool) -> Sequence[ChangeOrSkip]:
    """Return the changes of a clause, which are shared by all rules unless one of its verbs is replaced."""
    if forms.swap is not None and forms.swap.token.pos_ in {"VERB", "AUX"}:
        return _clause_changes(group, style, forms, at_word=at_word)
    return _clause_changes(group, style, _PLAIN_FORMS, at_word=at_word)


@cached_on_doc
def _clause_changes(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[ChangeOrSkip]:
    if is_linked_command(group):
        return [Skip("coordination")]
    answer = _swap_so_and_not(group)
    if answer is not None:
        return [answer]
    changes = list(
        remove_negation(group, forms) if is_negative(group) else add_negation(group, style, forms, at_word=at_word)
    )
    if style == "expand" and is_contracted(group.first):
        return [_with_full_verb(change, group) for change in changes]
    return changes


def _with_full_verb(change: ChangeOrSkip, group: VerbGroup) -> ChangeOrSkip:
    """Add the full form of a contracted verb to a change, unless the verb is changed already."""
    first = group.first
    if isinstance(change, Skip) or any(
        patch.start < end_of(first) and first.idx < patch.end for patch in change.patches
    ):
        return change
    return change._replace(patches=(replace(first, f" {full_form(first, group.verb)}"), *change.patches))


def _finish(
    change: ChangeOrSkip, forms: VerbForms, tag: QuestionTag | None, *, is_local: bool = False
) -> Toggle | Skip:
    """Return the change with the replaced word and the question tag."""
    if isinstance(change, Skip):
        return change
    patches = _without_overlaps(change.patches)
    if forms.swap is not None:
        completed = forms.completed(patches)
        if completed is None or len(_without_overlaps(completed)) < len(completed):
            return Skip("not-sure", "the other word has no suitable form")
        patches = completed
    return Toggle(patches if tag is None else (*patches, *_question_tag_patches(tag)), change.reason, is_local)


def apply_toggle(sentence: Sentence, toggle: Toggle) -> str:
    """Return the text with a toggle applied."""
    return _patched(sentence, toggle.patches)


@cached_on_doc
def _patched(sentence: Sentence, patches: tuple[Patch, ...]) -> str:
    return patched(sentence.text, patches)


def _question_tag_patches(tag: QuestionTag | None) -> tuple[Patch, ...]:
    if tag is None:
        return ()
    verb = Patch(tag.verb_start, tag.verb_end, tag.turned)
    return (verb, Patch(tag.not_start, tag.not_end, "")) if tag.not_end > tag.not_start else (verb,)


def toggle_tag(sentence: Sentence, group: VerbGroup) -> tuple[Patch, ...]:
    """Return the patches that toggle the question tag of a clause."""
    return _question_tag_patches(_own_tag(sentence, group))


def _own_tag(sentence: Sentence, group: VerbGroup) -> QuestionTag | None:
    """Return the question tag of a clause, if there is one."""
    tag = question_tag_of(sentence.doc)
    if tag is None or not _has_tag(group, tag):
        return None
    if group.verb.lemma_ == "have" and not group.auxiliaries and not is_negative(group):
        return tag.with_do  # “He has a car, hasn't he?”: the negation has “does”, and so has its tag
    return tag


def _without_overlaps(patches: tuple[Patch, ...]) -> tuple[Patch, ...]:
    """Drop patches that overlap with an earlier one: “not yet” takes its “yet” along."""
    if len(patches) == 1:
        return patches
    distinct: list[Patch] = []
    for patch in patches:
        if not any(patch.start < earlier.end and earlier.start < patch.end for earlier in distinct):
            distinct.append(patch)
    return tuple(distinct)


def _has_tag(group: VerbGroup, tag: QuestionTag) -> bool:
    """Whether the tag belongs to this clause: it is right before the tag and has the opposite polarity."""
    return group.verb.idx < tag.start and is_negative(group) != tag.is_negative


def _preceding_not(start: Token) -> Token | None:
    before = start.doc.tokens[start.i - 1]
    return before if start.i and before.lower_ == "not" else None


def _start_of_phrase(word: Token) -> Token:
    """Return the word, or the first of the adverbs of degree right before it."""
    start, tokens = word, word.doc.tokens
    while start.i:
        before = tokens[start.i - 1]
        if before.head is not word or before.dep_ != "advmod" or before.lower_ == "not":
            break
        start = before
    return start


def _not_before(start: Token) -> Patch:
    if start.text[:1].isupper() and start.i == start.sent.start:
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


def _swap_so_and_not(group: VerbGroup) -> ChangeOrSkip | None:
    """Toggle “I hope so” and “I hope not”; None for any other clause."""
    if group.verb.doc.lowers.isdisjoint(_OPPOSITE_ANSWER):
        return None
    word = next((candidate for candidate in _opinion_words(group) if candidate.i + 1 < len(candidate.doc)), None)
    answer = word.nbor() if word is not None else None
    if word is None or answer is None or answer.lower_ not in _OPPOSITE_ANSWER:
        return None
    lemma = base_form(word) or word.lower_
    if lemma not in (_HOPING_WORDS if answer.lower_ == "so" else _OPINION_WORDS):
        return None
    following = answer.nbor() if answer.i + 1 < len(answer.doc) else answer
    if following.lower_ in {"too", "either"}:
        return Skip("set-phrase")
    if not ends_clause(answer) or following.dep_ == "mark":
        return None  # an adverb: “I hope so much …”, “I say so because …”
    new = _OPPOSITE_ANSWER[answer.lower_]
    return PolarityChange((replace(answer, new),), f"{answer.lower_} → {new}")


def _opinion_words(group: VerbGroup) -> list[Token]:
    """Return the word that expresses an opinion and is not negated before it."""
    verb = group.verb
    if group.subject is None or group.is_inverted or (group.negation is not None and group.negation.i < verb.i):
        return []
    return [child for child in verb.rights if child.lower_ == "afraid"] if group.is_copula else [verb]
