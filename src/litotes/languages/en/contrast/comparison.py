"""Find pairs of sentences that contradict each other: one is negated, or one word is replaced by its antonym.

Sentences are first compared as words, which is fast enough for millions of pairs. Only candidates are parsed, to check
that the negation or the antonym applies to the whole sentence.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Literal, NamedTuple

from litotes.languages.base import Contrast, ContrastSignature
from litotes.languages.en.contrast.normalization import NEGATIONS, CoreWord, NormalizedSentence, normalize
from litotes.languages.en.function_words import CORE_DIRECTIONS, SUBORDINATORS
from litotes.languages.en.lexicon.antonyms import is_contradictory, lexicon_opposites, usual_opposites
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.modals import ABILITY_MODALS, POSSIBILITY_MODALS
from litotes.languages.en.modifiers import OCCASIONAL_ADVERBS, POSSIBILITY_ADVERBS
from litotes.languages.en.morphology.contractions import ENDINGS
from litotes.languages.en.morphology.inflection import has_form, known_forms, lemmas
from litotes.languages.en.parser import parse_all
from litotes.languages.en.pronouns import SUBJECT_PRONOUNS
from litotes.languages.en.syntax.tags import RELATIVE_CLAUSE_DEPS, SUBJECT_DEPS, WH_TAGS
from litotes.languages.en.verbs import INVERTIBLE_VERBS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Token

_EQUIVALENT_AUXILIARIES = frozenset(
    frozenset(pair.split()) for pair in ("'s is", "'s has", "'d would", "'d had", "is are", "was were", "'s are")
)
_TENSE_OF_DO = {"does": "VBZ", "did": "VBD"}
_ARTICLE_PAIRS = frozenset(
    {("any", "some"), ("any", "a"), ("any", ""), ("no", "some"), ("no", "a"), ("no", ""), ("no", "any"), ("", "some")}
)
"""Articles before a noun in the negated and in the affirmative sentence."""
_UNCERTAIN = POSSIBILITY_MODALS | POSSIBILITY_ADVERBS | OCCASIONAL_ADVERBS
"""With these words a sentence and its negation may both be true: "perhaps he comes"."""
_PARTIAL = frozenset(
    {"some", "somebody", "something", "somewhere", "many", "several", "few", "half", "often", "another"}
)
"""With these words before the verb both may be true: "some people do"."""
_OPENING_VERBS = INVERTIBLE_VERBS - {"do"}
_NO_CONTRADICTION = re.compile(
    r"\bnot (?:only|just|merely|simply|so much|until|till|necessarily)\b|\b(?:or|if|why|than) not\b|\bnever mind\b"
    r"|\b(?:nothing|anything|nobody|none) but\b|\b(?:can|could) not help (?:\w+ing|but|it)\b|\bcan not wait\b"
    r"|\bno (?:idea|doubt|wonder|matter|sooner|less|way|use|thanks)\b|\b(?:until|till|unless|lest|whether)\b"
    r"|\bcould not .*\b(?:more|less|better|happier|worse)\b"
)
"""Phrases in which a negation does not give the opposite of the sentence."""
_PIECE = re.compile(r"\w+(?=['’](?:m|re|ve|ll|s|d)\b)|['’](?:m|re|ve|ll|s|d)\b|\w+(?:['’-]\w+)*|[$€£%]", re.IGNORECASE)
_FULL_FORMS = {f"'{ending}": full for ending, full in (ENDINGS | {"s": "is", "d": "would"}).items()}
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[$€£%]")
_PARSE_BATCH = 256
_SEPARATE_CLAUSES = RELATIVE_CLAUSE_DEPS | {"advcl", "csubj", "csubjpass", "pcomp", "parataxis"}
"""Clauses whose negation does not change what the rest says: "if it does not rain", "who is not here"."""
_UNIVERSAL_POS = {"a": ("ADJ", "VERB", "ADV"), "r": ("ADV",), "v": ("VERB",), "n": ("NOUN",)}


def _pairs(name: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split("/")) for pair in word_list(name))


_GRAMMATICAL_PAIRS = _pairs("grammatical pairs")
"""Opposite function words, which the lexicon does not contain."""

_DEICTIC_PAIRS = _pairs("deictic pairs")
"""Words that depend on the speaker, so that both sentences may be true."""
_COMPATIBLE_PAIRS = _pairs("compatible pairs")
"""Parts of a whole and steps of a sequence, which may both be true."""
_RELATIVES = _pairs("relatives")
_NOT_OPPOSITE = _DEICTIC_PAIRS | _COMPATIBLE_PAIRS | _RELATIVES
"""Antonyms of the lexicon that do not make two sentences contradict each other."""

_TAGS_OF_FORMS = {
    "v": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "n": ("NN", "NNS"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}
_BASE_TAGS = frozenset(tags[0] for tags in _TAGS_OF_FORMS.values())


class Opposition(NamedTuple):
    """How two words are opposed."""

    pos: str
    """a, r, v or n; g for function words."""
    contradictory: bool
    """Whether one of the two always holds."""


@lru_cache(maxsize=65_536)
def oppositions(word: str, antonym: str) -> tuple[Opposition, ...]:
    """Return how two lower-case words in the same form are opposed, by part of speech; empty if they are not.

    >>> oppositions("taller", "shorter"), oppositions("tall", "shorter"), oppositions("always", "never")
    ((Opposition(pos='a', contradictory=False),), (), (Opposition(pos='g', contradictory=False),))
    """
    if frozenset({word, antonym}) in _GRAMMATICAL_PAIRS:
        return (Opposition("g", False),)
    opposed: dict[Opposition, None] = {}
    for pos in _TAGS_OF_FORMS:
        for lemma, antonym_lemma in product(lemmas(word, pos), lemmas(antonym, pos)):
            if _are_antonyms(lemma, antonym_lemma, pos) and _share_form(word, lemma, antonym, antonym_lemma, pos):
                opposed[Opposition(pos, is_contradictory(lemma, antonym_lemma))] = None
    return tuple(opposed)


def _are_antonyms(lemma: str, antonym: str, pos: str) -> bool:
    pair = frozenset({lemma, antonym})
    if len(pair) < 2 or pair in _NOT_OPPOSITE:
        return False
    return _has_antonym(lemma, antonym, pos) or _has_antonym(antonym, lemma, pos)


def _has_antonym(lemma: str, antonym: str, pos: str) -> bool:
    if any(antonym in row.words for row in usual_opposites(lemma, pos)):
        return True
    return any(
        opposite.word == antonym
        and opposite.kind == "direct"
        and (opposite.sure or opposite.sense <= 1)
        and not opposite.marker
        for opposite in lexicon_opposites(lemma, pos)
    )


def _share_form(word: str, lemma: str, antonym: str, antonym_lemma: str, pos: str) -> bool:
    return any(_is_form(word, lemma, tag) and _is_form(antonym, antonym_lemma, tag) for tag in _TAGS_OF_FORMS[pos])


def _is_form(word: str, lemma: str, tag: str) -> bool:
    return word == lemma if tag in _BASE_TAGS else word in known_forms(lemma, tag)


class _Candidate(NamedTuple):
    """Two sentences that contradict each other by their words, before they are parsed."""

    first: NormalizedSentence
    second: NormalizedSentence
    kind: Literal["polarity", "antonym"]
    starts: tuple[int, int]
    """The character offset of the negation or antonym in each sentence, or -1."""
    oppositions: tuple[Opposition, ...] = ()

    @property
    def marked(self) -> list[tuple[NormalizedSentence, int]]:
        """The sentences that contain the negation or antonym, with its offset."""
        sentences = (self.first, self.second)
        return [(sentence, start) for sentence, start in zip(sentences, self.starts, strict=True) if start >= 0]


def find_contrasts(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[int, Contrast]]:
    """Yield the index and the contrast of each pair of sentences that contradict each other.

    >>> list(find_contrasts([("He left.", "She left."), ("It is hot.", "It is not hot.")]))
    [(1, Contrast(kind='polarity', differs=('', 'not')))]
    """
    candidates = (
        (index, candidate)
        for index, (first, second) in enumerate(pairs)
        if (candidate := _find_candidate(first, second)) is not None
    )
    while batch := list(islice(candidates, _PARSE_BATCH)):
        contrasts = _confirm([candidate for _, candidate in batch])
        for (index, _), contrast in zip(batch, contrasts, strict=True):
            if contrast is not None:
                yield index, contrast


def find_contrast(first: str, second: str) -> Contrast | None:
    """Return the contrast of two sentences, or None if they do not contradict each other in exactly one word.

    >>> find_contrast("He went home.", "He didn't go home.")
    Contrast(kind='polarity', differs=('went', "didn't go"))
    >>> find_contrast("The soup is cold.", "The soup is hot.")
    Contrast(kind='antonym', differs=('cold', 'hot'))
    >>> find_contrast("I don't think he came.", "I think he didn't come.") is None
    True
    """
    return next((contrast for _, contrast in find_contrasts([(first, second)])), None)


def contrast_signature(sentence: str) -> ContrastSignature | None:
    """Return the signature of a sentence, or None if it is not compared.

    >>> contrast_signature("Is it?") is None
    True
    """
    normalized = normalize(sentence)
    if normalized is None:
        return None
    words, middle = normalized.folded, len(normalized.folded) // 2
    return ContrastSignature(
        core=hash(normalized.core),
        n_words=len(words),
        first_half=hash(words[:middle]),
        second_half=hash(words[middle:]),
        n_negations=len(normalized.negations),
    )


def _find_candidate(first: str, second: str) -> _Candidate | None:
    left, right = normalize(first), normalize(second)
    if left is None or right is None:
        return None
    if left.core == right.core:
        return _compare_polarity(left, right)
    return _compare_words(left, right) if len(left.folded) == len(right.folded) else None


def _confirm(candidates: Sequence[_Candidate]) -> Iterator[Contrast | None]:
    texts = list(dict.fromkeys(sentence.text for candidate in candidates for sentence, _ in candidate.marked))
    docs = dict(zip(texts, parse_all(texts), strict=True))
    for candidate in candidates:
        is_confirmed = True
        for sentence, start in candidate.marked:
            doc = docs[sentence.text]
            if not doc.is_parsed:
                is_confirmed = False
            elif candidate.kind == "polarity":
                is_confirmed &= _negates_sentence(doc, start)
            else:
                is_confirmed &= _reverses_sentence(doc, start, candidate.oppositions)
        yield Contrast(candidate.kind, _differing_words(candidate)) if is_confirmed else None


# Polarity


def _compare_polarity(first: NormalizedSentence, second: NormalizedSentence) -> _Candidate | None:
    difference = len(first.negations) - len(second.negations)
    if difference not in {1, -1} or not first.core:
        return None
    negated, affirmative = (first, second) if difference == 1 else (second, first)
    extra = _extra_negation(negated.negations, affirmative.negations)
    if extra is None or not all(map(_corresponds, negated.core_words, affirmative.core_words)):
        return None
    forms = [word.form for word in negated.words]
    index = [position for position, form in enumerate(forms) if form in NEGATIONS][extra]
    if _is_no_contradiction(forms, index) or (affirmative.negations and forms[index] != "not"):
        return None  # "I didn't see nothing" may mean that I saw nothing
    start = negated.words[index].start
    return _Candidate(first, second, "polarity", (start, -1) if difference == 1 else (-1, start))


def _extra_negation(negated: tuple[int, ...], affirmative: tuple[int, ...]) -> int | None:
    """Return the index of the negation that only one sentence has, if all others are at the same positions."""
    return next((i for i in range(len(negated)) if negated[:i] + negated[i + 1 :] == affirmative), None)


def _corresponds(negated: CoreWord, affirmative: CoreWord) -> bool:
    """Return whether a word of the affirmative sentence has the form that the negated sentence requires."""
    if (negated.article, affirmative.article) not in _ARTICLE_PAIRS and (
        negated.article != affirmative.article or negated.article == "some"
    ):
        return False
    tense = _TENSE_OF_DO.get(negated.support, "")
    if negated.form == affirmative.form:
        # "I do not go" negates "I go"; "I did not go" does not.
        return (
            negated.support == affirmative.support
            or negated.is_adverb
            or not tense
            or has_form(affirmative.form, tense)
        )
    if negated.support and not affirmative.support:
        return has_form(affirmative.form, tense) and negated.form in lemmas(affirmative.form, "v")
    if negated.support or affirmative.support:
        return False
    if frozenset({negated.form, affirmative.form}) in _EQUIVALENT_AUXILIARIES or negated.is_pronoun:
        return True
    has_article = bool(negated.article or affirmative.article)
    return has_article and lemmas(negated.form, "n")[0] == lemmas(affirmative.form, "n")[0]


def _is_no_contradiction(forms: list[str], index: int) -> bool:
    if not _UNCERTAIN.isdisjoint(forms) or _NO_CONTRADICTION.search(" ".join(forms)):
        return True
    opens_with_do = forms[0] == "do" and len(forms) > 2 and forms[2] in SUBJECT_PRONOUNS
    if index == 1 and (forms[0] in _OPENING_VERBS or opens_with_do):
        return True  # "Isn't it great!" says that it is
    if forms[index] == "no" and index + 1 == len(forms):
        return True  # "to say no" is not "to say nothing"
    return forms[index] in {"not", "never", "no"} and not _PARTIAL.isdisjoint(forms[:index])


# Antonyms


def _compare_words(first: NormalizedSentence, second: NormalizedSentence) -> _Candidate | None:
    differing = [i for i, (left, right) in enumerate(zip(first.folded, second.folded, strict=True)) if left != right]
    if len(differing) != 1:
        return None
    index = differing[0]
    left, right = first.words[index], second.words[index]
    opposed = oppositions(left.form, right.form)
    if not opposed:
        return None
    others = [word.form for word in first.words if word is not left]
    if not (_UNCERTAIN | ABILITY_MODALS).isdisjoint(others) or not _PARTIAL.isdisjoint(others[:index]):
        return None
    if not NEGATIONS.isdisjoint(others):
        # "not tall" is not the opposite of "not short"; only "not alive" is that of "not dead".
        opposed = tuple(opposition for opposition in opposed if opposition.contradictory and opposition.pos == "a")
    n_equal = sum(
        a.form == b.form or frozenset({a.form, b.form}) in _EQUIVALENT_AUXILIARIES
        for a, b in zip(first.words, second.words, strict=True)
    )
    if not opposed or n_equal != len(first.words) - 1:
        return None
    return _Candidate(first, second, "antonym", (left.start, right.start), opposed)


# Scope of the negation or the antonym in the parse


def _negates_sentence(doc: Doc, start: int) -> bool:
    token = _token_at(doc, start)
    return token is not None and _affects_root(token, through_subject=True)


def _reverses_sentence(doc: Doc, start: int, oppositions: tuple[Opposition, ...]) -> bool:
    """Return whether replacing the word at a character offset by its antonym contradicts the whole sentence."""
    token = _token_at(doc, start)
    if token is None or token.pos_ == "PROPN":
        return False
    kinds = [
        opposition.pos
        for opposition in oppositions
        if opposition.pos == "g" or token.pos_ in _UNIVERSAL_POS[opposition.pos]
    ]
    if not kinds or ("g" not in kinds and in_fixed_expression(token)):
        return False
    if token.lower_ in CORE_DIRECTIONS and token.dep_ == "prep":
        return False  # "in the window" and "out of the window" may both be true
    if kinds == ["n"] and (token.dep_ != "attr" or token.head.has_child("expl")):
        return False  # "a boy ran" and "a girl ran", "there is a boy" and "there is a girl"
    if token.dep_ == "amod" and _is_generic(token.head):
        return False  # "she likes old songs" and "she likes new songs"
    return _affects_root(token, through_subject="g" in kinds)


def _token_at(doc: Doc, start: int) -> Token | None:
    return next((token for token in doc if token.idx == start), None)


def _is_generic(noun: Token) -> bool:
    """Return whether a noun without a determiner is generic; predicates and possessions are not."""
    return noun.dep_ != "attr" and noun.head.lemma_ != "have" and not noun.has_child("det", "poss", "nummod")


def _affects_root(token: Token, *, through_subject: bool) -> bool:
    """Return whether no clause or subject between a token and the root limits its scope."""
    while True:
        if any(child.dep_ == "mark" and child.lower_ in SUBORDINATORS for child in token.children):
            return False
        if token.head is token:
            return True
        if token.dep_ in _SEPARATE_CLAUSES or (token.dep_ in SUBJECT_DEPS and not through_subject):
            return False
        if token.dep_ == "ccomp" and any(child.tag_ in WH_TAGS for child in token.lefts):
            return False  # "I know who came" and "I know who did not come"
        if token.dep_ == "ccomp" and token.head.has_child("neg"):
            return False  # "I did not say that he came" and "I did not say that he did not come"
        token = token.head


# Display


def _differing_words(candidate: _Candidate) -> tuple[str, str]:
    if candidate.kind == "polarity":
        first, second = candidate.first, candidate.second
        return _diff(first.text[first.words[0].start :], second.text[second.words[0].start :])
    left, right = (_WORD.match(sentence.text, start) for sentence, start in candidate.marked)
    return left[0] if left else "", right[0] if right else ""


def _diff(first: str, second: str) -> tuple[str, str]:
    """Return the words of each text that the other does not contain; contractions equal their full forms.

    >>> _diff("It isn't here.", "It is here."), _diff("I'm ill.", "I am not ill.")
    (("isn't", 'is'), ('', 'not'))
    """
    if first > second:  # so that the result does not depend on the order
        right, left = _diff(second, first)
        return left, right
    ours, theirs = _PIECE.findall(first), _PIECE.findall(second)
    full = [[_full_form(word) for word in words] for words in (ours, theirs)]
    matcher = difflib.SequenceMatcher(None, full[0], full[1], autojunk=False)
    changes = [(ours[a:b], theirs[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    removed = " … ".join(" ".join(words) for words, _ in changes if words)
    added = " … ".join(" ".join(words) for _, words in changes if words)
    return removed, added


def _full_form(piece: str) -> str:
    lower = piece.lower().replace("’", "'")
    return _FULL_FORMS.get(lower, lower)
