"""The evaluation data, the holdout and the training text that the benchmarks of repairs share."""

from __future__ import annotations

from pathlib import Path

from litotes.audit.corpus import open_corpus
from litotes.core.paths import cache_folder
from litotes.corpora.base import Problems
from litotes.repair.examples.base import sample_sentences, split_test, write_text
from litotes.repair.general_quality import ScoredPair, evaluation_sentences, read_scored_pairs
from litotes.repair.holdout import Holdout, build_holdout
from litotes.repair.settings import RepairSettings
from litotes.suites.base import Suite
from litotes.suites.loading import BUILT_IN, LABEL_SUITES, load_suite


def load_evaluation_data(
    text: Path, semantoneg: Path, sts: Path, paraphrases: Path | None = None
) -> tuple[list[Suite], list[ScoredPair], Holdout, Path]:
    """Return the suites (the official file first), the STS pairs, the holdout, and a file of training sentences.

    As in `litotes repair`, a part of the text is held out for the evaluation.
    """
    suites = [load_suite("semantoneg", path=semantoneg)]
    suites += [load_suite(name) for name in BUILT_IN if name not in LABEL_SUITES]
    holdout = build_holdout(suites, evaluation_sentences(sts, paraphrases))
    records = open_corpus(None, text).records(Problems())
    sentences, _ = split_test(sample_sentences(records, RepairSettings().limit, seed=0))
    return suites, read_scored_pairs(sts), holdout, write_text(sentences, cache_folder(), text.name)
