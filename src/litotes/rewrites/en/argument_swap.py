"""Argument swap: the two arguments of a verb are exchanged, so that the roles of agent and patient change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.pronouns import PERSONAL_SUBJECTS
from litotes.languages.en.syntax.question_tags import question_tag
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.verbs import FULL_FINITE_BE
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.en.grammar.noun_phrases import agreement, as_object, as_subject
from litotes.rewrites.en.grammar.swappable_arguments import SwappableArguments, find_arguments
from litotes.rewrites.en.voice.verb_forms import (
    agreeing_auxiliary,
    contracted_auxiliary,
    finite_form,
    full_auxiliary,
    verb_lemma,
)
from litotes.rewrites.patches import Patch, end_of, patched, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_CLAUSES = frozenset({"conj", "ccomp", "advcl"})
_THIRD_SINGULAR = VerbAgreement(3, False)
_ODD_AUXILIARIES = frozenset({"ai", "gon", "got", "to", "m", "s", "re", "ve", "ll", "d"})
"""“ain't”, “gonna”, and contractions without their apostrophe."""


@rule(
    "argument_swap",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-arguments": "no verb has a subject and a second argument",
        "kind": "the two arguments are of different kinds, so the swapped sentence would make no sense",
        "symmetric": "the verb is symmetric, so the swapped sentence would mean the same",
        "verb": "the object of the verb cannot act",
        "bound": "a pronoun refers to one of the arguments",
        "alike": "one of the arguments depends on the other, or cannot replace it",
        "agreement": "the verb cannot be made to agree with its new subject",
        "tag": "the question tag agrees with the subject",
        "unclear": "the parse does not show which words belong together",
    },
)
def argument_swap(sentence: Sentence) -> Iterator[Outcome]:
    """Swap the two arguments of a verb: “Tom encouraged Ann to leave.” → “Ann encouraged Tom to leave.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("argument_swap", "She sees the dogs, but the dogs chase him.")[0].text
    'The dogs see her, but the dogs chase him.'
    """
    if sentence.is_question and question_tag(sentence.text) is not None:
        yield Skip("tag")
        return
    skips: dict[Skip, None] = {}
    has_drafts = False
    for verb in _clause_heads(sentence):
        arguments = find_arguments(verb)
        if arguments is None:
            continue
        outcome = arguments if isinstance(arguments, Skip) else _swap(arguments)
        if isinstance(outcome, Draft):
            has_drafts = True
            yield outcome
        else:
            skips[outcome] = None
    if not has_drafts:
        yield from skips or [Skip("no-arguments")]


def _clause_heads(sentence: Sentence) -> Iterator[Token]:
    """Yield the head verbs of the clauses, main clauses first."""
    yield from sentence.roots
    for token in sentence.doc.tokens:
        if token.dep_ in _CLAUSES and token.pos_ in {"VERB", "AUX"}:
            yield token


def _swap(arguments: SwappableArguments) -> Outcome:
    group, subject, second = arguments.group, arguments.subject, arguments.second
    text = group.verb.doc.text
    if subject.start < second.end and second.start < subject.end:
        return Skip("unclear")
    if subject.text.lower() == second.text.lower():
        return Skip("alike")
    old, new = agreement(subject), agreement(second)
    new_subject, new_second = as_subject(second), as_object(subject)
    if _is_sentence_start(text, subject.start):
        new_subject = capitalised(new_subject)
    if old is None or new is None or not _agrees(group, old):
        return Skip("agreement")
    patches = [Patch(subject.start, subject.end, new_subject), Patch(second.start, second.end, new_second)]
    for coordinated in (group, *_coordinated_groups(group)):
        verb_patches = _agreement_patches(coordinated, old, new, new_subject)
        if isinstance(verb_patches, Skip):
            return verb_patches
        patches += verb_patches
    changes = tuple(
        WordChange(text[patch.start : patch.end], patch.new)
        for patch in sorted(patches)
        if text[patch.start : patch.end] != patch.new
    )
    return Draft(patched(text, patches), changes, f"“{subject.text}” and “{second.text}” change places")


def _is_sentence_start(text: str, start: int) -> bool:
    """Return whether the word at an offset is capitalised because it begins a sentence."""
    before = text[:start].rstrip(" \"'“‘([")
    return text[start].isupper() and (not before or before[-1] in ".!?…")


def _coordinated_groups(group: VerbGroup) -> Iterator[VerbGroup]:
    """Yield the groups of later verbs that share the subject by coordination."""
    for verb in group.verb.conjuncts:
        coordinated = verb_group(verb)
        if verb.i > group.verb.i and coordinated.subject is None and coordinated.is_finite:
            yield coordinated


def _agrees(group: VerbGroup, subject: VerbAgreement) -> bool:
    """Return whether the verb agrees with its current subject; otherwise the sentence or its parse is wrong."""
    verb = group.first
    if verb.tag_ == "MD" or verb.text[:1] in "'’":
        return True
    lower = verb.lower_
    is_third_singular = subject.person == 3 and not subject.plural
    if lower in FULL_FINITE_BE or lower in {"has", "have", "does", "do"}:
        return agreeing_auxiliary(lower, subject) == lower
    if verb.tag_ == "VBZ":
        return is_third_singular
    return not (verb.tag_ in {"VBP", "VB"} and is_third_singular and group.is_finite)


def _agreement_patches(
    group: VerbGroup, old: VerbAgreement, new: VerbAgreement, new_subject: str
) -> list[Patch] | Skip:
    """Return the patch that makes the finite verb agree with its new subject, if its form changes."""
    verb = group.first
    if verb.lower_ in _ODD_AUXILIARIES:
        return Skip("agreement")
    is_short = verb.text[:1] in "'’"
    form: str | None
    if group.auxiliaries:
        following = group.auxiliaries[1] if len(group.auxiliaries) > 1 else group.verb
        form = agreeing_auxiliary(full_auxiliary(verb, following.tag_), new)
    elif is_short or verb.lower_ in FULL_FINITE_BE:
        form = agreeing_auxiliary(full_auxiliary(verb, ""), new)
    elif verb.tag_ in {"VBP", "VB"} and verb_lemma(verb) != verb.lower_:
        return Skip("agreement")  # “forgot”, tagged as a present form
    elif verb.tag_ in {"VBZ", "VBP", "VB"}:
        form = finite_form(verb_lemma(verb), is_past=False, subject=new)
    elif verb.lower_ == verb.lemma_ and old != _THIRD_SINGULAR and new == _THIRD_SINGULAR:
        return Skip("agreement")  # “let”, “put”: could be the present
    else:
        return []
    if form is not None and verb.tag_ == "VBZ" and form == verb.lower_ and new != _THIRD_SINGULAR:
        return Skip("agreement")  # a verb that the dictionary does not know
    if form is None or (form == "am" and verb.i + 1 < len(verb.doc) and verb.nbor().lower_ in {"n't", "n’t"}):
        return Skip("agreement")
    if is_short:
        form = contracted_auxiliary(form, verb.text[0]) if new_subject.lower() in PERSONAL_SUBJECTS else f" {form}"
    elif form == verb.lower_ or verb.tag_ == "MD":
        return []
    elif verb.text[:1].isupper():
        form = form.capitalize()
    return [Patch(start_of(verb), end_of(verb), form)]
