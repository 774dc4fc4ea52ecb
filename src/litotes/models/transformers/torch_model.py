"""Base classes of models that run in PyTorch, and loading them with readable errors."""

from __future__ import annotations

import contextlib
import inspect
import logging
import re
import threading
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError, require_packages, shorten
from litotes.core.model_folders.checks import check_folder, limited_size
from litotes.core.model_folders.files import (
    hash_configs,
    hash_weights,
    needs_remote_code,
)
from litotes.models.access import Access
from litotes.models.base import BatchedModel, Encoder, Fingerprint, Vectors
from litotes.models.hub import find_model
from litotes.models.names import ModelName

if TYPE_CHECKING:
    import torch

DType = Literal["float32", "float16", "bfloat16"]
Features = dict[str, Any]

AUTO = "auto"
NO_LIMIT = 100_000
"""Tokenizers without a maximum length report a huge number."""
TOKENIZER_BATCH = 512
_DEFAULT_LENGTH = 512


class TorchModel(BatchedModel):
    """A model that tokenizes under a lock, because tokenizers are not thread-safe, and computes without one."""

    def __init__(self, name: str, fingerprint: Fingerprint, device: torch.device, **options: Any) -> None:
        super().__init__(name, fingerprint, **options)
        self._device = device
        self._lock = threading.Lock()

    @property
    def batch_tokens(self) -> int:
        """On a CPU, larger batches are not faster and leave cores idle at the end; a GPU needs them."""
        return 768 if self._device.type == "cpu" else 32_768

    @property
    def parallel(self) -> bool:
        """Whether the model runs on a CPU, where each core is a worker; a GPU is one worker."""
        return bool(self._device.type == "cpu")

    def limit_threads(self, count: int) -> int:
        """Let each batch that is computed in this thread use `count` threads; return the previous limit."""
        import torch

        before: int = torch.get_num_threads()
        torch.set_num_threads(count)
        return before

    def _on_device(self, features: Features) -> Features:
        return {key: _to(value, self._device) for key, value in features.items()}

    @contextlib.contextmanager
    def _reporting_failure(self, texts: Sequence[str]) -> Iterator[None]:
        try:
            yield
        except LitotesError:
            raise
        except Exception as error:  # the model's own code can raise anything
            first = shorten(texts[0], 60) if texts else ""
            raise LitotesError(
                "L311",
                f"{self.name}: failed on a batch of {len(texts)} starting with “{first}” "
                f"({type(error).__name__}: {_first_line(str(error).strip())})",
            ) from error


class TorchEncoder(TorchModel, Encoder):
    """An encoder that runs in PyTorch."""

    @abstractmethod
    def _tokenize(self, texts: Sequence[str]) -> Features:
        """Return the padded inputs of a batch."""

    @abstractmethod
    def _forward(self, features: Features) -> torch.Tensor:
        """Return one vector per text."""

    def _token_ids(self, texts: Sequence[str]) -> Sequence[Sequence[int]] | None:
        """Return the tokens of each text without padding; None if the model has no tokenizer."""
        return None

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text after truncation."""
        counts: list[int] = []
        for start in range(0, len(texts), TOKENIZER_BATCH):
            chunk = texts[start : start + TOKENIZER_BATCH]
            with self._reporting_failure(chunk), self._lock:
                tokens = self._token_ids(chunk)
            # Models that look up words have no tokens, and batches of any composition suit them.
            counts += [len(text.split()) + 1 for text in chunk] if tokens is None else map(len, tokens)
        return counts

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, computed as one batch."""
        import torch

        with self._reporting_failure(texts):
            with self._lock:
                features = self._tokenize(texts)
            with torch.inference_mode():
                vectors = self._forward(self._on_device(features))
            array = vectors.to(dtype=torch.float32, device="cpu").numpy()
        return np.ascontiguousarray(array, dtype=np.float32)


def token_ids(tokenizer: Any, texts: list[str], max_length: int | None) -> list[list[int]]:
    """Return the tokens of each text after truncation."""
    encoded = tokenizer(
        texts,
        truncation=max_length is not None,
        max_length=max_length,
        return_attention_mask=False,
        return_token_type_ids=False,
    )
    ids: list[list[int]] = encoded["input_ids"]
    return ids


def accepted_inputs(model: Any, features: Features) -> Features:
    """Return the features that a model accepts; tokenizers may produce more, above all token types."""
    parameters = inspect.signature(model.forward).parameters
    return {key: value for key, value in features.items() if key in parameters}


