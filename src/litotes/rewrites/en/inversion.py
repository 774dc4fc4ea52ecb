"""The rule `inversion`: put the words after a pivot before it, and the words before it last."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from litotes.languages.en.morphology.casing import uncapitalised
from litotes.languages.en.syntax.tags import NOUN_MODIFIER_DEPS
from litotes.languages.tree import Doc, Token
from litotes.rewrites.base import Draft, Outcome, Sentence, WordChange, refuse_if, rule

_MIN_WORDS = 5
_MAX_DRAFTS = 3
_WORD = re.compile(r"\S+")
_END = re.compile(r"([.!?…]+)([\"'”’)\]]*)\s*$")
_OUTER_SIGNS = re.compile(r"^[^\w]+|[^\w]+$")
_PAIRED_SIGN = re.compile(r"[\"“”()\[\]]")
_TRAILING_SIGNS = re.compile(r"[\s,;:–—-]+$")

_PREPOSITION, _CONJUNCTION, _VERB, _WORD_PIVOT, _LINK = "preposition", "conjunction", "verb", "word", "link"
_COST = {_PREPOSITION: 0.0, _CONJUNCTION: 0.2, _VERB: 0.3, _WORD_PIVOT: 0.45, _LINK: 0.7}
"""Cost of a kind of pivot, added to its distance from the middle as a share of the sentence."""
_OBJECT_DEPS = frozenset({"dobj", "dative"})


class _Pivot(NamedTuple):
    """A place to turn the sentence; sorted by cost."""

    cost: float
    end: int
    """The offset of the end of its word."""
    next: int
    """The offset of the next word."""
    word: str
    kind: str


@rule(
    "inversion",
    effect="different",
    skips={
        "too-short": f"the sentence has fewer than {_MIN_WORDS} words",
        "several-sentences": "the text has several sentences",
        "no-pivot": "the pivot is not among the words, or nothing precedes or follows it",
        "pairs": "quotes or brackets would be separated",
    },
)
def inversion(sentence: Sentence, *, pivot: str | None = None, seed: int = 0) -> Iterator[Outcome]:
    """Put the words after a pivot first, then those before it and the pivot: same words, another meaning.

    The pivot is a preposition, conjunction or verb near the middle; another `seed` selects others.

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("inversion", "A cat is sleeping under the old kitchen table.")[0].text
    'the old kitchen table a cat is sleeping under.'
    """
    text = sentence.text
    words = list(_WORD.finditer(text))
    refuse_if(len(words) < _MIN_WORDS, "too-short")
    refuse_if(len(sentence.spans) > 1, "several-sentences")
    pivots = _chosen_pivots(words, text, pivot) if pivot is not None else _pivots(sentence.doc, words)
    mark = _END.search(text)
    end, sign = (mark.start(), mark.group(1) + mark.group(2)) if mark else (len(text.rstrip()), ".")
    pivots = [candidate for candidate in pivots if candidate.next < end]  # punctuation alone cannot be put first
    pivots.sort()
    if seed and pivot is None:
        random.Random(f"{seed} {text}").shuffle(pivots)  # noqa: S311  (reproducible by the seed)
    refuse_if(not pivots, "no-pivot")
    has_pairs = _PAIRED_SIGN.search(text) is not None
    candidates = (candidate for candidate in pivots if not has_pairs or _preserves_pairs(text, candidate.end))
    chosen = list(itertools.islice(candidates, _MAX_DRAFTS))
    refuse_if(not chosen, "pairs")
    yield from _inversions(sentence.doc, chosen, end, sign)


def _chosen_pivots(words: list[re.Match[str]], text: str, pivot: str) -> list[_Pivot]:
    word = _OUTER_SIGNS.sub("", pivot).lower()
    return [
        _Pivot(
            _distance_from_middle(index, words),
            words[index].end(),
            words[index + 1].start(),
            _OUTER_SIGNS.sub("", words[index].group()),
            "chosen word",
        )
        for index in range(len(words) - 1)
        if word and _OUTER_SIGNS.sub("", words[index].group()).lower() == word
    ]


def _pivots(doc: Doc, words: list[re.Match[str]]) -> list[_Pivot]:
    """Return the positions of words that cannot end a sentence as they precede what they govern."""
    tokens_by_end = {token.idx + len(token.text): token for token in doc.tokens}
    pivots = []
    # One word before the pivot is not enough: “Even Tom came.” and “Tom came even.” mean almost the same.
    for index in range(1, len(words) - 1):
        end = words[index].end()
        token = tokens_by_end.get(end)
        kind = _kind(token) if token is not None else None
        if token is not None and kind is not None:
            cost = _distance_from_middle(index, words) + _COST[kind]
            pivots.append(_Pivot(cost, end, words[index + 1].start(), token.text, kind))
    return pivots


def _distance_from_middle(index: int, words: list[re.Match[str]]) -> float:
    return abs((index + 1) - len(words) / 2) / len(words)


def _kind(token: Token) -> str | None:
    pos, dep, tokens, next_index = token.pos_, token.dep_, token.doc.tokens, token.i + 1
    if pos == "PUNCT" or next_index >= len(tokens):
        return None
    # A word that does not govern the next one may end a sentence: “When he came she left” would mean the same.
    if pos == "ADP" or token.tag_ == "TO" or dep in {"prep", "agent"}:
        return _PREPOSITION if token.is_ancestor(tokens[next_index]) else _WORD_PIVOT
    if pos in {"CCONJ", "SCONJ"}:
        return _CONJUNCTION
    if token.is_verbal:
        governs_next = token.is_ancestor(tokens[next_index])
        right_deps = [child.dep_ for child in token.rights]
        if governs_next and not _OBJECT_DEPS.isdisjoint(right_deps):
            return _VERB
        if "ccomp" in right_deps:
            return None
        # “A good doctor he is.” and “Off the wall they jumped.” mean the same: used only as a last resort.
        return _LINK if governs_next or dep in {"aux", "auxpass"} else None
    return _WORD_PIVOT if dep in NOUN_MODIFIER_DEPS and token.head.i >= next_index else None


def _preserves_pairs(text: str, position: int) -> bool:
    """Whether no pair of quotes or brackets encloses the position."""
    signs = _PAIRED_SIGN.findall(text[:position])
    opened = sum(sign in "“([" for sign in signs) - sum(sign in "”)]" for sign in signs)
    return opened == 0 and signs.count('"') % 2 == 0


def _inversions(doc: Doc, pivots: list[_Pivot], end: int, sign: str) -> Iterator[Draft]:
    """Yield the drafts of the pivots; the final punctuation stays at the end."""
    text, tokens = doc.text, doc.tokens
    first = tokens[1] if tokens[0].is_space and len(tokens) > 1 else tokens[0]
    start, first_word = first.idx, uncapitalised(first)
    opening, trailing_space = text[:start], text[len(text.rstrip()) :]
    for pivot in pivots:
        before = text[start : pivot.end]
        moved = _strip_signs(first_word + before[len(first.text) :])
        after = _strip_signs(text[pivot.next : end])
        kind = _VERB if pivot.kind is _LINK else pivot.kind
        inverted = f"{opening}{after} {moved}{sign}{trailing_space}"
        yield Draft(inverted, (WordChange(before, ""), WordChange("", moved)), f"around the {kind} “{pivot.word}”")


def _strip_signs(text: str) -> str:
    return text if text[-1:].isalnum() else _TRAILING_SIGNS.sub("", text)
