"""The words of a sentence that can be replaced: their part of speech, lemma and particle, and their salience."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en import quantifiers
from litotes.languages.en.function_words import DIRECTION_PARTICLES
from litotes.languages.en.lexicon.antonyms import usual_opposites
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.syntax.tags import ATTRIBUTE_DEPS, AUXILIARY_DEPS, PREDICATIVE_DEPS, PROPER_NOUN_TAGS
from litotes.languages.en.verbs import LIGHT_VERBS, PREPOSITIONAL_VERBS
from litotes.languages.tree import Doc, Token, cached_on_doc
from litotes.rewrites.base import Sentence, refuse_if

WordClass: TypeAlias = Literal["all", "adjective", "verb", "adverb", "noun"]
"""The words that a rule may replace."""
POS_LETTERS = {"adjective": "a", "verb": "v", "adverb": "r", "noun": "n"}
COMPARED_AMOUNTS = quantifiers.COMPARATIVE_AMOUNTS | quantifiers.SUPERLATIVE_AMOUNTS | {"fewest"}
"""Comparatives that have antonyms of their own: “more” is not replaced like a form of “many”."""
PARTICLES = DIRECTION_PARTICLES | {"on", "in", "apart", "together"}

_CONTENT_TAGS = frozenset({"JJ", "VB", "NN", "RB"})
"""The first two letters of the tags of content words."""
_VERBS_WITHOUT_SYNONYMS = LIGHT_VERBS | {"be", "let", "gon", "will", "shall", "'s"}
_HYPHENS = frozenset({"-", "/", "–"})
_BEFORE_CAPITAL = frozenset({'"', "“", "‘", "'", "(", ":", "-", "—", "–", "*", "..."})
"""Punctuation after which a capital does not mark a name."""


class ContentWord(NamedTuple):
    """A word of a sentence that can be replaced."""

    token: Token
    lemma: str
    """The lemma in the lexicon; includes the particle of a phrasal verb: "give up"."""
    pos: str
    """n, v, a or r."""


def _is_any(_lemma: str, _pos: str) -> bool:
    return True


def content_words(sentence: Sentence, accepts: Callable[[str, str], bool] = _is_any) -> Iterator[ContentWord]:
    """Yield the replaceable words of a sentence, in order, that a filter accepts by lemma and part of speech.

    Auxiliaries, light verbs, parts of names and hyphenated words, and fixed expressions are not replaceable.
    """
    for token in sentence.doc.tokens:
        if token.tag_[:2] not in _CONTENT_TAGS:
            continue
        pos = part_of_speech(token)
        # Cheap tests first: most words are not accepted.
        if pos is None or (pos == "n" and not (accepts(token.lemma_.lower(), pos) or accepts(token.lower_, pos))):
            continue
        lemma = lexicon_lemma(token, pos)
        if lemma is not None and accepts(lemma, pos) and _is_replaceable(token, lemma, pos):
            yield ContentWord(token, lemma, pos)


@cached_on_doc
def forms_and_lemmas(doc: Doc) -> frozenset[str]:
    """Return the words of a text in lower case, and their lemmas; rules rarely insert a word that is there already."""
    return doc.lowers.union([token.lemma_ for token in doc.tokens])


def chosen_tokens(sentence: Sentence, word: str) -> list[Token]:
    """Return the occurrences of a word that the user chose; refuse if there are none."""
    tokens = [token for token in sentence.doc if token.lower_ == word.strip().lower()]
    refuse_if(not tokens, "word-not-found", f"“{word}” is not in the sentence")
    return tokens


def is_replaceable(token: Token) -> bool:
    """Return whether a token is a content word that can be replaced."""
    pos = part_of_speech(token)
    lemma = lexicon_lemma(token, pos) if pos is not None else None
    return pos is not None and lemma is not None and _is_replaceable(token, lemma, pos)


def _is_replaceable(token: Token, lemma: str, pos: str) -> bool:
    return not (
        lemma in _VERBS_WITHOUT_SYNONYMS
        or _is_in_name(token)
        or _is_hyphenated(token)
        or in_fixed_expression(token)
        or (pos == "v" and _has_misparsed_particle(token))
    )


def part_of_speech(token: Token) -> str | None:
    """Return n, v, a or r, or None for a function word. Participles that are used as adjectives are adjectives.

    >>> from litotes.languages.en.parser import parse
    >>> [part_of_speech(token) for token in parse("I was tired and quickly closed the door.")]
    [None, None, 'a', None, 'r', 'v', None, 'n', None]
    """
    tag = token.tag_
    prefix = tag[:2]
    pos: str | None = None
    if prefix == "JJ":
        pos = None if _is_event(token) else "a"
    elif prefix == "VB" and token.lemma_ != "be" and token.dep_ not in AUXILIARY_DEPS:
        pos = "a" if tag in {"VBN", "VBG"} and _is_adjectival(token) else "v"
    elif prefix == "NN":
        pos = None if tag in PROPER_NOUN_TAGS else "n"
    elif prefix == "RB" and (token.dep_ != "neg" or token.lower_ == "never"):
        # "I'm not well" is an adjective, even if it is tagged as an adverb.
        return "a" if token.dep_ == "acomp" and _is_known(token.lower_, "a") else "r"
    return "a" if pos in {"n", "v"} and _is_mistagged_adjective(token) else pos


def lexicon_lemma(token: Token, pos: str) -> str | None:
    """Return the lemma of a token in the lexicon, or None if the lexicon does not contain the word."""
    lower = token.lower_
    if pos == "v":
        particle = particle_of(token)
        lemma = token.lemma_.lower()
        verb = lemma if particle is None else f"{lemma} {particle.lower_}"
        return verb if _is_known(verb, "v") else None
    lemma = token.lemma_.lower() if pos == "n" else _positive(lower, token.tag_)
    if _is_known(lemma, pos):
        return lemma
    return lower if lemma != lower and _is_known(lower, pos) else None


def particle_of(verb: Token) -> Token | None:
    """Return the particle or preposition of a verb: "up" in "give it up", "for" in "look for it"."""
    for child in verb.rights:
        dep = child.dep_
        if dep == "prt":
            return child
        if dep not in {"prep", "advmod"} or child.i > verb.i + 1:
            continue
        phrase = f"{verb.lemma_} {child.lower_}"
        if phrase in PREPOSITIONAL_VERBS if dep == "prep" else child.lower_ in PARTICLES and _is_known(phrase, "v"):
            return child
    return None


def _has_misparsed_particle(verb: Token) -> bool:
    """Return whether the parser took a particle for a preposition: “They closed down the shop.”"""
    following = verb.next
    return (
        following is not None
        and following.dep_ == "prep"
        and following.lower_ in DIRECTION_PARTICLES | {"apart"}
        and _is_known(f"{verb.lemma_.lower()} {following.lower_}", "v")
    )


def is_attributive(token: Token) -> bool:
    """Return whether an adjective precedes its noun."""
    return token.dep_ in ATTRIBUTE_DEPS and token.head.i > token.i


def _is_adjectival(token: Token) -> bool:
    """Return whether a participle is used as an adjective that the lexicon knows: "I'm tired", "a boring book"."""
    if not _is_known(token.lower_, "a"):
        return False
    if token.dep_ in {"amod", "acomp"}:
        return not token.has_child("dobj", "agent", "prt")
    if token.tag_ != "VBN":
        return False
    has_be = False
    for child in token.children:
        if child.dep_ in {"agent", "prt", "dobj"}:
            return False
        if child.dep_ in AUXILIARY_DEPS:
            # "has been closed", "is being closed": an event, not a state.
            if child.lemma_ != "be" or child.lower_ in {"been", "being"}:
                return False
            has_be = True
    return has_be


def _is_event(token: Token) -> bool:
    """Return whether a word that is tagged as an adjective is a passive: “is being drunk by a cat”."""
    if any(child.dep_ == "agent" or child.lower_ == "being" for child in token.children):
        return True
    return token.text.endswith(("ed", "en", "unk", "own", "ung")) and token.next_word == "by"


def _is_mistagged_adjective(token: Token) -> bool:
    """Return whether a word after “be” that is tagged as a noun or a verb is an adjective: “It's indecent.”"""
    word, dep = token.lower_, token.dep_
    if dep == "acomp" and token.tag_ == "NN":
        return _is_known(word, "a")
    # The position is tested first, because the lexicon is slower.
    if dep != "compound" and token.head.lemma_ != "be" and all(child.lemma_ != "be" for child in token.children):
        return False
    return _is_known(word, "a") and not (_is_known(word, "n") or _is_known(token.lemma_.lower(), "v"))


