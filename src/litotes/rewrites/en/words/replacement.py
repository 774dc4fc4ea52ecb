"""Putting another word into a token's place: its form, its capitals, its particle and its preposition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.lexicon.antonyms import usual_opposites
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import compared, in_place_of, lemmas
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.en.words.complements import complement_patches, places, preposition_of, verb_complement_patches
from litotes.rewrites.patches import Patch, delete, insert_after, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token
    from litotes.rewrites.base import Sentence

_TAGS = frozenset({"JJ", "VB", "NN", "RB"})
"""How the tags of words with content begin."""
ATTRIBUTIVE = frozenset({"amod", "nmod", "compound"})
_LIGHT = frozenset({"be", "have", "do", "get", "let", "make", "take", "go", "gon", "will", "shall", "'s"})
"""Verbs that carry little meaning of their own: another one in their place says something else altogether."""
_DEGREE = {"more": "R", "most": "S"}
# Comparatives of amounts have opposites of their own: “more” is no “many” that could become “few”.
_OWN_DEGREES = frozenset({"more", "most", "less", "least", "fewer", "fewest"})
_WITH_SAME = frozenset(["exactly", "just", "precisely", "much", "almost", "nearly", "virtually", "about", "all", "one"])
_HYPHENS = frozenset({"-", "/", "–"})
_NAMES = frozenset({"NNP", "NNPS"})
_BEHIND_VERB = frozenset({"prep", "advmod"})
_PARTICLES = frozenset({"up", "down", "out", "off", "away", "back", "over", "on", "in", "apart", "together"})

_DIRECTIONS = frozenset({"up", "down", "out", "off", "away", "over", "apart", "back"})

# Verbs that are one word with their preposition.
_WITH_PREPOSITION = frozenset(
    """account for|allow for|apply for|ask for|believe in|belong to|call for|call on|care about|care for
    come across|consist of|count on|cope with|deal with|depend on|die of|dispose of|dream of|get over|go through|hear of
    hope for|insist on|laugh at|lead to|listen to|live on|long for|look after|look at|look for|look into|object to
    pay for|point at|refer to|rely on|result in|run into|search for|see to|stand for|stare at|suffer from|talk about
    think about|think of|turn into|wait for|wish for""".replace("\n    ", "|").split("|")
)


class Content(NamedTuple):
    """A word of a sentence that another word may take the place of."""

    token: Token
    lemma: str
    """As the lexicon has it; a particle belongs to its verb: "give up"."""
    pos: str
    """n, v, a or r."""


def _any(_lemma: str, _pos: str) -> bool:
    return True


def content_words(sentence: Sentence, wanted: Callable[[str, str], bool] = _any) -> Iterator[Content]:
    """The words of a sentence that can be replaced, in its order; only those whose lemma and part of speech are wanted.

    Left out are auxiliaries and light verbs, parts of names and of hyphenated words, and fixed expressions.
    """
    for token in sentence.doc.tokens:
        if token.tag_[:2] not in _TAGS:
            continue
        pos = part_of_speech(token)
        # What is quickly told comes first: most words are not wanted, and need no closer look.
        if pos is None or (pos == "n" and not (wanted(token.lemma_.lower(), pos) or wanted(token.lower_, pos))):
            continue
        lemma = lemma_of(token, pos)
        if lemma is not None and wanted(lemma, pos) and _can_be_replaced(token, lemma, pos):
            yield Content(token, lemma, pos)


@cached_on_doc
def said(doc: Doc) -> frozenset[str]:
    """The words of a text, in small letters and as their lemmas: what stands there already is seldom chosen."""
    return doc.lowers.union([token.lemma_ for token in doc.tokens])


def is_content(token: Token) -> bool:
    """Whether a token is a word that can be replaced."""
    pos = part_of_speech(token)
    lemma = lemma_of(token, pos) if pos is not None else None
    return pos is not None and lemma is not None and _can_be_replaced(token, lemma, pos)


def _can_be_replaced(token: Token, lemma: str, pos: str) -> bool:
    return not (
        lemma in _LIGHT
        or _in_name(token)
        or _hyphenated(token)
        or in_fixed_expression(token)
        or (pos == "v" and _has_hidden_particle(token))
    )


def part_of_speech(token: Token) -> str | None:
    """n, v, a or r; None for a word without content. A participle is an adjective where it is used as one.

    >>> from litotes.languages.en.parser import parse
    >>> [part_of_speech(token) for token in parse("I was tired and quickly closed the door.")]
    [None, None, 'a', None, 'r', 'v', None, 'n', None]
    """
    tag = token.tag_
    kind = tag[:2]
    found: str | None = None
    if kind == "JJ":
        found = None if _is_event(token) else "a"
    elif kind == "VB" and token.lemma_ != "be" and token.dep_ not in {"aux", "auxpass"}:
        found = "a" if tag in {"VBN", "VBG"} and _is_adjectival(token) else "v"
    elif kind == "NN":
        found = None if tag in _NAMES else "n"
    elif kind == "RB" and (token.dep_ != "neg" or token.lower_ == "never"):
        # "I'm not well": an adjective, whatever the tagger thinks.
        return "a" if token.dep_ == "acomp" and _is_known(token.lower_, "a") else "r"
    return "a" if found in {"n", "v"} and _is_mistagged(token) else found


def lemma_of(token: Token, pos: str) -> str | None:
    """The word of the lexicon that a token is a form of; None where the lexicon knows none."""
    lower = token.lower_
    if pos == "v":
        particle = particle_of(token)
        lemma = token.lemma_.lower()
        verb = lemma if particle is None else f"{lemma} {particle.lower_}"
        return verb if _is_known(verb, "v") else None
    first = token.lemma_.lower() if pos == "n" else _short_form(lower, token.tag_)
    if _is_known(first, pos):
        return first
    return lower if first != lower and _is_known(lower, pos) else None


def particle_of(verb: Token) -> Token | None:
    """The word that makes one lemma with a verb: "up" in "give it up", "for" in "look for it"."""
    for child in verb.rights:
        dep = child.dep_
        if dep == "prt":
            return child
        if dep not in _BEHIND_VERB or child.i > verb.i + 1:
            continue
        phrase = f"{verb.lemma_} {child.lower_}"
        if phrase in _WITH_PREPOSITION if dep == "prep" else child.lower_ in _PARTICLES and _is_known(phrase, "v"):
            return child
    return None


def _has_hidden_particle(verb: Token) -> bool:
    """Whether the parser took a particle for a preposition: “They closed down the shop.”"""
    tokens, place = verb.doc.tokens, verb.i + 1
    if place == len(tokens):
        return False
    following = tokens[place]
    return (
        following.dep_ == "prep"
        and following.lower_ in _DIRECTIONS
        and _is_known(f"{verb.lemma_.lower()} {following.lower_}", "v")
    )


def is_attributive(token: Token) -> bool:
    """Whether an adjective stands before its noun."""
    return token.dep_ in ATTRIBUTIVE and token.head.i > token.i


def fits_place(marker: str, token: Token) -> bool:
    """Whether a word with that marker of the lexicon may stand where the token stands."""
    if marker == "p":
        return not is_attributive(token)
    if marker == "a":
        return is_attributive(token)
    return marker != "ip" or (token.dep_ in ATTRIBUTIVE and token.head.i < token.i)


@cached_on_doc
def substitution(token: Token, lemma: str, pos: str) -> tuple[Patch, ...] | None:
    """The patches that put a word into a token's place; None where it cannot stand there.

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
    if pos in {"a", "r"}:
        if pos == "a" and "same" in (lemma, token.lower_):
            return _same_patches(token, lemma)
        if pos == "a" and not _stands_there(token, lemma):
            return None
        patches = _compared_patches(token, lemma, pos)
        complement = complement_patches(token, lemma)
        if patches is None or complement is None:
            return None
        return (*_definite_patches(token, lemma), *patches, *complement)
    form = in_place_of(token, lemma, pos)
    return None if form is None else (replace(token, form),)


