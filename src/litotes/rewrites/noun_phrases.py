"""Noun phrases that move: their words, their capitals, the case of pronouns, and what a verb agrees with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from litotes.language.casing import uncapitalised
from litotes.language.inflection import lemmas
from litotes.language.lexicon import default_lexicon

if TYPE_CHECKING:
    from spacy.tokens import Token


def word_set(words: str) -> frozenset[str]:
    """A list of words, as people write it."""
    return frozenset(words.split())


SUBJECT_FORMS = {
    "me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who", "whomever": "whoever",
    "'em": "they", "’em": "they", "em": "they", "thee": "thou",
}  # fmt: skip
"""Pronouns that differ, as a subject has them."""
OBJECT_FORMS = {
    "i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom", "whoever": "whomever",
    "thou": "thee",
}  # fmt: skip
REFLEXIVES = word_set(
    """
    myself yourself himself herself itself oneself ourselves yourselves themselves themself theirselves hisself
    """
)

_CLOSING = {")": "(", "]": "[", "”": "“", "’": "‘", '"': '"', "'": "'", "»": "«"}
_PARTS = word_set(
    """
    lot lots plenty number majority minority couple handful dozens bunch rest half quarter third percent % all
    some most any more none loads tons heaps hundreds thousands millions variety range
    """
)
"""What counts its "of": the verb agrees with what is counted ("a lot of people are", "half of it is")."""
_SINGLE = word_set(
    """
    each every either neither one anyone someone everyone nobody no-one somebody anybody everybody something
    nothing anything everything another much little this that it he she him her
    """
)
_MANY = word_set("these those both few fewer several many two three they them we us ones others 'em ’em")
_PLURAL_NOUNS = word_set("people police cattle men women children folks folk feet teeth mice geese oxen")
_SINGULAR_IN_S = word_set(
    """
    news physics mathematics economics politics gymnastics athletics linguistics measles billiards tennis series
    species means
    """
)
_SAME_IN_BOTH = word_set(
    """
    sheep deer fish series species aircraft means salmon offspring trout bison moose elk spacecraft shrimp
    headquarters
    """
)
_EITHER = word_set("data media staff crew none who which what same any all some most more enough")
_FOOD = word_set("fish salmon trout shrimp")
_GROUPS = word_set("poor rich young old elderly blind dead homeless injured unemployed")
_POSSESSIVES = {"my": 1, "our": 1, "your": 2, "his": 3, "her": 3, "its": 3, "their": 3, "one's": 3, "mine": 1,
                "ours": 1, "yours": 2, "own": 0}  # fmt: skip


class Agreement(NamedTuple):
    """What a verb agrees with."""

    person: int
    plural: bool


@dataclass(frozen=True)
class NounPhrase:
    """A run of tokens around a noun or pronoun, without the punctuation at its edges."""

    head: Token
    first: Token
    last: Token

    @property
    def tokens(self) -> Iterator[Token]:
        """Its words, in order."""
        doc = self.head.doc
        return (doc[place] for place in range(self.first.i, self.last.i + 1))

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return int(self.first.idx)

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return int(self.last.idx) + len(self.last.text)

    @property
    def text(self) -> str:
        """As it stands."""
        return str(self.head.doc.text[self.start : self.end])

    def __len__(self) -> int:
        return int(self.last.i - self.first.i) + 1

    def __contains__(self, token: Token) -> bool:
        return bool(self.first.i <= token.i <= self.last.i)


def noun_phrase(head: Token, *, leave: Iterable[Token] = ()) -> NounPhrase | None:
    """All that hangs on a noun, but for the modifiers to be left at its end; None where that is no unbroken run.

    >>> from litotes.language.parse import parse
    >>> noun_phrase(parse("The man who sold the world, left.")[1]).text
    'The man who sold the world'
    """
    doc = head.doc
    first, last = head.left_edge.i, head.right_edge.i
    for token in leave:
        if token.i > head.i:
            last = min(last, token.left_edge.i - 1)
    if any(not _hangs_on(doc[place], head) for place in range(first, last + 1)):
        return None
    while first < head.i and _is_edge(doc[first], "([“‘\"'«", first, last):
        first += 1
    while last > head.i and _is_edge(doc[last], ")]”’\"'»", first, last):
        last -= 1
    if first and last + 1 < len(doc) and _CLOSING.get(doc[last + 1].text) == doc[first - 1].text:
        first, last = first - 1, last + 1
    elif last + 1 < len(doc) and doc[last + 1].text in {")", "]"}:
        if any(doc[place].text == _CLOSING[doc[last + 1].text] for place in range(first, last + 1)):
            return None
    return NounPhrase(head, doc[first], doc[last])


def inside_text(phrase: NounPhrase) -> str:
    """The words as they stand inside a sentence: a capital that was only the sentence's own is put down."""
    text = phrase.text
    first = phrase.first
    if first.i and not _begins_sentence(first):
        return text
    return lowered(first) + text[len(first.text) :]