def _positive(lower: str, tag: str) -> str:
    """Return the positive of a comparative or superlative: "happier" → "happy"."""
    return lemmas(lower, "a")[0] if tag[-1:] in {"R", "S"} and lower not in COMPARED_AMOUNTS else lower


@lru_cache(maxsize=16_384)
def _is_known(word: str, pos: str) -> bool:
    return default_lexicon().knows(word, pos) or bool(usual_opposites(word, pos))


def _is_in_name(token: Token) -> bool:
    """Return whether a word is a name or a part of one, judged by its tag or its capital inside a sentence."""
    text = token.text
    if token.pos_ == "PROPN" or token.like_url or "@" in text:
        return True
    return (
        not token.is_sent_start
        and text[0].isupper()
        and not text.isupper()
        and token.previous_word not in _BEFORE_CAPITAL
    )


def _is_hyphenated(token: Token) -> bool:
    """Return whether a word is one part of a compound such as "well-known" or "and/or"."""
    following, before = token.next, token.previous
    if not token.whitespace_ and following is not None and following.text in _HYPHENS:
        return following.next is not None and not following.whitespace_
    if before is None or before.whitespace_ or before.text not in _HYPHENS:
        return False
    return before.previous is not None and not before.previous.whitespace_


_EMPTY_VERBS = LIGHT_VERBS | word_set("be let come give put gon wan got ai need")
_EMPTY_NOUNS = word_set("thing way lot kind sort one bit something anything nothing")
_EMPTY_ADJECTIVES = (
    quantifiers.IDENTITY_WORDS
    | quantifiers.ORDINALS
    | quantifiers.LARGE_AMOUNTS
    | word_set("few several such own second whole")
)
_JOINING = frozenset("-–/@#_'’*&=")
"""Characters that join a token to the one before it."""


