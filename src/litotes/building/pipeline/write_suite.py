"""The suites of a build on disk: items.jsonl, suite.json and the official file formats."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from litotes.building.base import Builder
from litotes.building.pipeline.select import SelectedCandidate, Selection
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import atomic_writer, expand_user, is_folder, to_json, writing_to
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder
from litotes.suites.kinds import suite_kind

META, ITEMS = "suite.json", "items.jsonl"
_ID_PREFIXES = {"semantoneg": "san", "heros": "her"}

_HEROS_COLUMNS = {
    "original": "Original",
    "synonym": "Synonym",
    "antonym": "Antonym",
    "random": "Random",
    "typo": "Typo",
    "negation_main": "Negation (Main)",
    "negation_antonym": "Negation (Antonym)",
}
_OFFICIAL_FILES = {"semantoneg": "SemAntoNeg.json", "heros": "heros.tsv"}
"""Suite kind → file name; the triplets were never published."""


def write_official(folder: Path, seed: int = 0) -> list[Path]:
    """Write the suite of a folder in the file format of its paper, if the paper has one, and return the paths."""
    suite = load_folder(folder)
    if suite.kind.name not in _OFFICIAL_FILES:
        return []
    path = folder / _OFFICIAL_FILES[suite.kind.name]
    with atomic_writer(path) as write:
        if suite.kind.name == "semantoneg":
            _write_semantoneg(suite, seed, write)
        else:
            _write_heros(suite, write)
    return [path]


def _write_semantoneg(suite: Suite, seed: int, write: Callable[[str], None]) -> None:
    """Write JSON lines with the right option at a random position; in the published file it is always the third."""
    for number, item in enumerate(suite.items):
        options = [item.sentences["antonym"], item.sentences["polarity"]]
        # Drawn from the item's id, so that removing an item does not change the others.
        digest = hashlib.sha256(f"{seed}\0{item.id}".encode()).digest()
        label = int.from_bytes(digest[:8], "big") % (len(options) + 1)
        options.insert(label, item.sentences["both"])
        line = {"idx": number, "label": label, "input": item.sentences["input"], "sentences": options}
        write(f"{to_json(line)}\n")


def _write_heros(suite: Suite, write: Callable[[str], None]) -> None:
    write("\t".join(_HEROS_COLUMNS.values()) + "\n")
    for item in suite.items:
        write("\t".join(" ".join(item.sentences[role].split()) for role in _HEROS_COLUMNS) + "\n")


@dataclass(frozen=True)
class SuiteMetadata:
    """The content of suite.json that does not depend on the items."""

    settings: BuildSettings
    builder: Builder
    options: Mapping[str, Any]
    corpus: Sequence[Mapping[str, Any]]
    naturalness: Any
    read: Mapping[str, Any]
    skips: Mapping[str, int]
    """Skips before the selection, in all sets."""
    versions: Mapping[str, str]

    def describe(self, set_: str, written: WrittenSuite, skips: Mapping[str, int]) -> dict[str, Any]:
        """Return the content of suite.json: the same on every machine, however the suite was built."""
        kind = self.builder.sets[set_]
        name = self.settings.name or self.builder.name
        counts = Counter(self.skips) + Counter(skips)
        return {
            "name": f"{name}-{set_}" if set_ and self.settings.name else set_ or name,
            "version": "1",
            "kind": kind,
            "roles": list(suite_kind(kind).roles),
            "source": ", ".join(str(source["name"]) for source in self.corpus),
            "licence": self.settings.licence,
            "items": written.items,
            "groups": written.groups,
            "units": written.units,
            "builder": {
                "name": self.builder.name,
                "options": {name: _portable(value) for name, value in self.options.items()},
                **self.settings.recorded(),
                "naturalness": self.naturalness,
            },
            "corpus": list(_shorten_licences(self.corpus)),
            "read": dict(self.read),
            "skipped": {code: counts[code] for code in self.builder.skips if counts[code]},
            "versions": dict(self.versions),
            "sha256": written.sha256,
        }


@dataclass(frozen=True)
class WrittenSuite:
    """Location and counts of a written suite."""

    folder: Path
    items: int
    units: int
    groups: int
    sha256: str


def write_suites(
    out: Path, metadata: SuiteMetadata, selection: Selection, skips: Mapping[str, Mapping[str, int]]
) -> dict[str, WrittenSuite]:
    """Write a suite for each set that has items, and delete what an older build left in the folder."""
    suites = {}
    for set_ in metadata.builder.sets:
        suite = _write(out / set_ if set_ else out, metadata, set_, selection.selected(set_), skips.get(set_, {}))
        if suite is not None:
            suites[set_] = suite
    if suites:
        folders = [out, *(out / set_ for set_ in metadata.builder.sets if set_)]
        _remove_outdated(out, folders, {suite.folder for suite in suites.values()})
    return suites


def _write(
    folder: Path, metadata: SuiteMetadata, set_: str, candidates: Iterator[SelectedCandidate], skips: Mapping[str, int]
) -> WrittenSuite | None:
    first = next(candidates, None)
    if first is None:
        return None
    # The items replace the old file first, as suite.json contains their sha256.
    with atomic_writer(folder / META) as write_metadata, atomic_writer(folder / ITEMS) as write_line:
        writer = _ItemWriter(metadata.builder, set_)
        for line in writer.lines(chain([first], candidates)):
            write_line(line)
        suite = WrittenSuite(folder, writer.items, writer.units, writer.groups, writer.sha256.hexdigest())
        write_metadata(to_json(metadata.describe(set_, suite, skips), indent=2) + "\n")
    return suite


@dataclass
class _ItemWriter:
    """Makes the lines of items.jsonl and counts them."""

    builder: Builder
    set_: str
    items: int = 0
    units: int = 0
    ungrouped: int = 0
    group_names: set[str] = field(default_factory=set)
    sha256: Any = field(default_factory=hashlib.sha256)

    @property
    def groups(self) -> int:
        return len(self.group_names) + self.ungrouped

    def lines(self, candidates: Iterator[SelectedCandidate]) -> Iterator[str]:
        prefix = self.set_ or _ID_PREFIXES.get(self.builder.name, self.builder.name)
        for source, candidate, naturalness in candidates:
            unit = f"{prefix}-{self.units:05d}"
            items = self.builder.items(candidate.sentences)
            for number, sentences in enumerate(items, 1):
                line = to_json(
                    {
                        "id": unit if len(items) == 1 else f"{unit}-{number}",
                        "group": candidate.group or unit,
                        "sentences": sentences,
                        "tags": {
                            **candidate.tags,
                            "source": source,
                            "naturalness": f"{naturalness:.2f}",
                            **({"unit": unit} if len(items) > 1 else {}),
                        },
                    }
                )
                self.sha256.update(f"{line}\n".encode())
                self.items += 1
                yield f"{line}\n"
            self.units += 1
            if candidate.group:
                self.group_names.add(candidate.group)
            else:
                self.ungrouped += 1


def _remove_outdated(out: Path, folders: Sequence[Path], written: set[Path]) -> None:
    """Remove suites of an older build that have no items now, and official files of older items."""
    official = _OFFICIAL_FILES.values()
    with writing_to(out):
        for folder in folders:
            for name in official if folder in written else (META, ITEMS, *official):
                (folder / name).unlink(missing_ok=True)
            if folder not in written and folder != out:
                with suppress(OSError):  # it does not exist or is not empty
                    folder.rmdir()


def _shorten_licences(corpus: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the files of the corpus; repeated licence texts become references to the first file that has them."""
    first: dict[str, str] = {}
    for source in corpus:
        text = str(source["licence"])
        name = first.setdefault(text, str(source["name"]))
        yield {**source, "licence": text if not text or name == source["name"] else f"as {name}"}


def _portable(value: Any) -> Any:
    """Return the value of an option, with the path of a local folder reduced to its name."""
    if isinstance(value, str) and value and is_folder(expand_user(value)):
        return expand_user(value).resolve().name
    return value
