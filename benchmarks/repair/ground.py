"""What every measurement of repairs stands on: what is reported, what is kept out for it, and the text of lessons."""

from __future__ import annotations

from pathlib import Path

from litotes.audit.corpus import open_corpus
from litotes.core.paths import cache_folder
from litotes.corpora.base import Problems
from litotes.repair.api import LIMIT
from litotes.repair.examples.base import apart, sample, write_text
from litotes.repair.general_quality import ScoredPair, read_scored, reported_sentences
from litotes.repair.holdout import HeldOut, hold_out
from litotes.suites.base import Suite
from litotes.suites.loading import BUILT_IN, FOR_LABELS, load_suite


def ground(
    text: Path, semantoneg: Path, sts: Path, paraphrases: Path | None = None
) -> tuple[list[Suite], list[ScoredPair], HeldOut, Path]:
    """The official file and the built-in suites, the pairs of the STS file, what is kept out, and a file of sentences.

    As `litotes repair` does it, some sentences of the text are left for the proof.
    """
    suites = [load_suite("semantoneg", path=semantoneg)]
    suites += [load_suite(name) for name in BUILT_IN if name not in FOR_LABELS]
    held = hold_out(suites, reported_sentences(sts, paraphrases))
    learned, _ = apart(sample(open_corpus(None, text).records(Problems()), LIMIT, seed=0))
    return suites, read_scored(sts), held, write_text(learned, cache_folder(), text.name)
