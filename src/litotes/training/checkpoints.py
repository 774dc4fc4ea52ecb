"""What a training has done so far, on disk: one that was killed goes on from its last whole epoch.

`training.json` says what the training depends on and, once it is finished, what came of it. Beside it lie the
checkpoints as transformers' Trainer writes them; of all but the last only the model is kept.
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

ACCOUNT = "training.json"
CHECKPOINTS = "checkpoints"
STATE = "trainer_state.json"
_TO_GO_ON = ("optimizer.pt", "scheduler.pt", "rng_state*.pth")
"""What a checkpoint needs beside the model so that training can go on from it to the same end."""
_NAME = re.compile(r"checkpoint-(\d+)")
METRICS = "metrics.jsonl"
_OF_MODEL = (
    "config.json", "model*.safetensors*", "model.bin", "uni_skip.npz", "utable.npy", "bi_skip.npz", "btable.npy",
    "dictionary.txt", "README.md", "modules.json", "tokenizer*.json", "sentence_bert_config.json",
    "config_sentence_transformers.json", "[0-9]_*/*.json", "[0-9]_*/*.safetensors", "adapter.json",
    "adapter.safetensors", "repair.json", METRICS,
)  # fmt: skip
"""What a training of any kind writes: nothing else is ever removed or written over."""


def key_of(parts: Mapping[str, Any]) -> str:
    """One short name for all that a training depends on."""
    return hashlib.sha256(to_json(dict(parts)).encode()).hexdigest()


def read_account(out: Path) -> dict[str, Any] | None:
    """What training.json says; None if there is none."""
    return read_json(out / ACCOUNT) if is_file(out / ACCOUNT) else None


def is_finished(out: Path, key: str) -> bool:
    """Whether just this training has been done here: then training.json has the hash of its weights."""
    account = read_account(out)
    return account is not None and account.get("key") == key and "sha256" in account


def begin(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Claim a folder for a training: nothing of another training may be in it, unless that may go."""
    check_claim(out, key, depends_on, fresh=fresh)
    claim(out, key, depends_on, fresh=fresh)


def check_claim(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Raise if a folder cannot be claimed; nothing is changed in it."""
    if fresh:
        return
    account = read_account(out)
    if account is not None and account.get("key") != key:
        told = _difference(account.get("depends_on"), depends_on)
        raise UsageError(
            "L102",
            f"{out}: holds another training ({told})",
            hint="--fresh trains anew, or take another --out",
        )
    if account is None and any(out.glob(f"{CHECKPOINTS}/checkpoint-*")):
        raise UsageError(
            "L102",
            f"{out / CHECKPOINTS}: are checkpoints of a training that nobody knows",
            hint="--fresh trains anew, or take another --out",
        )
    check_free(out)


def claim(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Write down what is trained here; what was there before goes if it may."""
    if fresh:
        clear(out)
    if read_account(out) is None:
        ensure_writable(out)
        write_atomic(out / ACCOUNT, to_json({"key": key, "depends_on": dict(depends_on)}, indent=2) + "\n")


def check_free(out: Path, *, fresh: bool = False) -> None:
    """Raise if there is something that no training of ours has left and that this one would write over."""
    there = [] if fresh or is_file(out / ACCOUNT) else [path.name for name in _OF_MODEL for path in out.glob(name)]
    if there:
        hint = "--fresh writes over it, or take another --out"
        raise UsageError("L102", f"{out}: there is a {there[0]} already", hint=hint)


def _difference(before: Any, now: Mapping[str, Any]) -> str:
    """Which of the things that a training depends on are others than before."""
    if not isinstance(before, dict):
        return "its training.json says nothing of what it depends on"
    different = [name for name in now if to_json(before.get(name)) != to_json(now[name])]
    return "another " + ", ".join(different) if different else "of another version"


def clear(out: Path) -> None:
    """Remove what an older training left."""
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
    for name in (ACCOUNT, *_OF_MODEL):
        for path in out.glob(name):
            path.unlink()


def checkpoints(out: Path) -> list[Path]:
    """The whole checkpoints, in order: one that was killed while it was written has no state."""
    return [path for path in _all(out) if _is_whole(path)]


def _all(out: Path) -> list[Path]:
    return sorted((path for path in (out / CHECKPOINTS).glob("*") if _NAME.fullmatch(path.name)), key=step_of)


def _is_whole(checkpoint: Path) -> bool:
    """Whether the state, which is written last, is there and can be read."""
    try:
        state = read_json(checkpoint / STATE) if is_file(checkpoint / STATE) else {}
    except LitotesError:
        return False
    return isinstance(state.get("global_step"), int)


def last_to_go_on_from(out: Path, *needed: str) -> Path | None:
    """The checkpoint from which training goes on, with all files that it needs; half-written ones behind it are
    removed."""
    whole = [path for path in checkpoints(out) if all(any(path.glob(name)) for name in (*_TO_GO_ON, *needed))]
    last = whole[-1] if whole else None
    reached = step_of(last) if last is not None else 0
    for path in _all(out):
        if step_of(path) > reached:
            shutil.rmtree(path)
    return last


def keep_model_alone(checkpoint: Path) -> None:
    """Of a checkpoint that another has followed, what only training needs is two thirds of it."""
    for name in (*_TO_GO_ON, "training_args.bin"):
        for path in checkpoint.glob(name):
            path.unlink(missing_ok=True)


def step_of(checkpoint: Path) -> int:
    """After how many steps a checkpoint was written."""
    return int(checkpoint.name.rpartition("-")[2])