def pool(hidden: torch.Tensor, mask: torch.Tensor, pooling: str) -> torch.Tensor:
    """Return one vector per sentence from the vectors of its tokens, without padding, which is on the right."""
    hidden = hidden.float()  # sums in half precision would lose precision
    if pooling == "cls":
        return hidden[:, 0]
    inside = mask.unsqueeze(-1).bool()
    if pooling == "max":
        return hidden.masked_fill(~inside, float("-inf")).amax(dim=1)
    return hidden.masked_fill(~inside, 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def token_vectors(model: Any, inputs: Features, layer: int | None) -> torch.Tensor:
    """Return the vectors of the tokens after a layer, counted from 1; default: the model's output."""
    if layer is None:
        output: torch.Tensor = model(**inputs, return_dict=True).last_hidden_state
        return output
    states: Sequence[torch.Tensor] = model(**inputs, return_dict=True, output_hidden_states=True).hidden_states
    return states[layer]  # 0 would be the embeddings below the first layer


def check_layer(layer: int | None, config: Any) -> None:
    """Raise if a model has fewer layers."""
    count = getattr(config, "num_hidden_layers", None)
    if layer is not None and (not isinstance(count, int) or layer > count):
        has = f"has {count} layers" if isinstance(count, int) else "does not have numbered layers"
        raise UsageError("L102", f"layer={layer}: this model {has}")


def count_layers(name: ModelName, access: Access) -> int:
    """Return the number of layers of a model from its configuration; the model is downloaded if necessary."""
    require_torch("transformers")
    folder = find_model(name, access)
    check_folder(folder, access)
    with loading(folder, access):
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=access.trust_remote_code)
    check_layer(1, config)
    return int(config.num_hidden_layers)


def _to(value: Any, device: torch.device) -> Any:
    return value.to(device) if hasattr(value, "to") else value


def require_torch(*packages: str) -> None:
    """Raise, with the command that installs it, if torch or one of the packages is not installed."""
    require_packages("torch", "torch", *packages)


@dataclass(frozen=True)
class TorchSource:
    """Where a model is loaded from, and the device it runs on."""

    folder: Path
    access: Access
    device: torch.device

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `from_pretrained` that permissions determine."""
        return {"local_files_only": True, "trust_remote_code": self.access.trust_remote_code}

    def prepare(self, model: Any) -> Any:
        """Move a model to the device, ready for inference, and return it."""
        return model.to(self.device).eval()

    def fingerprint(self, *, pooling: str, dtype: str, max_length: int | None, prompt: str = "") -> Fingerprint:
        """Return the fingerprint of a model with the weights in the folder."""
        return Fingerprint(
            backend=f"torch/{self.device.type}",
            weights=hash_weights(self.folder),
            config=hash_configs(self.folder, self.access),
            pooling=pooling,
            dtype=dtype,
            max_length=max_length,
            prompt=prompt,
        )


def find_torch_model(name: ModelName, access: Access, device: str, *packages: str) -> TorchSource:
    """Return the source of a model, downloaded if necessary; raise first if a package or the device is missing."""
    require_torch("transformers", *packages)
    if device != AUTO:
        choose_device(device)
    folder = find_model(name, access)
    check_folder(folder, access)
    return TorchSource(folder, access, choose_device(device))


def choose_device(name: str) -> torch.device:
    """Return the device with that name, or for "auto" a GPU if there is one."""
    import torch

    if name == AUTO:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(1, device=device).cpu()  # fails for “meta”, a device without memory
    except Exception as error:  # each missing backend raises an exception of its own
        hint = "use device=cpu"
        raise UsageError("L102", f'device "{shorten(name)}" is not available on this machine', hint=hint) from error
    return device


def load_tokenizer(folder: Path, options: Mapping[str, Any], *, add_prefix_space: bool = False) -> Any:
    """Load the tokenizer in a folder and let it pad to the right.

    With `add_prefix_space`, a byte-level tokenizer treats the first word like every other word, as if a space preceded
    it. BabyBERTa was trained that way.
    """
    from transformers import AutoTokenizer

    more = {"add_prefix_space": True} if add_prefix_space else {}
    tokenizer = AutoTokenizer.from_pretrained(folder, **options, **more)
    if add_prefix_space:
        splitter = getattr(getattr(tokenizer, "backend_tokenizer", None), "pre_tokenizer", None)
        if not getattr(splitter, "add_prefix_space", False):
            message = "add_prefix_space=yes: this model's tokenizer is not byte-level, so it has no such setting"
            raise UsageError("L102", message, hint="remove the option")
    # Poolings rely on it: some tokenizers of generative models pad to the left.
    tokenizer.padding_side = "right"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    if tokenizer.pad_token is None:
        raise LitotesError("L304", f"{folder}: its tokenizer has no token for padding", hint="name another model")
    return tokenizer


def load_network(
    kind: Any, source: TorchSource, dtype: DType, is_optional: Callable[[str], bool] = lambda key: False
) -> Any:
    """Load a model by a class of transformers; raise if its checkpoint lacks a weight that is not optional."""
    import torch

    model, report = kind.from_pretrained(
        source.folder, dtype=getattr(torch, dtype), output_loading_info=True, weights_only=True, **source.options
    )
    if missing := sorted(key for key in report["missing_keys"] if not is_optional(key)):
        raise does_not_fit(source.folder, missing)
    return model


def longest_input(model: Any, tokenizer: Any) -> int:
    """Return the maximum number of tokens: the tokenizer's, limited by the number of positions of the model."""
    own = int(tokenizer.model_max_length) if tokenizer.model_max_length < NO_LIMIT else None
    limits = [length for length in (own, position_limit(model)) if length is not None]
    return min(limits, default=_DEFAULT_LENGTH)


