"""Settings for reading a corpus, shared by every job that reads one."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from litotes.core.settings import PositiveInt, Settings


class ReadSettings(Settings, frozen=True, kw_only=True):
    """How the files of a corpus are read."""

    format: Annotated[str | None, Meta(description="Format of the text. Default: detected automatically.")] = None
    columns: Annotated[
        tuple[str, ...],
        Meta(
            description="Text column; twice for a pair of sentences.", extra={"option": "--column", "metavar": "NAME"}
        ),
    ] = ()
    split: Annotated[bool, Meta(description="Split running text into sentences.")] = False


class ParquetSettings(Settings, frozen=True, kw_only=True):
    """How an output NAME.parquet is written."""

    part_rows: Annotated[
        PositiveInt,
        Meta(description="Rows of each file in NAME.parquet; a killed command repeats at most one file."),
    ] = 32_768
