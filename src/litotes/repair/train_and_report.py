"""From lessons to a folder with the proof in it: train or map, compare before and after, write the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litotes.audit.settings import load_encoder
from litotes.core.files import expand_user, to_json, write_atomic
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.models.access import Access
from litotes.repair.adapter import AdapterSettings
from litotes.repair.base_model import Base
from litotes.repair.comparison import before_after
from litotes.repair.examples.base import Lessons
from litotes.repair.holdout import Leakage
from litotes.repair.model_card import model_card, write_outcome
from litotes.repair.result import Outcome
from litotes.repair.settings import RepairSettings
from litotes.repair.validation import looked_at
from litotes.suites.base import Suite
from litotes.training.checkpoints import ACCOUNT, is_finished, read_account


@dataclass(frozen=True)
class Job:
    """A repair that is under way: all that it was asked for and what was found before it began."""

    model: str
    base: Base | None
    """What is trained; None for an adapter."""
    folder: Path
    key: str
    depends_on: Mapping[str, Any]
    lessons: Lessons
    unseen: tuple[str, ...]
    """Sentences of the text that are in no lesson."""
    leakage: tuple[Leakage, ...]
    settings: RepairSettings
    adapter: AdapterSettings
    versions: Mapping[str, str]


def finish(
    job: Job,
    suites: Sequence[Suite],
    *,
    sts: str | Path | None,
    paraphrases: str | Path | None,
    workers: int | None,
    progress: Progress,
    access: Access,
    told: Callable[[str], None],
) -> Outcome:
    """Do it, and prove it."""
    sha256, steps = _learn(job, workers, progress, access)
    told("comparing the original with the repaired model")
    trained = job.base is not None
    after = str(job.folder) if trained else f"adapter:{job.folder}"
    outcome = Outcome(
        folder=job.folder,
        method="training" if trained else "adapter",
        base=job.model,
        sha256=sha256,
        settings=(job.settings if trained else job.adapter).to_dict(),
        lessons=job.lessons.kinds() if trained else _kinds_mapped(job),
        watched=_watched(job),
        steps=steps,
        changes=before_after(
            load_encoder(job.model, access),
            load_encoder(after, access),
            suites=suites,
            sts=None if sts is None else expand_user(sts),
            paraphrases=None if paraphrases is None else expand_user(paraphrases),
            unseen=job.unseen,
            cache=cache_folder(),
            workers=workers,
            progress=progress,
            warn=told,
        ),
        leakage=job.leakage,
        versions=job.versions,
    )
    write_atomic(job.folder / "README.md", model_card(outcome))
    write_outcome(outcome)
    return outcome


def _watched(job: Job) -> int:
    """How many lessons told when to stop."""
    if job.base is None:
        from litotes.repair.adapter import divided

        return len(divided(job.lessons, job.adapter)[1])
    return sum(map(len, looked_at(job.lessons.watched)))


def _kinds_mapped(job: Job) -> dict[str, int]:
    """The lessons that an adapter learns from: some of them, and by default no quadruples."""
    from litotes.repair.adapter import divided

    learned, _ = divided(job.lessons, job.adapter)
    return dict(Counter(lesson.kind for lesson in learned).most_common())


def _learn(job: Job, workers: int | None, progress: Progress, access: Access) -> tuple[str, int]:
    """The sha256 of the new weights, and after how many steps they were taken."""
    if job.base is not None:
        from litotes.repair.trainer import learn

        learned = learn(
            job.base,
            job.lessons,
            job.settings,
            job.folder,
            key=job.key,
            depends_on=job.depends_on,
            progress=progress,
            access=access,
        )
        return learned.sha256, learned.steps
    if (done := read_account(job.folder)) is not None and is_finished(job.folder, job.key):
        return str(done["sha256"]), int(done["steps"])
    from litotes.repair.adapter import learn_adapter

    adapter = learn_adapter(
        load_encoder(job.model, access),
        job.lessons,
        settings=job.adapter,
        cache=cache_folder(),
        workers=workers,
        progress=progress,
    )
    adapter.save(job.folder)
    account = {"key": job.key, "depends_on": dict(job.depends_on), "sha256": adapter.sha256, "steps": adapter.steps}
    write_atomic(job.folder / ACCOUNT, to_json(account, indent=2) + "\n")
    return adapter.sha256, adapter.steps
