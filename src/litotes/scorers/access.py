"""What a model may do on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass

_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


@dataclass(frozen=True)
class Access:
    """The permissions under which models are loaded; by default nothing that runs code or reads pickle."""

    offline: bool = False
    allow_pickle: bool = False
    trust_remote_code: bool = False

    @property
    def may_use_network(self) -> bool:
        """Neither we nor the environment (HF_HUB_OFFLINE) forbid it."""
        return not (self.offline or any(_is_set(name) for name in _OFFLINE))


def _is_set(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"}