def as_subject(phrase: NounPhrase) -> str:
    """The words as a subject has them inside a sentence: "him" → "he", "her and me" → "she and I"."""
    return _with_case(phrase, SUBJECT_FORMS)


def as_object(phrase: NounPhrase) -> str:
    """The words as an object has them inside a sentence: "He and I" → "him and me", "The man" → "the man"."""
    return _with_case(phrase, OBJECT_FORMS)


def lowered(token: Token) -> str:
    """A first word without the capital of its sentence; names keep theirs, nouns that only look like names do not."""
    text = uncapitalised(token)
    if text != token.text and token.tag_ not in {"DT", "PRP", "PRP$"} and _is_always_capital(token.lower_):
        return token.text
    if (
        text[:1].isupper()
        and text != "I"
        and text[1:].islower()
        and token.tag_ in {"NNP", "NNPS", "NNS", "JJ", "VBG"}
        and (token.i + 1 == len(token.doc) or not token.nbor().text[:1].isupper())
        and _is_common(token.lower_)
    ):
        return token.lower_
    return text


def agreement(phrase: NounPhrase) -> Agreement | None:
    """Person and number for the verb; None where it cannot be told ("all", "the fish", "data").

    >>> from litotes.language.parse import parse
    >>> of = lambda text, place: agreement(noun_phrase(parse(text)[place]))
    >>> of("A lot of people saw me.", 1), of("Each of the boys sang.", 0), of("She saw Tom and me.", 2)
    (Agreement(person=3, plural=True), Agreement(person=3, plural=False), Agreement(person=1, plural=True))
    """
    return _agreement(phrase.head, len(phrase) > 1, phrase.last.i)


def conjuncts(head: Token) -> list[Token]:
    """The heads of a coordination, the first one first; the noun alone if it is not coordinated."""
    found = [head]
    while True:
        following = next((child for child in found[-1].children if child.dep_ == "conj"), None)
        if following is None:
            return found
        found.append(following)


def conjunction(head: Token) -> str | None:
    """The word that joins a coordination: "and", "or", "nor"…"""
    found = [child.lower_ for noun in conjuncts(head) for child in noun.children if child.dep_ == "cc"]
    return found[-1] if found else None


def is_pronoun(phrase: NounPhrase) -> bool:
    """Whether it is a personal pronoun and nothing else."""
    return phrase.first.i == phrase.last.i and phrase.head.tag_ == "PRP"


def is_reflexive_or_reciprocal(phrase: NounPhrase) -> bool:
    """Whether it is "herself", "each other", "one another"."""
    if phrase.head.lower_ in REFLEXIVES:
        return True
    return phrase.text.lower() in {"each other", "one another", "eachother", "each other's", "one another's"}


def may_be_bound(phrase: NounPhrase, subject: NounPhrase) -> bool:
    """Whether a reflexive, reciprocal or possessive in it points back to the subject, or may do so.

    >>> from litotes.language.parse import parse
    >>> def bound(text):
    ...     doc = parse(text)
    ...     return may_be_bound(noun_phrase(doc[-2]), noun_phrase(doc[0]))
    >>> bound("Tom lost his keys."), bound("I lost his keys."), bound("She lost my keys.")
    (True, False, False)
    """
    whose = _agreement(subject.head, len(subject) > 1, subject.last.i) or Agreement(3, False)
    for token in phrase.tokens:
        lower = token.lower_
        if lower == "own" or lower in REFLEXIVES or _is_reciprocal(token):
            return True
        if token.tag_ != "PRP$" and lower != "one's":
            continue
        if _POSSESSIVES.get(lower, 3) == whose.person and _genders_agree(lower, subject, whose):
            return True
    return False


