"""Random sentences from the corpora in the data folder next to the project; LITOTES_DATA names another folder."""

from __future__ import annotations

import csv
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(os.environ.get("LITOTES_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))

JUDGED_SEED = 20_27
"""The seed of the sentences whose rewrites have been judged; rules are developed on other seeds."""


class SampledSentence(NamedTuple):
    """A sentence and its id in its corpus."""

    corpus: str
    id: str
    text: str


def _sick() -> Iterator[tuple[str, str]]:
    with (DATA / "sick" / "SICK_train.txt").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield f"{row['pair_ID']}A", row["sentence_A"]
            yield f"{row['pair_ID']}B", row["sentence_B"]


def _tatoeba() -> Iterator[tuple[str, str]]:
    with (DATA / "tatoeba" / "english.txt").open(encoding="utf-8") as lines:
        yield from ((str(number), line.strip()) for number, line in enumerate(lines, 1))


def _goemotions() -> Iterator[tuple[str, str]]:
    with (DATA / "goemotions" / "train.tsv").open(encoding="utf-8") as lines:
        for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row[2], row[0].strip()


def _mnli() -> Iterator[tuple[str, str]]:
    with (DATA / "mnli" / "dev_matched.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            yield f"{number}p", row["premise"].strip()
            yield f"{number}h", row["hypothesis"].strip()


CORPORA: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "sick": _sick,
    "tatoeba": _tatoeba,
    "goemotions": _goemotions,
    "mnli": _mnli,
}


def sample(corpus: str, count: int = 300, *, seed: int = JUDGED_SEED) -> list[SampledSentence]:
    """Return random distinct sentences of a corpus."""
    unique: dict[str, str] = {}
    for id_, text in CORPORA[corpus]():
        if text:
            unique.setdefault(text, id_)
    drawn = random.Random(seed).sample(sorted(unique.items(), key=lambda pair: pair[1]), count)
    return [SampledSentence(corpus, id_, text) for text, id_ in drawn]
