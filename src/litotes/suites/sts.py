"""Semantic textual similarity (STS): pairs with human scores, measured next to suites by Spearman's correlation."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from litotes.core.errors import UsageError
from litotes.core.files import expand_user, to_json
from litotes.corpora.pairs import ScoredPair, read_scored_pairs
from litotes.suites.base import HighestSimilarity, Item, Pair, Suite, SuiteKind

PAIR: Pair = ("sentence1", "sentence2")
KIND = SuiteKind(name="sts", roles=PAIR, pairs=(PAIR,), criterion=HighestSimilarity({"sentence2": PAIR}, "sentence2"))
"""Not in the list of kinds: there is nothing to pass, so these suites have no result of their own."""

_SCORE = "score"


def load_sts(paths: Iterable[str | Path], warn: Callable[[str], None]) -> list[Suite]:
    """Load files of scored pairs (STS-B, SICK-R, a folder of STS 2012 to 2016) under their file names."""
    suites: dict[str, Suite] = {}
    for path in dict.fromkeys(map(expand_user, paths)):
        if path.name in suites:
            raise UsageError("L102", f'--sts: there are two files called "{path.name}"', hint="rename one of them")
        suites[path.name] = scored_suite(path.name, read_scored_pairs(path, warn))
    return list(suites.values())


def scored_suite(name: str, pairs: Iterable[ScoredPair]) -> Suite:
    """Return the pairs as a suite whose items are tagged with their scores."""
    items = [
        Item(str(number), str(number), {PAIR[0]: pair.left, PAIR[1]: pair.right}, {_SCORE: repr(pair.score)})
        for number, pair in enumerate(pairs, 1)
    ]
    content = to_json([[*item.sentences.values(), item.tags[_SCORE]] for item in items])
    return Suite(name, KIND, items, sha256=hashlib.sha256(content.encode()).hexdigest())


def human_scores(suite: Suite) -> list[float]:
    """Return the score of each item.

    >>> human_scores(scored_suite("mine", [ScoredPair("It is on.", "It runs.", 4.5)]))
    [4.5]
    """
    return [float(item.tags[_SCORE]) for item in suite.items]
