"""Permissions under which models are loaded."""

from __future__ import annotations

import os
from typing import Annotated

from msgspec import Meta

from litotes.core.settings import Settings

_OFFLINE_VARIABLES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


class Access(Settings, frozen=True, kw_only=True):
    """Permissions for loading models; by default, nothing that runs code or reads pickle."""

    offline: Annotated[bool, Meta(description="Do not use the network.")] = False
    allow_pickle: Annotated[bool, Meta(description="Load models that only have pickled weights.")] = False
    trust_remote_code: Annotated[bool, Meta(description="Run code that a model ships with.")] = False

    @property
    def may_use_network(self) -> bool:
        """Whether neither the user nor the environment (HF_HUB_OFFLINE) forbids it."""
        return not (self.offline or any(_is_set(name) for name in _OFFLINE_VARIABLES))


def _is_set(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}
