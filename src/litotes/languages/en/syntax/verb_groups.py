"""Verb groups: a verb with its auxiliaries, its subject and its negation."""

from __future__ import annotations

from typing import NamedTuple

from litotes.languages.en.modals import PAST_MODALS
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import DEMONSTRATIVES, FIRST_PERSON_PRONOUNS
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, FINITE_TAGS, PLURAL_NOUN_TAGS, PRESENT_TAGS, SUBJECT_DEPS
from litotes.languages.en.verbs import CONTRACTED_BE
from litotes.languages.tree import Doc, Token, cached_on_doc

_IN_GROUP = AUXILIARY_DEPS | SUBJECT_DEPS | {"neg"}
_PLURAL_SUBJECTS = (DEMONSTRATIVES - {"this", "that"}) | {"we", "they", "both", "many", "few", "several", "people"}


class VerbGroup(NamedTuple):
    """A verb and the words around it; in a clause with a copula, the verb is the copula."""

    verb: Token
    """The lexical verb, or the copula."""
    auxiliaries: tuple[Token, ...]
    """In order, including contracted ones ("'ll", "'ve")."""
    negation: Token | None
    """The "not" or "n't" of the verb."""
    subject: Token | None
    """The head of the subject, or the "there" of "there is"."""
    first: Token
    """The auxiliary or verb that carries tense and takes "not"."""

    @property
    def doc(self) -> Doc:
        """The text of the group."""
        return self.verb.doc

    @property
    def is_finite(self) -> bool:
        """Whether the group carries tense, unlike infinitives, participles and imperatives."""
        return self.first.tag_ in FINITE_TAGS

    @property
    def is_past(self) -> bool:
        """Whether the finite verb is in the past tense."""
        first = self.first
        return first.tag_ == "VBD" or (first.tag_ == "MD" and first.lower_ in PAST_MODALS)

    @property
    def is_copula(self) -> bool:
        """Whether the verb is a form of "be"."""
        return is_be(self.verb)

    @property
    def is_inverted(self) -> bool:
        """Whether the finite verb precedes its subject: "Are you …", "Never have I …"."""
        subject = self.subject
        return subject is not None and subject.i > self.first.i

    @property
    def is_passive(self) -> bool:
        """Whether the verb is a passive participle with its "be" or "get"."""
        return any(token.dep_ == "auxpass" for token in self.auxiliaries)

    @property
    def takes_not_directly(self) -> bool:
        """Whether "not" can follow the first word: auxiliaries, modals and "be"; others need "do"."""
        if self.auxiliaries:
            return self.first.lower_ != "to" and self.first.lemma_ != "get"  # "it gets lost" needs "do"
        return is_be(self.verb) and self.verb.tag_ in FINITE_TAGS


def is_be(verb: Token) -> bool:
    """Return whether a verb is a form of "be"; the lemmatizer does not recognise curly apostrophes."""
    return verb.lemma_ == "be" or (verb.lower_ in CONTRACTED_BE and verb.tag_ in PRESENT_TAGS)


@cached_on_doc
def verb_group(verb: Token) -> VerbGroup:
    """Return the group of a verb, which is the head of its clause.

    >>> from litotes.languages.en.parser import parse
    >>> group = verb_group(root(parse("She hasn't been seen since.")))
    >>> group.verb, group.auxiliaries, group.negation, group.subject, group.is_passive
    (seen, (has, been), n't, She, True)
    """
    auxiliaries = []
    negation = subject = None
    end = tag_start(verb.doc)
    if verb.idx >= end:
        end = len(verb.doc.text)
    for child in _dependents(verb):
        dep = child.dep_
        if dep not in _IN_GROUP:
            continue
        if dep in AUXILIARY_DEPS:
            if child.i < verb.i:
                auxiliaries.append(child)
        elif child.idx >= end:
            continue
        elif dep == "neg":
            if negation is None and child.lower_ in NOT_TOKENS:
                negation = child
        elif subject is None or dep == "expl":
            subject = child
    return VerbGroup(verb, tuple(auxiliaries), negation, subject, auxiliaries[0] if auxiliaries else verb)


def _dependents(verb: Token) -> list[Token]:
    """Return the children of a verb and of its passive auxiliary, to which the parser may attach them."""
    borrowed: list[Token] = []
    for child in verb.lefts:
        if child.dep_ == "auxpass":
            borrowed += child.children
    return sorted((*borrowed, *verb.children), key=lambda token: token.i) if borrowed else verb.children


def root(doc: Doc) -> Token:
    """Return the root of the first sentence."""
    return next(token for token in doc if token.dep_ == "ROOT")


def is_plural(noun: Token) -> bool:
    """Return whether a subject is plural."""
    if noun.tag_ in PLURAL_NOUN_TAGS or noun.lower_ in _PLURAL_SUBJECTS:
        return True
    if noun.pos_ == "PRON" and "Number=Plur" in noun.morph:
        return True
    has_conjunct = has_and = False
    for child in noun.children:
        if child.dep_ == "conj":
            has_conjunct = True
        elif child.dep_ == "cc" and child.lower_ == "and":
            has_and = True
    return has_conjunct and has_and


def person(noun: Token) -> int:
    """Return the grammatical person: 1, 2 or 3."""
    lower = noun.lower_
    return 1 if lower in FIRST_PERSON_PRONOUNS else 2 if lower == "you" else 3
