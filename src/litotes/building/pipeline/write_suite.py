"""The suites of a build on disk: items.jsonl and suite.json, with all that they depend on."""

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
from litotes.building.pipeline.select import Choice, Chosen
from litotes.building.pipeline.settings import Plan
from litotes.core.files import atomic_writer, cannot_write, expand_user, is_folder, to_json
from litotes.suites.base import Suite
from litotes.suites.folder import load_folder
from litotes.suites.kinds import suite_kind

_HEROS = {
    "original": "Original",
    "synonym": "Synonym",
    "antonym": "Antonym",
    "random": "Random",
    "typo": "Typo",
    "negation_main": "Negation (Main)",
    "negation_antonym": "Negation (Antonym)",
}
_FILES = {"semantoneg": "SemAntoNeg.json", "heros": "heros.tsv"}
"""Kind of suite → file; the triplets were never published."""

OFFICIAL_FILES = tuple(_FILES.values())


def write_official(folder: Path, seed: int = 0) -> list[Path]:
    """Write the suite of a folder as SemAntoNeg's JSON lines or as HEROS's table, where its kind has such a file."""
    suite = load_folder(folder)
    if suite.kind.name not in _FILES:
        return []
    path = folder / _FILES[suite.kind.name]
    with atomic_writer(path) as write:
        if suite.kind.name == "semantoneg":
            _semantoneg(suite, seed, write)
        else:
            _heros(suite, write)
    return [path]


def _semantoneg(suite: Suite, seed: int, write: Callable[[str], None]) -> None:
    """In the published file the right option is always the third; here its place is drawn anew for each item."""
    for number, item in enumerate(suite.items):
        options = [item.sentences["antonym"], item.sentences["polarity"]]
        # By the item, not by its number: leaving one out does not change the others.
        drawn = hashlib.sha256(f"{seed}\0{item.id}".encode()).digest()
        label = int.from_bytes(drawn[:8], "big") % (len(options) + 1)
        options.insert(label, item.sentences["both"])
        line = {"idx": number, "label": label, "input": item.sentences["input"], "sentences": options}
        write(f"{to_json(line)}\n")


def _heros(suite: Suite, write: Callable[[str], None]) -> None:
    write("\t".join(_HEROS.values()) + "\n")
    for item in suite.items:
        write("\t".join(" ".join(item.sentences[role].split()) for role in _HEROS) + "\n")


META, ITEMS = "suite.json", "items.jsonl"
_SHORT = {"semantoneg": "san", "heros": "her"}


@dataclass(frozen=True)
class Account:
    """What suite.json says beside the items."""

    plan: Plan
    builder: Builder
    options: Mapping[str, Any]
    corpus: Sequence[Mapping[str, Any]]
    naturalness: Any
    read: Mapping[str, Any]
    skips: Mapping[str, int]
    """Of all sets: what was left out before the choice."""
    versions: Mapping[str, str]

    def about(self, set_: str, written: Written, skips: Mapping[str, int]) -> dict[str, Any]:
        """The content of suite.json: the same on every machine, whenever and however it was built."""
        kind = self.builder.sets[set_]
        name = self.plan.name or self.builder.name
        counts = Counter(self.skips) + Counter(skips)
        return {
            "name": f"{name}-{set_}" if set_ and self.plan.name else set_ or name,
            "version": "1",
            "kind": kind,
            "roles": list(suite_kind(kind).roles),
            "source": ", ".join(str(one["name"]) for one in self.corpus),
            "licence": self.plan.licence,
            "items": written.items,
            "groups": written.groups,
            "units": written.units,
            "builder": {
                "name": self.builder.name,
                "options": {name: _portable(value) for name, value in self.options.items()},
                **self.plan.settings(),
                "naturalness": self.naturalness,
            },
            "corpus": list(_licences_once(self.corpus)),
            "read": dict(self.read),
            "skipped": {code: counts[code] for code in self.builder.skips if counts[code]},
            "versions": dict(self.versions),
            "sha256": written.sha256,
        }


