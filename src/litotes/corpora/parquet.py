"""Reader of Parquet files: some columns, a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError, shorten
from litotes.core.files import MAX_LINE_BYTES, is_file
from litotes.corpora.base import ProblemReporter, Record
from litotes.corpora.remote import RemoteFile, require_pyarrow
from litotes.corpora.tables import records_of_table

ENDING = ".parquet"
_MAGIC = b"PAR1"
_BATCH_ROWS = 1_024
_BUFFER_BYTES = 1 << 20
"""Bytes of a column that are read at a time; a row group can be larger than the memory."""


def is_parquet(file: Path | RemoteFile | None) -> bool:
    """Return whether a file is Parquet, by its name or, on this machine, by its first bytes."""
    if file is None:
        return False
    if isinstance(file, RemoteFile):
        return file.path.lower().endswith(ENDING)
    if file.name.lower().endswith(ENDING):
        return True
    if not is_file(file):
        return False
    try:
        with file.open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:  # reported when the file is read
        return False


def read_parquet(
    file: Path | RemoteFile, format: str, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[Record]:
    """Yield the records of a Parquet file; the ids contain the numbers of the rows, from 1."""
    with open_parquet(file, reporter.name) as parquet:
        names = list(parquet.schema_arrow.names)
        yield from records_of_table(
            names, lambda selected: _numbered_rows(parquet, selected, reporter), format, columns, reporter
        )


@contextmanager
def open_parquet(file: Path | RemoteFile, name: str) -> Iterator[Any]:
    """Open a Parquet file as `pyarrow.parquet.ParquetFile`."""
    pyarrow = require_pyarrow()
    from pyarrow import parquet

    try:
        source = file.open_file() if isinstance(file, RemoteFile) else pyarrow.OSFile(str(file), "rb")
    except OSError as error:
        raise LitotesError("L201", f"{name}: cannot be read ({_reason(error)})", hint="check the path") from error
    with closing(source):
        try:
            opened = parquet.ParquetFile(
                source, buffer_size=_BUFFER_BYTES, pre_buffer=False, page_checksum_verification=True
            )
        except (pyarrow.ArrowException, OSError) as error:
            hint = "copy or download it again"
            raise LitotesError("L203", f"{name}: is not a Parquet file ({_reason(error)})", hint=hint) from error
        yield opened


def _numbered_rows(
    parquet: Any, columns: Sequence[str], reporter: ProblemReporter
) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for group in range(parquet.num_row_groups):
        for row in rows_of_group(parquet, group, columns, reporter.name):
            number += 1
            if any(isinstance(value, str) and len(value) > MAX_LINE_BYTES for value in row.values()):
                reporter.report(number, "too-long")
            else:
                yield number, row


def rows_of_group(parquet: Any, group: int, columns: Sequence[str], name: str) -> Iterator[dict[str, Any]]:
    """Yield some columns of the rows of a row group."""
    batches = parquet.iter_batches(_BATCH_ROWS, row_groups=[group], columns=list(columns), use_threads=False)
    while True:
        try:
            batch = next(batches, None)
            rows = [] if batch is None else batch.to_pylist()
        except Exception as error:  # damaged data can raise anything
            message = f"{name}: row group {group + 1} of {parquet.num_row_groups} is damaged ({_reason(error)})"
            raise LitotesError("L203", message, hint="copy or download it again") from error
        if batch is None:
            return
        yield from rows


def _reason(error: BaseException) -> str:
    return shorten(str(error).strip() or type(error).__name__, 200)
