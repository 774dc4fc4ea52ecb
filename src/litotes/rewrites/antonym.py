"""Antonym: another word that says the opposite, in the place of one word of the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from litotes.language.opposites import (
    Opposite,
    is_affixal,
    is_main_pair,
    is_rare,
    is_seldom_meant,
    lexicon_opposites,
    usual_opposites,
)
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.kept import Kept
from litotes.rewrites.patches import Patch, patched
from litotes.rewrites.words.antonym_context import Context, describes_noun, has_that_clause, tells_sense
from litotes.rewrites.words.lexical import Content, content_words, fits_place, is_attributive, substitution

if TYPE_CHECKING:
    from litotes.language.tree import Token

PartOfSpeech: TypeAlias = Literal["all", "adjective", "verb", "adverb", "noun"]
_LETTERS = {"adjective": "a", "verb": "v", "adverb": "r", "noun": "n"}
_CLAUSE_DEPS = frozenset({"ccomp", "advcl", "relcl", "acl", "xcomp", "pcomp", "csubj", "parataxis"})
_DEPS = {
    "a": frozenset(
        {"amod", "acomp", "ROOT", "conj", "oprd", "ccomp", "xcomp", "attr", "advcl", "relcl", "acl", "compound"}
    ),
    "n": frozenset({"attr", "dobj", "pobj", "nsubj", "nsubjpass"}),
}
"""What an adjective or a noun must be in the sentence: others are names, calls or parts of other words."""
_NO_VERB = frozenset({"amod", "compound", "nmod", "npadvmod", "nsubj", "dobj", "pobj", "attr", "appos"})
_FREQUENCY = frozenset({"always", "never", "often", "rarely", "seldom", "still", "usually"})
_AMOUNTS = frozenset({"many", "much", "few", "more", "less", "fewer", "little", "first", "last", "white", "black"})
_DOUBTFUL_EACH = 12

ANTONYM_SKIPS = {
    "no-antonym": "no word in it has an opposite",
    "unsure": "its words have opposites, but none that would surely fit here",
    "no-such-word": "the chosen word is not in it, or cannot be replaced",
}


class Candidate(NamedTuple):
    """An opposite for a word of the sentence."""

    content: Content
    opposite: Opposite
    patches: tuple[Patch, ...]
    sure: bool
    """Whether it can be relied upon."""


@rule("antonym", effect="opposite", needs=("parse", "lexicon", "inflection"), skips=ANTONYM_SKIPS)
def antonym(sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None) -> Iterator[Outcome]:
    """Put the opposite of a word in its place: “That is good.” → “That is bad.”"""
    found = False
    for candidate in candidates(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            yield candidate
            continue
        found = True
        text = patched(sentence.text, candidate.patches)
        yield Draft(text, reason=told(candidate))
    if not found and word is not None:
        yield Skip("no-such-word")


def told(candidate: Candidate) -> str:
    """Which word, and why this opposite."""
    return f"“{candidate.content.lemma}”: {candidate.opposite.reason}"


def candidates(sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None) -> Iterable[Candidate | Skip]:
    """The opposites of a sentence's words, best first.

    Those that can be relied upon come first, the most telling word before the others; the rest follow only if there
    is one of them, or if the user chose the word or its part of speech.
    """
    memory = sentence.doc.memory
    key = ("opposites", pos, word)
    if key not in memory:
        memory[key] = Kept(_candidates(sentence, pos, word))
    found: Kept[Candidate | Skip] = memory[key]
    return found


def _candidates(sentence: Sentence, pos: PartOfSpeech, word: str | None) -> Iterator[Candidate | Skip]:
    letter = _LETTERS.get(pos)
    asked = letter is not None or word is not None
    sure: list[tuple[float, list[Candidate]]] = []
    known: list[Known] = []
    for content in content_words(sentence, _has_any if asked else _has_usual):
        if (letter is not None and content.pos != letter) or (word is not None and not _is_word(content, word)):
            continue
        about = _known(content, asked=asked)
        if about is None:
            continue
        known.append(about)
        relied = _relied(about)
        if relied:
            sure.append((telling(content) + (relied[0].opposite.kind != "usual"), relied))
    if not sure and not asked:
        yield Skip("unsure" if known else "no-antonym")
        return
    found = False
    for _, some in sorted(sure, key=_by_place):
        yield from some
        found = True
    # Only now the rest, and only if somebody reads on: of all words what is near before what is far-fetched.
    known.sort(key=lambda about: telling(about.content))
    rest = [(about, _others(about, asked=asked)) for about in known]
    for is_far in (False, True):
        for about, others in rest:
            for candidate in _fitting(about, [one for far, one in others if (far > 1) == is_far], sure=False):
                yield candidate
                found = True
    if not found:
        yield Skip("no-antonym")


@lru_cache(maxsize=16_384)
def _has_any(lemma: str, pos: str) -> bool:
    """Whether the table or the lexicon has an opposite of a word."""
    return bool(usual_opposites(lemma, pos) or lexicon_opposites(lemma, pos))


def _has_usual(lemma: str, pos: str) -> bool:
    """The same, but of a noun the table alone is asked."""
    return bool(usual_opposites(lemma, pos)) if pos == "n" else _has_any(lemma, pos)


class Known(NamedTuple):
    """What is known of the opposites of a word in its place."""

    content: Content
    usual: tuple[str, ...]
    """Those of the table that hold here."""
    lexical: tuple[Opposite, ...]
    """Those of the lexicon."""
    free: bool
    """Whether the lexicon's can be relied upon: the table does not speak of the word, nothing speaks against it."""
    near: frozenset[str]
    """The words around it: an opposite that stands there already is none to choose (“good or bad”)."""


