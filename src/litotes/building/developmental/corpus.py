"""The corpus as experiments use it: read from the files of a build, or split from the published diagnostic sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litotes.building.developmental.pairs import (
    cells_of,
    deduplicate,
    draw_test_groups,
    group_counts,
    in_category_order,
    pair_key,
    random_key,
    smallest_size,
    text_key,
    undersample,
)
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder, read_json_lines
from litotes.corpora.nli import LABELS, NliPair, read_nli
from litotes.languages.negation_categories import CATEGORIES
from litotes.suites.folder import load_folder

TEST, TRAIN = "test", "train"
NLI_TRAIN, NLI_DEV = "nli_train.jsonl", "nli_dev.jsonl"
STATISTICS, STATISTICS_PAGE = "statistics.json", "statistics.md"


@dataclass(frozen=True)
class DevelopmentalCorpus:
    """Diagnostic train sets by category, a test set of pairs with categories, and NLI pairs without negation."""

    train: Mapping[str, Sequence[NliPair]]
    """Category → pairs; every category is there."""
    undersampled: Mapping[str, Sequence[NliPair]]
    """The same, reduced to equal sizes."""
    test: Sequence[NliPair]
    nli_dev: Sequence[NliPair] = ()
    folder: Path | None = None
    """Folder of NLI_train, if there is one."""

    def nli_train(self) -> Iterator[NliPair]:
        """Yield the pairs of NLI_train without loading them into memory."""
        return iter(()) if self.folder is None else read_pairs(self.folder / NLI_TRAIN)

    def test_of(self, category: str) -> list[NliPair]:
        """Return the diagnostic test set of a category."""
        return [pair for pair in self.test if category in (pair.categories or ())]


def train_file(category: str, *, undersampled: bool = False) -> str:
    """Return the path of a category's train set within a corpus.

    >>> train_file("rejection", undersampled=True)
    'train/rejection_undersampled.jsonl'
    """
    return f"{TRAIN}/{category}{'_undersampled' if undersampled else ''}.jsonl"


def load_developmental(folder: str | Path) -> DevelopmentalCorpus:
    """Load a corpus written by `litotes build developmental`."""
    path = expand_user(folder)
    if not is_file(path / STATISTICS):
        raise LitotesError(
            "L201", f"{path}: is not a developmental corpus", hint="litotes build developmental --out DIR builds one"
        )
    test = [
        NliPair(
            item.id,
            item.sentences["premise"],
            item.sentences["hypothesis"],
            item.tags["label"],
            in_category_order(item.tags.get("categories", "").split()),
        )
        for item in load_folder(path / TEST).items
    ]
    return DevelopmentalCorpus(
        train={category: list(read_pairs(path / train_file(category))) for category in CATEGORIES},
        undersampled={
            category: list(read_pairs(path / train_file(category, undersampled=True))) for category in CATEGORIES
        },
        test=test,
        nli_dev=list(read_pairs(path / NLI_DEV)),
        folder=path,
    )


def pair_line(pair: NliPair, **fields: Any) -> dict[str, Any]:
    """Return a pair as a line of the corpus, which `read_nli` also reads."""
    categories = pair.categories or ()
    return {
        "id": pair.id,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "label": pair.label,
        **fields,
        **{category: int(category in categories) for category in CATEGORIES},
    }


def read_pairs(path: Path) -> Iterator[NliPair]:
    """Yield the pairs of a file of the corpus."""
    for number, line in read_json_lines(path):
        texts = [line.get(name) for name in ("id", "premise", "hypothesis", "label")]
        if not all(isinstance(text, str) for text in texts) or texts[3] not in LABELS:
            raise LitotesError(
                "L203", f"{path}:{number}: is not a line of a developmental corpus", hint="build the corpus again"
            )
        categories = tuple(category for category in CATEGORIES if line.get(category) == 1)
        pair_id, premise, hypothesis, label = map(str, texts)
        yield NliPair(pair_id, premise, hypothesis, label, categories)


_PUBLISHED_SET = re.compile(r"([a-z]+)_(train|test)_.*\.jsonl(_undersampled)?")
_DEV = re.compile(r"nli_negation_dev.*\.json.*")
_SPELLINGS = {"posession": "possession"}
"""Names of categories in the published files that are spelled differently."""


def split_published(
    files: str | Path | Sequence[str | Path], seed: int = 0, test_share: float = 1 / 3
) -> DevelopmentalCorpus:
    """Return the published diagnostic files (or a folder of them) as a corpus with new test sets, in memory.

    The published test sets share pairs with the train sets, so all published pairs are split again. All pairs of a
    premise are on one side, together with pairs that differ from them by one word in both texts, which were made by
    augmentation. The undersampled file of a category is read only if the full one is missing. There is no NLI_train;
    NLI_dev is the published one if it is in the folder.
    """
    if not 0 < test_share < 1:
        raise UsageError("L102", f"test_share={test_share}: must be between 0 and 1")
    paths = _paths(files)
    sets = _published_sets(paths)
    full = {entry.full for entry in sets.values()}
    tests = {entry.test for entry in sets.values()}
    ordered = [str(path) for chosen in (full, tests) for path in paths if path in chosen]
    pairs = deduplicate(_diagnostic(read_nli(ordered))).pairs
    groups = group_premises(pairs)
    keyed = [(groups.representative(text_key(pair.premise)), pair) for pair in pairs]
    held_out = draw_test_groups(group_counts((key, cells_of(pair)) for key, pair in keyed), test_share, seed)
    train: dict[str, list[NliPair]] = {category: [] for category in CATEGORIES}
    for key, pair in keyed:
        if key not in held_out:
            for category in pair.categories or ():
                train[category].append(pair)
    size = smallest_size(train)
    return DevelopmentalCorpus(
        train=train,
        undersampled={category: undersample(pairs, size, seed) for category, pairs in train.items()},
        test=[pair for key, pair in keyed if key in held_out],
        nli_dev=_published_dev(paths, pairs),
    )


def published_split(
    files: str | Path | Sequence[str | Path], seed: int = 0, categories: Sequence[str] = CATEGORIES
) -> DevelopmentalCorpus:
    """Return the published diagnostic files (or a folder of them) with the split of the authors, in memory.

    The pairs are those of the files, including repeated ones, and belong to the category of their file only. A missing
    undersampled file is replaced by a sample of the full one, as large as the smallest train set (814 pairs in the
    published files); a missing full file by the undersampled one, which for prohibition contains the same pairs. The
    test sets of `categories` must be there.
    """
    paths = _paths(files)
    sets = _published_sets(paths)
    for category in categories:
        if sets[category].test is None:
            hint = "their names look like existence_test_innoculation_v5.jsonl"
            raise LitotesError("L204", f"the published test set of {category} was not found", hint=hint)
    train = {category: _of_category(entry.full, category) for category, entry in sets.items()}
    size = smallest_size(train)
    undersampled = {
        category: _of_category(entry.undersampled, category) or undersample(train[category], size, seed)
        for category, entry in sets.items()
    }
    test = [pair for category, entry in sets.items() for pair in _of_category(entry.test, category)]
    every_pair = [*test, *(pair for pairs in train.values() for pair in pairs)]
    return DevelopmentalCorpus(train, undersampled, test, _published_dev(paths, every_pair))


def _of_category(path: Path | None, category: str) -> list[NliPair]:
    pairs = [] if path is None else read_nli([str(path)])
    return [replace(pair, categories=(category,)) for pair in pairs]


def _published_dev(paths: Iterable[Path], diagnostic: Iterable[NliPair]) -> list[NliPair]:
    """Return the pairs of the published NLI_dev that are in no diagnostic set."""
    files = [str(path) for path in paths if _DEV.fullmatch(path.name)]
    excluded = {pair_key(pair.premise, pair.hypothesis) for pair in diagnostic}
    pairs = read_nli(files) if files else ()
    return [pair for pair in pairs if pair_key(pair.premise, pair.hypothesis) not in excluded]


def _paths(files: str | Path | Sequence[str | Path]) -> list[Path]:
    names = [files] if isinstance(files, (str, Path)) else list(files)
    paths: list[Path] = []
    for path in map(expand_user, names):
        paths += sorted(path.iterdir()) if is_folder(path) else [path]
    return paths


@dataclass
class _PublishedSet:
    """The published files of a category."""

    train: Path | None = None
    undersampled: Path | None = None
    test: Path | None = None

    @property
    def full(self) -> Path | None:
        """The full train file, or the undersampled one if it is missing."""
        return self.train or self.undersampled


def _published_sets(paths: Iterable[Path]) -> dict[str, _PublishedSet]:
    """Return the published files by category; every category is there."""
    sets = {category: _PublishedSet() for category in CATEGORIES}
    for path in paths:
        name = _PUBLISHED_SET.fullmatch(path.name)
        category = _SPELLINGS.get(name[1], name[1]) if name else ""
        if name and category in sets:
            setattr(sets[category], "undersampled" if name[3] else name[2], path)
    if not any(entry.full for entry in sets.values()):
        raise LitotesError(
            "L204",
            "none of the published diagnostic sets was found",
            hint="their names look like existence_train_innoculation_v5.jsonl",
        )
    return sets


def _diagnostic(pairs: Iterable[NliPair]) -> Iterator[NliPair]:
    for pair in pairs:
        if pair.categories is None:
            hint = "a diagnostic set has a column of 0 and 1 for each category"
            raise LitotesError("L203", f"{pair.id}: has no categories of negation", hint=hint)
        if pair.categories:
            yield pair


def group_premises(pairs: Sequence[NliPair]) -> DisjointSets:
    """Return sets of premises that must be on the same side of a split."""
    groups = DisjointSets()
    first: dict[bytes, bytes] = {}
    for pair in pairs:
        premise = text_key(pair.premise)
        for key in _gap_keys(pair):
            groups.join(premise, first.setdefault(key, premise))
    return groups


class DisjointSets:
    """A union-find structure.

    >>> sets = DisjointSets()
    >>> sets.join(b"a", b"b"); sets.join(b"c", b"b")
    >>> sets.representative(b"a") == sets.representative(b"c"), sets.representative(b"d") == sets.representative(b"a")
    (True, False)
    """

    def __init__(self) -> None:
        self._parents: dict[bytes, bytes] = {}

    def representative(self, member: bytes) -> bytes:
        """Return the smallest member of the set."""
        root = member
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while member != root:
            self._parents[member], member = root, self._parents.get(member, root)
        return root

    def join(self, first: bytes, second: bytes) -> None:
        """Merge the sets of two members."""
        root, child = sorted((self.representative(first), self.representative(second)))
        self._parents[child] = root


_MAX_WORDS = 3
"""Words of a synonym."""


def _gap_keys(pair: NliPair) -> Iterator[bytes]:
    """Yield keys that a pair shares with pairs that have another word at one position in both texts.

    They identify the augmented pairs of the published files, which are not marked.
    """
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    in_hypothesis = {
        tuple(hypothesis[index : index + size]) for size in range(1, _MAX_WORDS + 1) for index in range(len(hypothesis))
    }
    in_premise = dict.fromkeys(
        tuple(premise[index : index + size])
        for size in range(1, _MAX_WORDS + 1)
        for index in range(len(premise) - size + 1)
    )
    for words in in_premise:
        if words in in_hypothesis:
            yield random_key(0, f"{_with_gaps(premise, words)}\0{_with_gaps(hypothesis, words)}")


def _with_gaps(text: Sequence[str], words: tuple[str, ...]) -> str:
    """Replace every occurrence of some words by a gap."""
    parts: list[str] = []
    index = 0
    while index < len(text):
        if tuple(text[index : index + len(words)]) == words:
            parts.append("_")
            index += len(words)
        else:
            parts.append(text[index])
            index += 1
    return " ".join(parts)


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'").lower() for word in text.split()]
