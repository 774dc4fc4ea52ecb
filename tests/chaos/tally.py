"""What a campaign counts, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.chaos.sandbox import Outcome

MAX_BYTES = 1 << 30
"""Memory of a command with a bad input, including that of all imported packages."""

_HEAD = (
    "kind",
    "cases",
    "survived",
    "tracebacks",
    "L901",
    "bytes lost",
    "writes outside",
    "peak MB",
    "silence s",
)


@dataclass
class Case:
    """What happened in one case."""

    count: int = 1
    """The number of faults, bad inputs or attacks."""
    bytes_lost: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, *, is_killed: bool = False) -> Outcome:
        """Add the end of a command, with the problems that every command could have."""
        self.outcomes.append(outcome)
        if outcome.tracebacks or outcome.internal_errors:
            self.problems.append("traceback or L901: " + outcome.output[-1500:])
        if outcome.outside:
            self.problems.append(f"writes outside --out: {', '.join(outcome.outside)}")
        if not (is_killed or outcome.is_late) and outcome.code not in (0, 1, 2):
            self.problems.append(f"ended with {outcome.code}: {outcome.output[-300:]}")
        return outcome

    def check_limits(self, max_silence: float) -> None:
        """Add the problems of commands that needed too much memory, or were silent for too long."""
        for outcome in self.outcomes:
            if outcome.peak_bytes > MAX_BYTES:
                self.problems.append(f"needed {outcome.peak_bytes >> 20:,} MB: {outcome.output[-300:]}")
            if outcome.silence > max_silence and not outcome.is_server:
                self.problems.append(f"silent for {outcome.silence:.0f} s: {outcome.output[-300:]}")

    def compare(self, expected: dict[str, bytes], actual: dict[str, bytes]) -> None:
        """Count the bytes of the expected files that are missing or different."""
        for name, content in expected.items():
            if actual.get(name) != content:
                self.bytes_lost += len(content)
                self.problems.append(f"{name} is {'different' if name in actual else 'missing'}")
        if left := sorted(actual.keys() - expected.keys()):
            self.problems.append(f"left behind: {', '.join(left)}")


@dataclass
class Tally:
    """The sums of the cases of one kind."""

    cases: int = 0
    survived: int = 0
    tracebacks: int = 0
    internal_errors: int = 0
    bytes_lost: int = 0
    writes_outside: int = 0
    peak_bytes: int = 0
    silence: float = 0.0

    def add(self, case: Case) -> None:
        """Add a case."""
        self.cases += case.count
        self.survived += 0 if case.problems else case.count
        self.bytes_lost += case.bytes_lost
        for outcome in case.outcomes:
            self.tracebacks += outcome.tracebacks
            self.internal_errors += outcome.internal_errors
            self.writes_outside += len(outcome.outside)
            self.peak_bytes = max(self.peak_bytes, outcome.peak_bytes)
            self.silence = max(self.silence, 0.0 if outcome.is_server else outcome.silence)

    def __add__(self, more: Tally) -> Tally:
        return Tally(
            self.cases + more.cases,
            self.survived + more.survived,
            self.tracebacks + more.tracebacks,
            self.internal_errors + more.internal_errors,
            self.bytes_lost + more.bytes_lost,
            self.writes_outside + more.writes_outside,
            max(self.peak_bytes, more.peak_bytes),
            max(self.silence, more.silence),
        )

    def cells(self, name: str) -> list[str]:
        """Return the line of the table."""
        counts = (self.cases, self.survived, self.tracebacks, self.internal_errors, self.bytes_lost)
        whole = (*counts, self.writes_outside, self.peak_bytes >> 20)
        return [name, *(f"{number:,}" for number in whole), f"{self.silence:.1f}"]


def markdown(rows: Sequence[tuple[str, Tally]]) -> str:
    """Return the table in Markdown, which is readable as text, too."""
    cells = [list(_HEAD), *(tally.cells(name) for name, tally in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    lines = [
        "| " + " | ".join([row[0].ljust(widths[0]), *(map(str.rjust, row[1:], widths[1:]))]) + " |" for row in cells
    ]
    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])
