"""Masked language models: the words that a model predicts for a gap, the most likely first."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import expand_user

_WORD_PREFIXES = ("Ġ", "▁")
"""Characters that mark the first piece of a word; other tokenizers mark the later pieces by ##."""
_MAX_PREDICTIONS = 256
_NO_LIMIT = 1_000_000
"""Tokenizers without a maximum length report a larger number."""
_DEFAULT_LENGTH = 512
_PICKLED_WEIGHTS = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.ckpt")


class MaskedModel:
    """A fill-mask model of transformers."""

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        self.name = name
        self._model = model
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._tokens: list[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        counts = {prefix: sum(token.startswith(prefix) for token in self._tokens) for prefix in _WORD_PREFIXES}
        prefix = max(counts, key=lambda prefix: counts[prefix])
        self._word_prefix = prefix if counts[prefix] else ""
        self._special_ids = frozenset(tokenizer.all_special_ids)

    def fill(self, text: str, start: int, end: int) -> list[str]:
        """Return the words that the model predicts for the characters from `start` to `end`, the most likely first.

        Pieces of words, punctuation and numbers are left out. The list is empty if the gap is beyond the maximum
        length of the model.
        """
        import torch

        masked = f"{text[:start]}{self._tokenizer.mask_token}{text[end:]}"
        try:
            with self._lock, torch.inference_mode():
                features = self._tokenizer(masked, return_tensors="pt", truncation=True, max_length=self._max_length())
                mask_positions = (features["input_ids"][0] == self._tokenizer.mask_token_id).nonzero()
                if not len(mask_positions):
                    return []
                logits = self._model(**features).logits[0, int(mask_positions[0])]
                token_ids = logits.topk(min(_MAX_PREDICTIONS, logits.shape[-1])).indices.tolist()
        except Exception as error:  # models raise all kinds of errors
            raise _failure("be run", self.name, error) from error
        begins_text = not text[:start].strip()
        words = (self._word(token_id, begins_text=begins_text) for token_id in token_ids)
        return list(dict.fromkeys(word for word in words if word))

    def _word(self, token_id: int, *, begins_text: bool) -> str | None:
        """Return a token as a word, or None for pieces of words, punctuation and numbers."""
        if token_id in self._special_ids or token_id >= len(self._tokens):
            return None
        token = self._tokens[token_id]
        if self._word_prefix:
            # The first word of a text has no prefix.
            if not token.startswith(self._word_prefix) and not begins_text:
                return None
            token = token.removeprefix(self._word_prefix)
        return token if token.isalpha() and token.isascii() else None

    def _max_length(self) -> int:
        lengths = [self._tokenizer.model_max_length]
        n_positions = getattr(self._model.config, "max_position_embeddings", None)
        if isinstance(n_positions, int) and n_positions > 0:
            lengths.append(n_positions)
        # Models like RoBERTa reserve two positions for padding.
        return max(8, min(lengths) - (2 if self._word_prefix else 0)) if min(lengths) < _NO_LIMIT else _DEFAULT_LENGTH


@lru_cache(maxsize=2)
def load_masked_model(name: str) -> MaskedModel:
    """Load a fill-mask model from a folder, the local cache or the Hugging Face hub, in this order.

    Only safetensors are read, and no code that comes with a model is run.
    """
    for package in ("torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "torch")
    folder = _folder(name)
    from transformers import AutoConfig, AutoModelForMaskedLM, AutoTokenizer

    source = name if folder is None else str(folder)
    with _quiet():
        is_local = folder is not None or _is_cached(AutoConfig, name)
        common: dict[str, Any] = {"trust_remote_code": False, "local_files_only": is_local}
        try:
            tokenizer = AutoTokenizer.from_pretrained(source, **common)
            model, report = AutoModelForMaskedLM.from_pretrained(
                source, use_safetensors=True, output_loading_info=True, **common
            )
        except Exception as error:
            raise _loading_error(name, error) from error
    # The pooler is not used for masks, and the output layer is often shared with the embeddings.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key and "decoder" not in key)
    if missing:
        raise LitotesError("L311", f"{name}: lacks weights of a fill-mask model ({missing[0]} is missing)")
    if tokenizer.mask_token is None:
        raise LitotesError("L311", f"{name}: the tokenizer has no mask token, so it cannot fill masks")
    return MaskedModel(name, model.eval(), tokenizer)


def _folder(name: str) -> Path | None:
    """Return the folder of a local model, or None if the name is one on the hub."""
    path = expand_user(name)
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):  # too long for a path, or with a NUL
        is_folder = False
    if not is_folder:
        if name.startswith((".", "/", "~")) or not name.strip():
            raise LitotesError("L301", f'"{name}": no such folder', hint="name a folder, or a model on the hub")
        return None
    if not (path / "config.json").is_file():
        raise LitotesError("L301", f"{path}: contains no config.json, so it is not a model", hint="check the path")
    if not any(path.glob("*.safetensors")):
        if any((path / weights).exists() for weights in _PICKLED_WEIGHTS):
            hint = "use a model with model.safetensors"
            raise LitotesError(
                "L305", f"{path}: contains only pickled weights, which can run code when loaded", hint=hint
            )
        raise LitotesError("L302", f"{path}: contains no weights (model.safetensors)", hint="download the model again")
    return path


def _is_cached(config: Any, name: str) -> bool:
    """Return whether a model of the hub is in the local cache, so that the network is not needed."""
    # Otherwise transformers asks the hub to convert models that have only pickled weights.
    os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")
    try:
        config.from_pretrained(name, local_files_only=True, trust_remote_code=False)
    except Exception:  # noqa: BLE001  (if the cause is not the cache, loading reports it)
        return False
    return True


def _loading_error(name: str, error: Exception) -> LitotesError:
    if "trust_remote_code" in str(error):
        return LitotesError(
            "L306", f"{name}: needs to run its own code, which is not supported", hint="name another model"
        )
    if isinstance(error, OSError) and not Path(name).is_dir():
        return LitotesError(
            "L301",
            f'no fill-mask model with safetensors is called "{name}"',
            hint="name a folder, or a model on the hub",
        )
    return _failure("be loaded", name, error)


def _failure(action: str, name: str, error: Exception) -> LitotesError:
    first_line = (str(error).strip().splitlines() or ["no reason given"])[0]
    kind = type(error).__name__
    return LitotesError("L311", f"{name}: cannot {action} as a fill-mask model ({kind}: {first_line[:200]})")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence transformers while it loads a model; problems are raised as errors."""
    import logging

    from transformers.utils import logging as transformers_logging

    had_progress_bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
        if had_progress_bar:
            transformers_logging.enable_progress_bar()