def _verb_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    old_particle = particle_of(token)
    if not token.tag_.startswith("VB"):
        return None
    head, _, rest = lemma.partition(" ")
    form = in_place_of(token, head, "v")
    if form is None:
        return None
    patches = [replace(token, form)]
    if old_particle is not None:
        patches.append(replace(old_particle, rest) if rest else delete(old_particle))
    elif rest:
        following = token.nbor(1) if token.i + 1 < len(token.doc) else token
        moved = rest in _PARTICLES and following.dep_ == "dobj" and following.pos_ == "PRON"
        patches.append(insert_after(following if moved else token, rest))
    return (*patches, *verb_complement_patches(token, lemma))


def _same_patches(token: Token, lemma: str) -> tuple[Patch, ...] | None:
    """“Same” comes with “the”, and goes with it: “the same thing” ↔ “a different thing”, “the same” ↔ “different”."""
    before = token.nbor(-1) if token.i else None
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    compared_with: tuple[Patch, ...] = ()
    if following is not None and following.lower_ in {"as", "from", "than"}:
        own = "as" if lemma == "same" else preposition_of(lemma) or "from"
        # “the same as that” → “different from that”, “unlike that”
        compared_with = (delete(following) if own == "0" else replace(following, own),)
    elif following is not None and following.dep_ == "prep":
        return None
    noun = token.head if is_attributive(token) else None
    found = _to_same(token, before, noun) if lemma == "same" else _from_same(token, lemma, before, noun)
    return None if found is None else (*found, *compared_with)


