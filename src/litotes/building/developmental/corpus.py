"""The developmental negation corpus as experiments use it: diagnostic sets a category, and NLI without negation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.building.developmental.pairs import in_paper_order
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
    """Diagnostic train sets by category, one test set whose pairs say their categories, and NLI without negation."""

    train: Mapping[str, Sequence[NliPair]]
    """Every category; one that has no pairs has an empty list."""
    undersampled: Mapping[str, Sequence[NliPair]]
    """The same, all of one size."""
    test: Sequence[NliPair]
    nli_dev: Sequence[NliPair] = ()
    folder: Path | None = None
    """Where NLI_train lies; None where there is none."""

    def nli_train(self) -> Iterator[NliPair]:
        """The pairs without negation, one after the other: there may be a million of them."""
        return iter(()) if self.folder is None else read_pairs(self.folder / NLI_TRAIN)

    def test_of(self, category: str) -> list[NliPair]:
        """The diagnostic test set of one category."""
        return [pair for pair in self.test if category in (pair.categories or ())]


def train_file(category: str, *, undersampled: bool = False) -> str:
    """The place of a category's train set in a corpus's folder.

    >>> train_file("rejection", undersampled=True)
    'train/rejection_undersampled.jsonl'
    """
    return f"{TRAIN}/{category}{'_undersampled' if undersampled else ''}.jsonl"


def load_developmental(folder: str | Path) -> DevelopmentalCorpus:
    """The corpus that `litotes build developmental` wrote into a folder."""
    place = expand_user(folder)
    if not is_file(place / STATISTICS):
        raise LitotesError(
            "L201", f"{place}: is no developmental corpus", hint="litotes build developmental --out DIR makes one"
        )
    test = [
        NliPair(
            item.id,
            item.sentences["premise"],
            item.sentences["hypothesis"],
            item.tags["label"],
            in_paper_order(item.tags.get("categories", "").split()),
        )
        for item in load_folder(place / TEST).items
    ]
    return DevelopmentalCorpus(
        train={category: list(read_pairs(place / train_file(category))) for category in CATEGORIES},
        undersampled={
            category: list(read_pairs(place / train_file(category, undersampled=True))) for category in CATEGORIES
        },
        test=test,
        nli_dev=list(read_pairs(place / NLI_DEV)),
        folder=place,
    )


def pair_line(pair: NliPair, **more: Any) -> dict[str, Any]:
    """A pair as a line of the corpus: `read_nli` reads it too, with its categories."""
    named = pair.categories or ()
    return {
        "id": pair.id,
        "premise": pair.premise,
        "hypothesis": pair.hypothesis,
        "label": pair.label,
        **more,
        **{category: int(category in named) for category in CATEGORIES},
    }


def read_pairs(path: Path) -> Iterator[NliPair]:
    """The pairs of a file of the corpus, under the ids that they have there."""
    for number, line in read_json_lines(path):
        texts = [line.get(name) for name in ("id", "premise", "hypothesis", "label")]
        if not all(isinstance(text, str) for text in texts) or texts[3] not in LABELS:
            raise LitotesError(
                "L203", f"{path}:{number}: is no line of a developmental corpus", hint="build the corpus again"
            )
        categories = tuple(category for category in CATEGORIES if line.get(category) == 1)
        own, premise, hypothesis, label = map(str, texts)
        yield NliPair(own, premise, hypothesis, label, categories)


def split_published(
    files: str | Path | Sequence[str | Path], seed: int = 0, test_share: float = 1 / 3
) -> DevelopmentalCorpus:
    """The published diagnostic files (or a folder of them) split anew, in memory; see `published`."""
    from litotes.building.developmental import published

    return published.split_published(files, seed, test_share)
