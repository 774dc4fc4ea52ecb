"""The base model of NLI training: any encoder, with a new classification head or its own NLI head."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError, require_packages
from litotes.core.model_folders.checks import check_folder
from litotes.core.model_folders.files import hash_configs, hash_weights
from litotes.corpora.nli import LABELS
from litotes.models.access import Access
from litotes.models.names import parse_name, parse_options
from litotes.models.transformers.pair_model import label_order
from litotes.models.transformers.torch_model import (
    AUTO,
    check_max_length,
    does_not_fit,
    find_torch_model,
    load_tokenizer,
    loading,
    position_limit,
    require_torch,
)
from litotes.models.transformers.transformers_encoder import YesNo

_SCHEMES = ("st", "hf", "nli")
_TRANSFORMER = "Transformer"


@dataclass(frozen=True)
class BaseOptions:
    """Options in a name such as `hf:phueb/BabyBERTa-1?add_prefix_space=yes`.

    Args:
        add_prefix_space: Whether a byte-level tokenizer reads the first word as if a space preceded it.
    """

    add_prefix_space: YesNo = "no"


@dataclass(frozen=True)
class BaseEncoder:
    """The location and hash of a base model."""

    name: str
    folder: Path
    """Folder of the transformers model, which is a subfolder of some sentence-transformers models."""
    sha256: str
    """Hashes of weights and configuration, and the options."""
    options: BaseOptions = field(default_factory=BaseOptions)


def find_base(name: str, access: Access) -> BaseEncoder:
    """Find a base model by folder, hub id or short name, with or without the scheme `hf:`, `st:` or `nli:`.

    Of the options of a name only `add_prefix_space` concerns training; the trained model keeps it.
    """
    require_torch("transformers")
    require_packages("train", "accelerate")
    parsed = parse_name(name)
    if parsed.scheme not in _SCHEMES:
        raise UsageError("L102", f'"{name}": training needs a transformers model', hint="name a folder or a hub id")
    options = parse_options(BaseOptions, parsed.options, scheme=parsed.scheme)
    folder = find_torch_model(parsed, access, AUTO).folder
    inner = _transformer_folder(folder)
    if inner != folder:
        check_folder(inner, access)
    suffix = "/add_prefix_space" if options.add_prefix_space == "yes" else ""
    return BaseEncoder(name, inner, f"{hash_weights(inner)}/{hash_configs(inner, access)}{suffix}", options)


def _transformer_folder(folder: Path) -> Path:
    """Return the folder of the transformers model within that of a sentence-transformers model."""
    modules = folder / "modules.json"
    if not modules.exists():
        return folder
    for module in json.loads(modules.read_text("utf-8")):
        if str(module.get("type", "")).endswith(_TRANSFORMER):
            return folder / str(module.get("path", ""))
    raise LitotesError("L311", f"{folder}: none of its modules is a transformer, so it cannot be trained for NLI")


@dataclass(frozen=True)
class TrainableModel:
    """A loaded base model with tokenizer and classification head."""

    model: Any
    tokenizer: Any
    label_ids: dict[str, int]
    max_length: int
    new_head: bool


def load_base(base: BaseEncoder, access: Access, *, max_length: int, seed: int) -> TrainableModel:
    """Load a base model with a head for the three labels of NLI."""
    from transformers import AutoConfig, AutoModelForSequenceClassification, set_seed

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    with loading(base.folder, access, is_optional=is_head_weight):
        tokenizer = load_tokenizer(base.folder, common, add_prefix_space=base.options.add_prefix_space == "yes")
        config = AutoConfig.from_pretrained(base.folder, **common)
        nli_labels = _nli_labels(config, base.folder)
        labels = nli_labels or dict(enumerate(LABELS))
        config.num_labels = len(LABELS)
        config.id2label, config.label2id = labels, {label: number for number, label in labels.items()}
        config.problem_type = "single_label_classification"
        set_seed(seed)  # a new head is drawn at random
        model, report = AutoModelForSequenceClassification.from_pretrained(
            base.folder,
            config=config,
            output_loading_info=True,
            weights_only=True,
            ignore_mismatched_sizes=True,  # of a head for other labels; `loading` reports other mismatches
            **common,
        )
    model.config.pad_token_id = tokenizer.pad_token_id
    if nli_labels is None:
        _reset_head(model, seed)
    missing = sorted(report["missing_keys"])
    backbone = [key for key in missing if not is_head_weight(key)]
    if backbone:
        raise does_not_fit(base.folder, backbone)
    limit = position_limit(model)
    max_length = max_length if limit is None else min(max_length, limit)
    check_max_length(max_length, model, tokenizer, pair=True)
    return TrainableModel(
        model=model,
        tokenizer=tokenizer,
        label_ids=dict(config.label2id),
        max_length=max_length,
        new_head=nli_labels is None or bool(missing),
    )


def _reset_head(model: Any, seed: int) -> None:
    """Initialise the head, which may have been loaded from a head of the same size for another task."""
    from transformers import set_seed

    set_seed(seed)
    for name, module in model.named_modules():
        if is_head_weight(name) and "pooler" not in name.split("."):
            for parameter in module.parameters(recurse=False):
                parameter._is_hf_initialized = False  # otherwise it would not be initialised again
            model._init_weights(module)


def is_head_weight(key: str) -> bool:
    """Return whether a weight belongs to the head of a classifier, which a base model may lack.

    >>> is_head_weight("classifier.weight"), is_head_weight("bert.embeddings.x")
    (True, False)
    """
    return any(part in _HEADS for part in key.split("."))


_HEADS = frozenset(
    {"classifier", "pooler", "pre_classifier", "score", "classification_head", "head", "summary", "sequence_summary"}
)


def _nli_labels(config: Any, where: Path) -> dict[int, str] | None:
    """Return the labels of a model that has been trained for NLI, by number; None for other models."""
    try:
        return dict(enumerate(label_order(config, None, where)))
    except LitotesError:  # labels of another task, or no labels
        return None
