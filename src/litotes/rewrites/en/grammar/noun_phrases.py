"""Noun phrases that are moved or replaced: extent, capitals, case, agreement and binding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import uncapitalised
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.nouns import NOUN_NAMES
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token
from litotes.rewrites.en.grammar.agreement import VerbAgreement, agreement_of, conjuncts

SUBJECT_FORMS = {
    "me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who", "whomever": "whoever",
    "'em": "they", "’em": "they", "em": "they", "thee": "thou",
}  # fmt: skip
"""Object form → subject form, for pronouns in which they differ."""
OBJECT_FORMS = {
    "i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom", "whoever": "whomever",
    "thou": "thee",
}  # fmt: skip
REFLEXIVES = word_list("reflexives")
_PERSON_OF_POSSESSIVE = {
    "my": 1, "our": 1, "your": 2, "his": 3, "her": 3, "its": 3, "their": 3, "one's": 3, "mine": 1, "ours": 1,
    "yours": 2, "own": 0,
}  # fmt: skip
_MALE_NOUNS = word_set("he man boy father dad brother son husband guy king uncle mr. mr")
_FEMALE_NOUNS = word_set("she woman girl mother mom mum sister daughter wife lady queen aunt mrs. ms. mrs ms")
_NEUTER_PRONOUNS = frozenset({"it", "this", "that"})
_QUANTIFIERS = word_set("most many some all few several more other such another both each every any no much less")
_PROPER_TAGS = frozenset({"NNP", "NNPS"})
_MATERIAL_FILES = frozenset({6, 13, 27})
"""WordNet's lexicographer files of artefacts, food and substances."""
_CLOSING = {")": "(", "]": "[", "”": "“", "’": "‘", '"': '"', "'": "'", "»": "«"}


@dataclass(frozen=True)
class NounPhrase:
    """A run of tokens around a noun or pronoun, without the punctuation at its edges."""

    head: Token
    first: Token
    last: Token

    @property
    def tokens(self) -> list[Token]:
        """The tokens in order."""
        return self.head.doc.tokens[self.first.i : self.last.i + 1]

    @property
    def start(self) -> int:
        """The offset of the first character."""
        return self.first.idx

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.last.idx + len(self.last.text)

    @property
    def text(self) -> str:
        """The text as it is in the sentence."""
        return self.head.doc.text[self.start : self.end]

    def __len__(self) -> int:
        return self.last.i - self.first.i + 1

    def __contains__(self, token: Token) -> bool:
        return self.first.i <= token.i <= self.last.i


def noun_phrase(head: Token, *, leave: Iterable[Token] = ()) -> NounPhrase | None:
    """Return the phrase of a noun without the modifiers to `leave` at its end, or None if it is discontinuous.

    >>> from litotes.languages.en.parser import parse
    >>> noun_phrase(parse("The man who sold the world, left.")[1]).text
    'The man who sold the world'
    """
    doc = head.doc.tokens
    first, last = head.left_edge.i, head.right_edge.i
    for token in leave:
        if token.i > head.i:
            last = min(last, token.left_edge.i - 1)
    for index in range(first, last + 1):
        if index != head.i and not first <= doc[index].head.i <= last:
            return None
    while first < head.i and _is_trimmed(doc[first], "([“‘\"'«", first, last):
        first += 1
    while last > head.i and _is_trimmed(doc[last], ")]”’\"'»", first, last):
        last -= 1
    if first and last + 1 < len(doc) and _CLOSING.get(doc[last + 1].text) == doc[first - 1].text:
        first, last = first - 1, last + 1
    elif last + 1 < len(doc) and doc[last + 1].text in {")", "]"} and _is_opened_after(doc[last + 1], first):
        return None
    return NounPhrase(head, doc[first], doc[last])


def as_subject(phrase: NounPhrase) -> str:
    """Return the words in the form of a subject inside a sentence: "him" → "he", "her and me" → "she and I"."""
    return _with_case(phrase, SUBJECT_FORMS)


def as_object(phrase: NounPhrase) -> str:
    """Return the words in the form of an object inside a sentence: "He and I" → "him and me", "The man" → "the man"."""
    return _with_case(phrase, OBJECT_FORMS)


def _with_case(phrase: NounPhrase, forms: dict[str, str]) -> str:
    heads = {noun.i for noun in conjuncts(phrase.head)}
    pieces = []
    for token in phrase.tokens:
        word = token.text
        if token is phrase.first and _begins_sentence(token):
            word = without_sentence_capital(token)
        if token.i in heads and token.lower_ in forms and token.tag_ != "PRP$":
            word = forms[token.lower_]
        pieces.append(word)
        if token.i < phrase.last.i:
            pieces.append(token.whitespace_)
    return "".join(pieces)


def without_sentence_capital(token: Token) -> str:
    """Return the first word of a sentence as it is written inside one; names keep their capital."""
    text = uncapitalised(token)
    if token.i + 2 < len(token.doc) and token.nbor().text == "-" and token.nbor(2).text[:1].isupper():
        return token.text  # "First-Class Mail"
    if token.lower_ in _QUANTIFIERS and not token.text.isupper():
        return token.lower_
    if text != token.text and token.tag_ not in {"DT", "PRP", "PRP$"} and _is_always_capitalised(token.lower_):
        return token.text
    if token.tag_ in {"NN", "NNS"} and not _is_noun(token.lower_):
        return token.text  # a name that is tagged as a noun
    if (
        text[:1].isupper()
        and text != "I"
        and text[1:].islower()
        and token.tag_ in _PROPER_TAGS | {"NNS", "JJ", "VBG"}
        and (token.next is None or not token.nbor().text[:1].isupper())
        and _is_common_noun(token.lower_, is_unmodified=token.left_edge.i == token.i == token.right_edge.i)
    ):
        return token.lower_
    return text


