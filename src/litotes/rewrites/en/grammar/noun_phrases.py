"""Noun phrases that move: their words, their capitals, the case of pronouns, and what a verb agrees with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import uncapitalised
from litotes.languages.en.morphology.inflection import lemmas
from litotes.rewrites.en.grammar.agreement import VerbAgreement, agreement_of, conjunction, conjuncts

if TYPE_CHECKING:
    from litotes.languages.tree import Token

__all__ = [
    "OBJECT_FORMS",
    "REFLEXIVES",
    "SUBJECT_FORMS",
    "NounPhrase",
    "VerbAgreement",
    "agreement",
    "agreement_of",
    "as_object",
    "as_subject",
    "conjunction",
    "conjuncts",
    "inside_text",
    "is_pronoun",
    "is_reflexive_or_reciprocal",
    "lowered",
    "may_be_bound",
    "noun_phrase",
    "word_set",
]

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
_NAMES = word_set(
    """
    jack mike ray art gene jean frank stew basil ginger olive miles will bill bob dick rob mark rick van chip chase
    mason carter cooper porter tanner hunter ruby pearl jade amber crystal sandy max pat penny sterling brook bud
    heath cliff lance pierce reed rose may june april dawn joy hope faith grace iris lily ivy violet holly buck drew
    josh sue peg chuck guy dean earl duke christian page piper harper coral opal gates banks brooks woods waters
    fields rivers parks bridges ickes hicks burns stone
    """
)
"""Given names that are nouns too."""
_STUFF = frozenset({6, 13, 27})
"""Lexicographer files: artefacts, food, substances."""
_QUANTIFIERS = word_set("most many some all few several more other such another both each every any no much less")
_POSSESSIVES = {"my": 1, "our": 1, "your": 2, "his": 3, "her": 3, "its": 3, "their": 3, "one's": 3, "mine": 1,
                "ours": 1, "yours": 2, "own": 0}  # fmt: skip


@dataclass(frozen=True)
class NounPhrase:
    """A run of tokens around a noun or pronoun, without the punctuation at its edges."""

    head: Token
    first: Token
    last: Token

    @property
    def tokens(self) -> list[Token]:
        """Its words, in order."""
        return self.head.doc.tokens[self.first.i : self.last.i + 1]

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self.first.idx

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.last.idx + len(self.last.text)

    @property
    def text(self) -> str:
        """As it stands."""
        return self.head.doc.text[self.start : self.end]

    def __len__(self) -> int:
        return self.last.i - self.first.i + 1

    def __contains__(self, token: Token) -> bool:
        return self.first.i <= token.i <= self.last.i


def noun_phrase(head: Token, *, leave: Iterable[Token] = ()) -> NounPhrase | None:
    """All that hangs on a noun, but for the modifiers to be left at its end; None where that is no unbroken run.

    >>> from litotes.languages.en.parser import parse
    >>> noun_phrase(parse("The man who sold the world, left.")[1]).text
    'The man who sold the world'
    """
    doc = head.doc.tokens
    first, last = head.left_edge.i, head.right_edge.i
    for token in leave:
        if token.i > head.i:
            last = min(last, token.left_edge.i - 1)
    for place in range(first, last + 1):
        # Every word but the head must have its own head in the run.
        if place != head.i and not first <= doc[place].head.i <= last:
            return None
    while first < head.i and _is_edge(doc[first], "([“‘\"'«", first, last):
        first += 1
    while last > head.i and _is_edge(doc[last], ")]”’\"'»", first, last):
        last -= 1
    if first and last + 1 < len(doc) and _CLOSING.get(doc[last + 1].text) == doc[first - 1].text:
        first, last = first - 1, last + 1
    elif last + 1 < len(doc) and doc[last + 1].text in {")", "]"} and _opens(doc[last + 1], first):
        return None
    return NounPhrase(head, doc[first], doc[last])


def inside_text(phrase: NounPhrase) -> str:
    """The words as they stand inside a sentence: a capital that was only the sentence's own is put down."""
    text = phrase.text
    first = phrase.first
    if first.i and not _begins_sentence(first):
        return text
    if phrase.head is not first and phrase.head.tag_ in {"NNP", "NNPS"} and first.pos_ not in {"DET", "PRON", "NUM"}:
        return text  # a name of several words: "Blue Lake Park"
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
    if token.i + 2 < len(token.doc) and token.nbor().text == "-" and token.nbor(2).text[:1].isupper():
        return token.text  # "First-Class Mail"
    if token.lower_ in _QUANTIFIERS and not token.text.isupper():
        return token.lower_
    if text != token.text and token.tag_ not in {"DT", "PRP", "PRP$"} and _is_always_capital(token.lower_):
        return token.text
    if token.tag_ in {"NN", "NNS"} and not _is_noun(token.lower_):
        return token.text  # a name that the parser takes for a noun
    if (
        text[:1].isupper()
        and text != "I"
        and text[1:].islower()
        and token.tag_ in {"NNP", "NNPS", "NNS", "JJ", "VBG"}
        and (token.i + 1 == len(token.doc) or not token.nbor().text[:1].isupper())
        and _is_common(token.lower_, token.left_edge.i == token.i == token.right_edge.i)
    ):
        return token.lower_
    return text


