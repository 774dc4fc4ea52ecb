"""A tiny encoder, and pairs whose labels can be learned."""

from __future__ import annotations

import os

# Test processes run in parallel, so each uses one thread; child processes inherit the setting.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import random
from pathlib import Path

import pytest

from litotes.corpora.nli import NliPair

PEOPLE = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"]
THINGS = ["soup", "bread", "tea", "rice", "fish", "cake", "milk", "fruit"]
WORDS = [
    *PEOPLE,
    *THINGS,
    *"likes buys food something quickly hates . is here does not want know can there no it have".split(),
]


def make_pairs(count: int, seed: int = 0) -> list[NliPair]:
    """Return pairs: a hypernym is entailed, the opposite verb contradicts, a different object is neutral."""
    draw = random.Random(seed)
    result = []
    for number in range(count):
        person, noun, other = draw.choice(PEOPLE), *draw.sample(THINGS, 2)
        label = ("entailment", "neutral", "contradiction")[number % 3]
        end = {
            "entailment": f"{person} likes food.",
            "neutral": f"{person} buys {other}.",
            "contradiction": f"{person} hates {noun}.",
        }[label]
        extra = " quickly" * draw.randrange(0, 6)
        result.append(NliPair(f"made:{number}", f"{person} likes {noun}{extra}.", end, label))
    return result


def save_encoder(folder: Path, *, tokenizer: bool = True, seed: int = 0, words: list[str] | None = None) -> Path:
    """Save a BERT of two narrow layers with a word tokenizer."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {
        word: number for number, word in enumerate([*special, *dict.fromkeys(map(str.lower, words or WORDS))])
    }
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=48,
    )
    BertModel(config).save_pretrained(folder)
    if tokenizer:
        made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
        made.normalizer = normalizers.Lowercase()
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
        PreTrainedTokenizerFast(
            tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", model_max_length=512
        ).save_pretrained(folder)
    return folder


def save_roberta(folder: Path) -> Path:
    """Save a RoBERTa of one narrow layer with a byte-level tokenizer that knows every word as a whole."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizerFast

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made = ByteLevelBPETokenizer()
    text = " ".join(["", *WORDS, *map(str.lower, WORDS)])
    made.train_from_iterator([text] * 3, vocab_size=600, min_frequency=1, special_tokens=special)
    folder.mkdir(parents=True, exist_ok=True)
    made.save(str(folder / "tokenizer.json"))
    tokenizer = RobertaTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=50,
        type_vocab_size=1,
        pad_token_id=1,
    )
    RobertaModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_encoder(tmp_path_factory.mktemp("base") / "encoder")


def write_pairs(path: Path, pairs: list[NliPair]) -> Path:
    """Write the pairs as JSON lines."""
    from litotes.core.files import to_json

    lines = [to_json({"premise": pair.premise, "hypothesis": pair.hypothesis, "label": pair.label}) for pair in pairs]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path