def agreement(phrase: NounPhrase) -> VerbAgreement | None:
    """Return person and number for the verb, or None if they are ambiguous ("all", "the fish", "data").

    >>> from litotes.languages.en.parser import parse
    >>> of = lambda text, index: agreement(noun_phrase(parse(text)[index]))
    >>> of("A lot of people saw me.", 1), of("Each of the boys sang.", 0), of("She saw Tom and me.", 2)
    (VerbAgreement(person=3, plural=True), VerbAgreement(person=3, plural=False), VerbAgreement(person=1, plural=True))
    """
    return agreement_of(phrase.head, phrase.last.i)


def is_pronoun(phrase: NounPhrase) -> bool:
    """Return whether a phrase is a single personal pronoun."""
    return phrase.first.i == phrase.last.i and phrase.head.tag_ == "PRP"


def is_reflexive_or_reciprocal(phrase: NounPhrase) -> bool:
    """Return whether a phrase is "herself", "each other" or "one another"."""
    if phrase.head.lower_ in REFLEXIVES:
        return True
    return phrase.text.lower() in {"each other", "one another", "eachother", "each other's", "one another's"}


def may_be_bound(phrase: NounPhrase, subject: NounPhrase) -> bool:
    """Return whether a reflexive, reciprocal or possessive in a phrase may refer to the subject.

    >>> from litotes.languages.en.parser import parse
    >>> def is_bound(text):
    ...     doc = parse(text)
    ...     return may_be_bound(noun_phrase(doc[-2]), noun_phrase(doc[0]))
    >>> is_bound("Tom lost his keys."), is_bound("I lost his keys."), is_bound("She lost my keys.")
    (True, False, False)
    """
    for token in phrase.tokens:
        lower = token.lower_
        if lower == "own" or lower in REFLEXIVES or _is_reciprocal(token):
            return True
        if token.tag_ != "PRP$" and lower != "one's":
            continue
        antecedent = agreement(subject) or VerbAgreement(3, False)
        person = _PERSON_OF_POSSESSIVE.get(lower, 3)
        if person == antecedent.person and _may_refer_to(lower, subject.head.lower_, antecedent):
            return True
    return False


def _may_refer_to(possessive: str, noun: str, agreement: VerbAgreement) -> bool:
    """Return whether gender and number of a possessive are those of a noun of the same person."""
    if agreement.person < 3 or possessive == "one's":
        return True
    if possessive == "their":
        return agreement.plural or noun not in _MALE_NOUNS | _FEMALE_NOUNS | _NEUTER_PRONOUNS
    if agreement.plural:
        return False
    if possessive == "his":
        return noun not in _FEMALE_NOUNS | _NEUTER_PRONOUNS
    if possessive == "her":
        return noun not in _MALE_NOUNS | _NEUTER_PRONOUNS
    return noun not in _MALE_NOUNS | _FEMALE_NOUNS


def _is_reciprocal(token: Token) -> bool:
    return (token.lower_, token.next_word) in {("each", "other"), ("one", "another")}


def _begins_sentence(token: Token) -> bool:
    before = token.previous
    if before is None or token.is_sent_start:
        return True
    return bool(before.is_punct and not before.text.isalnum() and (before.i == 0 or before.is_sent_start))


def _is_opened_after(bracket: Token, first: int) -> bool:
    """Return whether the counterpart of a closing bracket is at a token index or after it."""
    return any(token.text == _CLOSING[bracket.text] for token in bracket.doc.tokens[first : bracket.i])


def _is_trimmed(token: Token, brackets: str, first: int, last: int) -> bool:
    """Return whether a token at the edge is punctuation outside the phrase: a comma, or a bracket without its pair."""
    if not token.is_punct and not token.is_space:
        return False
    text = token.text
    if text in {"%", "°"}:
        return False
    if text not in brackets:
        return True
    counterparts = (
        {_CLOSING[text]} if text in _CLOSING else {close for close, open_ in _CLOSING.items() if open_ == text}
    )
    return not any(other.text in counterparts for other in token.doc.tokens[first : last + 1] if other is not token)


@lru_cache(maxsize=8_192)
def _is_noun(word: str) -> bool:
    """Return whether the lexicon contains a noun, or the singular of a plural; pronouns like "someone" pass too."""
    senses = default_lexicon().senses
    return word.endswith(("one", "body", "thing", "ing")) or any(
        senses(lemma, "n") for lemma in (word, word.removesuffix("s"), *lemmas(word, "n"))
    )


@lru_cache(maxsize=8_192)
def _is_always_capitalised(word: str) -> bool:
    """Return whether the lexicon writes a word only with a capital: "Germanic", "Monday"."""
    senses = [sense for pos in "na" for sense in default_lexicon().senses(word, pos)]
    return bool(senses) and all(sense.word[:1].isupper() for sense in senses)


@lru_cache(maxsize=8_192)
def _is_common_noun(word: str, *, is_unmodified: bool) -> bool:
    """Return whether a capitalised word at the start of a sentence is a noun, not a name: "Dogs", "Guitar"."""
    lemma = lemmas(word, "n")[0]
    senses = default_lexicon().senses(lemma, "n")
    if not senses and lemma.endswith("s"):  # a plural that the dictionary of forms does not contain
        lemma = lemma[:-1]
        senses = default_lexicon().senses(lemma, "n")
    if not senses or not senses[0].word.islower() or word in NOUN_NAMES:
        return False
    if lemma != word:
        return True
    # A singular may be a name: only materials and objects without another, capitalised sense are safe.
    has_name_sense = any(sense.word[:1].isupper() for sense in senses)
    return is_unmodified and not has_name_sense and senses[0].synset.lexfile in _MATERIAL_FILES
