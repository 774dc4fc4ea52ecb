"""Negated antonym: a word is replaced by its antonym, and its clause is negated or affirmed.

“That is good.” and “That is not bad.” mean the same, but not every negated antonym preserves the meaning: whoever buys
a good car need not be someone who does not buy a bad one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.antonyms import is_contradictory
from litotes.languages.en.morphology.inflection import compared, forms
from litotes.languages.en.quantifiers import AMOUNTS, SUPERLATIVE_AMOUNTS, UNIVERSAL_DETERMINERS, UNIVERSAL_PRONOUNS
from litotes.languages.en.syntax.tags import CLAUSAL_COMPLEMENT_DEPS, PREDICATIVE_DEPS
from litotes.languages.en.verbs import APPEARANCE_VERBS, NEG_RAISING_VERBS
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.antonym import ANTONYM_SKIPS, AntonymCandidate, find_antonyms
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle, WordSwap
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, toggle_word
from litotes.rewrites.en.words.content_words import WordClass, is_attributive
from litotes.rewrites.lazy_sequence import LazySequence
from litotes.rewrites.patches import patched

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_EQUALLY_STRONG = ("not … at all", "not that")
"""The ends of the reasons of toggles that preserve a degree adverb: “really good” → “not bad at all”."""
_PREDICATES = PREDICATIVE_DEPS | CLAUSAL_COMPLEMENT_DEPS | {"ROOT"}
_AMOUNTS = AMOUNTS | {"enough"}
_CLASSIFYING_ADJECTIVES = frozenset(
    """senior junior major minor first last new old young former current official internal external public
    private""".split()
)
"""Adjectives of kind and order: their negation does not imply the antonym (“not the last” → “the first”)."""
_EVALUATIVE_NOUNS = word_set(
    "friend enemy success failure victory defeat winner loser expert beginner genius fool idiot hero disaster"
)
_REVERSIBLE_VERBS = frozenset(
    """appear disappear pack unpack tie untie lock unlock fold unfold prove disprove load unload dress undress cover
    uncover connect disconnect""".split()
)
"""Verbs of change: whoever did not unlock a door need not have locked it."""
_FEELING_VERBS = frozenset({"love", "hate", "adore"})
"""Verbs of strong feeling: whoever does not hate need not love."""
_EXTREMES = frozenset({"first", "last", "favorite", "favourite"})
"""Adjectives that single out a member of a set; “not the last” does not imply “the first”."""
_DEGREES = SUPERLATIVE_AMOUNTS | {"twice", "as", "too", "so"}
_UNIVERSALS = UNIVERSAL_DETERMINERS | UNIVERSAL_PRONOUNS | {"always"}


@rule(
    "negated_antonym",
    effect="same",
    needs=("parse", "lexicon", "inflection"),
    skips={
        **POLARITY_SKIPS,
        **ANTONYM_SKIPS,
        "not-the-same": "the words have antonyms, but a negated antonym would change the meaning",
    },
)
def negated_antonym(
    sentence: Sentence, *, pos: WordClass = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """Replace a word by its antonym, and negate or affirm its clause: “That is good.” → “That is not bad.”"""
    later: list[Draft] = []
    is_empty = True
    for candidate in find_deniable_antonyms(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            is_empty = False
            continue
        is_first = True
        ways = chain(
            _raised_toggles(sentence, candidate, contractions), swapped_toggles(sentence, candidate, contractions)
        )
        for toggle in _strongest_first(sentence, ways):
            is_empty = False
            if isinstance(toggle, Skip):
                yield toggle
                continue
            draft = _draft(sentence, candidate, toggle)
            if is_first and not toggle.is_local:
                is_first = False
                yield draft
            else:
                later.append(draft)
    yield from later
    if is_empty:
        yield Skip("not-the-same")


def _strongest_first(sentence: Sentence, ways: Iterable[Toggle | Skip]) -> Iterable[Toggle | Skip]:
    """Order the toggles so that those come first that make as strong a statement as the sentence.

    “Really good” is “not bad at all”, which says more than “not really bad”.
    """
    # Without an adverb no degree has to be preserved, and only the first toggle has to be computed.
    if "advmod" not in [token.dep_ for token in sentence.doc.tokens]:
        return ways
    return sorted(ways, key=lambda way: isinstance(way, Skip) or not way.reason.endswith(_EQUALLY_STRONG))


def _raised_toggles(
    sentence: Sentence, candidate: AntonymCandidate, contractions: ContractionStyle
) -> Iterator[Toggle]:
    """Yield the toggles that negate the verb of thinking: “I think that is good” → “I do not think that is bad”."""
    target = candidate.target
    verb = _clause_verb(target.token)
    above = verb.head
    if target.pos != "a" or verb.dep_ != "ccomp" or above.dep_ != "ROOT" or above.lemma_ not in NEG_RAISING_VERBS:
        return
    if any(child.dep_ == "neg" for child in (*above.children, *verb.children)):
        return
    swap = WordSwap(target.token, candidate.opposite.word, target.pos)
    for toggle in toggle_word(sentence, above, contractions=contractions, swap=swap):
        if isinstance(toggle, Toggle) and _is_consistent(sentence, candidate, toggle):
            yield toggle


@cached_on_doc
def swapped_toggles(
    sentence: Sentence, candidate: AntonymCandidate, contractions: ContractionStyle = "keep"
) -> Iterable[Toggle | Skip]:
    """Return the ways to negate or affirm the clause of a word while the word is replaced by its antonym."""
    return LazySequence(_swapped_toggles(sentence, candidate, contractions))


def _swapped_toggles(
    sentence: Sentence, candidate: AntonymCandidate, contractions: ContractionStyle
) -> Iterator[Toggle | Skip]:
    token, pos = candidate.target.token, candidate.target.pos
    swap = WordSwap(token, candidate.opposite.word, pos)
    is_local = pos == "a" and _is_negated_locally(token)
    for toggle in toggle_word(
        sentence, token if is_local else negation_site(token), contractions=contractions, swap=swap
    ):
        if isinstance(toggle, Skip):
            yield toggle
        elif not _is_consistent(sentence, candidate, toggle):
            yield Skip("not-sure", "the antonym and the negation do not fit together")
        # “awkward, but right”: a coordinated word needs a “not” of its own.
        elif not is_local or toggle.is_local or toggle.reason == "without not":
            yield toggle


def _is_consistent(sentence: Sentence, candidate: AntonymCandidate, toggle: Toggle) -> bool:
    """Return whether the patches do not overlap or split a word, contain the antonym and leave no polarity item."""
    ordered = sorted(toggle.patches)
    text = sentence.text
    previous_end = 0
    for start, end, new in ordered:
        if start < previous_end or (start == end and text[start - 1 : start].isalnum() and new[:1].isalpha()):
            return False
        previous_end = end
    if toggle.reason.startswith("without") and (" at all" in text or "never" in toggle.reason):
        return False
    inserted = " ".join([patch.new for patch in ordered]).lower()
    return any(form in inserted for form in _all_forms(candidate.opposite.word.partition(" ")[0], candidate.target.pos))


@lru_cache(maxsize=16_384)
def _all_forms(word: str, pos: str) -> frozenset[str]:
    return forms(word, pos) | {compared(word, "R"), compared(word, "S")} if pos in "ar" else forms(word, pos)


def negation_site(token: Token) -> Token:
    """Return the word to negate: “It's not going to be easy”, “I don't think that's a good idea”."""
    verb = _clause_verb(token)
    above = verb.head
    if above is verb or verb.dep_ not in {"xcomp", "ccomp"} or any(child.dep_ == "neg" for child in verb.children):
        return token
    if above.lower_ == "going" and verb.dep_ == "xcomp":
        return above
    is_raising = above.lemma_ in NEG_RAISING_VERBS or above.lemma_ in APPEARANCE_VERBS
    if is_raising and any(child.dep_ == "neg" for child in above.children):
        return above
    return token