def _known(content: Content, *, asked: bool) -> Known | None:
    rows = usual_opposites(content.lemma, content.pos)
    lexical = lexicon_opposites(content.lemma, content.pos) if asked or content.pos != "n" else ()
    if not _has_a_place(content):
        return None
    context = Context(content, asked=asked)
    row = next((one for one in rows if context.holds(one.conditions)), None)
    free = context.is_free(row.conditions if row else ())
    usual = row.words if row and free else ()
    near = _near(content.token)
    if usual and _is_near(usual[0], content, near):
        usual = ()
    if content.pos == "n" and not (usual or asked):
        return None
    return Known(content, usual, lexical, free and not rows, near)


def _relied(known: Known) -> list[Candidate]:
    """The opposites that can be relied upon."""
    content = known.content
    by_word = {one.word: one for one in known.lexical}
    found = []
    for word in known.usual:
        lexical = by_word.get(word)
        affixal = is_affixal(content.lemma, word) if lexical is None else lexical.affixal
        found.append(Opposite(word, content.pos, "usual", lexical.sense if lexical else -1, affixal, True))
    if known.free:
        found += [one for one in known.lexical if one.sure and _is_plain(content, one)]
    return list(_fitting(known, found, sure=True))


def _others(known: Known, *, asked: bool) -> list[tuple[int, Opposite]]:
    """The opposites of the lexicon that may not fit, the likeliest first, and how far-fetched each is."""
    content = known.content
    # The senses that the opposites in use speak of: “wrong” tells which “right” is meant, and so “incorrect” is near.
    readings = {one.sense for one in known.lexical if one.word in known.usual}
    found = []
    for one in known.lexical:
        if one.word in known.usual or (known.free and one.sure and _is_plain(content, one)):
            continue
        far = _how_far(content, one, is_same=one.sense in readings)
        if asked or _may_be_meant(known, one, far):
            found.append((far, one))
    return sorted(found, key=itemgetter(0))[:_DOUBTFUL_EACH]


def _how_far(content: Content, opposite: Opposite, *, is_same: bool) -> int:
    """How far-fetched a doubtful opposite is.

    0: of the sense that the opposites in use speak of; 1: of another that is common; more: a rare word, one by way of a
    similar one, or of a sense that the word seldom has.
    """
    if not is_same and is_seldom_meant(content.lemma, opposite):
        return 3
    return (not is_same) + (is_rare(opposite) or opposite.kind == "indirect")


