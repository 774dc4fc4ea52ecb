"""`st:MODEL`: sentence-transformers models with their own pooling and normalisation.

Standard models (a transformer, a pooling, perhaps a normalisation) are loaded without the library: the vectors are the
same, and its many imports are avoided. A folder with any unusual setting is left to the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from litotes.core.errors import LitotesError
from litotes.core.files import read_json_value
from litotes.core.model_folders.files import model_files, pickled_weights
from litotes.models.access import Access
from litotes.models.base import Fingerprint
from litotes.models.names import ModelName, parse_options
from litotes.models.transformers.torch_model import (
    AUTO,
    NO_LIMIT,
    DType,
    Features,
    TorchEncoder,
    TorchSource,
    accepted_inputs,
    check_layer,
    check_max_length,
    find_torch_model,
    loading,
    pool,
    token_ids,
    token_vectors,
)

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

AnySentenceTransformer: TypeAlias = "SentenceTransformer | StandardSentenceTransformer"


@dataclass(frozen=True)
class SentenceTransformerOptions:
    """Options in a name such as `all-MiniLM-L6-v2?max_length=64`; defaults are the model's own values."""

    layer: int | None = None
    max_length: int | None = None
    prompt: str | None = None
    dtype: DType = "float32"
    device: str = AUTO


