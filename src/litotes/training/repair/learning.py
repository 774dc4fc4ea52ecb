"""The training itself: from lessons to an ordinary sentence-transformers folder; what was killed goes on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, one_line
from litotes.core.files import to_json, write_atomic
from litotes.core.progress import Progress
from litotes.scorers.access import Access
from litotes.scorers.model_folder import hash_weights
from litotes.scorers.names import shorten
from litotes.scorers.torch_encoder import quiet_libraries
from litotes.training.checkpoints import ACCOUNT, CHECKPOINTS, is_finished, last_to_go_on_from, read_account
from litotes.training.repair.base import Base, load_model
from litotes.training.repair.lessons import Lessons
from litotes.training.repair.settings import RepairSettings
from litotes.training.repair.watching import CHOICE, SCORE


@dataclass(frozen=True)
class Learned:
    """A model that is trained."""

    sha256: str
    steps: int
    """After how many it was taken."""
    watched: Mapping[str, float]
    """The figures by which it was chosen."""


def learn(
    base: Base,
    lessons: Lessons,
    settings: RepairSettings,
    out: Path,
    *,
    key: str,
    depends_on: Mapping[str, Any],
    progress: Progress,
    access: Access,
) -> Learned:
    """Train a copy of the model into a folder; at once if that is done."""
    if (done := read_account(out)) is not None and is_finished(out, key):
        shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)  # killed just before it would have done this
        return Learned(str(done["sha256"]), int(done["steps"]), dict(done["watched"]))
    with progress:
        state = train(base, lessons, settings, out, progress=progress, access=access)
    learned = Learned(hash_weights(out), *_best(state))
    account = {
        "key": key,
        "depends_on": dict(depends_on),
        "sha256": learned.sha256,
        "steps": learned.steps,
        "watched": dict(learned.watched),
    }
    write_atomic(out / ACCOUNT, to_json(account, indent=2) + "\n")
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
    return learned


def train(
    base: Base,
    lessons: Lessons,
    settings: RepairSettings,
    out: Path,
    *,
    progress: Progress,
    access: Access,
    **changed: Any,
) -> Any:
    """Train and save, from the last checkpoint if there is one; `changed` goes to `make_trainer`. Its state."""
    with quiet_libraries():
        from litotes.training.repair.averaging import FILE, take_average
        from litotes.training.repair.trainer import make_trainer

        model, original = load_model(base, access), load_model(base, access)
        longest, cut = model.max_seq_length, _cut(model.tokenizer)
        # Both alike: what is cut off must not look like something that has changed.
        model.max_seq_length = original.max_seq_length = min(longest or settings.max_length, settings.max_length)
        trainer = make_trainer(model, original, lessons, settings, out, progress=progress, label=out.name, **changed)
        start = last_to_go_on_from(out, FILE, "model*.safetensors")
        try:
            trainer.train(resume_from_checkpoint=str(start) if start is not None else None)
        except (RuntimeError, ValueError, KeyError) as error:
            if start is None:
                raise
            raise LitotesError(
                "L303",
                f"{start}: training cannot go on from it ({shorten(one_line(str(error)), 120)})",
                hint="--fresh trains anew",
            ) from error
        take_average(model, trainer.state.best_model_checkpoint)
        model.max_seq_length = longest
        _put_back(model.tokenizer, cut)
        model.save_pretrained(str(out), create_model_card=False)
    return trainer.state


def _cut(tokenizer: Any) -> tuple[dict[str, Any] | None, dict[str, Any] | None] | None:
    """How a tokenizer's own file says that texts are cut and filled up; None if it has no such file."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    return None if backend is None else (backend.truncation, backend.padding)


def _put_back(tokenizer: Any, cut: tuple[dict[str, Any] | None, dict[str, Any] | None] | None) -> None:
    """Training cuts texts short; whoever reads the tokenizer's file alone must not."""
    if cut is None:
        return
    backend, (truncation, padding) = tokenizer.backend_tokenizer, cut
    backend.no_truncation() if truncation is None else backend.enable_truncation(**truncation)
    backend.no_padding() if padding is None else backend.enable_padding(**padding)


def _best(state: Any) -> tuple[int, dict[str, float]]:
    """The step whose model is kept, and its figures."""
    looks = [line for line in state.log_history if f"eval_{CHOICE}" in line]
    if not looks:
        return int(state.global_step), {}
    best = max(looks, key=lambda line: float(line[f"eval_{CHOICE}"]))
    names = ("watch_learned", "watch_kept", SCORE)
    return int(best["step"]), {name: float(best[f"eval_{name}"]) for name in names}
