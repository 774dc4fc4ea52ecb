"""The model that training begins with: any encoder, with a new head or the NLI head that it has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.versions import installed_version
from litotes.corpora.nli import LABELS
from litotes.models.access import Access
from litotes.models.model_folder import check_folder, hash_configs, hash_weights
from litotes.models.names import parse_name
from litotes.models.nli.classifier import label_order
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

_SCHEMES = ("st", "hf", "nli")
_TRANSFORMER = "Transformer"


@dataclass(frozen=True)
class Base:
    """Where a base model is, and what it is."""

    name: str
    folder: Path
    """Of the transformers model itself; of a sentence-transformers model that of its first module."""
    sha256: str
    """Of its weights and of the files that say how they are used."""


def find_base(name: str, access: Access) -> Base:
    """The base model of that name: a folder, a hub id or a short name; `hf:` or `nli:` before it change nothing."""
    require_torch("transformers")
    if installed_version("accelerate") is None:
        raise missing_package("accelerate", "train")
    parsed = parse_name(name)
    if parsed.scheme not in _SCHEMES:
        raise UsageError(
            "L102", f'"{name}": training begins with a transformers model', hint="name a folder or a hub id"
        )
    folder = find_torch_model(parsed, access, AUTO).folder
    inner = _transformer_folder(folder)
    if inner != folder:
        check_folder(inner, access)
    return Base(name, inner, f"{hash_weights(inner)}/{hash_configs(inner, access)}")


def _transformer_folder(folder: Path) -> Path:
    """The folder of the transformers model: a sentence-transformers model may keep it in one of its own."""
    modules = folder / "modules.json"
    if not modules.exists():
        return folder
    for module in json.loads(modules.read_text("utf-8")):
        if str(module.get("type", "")).endswith(_TRANSFORMER):
            return folder / str(module.get("path", ""))
    raise LitotesError("L311", f"{folder}: none of its modules is a transformer, so it cannot be trained for NLI")


@dataclass(frozen=True)
class Loaded:
    """A base model that is ready to be trained."""

    model: Any
    tokenizer: Any
    label_ids: dict[str, int]
    max_length: int
    new_head: bool


def load_base(base: Base, access: Access, *, max_length: int, seed: int) -> Loaded:
    """The model with a head for three labels, its tokenizer, and which number stands for which label."""
    from transformers import AutoConfig, AutoModelForSequenceClassification, set_seed

    common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": access.trust_remote_code}
    with loading(base.folder, access, is_optional=is_of_head):
        tokenizer = load_tokenizer(base.folder, common)
        config = AutoConfig.from_pretrained(base.folder, **common)
        known = _own_labels(config, base.folder)
        labels = known or dict(enumerate(LABELS))
        config.num_labels = len(LABELS)
        config.id2label, config.label2id = labels, {label: number for number, label in labels.items()}
        config.problem_type = "single_label_classification"
        set_seed(seed)  # a new head is drawn at random
        model, report = AutoModelForSequenceClassification.from_pretrained(
            base.folder,
            config=config,
            output_loading_info=True,
            weights_only=True,
            ignore_mismatched_sizes=True,  # a head for other labels; what else does not fit is told by `loading`
            **common,
        )
    model.config.pad_token_id = tokenizer.pad_token_id
    if known is None:
        _draw_head(model, seed)
    missing = sorted(report["missing_keys"])
    backbone = [key for key in missing if not is_of_head(key)]
    if backbone:
        raise does_not_fit(base.folder, backbone)
    longest = position_limit(model)
    taken = max_length if longest is None else min(max_length, longest)
    check_max_length(taken, model, tokenizer, pair=True)
    return Loaded(
        model=model,
        tokenizer=tokenizer,
        label_ids=dict(config.label2id),
        max_length=taken,
        new_head=known is None or bool(missing),
    )


def _draw_head(model: Any, seed: int) -> None:
    """A new head, also where the base has one of the same size for something else."""
    from transformers import set_seed

    set_seed(seed)
    for name, module in model.named_modules():
        if is_of_head(name) and "pooler" not in name.split("."):
            for parameter in module.parameters(recurse=False):
                parameter._is_hf_initialized = False  # else it is taken for one that was loaded
            model._init_weights(module)


def is_of_head(key: str) -> bool:
    """Whether a weight belongs to what stands on top of an encoder, which a base model need not have.

    >>> is_of_head("classifier.weight"), is_of_head("bert.pooler.dense.bias"), is_of_head("bert.embeddings.x")
    (True, True, False)
    """
    return any(part in _HEADS for part in key.split("."))


_HEADS = frozenset(
    {"classifier", "pooler", "pre_classifier", "score", "classification_head", "head", "summary", "sequence_summary"}
)


def _own_labels(config: Any, where: Path) -> dict[int, str] | None:
    """The labels of a model that was trained for NLI already, by their numbers; None if it was not."""
    try:
        return dict(enumerate(label_order(config, None, where)))
    except LitotesError:  # labels of another task, or none
        return None
