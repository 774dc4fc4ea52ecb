"""Naturalness by tiny causal and masked language models."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from litotes.building.pipeline.naturalness import LanguageModel, load_language_model
from litotes.core.errors import LitotesError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = (
    "the a soup tea is was not hot cold strong weak ready we drink drank like it . , un ##ready ##likely ##ly".split()
)
TEXTS = [
    "The soup is hot.",
    "The tea was not strong.",
    "We like tea, not soup.",
    "It is unlikely.",
    "The tea was unready.",
]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Use one thread, because for such small models synchronisation takes longer than computation."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def save_tokenizer(folder: Path, *, causal: bool) -> int:
    """Write a vocabulary of words and pieces of words; return its size."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {token: number for number, token in enumerate(dict.fromkeys([*SPECIAL, *WORDS]))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]"}
    if causal:
        names["bos_token"] = "[CLS]"
    else:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
        names |= {"cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=32, **names).save_pretrained(
        folder
    )
    return len(vocabulary)


def new_model(size: int, *, causal: bool, spread: float = 0.3) -> Any:
    torch.manual_seed(7)
    if causal:
        return transformers.GPT2LMHeadModel(
            transformers.GPT2Config(
                vocab_size=size,
                n_embd=32,
                n_layer=2,
                n_head=2,
                n_positions=32,
                bos_token_id=2,
                eos_token_id=3,
                initializer_range=spread,
            )
        )
    return transformers.BertForMaskedLM(
        transformers.BertConfig(
            vocab_size=size,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=32,
            initializer_range=spread,
        )
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A causal and a masked model with random weights."""
    paths = {}
    for kind in ("causal", "masked"):
        folder = tmp_path_factory.mktemp("models") / kind
        size = save_tokenizer(folder, causal=kind == "causal")
        new_model(size, causal=kind == "causal").save_pretrained(folder)
        paths[kind] = folder
    return paths


@pytest.fixture(scope="module")
def models(folders: dict[str, Path]) -> dict[str, LanguageModel]:
    return {kind: load_language_model(str(folder)) for kind, folder in folders.items()}


def parts(folder: Path, kind: str) -> tuple[Any, Any]:
    auto = transformers.AutoModelForCausalLM if kind == "causal" else transformers.AutoModelForMaskedLM
    return auto.from_pretrained(folder).eval(), transformers.AutoTokenizer.from_pretrained(folder)


def test_finds_the_kind_of_model_in_its_config(models: dict[str, LanguageModel], folders: dict[str, Path]) -> None:
    for kind, model in models.items():
        assert model.kind == kind
        described = model.describe()
        assert (described["model"], described["kind"], len(described["sha256"])) == (kind, kind, 64)
        assert str(folders[kind].parent) not in json.dumps(described)


def test_a_causal_model_gives_the_mean_over_all_tokens(
    folders: dict[str, Path], models: dict[str, LanguageModel]
) -> None:
    """Scores equal the loss computed by transformers, one text at a time."""
    model, tokenizer = parts(folders["causal"], "causal")

    def mean(text: str) -> float:
        ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text)["input_ids"]]])
        with torch.no_grad():
            return float(-model(input_ids=ids, labels=ids).loss) / math.log(10)

    pairs = [(before, after) for before in TEXTS for after in TEXTS]
    result = models["causal"].naturalness(pairs)
    expected = [mean(after) - mean(before) for before, after in pairs]
    assert result == pytest.approx(expected, abs=1e-4)
    assert max(map(abs, result)) > 0.05


def test_a_masked_model_scores_the_tokens_that_differ(
    folders: dict[str, Path], models: dict[str, LanguageModel]
) -> None:
    """Scores equal those of manually masked tokens, one forward pass per token."""
    model, tokenizer = parts(folders["masked"], "masked")

    def mean(text: str, positions: list[int | tuple[int, int]]) -> float:
        """Positions from the first word on; of two adjacent ones the second is masked as well."""
        logs = []
        for index in positions:
            first, last = index if isinstance(index, tuple) else (index, index)
            ids = tokenizer(text)["input_ids"]
            wanted = ids[first + 1]
            ids[first + 1 : last + 2] = [tokenizer.mask_token_id] * (last - first + 1)
            with torch.no_grad():
                logs.append(
                    float(model(torch.tensor([ids])).logits[0, first + 1].log_softmax(-1)[wanted]) / math.log(10)
                )
        return sum(logs) / len(logs)

    pairs = [
        ("The soup is hot.", "The soup is cold."),  # a word, between its neighbours
        ("The soup is hot.", "The soup is not hot."),  # an inserted word: its neighbours in the other text
        ("The tea was strong.", "A tea was weak."),  # two positions; the first word has one neighbour
        ("The tea was ready.", "The tea was unready."),  # a word of two pieces: the second must not reveal the first
    ]
    expected = [
        mean(pairs[0][1], [2, 3, 4]) - mean(pairs[0][0], [2, 3, 4]),
        mean(pairs[1][1], [2, 3, 4]) - mean(pairs[1][0], [2, 3]),
        mean(pairs[2][1], [0, 1, 2, 3, 4]) - mean(pairs[2][0], [0, 1, 2, 3, 4]),
        mean(pairs[3][1], [2, (3, 4), 4, 5]) - mean(pairs[3][0], [2, 3, 4]),
    ]
    assert models["masked"].naturalness(pairs) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_batches_do_not_change_the_scores(
    models: dict[str, LanguageModel], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [(before, after) for before in TEXTS for after in TEXTS]
    together = models[kind].naturalness(pairs)
    monkeypatch.setattr("litotes.building.pipeline.naturalness._MAX_BATCH_TOKENS", 1)
    assert models[kind].naturalness(pairs) == pytest.approx(together, abs=1e-5)
    assert [models[kind].naturalness([pair])[0] for pair in pairs] == pytest.approx(together, abs=1e-5)


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_identical_texts_are_equally_natural(models: dict[str, LanguageModel], kind: str) -> None:
    assert models[kind].naturalness([(text, text) for text in TEXTS]) == [0.0] * len(TEXTS)
    assert models[kind].naturalness([]) == []


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_each_text_is_scored_once(models: dict[str, LanguageModel], kind: str) -> None:
    model = models[kind]
    rows = 0

    def count(module: Any, arguments: Any, options: dict[str, Any]) -> None:
        nonlocal rows
        rows += len(options["input_ids"])

    pair = (TEXTS[0], "The soup is cold.")
    handle = model._model.register_forward_pre_hook(count, with_kwargs=True)
    try:
        model.naturalness([pair] * 10)
    finally:
        handle.remove()
    assert rows == (2 if kind == "causal" else 6)


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_long_texts_are_truncated(models: dict[str, LanguageModel], kind: str) -> None:
    long = " ".join(["tea"] * 200)
    [result] = models[kind].naturalness([("The soup is hot.", long)])
    assert math.isfinite(result)


@pytest.mark.parametrize("kind", ["causal", "masked"])
def test_trained_model_prefers_the_natural_text(tmp_path: Path, kind: str) -> None:
    """Train for a few steps on sentences in which tea is strong and soup is hot."""
    size = save_tokenizer(tmp_path, causal=kind == "causal")
    model = new_model(size, causal=kind == "causal", spread=0.02)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    texts = [
        "The tea is strong.",
        "The soup is hot.",
        "We drink strong tea.",
        "We like hot soup.",
        "The tea was strong.",
    ]
    ids = torch.tensor([([] if kind == "masked" else [2]) + tokenizer(text)["input_ids"] for text in texts])
    read = expected = ids
    if kind == "masked":  # mask each word of each text
        positions = torch.arange(1, ids.shape[1] - 1).repeat(len(texts))
        expected = ids.repeat_interleave(ids.shape[1] - 2, dim=0)
        gaps = torch.nn.functional.one_hot(positions, ids.shape[1]).bool()
        read = expected.masked_fill(gaps, tokenizer.mask_token_id)
        expected = expected.masked_fill(~gaps, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    model.eval()  # no dropout, because there are few steps
    for _ in range(60):
        loss = model(input_ids=read, labels=expected).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(tmp_path)
    trained = load_language_model(str(tmp_path))
    better, worse = trained.naturalness(
        [("The tea is hot.", "The tea is strong."), ("The soup is hot.", "The soup is strong.")]
    )
    assert better > 0.2 and worse < -0.2


# Folders that are not language models


def copied(folders: dict[str, Path], kind: str, to: Path, change: Callable[[Path], object]) -> Path:
    folder = shutil.copytree(folders[kind], to / "copy")
    change(folder)
    return folder


def set_architecture(name: str | None) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        config["architectures"] = [name] if name else None
        (folder / "config.json").write_text(json.dumps(config))

    return change


def rename_weights(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def remove_head(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    remaining = {name: value for name, value in weights.items() if not name.startswith("cls.")}
    assert len(remaining) < len(weights)
    save_file(remaining, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (set_architecture("BertModel"), "L311", "is a BertModel, not a causal or masked language model"),
        (set_architecture("T5ForConditionalGeneration"), "L311", "not a causal or masked language model"),
        (set_architecture(None), "L311", "does not declare an architecture"),
        (lambda folder: (folder / "config.json").unlink(), "L302", "config.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), "L302", "no weights"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 50), "L303", "safetensors"),
        (rename_weights, "L305", "pickled"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "L304", "tokenizer"),
        (remove_head, "L311", "do not fit"),
    ],
)
def test_reports_folders_that_are_not_language_models(
    folders: dict[str, Path], tmp_path: Path, change: Callable[[Path], object], code: str, words: str
) -> None:
    folder = copied(folders, "masked", tmp_path, change)
    with pytest.raises(LitotesError, match=words) as caught:
        load_language_model(str(folder))
    assert caught.value.code == code


def test_remote_code_is_not_run(folders: dict[str, Path], tmp_path: Path) -> None:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        config["model_type"] = "own-kind"
        config["auto_map"] = {"AutoConfig": "own.Config", "AutoModelForMaskedLM": "own.Model"}
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")

    with pytest.raises(LitotesError, match="L306"):
        load_language_model(str(copied(folders, "masked", tmp_path, change)))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", ["nobody/no-such-model", "./no/such/folder", "", "tiny?dtype=float16"])
def test_reports_unknown_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(LitotesError, match=r"L301|L309|L102"):
        load_language_model(name)


def test_model_with_nan_scores_is_an_error(folders: dict[str, Path]) -> None:
    model = load_language_model(str(folders["causal"]))
    with torch.no_grad():
        for weights in model._model.parameters():
            weights.fill_(float("nan"))
    with pytest.raises(LitotesError, match="L308"):
        model.naturalness([(TEXTS[0], TEXTS[1])])
