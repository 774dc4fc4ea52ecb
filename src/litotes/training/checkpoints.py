"""What a training has done so far, on disk: one that was killed goes on from its last whole epoch.

`training.json` says what the training depends on and, once it is finished, what came of it. Beside it lie the
checkpoints as transformers' Trainer writes them; of all but the last only the model is kept.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import ensure_writable, is_file, read_json, to_json, write_atomic

ACCOUNT = "training.json"
CHECKPOINTS = "checkpoints"
STATE = "trainer_state.json"
_TO_GO_ON = ("optimizer.pt", "scheduler.pt")
"""What a checkpoint needs beside the model so that training can go on from it."""


def key_of(parts: Mapping[str, Any]) -> str:
    """One short name for all that a training depends on."""
    return hashlib.sha256(to_json(dict(parts)).encode()).hexdigest()


def read_account(out: Path) -> dict[str, Any] | None:
    """What training.json says; None if there is none."""
    return read_json(out / ACCOUNT) if is_file(out / ACCOUNT) else None


def begin(out: Path, key: str, depends_on: Mapping[str, Any], *, fresh: bool = False) -> None:
    """Claim a folder for a training: nothing of another training may be in it, unless that may go."""
    account = read_account(out)
    if fresh:
        clear(out)
    elif account is not None and account.get("key") != key:
        told = _difference(account.get("depends_on"), depends_on)
        raise UsageError(
            "L102",
            f"{out}: holds another training ({told})",
            hint="--fresh trains anew, or take another --out",
        )
    elif account is None and any(out.glob(f"{CHECKPOINTS}/checkpoint-*")):
        raise UsageError(
            "L102",
            f"{out / CHECKPOINTS}: are checkpoints of a training that nobody knows",
            hint="--fresh trains anew, or take another --out",
        )
    elif account is None and is_file(out / "config.json"):
        raise UsageError(
            "L102", f"{out}: there is a model already", hint="--fresh writes over it, or take another --out"
        )
    if account is None or fresh:
        ensure_writable(out)
        write_atomic(out / ACCOUNT, to_json({"key": key, "depends_on": dict(depends_on)}, indent=2) + "\n")


def _difference(before: Any, now: Mapping[str, Any]) -> str:
    """Which of the things that a training depends on are others than before."""
    if not isinstance(before, dict):
        return "its training.json says nothing of what it depends on"
    different = [name for name in now if to_json(before.get(name)) != to_json(now[name])]
    return "another " + ", ".join(different) if different else "of another version"


def clear(out: Path) -> None:
    """Remove what an older training left."""
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
    for name in (ACCOUNT, "metrics.jsonl"):
        (out / name).unlink(missing_ok=True)


def checkpoints(out: Path) -> list[Path]:
    """The whole checkpoints, in order: one that was killed while it was written has no state."""
    found = [path for path in (out / CHECKPOINTS).glob("checkpoint-*") if is_file(path / STATE)]
    return sorted(found, key=lambda path: int(path.name.rpartition("-")[2]))


def last_to_go_on_from(out: Path) -> Path | None:
    """The checkpoint from which training goes on; half-written ones behind it are removed."""
    whole = [path for path in checkpoints(out) if all(is_file(path / name) for name in _TO_GO_ON)]
    last = whole[-1] if whole else None
    reached = _step(last) if last is not None else 0
    for path in (out / CHECKPOINTS).glob("checkpoint-*"):
        if _step(path) > reached:
            shutil.rmtree(path)
    if last is not None and not isinstance(read_json(last / STATE).get("global_step"), int):
        raise LitotesError("L203", f"{last / STATE}: does not say how far training was", hint="--fresh trains anew")
    return last


def keep_model_alone(checkpoint: Path) -> None:
    """Of a checkpoint that another has followed, what only training needs is two thirds of it."""
    for path in checkpoint.iterdir():
        if path.name in _TO_GO_ON or path.name.startswith("rng_state") or path.name == "training_args.bin":
            path.unlink(missing_ok=True)


def step_of(checkpoint: Path) -> int:
    """After how many steps a checkpoint was written."""
    return _step(checkpoint)


def _step(path: Path) -> int:
    return int(path.name.rpartition("-")[2])
