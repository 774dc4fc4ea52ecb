"""Numbered lines of UTF-8 text, decoded in blocks."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES
from litotes.corpora.base import ProblemReporter
from litotes.corpora.streams import CHUNK_BYTES, ByteStream

Line = str | None
"""A line without its end, or None if it cannot be read."""
Block = tuple[int, list[Line]]
"""The number of the first line, and the lines."""

_ENCODING_SAMPLE = 1_000
"""The number of lines after which a file with mostly undecodable lines is refused."""


class NumberedLines:
    """The lines of a stream; unreadable ones are reported.

    The lines that arrive together form a block, which is fast and does not wait for more input.
    """

    def __init__(self, stream: ByteStream, reporter: ProblemReporter) -> None:
        self._stream = stream
        self._reporter = reporter
        self._n_undecodable = 0
        self._is_encoding_checked = False

    def __iter__(self) -> Iterator[tuple[int, Line]]:
        for first, lines in self.blocks():
            yield from enumerate(lines, first)

    def blocks(self) -> Iterator[Block]:
        """Yield the lines in blocks."""
        number = 1
        incomplete: list[bytes] = []  # the beginning of a line whose end has not arrived
        size = 0
        for chunk in self._chunks():
            end = chunk.rfind(b"\n") + 1
            if not end:
                size += len(chunk)
                incomplete = [*incomplete, chunk] if size <= MAX_LINE_BYTES else []  # only the length matters then
                continue
            first_end = chunk.find(b"\n")
            if size + first_end > MAX_LINE_BYTES:
                self._reporter.report(number, "too-long")
                yield number, [None]
                number += 1
                block = chunk[first_end + 1 : end]
            else:
                block = b"".join(incomplete) + chunk[:end]
            incomplete = [chunk[end:]]
            size = len(chunk) - end
            for lines in self._decode(block, number):
                yield number, lines
                number += len(lines)
        if size > MAX_LINE_BYTES:
            self._reporter.report(number, "too-long")
        elif size:
            for lines in self._decode(b"".join(incomplete) + b"\n", number):
                yield number, lines
                number += len(lines)
        self._check_encoding(number - 1)

    def _chunks(self) -> Iterator[bytes]:
        """Yield the stream with all line ends replaced by line feeds."""
        carriage_return = b""
        n_read = 0
        while chunk := self._stream.read():
            if n_read < CHUNK_BYTES and b"\0" in chunk[: CHUNK_BYTES - n_read]:
                raise LitotesError("L202", f"{self._reporter.name}: is a binary file; a text file is needed")
            n_read += len(chunk)
            if carriage_return or b"\r" in chunk:
                chunk = carriage_return + chunk
                carriage_return = b"\r" if chunk.endswith(b"\r") else b""  # possibly the first half of CRLF
                chunk = chunk.removesuffix(carriage_return).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if chunk:
                yield chunk
        if carriage_return:
            yield b"\n"

    def _decode(self, block: bytes, number: int) -> Iterator[list[Line]]:
        if not block:
            return
        try:
            text = block.decode("utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            yield from self._decode_lines(block, number)
            return
        if "\ufeff" in text:  # concatenated files with byte order marks
            text = text.replace("\ufeff", "")
        lines: list[Line] = list(text.split("\n"))
        lines.pop()  # the empty string after the last line feed
        yield lines

    def _decode_lines(self, block: bytes, first: int) -> Iterator[list[Line]]:
        for number, raw in enumerate(block.removesuffix(b"\n").split(b"\n"), first):
            if b"\0" in raw:
                self._reporter.report(number, "binary")
                yield [None]
                continue
            try:
                yield [raw.decode("utf-8").replace("\ufeff", "")]
            except UnicodeDecodeError as error:
                self._n_undecodable += 1
                self._reporter.report(number, "encoding", f"byte 0x{raw[error.start]:02x}")
                yield [None]
            if number >= _ENCODING_SAMPLE:
                self._check_encoding(number)

    def _check_encoding(self, n_lines: int) -> None:
        if self._is_encoding_checked:
            return
        self._is_encoding_checked = True
        if 2 * self._n_undecodable > n_lines:
            raise LitotesError(
                "L207",
                f"{self._reporter.name}: is not UTF-8 text"
                f" ({self._n_undecodable:,} of its first {n_lines:,} lines are not)",
                hint="save it as UTF-8",
            )