@dataclass(frozen=True)
class Written:
    """What was written of one set."""

    folder: Path
    items: int
    units: int
    groups: int
    sha256: str


def write_suites(
    out: Path, account: Account, choice: Choice, skips: Mapping[str, Mapping[str, int]]
) -> dict[str, Written]:
    """Write the suite of each set that has items; of an older suite in its place nothing is left."""
    found = {}
    for set_ in account.builder.sets:
        written = _write(out / set_ if set_ else out, account, set_, choice.of(set_), skips.get(set_, {}))
        if written is not None:
            found[set_] = written
    if found:
        _remove_others(out, [out, *(out / set_ for set_ in account.builder.sets if set_)], found)
    return found


def _write(
    folder: Path, account: Account, set_: str, chosen: Iterator[Chosen], skips: Mapping[str, int]
) -> Written | None:
    first = next(chosen, None)
    if first is None:
        return None
    # Both are complete before either takes its place, the items first: their sha256 stands in the other.
    with atomic_writer(folder / META) as write_about, atomic_writer(folder / ITEMS) as write:
        lines = _Lines(account.builder, set_)
        for line in lines.of(chain([first], chosen)):
            write(line)
        written = Written(folder, lines.items, lines.units, lines.groups, lines.sha256.hexdigest())
        write_about(to_json(account.about(set_, written, skips), indent=2) + "\n")
    return written


@dataclass
class _Lines:
    """The lines of items.jsonl, counted as they are made."""

    builder: Builder
    set_: str
    items: int = 0
    units: int = 0
    alone: int = 0
    named: set[str] = field(default_factory=set)
    sha256: Any = field(default_factory=hashlib.sha256)

    @property
    def groups(self) -> int:
        return len(self.named) + self.alone

    def of(self, chosen: Iterator[Chosen]) -> Iterator[str]:
        prefix = self.set_ or _SHORT.get(self.builder.name, self.builder.name)
        for one in chosen:
            unit = f"{prefix}-{self.units:05d}"
            made = self.builder.items(one.candidate.sentences)
            for place, sentences in enumerate(made, 1):
                line = to_json(
                    {
                        "id": unit if len(made) == 1 else f"{unit}-{place}",
                        "group": one.candidate.group or unit,
                        "sentences": sentences,
                        "tags": {
                            **one.candidate.tags,
                            "source": one.source,
                            "naturalness": f"{one.naturalness:.2f}",
                            **({"unit": unit} if len(made) > 1 else {}),
                        },
                    }
                )
                self.sha256.update(f"{line}\n".encode())
                self.items += 1
                yield f"{line}\n"
            self.units += 1
            if one.candidate.group:
                self.named.add(one.candidate.group)
            else:
                self.alone += 1


def _remove_others(out: Path, places: Sequence[Path], found: Mapping[str, Written]) -> None:
    """What an older build left: sets that have no items now, official files of other items."""
    written = {one.folder for one in found.values()}
    try:
        for place in places:
            names = OFFICIAL_FILES if place in written else (META, ITEMS, *OFFICIAL_FILES)
            for name in names:
                (place / name).unlink(missing_ok=True)
            if place not in written and place != out:
                with suppress(OSError):  # it is not there, or holds something else
                    place.rmdir()
    except OSError as error:
        raise cannot_write(out, error) from error


def _licences_once(corpus: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The files of the corpus; those of a folder share a licence, whose text need not stand there for each."""
    first: dict[str, str] = {}
    for one in corpus:
        text = str(one["licence"])
        name = first.setdefault(text, str(one["name"]))
        yield {**one, "licence": text if not text or name == one["name"] else f"as {name}"}


def _portable(value: Any) -> Any:
    """An option as every machine can have it: of a folder, a model's perhaps, its name."""
    if isinstance(value, str) and value and is_folder(expand_user(value)):
        return expand_user(value).resolve().name
    return value