def _to_same(token: Token, before: Token | None, noun: Token | None) -> tuple[Patch, ...] | None:
    if before is not None and before.dep_ == "det" and before.lower_ in {"a", "an", "the"}:
        return (replace(before, cased(before, "the")), replace(token, "same"))
    if noun is not None or (before is not None and before.dep_ == "advmod"):
        return None
    return (replace(token, cased(token, "the same")),)


def _from_same(token: Token, lemma: str, before: Token | None, noun: Token | None) -> tuple[Patch, ...] | None:
    if before is None or before.lower_ != "the" or (before.i and before.nbor(-1).lower_ in _WITH_SAME):
        return None
    if noun is not None and any(one.lower_ in {"as", "that", "who"} for one in noun.doc[noun.i + 1 : noun.i + 3]):
        return None
    if lemma == "other":
        return (replace(token, cased(token, lemma)),)
    if noun is not None and noun.tag_ == "NN":
        return (replace(before, cased(before, "a")), replace(token, lemma))
    return (delete(before), replace(token, cased(before, lemma)))


def _definite_patches(token: Token, lemma: str) -> tuple[Patch, ...]:
    """There are many wrong answers, and one right one: “a wrong answer” → “the right answer”."""
    before = token.nbor(-1) if token.i else None
    if lemma == "right" and before is not None and before.dep_ == "det" and before.lower_ in {"a", "an"}:
        return (replace(before, cased(before, "the")),)
    return ()


def _compared_patches(token: Token, lemma: str, pos: str) -> tuple[Patch, ...] | None:
    """The adjective or adverb in the degree of the one whose place it takes: "more polite" → "ruder"."""
    if token.tag_ in {"VBN", "VBG"} or lemma in _OWN_DEGREES or token.text == "OK":
        form: str | None = cased(token, lemma)
    else:
        form = in_place_of(token, lemma, pos)
    if form is None:
        return None
    more = degree_word(token)
    if more is None:
        return (replace(token, form),)
    short = compared(lemma, _DEGREE[more.lower_])
    if " " in short or lemma.startswith("un"):
        return (replace(token, form),)
    # Two patches, so that others may still put a word between them.
    return (delete(more), replace(token, cased(more, short)))


def degree_word(token: Token) -> Token | None:
    """The "more" or "most" right before an adjective or adverb, where it compares that word alone."""
    if token.i == 0 or token.tag_[-1:] in {"R", "S"}:
        return None
    before = token.nbor(-1)
    if before.lower_ not in _DEGREE or before.head.i != token.i or before.dep_ != "advmod" or not before.whitespace_:
        return None
    # "more and more polite", "more polite and friendly": it belongs to more than this word.
    if any(child.dep_ in {"conj", "cc"} for child in (*before.children, *token.children)):
        return None
    return before


