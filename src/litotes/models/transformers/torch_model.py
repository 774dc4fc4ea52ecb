"""What the models that run in torch have in common, encoders and classifiers of pairs."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import re
import threading
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.models.access import Access
from litotes.models.base import Batched, Encoder, Fingerprint, Vectors
from litotes.models.hub import find_model
from litotes.models.model_folder import check_folder, needs_remote_code
from litotes.models.names import ScorerName, shorten

if TYPE_CHECKING:
    import torch

DType = Literal["float32", "float16", "bfloat16"]
Features = dict[str, Any]

AUTO = "auto"
NO_LIMIT = 100_000
"""Tokenizers without a maximum length say a huge number."""

TOKENIZE_AT_ONCE = 512
_LARGEST_KEPT = 31 << 20
_USUAL_LENGTH = 512


class OnTorch(Batched):
    """Tokenizes under a lock (tokenizers are not made for several threads), computes without one."""

    def __init__(self, name: str, fingerprint: Fingerprint, device: torch.device, **more: Any) -> None:
        super().__init__(name, fingerprint, **more)
        self._device = device
        self._lock = threading.Lock()
        if device.type == "cpu":
            _keep_what_is_freed()

    @property
    def batch_tokens(self) -> int:
        """Measured: on a CPU more gains nothing and leaves cores idle at the end, a GPU wants much more."""
        return 768 if self._device.type == "cpu" else 32_768

    @property
    def parallel(self) -> bool:
        """A GPU is one worker; a CPU is as many as it has cores."""
        return bool(self._device.type == "cpu")

    def limit_threads(self, count: int) -> int:
        """Let one batch in this thread use so many threads; gives the number before."""
        import torch

        before: int = torch.get_num_threads()
        torch.set_num_threads(count)
        return before

    def _on_device(self, features: Features) -> Features:
        return {key: _to(value, self._device) for key, value in features.items()}

    @contextlib.contextmanager
    def _failing_in_one_line(self, texts: Sequence[str]) -> Iterator[None]:
        try:
            yield
        except LitotesError:
            raise
        except Exception as error:  # the model's own code raises what it likes
            first = shorten(texts[0], 60) if texts else ""
            raise LitotesError(
                "L311",
                f"{self.name}: fails on a batch of {len(texts)} that begins with “{first}” "
                f"({type(error).__name__}: {_first_line(str(error).strip())})",
            ) from error


class TorchEncoder(OnTorch, Encoder):
    """An encoder that runs in torch."""

    @abstractmethod
    def _tokenize(self, texts: Sequence[str]) -> Features:
        """A padded batch."""

    @abstractmethod
    def _forward(self, features: Features) -> torch.Tensor:
        """A vector a text."""

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        """The tokens of each text, unpadded and quickly; None if there is no such way."""
        return None

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has after truncation."""
        counts: list[int] = []
        for start in range(0, len(texts), TOKENIZE_AT_ONCE):
            chunk = texts[start : start + TOKENIZE_AT_ONCE]
            with self._failing_in_one_line(chunk), self._lock:
                tokens = self._token_ids(chunk)
            # Models that look words up have no tokens; how they are batched makes no difference to them.
            counts += [len(text.split()) + 1 for text in chunk] if tokens is None else map(len, tokens)
        return counts

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector a text, as one batch."""
        import torch

        with self._failing_in_one_line(texts):
            with self._lock:
                features = self._tokenize(texts)
            with torch.inference_mode():
                vectors = self._forward(self._on_device(features))
            found = vectors.to(dtype=torch.float32, device="cpu").numpy()
        return np.ascontiguousarray(found, dtype=np.float32)


def token_ids(tokenizer: Any, texts: list[str], max_length: int | None) -> list[list[int]]:
    """The tokens of each text after truncation."""
    found = tokenizer(
        texts,
        truncation=max_length is not None,
        max_length=max_length,
        return_attention_mask=False,
        return_token_type_ids=False,
    )
    ids: list[list[int]] = found["input_ids"]
    return ids


def _keep_what_is_freed() -> None:
    """Let intermediate results go from batch to batch in the same memory.

    glibc gives blocks back to the system, which has to clear them for the next layer, unless it has seen that blocks
    of such a size come and go: then it keeps twice as much. It never sees one above 32 MB. Elsewhere nothing happens.
    """
    np.empty(_LARGEST_KEPT, dtype=np.uint8)


def _to(value: Any, device: torch.device) -> Any:
    return value.to(device) if hasattr(value, "to") else value


def need_torch(*packages: str) -> None:
    """Raise, with the command that brings them, if torch or one of the packages is not installed."""
    for package in ("torch", *packages):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "torch")


def find_torch_model(name: ScorerName, access: Access, device: str) -> Path:
    """The folder of a model that torch can load; a wrong device is told before anything is fetched."""
    if device != AUTO:
        choose_device(device)
    folder = find_model(name, access)
    check_folder(folder, access)
    return folder


def choose_device(wanted: str) -> torch.device:
    """The device that was named, or the best one here."""
    import torch

    if wanted == AUTO:
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(wanted)
        torch.empty(1, device=device).cpu()  # “meta” is a device, but one that holds no numbers
    except Exception as error:  # each backend that is not there says so in its own way
        raise UsageError(
            "L102",
            f'device "{shorten(wanted)}" is not to be had on this machine',
            hint="device=cpu always is",
        ) from error
    return device


def load_tokenizer(folder: Path, common: Mapping[str, Any]) -> Any:
    """The tokenizer in a folder, made to pad to the right."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder, **common)
    # Poolings count on it: some tokenizers of generating models pad to the left.
    tokenizer.padding_side = "right"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    if tokenizer.pad_token is None:
        raise LitotesError("L304", f"{folder}: its tokenizer has no token to pad with", hint="name another model")
    return tokenizer


