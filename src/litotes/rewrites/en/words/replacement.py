"""Replacing a word by another one: inflection, capitals, particles, prepositions and articles are adapted."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import compared, inflect_like
from litotes.languages.en.nouns import noun_supersense
from litotes.languages.en.pronouns import INDEFINITE_ARTICLES
from litotes.languages.en.syntax.tags import ATTRIBUTE_DEPS
from litotes.languages.en.word_lists import data_rows, word_list
from litotes.languages.tree import Token, cached_on_doc, has_word
from litotes.rewrites.en.words.content_words import COMPARED_AMOUNTS, PARTICLES, is_attributive, particle_of
from litotes.rewrites.patches import Patch, delete, insert_after, replace

_DEGREE_WORDS = {"more": "R", "most": "S"}
_MODIFIERS_OF_SAME = frozenset(
    {"exactly", "just", "precisely", "much", "almost", "nearly", "virtually", "about", "all", "one"}
)
_CERTAIN = frozenset({"sure", "certain", "confident", "positive"})
_UNCERTAIN = frozenset({"unsure", "uncertain"})
_TIMES = word_list("times")
_PLACE_SUPERSENSES = frozenset({"artifact", "group", "location", "object"})


class _Complementation(NamedTuple):
    """A row of the table of complements."""

    marker: str
    """`a` for adjectives that only precede their noun, `p` for predicative ones, `-` for others, `v` for verbs."""
    preposition: str
    """The preposition of the complement; "-" for no complement, "0" for an object without a preposition."""


@cache
def _complementations() -> dict[str, _Complementation]:
    rows = (row.split("\t") for row in data_rows("word_positions.tsv"))
    return {word: _Complementation(marker, preposition) for word, marker, preposition in rows}


def _preposition_of(word: str, pos: str) -> str:
    """Return the preposition of an adjective or a verb in the table, or "" if it is not listed."""
    row = _complementations().get(word)
    return row.preposition if row and (row.marker == "v") == (pos == "v") else ""


@cached_on_doc
def substitution(token: Token, lemma: str, pos: str) -> tuple[Patch, ...] | None:
    """Return the patches that replace a token by another word, or None if the word does not fit there.

    >>> from litotes.languages.en.parser import parse
    >>> from litotes.rewrites.patches import patched
    >>> doc = parse("A more beautiful house is similar to this.")
    >>> patched(doc.text, substitution(doc[2], "ugly", "a"))
    'An uglier house is similar to this.'
    >>> patched(doc.text, substitution(doc[5], "different", "a"))
    'A more beautiful house is different from this.'
    """
    if pos == "v":
        return _verb_patches(token, lemma)
    if pos == "n":
        form = inflect_like(token, lemma, pos)
        return None if form is None else (replace(token, form),)
    if pos == "a" and "same" in (lemma, token.lower_):
        return _same_patches(token, lemma)
    if pos == "a" and not any(fits_marker(marker, token) for marker in _markers(lemma)):
        return None
    patches = _degree_patches(token, lemma, pos)
    complement = _adjective_complement_patches(token, lemma)
    if patches is None or complement is None:
        return None
    return (*_definite_patches(token, lemma), *patches, *complement)


def fits_marker(marker: str, token: Token) -> bool:
    """Return whether an adjective with this marker in the lexicon can replace a token.

    The markers are `p` (predicate), `a` (before the noun), `ip` (after the noun) and "" (anywhere).
    """
    if marker == "p":
        return not is_attributive(token)
    if marker == "a":
        return is_attributive(token)
    return marker != "ip" or (token.dep_ in ATTRIBUTE_DEPS and token.head.i < token.i)


@lru_cache(maxsize=16_384)
def _markers(lemma: str) -> frozenset[str]:
    row = _complementations().get(lemma)
    if row and row.marker not in {"", "v"}:
        return frozenset({row.marker})
    return frozenset(sense.marker for sense in default_lexicon().senses(lemma, "a")) or frozenset({""})


def _cased(token: Token, word: str) -> str:
    return cased_like("ok" if token.text == "OK" else token.text, word)


# Verbs


def _verb_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    if not token.tag_.startswith("VB"):
        return None
    head, _, new_particle = lemma.partition(" ")
    form = inflect_like(token, head, "v")
    if form is None:
        return None
    patches = [replace(token, form)]
    particle = particle_of(token)
    if particle is not None:
        patches.append(replace(particle, new_particle) if new_particle else delete(particle))
    elif new_particle:
        following = token.next
        follows_pronoun = following is not None and following.dep_ == "dobj" and following.pos_ == "PRON"
        host = following if following is not None and follows_pronoun and new_particle in PARTICLES else token
        patches.append(insert_after(host, new_particle))
    return (*patches, *_verb_complement_patches(token, lemma))


def _verb_complement_patches(token: Token, lemma: str) -> tuple[Patch, ...]:
    """Replace the preposition of the old verb by that of the new one: “add salt to it” → “remove salt from it”."""
    old, new = _preposition_of(token.lemma_, "v"), _preposition_of(lemma, "v")
    if not old or not new:
        return ()
    for child in token.subtree if new != "0" else token.rights:
        if child.dep_ in {"prep", "dative"} and child.i > token.i and child.lower_ in old.split("|"):
            if new != "0":
                return (replace(child, new),)
            # “at the station”, but not “at 2:30” or “in May”.
            return (delete(child),) if any(_is_location(noun) for noun in child.children) else ()
    return ()


def _is_location(noun: Token) -> bool:
    if noun.pos_ == "PROPN":
        return noun.lower_ not in _TIMES
    return noun_supersense(noun) in _PLACE_SUPERSENSES


# Adjectives and adverbs


def _degree_patches(token: Token, lemma: str, pos: str) -> tuple[Patch, ...] | None:
    """Replace an adjective or adverb by another one of the same degree: "more polite" → "ruder"."""
    if token.tag_ in {"VBN", "VBG"} or lemma in COMPARED_AMOUNTS or token.text == "OK":
        form: str | None = _cased(token, lemma)
    else:
        form = inflect_like(token, lemma, pos)
    if form is None:
        return None
    degree_word = _degree_word(token)
    if degree_word is None:
        return (replace(token, form),)
    short = compared(lemma, _DEGREE_WORDS[degree_word.lower_])
    if " " in short or lemma.startswith("un"):
        return (replace(token, form),)
    # Two patches, so that other patches can still insert a word between them.
    return (delete(degree_word), replace(token, _cased(degree_word, short)))


def _degree_word(token: Token) -> Token | None:
    """Return the "more" or "most" before an adjective or adverb if it modifies that word alone."""
    word = token.previous
    if word is None or token.tag_[-1:] in {"R", "S"} or word.lower_ not in _DEGREE_WORDS or not word.whitespace_:
        return None
    if word.head is not token or word.dep_ != "advmod":
        return None
    # "more and more polite", "more polite and friendly"
    if any(child.dep_ in {"conj", "cc"} for child in (*word.children, *token.children)):
        return None
    return word


def _definite_patches(token: Token, lemma: str) -> tuple[Patch, ...]:
    """“A wrong answer” → “the right answer”: many answers are wrong, but only one is right."""
    article = token.previous
    if lemma == "right" and article is not None and article.dep_ == "det" and article.lower_ in INDEFINITE_ARTICLES:
        return (replace(article, _cased(article, "the")),)
    return ()


def _adjective_complement_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    """Adapt the complement to the new adjective; return None if the new adjective cannot take it."""
    if token.lower_ in _UNCERTAIN and lemma in _CERTAIN:
        # “unsure if she knows” → “sure she knows”
        following = token.next
        return (delete(following),) if following is not None and following.lower_ in {"if", "whether"} else ()
    complement = next((child for child in token.rights if child.dep_ in {"prep", "xcomp", "ccomp"}), None)
    preposition = _preposition_of(lemma, "a")
    if complement is None:
        # “They are different”, but not “They are like”.
        return None if preposition == "0" and token.dep_ not in ATTRIBUTE_DEPS else ()
    if not preposition:
        return ()
    if preposition == "-":
        return None
    is_replaceable = complement.dep_ == "prep" and complement.lower_ == _preposition_of(token.lower_, "a")
    if preposition == "0":
        return (delete(complement),) if is_replaceable else None
    return (replace(complement, preposition),) if is_replaceable and complement.lower_ != preposition else ()


# “Same” needs “the”: “the same thing” ↔ “a different thing”, “the same” ↔ “different”


def _same_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    before, following = token.previous, token.next
    comparison: tuple[Patch, ...] = ()
    if following is not None and following.lower_ in {"as", "from", "than"}:
        # “the same as that” → “different from that”, “unlike that”
        preposition = "as" if lemma == "same" else _preposition_of(lemma, "a") or "from"
        comparison = (delete(following) if preposition == "0" else replace(following, preposition),)
    elif following is not None and following.dep_ == "prep":
        return None
    noun = token.head if is_attributive(token) else None
    patches = _to_same(token, before, noun) if lemma == "same" else _from_same(token, lemma, before, noun)
    return None if patches is None else (*patches, *comparison)


def _to_same(token: Token, before: Token | None, noun: Token | None) -> tuple[Patch, ...] | None:
    if before is not None and before.dep_ == "det" and before.lower_ in INDEFINITE_ARTICLES | {"the"}:
        return (replace(before, _cased(before, "the")), replace(token, "same"))
    if noun is not None or (before is not None and before.dep_ == "advmod"):
        return None
    return (replace(token, _cased(token, "the same")),)


def _from_same(token: Token, lemma: str, before: Token | None, noun: Token | None) -> tuple[Patch, ...] | None:
    if before is None or before.lower_ != "the" or (before.previous_word in _MODIFIERS_OF_SAME):
        return None
    if noun is not None and has_word(noun.doc[noun.i + 1 : noun.i + 3], {"as", "that", "who"}):
        return None
    if lemma == "other":
        return (replace(token, _cased(token, lemma)),)
    if noun is not None and noun.tag_ == "NN":
        return (replace(before, _cased(before, "a")), replace(token, lemma))
    return (delete(before), replace(token, _cased(before, lemma)))
