"""Find and load the sentence-transformers model to fine-tune."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litotes.core.errors import UsageError, require_packages
from litotes.core.model_folders.files import hash_configs, hash_weights
from litotes.models.access import Access
from litotes.models.names import parse_name
from litotes.models.transformers.torch_model import AUTO, choose_device, find_torch_model, loading, require_torch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_ADAPTER_HINT = "--method adapter learns a map over the vectors of any encoder"


@dataclass(frozen=True)
class BaseModel:
    """The model to fine-tune: its name, its folder, and a hash of its weights and configuration."""

    name: str
    folder: Path
    sha256: str


def find_base_model(name: str, access: Access) -> BaseModel:
    """Return the model of that name; raise if it is not a local sentence-transformers model that can be trained."""
    parsed = parse_name(name)
    if parsed.scheme != "st":
        raise UsageError("L102", f'"{name}": only sentence-transformers models can be fine-tuned', hint=_ADAPTER_HINT)
    if parsed.options:
        message = f'"{name}": a repair does not support model options ({", ".join(parsed.options)})'
        raise UsageError("L102", message, hint="give the model's name without options")
    require_torch("transformers", "sentence_transformers")
    require_packages("train", "accelerate", "datasets")
    folder = find_torch_model(parsed, access, AUTO).folder
    return BaseModel(name, folder, f"{hash_weights(folder)}/{hash_configs(folder, access)}")


def load_sentence_transformer(base: BaseModel, access: Access) -> SentenceTransformer:
    """Load a new copy of the model, in single precision."""
    with loading(base.folder, access):
        import torch
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            str(base.folder),
            device=str(choose_device(AUTO)),
            local_files_only=True,
            trust_remote_code=access.trust_remote_code,
            # Weight updates of this size would be lost in half precision, in which some models are stored.
            model_kwargs={"dtype": torch.float32},
        )
    if not any(parameter.requires_grad for parameter in model.parameters()) or model.transformers_model is None:
        raise UsageError("L102", f"{base.name}: has no transformer to train", hint=_ADAPTER_HINT)
    return model