class SentenceTransformerEncoder(TorchEncoder):
    """A model of the sentence-transformers library."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, device: torch.device, model: AnySentenceTransformer, prompt: str
    ) -> None:
        super().__init__(name, fingerprint, device)
        self._model = model
        self._prompt = prompt

    def _tokenize(self, texts: Sequence[str]) -> Features:
        features: Features = self._model.preprocess(list(texts), prompt=self._prompt or None)
        return features

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        # Much faster than preprocess, which checks each text for images and audio.
        if self._model.transformers_model is None:
            return None
        return token_ids(self._model.tokenizer, [self._prompt + text for text in texts], self._model.max_seq_length)

    def _forward(self, features: Features) -> torch.Tensor:
        output = self._model(features)
        if "sentence_embedding" not in output:
            hint = "hf:…?pooling=mean pools the vectors of its tokens"
            raise LitotesError("L310", f"{self.name}: its modules do not return sentence vectors", hint=hint)
        vectors: torch.Tensor = output["sentence_embedding"]
        return vectors[:, : self._model.truncate_dim]


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> SentenceTransformerEncoder:
    """Load `st:MODEL`, or a name without a scheme."""
    options = parse_options(SentenceTransformerOptions, values, scheme=name.scheme)
    source = find_torch_model(name, access, options.device, "sentence_transformers")
    with loading(source.folder, access):
        import torch

        dtype = getattr(torch, options.dtype)
        model: AnySentenceTransformer = load_standard(source, dtype) or _load_with_library(source, dtype)
        _set_layer(model, options.layer, source)
        if options.max_length is not None:
            check_max_length(options.max_length, model.transformers_model, model.tokenizer)
            model.max_seq_length = options.max_length
        prompt = options.prompt if options.prompt is not None else default_prompt(model)
    length = model.max_seq_length
    fingerprint = source.fingerprint(
        pooling=" + ".join(_module_names(model)),
        dtype=options.dtype,
        max_length=int(length) if length is not None and length < NO_LIMIT else None,
        prompt=prompt,
    )
    return SentenceTransformerEncoder(name.text, fingerprint, source.device, model, prompt)


def _set_layer(model: AnySentenceTransformer, layer: int | None, source: TorchSource) -> None:
    if layer is None:
        return
    if not isinstance(model, StandardSentenceTransformer):
        hint = f"use hf:{source.folder.name}?layer={layer}&pooling=mean"
        raise LitotesError("L310", f"{source.folder}: layer= requires a transformer with a pooling alone", hint=hint)
    check_layer(layer, model.transformers_model.config)
    model.layer = layer


def _load_with_library(source: TorchSource, dtype: torch.dtype) -> SentenceTransformer:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(source.folder), device=str(source.device), model_kwargs={"dtype": dtype}, **source.options
    )
    return source.prepare(model)


def default_prompt(model: AnySentenceTransformer) -> str:
    """Return the prompt that the model puts before every text by default, or an empty string."""
    prompt_name = model.default_prompt_name
    return str(model.prompts.get(prompt_name, "")) if prompt_name else ""


def _module_names(model: AnySentenceTransformer) -> Iterator[str]:
    return model.module_names() if isinstance(model, StandardSentenceTransformer) else map(_module_name, model)


def _module_name(module: Any) -> str:
    mode = getattr(module, "pooling_mode", None)
    return f"{type(module).__name__}({mode})" if isinstance(mode, str) else type(module).__name__


_TRANSFORMERS = ("bert", "distilbert", "mpnet", "roberta", "xlm-roberta")
"""Types of models that return one vector per token and have no special inputs."""

_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
_POOLINGS = {"pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max", "pooling_mode_mean_tokens": "mean"}
_TEXT_ONLY = {
    "do_lower_case": False,
    "transformer_task": "feature-extraction",
    "modality_config": {"text": {"method": "forward", "method_output_name": "last_hidden_state"}},
    "module_output_name": "token_embeddings",
}
"""The settings of the transformer other than its length that may be present, with their standard values."""
_STANDARD_NORMALIZE = {"module_input_name": "sentence_embedding", "module_output_name": "sentence_embedding"}
_IRRELEVANT_SETTINGS = {"__version__", "model_type", "prompts", "default_prompt_name", "similarity_fn_name"}
_UNUSUAL_SETTINGS = ("auto_map", "is_decoder", "add_cross_attention", "quantization_config")
_UNUSUAL_FILES = ("processor_config.json", "preprocessor_config.json", "chat_template.jinja", "adapter_config.json")


@dataclass(frozen=True)
class StandardSettings:
    """The settings of a standard folder; `max_length` is None if the tokenizer determines it."""

    pooling: str
    normalized: bool
    max_length: int | None
    prompts: Mapping[str, str | None] = field(default_factory=dict)
    default_prompt_name: str | None = None


class StandardSentenceTransformer:
    """A transformer with a pooling, with the part of the interface of `SentenceTransformer` that is used here."""

    truncate_dim = None

    def __init__(self, settings: StandardSettings, transformer: Any, tokenizer: Any) -> None:
        self.transformers_model, self.tokenizer = transformer, tokenizer
        self.prompts, self.default_prompt_name = settings.prompts, settings.default_prompt_name
        self._settings = settings
        self.layer: int | None = None
        """The layer whose vectors are pooled; default: the last."""

    def module_names(self) -> Iterator[str]:
        """Yield the names of the modules, as fingerprints contain them."""
        yield "Transformer" if self.layer is None else f"Transformer(layer {self.layer})"
        yield f"Pooling({self._settings.pooling})"
        if self._settings.normalized:
            yield "Normalize"

    @property
    def max_seq_length(self) -> int:
        """The maximum number of tokens."""
        return int(self.tokenizer.model_max_length)

    @max_seq_length.setter
    def max_seq_length(self, length: int) -> None:
        self.tokenizer.model_max_length = length

    def preprocess(self, texts: Sequence[str], prompt: str | None = None) -> Features:
        """Return the inputs of a batch."""
        prompted = [(prompt or "") + text for text in texts]
        features: Features = self.tokenizer(prompted, padding=True, truncation="longest_first", return_tensors="pt")
        return features

    def __call__(self, features: Features) -> Features:
        """Return the vectors of a batch under the key that the library uses."""
        import torch

        inputs = accepted_inputs(self.transformers_model, features)
        hidden = token_vectors(self.transformers_model, inputs, self.layer)
        vectors = pool(hidden, features["attention_mask"], self._settings.pooling).to(hidden.dtype)
        if self._settings.normalized:
            vectors = torch.nn.functional.normalize(vectors, p=2, dim=-1)
        return {"sentence_embedding": vectors}


def load_standard(source: TorchSource, dtype: torch.dtype) -> StandardSentenceTransformer | None:
    """Load the model in a standard folder; return None for any other folder."""
    settings = read_standard_settings(source.folder, source.access)
    if settings is None:
        return None
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(source.folder, dtype=dtype, **source.options)
    length = {} if settings.max_length is None else {"model_max_length": settings.max_length}
    tokenizer = AutoTokenizer.from_pretrained(source.folder, **length, **source.options)
    if tokenizer.padding_side != "right":
        return None
    if not length:
        positions = getattr(model.config, "max_position_embeddings", tokenizer.model_max_length)
        tokenizer.model_max_length = min(tokenizer.model_max_length, positions)
    return StandardSentenceTransformer(settings, source.prepare(model), tokenizer)


def read_standard_settings(folder: Path, access: Access) -> StandardSettings | None:
    """Return the settings of a standard folder; None for any other folder."""
    try:
        return _standard_settings(folder, access)
    except (LitotesError, OSError, KeyError, TypeError, AttributeError):
        return None  # the library or the check of the folder reports what is wrong


def _standard_settings(folder: Path, access: Access) -> StandardSettings | None:
    kinds = _module_kinds(read_json_value(folder / "modules.json"))
    transformer = read_json_value(folder / "config.json")
    settings = read_json_value(folder / "sentence_bert_config.json")
    library = _read_if_present(folder / "config_sentence_transformers.json")
    prompts, default_prompt_name = library.get("prompts", {}), library.get("default_prompt_name")
    pooling = _pooling(read_json_value(folder / "1_Pooling" / "config.json"))
    is_standard = (
        not access.trust_remote_code
        and not pickled_weights(model_files(folder))
        and not any((folder / name).exists() for name in _UNUSUAL_FILES)
        and _read_if_present(folder / "2_Normalize" / "config.json") in ({}, _STANDARD_NORMALIZE)
        and _is_text_only(settings)
        and transformer["model_type"] in _TRANSFORMERS
        and not any(transformer.get(key) for key in _UNUSUAL_SETTINGS)
        and set(library) <= _IRRELEVANT_SETTINGS
        and library.get("model_type", "SentenceTransformer") == "SentenceTransformer"
        and (default_prompt_name is None or isinstance(prompts.get(default_prompt_name), str))
    )
    if not is_standard or kinds not in _MODULES or pooling is None:
        return None
    return StandardSettings(
        pooling=pooling,
        normalized="Normalize" in kinds,
        max_length=settings.get("max_seq_length"),
        prompts=dict(prompts),
        default_prompt_name=default_prompt_name,
    )


def _module_kinds(modules: Any) -> list[str] | None:
    """Return the library's classes that a folder names, if the folders of the modules have their standard names."""
    for index, module in enumerate(modules):
        standard_path = "" if index == 0 else f"{index}_{module['type'].rpartition('.')[2]}"
        if set(module) != {"idx", "name", "path", "type"} or (module["idx"], module["path"]) != (index, standard_path):
            return None
        if not module["type"].startswith("sentence_transformers."):
            return None
    return [module["type"].rpartition(".")[2] for module in modules]


def _is_text_only(settings: Mapping[str, Any]) -> bool:
    length = settings.get("max_seq_length", 1)
    are_standard = all(
        key in _TEXT_ONLY and value == _TEXT_ONLY[key] for key, value in settings.items() if key != "max_seq_length"
    )
    return are_standard and type(length) is int and length > 0


def _pooling(config: Mapping[str, Any]) -> str | None:
    """Return the pooling of a configuration in the older or newer format, if it has exactly one."""
    modes = {key: value for key, value in config.items() if not key.endswith("embedding_dimension")}
    if modes.pop("include_prompt", True) is not True:
        return None
    if set(modes) == {"pooling_mode"}:
        mode = modes["pooling_mode"]
        return mode if mode in _POOLINGS.values() else None
    active = [key for key, value in modes.items() if value is not False]
    is_standard = (
        len(active) == 1 and modes[active[0]] is True and all(key.startswith("pooling_mode_") for key in modes)
    )
    return _POOLINGS.get(active[0]) if is_standard else None


def _read_if_present(path: Path) -> Any:
    return read_json_value(path) if path.exists() else {}
