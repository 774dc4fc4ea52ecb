"""The encoder that is repaired: a sentence-transformers model, or a transformers model with a pooling."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litotes.core.errors import UsageError, missing_package
from litotes.core.versions import installed_version
from litotes.models.access import Access
from litotes.models.model_folder import hash_configs, hash_weights
from litotes.models.names import parse_name
from litotes.models.transformers.torch_model import AUTO, choose_device, find_torch_model, loading, need_torch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_NEEDED = ("accelerate", "datasets")


@dataclass(frozen=True)
class Base:
    """Where the original is, and what it is."""

    name: str
    folder: Path
    sha256: str
    """Of its weights and of the files that say how they are used."""


def find_base(name: str, access: Access) -> Base:
    """The encoder of that name, which must be one whose weights are here and can be trained."""
    parsed = parse_name(name)
    if parsed.scheme != "st":
        raise UsageError(
            "L102",
            f'"{name}": cannot be trained, a sentence-transformers model is needed',
            hint="--method adapter learns a map over the vectors of any encoder",
        )
    if parsed.options:
        raise UsageError(
            "L102",
            f'"{name}": a repair takes the model as it is, without {", ".join(parsed.options)}',
            hint="give its name alone",
        )
    need_torch("transformers", "sentence_transformers")
    for package in _NEEDED:
        if installed_version(package) is None:
            raise missing_package(package, "train")
    folder = find_torch_model(parsed, access, AUTO)
    return Base(name, folder, f"{hash_weights(folder)}/{hash_configs(folder, access)}")


def load_model(base: Base, access: Access) -> SentenceTransformer:
    """The model itself; each call gives another copy."""
    with loading(base.folder, access):
        import torch
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            str(base.folder),
            device=str(choose_device(AUTO)),
            local_files_only=True,
            trust_remote_code=access.trust_remote_code,
            # Steps as small as these are lost in half precision, in which some models are kept.
            model_kwargs={"dtype": torch.float32},
        )
    if not any(parameter.requires_grad for parameter in model.parameters()) or model.transformers_model is None:
        raise UsageError(
            "L102",
            f"{base.name}: has no transformer whose weights could be trained",
            hint="--method adapter learns a map over the vectors of any encoder",
        )
    return model
