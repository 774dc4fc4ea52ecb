"""Antonym: another word that says the opposite, in the place of one word of the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from litotes.languages.en.lexicon.antonyms import (
    Opposite,
    has_opposites,
    how_far,
    is_affixal,
    is_main_pair,
    is_rare,
    lexicon_opposites,
    sure_opposites,
    usual_opposites,
)
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.words.antonym_context import Context, describes_noun, has_that_clause, tells_sense
from litotes.rewrites.en.words.replacement import Content, content_words, fits_place, is_attributive, said, substitution
from litotes.rewrites.lazy_sequence import LazySequence
from litotes.rewrites.patches import Patch, patched

if TYPE_CHECKING:
    from litotes.languages.tree import Token

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
_TELLING_NOUNS = {"attr": 1.0, "dobj": 1.1, "ROOT": 1.1, "pobj": 3.0}
_DOUBTFUL_EACH = 12
_NEAR = 8

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


@cached_on_doc
def candidates(sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None) -> Iterable[Candidate | Skip]:
    """The opposites of a sentence's words, best first.

    Those that can be relied upon come first, the most telling word before the others; the rest follow only if there
    is one of them, or if the user chose the word or its part of speech.
    """
    return LazySequence(_candidates(sentence, pos, word))


def _candidates(sentence: Sentence, pos: PartOfSpeech, word: str | None) -> Iterator[Candidate | Skip]:
    letter = _LETTERS.get(pos)
    asked = letter is not None or word is not None
    sure: list[tuple[float, list[Candidate]]] = []
    known: list[Known] = []
    for content in content_words(sentence, has_opposites if asked else _has_usual):
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


def _has_usual(lemma: str, pos: str) -> bool:
    """Whether a word has an opposite; of a noun the table alone is asked."""
    return bool(usual_opposites(lemma, pos)) if pos == "n" else has_opposites(lemma, pos)


class Known(NamedTuple):
    """What is known of the opposites of a word in its place."""

    content: Content
    usual: tuple[str, ...]
    """Those of the table that hold here."""
    lexical: tuple[Opposite, ...]
    """Those of the lexicon."""
    free: bool
    """Whether the lexicon's can be relied upon: the table does not speak of the word, nothing speaks against it."""


def _known(content: Content, *, asked: bool) -> Known | None:
    _, lemma, pos = content
    if not _has_a_place(content):
        return None
    # A noun is here because it has rows, unless it was asked for.
    rows = usual_opposites(lemma, pos)
    if not rows and not sure_opposites(lemma, pos):
        # With nothing to rely upon, nothing need be known of the context, and of a verb nothing else is meant.
        return Known(content, (), lexicon_opposites(lemma, pos) if asked or pos != "v" else (), False)
    lexical = lexicon_opposites(lemma, pos) if asked or pos != "n" else ()
    context = Context(content, asked=asked)
    row = context.first(rows)
    free = context.is_free(row.conditions if row else ())
    usual = row.words if row and free else ()
    if usual and _is_near(usual[0], content):
        usual = ()
    if pos == "n" and not (usual or asked):
        return None
    return Known(content, usual, lexical, free and not rows)


def _relied(known: Known) -> list[Candidate]:
    """The opposites that can be relied upon."""
    content = known.content
    found = [_usual(content, word, known.lexical) for word in known.usual]
    if known.free:
        found += [one for one in sure_opposites(content.lemma, content.pos) if _is_plain(content, one)]
    return list(_fitting(known, found, sure=True)) if found else []


def _usual(content: Content, word: str, lexical: tuple[Opposite, ...]) -> Opposite:
    for one in lexical:
        if one.word == word:
            return Opposite(word, content.pos, "usual", one.sense, one.affixal, True)
    return Opposite(word, content.pos, "usual", -1, is_affixal(content.lemma, word), True)


def _others(known: Known, *, asked: bool) -> list[tuple[int, Opposite]]:
    """The opposites of the lexicon that may not fit, the likeliest first, and how far-fetched each is."""
    content = known.content
    # The senses that the opposites in use speak of: “wrong” tells which “right” is meant, and so “incorrect” is near.
    usual = known.usual
    if not (known.lexical and (asked or usual or content.pos != "v")):
        return []  # of a verb that has no opposite in use none is meant
    readings = {one.sense for one in known.lexical if one.word in usual} if usual else ()
    found = []
    for one in known.lexical:
        if one.word in usual or (known.free and one.sure and _is_plain(content, one)):
            continue
        far = how_far(content.lemma, one, is_same=one.sense in readings)
        if asked or _may_be_meant(known, one, far):
            found.append((far, one))
    found.sort(key=itemgetter(0))
    return found[:_DOUBTFUL_EACH]


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
        if _is_near(opposite.word, content) or not fits_place(opposite.marker, content.token):
            continue
        patches = substitution(content.token, opposite.word, content.pos)
        if patches is not None:
            yield Candidate(content, opposite, patches, sure)


def _has_a_place(content: Content) -> bool:
    """Whether a word is what its kind is for: adjectives that stand for a noun, and nouns in calls, are not."""
    token, pos = content.token, content.pos
    dep = token.dep_
    if pos == "v":
        return dep not in _NO_VERB
    if pos in _DEPS and dep not in _DEPS[pos]:
        return False
    if pos != "a" or token.lower_ in {"same", "other"}:
        return True
    if dep == "amod":
        # “something good”, but not “those responsible”, “the best possible”
        return token.i < token.head.i or token.head.lower_.endswith(("thing", "one", "body"))
    return not any(child.dep_ == "det" for child in token.children)


def telling(content: Content) -> float:
    """How much of the sentence's meaning hangs on a word: the less, the more."""
    token = content.token
    if content.pos == "a":
        found = _TELLING_NOUNS.get(token.head.dep_, 3.2) if is_attributive(token) else 0.0
    elif content.pos == "v":
        found = 1.5 if token.dep_ == "ROOT" else 2.0
    elif content.pos == "r":
        found = 1.2 if content.lemma in _FREQUENCY else 2.0
    else:
        found = 1.8 if token.dep_ == "attr" else 4.0
    if content.lemma in _AMOUNTS:
        found += 1.5
    return found + 0.4 * _depth(token)


def _depth(token: Token) -> int:
    """In how many clauses inside others a word stands."""
    depth = 0
    head = token.head
    while head is not token:
        if token.dep_ in _CLAUSE_DEPS:
            depth += 1
        token, head = head, head.head
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


def _is_near(opposite: str, content: Content) -> bool:
    """Whether an opposite stands near the word already (“good or bad”), and so is none to choose.

    “turn on” for “turn off” begins with the word itself.
    """
    token = content.token
    first = opposite.partition(" ")[0]
    # Most opposites are nowhere in the sentence.
    if first not in said(token.doc) or first == content.lemma.partition(" ")[0]:
        return False
    around = token.doc.tokens[max(0, token.i - _NEAR) : token.i + _NEAR + 1]
    return any(first in (one.lower_, one.lemma_) for one in around)


def _is_word(content: Content, word: str) -> bool:
    wanted = word.lower()
    return wanted in {content.token.lower_, content.lemma}