def check_max_length(max_length: int, model: Any, tokenizer: Any, *, pair: bool = False) -> None:
    """Raise if the model has fewer positions, or if special tokens leave no tokens for words."""
    longest = position_limit(model)
    if longest is not None and max_length > longest:
        raise UsageError("L102", f"max_length={max_length}: this model reads at most {longest} tokens")
    count = getattr(tokenizer, "num_special_tokens_to_add", None)
    special = count(pair=pair) if count is not None else 0
    if max_length <= special:
        message = f"max_length={max_length}: this model's {special} special tokens leave no tokens for words"
        raise UsageError("L102", message)


def position_limit(model: Any) -> int | None:
    """How many tokens a model has positions for; None if it counts them in another way."""
    longest = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    if not isinstance(longest, int) or longest <= 0:
        return None
    for name, module in model.named_modules():
        # RoBERTa and similar models number positions from the padding index + 1.
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            return longest - int(module.padding_idx) - 1
    return longest


@contextlib.contextmanager
def loading(
    folder: Path, access: Access, *, is_optional: Callable[[str], bool] = lambda key: "pooler" in key
) -> Iterator[None]:
    """Load without output and raise whatever the libraries raise as a LitotesError.

    Args:
        folder: The model's folder.
        access: The permissions.
        is_optional: Whether the model may lack a weight; default: weights of poolers, which no encoder here reads.
    """
    with quiet_libraries() as reports, limited_size(folder):
        try:
            yield
        except LitotesError:
            raise
        except Exception as error:
            if misfits := _misfits(reports, is_optional):
                raise does_not_fit(folder, misfits) from error
            raise _cannot_load(folder, access, error) from error
    if misfits := _misfits(reports, is_optional):
        raise does_not_fit(folder, misfits)


def _misfits(reports: Sequence[str], is_optional: Callable[[str], bool]) -> list[str]:
    return [key for report in reports for key in _MISFIT.findall(report) if not is_optional(key)]


def _cannot_load(folder: Path, access: Access, error: Exception) -> LitotesError:
    # The name of the folder could contain any of the words below.
    text = str(error).strip().replace(str(folder), "…")
    if "trust_remote_code" in text and not access.trust_remote_code:
        return needs_remote_code(folder)
    hint = "fetch the model again, or try a newer transformers"
    if type(error).__name__ == "UnpicklingError":  # its own text recommends reading them anyway
        return LitotesError("L311", f"{folder}: its pickled weights are damaged or contain more than numbers")
    if "okenizer" in text:
        return LitotesError("L304", f"{folder}: its tokenizer cannot be loaded ({_first_line(text)})", hint=hint)
    return LitotesError("L311", f"{folder}: cannot be loaded ({type(error).__name__}: {_first_line(text)})", hint=hint)


def does_not_fit(folder: Path, misfits: Sequence[str]) -> LitotesError:
    """Return the error for a checkpoint that leaves layers randomly initialised."""
    message = f"{folder}: its weights do not fit its config ({misfits[0]} is missing or of another size)"
    return LitotesError("L311", message, hint="fetch the model again")


_REPORTER = "transformers.modeling_utils"
_VERBOSE_LOGGERS = ("transformers", "sentence_transformers", _REPORTER)
_MISFIT = re.compile(r"^(\S.*?)\s*\|\s*(?:\x1b\[\d+m)?(?:MISSING|MISMATCH)", re.MULTILINE)
"""A line of the report of transformers about randomly initialised layers, the only place that mentions them."""


@contextlib.contextmanager
def quiet_libraries() -> Iterator[list[str]]:
    """Suppress output of the libraries; yield the list of reports that transformers would have printed."""
    from transformers.utils import logging as transformers_logging

    had_bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    loggers = [logging.getLogger(name) for name in _VERBOSE_LOGGERS]
    before = [(logger, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    reporter, listener = logging.getLogger(_REPORTER), _MessageCollector()
    reporter.setLevel(logging.WARNING)
    reporter.propagate = False
    reporter.addHandler(listener)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield listener.messages
    finally:
        reporter.removeHandler(listener)
        for logger, level, propagate in before:
            logger.setLevel(level)
            logger.propagate = propagate
        if had_bar:
            transformers_logging.enable_progress_bar()


class _MessageCollector(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _first_line(text: str) -> str:
    return shorten(text.splitlines()[0], 200) if text else "no reason given"
