"""What a corpus gives: records, and an account of the lines that could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES

KINDS = {
    "encoding": ("L207", "the line is not UTF-8 text"),
    "too-long": ("L208", f"the line is longer than {MAX_LINE_BYTES:,} bytes"),
    "binary": ("L203", "the line has a NUL byte"),
    "json": ("L203", "the line is not a JSON object"),
    "columns": ("L203", "the line has not the columns that it needs"),
    "quotes": ("L203", "a quote is not closed, or stands where none may"),
    "empty": ("L203", "the column of the text is empty"),
    "not-text": ("L203", "the column of the text holds no text"),
    "label": ("L203", "the label is not known"),
    "score": ("L203", "the score is no number"),
    "conllu": ("L203", "the sentence is not CoNLL-U"),
}
"""What can be wrong with a line: the code that it has where reading is strict, and what it means."""

_SHOWN = 3


@dataclass(frozen=True)
class Record:
    """A sentence, or a pair of sentences, and where it stands."""

    id: str
    text: str
    other: str | None = None
    label: str = ""
    score: float | None = None
    other_id: str = ""
    flags: tuple[str, ...] | None = None
    """The categories of negation that the file itself says the pair has; None where it says nothing of them."""


@dataclass(frozen=True)
class Problem:
    """A line that could not be read."""

    file: str
    line: int
    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.kind})"


class Problems:
    """Counts the lines that could not be read and keeps the first of them.

    >>> problems = Problems()
    >>> problems.add("talk.txt", 7, "encoding")
    >>> problems.add("talk.txt", 9, "encoding")
    >>> problems.summary()
    '2 lines left out: 2 encoding; talk.txt:7 (encoding), talk.txt:9 (encoding)'
    """

    def __init__(self, keep: int = 20) -> None:
        self.count = 0
        self.by_kind: dict[str, int] = {}
        self.first: list[Problem] = []
        self._keep = keep

    def add(self, file: str, line: int, kind: str, detail: str = "") -> None:
        """Count one more."""
        self.count += 1
        self.by_kind[kind] = self.by_kind.get(kind, 0) + 1
        if len(self.first) < self._keep:
            self.first.append(Problem(file, line, kind, detail))

    def summary(self) -> str:
        """One line for people: how many, of which kinds, and where the first ones stand."""
        if not self.count:
            return "no line left out"
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.by_kind.items()))
        places = ", ".join(str(problem) for problem in self.first[:_SHOWN])
        more = ", …" if self.count > len(self.first[:_SHOWN]) else ""
        lines = "line" if self.count == 1 else "lines"
        return f"{self.count:,} {lines} left out: {kinds}" + (f"; {places}{more}" if places else "")


class Account:
    """Where the reader of one file reports what it could not read; the first report is an error if it is strict."""

    def __init__(self, name: str, problems: Problems, *, strict: bool = False) -> None:
        self.name = name
        self._problems = problems
        self._strict = strict

    def named(self, name: str) -> Account:
        """The account of another part of the same corpus."""
        return Account(name, self._problems, strict=self._strict)

    def report(self, line: int, kind: str, detail: str = "") -> None:
        """One line could not be read."""
        if self._strict:
            code, meaning = KINDS[kind]
            told = f"{meaning} ({detail})" if detail else meaning
            raise LitotesError(code, f"{self.name}:{line}: {told}", hint="mend the line, or read without --strict")
        self._problems.add(self.name, line, kind, detail)
