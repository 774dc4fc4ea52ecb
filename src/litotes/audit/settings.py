"""The settings of an audit."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from litotes.core.settings import Fraction, PositiveInt, Seed
from litotes.corpora.settings import ReadSettings

Similarity = Annotated[float, Meta(ge=-1, le=1, extra={"metavar": "NUMBER"})]
SearchMethod: TypeAlias = Literal["exact", "approximate"]


class AuditSettings(ReadSettings, frozen=True, kw_only=True):
    """How the text is read and what is measured."""

    threshold: Annotated[Similarity | None, Meta(description="Report the errors at this similarity threshold.")] = None
    budget: Annotated[
        Fraction,
        Meta(description="Share of opposites that may pass as duplicates.", extra={"metavar": "SHARE"}),
    ] = 0.05
    max_lost: Annotated[
        Fraction, Meta(description="Share of paraphrases that may be lost.", extra={"metavar": "SHARE"})
    ] = 0.1
    limit: Annotated[
        PositiveInt | None,
        Meta(description="Maximum number of sentences to rewrite.", extra={"zero": "no limit"}),
    ] = 100_000
    queries: Annotated[PositiveInt, Meta(description="Maximum number of search queries.")] = 5_000
    mining: Annotated[bool, Meta(description="Search the text for sentences that contradict each other.")] = True
    mining_threshold: Annotated[
        float,
        Meta(gt=0, le=1, description="Minimum similarity of mined pairs.", extra={"metavar": "NUMBER"}),
    ] = 0.7
    neighbours: Annotated[PositiveInt, Meta(description="Number of nearest neighbours per sentence for mining.")] = 48
    max_pairs: Annotated[
        PositiveInt | None, Meta(description="Maximum number of mined pairs to store.", extra={"zero": "no limit"})
    ] = 10_000
    method: Annotated[
        SearchMethod | None,
        Meta(description="Neighbour search: exact or approximate. Default: exact up to 150,000 sentences."),
    ] = None
    seed: Seed = 0
