"""Small files of every format, small models, and commands that write results from them."""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from litotes.models.adapter import Adapter
from litotes.models.base import Fingerprint
from litotes.review.import_export import export_review
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from tests import example_files
from tests.chaos.sandbox import Outcome, Sandbox
from tests.review.conftest import quadruples, write_suite

JOBS = {
    "run": "run {w}/my-model overlap:words --suite {w}/few-items --suite negation-detection-mini "
    "--no-report --workers 1 --out out/r",
    "sweep": "run --models {w}/models.toml --suite {w}/few-items --no-report --workers 1 --out out/r",
    "build": "build semantoneg --from builtin --limit 30 --out out/suite --skipped out/skipped.jsonl",
    "build heros": "build heros --from {w}/plain.txt --out out/suite --official",
    "build triplets": "build triplets --from {w}/wsj --from {w}/plain.txt --out out/suite",
    "audit": "audit {w}/my-model --from {w}/plain.txt --workers 1 --out out/a",
    "repair": "repair {w}/my-model --from {w}/plain.txt --steps 4 --check-every 2 --batch-size 4 "
    "--suite {w}/few-items --workers 1 --out out/m",
    "repair adapter": "repair {w}/my-model --method adapter --from {w}/plain.txt "
    "--suite {w}/few-items --workers 1 --out out/m",
    "classify": "classify --from {w}/snli.jsonl --out out/c.jsonl",
    "rewrite": "rewrite negation --from {w}/english.txt --out out/e.txt",
    "report": "report {w}/runs --out out/r.html --out out/r.md --out out/r.csv --out out/r.json",
    "train": "train nli --base {w}/my-model --data {w}/train.jsonl --preset smoke --epochs 2 --examples 32 --out out/m",
}
"""Commands that write results into `out`; `{w}` is the folder of the files."""

QUICK_JOBS = ("run", "classify", "rewrite", "report")

MODELS = """
title = "Small models"

[[models]]
name = "overlap:words"
group = "words"

[[models]]
name = "{files}/my-model"
group = "transformers"

[[models]]
name = "glove:{files}/glove.840B.300d.txt"
"""
_TIMES = re.compile(rb'"(times|seconds|time|started)": ?(\{[^{}]*\}|"[^"]*"|[0-9.e-]+)')
"""What two equal runs record differently."""


@dataclass(frozen=True)
class Undisturbed:
    """What a job writes if nothing happens to it."""

    files: dict[str, bytes]
    outcome: Outcome


class World:
    """A folder with the files, and sandboxes for commands."""

    def __init__(self, folder: Path, jobs: Sequence[str] = tuple(JOBS)) -> None:
        self.folder = folder
        self.jobs = jobs
        self.files = folder / "files"
        self._undisturbed: dict[str, Undisturbed] = {}
        self._n_sandboxes = 0

    def make_files(self) -> None:
        """Write the files and train the classic models."""
        self.files.mkdir(parents=True)
        example_files.make_all(self.files, self.files / "hub")
        builtin = files("litotes.corpora") / "builtin"
        lines = [line for name in ("opposites.txt", "talk.txt") for line in (builtin / name).read_text().splitlines()]
        (self.files / "plain.txt").write_text("\n".join(lines[:60] + lines[-40:]) + "\n")
        (self.files / "plain.txt.bz2").write_bytes(bz2.compress((self.files / "plain.txt").read_bytes()))
        (self.files / "models.toml").write_text(MODELS.format(files=self.files))
        (self.files / "settings.toml").write_text('seed = 3\nout = "out/c"\n')
        example_files.train_classics(self.files, self._train)
        self._review()
        self._adapt()

    def _review(self) -> None:
        """Write a suite with verdicts, and the verdicts in both formats."""
        suite = write_suite(self.files / "reviewed", quadruples(8))
        with open_review(suite) as review:
            review.store.add_all([Verdict("u1", "Ana", "accept"), Verdict("u2", "Ben", "reject", reason="other")])
            export_review(review, self.files / "verdicts.jsonl")
            export_review(review, self.files / "tasks.json", "label-studio")

    def _adapt(self) -> None:
        """Write word vectors as arrays, and an adapter over others of eight numbers."""
        up = np.eye(8, dtype=np.float32)
        np.savez(self.files / "vectors.npz", words=np.array(["soup", "hot", "not"]), vectors=np.ones((3, 4), "f4"))
        base = f"glove:{self.files}/glove.840B.300d.txt"
        Adapter("linear", {"up": up}, base, Fingerprint("numpy").to_dict(), {}, {}).save(self.files / "adapter")

    def _train(self, line: str) -> int:
        """Run a command in the folder of the files."""
        box = Sandbox(self.folder / "training", self.folder / "cache", working_folder=self.files)
        outcome = box.run(*line.split())
        box.close()
        return outcome.code

    @contextmanager
    def sandbox(self) -> Iterator[Sandbox]:
        """Return an empty sandbox, which is deleted at the end."""
        self._n_sandboxes += 1
        box = Sandbox(self.folder / f"box-{self._n_sandboxes}", self.folder / "cache")
        try:
            yield box
        finally:
            box.close()

    def command(self, job: str) -> list[str]:
        """Return the arguments of a job."""
        return JOBS[job].format(w=self.files).split()

    def undisturbed(self, job: str) -> Undisturbed:
        """Return what a job writes if nothing happens to it."""
        if job not in self._undisturbed:
            with self.sandbox() as box:
                outcome = box.run(*self.command(job))
                assert outcome.code == 0, outcome.output
                self._undisturbed[job] = Undisturbed(stored_files(box.out), outcome)
        return self._undisturbed[job]


def stored_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of the files below a folder without recorded times."""
    return {
        str(path.relative_to(folder)): _TIMES.sub(b"", path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
