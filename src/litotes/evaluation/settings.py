"""Settings of an evaluation."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from litotes.core.settings import EngineSetting, PositiveInt, Seed, Settings
from litotes.corpora.settings import ReadSettings

RESAMPLES = 2_000
SEED = 0


class EvaluationSettings(Settings, frozen=True, kw_only=True):
    """How models are run on suites."""

    workers: Annotated[PositiveInt | None, Meta(description="Number of processor cores to use. Default: all.")] = None
    engine: EngineSetting = None
    fresh: Annotated[bool, Meta(description="Compute everything again, even what is cached.")] = False
    retry: Annotated[bool, Meta(description="Try models of a list again that failed before.")] = False
    keep_going: Annotated[
        bool,
        Meta(description="Record models that fail and continue; skip models that are done.", extra={"option": False}),
    ] = True
    prompt: Annotated[
        tuple[str, ...],
        Meta(
            description="Wording of the questions to chat: and lm: models: the name of a template, a TOML file, or "
            "“all” for every template; repeatable. Several give one run each, and mean and spread."
        ),
    ] = ()
    sts: Annotated[
        tuple[str, ...],
        Meta(
            description="Also measure Spearman's correlation with the human scores of this file: STS-B, SICK, a folder "
            "of SemEval's STS files, or a table of two sentences and a score; repeatable.",
            extra={"metavar": "FILE"},
        ),
    ] = ()
    resamples: Annotated[PositiveInt, Meta(description="Bootstrap resamples for confidence intervals.")] = RESAMPLES
    seed: Seed = SEED


class EncodeSettings(ReadSettings, frozen=True, kw_only=True):
    """How a text is read and how its vectors are divided into files."""

    part_rows: Annotated[PositiveInt, Meta(description="Sentences per file; a worker encodes one file at a time.")] = (
        8192
    )
