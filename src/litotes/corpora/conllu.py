"""CoNLL-U: sentences from their “# text” line, or put together from their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from litotes.corpora.base import Account, Record
from litotes.corpora.id_deduplication import Seen
from litotes.corpora.lines import Line

_COMMENT = re.compile(r"#\s*(text|sent_id)\s*=\s*(.*\S)")
_WORD_ID = re.compile(r"(\d+)(?:-(\d+))?|\d+\.\d+")
_MOST_WORDS = 10_000


def read_conllu(lines: Iterable[tuple[int, Line]], account: Account) -> Iterator[Record]:
    """A record a sentence; its id is the sentence's own where it has one."""
    seen = Seen()
    sentence: _Sentence | None = None
    for number, line in lines:
        if line is not None and not line.strip():
            if sentence is not None:
                yield from _record(sentence, account, seen)
            sentence = None
            continue
        if sentence is None:
            sentence = _Sentence(number)
        if line is None:
            sentence.is_reported = True
        else:
            sentence.take(line.strip("\r\n"), number, account)
    if sentence is not None:
        yield from _record(sentence, account, seen)


class _Sentence:
    """What is known of the sentence so far."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.text = ""
        self.own = ""
        self.words: list[str] = []
        self.is_reported = False
        self._covered = 0

    def take(self, line: str, number: int, account: Account) -> None:
        """One more line of the sentence."""
        if self.is_reported:
            return
        if line.startswith("#"):
            if found := _COMMENT.match(line):
                setattr(self, "text" if found[1] == "text" else "own", found[2])
            return
        cells = line.split("\t")
        word_id = _WORD_ID.fullmatch(cells[0])
        if len(cells) != 10 or word_id is None or len(self.words) >= _MOST_WORDS:
            account.report(number, "conllu")
            self.is_reported = True
        elif word_id[1] and int(word_id[1]) > self._covered:  # not an empty node, not a part of a word
            self._covered = int(word_id[2] or word_id[1])
            self.words.append(cells[1] + ("" if "SpaceAfter=No" in cells[9] else " "))


def _record(sentence: _Sentence, account: Account, seen: Seen) -> Iterator[Record]:
    if sentence.is_reported or not (sentence.words or sentence.text):
        return  # comments alone are no sentence
    place = seen.place(sentence.own, sentence.number)
    yield Record(f"{account.name}:{place}", sentence.text or "".join(sentence.words).strip())
