"""Masked language models: which words a model would put into a gap, the likeliest first."""

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

_WORD_STARTS = ("Ġ", "▁")
"""How tokenizers that keep blanks mark the piece that begins a word; others mark those that do not, by ##."""
_MOST = 256
"""Predictions that are looked at: the words that fit stand far in front of these."""
_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.ckpt")


class MaskedModel:
    """A fill-mask model of transformers."""

    def __init__(self, name: str, model: Any, tokenizer: Any) -> None:
        self.name = name
        self._model = model
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._tokens: list[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        marked = {sign: sum(token.startswith(sign) for token in self._tokens) for sign in _WORD_STARTS}
        most = max(marked, key=lambda sign: marked[sign])
        self._word_start = most if marked[most] else ""
        self._special = frozenset(tokenizer.all_special_ids)

    def fill(self, text: str, start: int, end: int) -> list[str]:
        """The whole words that the model predicts for the characters from `start` to `end`, the likeliest first.

        Pieces of words, punctuation and numbers are left out; none at all where the gap is behind what the model reads.
        """
        import torch

        masked = f"{text[:start]}{self._tokenizer.mask_token}{text[end:]}"
        try:
            with self._lock, torch.inference_mode():
                features = self._tokenizer(masked, return_tensors="pt", truncation=True, max_length=self._longest())
                places = (features["input_ids"][0] == self._tokenizer.mask_token_id).nonzero()
                if not len(places):
                    return []
                logits = self._model(**features).logits[0, int(places[0])]
                best = logits.topk(min(_MOST, logits.shape[-1])).indices.tolist()
        except Exception as error:  # the model's own code raises what it likes
            raise _cannot("be run", self.name, error) from error
        begins_text = not text[:start].strip()
        words = (self._word(number, begins_text) for number in best)
        return list(dict.fromkeys(word for word in words if word))

    def _word(self, number: int, begins_text: bool) -> str | None:
        """A token as a word; None for pieces, signs and numbers."""
        if number in self._special or number >= len(self._tokens):
            return None
        token = self._tokens[number]
        if self._word_start:
            # At the start of a text there is no blank to mark.
            if not token.startswith(self._word_start) and not begins_text:
                return None
            token = token.removeprefix(self._word_start)
        return token if token.isalpha() and token.isascii() else None

    def _longest(self) -> int:
        positions = getattr(self._model.config, "max_position_embeddings", None)
        known = [
            self._tokenizer.model_max_length,
            *([positions] if isinstance(positions, int) and positions > 0 else []),
        ]
        # RoBERTa's kind counts its positions from behind the padding's.
        return max(8, min(known) - (2 if self._word_start else 0)) if min(known) < 1_000_000 else 512


@lru_cache(maxsize=2)
def load_masked_model(name: str) -> MaskedModel:
    """The fill-mask model of that name or in that folder: what is on this machine first, then the hub.

    Only safetensors are read, and no code that comes with a model is run.
    """
    for package in ("torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "torch")
    folder = _folder(name)
    from transformers import AutoConfig, AutoModelForMaskedLM, AutoTokenizer

    where = name if folder is None else str(folder)
    with _quiet():
        common: dict[str, Any] = {"trust_remote_code": False, "local_files_only": folder is not None}
        if folder is None:
            common["local_files_only"] = _is_here(AutoConfig, name)
        try:
            tokenizer = AutoTokenizer.from_pretrained(where, **common)
            model, report = AutoModelForMaskedLM.from_pretrained(
                where, use_safetensors=True, output_loading_info=True, **common
            )
        except Exception as error:
            raise _not_loaded(name, error) from error
    # The pooler fills no mask, and the last layer is often the embeddings once more.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key and "decoder" not in key)
    if missing:
        raise LitotesError("L311", f"{name}: has not all the weights of a fill-mask model ({missing[0]} is missing)")
    if tokenizer.mask_token is None:
        raise LitotesError("L311", f"{name}: its tokenizer has no mask token, so it fills none")
    return MaskedModel(name, model.eval(), tokenizer)


def _folder(name: str) -> Path | None:
    """The folder that a name means; None for a name on the hub."""
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
        raise LitotesError("L301", f"{path}: has no config.json, so it is no model", hint="check the path")
    if not any(path.glob("*.safetensors")):
        if any((path / one).exists() for one in _PICKLED):
            hint = "use a model with model.safetensors"
            raise LitotesError("L305", f"{path}: has only pickled weights, which can run code when read", hint=hint)
        raise LitotesError("L302", f"{path}: has no weights (model.safetensors)", hint="fetch the model again")
    return path


def _is_here(config: Any, name: str) -> bool:
    """Whether a model of the hub is on this machine; the network is then left alone."""
    # Without this, transformers asks the hub to convert models that have only pickled weights.
    os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")
    try:
        config.from_pretrained(name, local_files_only=True, trust_remote_code=False)
    except Exception:  # noqa: BLE001  (any reason: the next try, with the network, says what is wrong)
        return False
    return True


def _not_loaded(name: str, error: Exception) -> LitotesError:
    text = str(error)
    if "trust_remote_code" in text:
        return LitotesError(
            "L306", f"{name}: wants to run code of its own, which is not done", hint="name another model"
        )
    not_found = isinstance(error, OSError) and not Path(name).is_dir()
    if not_found:
        return LitotesError(
            "L301",
            f'no fill-mask model with safetensors is called "{name}"',
            hint="name a folder, or a model on the hub",
        )
    return _cannot("be loaded", name, error)


def _cannot(what: str, name: str, error: Exception) -> LitotesError:
    first = (str(error).strip().splitlines() or ["no reason given"])[0]
    return LitotesError("L311", f"{name}: cannot {what} as a fill-mask model ({type(error).__name__}: {first[:200]})")


@contextmanager
def _quiet() -> Iterator[None]:
    """Let transformers say nothing while it loads: what matters comes as an error."""
    import logging

    from transformers.utils import logging as transformers_logging

    had_bar = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
        if had_bar:
            transformers_logging.enable_progress_bar()
