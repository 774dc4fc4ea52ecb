"""The corpus of a build: counted, filtered by its text, and without repeated sentences."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from litotes.building.base import Builder
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import to_json
from litotes.core.sqlite import SeenTexts
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import read_corpus

OnSkipped: TypeAlias = Callable[[dict[str, str]], None]
"""Called with id, text, code and reason of each sentence that is left out."""


class CorpusReader:
    """One pass over the corpus of a build, with counts of what was read and left out."""

    def __init__(
        self,
        sources: Sequence[str],
        settings: BuildSettings,
        builder: Builder,
        options: Mapping[str, Any],
        *,
        hashed: bool = False,
    ) -> None:
        """Prepare to read; `hashed` computes a sha256 on the way, for streams that have none."""
        self._sources = sources
        self._settings = settings
        self._builder = builder
        self._options = options
        self._digest = hashlib.sha256() if hashed else None
        self.records = 0
        self.problems = Problems()
        self.skips: Counter[str] = Counter()

    def suitable_records(self, *, on_text: Callable[[str], None], on_skipped: OnSkipped) -> Iterator[Record]:
        """Yield the records to parse; without the prefilter all but repeated ones."""
        seen = SeenTexts()
        for record in self._units(on_text):
            code = self._builder.filter(record, self._options)
            if code is None and not seen.add(record.text, record.second_text or ""):
                code = "duplicate"
            if code is not None:
                self.skips[code] += 1
                on_skipped({"id": record.id, "text": record.text, "code": code, "reason": self._builder.skips[code]})
                if self._settings.prefilter or code == "duplicate":
                    continue
            yield record

    def describe(self) -> dict[str, Any]:
        """Return what suite.json records about the pass."""
        counts: dict[str, Any] = {"records": self.records, "problems": dict(sorted(self.problems.by_kind.items()))}
        return counts if self._digest is None else {**counts, "sha256": self._digest.hexdigest()}

    def _units(self, on_text: Callable[[str], None]) -> Iterator[Record]:
        settings = self._settings
        for record in read_corpus(
            self._sources,
            format=settings.format,
            columns=settings.columns,
            split=settings.split,
            strict=settings.strict,
            problems=self.problems,
        ):
            self.records += 1
            on_text(record.text)
            if record.second_text is not None:
                on_text(record.second_text)
            if self._digest is not None:
                self._digest.update(
                    f"{to_json([record.text, record.second_text, record.label, record.score])}\n".encode()
                )
            yield from self._builder.units(record, self._options)
