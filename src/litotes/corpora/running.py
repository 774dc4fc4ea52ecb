"""Running text: paragraphs as they come, split into sentences, each with the line on which it begins."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator

from litotes.corpora.base import Account, Record
from litotes.corpora.lines import Line
from litotes.corpora.sentences import split_sentences

_MOST = 1 << 16
"""Characters of a paragraph that are held; of a longer one the sentences so far are given out."""


def read_running(lines: Iterable[tuple[int, Line]], account: Account) -> Iterator[Record]:
    """A record a sentence; a blank line, and a line that could not be read, ends a paragraph."""
    paragraph = _Paragraph(account)
    for number, line in lines:
        text = line.strip() if line else ""
        if not text:
            yield from paragraph.end()
            continue
        paragraph.add(number, text)
        if paragraph.size > _MOST:
            yield from paragraph.so_far()
    yield from paragraph.end()


class _Paragraph:
    """The lines of a paragraph whose sentences have not been given out."""

    def __init__(self, account: Account) -> None:
        self.size = 0
        self._account = account
        self._lines: list[tuple[int, str]] = []
        self._last = 0
        self._nth = 0

    def add(self, number: int, text: str) -> None:
        """One more line."""
        self._lines.append((number, text))
        self.size += len(text) + 1

    def end(self) -> Iterator[Record]:
        """All that is left."""
        for number, _, sentence in self._sentences():
            yield self._record(number, sentence)
        self._lines, self.size = [], 0

    def so_far(self) -> Iterator[Record]:
        """All but the last sentence, which may go on."""
        sentences = list(self._sentences())
        for number, _, sentence in sentences[:-1]:
            yield self._record(number, sentence)
        number, _, sentence = sentences[-1]
        self._lines, self.size = [(number, sentence)], len(sentence)
        if self.size > _MOST:
            self._account.report(number, "too-long", "no sentence ends in it")
            self._lines, self.size = [], 0

    def _sentences(self) -> Iterator[tuple[int, int, str]]:
        starts: list[int] = []
        at = 0
        for _, text in self._lines:
            starts.append(at)
            at += len(text) + 1
        for place, sentence in split_sentences(" ".join(text for _, text in self._lines)):
            yield self._lines[bisect.bisect_right(starts, place) - 1][0], place, sentence

    def _record(self, number: int, sentence: str) -> Record:
        # The first sentence that begins on a line has the line's number alone.
        self._nth = self._nth + 1 if number == self._last else 1
        self._last = number
        return Record(f"{self._account.name}:{number}" + (f".{self._nth}" if self._nth > 1 else ""), sentence)
