"""Training by Litotes compared with a plain Trainer loop that pads every pair to the full length, in one run.

    python benchmarks/developmental/training.py [--pairs 640]

Both train on the same pairs of SNLI and MultiNLI for an epoch, from the same base,
with the paper's settings (batch 16, 175 tokens).
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from litotes.corpora.nli import NliPair, read_nli
from litotes.models.access import Access
from litotes.training.nli.base_model import find_base, load_base
from litotes.training.nli.data import TokenisedPairs
from litotes.training.nli.settings import TrainSettings

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=640)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--base", default="all-MiniLM-L6-v2")
    arguments = parser.parse_args()
    # The paper trains on both complete corpora; this is about their ratio.
    files = {"snli/train_100k.jsonl.gz": 0.58, "mnli/train_part.tsv": 0.42}
    pairs: list[NliPair] = []
    for name, share in files.items():
        pairs_of_corpus = list(read_nli([str(arguments.data / name)]))
        pairs += random.Random(0).sample(pairs_of_corpus, round(arguments.pairs * share))
    ours, plain, again = (
        ours_takes(pairs, arguments.base),
        plain_takes(pairs, arguments.base),
        ours_takes(pairs, arguments.base),
    )
    mean = (ours + again) / 2
    print(f"Litotes      {len(pairs) / ours:7.1f} and {len(pairs) / again:.1f} pairs/s")
    print(f"plain loop   {len(pairs) / plain:7.1f} pairs/s")
    print(f"Litotes is {plain / mean:.1f} times faster")


def ours_takes(pairs: list[NliPair], base: str) -> float:
    from litotes.core.progress import Progress
    from litotes.training.nli.trainer import make_trainer

    settings = TrainSettings(epochs=1)
    loaded = load_base(find_base(base, Access()), Access(), max_length=settings.max_length, seed=0)
    started = time.perf_counter()  # includes tokenization, as in the other measurement
    data = TokenisedPairs(pairs, loaded.tokenizer, max_length=settings.max_length, label_ids=loaded.label_ids)
    with tempfile.TemporaryDirectory() as folder:
        trainer = make_trainer(loaded, data, None, settings, out=Path(folder), progress=Progress())
        trainer.train()
        return time.perf_counter() - started


def plain_takes(pairs: list[NliPair], base: str) -> float:
    from transformers import Trainer, TrainingArguments, default_data_collator

    settings = TrainSettings(epochs=1)
    loaded = load_base(find_base(base, Access()), Access(), max_length=settings.max_length, seed=0)
    started = time.perf_counter()
    result = loaded.tokenizer(
        [pair.premise for pair in pairs],
        [pair.hypothesis for pair in pairs],
        truncation=True,
        padding="max_length",
        max_length=settings.max_length,
    )
    rows: list[dict[str, Any]] = [
        {**{name: column[index] for name, column in result.items()}, "labels": loaded.label_ids[pair.label]}
        for index, pair in enumerate(pairs)
    ]
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            learning_rate=settings.learning_rate,
            weight_decay=settings.weight_decay,
            per_device_train_batch_size=settings.batch_size,
            num_train_epochs=1,
            save_strategy="epoch",
            report_to=[],
            disable_tqdm=True,
        )
        Trainer(model=loaded.model, args=arguments, train_dataset=rows, data_collator=default_data_collator).train()
        return time.perf_counter() - started


if __name__ == "__main__":
    main()
