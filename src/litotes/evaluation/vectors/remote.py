"""Encoders on an engine: each worker loads the model once and encodes with one thread."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import expand_user
from litotes.core.parallel.engine import SERIAL, ParallelEngine, WorkerMap, choose_engine, engine_name
from litotes.evaluation.model_list import model_entry
from litotes.models.access import Access
from litotes.models.base import DerivedEncoder, Encoder, Fingerprint, Vectors
from litotes.models.encoders import load_encoder
from litotes.models.loading import check_name
from litotes.models.names import SERVER_SCHEMES

_BATCHES_PER_CHUNK = 16
"""About a thousand sentences, or a few seconds of work."""


@dataclass(frozen=True)
class RemoteModel:
    """An encoder that a worker loads when it is first used; the worker keeps this object."""

    name: str
    access: Access
    fingerprint: Fingerprint

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder; an error if it is not the one of the process that started the work."""
        encoder = load_encoder(self.name, self.access)
        here, there = encoder.fingerprint.to_dict(), self.fingerprint.to_dict()
        if different := [field for field in there if here[field] != there[field]]:
            field = different[0]
            message = f"{self.name}: is another model on {platform.node()} ({field}: {here[field]}, not {there[field]})"
            raise LitotesError("L311", message, hint="copy the same model to every node")
        encoder.limit_threads(1)
        return encoder


class RemoteEncoder(DerivedEncoder):
    """An encoder whose batches are computed by workers of an engine, until it is closed.

    Args:
        base: The same encoder in this process.
        model: How workers load it.
        engine: Where the workers run.
    """

    def __init__(self, base: Encoder, model: RemoteModel, engine: ParallelEngine) -> None:
        super().__init__(base.name, model.fingerprint, base)
        self._workers = WorkerMap(partial(encode_batches, model), engine)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, computed as one batch."""
        [vectors] = self.encode_batches([texts])
        return vectors

    def encode_batches(self, batches: Iterable[Sequence[str]]) -> Iterator[Vectors]:
        """Yield the vectors of each batch in order."""
        return self._workers.map_ordered(batches, chunk_size=_BATCHES_PER_CHUNK)

    def close(self) -> None:
        """End the workers, whose processors other work may need."""
        self._workers.close()


@contextmanager
def closing_workers(encoder: Encoder) -> Iterator[None]:
    """End the workers of an encoder, if it has any."""
    try:
        yield
    finally:
        if isinstance(encoder, RemoteEncoder):
            encoder.close()


def encode_batches(model: RemoteModel, batches: Sequence[Sequence[str]]) -> list[Vectors]:
    """Return the vectors of each batch; runs in a worker."""
    return [model.encoder.encode(batch) for batch in batches]


def choose_encoding_engine(engine: ParallelEngine | str | None, workers: int | None) -> ParallelEngine:
    """Return the engine that the user or the environment names; without a name, this process, which has threads."""
    return choose_engine(engine, workers) if engine or engine_name() else SERIAL


def remote_model(encoder: Encoder, name: str, access: Access | None, engine: ParallelEngine) -> RemoteModel | None:
    """Return how workers load an encoder, or None if it runs in this process only.

    Servers are called from this process, which has their keys and obeys their limits.
    """
    if not engine.is_remote or check_name(name).scheme in SERVER_SCHEMES:
        return None
    fingerprint = encoder.fingerprint
    if engine.gpus:
        fingerprint = replace(fingerprint, backend=fingerprint.backend.replace("/cpu", "/cuda"))
    rest = check_name(name).rest
    if expand_user(rest).exists():  # also a folder without a slash in its name
        name = name.replace(rest, str(expand_user(rest).absolute()), 1)
    absolute = replace(model_entry(name), folder=Path.cwd()).resolved_name
    return RemoteModel(absolute, access or Access(), fingerprint)


def load_encoder_on(
    name: str | Encoder, access: Access | None, engine: ParallelEngine | str | None, workers: int | None = None
) -> Encoder:
    """Load an encoder whose batches are computed on the engine.

    It stays in this process if it is an object, if it is behind a server, or if it is too fast or too parallel to gain
    from several workers.
    """
    encoder = load_encoder(name, access)
    where = choose_encoding_engine(engine, workers)
    model = remote_model(encoder, name, access, where) if isinstance(name, str) else None
    if model is None or not (encoder.parallel or where.gpus):
        return encoder
    return RemoteEncoder(encoder, model, where)
