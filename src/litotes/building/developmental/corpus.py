"""The developmental negation corpus as experiments use it: diagnostic sets by category, and NLI without negation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.building.developmental.pairs import in_category_order
from litotes.core.errors import LitotesError
from litotes.core.files import expand_user, is_file, read_json_lines
from litotes.corpora.nli import LABELS, NliPair
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
