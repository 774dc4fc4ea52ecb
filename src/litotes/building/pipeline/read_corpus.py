"""The corpus as a build reads it: counted, filtered by its text, no sentence twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from litotes.building.base import Builder
from litotes.building.pipeline.settings import Plan
from litotes.core.files import to_json
from litotes.core.sqlite import SeenTexts
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import read_corpus

Tell: TypeAlias = Callable[[dict[str, str]], None]
"""What is done with the account of a sentence that was left out."""


class Reading:
    """One pass over the corpus, and what was counted on the way."""

    def __init__(self, plan: Plan, builder: Builder, options: Mapping[str, Any], *, hashed: bool = False) -> None:
        """`hashed` is for streams, which have no sha256 of their own."""
        self._plan = plan
        self._builder = builder
        self._options = options
        self._digest = hashlib.sha256() if hashed else None
        self.records = 0
        self.problems = Problems()
        self.skips: Counter[str] = Counter()

    def fitting(self, *, see: Callable[[str], None], tell: Tell, prefilter: bool = True) -> Iterator[Record]:
        """The records that are worth parsing; `prefilter=False` gives all but what came before."""
        seen = SeenTexts()
        for record in self._units(see):
            code = self._builder.filter(record, self._options)
            if code is None and not seen.add(record.text, record.other or ""):
                code = "duplicate"
            if code is not None:
                self.skips[code] += 1
                tell({"id": record.id, "text": record.text, "code": code, "reason": self._builder.skips[code]})
                if prefilter or code == "duplicate":
                    continue
            yield record

    def described(self) -> dict[str, Any]:
        """As suite.json has it."""
        found: dict[str, Any] = {"records": self.records, "problems": dict(sorted(self.problems.by_kind.items()))}
        return found if self._digest is None else {**found, "sha256": self._digest.hexdigest()}

    def _units(self, see: Callable[[str], None]) -> Iterator[Record]:
        for record in self._read():
            self.records += 1
            see(record.text)
            if record.other is not None:
                see(record.other)
            if self._digest is not None:
                self._digest.update(f"{to_json([record.text, record.other, record.label, record.score])}\n".encode())
            yield from self._builder.units(record, self._options)

    def _read(self) -> Iterator[Record]:
        plan = self._plan
        return read_corpus(
            plan.sources,
            format=plan.format,
            columns=plan.columns,
            split=plan.split,
            strict=plan.strict,
            problems=self.problems,
        )
