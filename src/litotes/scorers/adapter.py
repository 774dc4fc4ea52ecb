"""`adapter:FOLDER` — a model with an adapter over its vectors; and the adapter over vectors that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file
from litotes.scorers.access import Access
from litotes.scorers.adapter_map import ABOUT_FILE, WEIGHTS_FILE, Adapter, load_adapter
from litotes.scorers.base import Encoder, Fingerprint, Vectors
from litotes.scorers.names import ScorerName, parse_options

_VERSION = "adapter-1"
"""Of how the map is applied."""


@dataclass(frozen=True)
class Options:
    """What can stand behind the `?`."""

    base: str | None = None


def adapt(vectors: ArrayLike, adapter: str | Path | Adapter) -> Vectors:
    """Stored vectors, a row each, as the adapter has them: as many numbers, of length 1, to be compared by cosine.

    A single vector gives a single vector; rows of zeros, of which the model knew nothing, stay so.

    >>> turned = Adapter("weights", {"weights": np.array([0.75, 1], np.float32)}, "a model", {}, {}, {})
    >>> adapt([[4, 4], [0, 5]], turned).round(4).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """
    loaded = adapter if isinstance(adapter, Adapter) else _loaded(expand_user(adapter))
    try:
        rows = np.asarray(vectors)
        if rows.dtype.kind not in "fiu":
            raise ValueError(f"numbers are needed, these are of the type {rows.dtype}")
    except ValueError as error:
        raise UsageError("L102", f"vectors: {error}", hint="give an array of numbers, a row a vector") from error
    if rows.ndim not in (1, 2) or rows.shape[-1] != loaded.width:
        shape = "×".join(map(str, rows.shape)) or "one number"
        raise UsageError(
            "L102",
            f"vectors: {shape}, the adapter was learned for vectors of {loaded.width} numbers",
            hint=f"it belongs to {loaded.base}",
        )
    wrong = np.flatnonzero(~np.isfinite(np.atleast_2d(rows)).all(axis=1))
    if len(wrong):
        raise LitotesError("L308", f"vectors: NaN or infinite numbers in {len(wrong):,} rows, row {wrong[0]} the first")
    return loaded.apply(np.atleast_2d(rows)).reshape(rows.shape)


def _loaded(folder: Path) -> Adapter:
    """Read again only if its files have changed: whoever goes through an index calls many times."""
    files = [folder / name for name in (ABOUT_FILE, WEIGHTS_FILE)]
    stamps = tuple((one.stat().st_mtime_ns, one.stat().st_size) for one in files if is_file(one))
    return _kept(folder.absolute(), stamps)


@lru_cache(maxsize=4)
def _kept(folder: Path, stamps: tuple[tuple[int, int], ...]) -> Adapter:
    return load_adapter(folder)


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> AdaptedEncoder:
    """The adapter in a folder on the model that it names, or on the one that is given as `base`."""
    from litotes.scorers.loading import load_scorer

    options = parse_options(Options, given, scheme=name.scheme)
    adapter = load_adapter(expand_user(name.rest))
    wanted = options.base or adapter.base
    try:
        base = load_scorer(wanted, **asdict(access))
    except LitotesError as error:
        raise LitotesError(
            error.code,
            f"{name.rest}: its model “{wanted}”: {error.message}",
            hint=f"{error.hint + ', or ' if error.hint else ''}name the model by adapter:FOLDER?base=NAME",
        ) from error
    if not isinstance(base, Encoder):
        raise UsageError("L102", f"{name.rest}: {base.name} gives no vectors, an encoder is needed")
    return AdaptedEncoder(name.text, base, adapter)


class AdaptedEncoder(Encoder):
    """An encoder and an adapter over its vectors."""

    def __init__(self, name: str, base: Encoder, adapter: Adapter) -> None:
        own, known = base.fingerprint, Fingerprint(**_fields(adapter.base_fingerprint))
        self._base, self._adapter = base, adapter
        # The same weights computed by other means give the same vectors but for the last digits.
        self._is_other = (own.weights, own.pooling, own.prompt) != (known.weights, known.pooling, known.prompt)
        fingerprint = Fingerprint(
            backend=f"{_VERSION}+{own.backend}",
            weights=adapter.sha256,
            config=own.key(),
            pooling=own.pooling,
            dtype=own.dtype,
            max_length=own.max_length,
            prompt=own.prompt,
        )
        super().__init__(name, fingerprint)

    @property
    def batch_tokens(self) -> int:
        """Those of the model."""
        return self._base.batch_tokens

    @property
    def parallel(self) -> bool:
        """As the model has it."""
        return self._base.parallel

    @property
    def may_know_nothing(self) -> bool:
        """As the model has it."""
        return self._base.may_know_nothing

    def limit_threads(self, count: int) -> int:
        """The model's."""
        return self._base.limit_threads(count)

    def stop(self) -> None:
        """Stop the model."""
        self._base.stop()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """As the model counts."""
        return self._base.lengths(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The model's vectors through the map."""
        vectors = self._base.encode(texts)
        if vectors.ndim != 2 or vectors.shape[1] != self._adapter.width:
            raise LitotesError(
                "L308",
                f"{self._base.name}: gives vectors of {vectors.shape[-1]} numbers, "
                f"the adapter was learned for {self._adapter.width}",
                hint=f"it belongs to {self._adapter.base}",
            )
        return self._adapter.apply(vectors)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """The model's, and whether it is another than the one that the adapter was learned on."""
        other = f"the adapter was learned on {self._adapter.base}, and {self._base.name} is another model or version"
        return [*([other] if self._is_other else []), *self._base.notes(texts)]


def _fields(found: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a file says those that a fingerprint has; another version of Litotes may know more."""
    known = {"backend": "", **found}
    return {name: known[name] for name in Fingerprint.__dataclass_fields__ if name in known}
