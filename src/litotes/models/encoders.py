"""Load a model that must be a sentence encoder, for audits, repairs and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.core.errors import UsageError

if TYPE_CHECKING:
    from litotes.models.access import Access
    from litotes.models.base import Encoder

_PAIR_SCHEMES = ("nli", "cross", "chat", "lm", "overlap")
"""Schemes of models that compare two texts and have no vector for one."""


def check_encoder_name(model: str | Encoder) -> str:
    """Return the name of a model, without loading it; raise if the name shows that it is not an encoder."""
    if not isinstance(model, str):
        name = getattr(model, "name", None)
        if not isinstance(name, str):
            hint = "pass a model name or a litotes.Encoder"
            raise UsageError("L102", f"a {type(model).__name__} is not a model", hint=hint)
        return name
    from litotes.models.loading import check_name

    if check_name(model).scheme in _PAIR_SCHEMES:
        raise _not_an_encoder(model)
    return model


def load_encoder(model: str | Encoder, access: Access | None = None) -> Encoder:
    """Load an encoder by name, or return it if it is loaded; raise if the model is not an encoder."""
    name = check_encoder_name(model)
    from litotes.models.base import Encoder
    from litotes.models.loading import load_model

    loaded = load_model(model, **({} if access is None else access.to_dict())) if isinstance(model, str) else model
    if not isinstance(loaded, Encoder):
        raise _not_an_encoder(name)
    return loaded


def _not_an_encoder(model: str) -> UsageError:
    message = f"{model}: compares two texts and gives no vector for one, which is needed here"
    return UsageError("L102", message, hint="use a sentence encoder; litotes run evaluates other models")
