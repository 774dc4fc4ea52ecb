"""Reader of CoNLL-U: sentences from their `# text` lines, or joined from their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from litotes.corpora.base import ProblemReporter, Record, UniqueIds
from litotes.corpora.lines import Line

_COMMENT = re.compile(r"#\s*(text|sent_id)\s*=\s*(.*\S)")
_WORD_ID = re.compile(r"(\d+)(?:-(\d+))?|\d+\.\d+")
_MAX_WORDS = 10_000


def read_conllu(lines: Iterable[tuple[int, Line]], reporter: ProblemReporter) -> Iterator[Record]:
    """Yield one record per sentence; its id is the `sent_id` if there is one."""
    ids = UniqueIds()
    sentence: _Sentence | None = None
    for number, line in lines:
        if line is not None and not line.strip():
            if sentence is not None:
                yield from _records(sentence, reporter, ids)
            sentence = None
            continue
        if sentence is None:
            sentence = _Sentence(number)
        if line is None:
            sentence.is_invalid = True
        else:
            sentence.add(line.strip("\r\n"), number, reporter)
    if sentence is not None:
        yield from _records(sentence, reporter, ids)


class _Sentence:
    """The lines of a sentence that have been read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.text = ""
        self.sent_id = ""
        self.words: list[str] = []
        self.is_invalid = False
        self._last_token = 0

    def add(self, line: str, number: int, reporter: ProblemReporter) -> None:
        """Add a line."""
        if self.is_invalid:
            return
        if line.startswith("#"):
            if match := _COMMENT.match(line):
                setattr(self, match[1], match[2])
            return
        cells = line.split("\t")
        word_id = _WORD_ID.fullmatch(cells[0])
        if len(cells) != 10 or word_id is None or len(self.words) >= _MAX_WORDS:
            reporter.report(number, "conllu")
            self.is_invalid = True
        elif word_id[1] and int(word_id[1]) > self._last_token:  # neither an empty node nor a part of a token
            self._last_token = int(word_id[2] or word_id[1])
            self.words.append(cells[1] + ("" if "SpaceAfter=No" in cells[9] else " "))


def _records(sentence: _Sentence, reporter: ProblemReporter, ids: UniqueIds) -> Iterator[Record]:
    if sentence.is_invalid or not (sentence.words or sentence.text):  # only comments
        return
    record_id = ids.make(sentence.sent_id, sentence.line)
    yield Record(f"{reporter.name}:{record_id}", sentence.text or "".join(sentence.words).strip())
