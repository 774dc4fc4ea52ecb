"""Fixed-point inversion: what follows a pivot comes first, and what leads up to it last."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.en.morphology.casing import uncapitalised
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, WordChange, rule

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_FEWEST_WORDS = 5
_MOST_DRAFTS = 3
_WORD = re.compile(r"\S+")
_END = re.compile(r"([.!?…]+)([\"'”’)\]]*)\s*$")
_BARE = re.compile(r"^[^\w]+|[^\w]+$")
_PAIRED = re.compile(r"[\"“”()\[\]]")
_CUT = re.compile(r"[\s,;:–—-]+$")

_PREPOSITION, _CONJUNCTION, _VERB, _OTHER, _LINK = "preposition", "conjunction", "verb", "word", "link"
_COST = {_PREPOSITION: 0.0, _CONJUNCTION: 0.2, _VERB: 0.3, _OTHER: 0.45, _LINK: 0.7}
"""What a kind of pivot costs, against its distance from the middle as a share of the sentence."""
_BEFORE_NOUNS = frozenset({"det", "amod", "nummod", "poss", "compound"})
_OBJECTS = frozenset({"dobj", "dative"})


class _Pivot(NamedTuple):
    """The best is the least of them."""

    cost: float
    end: int
    """Where its word ends in the text."""
    next: int
    """Where the word after it begins."""
    word: str
    kind: str


@rule(
    "inversion",
    effect="different",
    skips={
        "too-short": f"it has fewer than {_FEWEST_WORDS} words",
        "several-sentences": "it holds more than one sentence",
        "no-pivot": "the pivot is not among its words, or nothing stands before or after it",
        "pairs": "quotes or brackets would be torn apart",
    },
)
def inversion(sentence: Sentence, *, pivot: str | None = None, seed: int = 0) -> Iterator[Outcome]:
    """The words after a pivot first, then those before it and the pivot itself: the same words, another sentence.

    The pivot is a preposition, conjunction or verb near the middle; another `seed` draws others.

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("inversion", "A cat is sleeping under the old kitchen table.")[0].text
    'the old kitchen table a cat is sleeping under.'
    """
    text = sentence.text
    words = list(_WORD.finditer(text))
    if len(words) < _FEWEST_WORDS:
        yield Skip("too-short")
        return
    if len(sentence.spans) > 1:
        yield Skip("several-sentences")
        return
    found = _chosen(words, text, pivot) if pivot is not None else _pivots(sentence.doc, words)
    last, sign = _ending(text)
    found = [one for one in found if one.next < last]  # a sign alone after the pivot is nothing to put first
    found.sort()
    if seed and pivot is None:
        random.Random(f"{seed} {text}").shuffle(found)  # noqa: S311  (drawn again under the same seed)
    if not found:
        yield Skip("no-pivot")
        return
    paired = _PAIRED.search(text) is not None
    whole = (one for one in found if not paired or _keeps_pairs(text, one.end))
    best = list(itertools.islice(whole, _MOST_DRAFTS))
    if not best:
        yield Skip("pairs")
    yield from _inverted(sentence.doc, best, last, sign)


def _chosen(words: list[re.Match[str]], text: str, pivot: str) -> list[_Pivot]:
    """Every place of the word that was asked for, the one nearest to the middle first."""
    wanted = _BARE.sub("", pivot).lower()
    return [
        _Pivot(_off(at, words), words[at].end(), words[at + 1].start(), _BARE.sub("", words[at].group()), "chosen word")
        for at in range(len(words) - 1)
        if wanted and _BARE.sub("", words[at].group()).lower() == wanted
    ]


def _pivots(doc: Doc, words: list[re.Match[str]]) -> list[_Pivot]:
    """Where a sentence can be turned: at words that cannot stand at its end as they stand before what they govern."""
    ends = {token.idx + len(token.text): token for token in doc.tokens}
    found = []
    # One word alone before the pivot is too little: “Even Tom came.” and “Tom came even.” are much the same.
    for at in range(1, len(words) - 1):
        end = words[at].end()
        token = ends.get(end)
        kind = _kind(token) if token is not None else None
        if token is not None and kind is not None:
            found.append(_Pivot(_off(at, words) + _COST[kind], end, words[at + 1].start(), token.text, kind))
    return found


def _off(at: int, words: list[re.Match[str]]) -> float:
    """How far from the middle the sentence would be cut, as a share of its length."""
    return abs((at + 1) - len(words) / 2) / len(words)


def _kind(token: Token) -> str | None:
    pos, dep, tokens, place = token.pos_, token.dep_, token.doc.tokens, token.i + 1
    if pos == "PUNCT" or place >= len(tokens):
        return None
    # A word that governs nothing after it may well end a sentence: “When he came she left” would only be turned.
    if pos == "ADP" or token.tag_ == "TO" or dep in {"prep", "agent"}:
        return _PREPOSITION if token.is_ancestor(tokens[place]) else _OTHER
    if pos in {"CCONJ", "SCONJ"}:
        return _CONJUNCTION
    if pos in {"VERB", "AUX"}:
        governs = token.is_ancestor(tokens[place])
        after = [child.dep_ for child in token.rights]
        if governs and not _OBJECTS.isdisjoint(after):
            return _VERB
        if "ccomp" in after:
            return None
        # “A good doctor he is.” and “Off the wall they jumped.” say the same as before: only for want of a better one.
        return _LINK if governs or dep in {"aux", "auxpass"} else None
    return _OTHER if dep in _BEFORE_NOUNS and token.head.i >= place else None


def _keeps_pairs(text: str, at: int) -> bool:
    """Whether no pair of quotes or brackets lies across the place."""
    signs = _PAIRED.findall(text[:at])
    opened = sum(sign in "“([" for sign in signs) - sum(sign in "”)]" for sign in signs)
    return opened == 0 and signs.count('"') % 2 == 0


def _ending(text: str) -> tuple[int, str]:
    """Where the last sign begins, and the sign; a full stop where there is none."""
    mark = _END.search(text)
    return (mark.start(), mark.group(1) + mark.group(2)) if mark else (len(text.rstrip()), ".")


def _inverted(doc: Doc, pivots: list[_Pivot], end: int, sign: str) -> Iterator[Draft]:
    """The text around each pivot, with the sign that stands at its end."""
    text, tokens = doc.text, doc.tokens
    first = tokens[1] if tokens[0].is_space and len(tokens) > 1 else tokens[0]
    start, first_word = first.idx, uncapitalised(first)
    opening, blanks = text[:start], text[len(text.rstrip()) :]
    for pivot in pivots:
        before = text[start : pivot.end]
        moved = _cut(first_word + before[len(first.text) :])
        after = _cut(text[pivot.next : end])
        kind = _VERB if pivot.kind is _LINK else pivot.kind
        turned = f"{opening}{after} {moved}{sign}{blanks}"
        yield Draft(turned, (WordChange(before, ""), WordChange("", moved)), f"around the {kind} “{pivot.word}”")


def _cut(text: str) -> str:
    """Without signs and blanks at its end; most have none."""
    return text if text[-1:].isalnum() else _CUT.sub("", text)
