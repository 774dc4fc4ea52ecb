"""The usual sentence-transformers folder (a transformer, a pooling, perhaps a normalisation) read without the library.

It gives the numbers that the library gives with the same products, and its many imports are not needed. Whatever is
out of the ordinary in a folder, in the least of its settings, is the library's business: then there is no such plain
model.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.models.access import Access
from litotes.models.model_folder import model_files, pickled_weights
from litotes.models.transformers.torch_model import Features
from litotes.models.transformers.transformers_encoder import pool
from litotes.speedups.bert_forward import quick_forward
from litotes.speedups.onednn import use_quick_products

if TYPE_CHECKING:
    import torch

_TRANSFORMERS = ("bert", "distilbert", "mpnet", "roberta", "xlm-roberta")
"""Kinds of transformers that read a sentence as a whole and give a vector a token, and nothing else."""

_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
_POOLINGS = {"pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max", "pooling_mode_mean_tokens": "mean"}
_TEXT_ONLY = {
    "do_lower_case": False,
    "transformer_task": "feature-extraction",
    "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
    "module_output_name": "token_embeddings",
}
"""What may be said of the transformer beside its length, and only in this way."""
_ANY_LENGTH = 1
_NORMALIZED = {"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"}
_OF_NO_ACCOUNT = {"__version__", "model_type", "prompts", "default_prompt_name", "similarity_fn_name"}
_OTHER_TRANSFORMER = ("auto_map", "is_decoder", "add_cross_attention", "quantization_config")
_OTHER_INPUT = ("processor_config.json", "preprocessor_config.json", "chat_template.jinja", "adapter_config.json")


@dataclass(frozen=True)
class Plain:
    """What such a folder says."""

    pooling: str
    normalized: bool
    max_length: int | None
    """None if that is for the tokenizer to say."""
    prompts: Mapping[str, str | None] = field(default_factory=dict)
    default_prompt_name: str | None = None


class PlainModel:
    """A transformer with a pooling; what is asked of a model of the library can be asked of it."""

    truncate_dim = None

    def __init__(self, plain: Plain, transformer: Any, tokenizer: Any) -> None:
        self.transformers_model, self.tokenizer = transformer, tokenizer
        self.prompts, self.default_prompt_name = plain.prompts, plain.default_prompt_name
        self._plain = plain
        self._quick = quick_forward(transformer)
        taken = inspect.signature(transformer.forward).parameters
        takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken.values())
        self._taken = None if takes_all else set(taken)

    def module_names(self) -> Iterator[str]:
        """What it is made of, as the fingerprint has it."""
        yield "Transformer"
        yield f"Pooling({self._plain.pooling})"
        if self._plain.normalized:
            yield "Normalize"

    @property
    def max_seq_length(self) -> int:
        """How many tokens of a sentence are read."""
        return int(self.tokenizer.model_max_length)

    @max_seq_length.setter
    def max_seq_length(self, length: int) -> None:
        self.tokenizer.model_max_length = length

    def preprocess(self, texts: Sequence[str], prompt: str | None = None) -> Features:
        """The tokens of a batch."""
        whole = [(prompt or "") + text for text in texts]
        found: Features = self.tokenizer(whole, padding=True, truncation="longest_first", return_tensors="pt")
        return found

    def __call__(self, features: Features) -> Features:
        """The vectors of a batch, under the library's name for them."""
        import torch

        if self._quick is not None and not torch.is_grad_enabled():
            hidden = self._quick(features)
        else:
            given = {key: value for key, value in features.items() if self._taken is None or key in self._taken}
            hidden = self.transformers_model(**given, return_dict=True).last_hidden_state
        vectors = pool(hidden, features["attention_mask"], self._plain.pooling).to(hidden.dtype)
        if self._plain.normalized:
            vectors = torch.nn.functional.normalize(vectors, p=2, dim=-1)
        return {"sentence_embedding": vectors}


