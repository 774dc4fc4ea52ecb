"""Small models with random weights, saved in the published formats."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SENTENCES = [
    "The soup is hot.",
    "The soup is not hot.",
    "The soup is cold.",
    "Nobody came to the party because it was raining all day.",
    "Everybody came.",
    "I have never seen a happier dog than this one.",
    "She isn't unhappy with the result.",
    "He failed to convince anyone.",
    "It is hardly surprising that the train was late again.",
    "The train was on time.",
    "Few people like waiting.",
    "Many people dislike waiting in long queues at the post office on a Saturday morning.",
    "No.",
    "Yes, of course!",
    "The door was open.",
    "The door was not closed.",
    "You can hardly call that a success.",
    "Without salt the bread tastes of nothing.",
    "They deny having been there.",
    "It's impossible to be certain.",
]

_BERT = {"pad": "[PAD]", "unk": "[UNK]", "bos": "[CLS]", "eos": "[SEP]"}
_ROBERTA = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>"}
_T5 = {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"}


def save_tokenizer(
    folder: Path, special: dict[str, str], *, max_length: int, side: str = "right", mask: str | None = None
) -> int:
    """Save a word tokenizer; return the size of its vocabulary."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = sorted({word for text in SENTENCES for word in text.lower().replace(".", " .").split()})
    masks = [mask] if mask is not None else []
    vocabulary = {token: number for number, token in enumerate([*special.values(), *words, *masks])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=special["unk"]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [special[end] for end in ("bos", "eos") if end in special]
    start = f"{special['bos']} " if "bos" in special else ""
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start}$A {special['eos']}",
        pair=f"{start}$A {special['eos']} $B:1 {special['eos']}:1",
        special_tokens=[(token, vocabulary[token]) for token in ends],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=special["pad"],
        unk_token=special["unk"],
        model_max_length=max_length,
        padding_side=side,
        mask_token=mask,
    ).save_pretrained(folder)
    return len(vocabulary)


def save_bert(
    folder: Path, *, seed: int = 0, positions: int = 32, side: str = "right", mask: str | None = None
) -> Path:
    """Save a BERT of two layers with weights large enough for sentences to differ."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    size = save_tokenizer(folder, _BERT, max_length=512, side=side, mask=mask)
    config = BertConfig(vocab_size=size, max_position_embeddings=positions, **_small())
    BertModel(config).save_pretrained(folder)
    return folder


def save_roberta(folder: Path, *, mask: str | None = None) -> Path:
    """Save a RoBERTa, whose positions start after that of the padding."""
    import torch
    from transformers import RobertaConfig, RobertaModel

    torch.manual_seed(1)
    size = save_tokenizer(folder, _ROBERTA, max_length=10**30, mask=mask)
    config = RobertaConfig(vocab_size=size, max_position_embeddings=18, type_vocab_size=1, pad_token_id=1, **_small())
    RobertaModel(config).save_pretrained(folder)
    return folder


NLI_LABELS = ("entailment", "neutral", "contradiction")


def save_nli(folder: Path, *, labels: Sequence[str] = NLI_LABELS, seed: int = 3, positions: int = 48) -> Path:
    """Save a BERT with a random classification head and these names of labels."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(seed)
    size = save_tokenizer(folder, _BERT, max_length=512)
    names = dict(enumerate(labels))
    config = BertConfig(vocab_size=size, max_position_embeddings=positions, id2label=names, **_small())
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def save_roberta_nli(folder: Path, *, labels: Sequence[str] = NLI_LABELS) -> Path:
    """Save a RoBERTa classifier, which has no token types and no pooler."""
    import torch
    from transformers import RobertaConfig, RobertaForSequenceClassification

    torch.manual_seed(4)
    size = save_tokenizer(folder, _ROBERTA, max_length=10**30)
    config = RobertaConfig(
        vocab_size=size,
        max_position_embeddings=42,
        type_vocab_size=1,
        pad_token_id=1,
        id2label=dict(enumerate(labels)),
        **_small(),
    )
    RobertaForSequenceClassification(config).save_pretrained(folder)
    return folder


def save_cross_encoder(folder: Path, classifier: Path) -> Path:
    """Save the model in the format of cross-encoders of sentence-transformers."""
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(classifier), device="cpu", local_files_only=True)
    model.save_pretrained(str(folder), create_model_card=False)  # creating the card would need the hub
    return folder


def save_t5(folder: Path) -> Path:
    """Save a T5 with encoder and decoder."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(2)
    size = save_tokenizer(folder, _T5, max_length=64)
    config = T5Config(vocab_size=size, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0)
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def _small() -> dict[str, Any]:
    return {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "initializer_range": 0.5,
    }


def save_sentence_transformer(folder: Path, bert: Path, *, pooling: str = "mean", **config: Any) -> Path:
    """Save a sentence-transformers folder with a BERT."""
    copy(bert, folder)
    library = "sentence_transformers.models"
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    write_json(
        folder / "modules.json",
        [
            {"idx": index, "name": str(index), "path": path, "type": f"{library}.{kind}"}
            for index, (path, kind) in enumerate(modules)
        ],
    )
    modes = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}
    write_json(
        folder / "1_Pooling" / "config.json",
        {
            "word_embedding_dimension": 16,
            **{f"pooling_mode_{key}": mode == pooling for mode, key in modes.items()},
        },
    )
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 24, "do_lower_case": False})
    write_json(folder / "config_sentence_transformers.json", config)
    return folder


def add_module(folder: Path, place: str, kind: str, **config: Any) -> Path:
    """Add a module of sentence-transformers in a subfolder to a model; return the subfolder."""
    modules = json.loads((folder / "modules.json").read_text())
    kind = kind if "." in kind else f"sentence_transformers.models.{kind}"
    modules.append({"idx": len(modules), "name": str(len(modules)), "path": place, "type": kind})
    write_json(folder / "modules.json", modules)
    write_json(folder / place / "config.json", config)
    return folder / place


def pickle_weights(folder: Path) -> Path:
    """Convert the safetensors of a model into the pickled file of older models."""
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    return folder


def shard_weights(folder: Path) -> list[Path]:
    """Split the weights of a model into two files with an index; return the two files."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    parts = [names[: len(names) // 2], names[len(names) // 2 :]]
    files = [folder / f"model-0000{number}-of-00002.safetensors" for number in (1, 2)]
    for file, part in zip(files, parts, strict=True):
        save_file({name: weights[name] for name in part}, file, metadata={"format": "pt"})
    where = {name: file.name for file, part in zip(files, parts, strict=True) for name in part}
    write_json(folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": where})
    return files


def change_weights(folder: Path, change: Any) -> Path:
    """Load the weights of a model, apply `change` to the dictionary, and save them."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def change_json(path: Path, **values: Any) -> None:
    """Set keys of a JSON file."""
    write_json(path, {**json.loads(path.read_text()), **values})


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def copy(folder: Path, to: Path, *, without: Sequence[str] = ()) -> Path:
    """Copy the folder of a model without some of its files."""
    shutil.copytree(folder, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*without))
    return to
