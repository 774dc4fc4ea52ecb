"""A gate that parses the edit and checks that it has the intended structure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import ALL_NEGATORS, NOT_TOKENS
from litotes.languages.en.parser import parse_all
from litotes.languages.en.syntax.verb_groups import is_plural, person, verb_group
from litotes.rewrites.base import Edit, Skip
from litotes.rewrites.en.polarity.coordination import can_be_verb, hides_verb
from litotes.rewrites.gates import EditCandidate

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

FAULTS = {
    "not-parsed": "the rewritten sentence cannot be parsed",
    "sentences": "one sentence became several",
    "negation-count": "the number of negations does not change by one, or changes although it should not",
    "negation-scope": "the negation is in a subordinate clause",
    "voice": "the clause is not in the intended voice",
    "agreement": "the verb of the main clause does not agree with its subject",
    "verb-form": "a verb is not in the form that its auxiliary requires",
    "part-of-speech": "the new word is parsed as another part of speech than the old one",
}
"""Skip code → meaning."""

_QUESTION_TAG = re.compile(
    r"[,?] ?\w+(?: ?n['’]t)?(?: not)? (?:I|you|he|she|it|we|they|there|one)(?: not)?\?\W*$", re.IGNORECASE
)

_ONE_NEGATION_RULES = frozenset({"negation", "negation_at", "quantifier_negation", "negated_antonym"})
_SHORTENING_RULES = frozenset({"embedded_clause"})
_MULTIPLE_EFFECT_RULES = frozenset({"quadruple"})
_WORD_RULES = frozenset({"antonym", "synonym", "infill"})
_SUBORDINATE_DEPS = frozenset({"relcl", "acl", "advcl"})
_CLAUSE_DEPS = frozenset({"ROOT", "ccomp", "csubj", "csubjpass", "pcomp", "parataxis", *_SUBORDINATE_DEPS})

_EITHER_NUMBER_SUBJECTS = frozenset(
    "all any some none most more half rest part number majority lot lots plenty variety couple pair family team group "
    "crowd band police staff crew class audience committee government company who which that what you data media one "
    "sheep fish deer series species dozen hundred thousand million percent % there".split()
)
"""Subjects that take a singular or a plural verb, or whose tags do not show their number."""
_TAGS_AFTER_DO = {"does": "VBZ", "did": "VBD"}
_OWN_CLAUSE_DEPS = frozenset({"nsubj", "nsubjpass", "expl", "aux", "auxpass"})
_WORD_CLASSES = {"ADJ": "a", "VERB": "v", "AUX": "v", "NOUN": "n", "ADV": "r"}


def reparse_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    """Return the code in `FAULTS` of the fault that the parse of an edit shows, or None.

    >>> from litotes.languages.en.parser import parse
    >>> before = parse("She sings.")
    >>> texts = ("She does not sing.", "She do not sing.", "She never does not sing.")
    >>> [reparse_fault(before, Edit(text, "negation", "opposite", ()), parse(text)) for text in texts]
    [None, 'agreement', 'negation-count']
    """
    if not after.is_parsed or not before.is_parsed:
        return "not-parsed"
    if _n_sentences(before) == 1 < _n_sentences(after):
        return "sentences"
    return (
        _negation_fault(before, edit, after)
        or _voice_fault(before, edit, after)
        or _agreement_fault(before, after)
        or _form_fault(before, after)
        or _part_of_speech_fault(before, edit, after)
    )


class ReparseGate:
    """The gate of `reparse_fault`, with any English spaCy pipeline."""

    codes: Mapping[str, str] = FAULTS

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = pipeline

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        """Return for each candidate the reason for its rejection, or None; every text is parsed once."""
        texts = dict.fromkeys(text for candidate in candidates for text in (candidate.text, candidate.edit.text))
        docs = dict(zip(texts, parse_all(texts, pipeline=self._pipeline), strict=True))
        faults = [reparse_fault(docs[text], edit, docs[edit.text]) for text, edit in candidates]
        return [None if fault is None else Skip(fault, FAULTS[fault]) for fault in faults]


def _n_sentences(doc: Doc) -> int:
    """Count the sentences that contain a word."""
    return sum(any(token.is_alpha for token in span) for span in doc.sents)


def negators(doc: Doc) -> list[Token]:
    """Return the negators outside a question tag, whose polarity is opposite to that of its clause."""
    tag = _QUESTION_TAG.search(doc.text)
    end = tag.start() if tag else len(doc.text)
    return [token for token in doc if token.lower_ in ALL_NEGATORS and token.idx < end and not _is_answer(token)]


def _is_answer(token: Token) -> bool:
    """Whether a "no" is an answer or an interjection, not a negation: "No, I am." """
    return token.lower_ == "no" and token.dep_ in {"intj", "ROOT"}


def _negation_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    old, new = negators(before), negators(after)
    difference = len(new) - len(old)
    if edit.rule in _ONE_NEGATION_RULES:
        if abs(difference) != 1:
            return "negation-count"
        return "negation-scope" if edit.rule == "negation" and _n_subordinate(new) > _n_subordinate(old) else None
    if edit.rule in _MULTIPLE_EFFECT_RULES or _changes_a_negator(edit):
        return None
    is_wrong = difference > 0 if edit.rule in _SHORTENING_RULES else difference != 0
    return "negation-count" if is_wrong else None


def _changes_a_negator(edit: Edit) -> bool:
    """Whether the edit replaces a negation word on purpose: "never" for "always"."""
    return any(word in ALL_NEGATORS for change in edit.words for words in change for word in words.lower().split())


def _n_subordinate(tokens: Sequence[Token]) -> int:
    return sum(_head_of_clause(token).dep_ in _SUBORDINATE_DEPS for token in tokens)


def _head_of_clause(token: Token) -> Token:
    """Return the head of the clause that contains a word."""
    while token.dep_ not in _CLAUSE_DEPS and token.head.i != token.i:
        token = token.head
    return token


def _voice_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    direction = {"passive": 1, "active": -1}.get(edit.rule)
    if direction is None:
        return None
    return None if (_n_passives(after) - _n_passives(before)) * direction > 0 else "voice"


def _n_passives(doc: Doc) -> int:
    return sum(token.dep_ == "auxpass" for token in doc)


def _agreement_fault(before: Doc, after: Doc) -> str | None:
    if all(_agrees(verb) for verb in _main_verbs(after)):
        return None
    return None if not all(_agrees(verb) for verb in _main_verbs(before)) else "agreement"


def _main_verbs(doc: Doc) -> Iterator[Token]:
    return (span.root for span in doc.sents if span.root.pos_ in {"VERB", "AUX"})


def _agrees(verb: Token) -> bool:
    """Whether a finite verb agrees with its subject, as far as the parse shows."""
    group = verb_group(verb)
    subject, finite = group.subject, group.first
    if subject is None or subject.dep_ not in {"nsubj", "nsubjpass"} or finite.tag_ not in {"VBZ", "VBP", "VBD"}:
        return True
    form = finite.lower_
    if subject.lower_ == "i":
        return finite.tag_ != "VBZ" and form not in {"are", "were", "'re", "’re"}
    if subject.lower_ in _EITHER_NUMBER_SUBJECTS:
        return True
    if is_plural(subject) or person(subject) == 2:
        return finite.tag_ != "VBZ" and form not in {"was", "am", "'m", "’m"}
    return _is_doubtful(subject) or (finite.tag_ != "VBP" and form != "were")


def _form_fault(before: Doc, after: Doc) -> str | None:
    is_wrong = _has_inflected_verb(after) and not _has_inflected_verb(before)
    return "verb-form" if is_wrong or _lacks_to(before, after) else None


def _has_inflected_verb(doc: Doc) -> bool:
    """Whether a verb after “do” is inflected: “does not sing and dances”."""
    return not _TAGS_AFTER_DO.keys().isdisjoint(doc.lowers) and any(map(_governs_inflected_verb, doc))


def _governs_inflected_verb(do: Token) -> bool:
    tag = _TAGS_AFTER_DO.get(do.lower_)
    if tag is None or do.dep_ != "aux" or do.head.tag_ not in {"VB", "VBP"}:
        return False
    return hides_verb(do.head, tag) or any(
        can_be_verb(verb, tag) and not has_form(verb.lower_, "VB") for verb in _verbs_under_do(do.head)
    )


def _verbs_under_do(verb: Token) -> Iterator[Token]:
    """Yield the verbs coordinated with a verb that depend on the same “do”; after “but” they have their own tense."""
    if any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return
    for child in verb.rights:
        if child.dep_ in {"conj", "dep"} and not any(left.dep_ in _OWN_CLAUSE_DEPS for left in child.lefts):
            yield child
            yield from _verbs_under_do(child)


def _lacks_to(before: Doc, after: Doc) -> bool:
    """Whether “need not go” became “need go”: only the negated form takes a bare verb."""
    if {"need", "dare"}.isdisjoint(before.lowers) or {"need", "dare"}.isdisjoint(after.lowers):
        return False
    tokens = before.tokens
    bare = {
        (need.lower_, verb.lower_)
        for need, negator, verb in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if need.lower_ in {"need", "dare"} and negator.lower_ in NOT_TOKENS
    }
    return any((need.lower_, verb.lower_) in bare for need, verb in itertools.pairwise(after.tokens))


def _is_doubtful(subject: Token) -> bool:
    """Whether a subject that is not plural may take a plural verb."""
    if (
        subject.lower_ in _EITHER_NUMBER_SUBJECTS
        or subject.tag_ in {"NNP", "NNPS"}
        or subject.pos_ in {"NUM", "X", "SYM", "DET"}
    ):
        return True
    # "a bunch of dogs are"; a coordination; "if she were".
    parts = (child.dep_ in {"conj", "cc", "appos"} or child.lower_ == "of" for child in subject.children)
    return any(parts) or any(child.dep_ == "mark" for child in subject.head.children)


def _part_of_speech_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    if edit.rule not in _WORD_RULES:
        return None
    for old, new in edit.words:
        if " " in old or " " in new or not old or not new or {old.lower(), new.lower()} <= {"a", "an"}:
            continue
        old_classes, new_classes = _word_classes(before, old), _word_classes(after, new)
        if old_classes and new_classes and not old_classes & new_classes:
            return "part-of-speech"
    return None


def _word_classes(doc: Doc, word: str) -> set[str]:
    """Return the parts of speech of a word in a text; a participle is a verb and an adjective."""
    classes = set()
    for token in doc:
        if token.text == word:
            if token.tag_ in {"VBN", "VBG"}:
                classes |= {"a", "v"}
            elif token.pos_ in _WORD_CLASSES:  # names and function words are not compared
                classes.add(_WORD_CLASSES[token.pos_])
    return classes