def load_plain(folder: Path, access: Access, device: torch.device, dtype: torch.dtype) -> PlainModel | None:
    """The model of a plain folder; None if only the library can tell what it is."""
    plain = read_plain(folder, access)
    if plain is None:
        return None
    from transformers import AutoModel, AutoTokenizer

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    model = AutoModel.from_pretrained(folder, dtype=dtype, **common)
    length = {} if plain.max_length is None else {"model_max_length": plain.max_length}
    tokenizer = AutoTokenizer.from_pretrained(folder, **length, **common)
    if tokenizer.padding_side != "right":
        return None
    if not length:
        positions = getattr(model.config, "max_position_embeddings", tokenizer.model_max_length)
        tokenizer.model_max_length = min(tokenizer.model_max_length, positions)
    return PlainModel(plain, use_quick_products(model.to(device).eval()), tokenizer)


def read_plain(folder: Path, access: Access) -> Plain | None:
    """What a folder says if it is plain; what cannot be read is not."""
    try:
        return _plain(folder, access)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None  # the library, or the check of the folder, says what is wrong with it


def _plain(folder: Path, access: Access) -> Plain | None:
    kinds = _module_kinds(_read(folder / "modules.json"))
    transformer = _read(folder / "config.json")
    reading = _read(folder / "sentence_bert_config.json")
    about = _read_if_there(folder / "config_sentence_transformers.json")
    prompts, named = about.get("prompts", {}), about.get("default_prompt_name")
    pooling = _pooling(_read(folder / "1_Pooling" / "config.json"))
    ordinary = (
        not access.trust_remote_code
        and not pickled_weights(model_files(folder))
        and not any((folder / name).exists() for name in _OTHER_INPUT)
        and _read_if_there(folder / "2_Normalize" / "config.json") in ({}, _NORMALIZED)
        and _is_text_only(reading)
        and transformer["model_type"] in _TRANSFORMERS
        and not any(transformer.get(key) for key in _OTHER_TRANSFORMER)
        and set(about) <= _OF_NO_ACCOUNT
        and about.get("model_type", "SentenceTransformer") == "SentenceTransformer"
        and (named is None or isinstance(prompts.get(named), str))
    )
    if not ordinary or kinds not in _MODULES or pooling is None:
        return None
    return Plain(
        pooling=pooling,
        normalized="Normalize" in kinds,
        max_length=reading.get("max_seq_length"),
        prompts=dict(prompts),
        default_prompt_name=named,
    )


def _module_kinds(modules: Any) -> list[str] | None:
    """The classes of the library that a folder names, if they stand where they always do."""
    for place, module in enumerate(modules):
        own_place = module["path"] == ("" if place == 0 else f"{place}_{module['type'].rpartition('.')[2]}")
        if set(module) != {"idx", "name", "path", "type"} or module["idx"] != place or not own_place:
            return None
        if not module["type"].startswith("sentence_transformers."):
            return None
    return [module["type"].rpartition(".")[2] for module in modules]


def _is_text_only(said: Mapping[str, Any]) -> bool:
    others = {key: value for key, value in said.items() if key != "max_seq_length"}
    length = said.get("max_seq_length", _ANY_LENGTH)
    usual = all(key in _TEXT_ONLY and value == _TEXT_ONLY[key] for key, value in others.items())
    return usual and type(length) is int and length > 0


def _pooling(said: Mapping[str, Any]) -> str | None:
    """The one pooling that is named, in the older or in the newer way."""
    rest = {key: value for key, value in said.items() if key not in ("word_embedding_dimension", "embedding_dimension")}
    if rest.pop("include_prompt", True) is not True:
        return None
    if set(rest) == {"pooling_mode"}:
        named = rest["pooling_mode"]
        return named if named in _POOLINGS.values() else None
    chosen = [key for key, value in rest.items() if value is not False]
    usual = len(chosen) == 1 and rest[chosen[0]] is True and all(key.startswith("pooling_mode_") for key in rest)
    return _POOLINGS.get(chosen[0]) if usual else None


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _read_if_there(path: Path) -> Any:
    return _read(path) if path.exists() else {}
