"""What the encoders that run in torch have in common."""

from __future__ import annotations

import contextlib
import logging
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.scorers.access import Access
from litotes.scorers.base import Encoder, Fingerprint, Vectors
from litotes.scorers.model_folder import needs_remote_code

if TYPE_CHECKING:
    import torch

DType = Literal["float32", "float16", "bfloat16"]
Features = dict[str, Any]

_TOKENIZE_AT_ONCE = 512


class TorchEncoder(Encoder):
    """Tokenizes under a lock (tokenizers are not made for several threads), computes without one."""

    def __init__(self, name: str, fingerprint: Fingerprint, device: torch.device) -> None:
        super().__init__(name, fingerprint)
        self._device = device
        self._lock = threading.Lock()

    @property
    def batch_tokens(self) -> int:
        """Measured: on a CPU more falls out of its caches, a GPU wants much more."""
        return 1024 if self._device.type == "cpu" else 32_768

    @property
    def parallel(self) -> bool:
        """A GPU is one worker; a CPU is as many as it has cores."""
        return self._device.type == "cpu"

    @abstractmethod
    def _tokenize(self, texts: Sequence[str]) -> Features:
        """A padded batch."""

    @abstractmethod
    def _forward(self, features: Features) -> torch.Tensor:
        """A vector a text."""

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has after truncation."""
        counts: list[int] = []
        for start in range(0, len(texts), _TOKENIZE_AT_ONCE):
            chunk = texts[start : start + _TOKENIZE_AT_ONCE]
            mask = self._tokenize(chunk).get("attention_mask")
            # Models that look words up have no mask; how they are batched makes no difference to them.
            counts += [len(text.split()) + 1 for text in chunk] if mask is None else mask.sum(dim=1).tolist()
        return counts

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector a text, as one batch."""
        import torch

        with self._lock:
            features = self._tokenize(texts)
        moved = {key: _to(value, self._device) for key, value in features.items()}
        with torch.inference_mode():
            vectors = self._forward(moved)
        found = vectors.to(dtype=torch.float32, device="cpu").numpy()
        return np.ascontiguousarray(found, dtype=np.float32)

    def limit_threads(self, count: int) -> int:
        """Let one call of `encode` in this thread use so many threads; gives the number before."""
        import torch

        before: int = torch.get_num_threads()
        torch.set_num_threads(count)
        return before


def _to(value: Any, device: torch.device) -> Any:
    return value.to(device) if hasattr(value, "to") else value


def need_torch(*packages: str) -> None:
    """Raise, with the command that brings them, if torch or one of the packages is not installed."""
    import importlib.util

    for package in ("torch", *packages):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "torch")


def choose_device(wanted: str) -> torch.device:
    """The device that was named, or the best one here."""
    import torch

    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(wanted)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError("L102", f'device "{wanted}" is not to be had on this machine') from error
    return device


@contextlib.contextmanager
def loading(folder: Path, access: Access) -> Iterator[None]:
    """Load quietly, and turn whatever the libraries raise into one line."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    loggers = [logging.getLogger(name) for name in ("transformers", "sentence_transformers")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    except LitotesError:
        raise
    except Exception as error:
        text = str(error).strip()
        if "trust_remote_code" in text and not access.trust_remote_code:
            raise needs_remote_code(folder) from error
        if "okenizer" in text:
            raise LitotesError(
                "L304", f"{folder}: its tokenizer cannot be loaded ({_first_line(text)})"
            ) from error
        raise LitotesError("L311", f"{folder}: {type(error).__name__}: {_first_line(text)}") from error
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _first_line(text: str) -> str:
    line = text.splitlines()[0] if text else "no reason given"
    return line if len(line) <= 200 else line[:199] + "…"