def _may_be_meant(known: Known, opposite: Opposite, far: int) -> bool:
    """Whether the sentence leaves open that the word is meant in the sense of a doubtful opposite."""
    content = known.content
    direct = opposite.kind == "direct"
    if content.pos == "v":
        return bool(known.usual) and is_main_pair(content.lemma, opposite)
    if content.pos == "r":
        return direct and opposite.affixal and far < 3
    if content.pos == "n":
        return True
    told = tells_sense(content)
    rare = is_rare(opposite)
    if opposite.kind == "indirect" and (rare or told):
        return False
    if not known.usual or not far:
        return True
    # An opposite in use blocks what nobody says: “shut” blocks “unopen”.
    if rare and ((opposite.affixal and not direct) or describes_noun(content)):
        return False
    return not (far > 1 and told) and not _is_unlike(content, opposite)


def _is_unlike(content: Content, opposite: Opposite) -> bool:
    """Whether an opposite of another sense does not go with what stands around: “my much house”, “actual that”."""
    if is_attributive(content.token):
        return opposite.word in _AMOUNTS
    return has_that_clause(content.token)


def _fitting(known: Known, opposites: Iterable[Opposite], *, sure: bool) -> Iterator[Candidate]:
    """Those that can stand where the word stands."""
    content = known.content
    for opposite in opposites:
        if _is_near(opposite.word, content, known.near) or not fits_place(opposite.marker, content.token):
            continue
        patches = substitution(content.token, opposite.word, content.pos)
        if patches is not None:
            yield Candidate(content, opposite, patches, sure)


def _has_a_place(content: Content) -> bool:
    """Whether a word is what its kind is for: adjectives that stand for a noun, and nouns in calls, are not."""
    token, allowed = content.token, _DEPS.get(content.pos)
    if (allowed is not None and token.dep_ not in allowed) or (content.pos == "v" and token.dep_ in _NO_VERB):
        return False
    if content.pos != "a" or token.lower_ in {"same", "other"}:
        return True
    if token.dep_ == "amod" and token.i > token.head.i:
        return token.head.lower_.endswith(("thing", "one", "body"))  # but “those responsible”, “the best possible”
    return token.dep_ == "amod" or not any(child.dep_ == "det" for child in token.children)


def telling(content: Content) -> float:
    """How much of the sentence's meaning hangs on a word: the less, the more."""
    token = content.token
    if content.pos == "a":
        found = _telling_noun(token.head) if is_attributive(token) else 0.0
    elif content.pos == "v":
        found = 1.5 if token.dep_ == "ROOT" else 2.0
    elif content.pos == "r":
        found = 1.2 if content.lemma in _FREQUENCY else 2.0
    else:
        found = 1.8 if token.dep_ == "attr" else 4.0
    if content.lemma in _AMOUNTS:
        found += 1.5
    return found + 0.4 * _depth(token)


def _telling_noun(noun: Token) -> float:
    return {"attr": 1.0, "dobj": 1.1, "ROOT": 1.1, "pobj": 3.0}.get(noun.dep_, 3.2)


def _depth(token: Token) -> int:
    """In how many clauses inside others a word stands."""
    depth = 0
    while token.head.i != token.i:
        depth += token.dep_ in _CLAUSE_DEPS
        token = token.head
    return depth


def _by_place(entry: tuple[float, list[Candidate]]) -> float:
    return entry[0]


def _is_plain(content: Content, opposite: Opposite) -> bool:
    """Whether a word is what it looks like: a participle in a verb's place may be an event, not a state."""
    token = content.token
    if content.pos == "r":
        return token.dep_ == "advmod" and token.head.pos_ == "VERB"
    if content.pos == "a" and not opposite.affixal and is_attributive(token):
        return False
    return content.pos != "a" or token.tag_ not in {"VBN", "VBG"} or is_attributive(token)


def _near(token: Token) -> frozenset[str]:
    around = token.doc.tokens[max(0, token.i - 8) : token.i + 9]
    return frozenset([one.lower_ for one in around] + [one.lemma_ for one in around])


def _is_near(opposite: str, content: Content, near: frozenset[str]) -> bool:
    """Whether the opposite stands there already; “turn on” for “turn off” begins with the word itself."""
    first = opposite.partition(" ")[0]
    return first in near and first != content.lemma.partition(" ")[0]


def _is_word(content: Content, word: str) -> bool:
    wanted = word.lower()
    return wanted in {content.token.lower_, content.lemma}