_HE = word_set("he man boy father dad brother son husband guy king uncle mr. mr")
_SHE = word_set(
    """
    she woman girl mother mom mum sister daughter wife lady queen aunt mrs. ms. mrs ms
    """
)


def _genders_agree(possessive: str, subject: NounPhrase, whose: Agreement) -> bool:
    """Whether a possessive of the subject's person can be the subject's own."""
    head = subject.head.lower_
    if whose.person < 3 or possessive == "one's":
        return True
    if possessive == "their":
        return whose.plural or head not in _HE | _SHE | {"it", "this", "that"}
    if whose.plural:
        return False
    if possessive == "his":
        return head not in _SHE and head not in {"it", "this", "that"}
    if possessive == "her":
        return head not in _HE and head not in {"it", "this", "that"}
    return head not in _HE | _SHE


def _is_reciprocal(token: Token) -> bool:
    if token.lower_ not in {"each", "one"} or token.i + 1 == len(token.doc):
        return False
    return (token.lower_, token.nbor().lower_) in {("each", "other"), ("one", "another")}


def _agreement(head: Token, has_more: bool, last: int) -> Agreement | None:
    joined = [noun for noun in conjuncts(head) if noun.i <= last]
    if len(joined) > 1:
        return _joined_agreement(joined, last)
    lower = head.lower_
    if head.tag_ in {"PRP", "WP"} or lower in {"i", "u", "ya"}:
        return _pronoun_agreement(lower)
    if has_more and lower in _PARTS | _SINGLE | _MANY | {"none"}:
        counted = _counted(head, last)
        if lower in {"number", "variety", "range"} and not _has_determiner(head, {"a", "an"}):
            counted = None
        if counted is not None and lower in _PARTS:
            found = _agreement(counted, True, last)
            return found if found is None else Agreement(3, found.plural)
    if lower in _SINGLE:
        return Agreement(3, False)
    if lower in _MANY or lower in _PLURAL_NOUNS:
        return Agreement(3, True)
    return _noun_agreement(head)


def _noun_agreement(head: Token) -> Agreement | None:
    plural = _number_of_determiner(head)
    if plural is False and head.tag_ == "NNS" and head.lower_.endswith("s"):
        return None  # "a savings"
    if plural is None:
        plural = _number_of_form(head)
    return None if plural is None else Agreement(3, plural)


def _number_of_form(head: Token) -> bool | None:
    """True for plural, False for singular, None where the form does not say."""
    lower, tag = head.lower_, head.tag_
    if lower in _SAME_IN_BOTH or lower in _EITHER:
        # Bare, the animal is food or stuff: "Fish is good for you."
        return False if lower in _FOOD and not any(True for _ in head.lefts) else None
    if lower in _SINGULAR_IN_S:
        return False
    if tag in {"NN", "NNP", "VBG"}:
        return tag == "NN" and _is_plural_form(lower)
    if tag == "NNPS":
        # "The Smiths are", but "The United States is", "General Motors is"
        return True if _has_determiner(head, {"the"}) and not _has_compound(head) else None
    if tag == "CD":
        return lower not in {"one", "1"}
    if tag.startswith("JJ"):
        return True if lower in _GROUPS and _has_determiner(head, {"the"}) else None
    return not _is_singular_form(lower) if tag == "NNS" else None


def _joined_agreement(joined: list[Token], last: int) -> Agreement | None:
    word = conjunction(joined[0])
    parts = [_agreement_alone(noun, last) for noun in joined]
    if word in {"or", "nor"}:
        return parts[-1] if parts[-1] is not None and parts[-1].person == 3 else None
    if word not in {"and", "&"}:
        return None
    if _number_of_determiner(joined[0]) is False and _has_determiner(joined[0], {"each", "every"}):
        return Agreement(3, False)
    people = [part.person for part in parts if part is not None]
    return Agreement(min(people, default=3), True)


def _agreement_alone(noun: Token, last: int) -> Agreement | None:
    """Of one member of a coordination."""
    if noun.tag_ == "PRP":
        return _pronoun_agreement(noun.lower_)
    return Agreement(3, True) if noun.lower_ in _MANY | _PLURAL_NOUNS else _noun_agreement(noun)


