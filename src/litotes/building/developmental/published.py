"""The published diagnostic sets, split anew: no premise, and no pair made from another, on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from litotes.building.developmental.corpus import DevelopmentalCorpus
from litotes.building.developmental.pairs import (
    by_chance,
    cells_of,
    drawn_for_test,
    groups_of,
    pair_key,
    single,
    smallest,
    text_key,
    undersampled,
)
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_folder
from litotes.corpora.nli import NliPair, read_nli
from litotes.languages.negation_categories import CATEGORIES

_TRAIN = re.compile(r"([a-z]+)_train_.*\.jsonl(_undersampled)?")
_DEV = re.compile(r"nli_negation_dev.*\.json.*")


def split_published(
    files: str | Path | Sequence[str | Path], seed: int = 0, test_share: float = 1 / 3
) -> DevelopmentalCorpus:
    """The published diagnostic files (or a folder of them) as a corpus with test sets of its own, in memory.

    The published test sets share pairs with the train sets, so a third of the train sets is held out instead. A premise
    goes to one side with all its pairs, and so do pairs that differ by one word in both texts: those were made by
    augmentation. Where the whole set of a category is there, its undersampled file is not read. There is no NLI_train;
    NLI_dev is the published one if it lies in the folder.
    """
    if not 0 < test_share < 1:
        raise UsageError("L102", f"test_share={test_share}: a share between 0 and 1 is needed")
    paths = _paths(files)
    found = single(_flagged(read_nli([str(path) for path in _whole_sets(paths)])))
    families = families_of(found.pairs)
    keyed = [(families.head(text_key(pair.premise)), pair) for pair in found.pairs]
    held_out = drawn_for_test(groups_of((key, cells_of(pair)) for key, pair in keyed), test_share, seed)
    train: dict[str, list[NliPair]] = {category: [] for category in CATEGORIES}
    for key, pair in keyed:
        if key not in held_out:
            for category in pair.categories or ():
                train[category].append(pair)
    size = smallest(train)
    dev = [path for path in paths if _DEV.fullmatch(path.name)]
    ours = {pair_key(pair.premise, pair.hypothesis) for pair in found.pairs}
    return DevelopmentalCorpus(
        train=train,
        undersampled={category: undersampled(pairs, size, seed) for category, pairs in train.items()},
        test=[pair for key, pair in keyed if key in held_out],
        nli_dev=[
            pair
            for pair in (read_nli([str(path) for path in dev]) if dev else ())
            if pair_key(pair.premise, pair.hypothesis) not in ours
        ],
    )


def _paths(files: str | Path | Sequence[str | Path]) -> list[Path]:
    named = [files] if isinstance(files, (str, Path)) else list(files)
    paths: list[Path] = []
    for one in map(expand_user, named):
        paths += sorted(one.iterdir()) if is_folder(one) else [one]
    return paths


def _whole_sets(paths: Iterable[Path]) -> list[Path]:
    """Of each category the whole file, else the undersampled one."""
    chosen: dict[str, Path] = {}
    for path in paths:
        if (name := _TRAIN.fullmatch(path.name)) and (name[1] not in chosen or not name[2]):
            chosen[name[1]] = path
    if not chosen:
        raise LitotesError(
            "L204",
            "none of the published diagnostic sets is there",
            hint="their names are like existence_train_innoculation_v5.jsonl",
        )
    return list(chosen.values())


def _flagged(pairs: Iterable[NliPair]) -> Iterator[NliPair]:
    for pair in pairs:
        if pair.categories is None:
            hint = "a diagnostic set has a column of 0 and 1 for each category"
            raise LitotesError("L203", f"{pair.id}: says nothing of categories of negation", hint=hint)
        if pair.categories:
            yield pair


def families_of(pairs: Sequence[NliPair]) -> Families:
    """Premises that go to the same side."""
    families = Families()
    first: dict[bytes, bytes] = {}
    for pair in pairs:
        premise = text_key(pair.premise)
        for key in _variants(pair):
            families.join(premise, first.setdefault(key, premise))
    return families


class Families:
    """Things that belong together because they share something, directly or through others.

    >>> families = Families()
    >>> families.join(b"a", b"b"); families.join(b"c", b"b")
    >>> families.head(b"a") == families.head(b"c"), families.head(b"d") == families.head(b"a")
    (True, False)
    """

    def __init__(self) -> None:
        self._above: dict[bytes, bytes] = {}

    def head(self, one: bytes) -> bytes:
        """The member that stands for all of its family: the least of them."""
        top = one
        while (above := self._above.get(top, top)) != top:
            top = above
        while one != top:
            self._above[one], one = top, self._above.get(one, top)
        return top

    def join(self, one: bytes, other: bytes) -> None:
        """The two, and all that belong to either, are one family."""
        first, second = sorted((self.head(one), self.head(other)))
        self._above[second] = first


_MOST_WORDS = 3
"""Of a synonym."""


def _variants(pair: NliPair) -> Iterator[bytes]:
    """Keys that a pair shares with those that have another word in one place of both texts.

    So the published files' augmented pairs are told, which carry no sign of where they come from.
    """
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    there = {tuple(hypothesis[at : at + size]) for size in range(1, _MOST_WORDS + 1) for at in range(len(hypothesis))}
    shared = dict.fromkeys(
        tuple(premise[at : at + size]) for size in range(1, _MOST_WORDS + 1) for at in range(len(premise) - size + 1)
    )
    for words in shared:
        if words in there:
            yield by_chance(0, f"{_without(premise, words)}\0{_without(hypothesis, words)}")


def _without(text: Sequence[str], words: tuple[str, ...]) -> str:
    found: list[str] = []
    at = 0
    while at < len(text):
        if tuple(text[at : at + len(words)]) == words:
            found.append("_")
            at += len(words)
        else:
            found.append(text[at])
            at += 1
    return " ".join(found)


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'").lower() for word in text.split()]
