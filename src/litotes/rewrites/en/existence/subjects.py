"""Subjects of which it can be said that there is none: their determiners, their number, and which it does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.nouns import Kind, kind_of
from litotes.rewrites.base import Skip
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, agreement, conjunction, conjuncts, noun_phrase

if TYPE_CHECKING:
    from litotes.languages.tree import Token

INDEFINITE = word_set("a an some another one")
_DEFINITE = word_set("the")
COUNTED = word_set("several many numerous various multiple")
_NOT_NEGATED = word_set(
    """
    no every each all both neither either most few any such this that these those what which whatever half certain
    none fewer enough much more less
    """
)
_PARTS = word_set("lot lots couple number plenty dozen dozens handful bunch hundreds thousands")
"""“A lot of dogs”: what there is none of is dogs."""
_UNIQUE = word_set(
    """
    first second third last only same best worst next very previous former latter main following final whole entire
    own original usual different right wrong biggest largest other
    """
)
"""Adjectives after which “no” makes no sense: “no first man”; “other” is mended instead."""
_KNOWN = word_set(
    """
    sun moon sky sea earth world weather wind government internet universe president queen king pope economy climate
    temperature situation problem ground son daughter mother father parent parents wife husband brother sister mom
    dad mum
    """
)
"""What is known whenever it is named: there is only one, or it is somebody's."""
SOMEBODY = {"someone": "no one", "somebody": "nobody", "something": "nothing"}
NOBODY = {"nobody": "somebody", "nothing": "something", "noone": "someone"}
_SHOWN: frozenset[Kind] = frozenset({"person", "animal", "thing", "stuff"})
_SHOWN_GROUPS = word_set("group crowd team band family couple class crew choir herd flock pack army squad audience")


@dataclass(frozen=True)
class Subject:
    """A subject whose determiners can give way to “no”."""

    phrase: NounPhrase
    noun: Token
    """What there is none of."""
    after: int
    """The place of the first token that stays, after the determiners."""
    plural: bool
    definite: bool
    bare: bool
    joined: tuple[Token, ...] = ()
    """The articles of further nouns: “a man and a woman” → “no man and woman”."""
    other: bool = False
    """Whether “another” becomes “no other”."""
    word: str | None = None
    """What stands for it, where it is a pronoun: “someone” → “no one”."""

    @property
    def kind(self) -> Kind | None:
        """Person, animal, thing…"""
        return kind_of(self.noun)

    @property
    def relative(self) -> str:
        """The pronoun of its relative clauses."""
        person = self.word.endswith(("one", "body")) if self.word is not None else self.kind == "person"
        return "who" if person else "that"


def read_subject(head: Token) -> Subject | Skip:
    """A subject as this rewrite needs it, or why it does not fit."""
    word = _pronoun(head)
    refusal = _refusal(head) if word is None else None
    if refusal is not None:
        return refusal
    phrase = noun_phrase(head)
    if phrase is None or any(token.is_punct and token.text in ',;:()"“”' for token in phrase.tokens):
        return Skip("unclear")
    nouns = conjuncts(head) if verb_is_plural(head) else [head]
    if word is not None and len(nouns) == 1:
        return Subject(phrase, head, head.i, False, False, False, word=word)
    if len(nouns) > 1:
        return _joined_subject(phrase, nouns)
    return _simple_subject(phrase, head)


def _pronoun(head: Token) -> str | None:
    """What “someone” and “nobody” become."""
    if head.left_edge.i == head.i:
        return SOMEBODY.get(head.lower_) or NOBODY.get(head.lower_)
    return (
        "someone" if head.lower_ == "one" and head.left_edge.lower_ == "no" and head.i == head.left_edge.i + 1 else None
    )


_UNIQUE_ALONE = _UNIQUE - {"other"}


def _refusal(head: Token) -> Skip | None:
    if head.tag_ in {"NNP", "NNPS"}:
        return Skip("name")
    if head.pos_ == "PRON" or head.tag_ not in {"NN", "NNS"} or not head.text.replace("-", "").isalpha():
        return Skip("pronoun")
    if head.text.isupper() and len(head.text) > 3:
        return Skip("unclear")
    if head.lower_ in {"percent", "%"} or len(head.text) < 2:
        return Skip("quantifier")
    for child in head.children:
        if child.i > head.i:
            break
        if child.dep_ == "poss" or child.tag_ == "PRP$":
            return Skip("possessive")
        if child.lower_ == "little" and head.tag_ == "NN" and child.i == head.left_edge.i:
            return Skip("quantifier")
        if child.lower_ in _NOT_NEGATED or child.tag_ in {"JJS", "RBS"} or child.lower_ in _UNIQUE_ALONE:
            return Skip("quantifier")
    return None