def _pronoun_agreement(lower: str) -> Agreement | None:
    if lower in {"i", "me", "myself"}:
        return Agreement(1, False)
    if lower in {"we", "us", "ourselves"}:
        return Agreement(1, True)
    if lower in {"you", "u", "ya", "yourself", "yourselves", "thee", "thou"}:
        return Agreement(2, lower == "yourselves")
    if lower in {"they", "them", "'em", "’em", "em", "themselves"}:
        return Agreement(3, True)
    return Agreement(3, False) if lower in {"he", "him", "she", "her", "it", "himself", "herself", "itself"} else None


_PLURAL_DETERMINERS = word_set(
    """
    these those both few several many two three four five six seven eight nine ten eleven twelve hundred thousand
    fewer various numerous dozen
    """
)
_SINGULAR_DETERMINERS = word_set("a an this that each every another one either neither much")


def _number_of_determiner(head: Token) -> bool | None:
    """True for plural, False for singular, None where no word before the noun says."""
    found = None
    for child in head.children:
        if child.i >= head.i:
            break
        lower = child.lower_
        if lower in _PLURAL_DETERMINERS or (
            child.tag_ == "CD" and child.dep_ == "nummod" and lower not in {"one", "1"}
        ):
            return True
        if lower in _SINGULAR_DETERMINERS and child.dep_ in {"det", "nummod"}:
            found = False
    return found


def _counted(head: Token, last: int) -> Token | None:
    for child in head.children:
        if child.dep_ == "prep" and child.lower_ == "of" and head.i < child.i <= last:
            return next((noun for noun in child.children if noun.dep_ == "pobj"), None)
    return None


def _has_determiner(head: Token, words: set[str]) -> bool:
    return any(child.lower_ in words and child.i < head.i for child in head.children)


def _has_compound(head: Token) -> bool:
    return any(child.dep_ == "compound" for child in head.children)


def _with_case(phrase: NounPhrase, forms: dict[str, str]) -> str:
    doc = phrase.head.doc
    heads = {noun.i for noun in conjuncts(phrase.head)}
    pieces = []
    for place, token in enumerate(phrase.tokens):
        word = token.text
        if place == 0 and _begins_sentence(token):
            word = lowered(token)
        if token.i in heads and token.lower_ in forms and token.tag_ != "PRP$":
            word = forms[token.lower_]
        pieces.append(word)
        if token.i < phrase.last.i:
            pieces.append(doc.text[token.idx + len(token.text) : doc[token.i + 1].idx])
    return "".join(pieces)


def _begins_sentence(token: Token) -> bool:
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    return bool(before.is_punct and not before.text.isalnum() and (before.i == 0 or bool(before.is_sent_start)))


def _hangs_on(token: Token, head: Token) -> bool:
    return bool(token.i == head.i or head.is_ancestor(token))


def _is_edge(token: Token, keep: str, first: int, last: int) -> bool:
    """Whether punctuation at an edge does not belong to the phrase: a comma does not, a bracket with its mate does."""
    if not token.is_punct and not token.is_space:
        return False
    text = token.text
    if text in {"%", "°"} or text not in keep:
        return text not in {"%", "°"}
    doc = token.doc
    mates = {_CLOSING[text]} if text in _CLOSING else {shut for shut, opens in _CLOSING.items() if opens == text}
    return not any(doc[place].text in mates for place in range(first, last + 1) if place != token.i)


@lru_cache(maxsize=8_192)
def _is_singular_form(word: str) -> bool:
    """Whether a noun that was taken for a plural is none: "broccoli"."""
    return not word.endswith("s") and lemmas(word, "n")[0] == word and bool(default_lexicon().senses(word, "n"))


@lru_cache(maxsize=8_192)
def _is_plural_form(word: str) -> bool:
    """Whether a noun that was taken for a singular is none: "audits"."""
    return word.endswith("s") and lemmas(word, "n")[0] != word and not default_lexicon().senses(word, "n")


@lru_cache(maxsize=8_192)
def _is_always_capital(word: str) -> bool:
    """Whether the lexicon writes it with a capital alone: "Germanic", "Monday"."""
    found = [sense.word for pos in "na" for sense in default_lexicon().senses(word, pos)]
    return bool(found) and all(one[:1].isupper() for one in found)


@lru_cache(maxsize=8_192)
def _is_common(word: str) -> bool:
    """Whether a word is a plural noun of everyday use: "Dogs" at the start of a sentence is no name."""
    lemma = lemmas(word, "n")[0]
    if lemma == word:
        return False
    senses = default_lexicon().senses(lemma, "n")
    return bool(senses) and senses[0].word.islower()
