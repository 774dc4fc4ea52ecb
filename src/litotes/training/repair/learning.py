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
from litotes.training.checkpoints import ACCOUNT, CHECKPOINTS, last_to_go_on_from, read_account
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
    done = read_account(out)
    if done is not None and done.get("key") == key and "sha256" in done:
        return Learned(str(done["sha256"]), int(done["steps"]), dict(done["watched"]))
    with progress, quiet_libraries():
        from litotes.training.repair.averaging import take_average
        from litotes.training.repair.trainer import make_trainer

        model, original = load_model(base, access), load_model(base, access)
        longest = model.max_seq_length
        model.max_seq_length = min(longest or settings.max_length, settings.max_length)
        trainer = make_trainer(model, original, lessons, settings, out, progress=progress, label=out.name)
        start = last_to_go_on_from(out)
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
        model.save_pretrained(str(out), create_model_card=False)
    learned = Learned(hash_weights(out), *_best(trainer.state))
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


def _best(state: Any) -> tuple[int, dict[str, float]]:
    """The step whose model is kept, and its figures."""
    looks = [line for line in state.log_history if f"eval_{CHOICE}" in line]
    if not looks:
        return int(state.global_step), {}
    best = max(looks, key=lambda line: float(line[f"eval_{CHOICE}"]))
    names = ("watch_learned", "watch_kept", SCORE)
    return int(best["step"]), {name: float(best[f"eval_{name}"]) for name in names}