def _simple_subject(phrase: NounPhrase, head: Token) -> Subject | Skip:
    doc = head.doc
    at = phrase.first.i
    first = doc[at].lower_
    of = head.i + 1 < len(doc) and doc[head.i + 1].lower_ == "of"
    if of and head.lower_ in _PARTS and first in {"a", "lots", "dozens", "hundreds", "thousands", "plenty"}:
        return _counted_subject(phrase, head)
    definite = other = False
    while at < head.i and is_determiner(doc[at], head):
        definite = definite or doc[at].lower_ in _DEFINITE
        other = other or doc[at].lower_ == "another"
        at += 1
    if any(token.lower_ in COUNTED or token.tag_ == "CD" for token in doc[at : head.i]):
        return Skip("quantifier")  # “a good many people”
    if doc[at].pos_ in {"ADV", "CCONJ", "ADP", "PUNCT"} or doc[at].lower_ in {"more", "or", "not"}:
        return Skip("quantifier")  # “only three people”, “one or more”, “not many”
    if head.lower_ in {"one", "ones", "other", "others", "rest", "lot", "number", "plenty"}:
        return Skip("pronoun")
    bare = at == phrase.first.i
    agreed = agreement(phrase)
    plural = agreed.plural if agreed is not None else head.head.tag_ == "VBP" or _are(head)
    if len(conjuncts(head)) > 1 and not verb_is_plural(head):
        plural = False  # “a dog with a collar and a tag is …”
    if bare and _may_be_name(head):
        return Skip("name")
    if bare and not (plural or kind_of(head) == "stuff" or _is_mass(head)):
        return Skip("bare")
    return Subject(phrase, head, at, plural, definite, bare, other=other)


def _may_be_name(head: Token) -> bool:
    """Whether a word that begins the sentence is in no dictionary: “Simmons refused.”"""
    return head.text[:1].isupper() and kind_of(head) is None


def _is_mass(head: Token) -> bool:
    return head.lower_ in {"paper", "wood", "music", "traffic", "grass", "snow", "rain", "smoke", "hair", "furniture"}


def verb_is_plural(head: Token) -> bool:
    """Whether the verb does not show that the subject is one: “a dog with a collar and a tag is” is no coordination."""
    words = (head.head, *(child for child in head.head.children if child.dep_ in {"aux", "auxpass"}))
    return not any(word.lower_ in {"is", "was", "has", "'s", "’s"} or word.tag_ == "VBZ" for word in words)


def _are(head: Token) -> bool:
    return any(
        child.dep_ in {"aux", "auxpass"} and child.lower_ in {"are", "were", "have"} for child in head.head.children
    )


def is_determiner(token: Token, noun: Token) -> bool:
    """Whether a word before a noun gives way to “no”: articles, numbers in one word or more, “several”."""
    if token.tag_ == "CD":
        if token.head != noun and token.head.tag_ != "CD":
            return False  # “a 7 year gap”
        return token.dep_ in {"nummod", "compound", "det", "nmod", "punct"}
    if token.text == "-":  # twenty-three
        return token.i > 0 and token.nbor(-1).tag_ == "CD" and token.nbor().tag_ == "CD"
    if token.dep_ == "det":
        return token.lower_ in INDEFINITE or token.lower_ in _DEFINITE
    return token.lower_ in COUNTED


def _counted_subject(phrase: NounPhrase, head: Token) -> Subject | Skip:
    """“A lot of people” → “no people”."""
    of = next((child for child in head.children if child.dep_ == "prep" and child.lower_ == "of"), None)
    noun = next((child for child in of.children if child.dep_ == "pobj"), None) if of is not None else None
    if of is None or noun is None or noun.tag_ not in {"NN", "NNS"} or of.i > head.i + 1 or _refusal(noun) is not None:
        return Skip("quantifier")
    if noun.i < of.i or of.nbor().dep_ == "det":
        return Skip("quantifier")
    return Subject(phrase, noun, of.i + 1, noun.tag_ == "NNS", definite=False, bare=False)


def _joined_subject(phrase: NounPhrase, nouns: list[Token]) -> Subject | Skip:
    """“A man and a woman” → “no man and woman”: singular nouns with an article each, or plurals without."""
    if len(nouns) != 2 or conjunction(nouns[0]) != "and":
        return Skip("coordinated")
    second = noun_phrase(nouns[1])
    if second is None or _refusal(nouns[1]) is not None or nouns[0].tag_ != nouns[1].tag_:
        return Skip("coordinated")
    first = phrase.first
    if nouns[0].tag_ == "NNS":
        return (
            Subject(phrase, nouns[0], first.i, True, False, True) if _bare_pair(first, second) else Skip("coordinated")
        )
    articles = INDEFINITE | _DEFINITE
    if first.dep_ != "det" or first.lower_ not in articles:
        return Skip("coordinated")
    joined = (second.first,) if second.first.lower_ in articles and second.first.dep_ == "det" else ()
    if not joined:
        return Skip("coordinated")
    return Subject(phrase, nouns[0], first.i + 1, False, first.lower_ in _DEFINITE, False, joined)


def _bare_pair(first: Token, second: NounPhrase) -> bool:
    return first.dep_ not in {"det", "nummod"} and second.first.dep_ not in {"det", "nummod"}


def can_be_missed(subject: Subject) -> bool:
    """Whether a definite subject is one of many that may be seen or not: the man, the dog, the ball, not the sun."""
    if subject.noun.lemma_.lower() in _KNOWN:
        return False
    return subject.kind in _SHOWN or subject.noun.lemma_.lower() in _SHOWN_GROUPS
