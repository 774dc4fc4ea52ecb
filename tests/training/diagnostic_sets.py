"""Small diagnostic sets in the format of the published files."""

from __future__ import annotations

import json
import random
from pathlib import Path

from litotes.corpora.nli import LABELS
from litotes.languages.negation_categories import CATEGORIES

from .conftest import PEOPLE, THINGS, make_pairs, write_pairs

NEGATED = {
    "possession": "it does not have food",
    "existence": "there is no food",
    "labeling": "it is not food",
    "prohibition": "do not have it",
    "inability": "it can not have food",
    "epistemic": "it does not know",
    "rejection": "it does not want food",
}
ENDS = {"entailment": "here", "neutral": "something", "contradiction": "quickly"}
"""The last word of a hypothesis, which determines its label."""


def write_published(folder: Path, *, each: int = 36, without: str = "", with_split: bool = False) -> Path:
    """Write a folder in the published format; premises and hypotheses share no word.

    With `with_split`, there are also undersampled sets of 24 pairs, except for prohibition, and test sets, in which
    two of every category's pairs are repeated from its train set.
    """
    folder.mkdir(parents=True, exist_ok=True)
    premises = [
        f"{person} {verb} {noun}." for person in PEOPLE for noun in THINGS for verb in ("likes", "hates", "buys")
    ]
    draw = random.Random(0)
    for category, negated in NEGATED.items():
        lines = []
        for number, premise in enumerate(draw.sample(premises, each)):
            label = LABELS[number % 3]
            flags = {_spelt(one): int(one == category) for one in CATEGORIES}
            hypothesis = f"{negated} {ENDS[label]}."
            lines.append(
                {"gold_label": label, "sentence1": premise, "sentence2": hypothesis, "pairID": number, **flags}
            )
        if category != without:
            _write(folder / f"{_spelt(category)}_train_innoculation_v5.jsonl", lines)
        if with_split:
            fresh = [{**line, "sentence1": f"Soon {line['sentence1']}"} for line in lines[2:18]]
            _write(folder / f"{_spelt(category)}_test_innoculation_v5.jsonl", [*lines[:2], *fresh])
            if category != "prohibition":
                _write(folder / f"{_spelt(category)}_train_innoculation_v5.jsonl_undersampled", lines[:24])
    return folder


def _write(path: Path, lines: list[dict[str, object]]) -> None:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


def _spelt(category: str) -> str:
    return "posession" if category == "possession" else category


def write_nli(folder: Path) -> dict[str, Path]:
    """Return NLI data without negation for training and testing; its premises are not in the diagnostic sets."""
    folder.mkdir(parents=True, exist_ok=True)
    train = [pair for pair in make_pairs(400) if "quickly" in pair.premise]
    dev = [pair for pair in make_pairs(120, seed=1) if "quickly" in pair.premise][:60]
    return {"train": write_pairs(folder / "train.jsonl", train), "dev": write_pairs(folder / "dev.jsonl", dev)}
