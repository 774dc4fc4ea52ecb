"""The state of a training on disk, from which an interrupted one resumes after its last complete epoch.

`training.json` records what the training depends on and, once it is finished, its results. The folder `checkpoints`
contains the checkpoints of transformers' Trainer; those before the last have only the model.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import ensure_writable, is_file, read_json, to_json, write_atomic

TRAINING_FILE = "training.json"
CHECKPOINTS = "checkpoints"
STATE = "trainer_state.json"
_RESUME_FILES = ("optimizer.pt", "scheduler.pt", "rng_state*.pth")
"""Files of a checkpoint, besides the model, that are needed to resume with the same result."""
_CHECKPOINT_NAME = re.compile(r"checkpoint-(\d+)")
METRICS = "metrics.jsonl"
_MODEL_FILES = (
    "config.json", "model*.safetensors*", "model.bin", "uni_skip.npz", "utable.npy", "bi_skip.npz", "btable.npy",
    "dictionary.txt", "README.md", "modules.json", "tokenizer*.json", "sentence_bert_config.json",
    "config_sentence_transformers.json", "[0-9]_*/*.json", "[0-9]_*/*.safetensors", "adapter.json",
    "adapter.safetensors", "repair.json", METRICS,
)  # fmt: skip
"""Files that any kind of training writes; no others are ever removed or overwritten."""


def dependency_key(dependencies: Mapping[str, Any]) -> str:
    """Return a hash of everything that a training depends on."""
    return hashlib.sha256(to_json(dict(dependencies)).encode()).hexdigest()


def read_training_file(out: Path) -> dict[str, Any] | None:
    """Return the content of training.json, if the file exists."""
    return read_json(out / TRAINING_FILE) if is_file(out / TRAINING_FILE) else None


def is_finished(out: Path, key: str) -> bool:
    """Return whether the training with this key is finished: then training.json has the hash of its weights."""
    record = read_training_file(out)
    return record is not None and record.get("key") == key and "sha256" in record


def check_claim(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Raise if a folder contains another training or other files that would be overwritten."""
    if fresh:
        return
    record = read_training_file(out)
    if record is not None and record.get("key") != key:
        difference = _difference(record.get("depends_on"), depends_on)
        hint = "--fresh replaces it, or use another --out"
        raise UsageError("L102", f"{out}: contains another training ({difference})", hint=hint)
    if record is None and any(out.glob(f"{CHECKPOINTS}/checkpoint-*")):
        hint = "--fresh replaces them, or use another --out"
        raise UsageError("L102", f"{out / CHECKPOINTS}: contains checkpoints of an unknown training", hint=hint)
    check_free(out)


def claim(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Claim a folder for a training by writing training.json; with `fresh`, an older training is removed."""
    check_claim(out, key, depends_on, fresh=fresh)
    if fresh:
        clear(out)
    if read_training_file(out) is None:
        ensure_writable(out)
        write_atomic(out / TRAINING_FILE, to_json({"key": key, "depends_on": dict(depends_on)}, indent=2) + "\n")


def check_free(out: Path, *, fresh: bool = False) -> None:
    """Raise if a folder contains files that the training would overwrite and that no training of ours has written."""
    is_ours = fresh or is_file(out / TRAINING_FILE)
    names = [] if is_ours else [path.name for pattern in _MODEL_FILES for path in out.glob(pattern)]
    if names:
        hint = "--fresh overwrites it, or use another --out"
        raise UsageError("L102", f"{out}: already contains {names[0]}", hint=hint)


def _difference(before: Any, now: Mapping[str, Any]) -> str:
    """Name the dependencies that differ between two trainings."""
    if not isinstance(before, dict):
        return "its training.json does not record its dependencies"
    different = [name for name in now if to_json(before.get(name)) != to_json(now[name])]
    return "different " + ", ".join(different) if different else "of another version"


def clear(out: Path) -> None:
    """Remove the files of an older training."""
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
    for pattern in (TRAINING_FILE, *_MODEL_FILES):
        for path in out.glob(pattern):
            path.unlink()


def checkpoints(out: Path) -> list[Path]:
    """Return the complete checkpoints in order."""
    return [path for path in _all_checkpoints(out) if _is_complete(path)]


def _all_checkpoints(out: Path) -> list[Path]:
    paths = (path for path in (out / CHECKPOINTS).glob("*") if _CHECKPOINT_NAME.fullmatch(path.name))
    return sorted(paths, key=checkpoint_step)


def _is_complete(checkpoint: Path) -> bool:
    """Return whether the state file, which is written last, exists and can be read."""
    try:
        state = read_json(checkpoint / STATE) if is_file(checkpoint / STATE) else {}
    except LitotesError:
        return False
    return isinstance(state.get("global_step"), int)


def latest_resumable_checkpoint(out: Path, *required: str) -> Path | None:
    """Return the last checkpoint that has all files needed to resume; later, incomplete ones are deleted."""
    resumable = [path for path in checkpoints(out) if all(any(path.glob(name)) for name in (*_RESUME_FILES, *required))]
    last = resumable[-1] if resumable else None
    last_step = checkpoint_step(last) if last is not None else 0
    for path in _all_checkpoints(out):
        if checkpoint_step(path) > last_step:
            shutil.rmtree(path)
    return last


def remove_training_state(checkpoint: Path) -> None:
    """Delete the files of a checkpoint that only resuming needs: about two thirds of its size."""
    for name in (*_RESUME_FILES, "training_args.bin"):
        for path in checkpoint.glob(name):
            path.unlink(missing_ok=True)


def checkpoint_step(checkpoint: Path) -> int:
    """Return the training step of a checkpoint."""
    return int(checkpoint.name.rpartition("-")[2])