def agreement(phrase: NounPhrase) -> VerbAgreement | None:
    """Person and number for the verb; None where it cannot be told ("all", "the fish", "data").

    >>> from litotes.languages.en.parser import parse
    >>> of = lambda text, place: agreement(noun_phrase(parse(text)[place]))
    >>> of("A lot of people saw me.", 1), of("Each of the boys sang.", 0), of("She saw Tom and me.", 2)
    (VerbAgreement(person=3, plural=True), VerbAgreement(person=3, plural=False), VerbAgreement(person=1, plural=True))
    """
    return agreement_of(phrase.head, phrase.last.i)


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

    >>> from litotes.languages.en.parser import parse
    >>> def bound(text):
    ...     doc = parse(text)
    ...     return may_be_bound(noun_phrase(doc[-2]), noun_phrase(doc[0]))
    >>> bound("Tom lost his keys."), bound("I lost his keys."), bound("She lost my keys.")
    (True, False, False)
    """
    for token in phrase.tokens:
        lower = token.lower_
        if lower == "own" or lower in REFLEXIVES or _is_reciprocal(token):
            return True
        if token.tag_ != "PRP$" and lower != "one's":
            continue
        whose = agreement_of(subject.head, subject.last.i) or VerbAgreement(3, False)
        if _POSSESSIVES.get(lower, 3) == whose.person and _genders_agree(lower, subject, whose):
            return True
    return False


_HE = word_set("he man boy father dad brother son husband guy king uncle mr. mr")
_SHE = word_set(
    """
    she woman girl mother mom mum sister daughter wife lady queen aunt mrs. ms. mrs ms
    """
)


def _genders_agree(possessive: str, subject: NounPhrase, whose: VerbAgreement) -> bool:
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


def _with_case(phrase: NounPhrase, forms: dict[str, str]) -> str:
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
            pieces.append(token.whitespace_)
    return "".join(pieces)


def _begins_sentence(token: Token) -> bool:
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    return bool(before.is_punct and not before.text.isalnum() and (before.i == 0 or bool(before.is_sent_start)))


def _opens(bracket: Token, first: int) -> bool:
    """Whether the mate of a closing bracket stands behind a place."""
    return any(bracket.doc[place].text == _CLOSING[bracket.text] for place in range(first, bracket.i))


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
def _is_noun(word: str) -> bool:
    """Whether the lexicon knows a noun, or a noun of which this is the plural; pronouns like "someone" pass too."""
    known = default_lexicon().senses
    return word.endswith(("one", "body", "thing", "ing")) or any(
        known(lemma, "n") for lemma in (word, word.removesuffix("s"), *lemmas(word, "n"))
    )


@lru_cache(maxsize=8_192)
def _is_always_capital(word: str) -> bool:
    """Whether the lexicon writes it with a capital alone: "Germanic", "Monday"."""
    found = [sense.word for pos in "na" for sense in default_lexicon().senses(word, pos)]
    return bool(found) and all(one[:1].isupper() for one in found)


@lru_cache(maxsize=8_192)
def _is_common(word: str, is_alone: bool) -> bool:
    """Whether a word is a noun of everyday use: "Dogs" or "Guitar" at the start of a sentence is no name."""
    lemma = lemmas(word, "n")[0]
    senses = default_lexicon().senses(lemma, "n")
    if not senses and lemma.endswith("s"):  # a plural that the dictionary of forms does not know
        lemma = lemma[:-1]
        senses = default_lexicon().senses(lemma, "n")
    if not senses or not senses[0].word.islower():
        return False
    # A singular may be a name after all: only stuff and things that nobody is called after.
    if lemma != word and word not in _NAMES:
        return True
    if not is_alone or word in _NAMES or any(sense.word[:1].isupper() for sense in senses):
        return False
    return senses[0].synset.lexfile in _STUFF
