"""Argument swap: who did it to whom changes places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import capitalised
from litotes.languages.en.syntax.question_tags import question_tag
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.grammar.noun_phrases import VerbAgreement, agreement, as_object, as_subject
from litotes.rewrites.en.grammar.swappable_arguments import Arguments, arguments
from litotes.rewrites.en.voice.verb_forms import agreeing, contracted, finite, full_auxiliary, verb_lemma
from litotes.rewrites.patches import Patch, end_of, patched, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_CLAUSES = frozenset({"conj", "ccomp", "advcl"})
_HE = VerbAgreement(3, False)
_LEANED_ON = frozenset({"i", "you", "he", "she", "we", "they"})
_ODD_AUXILIARIES = frozenset({"ai", "gon", "got", "to", "m", "s", "re", "ve", "ll", "d"})
"""“ain't”, “gonna”, and contractions without their apostrophe."""


@rule(
    "argument_swap",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-arguments": "no verb has a subject and a second argument",
        "kind": "the two arguments are not of like kind: the swapped sentence would make no sense",
        "symmetric": "the verb is symmetric: the swapped sentence would mean the same",
        "verb": "the verb's object is no second actor",
        "bound": "a pronoun points to one of the arguments",
        "alike": "one of the arguments goes by the other, or cannot stand in its place",
        "agreement": "the verb cannot be made to agree with its new subject",
        "tag": "its question tag goes by the subject",
        "unclear": "the parse does not show what belongs together",
    },
)
def argument_swap(sentence: Sentence) -> Iterator[Outcome]:
    """“Tom encouraged Ann to leave.” → “Ann encouraged Tom to leave.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("argument_swap", "She sees the dogs, but the dogs chase him.")[0].text
    'The dogs see her, but the dogs chase him.'
    """
    if sentence.is_question and question_tag(sentence.text) is not None:
        yield Skip("tag")
        return
    refusals: dict[Skip, None] = {}
    found = False
    for verb in _verbs(sentence):
        read = arguments(verb)
        if read is None:
            continue
        outcome = read if isinstance(read, Skip) else _swapped(read)
        if isinstance(outcome, Draft):
            found = True
            yield outcome
        else:
            refusals[outcome] = None
    if not found:
        yield from refusals or [Skip("no-arguments")]


def _verbs(sentence: Sentence) -> Iterator[Token]:
    """The heads of clauses, the main ones first."""
    yield from sentence.roots
    for token in sentence.doc.tokens:
        if token.dep_ in _CLAUSES and token.pos_ in {"VERB", "AUX"}:
            yield token


def _swapped(found: Arguments) -> Outcome:
    group, subject, other = found.group, found.subject, found.other
    text = group.verb.doc.text
    if subject.start < other.end and other.start < subject.end:
        return Skip("unclear")
    if subject.text.lower() == other.text.lower():
        return Skip("alike")
    old, new = agreement(subject), agreement(other)
    first, second = as_subject(other), as_object(subject)
    if _begins_sentence(text, subject.start):
        first = capitalised(first)
    if old is None or new is None or not _agrees(group, old):
        return Skip("agreement")
    patches = [Patch(subject.start, subject.end, first), Patch(other.start, other.end, second)]
    for one in (group, *_sharing(group)):
        patch = _made_to_agree(one, old, new, first)
        if isinstance(patch, Skip):
            return patch
        patches += patch
    done = patched(text, patches)
    words = tuple(
        WordChange(text[one.start : one.end], one.new)
        for one in sorted(patches)
        if text[one.start : one.end] != one.new
    )
    return Draft(done, words, f"“{subject.text}” and “{other.text}” change places")


def _begins_sentence(text: str, start: int) -> bool:
    """Whether what stands there has the capital of a sentence, whatever it is."""
    before = text[:start].rstrip(" \"'“‘([")
    return text[start].isupper() and (not before or before[-1] in ".!?…")


def _sharing(group: VerbGroup) -> Iterator[VerbGroup]:
    """The verbs joined to this one that have its subject."""
    for verb in group.verb.conjuncts:
        joined = verb_group(verb)
        if verb.i > group.verb.i and joined.subject is None and joined.is_finite:
            yield joined


def _agrees(group: VerbGroup, subject: VerbAgreement) -> bool:
    """Whether the verb agrees with its subject now: if not, the parse is wrong, or the sentence."""
    word = group.first
    if word.tag_ == "MD" or word.text[:1] in "'’":
        return True
    lower = word.lower_
    singular = subject.person == 3 and not subject.plural
    if lower in {"is", "was", "am", "are", "were", "has", "have", "does", "do"}:
        return agreeing(lower, subject) == lower
    if word.tag_ == "VBZ":
        return singular
    return not (word.tag_ in {"VBP", "VB"} and singular and group.is_finite)


def _made_to_agree(group: VerbGroup, old: VerbAgreement, subject: VerbAgreement, words: str) -> list[Patch] | Skip:
    """The finite verb in the form that its new subject asks for."""
    word = group.first
    if word.lower_ in _ODD_AUXILIARIES:
        return Skip("agreement")
    if group.auxiliaries:
        following = group.auxiliaries[1] if len(group.auxiliaries) > 1 else group.verb
        full = full_auxiliary(word, following.tag_)
        new: str | None = agreeing(full, subject)
    elif word.text[:1] in "'’" or word.lower_ in {"is", "are", "am", "was", "were"}:
        new = agreeing(full_auxiliary(word, ""), subject)
    elif word.tag_ in {"VBP", "VB"} and verb_lemma(word) != word.lower_:
        return Skip("agreement")  # “forgot” with the tag of a present
    elif word.tag_ in {"VBZ", "VBP", "VB"}:
        new = finite(verb_lemma(word), is_past=False, subject=subject)
    elif word.lower_ == word.lemma_ and old != _HE and subject == _HE:
        return Skip("agreement")  # “let”, “put”: it may be the present as well
    else:
        return []
    if new is not None and word.tag_ == "VBZ" and new == word.lower_ and subject != _HE:
        return Skip("agreement")  # a verb that the dictionary does not know
    if new is None or (new == "am" and word.i + 1 < len(word.doc) and word.nbor().lower_ in {"n't", "n’t"}):
        return Skip("agreement")
    if word.text[:1] in "'’":
        shown = contracted(new, word.text[0]) if words.lower() in _LEANED_ON else f" {new}"
    elif new == word.lower_ or word.tag_ == "MD":
        return []
    else:
        shown = new.capitalize() if word.text[:1].isupper() else new
    return [Patch(start_of(word), end_of(word), shown)]
