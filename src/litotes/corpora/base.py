"""Records of a corpus with unique ids, and reports of the lines that cannot be read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from litotes.core.errors import LitotesError
from litotes.core.files import MAX_LINE_BYTES

PROBLEM_KINDS = {
    "encoding": ("L207", "the line is not UTF-8 text"),
    "too-long": ("L208", f"the line is longer than {MAX_LINE_BYTES:,} bytes"),
    "binary": ("L203", "the line contains a NUL byte"),
    "json": ("L203", "the line is not a JSON object"),
    "columns": ("L203", "the line does not have the expected columns"),
    "quotes": ("L203", "a quotation mark is not closed or in the wrong position"),
    "empty": ("L203", "the text column is empty"),
    "not-text": ("L203", "the text column does not contain a string"),
    "label": ("L203", "the label is unknown"),
    "score": ("L203", "the score is not a number"),
    "conllu": ("L203", "the sentence is not CoNLL-U"),
    "ptb": ("L203", "the brackets of the parse are not balanced"),
}
"""Kinds of unreadable lines with their error code in strict mode and their description."""

_SUMMARY_EXAMPLES = 3


@dataclass(frozen=True)
class Record:
    """A sentence, or a pair of sentences, with its position as id."""

    id: str
    text: str
    second_text: str | None = None
    label: str = ""
    score: float | None = None
    second_id: str = ""
    negation_categories: tuple[str, ...] | None = None
    """The negation categories that a file with columns for them assigns to the pair."""


@dataclass(frozen=True)
class Problem:
    """A line that cannot be read."""

    file: str
    line: int
    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.kind})"


class Problems:
    """Counts of the lines that cannot be read, with the first ones as examples.

    >>> problems = Problems()
    >>> problems.add("talk.txt", 7, "encoding")
    >>> problems.add("talk.txt", 9, "encoding")
    >>> problems.summary()
    '2 lines skipped: 2 encoding; talk.txt:7 (encoding), talk.txt:9 (encoding)'
    """

    def __init__(self, max_examples: int = 20) -> None:
        self.count = 0
        self.by_kind: dict[str, int] = {}
        self.first: list[Problem] = []
        self._max_examples = max_examples

    def add(self, file: str, line: int, kind: str, detail: str = "") -> None:
        """Count a line."""
        self.count += 1
        self.by_kind[kind] = self.by_kind.get(kind, 0) + 1
        if len(self.first) < self._max_examples:
            self.first.append(Problem(file, line, kind, detail))

    def summary(self) -> str:
        """Return one line with the counts per kind and the first positions."""
        if not self.count:
            return "no line skipped"
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.by_kind.items()))
        examples = [str(problem) for problem in self.first[:_SUMMARY_EXAMPLES]]
        if examples and self.count > len(examples):
            examples.append("…")
        lines = "line" if self.count == 1 else "lines"
        return f"{self.count:,} {lines} skipped: {kinds}" + (f"; {', '.join(examples)}" if examples else "")


class ProblemReporter:
    """Adds the unreadable lines of a file to `Problems`, or raises an error for the first line in strict mode."""

    def __init__(self, name: str, problems: Problems, *, strict: bool = False) -> None:
        self.name = name
        self._problems = problems
        self._strict = strict

    def for_part(self, name: str) -> ProblemReporter:
        """Return the reporter of another part of the same corpus."""
        return ProblemReporter(name, self._problems, strict=self._strict)

    def report(self, line: int, kind: str, detail: str = "") -> None:
        """Report a line that cannot be read."""
        if self._strict:
            code, description = PROBLEM_KINDS[kind]
            message = f"{description} ({detail})" if detail else description
            raise LitotesError(
                code, f"{self.name}:{line}: {message}", hint="correct the line, or skip such lines without --strict"
            )
        self._problems.add(self.name, line, kind, detail)


_FILTER_BYTES = 1 << 23
_N_HASHES = 4
_MAX_ID_LENGTH = 200


class UniqueIds:
    """Makes the ids within one file unique; a Bloom filter remembers them.

    >>> ids = UniqueIds()
    >>> ids.make("a", 1), ids.make("", 2), ids.make("a", 3), ids.make("2", 4)
    ('a', '2', 'a@3', '2@4')
    """

    def __init__(self) -> None:
        self._bits = bytearray()

    def make(self, file_id: str, line: int) -> str:
        """Return the id that the file assigns, or else the line number; both if the id is probably not new."""
        is_usable = 0 < len(file_id) <= _MAX_ID_LENGTH and file_id.isprintable()
        name = file_id if is_usable else str(line)
        return name if self._add(name) else f"{name}@{line}"

    def _add(self, key: str) -> bool:
        """Add a key; return whether it is certainly new."""
        if not self._bits:
            self._bits = bytearray(_FILTER_BYTES)
        bits = self._bits
        digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4 * _N_HASHES).digest()
        is_new = False
        for start in range(0, len(digest), 4):
            index = int.from_bytes(digest[start : start + 4], "big") % (8 * _FILTER_BYTES)
            byte, bit = index >> 3, 1 << (index & 7)
            if not bits[byte] & bit:
                is_new = True
                bits[byte] |= bit
        return is_new