def longest_input(model: Any, tokenizer: Any) -> int:
    """How many tokens go in: what the tokenizer says, as far as the model's positions reach."""
    said = int(tokenizer.model_max_length) if tokenizer.model_max_length < NO_LIMIT else None
    known = [length for length in (said, position_limit(model)) if length is not None]
    return min(known, default=_USUAL_LENGTH)


def check_max_length(wanted: int, model: Any, tokenizer: Any, *, pair: bool = False) -> None:
    """Raise if a sentence, or a pair, of so many tokens has no place in the model, or no words in it."""
    longest = position_limit(model)
    if longest is not None and wanted > longest:
        raise UsageError("L102", f"max_length={wanted}: this model reads at most {longest} tokens")
    count = getattr(tokenizer, "num_special_tokens_to_add", None)
    special = count(pair=pair) if count is not None else 0
    if wanted <= special:
        raise UsageError("L102", f"max_length={wanted}: this model's {special} special tokens leave no room for words")


def position_limit(model: Any) -> int | None:
    """How many tokens a model has positions for; None if it counts them in another way."""
    longest = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    if not isinstance(longest, int) or longest <= 0:
        return None
    for name, module in model.named_modules():
        # RoBERTa's kind counts from behind the padding's place.
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            return longest - int(module.padding_idx) - 1
    return longest


@contextlib.contextmanager
def loading(folder: Path, access: Access, *, new: Callable[[str], bool] | None = None) -> Iterator[None]:
    """Load quietly, and turn whatever the libraries raise into one line; `new` tells which weights may be missing."""
    may_lack = new or may_be_missing
    with quiet_libraries() as reports:
        try:
            yield
        except LitotesError:
            raise
        except Exception as error:
            if misfits := _misfits(reports, may_lack):
                raise does_not_fit(folder, misfits) from error
            raise _cannot_load(folder, access, error) from error
    if misfits := _misfits(reports, may_lack):
        raise does_not_fit(folder, misfits)


def _misfits(reports: Sequence[str], may_lack: Callable[[str], bool]) -> list[str]:
    return [key for report in reports for key in _MISFIT.findall(report) if not may_lack(key)]


def _cannot_load(folder: Path, access: Access, error: Exception) -> LitotesError:
    # The folder's own name could hold any of the words that are looked for.
    text = str(error).strip().replace(str(folder), "…")
    if "trust_remote_code" in text and not access.trust_remote_code:
        return needs_remote_code(folder)
    hint = "fetch the model again, or try a newer transformers"
    if type(error).__name__ == "UnpicklingError":  # its own text says how to read them all the same
        return LitotesError("L311", f"{folder}: its pickled weights are damaged or hold more than numbers")
    if "okenizer" in text:
        return LitotesError("L304", f"{folder}: its tokenizer cannot be loaded ({_first_line(text)})", hint=hint)
    return LitotesError("L311", f"{folder}: cannot be loaded ({type(error).__name__}: {_first_line(text)})", hint=hint)


def may_be_missing(key: str) -> bool:
    """Whether a weight is one that no pooling of ours reads."""
    return "pooler" in key


def does_not_fit(folder: Path, misfits: Sequence[str]) -> LitotesError:
    """The error for a checkpoint that would leave layers at random: better none than such a model."""
    return LitotesError(
        "L311",
        f"{folder}: its weights do not fit its config ({misfits[0]} is missing or of another size)",
        hint="fetch the model again",
    )


_REPORTER = "transformers.modeling_utils"
_TALKATIVE = ("transformers", "sentence_transformers", _REPORTER)
_MISFIT = re.compile(r"^(\S.*?)\s*\|\s*(?:\x1b\[\d+m)?(?:MISSING|MISMATCH)", re.MULTILINE)
"""A line of the report in which transformers says what it left at random; it says so nowhere else."""


@contextlib.contextmanager
def quiet_libraries() -> Iterator[list[str]]:
    """Let the libraries say nothing; gives the reports that transformers would have printed."""
    from transformers.utils import logging as transformers_logging

    had_bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    before = [(logger, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    reporter, listener = logging.getLogger(_REPORTER), _Listener()
    reporter.setLevel(logging.WARNING)
    reporter.propagate = False
    reporter.addHandler(listener)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield listener.heard
    finally:
        reporter.removeHandler(listener)
        for logger, level, propagate in before:
            logger.setLevel(level)
            logger.propagate = propagate
        if had_bar:
            transformers_logging.enable_progress_bar()


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


def _first_line(text: str) -> str:
    return shorten(text.splitlines()[0], 200) if text else "no reason given"
