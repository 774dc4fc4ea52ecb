"""Verb groups: a verb with its auxiliaries, its subject and what negates it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.modals import PAST_MODALS
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import DEMONSTRATIVES, FIRST_PERSON_PRONOUNS
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, FINITE_TAGS, PLURAL_NOUN_TAGS, PRESENT_TAGS, SUBJECT_DEPS
from litotes.languages.en.verbs import CONTRACTED_BE
from litotes.languages.tree import cached_on_doc

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_IN_GROUP = AUXILIARY_DEPS | SUBJECT_DEPS | {"neg"}
_PLURAL_SUBJECTS = (DEMONSTRATIVES - {"this", "that"}) | {"we", "they", "both", "many", "few", "several", "people"}


class VerbGroup(NamedTuple):
    """What stands around one verb; the copula counts as the verb of its clause."""

    verb: Token
    """The lexical verb, or the copula."""
    auxiliaries: tuple[Token, ...]
    """In order; contracted ones are tokens too ("'ll", "'ve")."""
    negation: Token | None
    """The "not" or "n't" of this verb."""
    subject: Token | None
    """Its head word; the expletive of "there is"."""
    first: Token
    """The auxiliary or verb that carries tense and takes "not"."""

    @property
    def doc(self) -> Doc:
        """The text of the group."""
        return self.verb.doc

    @property
    def is_finite(self) -> bool:
        """Whether the group carries tense (and is no infinitive, participle or imperative)."""
        return self.first.tag_ in FINITE_TAGS

    @property
    def is_past(self) -> bool:
        """Whether the finite verb is a past form."""
        first = self.first
        return first.tag_ == "VBD" or (first.tag_ == "MD" and first.lower_ in PAST_MODALS)

    @property
    def is_copula(self) -> bool:
        """Whether the verb is a form of "be" that stands alone or behind auxiliaries."""
        return is_be(self.verb)

    @property
    def is_inverted(self) -> bool:
        """Whether the finite verb stands before its subject: "Are you …", "Never have I …"."""
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
    """Whether a verb is a form of “be”; the parser does not know all the apostrophes."""
    return verb.lemma_ == "be" or (verb.lower_ in CONTRACTED_BE and verb.tag_ in PRESENT_TAGS)


@cached_on_doc
def verb_group(verb: Token) -> VerbGroup:
    """The group of a verb (the head of its clause in spaCy's scheme).

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
    """What hangs on a verb, and on its "get": what belongs to "get lost" may hang there."""
    borrowed: list[Token] = []
    for child in verb.lefts:
        if child.dep_ == "auxpass":
            borrowed += child.children
    return sorted((*borrowed, *verb.children), key=lambda one: one.i) if borrowed else verb.children


def root(doc: Doc) -> Token:
    """The head of the first sentence of a text."""
    return next(token for token in doc if token.dep_ == "ROOT")


def is_plural(noun: Token) -> bool:
    """Whether a subject takes the verb of the plural."""
    if noun.tag_ in PLURAL_NOUN_TAGS or noun.lower_ in _PLURAL_SUBJECTS:
        return True
    if noun.pos_ == "PRON" and "Number=Plur" in noun.morph:
        return True
    joins = links = False
    for child in noun.children:
        if child.dep_ == "conj":
            joins = True
        elif child.dep_ == "cc" and child.lower_ == "and":
            links = True
    return joins and links


def person(noun: Token) -> int:
    """1, 2 or 3."""
    lower = noun.lower_
    return 1 if lower in FIRST_PERSON_PRONOUNS else 2 if lower == "you" else 3
