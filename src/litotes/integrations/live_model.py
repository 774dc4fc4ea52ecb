"""A sentence-transformers model that is in memory, as a scorer: the same numbers as `litotes run` on its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.models.base import Fingerprint
from litotes.models.transformers.sentence_transformer import SentenceTransformerEncoder, default_prompt

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def live_encoder(model: SentenceTransformer, *, name: str = "live model") -> SentenceTransformerEncoder:
    """The model as an encoder; its weights may change, so nothing of it is to be kept in a cache."""
    prompt = default_prompt(model)
    fingerprint = Fingerprint(backend=f"torch/{model.device.type}", weights="in memory", prompt=prompt)
    return SentenceTransformerEncoder(name, fingerprint, model.device, model, prompt)
