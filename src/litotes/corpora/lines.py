"""Lines of UTF-8 text with their numbers, in blocks; a line that cannot be read is reported and comes as None."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES
from litotes.corpora.base import Account
from litotes.corpora.streams import CHUNK, ByteStream

Line = str | None
Block = tuple[int, list[Line]]
"""The number of the first line, and the lines."""

_JUDGED_AFTER = 1_000
"""Lines after which a file that is mostly no UTF-8 is given up."""


class Lines:
    """The lines of a file. Blocks are what has come in, so that a line costs next to nothing and none is waited for."""

    def __init__(self, stream: ByteStream, account: Account) -> None:
        self._stream = stream
        self._account = account
        self._undecodable = 0
        self._judged = False

    def __iter__(self) -> Iterator[tuple[int, Line]]:
        for first, lines in self.blocks():
            yield from enumerate(lines, first)

    def blocks(self) -> Iterator[Block]:
        """Lines in blocks, without their ends."""
        number = 1
        begun: list[bytes] = []  # a line whose end has not come yet
        size = 0
        for piece in self._pieces():
            end = piece.rfind(b"\n") + 1
            if not end:
                size += len(piece)
                # Of a line too long to be a sentence only the length is kept.
                begun = [*begun, piece] if size <= MAX_LINE_BYTES else []
                continue
            first_end = piece.find(b"\n")
            if size + first_end > MAX_LINE_BYTES:
                self._account.report(number, "too-long")
                yield number, [None]
                number += 1
                block = piece[first_end + 1 : end]
            else:
                block = b"".join(begun) + piece[:end]
            begun = [piece[end:]]
            size = len(piece) - end
            for lines in self._decoded(block, number):
                yield number, lines
                number += len(lines)
        if size > MAX_LINE_BYTES:
            self._account.report(number, "too-long")
        elif size:
            for lines in self._decoded(b"".join(begun) + b"\n", number):
                yield number, lines
                number += len(lines)
        self._judge(number - 1)

    def _pieces(self) -> Iterator[bytes]:
        """What the stream gives, with line feeds as the only ends of lines."""
        held = b""
        seen = 0
        while piece := self._stream.read():
            if seen < CHUNK and b"\0" in piece[: CHUNK - seen]:
                raise LitotesError("L202", f"{self._account.name}: is a binary file, text is needed")
            seen += len(piece)
            if held or b"\r" in piece:
                piece = held + piece
                held = b"\r" if piece.endswith(b"\r") else b""  # perhaps half of a CRLF
                piece = piece.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if piece:
                yield piece
        if held:
            yield b"\n"

    def _decoded(self, block: bytes, number: int) -> Iterator[list[Line]]:
        if not block:
            return
        try:
            text = block.decode("utf-8")
        except UnicodeDecodeError:
            yield from self._decoded_singly(block, number)
            return
        if "\0" in text:
            yield from self._decoded_singly(block, number)
            return
        if "\ufeff" in text:  # files with a BOM, put one after the other
            text = text.replace("\ufeff", "")
        lines: list[Line] = list(text.split("\n"))
        lines.pop()  # what follows the last end
        yield lines

    def _decoded_singly(self, block: bytes, number: int) -> Iterator[list[Line]]:
        for place, raw in enumerate(block.removesuffix(b"\n").split(b"\n"), number):
            if b"\0" in raw:
                self._account.report(place, "binary")
                yield [None]
                continue
            try:
                yield [raw.decode("utf-8").replace("\ufeff", "")]
            except UnicodeDecodeError as error:
                self._undecodable += 1
                self._account.report(place, "encoding", f"byte 0x{raw[error.start]:02x}")
                yield [None]
            if place >= _JUDGED_AFTER:
                self._judge(place)

    def _judge(self, read: int) -> None:
        if self._judged:
            return
        self._judged = True
        if 2 * self._undecodable > read:
            raise LitotesError(
                "L207",
                f"{self._account.name}: is not UTF-8 text ({self._undecodable:,} of its first {read:,} lines are not)",
                hint="save it as UTF-8",
            )
