"""Reader of Penn Treebank files: the words of bracketed parses, without traces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from litotes.corpora.base import ProblemReporter, Record
from litotes.corpora.lines import Line

_PART = re.compile(r"[()]|[^\s()]+")
_TRACE = "-NONE-"
"""The tag of empty elements, such as the subject of an infinitive."""
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_ESCAPED = re.compile(r"\\([/*])")
_MAX_WORDS = 10_000


def read_bracketed(lines: Iterable[tuple[int, Line]], reporter: ProblemReporter) -> Iterator[Record]:
    """Yield one record per parse with its words, separated by spaces; its id is the number of its first line.

    A parse ends with its last bracket; one that is incomplete ends where a line starts with another one.
    """
    tree: _Tree | None = None
    for number, line in lines:
        if tree is not None and line is not None and line.startswith("("):
            if not tree.is_invalid:
                reporter.report(tree.line, "ptb")
            tree = None
        for part in _PART.findall(line or ""):
            if tree is None:
                tree = _Tree(number)
            tree.add(part)
            if not tree.is_invalid and tree.is_complete:
                if tree.words:
                    yield Record(f"{reporter.name}:{tree.line}", " ".join(tree.words))
                tree = None
            elif tree.has_new_problem:
                reporter.report(number, "ptb")
        if line is None:  # it has been reported; the rest of its parse is skipped
            tree = tree or _Tree(number)
            tree.is_invalid = True
    if tree is not None and not tree.is_invalid:
        reporter.report(tree.line, "ptb")


class _Tree:
    """The part of a parse that has been read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.words: list[str] = []
        self.is_invalid = False
        self.has_new_problem = False
        self._open: list[list[str]] = []
        """The symbols directly within each open bracket."""

    @property
    def is_complete(self) -> bool:
        return not self._open

    def add(self, part: str) -> None:
        """Add a bracket or a symbol."""
        self.has_new_problem = False
        if self.is_invalid:
            return
        if part == "(":
            self._open.append([])
        elif not self._open or len(self.words) >= _MAX_WORDS:
            self.is_invalid = self.has_new_problem = True
        elif part == ")":
            symbols = self._open.pop()
            if len(symbols) == 2 and symbols[0] != _TRACE:  # a tag and a word
                self.words.append(_BRACKETS.get(symbols[1], _ESCAPED.sub(r"\1", symbols[1])))
        else:
            self._open[-1].append(part)