def _clause_verb(token: Token) -> Token:
    """Return the verb of the clause that contains a word."""
    verb = token
    while verb.head is not verb and verb.pos_ not in {"VERB", "AUX"}:
        verb = verb.head
    return verb


def _draft(sentence: Sentence, candidate: AntonymCandidate, toggle: Toggle) -> Draft:
    text = patched(sentence.text, toggle.patches)
    kind = "contradictory" if is_contradictory(candidate.target.lemma, candidate.opposite.word) else "contrary"
    return Draft(text, reason=f"{candidate.reason}; {kind}; {toggle.reason}")


# Antonyms whose negation preserves the meaning


@cached_on_doc
def find_deniable_antonyms(
    sentence: Sentence, *, pos: WordClass, word: str | None
) -> Iterable[AntonymCandidate | Skip]:
    """Return the antonyms whose negation preserves the meaning, or all if the user chose the word or its class.

    Doubtful antonyms count only for words that have a sure one.
    """
    return LazySequence(_find_deniable_antonyms(sentence, pos, word))


def _find_deniable_antonyms(sentence: Sentence, pos: WordClass, word: str | None) -> Iterator[AntonymCandidate | Skip]:
    is_chosen = pos != "all" or word is not None
    deniable_indices: set[int] = set()
    for candidate in find_antonyms(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            continue
        index = candidate.target.token.i
        if is_chosen or ((candidate.is_sure or index in deniable_indices) and keeps_meaning(candidate)):
            deniable_indices.add(index)
            yield candidate


def keeps_meaning(candidate: AntonymCandidate) -> bool:
    """Return whether the negated antonym means the same as the word in its context."""
    target = candidate.target
    token = target.token
    if _is_in_scope_of_universal(token):
        return False
    if target.pos == "v":
        is_change = target.lemma in _REVERSIBLE_VERBS or target.lemma in _FEELING_VERBS
        return not is_change and is_contradictory(target.lemma, candidate.opposite.word)
    if target.pos == "n":
        return token.dep_ == "attr" and target.lemma in _EVALUATIVE_NOUNS
    # What is not the smallest need not be the largest.
    if target.pos != "a" or token.tag_ == "JJS" or target.lemma in _EXTREMES or _has_degree(token):
        return False
    if _is_negated_locally(token):
        return True
    if token.conjuncts:
        return False  # “not” would negate the other adjectives too
    return _is_predicative(token, target.lemma) if is_attributive(token) else token.dep_ in _PREDICATES


def _is_negated_locally(token: Token) -> bool:
    """Return whether “not” directly precedes an adjective: after its noun (“something right”), or coordinated."""
    if token.dep_ == "amod":
        return token.i > token.head.i
    return token.dep_ == "conj" and token.head.pos_ == "ADJ" and not is_attributive(token.head)


def _is_predicative(token: Token, lemma: str) -> bool:
    """Return whether an attributive adjective is the predicate: “It is a good idea”, “He is in a good mood”."""
    noun = token.head
    if lemma in _AMOUNTS:
        return noun.dep_ in {"attr", "dobj"}
    if lemma in _CLASSIFYING_ADJECTIVES and noun.dep_ != "attr":
        return False
    if noun.dep_ == "pobj":
        return noun.head.head.lemma_ == "be"
    if noun.dep_ == "attr":
        # “There are real problems” does not mean that there are no imaginary ones.
        return not any(child.dep_ == "expl" for child in noun.head.children)
    return noun.dep_ == "ROOT" or (noun.dep_ == "dobj" and noun.head.lemma_ in {"have", "get"})


def _has_degree(token: Token) -> bool:
    """Return whether an adjective is graded: “so cold” is more than “not so hot”; “a bit taller” has no negation."""
    return any(child.lower_ in _DEGREES or child.dep_ == "npadvmod" for child in token.lefts)


def _is_in_scope_of_universal(token: Token) -> bool:
    """Return whether the clause contains “all” or a similar word: “not all are” is weaker than “all are not”."""
    if _UNIVERSALS.isdisjoint(token.doc.lowers):
        return False
    for child in _clause_verb(token).children:
        if child.lower_ in _UNIVERSALS and child.i < token.i:
            return True
        if child.dep_ in {"nsubj", "nsubjpass"} and any(word.lower_ in _UNIVERSALS for word in child.lefts):
            return True
    return False