def cased(token: Token, word: str) -> str:
    """The word with the token's capitals."""
    return cased_like("ok" if token.text == "OK" else token.text, word)


def _stands_there(token: Token, lemma: str) -> bool:
    markers = _markers(lemma)
    return "" in markers or any(fits_place(marker, token) for marker in markers)


@lru_cache(maxsize=16_384)
def _markers(lemma: str) -> frozenset[str]:
    known = places().get(lemma)
    if known and known.marker not in {"", "v"}:
        return frozenset({known.marker})
    return frozenset(sense.marker for sense in default_lexicon().senses(lemma, "a")) or frozenset({""})


def _is_adjectival(token: Token) -> bool:
    """Whether a participle is used as an adjective that the lexicon knows: "I'm tired", "a boring book"."""
    if not _is_known(token.lower_, "a"):
        return False
    if token.dep_ in {"amod", "acomp"}:
        return not any(child.dep_ in {"dobj", "agent", "prt"} for child in token.children)
    if token.tag_ != "VBN":
        return False
    be = False
    for child in token.children:
        if child.dep_ in {"agent", "prt", "dobj"}:
            return False
        if child.dep_ in {"aux", "auxpass"}:
            # "has been closed", "is being closed": an event, not a state.
            if child.lemma_ != "be" or child.lower_ in {"been", "being"}:
                return False
            be = True
    return be


def _is_event(token: Token) -> bool:
    """Whether what the tagger takes for an adjective is a passive: “is being drunk by a cat”."""
    for child in token.children:
        if child.dep_ == "agent" or child.lower_ == "being":
            return True
    if not token.text.endswith(("ed", "en", "unk", "own", "ung")):
        return False
    tokens, place = token.doc.tokens, token.i + 1
    return place < len(tokens) and tokens[place].lower_ == "by"


def _is_mistagged(token: Token) -> bool:
    """Whether what the tagger takes for a noun or a verb after “be” is an adjective: “It's indecent.”"""
    word, dep = token.lower_, token.dep_
    if dep == "acomp" and token.tag_ == "NN":
        return _is_known(word, "a")
    # Its place is looked at first: that takes no look-up of a word.
    if dep != "compound" and token.head.lemma_ != "be":
        for child in token.children:
            if child.lemma_ == "be":
                break
        else:
            return False
    return _is_known(word, "a") and not (_is_known(word, "n") or _is_known(token.lemma_.lower(), "v"))


def _short_form(lower: str, tag: str) -> str:
    """The positive of a comparative: "happier" → "happy"."""
    return lemmas(lower, "a")[0] if tag[-1:] in {"R", "S"} and lower not in _OWN_DEGREES else lower


@lru_cache(maxsize=16_384)
def _is_known(word: str, pos: str) -> bool:
    return default_lexicon().knows(word, pos) or bool(usual_opposites(word, pos))


def _in_name(token: Token) -> bool:
    """Whether a word is (part of) a name: a capital inside a sentence, or a name beside it."""
    text = token.text
    if token.pos_ == "PROPN" or token.like_url or "@" in text:
        return True
    if token.is_sent_start or not text[0].isupper() or text.isupper():
        return False
    before = token.nbor(-1).text if token.i else ""
    return before not in {'"', "“", "‘", "'", "(", ":", "-", "—", "–", "*", "..."}


def _hyphenated(token: Token) -> bool:
    """Whether a word is one part of a compound such as "well-known" or "and/or"."""
    tokens, place = token.doc.tokens, token.i
    if not token.whitespace_ and place + 1 < len(tokens) and tokens[place + 1].text in _HYPHENS:
        return place + 2 < len(tokens) and not tokens[place + 1].whitespace_
    if place and not tokens[place - 1].whitespace_ and tokens[place - 1].text in _HYPHENS:
        return place > 1 and not tokens[place - 2].whitespace_
    return False
