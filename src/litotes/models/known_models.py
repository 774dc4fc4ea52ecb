"""Published models and the settings with which their authors use them.

A bare name in known_models.toml (`unsup-simcse-bert-base-uncased`, `princeton-nlp/sup-simcse-roberta-large`) is run as
published; an explicit scheme or option takes precedence. Models of the sentence-transformers library carry their
pooling with them: for these, the table only says where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath

import msgspec

from litotes.core.files import expand_user, is_file, is_folder
from litotes.core.settings import convert, read_toml
from litotes.models.names import DEFAULT_SCHEME, ModelName

_TABLE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class KnownModel:
    """A published model and the settings that it was published with.

    Args:
        name: The name without its owner; also the name of a folder that holds its weights.
        repository: Its id on the hub; None if its weights are published elsewhere.
        family: The family that it belongs to.
        source: Where its settings are documented.
        scheme: The scheme that loads it.
        options: The options of the scheme.
    """

    name: str
    repository: str | None
    family: str
    source: str
    scheme: str
    options: Mapping[str, str]


class ModelFamily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Models that are published together and used in the same way; `owner` is "" if they are not on the hub."""

    name: str
    source: str
    models: tuple[str, ...]
    owner: str = "sentence-transformers"
    scheme: str = DEFAULT_SCHEME
    options: dict[str, str] = {}

    def members(self) -> list[KnownModel]:
        """Return the models of the family."""
        return [
            KnownModel(
                name, f"{self.owner}/{name}" if self.owner else None, self.name, self.source, self.scheme, self.options
            )
            for name in self.models
        ]


@cache
def list_families() -> tuple[ModelFamily, ...]:
    """Return the families in the table."""
    return convert(read_toml(_TABLE)["family"], tuple[ModelFamily, ...], where=_TABLE.name)


@cache
def list_known_models() -> tuple[KnownModel, ...]:
    """Return all models in the table."""
    return tuple(model for family in list_families() for model in family.members())


@cache
def _by_name() -> Mapping[str, KnownModel]:
    return {name: model for model in list_known_models() for name in (model.name, model.repository) if name}


def known_model(name: str) -> KnownModel | None:
    """Return the published model with that name, with or without its owner; None if the table does not have it.

    >>> known_model("sup-simcse-bert-base-uncased").options
    {'pooling': 'cls_mlp'}
    >>> known_model("sentence-transformers/LaBSE").scheme
    'st'
    >>> known_model("my-own-model")
    """
    return _by_name().get(name)


def with_published_settings(name: ModelName) -> ModelName:
    """Return a bare name with scheme and options from the table; options in the name take precedence."""
    known = _lookup(name) if name.is_bare else None
    if known is None or known.scheme == DEFAULT_SCHEME:
        return name
    return replace(name, scheme=known.scheme, options={**known.options, **name.options})


def _lookup(name: ModelName) -> KnownModel | None:
    """Return the known model with that name, also for a folder with that name that does not define its own pooling."""
    folder = expand_user(name.rest)
    if not is_folder(folder):
        return known_model(name.rest)
    return None if is_file(folder / "modules.json") else known_model(PurePath(name.rest).name)