def salient_words(sentence: Sentence) -> Iterator[Token]:
    """Yield the content words that rules may change, the most salient first: the main predicate before the rest.

    >>> from litotes.languages.en.parser import parse
    >>> from litotes.rewrites.base import Sentence
    >>> list(salient_words(Sentence(parse("The old man was very angry because Tom had sold the house."))))
    [angry, old, sold, man, house]
    """
    return filter(is_plain_word, _words_by_salience(sentence))


@cached_on_doc
def _words_by_salience(sentence: Sentence) -> list[Token]:
    ranked = []
    for token in sentence.doc.tokens:
        rank_of = _RANKS.get(token.pos_)
        rank = rank_of(token) if rank_of is not None else None
        if rank is not None:
            ranked.append((rank, token.i, token))
    ranked.sort()
    return [token for _, _, token in ranked]


def is_plain_word(token: Token) -> bool:
    """Return whether a token is not a name, a number, an address, in capitals or part of a compound."""
    text = token.text
    if not text.isalpha() or not text.isascii() or token.like_num or token.pos_ == "PROPN":
        return False
    if not text.islower() and not (text.istitle() and _begins_sentence(token)):
        return False
    tokens, index = token.doc.tokens, token.i
    if index and not tokens[index - 1].whitespace_ and tokens[index - 1].text[-1] in _JOINING:
        return False
    after = tokens[index + 1].text if index + 1 < len(tokens) and not token.whitespace_ else ""
    return not after or (after[0] not in "-–/@#_*&=" and not after[0].isalnum() and after.lower() not in {"n't", "n’t"})


def _begins_sentence(token: Token) -> bool:
    """Return whether a capital may be that of a sentence or quotation, not of a name."""
    before = token.previous
    return before is None or token.is_sent_start or not (before.text[-1].isalnum() or before.text in {",", ";"})


# The rank of a word, 0 for the most salient; None for a word without content.


def _adjective_rank(token: Token) -> float | None:
    if token.lower_ in _EMPTY_ADJECTIVES:
        return None
    dep = token.dep_
    if dep not in PREDICATIVE_DEPS and dep != "ROOT":
        return 2.5
    return 0 if dep == "ROOT" or token.head.dep_ == "ROOT" else 2


def _verb_rank(token: Token) -> float | None:
    dep = token.dep_
    if dep in AUXILIARY_DEPS or token.lemma_.lower() in _EMPTY_VERBS:
        return None
    return 1 if dep == "ROOT" else 3


def _noun_rank(token: Token) -> float | None:
    if token.lower_ in _EMPTY_NOUNS:
        return None
    return 4 if token.head.dep_ == "ROOT" else 5


def _adverb_rank(token: Token) -> float | None:
    return 6 if token.lower_.endswith("ly") else None


_RANKS: dict[str, Callable[[Token], float | None]] = {
    "ADJ": _adjective_rank,
    "VERB": _verb_rank,
    "NOUN": _noun_rank,
    "ADV": _adverb_rank,
}
