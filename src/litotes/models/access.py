"""Permissions under which models are loaded."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from litotes.core.http import is_offline
from litotes.core.settings import Settings


class Access(Settings, frozen=True, kw_only=True):
    """Permissions for loading models; by default, nothing that runs code or reads pickle."""

    offline: Annotated[bool, Meta(description="Do not use the network.")] = False
    allow_pickle: Annotated[bool, Meta(description="Load models that only have pickled weights.")] = False
    trust_remote_code: Annotated[bool, Meta(description="Run code that a model ships with.")] = False
    allow_downloads: Annotated[
        bool, Meta(description="Download models that a list of models, a plan or an adapter names.")
    ] = False
    allow_servers: Annotated[
        bool, Meta(description="Send sentences to servers that a list of models or an adapter names.")
    ] = False

    @property
    def may_use_network(self) -> bool:
        """Whether neither the user nor the environment (HF_HUB_OFFLINE) forbids it."""
        return not (self.offline or is_offline())

    def for_received_names(self) -> Access:
        """Return the permissions for models that a file names, which may come from others: no download by default."""
        return self if self.allow_downloads else self.replace(offline=True)
