"""How the built-in suites are made: built from the built-in corpus, judged by people, written.

python tools/built_in_suites.py [NAME…] [--todo DIR] [--verdicts FILE…]

What people said of every candidate is kept beside each suite (review.jsonl), with the sentences, so that the suites
can be made again after a rule has changed: a candidate that was judged keeps its verdict, a new one is left out until
it is judged. `--todo` writes candidates that nobody has judged, `--verdicts` takes in files of verdicts (JSON lines
with sentences, annotator, verdict, reason, edited).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.building.pipeline.engine import build
from litotes.building.pipeline.settings import Plan
from litotes.core.files import read_json, to_json
from litotes.languages.en.parser import parse
from litotes.review.adjudication import write_reviewed_suite
from litotes.review.import_export import import_review
from litotes.review.session import open_review
from litotes.review.units import Unit, group_units
from litotes.suites.base import Item, Suite
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.semantoneg import differing_words

BUILT_IN = Path(__file__).resolve().parent.parent / "src" / "litotes" / "suites" / "builtin"
CORPUS = BUILT_IN.parent.parent / "corpora" / "builtin"
SOURCE, LICENCE, VERSION = "written for Litotes", "Apache-2.0", "2"
_WORDS = {"pos": "all", "negation": "any", "pairs": "apart", "frames": "all"}
PLANS: dict[str, list[Plan]] = {
    "semantoneg-mini": [
        Plan("semantoneg", ("builtin",), _WORDS),
        Plan("semantoneg", ("builtin",), {**_WORDS, "pos": "verb"}),
        Plan("semantoneg", ("builtin",), {**_WORDS, "pos": "adverb"}),
    ],
    # From what people say to each other, as HEROS was made from comments.
    "heros-mini": [
        Plan(
            "heros", tuple(str(CORPUS / name) for name in ("opposites.txt", "reactions.txt", "reviews.txt", "talk.txt"))
        )
    ],
    "triplets-mini": [Plan("triplets", ("builtin",))],
}
_POS = {"ADJ": "adjective", "VERB": "verb", "ADV": "adverb", "NOUN": "noun", "AUX": "verb"}

Verdicts = dict[frozenset[tuple[str, str]], list[dict[str, Any]]]
"""The sentences of a unit under their roles → what was said of it."""


def candidates(name: str, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """The suites that are built, by the names that they will have: one or several builds each."""
    built: dict[str, list[Path]] = {}
    for number, plan in enumerate(PLANS[name]):
        found = build(plan, folder / f"{name}-{number}", workers=2)
        for set_, path in found.folders.items():
            built.setdefault(f"{set_}-mini" if set_ else name, []).append(path)
    yield from built.items()


def units(paths: list[Path]) -> list[Unit]:
    """The units of several builds of one kind, none twice."""
    found: dict[frozenset[str], Unit] = {}
    for path in paths:
        for unit in group_units(load_folder(path).items).values():
            found.setdefault(frozenset(unit.sentences.values()), unit)
    return list(found.values())


def numbered(name: str, judged: list[Unit]) -> list[Item]:
    """The items of some units, numbered anew."""
    items: list[Item] = []
    for number, unit in enumerate(judged):
        named = f"{_short(name)}-{number:04d}"
        for place, item in enumerate(unit.items, 1):
            alone = len(unit.items) == 1
            tags = {tag: value for tag, value in item.tags.items() if tag not in {"unit", "naturalness"}}
            tags |= {} if alone else {"unit": named}
            items.append(replace(item, id=named if alone else f"{named}-{place}", tags=tags))
    return items


def _short(name: str) -> str:
    return {"semantoneg-mini": "san", "heros-mini": "her"}.get(name, "".join(word[0] for word in name.split("-")[:-1]))


def known_verdicts(name: str, extra: list[Path]) -> Verdicts:
    """Those that are kept beside the suite, and those of other files."""
    found: Verdicts = {}
    for path in [BUILT_IN / name / "review.jsonl", *extra]:
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                verdict = json.loads(line)
                if "sentences" in verdict:
                    found.setdefault(_key(verdict["sentences"]), []).append(verdict)
    return found


def _key(sentences: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset(sentences.items())


def judge(name: str, paths: list[Path], verdicts: Verdicts, folder: Path) -> list[Unit]:
    """A suite of the units that were judged, with its review; gives those that nobody has judged."""
    everything = units(paths)
    judged = [unit for unit in everything if _key(unit.sentences) in verdicts]
    if judged:
        suite = Suite(name, load_folder(paths[0]).kind, numbered(name, judged), "", VERSION, SOURCE, LICENCE)
        save_folder(suite, folder, builder=read_json(paths[0] / "suite.json")["builder"], corpus="builtin")
        lines = []
        for unit in group_units(suite.items).values():
            said = {one["annotator"]: one for one in verdicts[_key(unit.sentences)]}
            lines += [to_json({**one, "unit": unit.key, "sentences": dict(unit.sentences)}) for one in said.values()]
        path = folder / "verdicts.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        with open_review(folder) as review:
            import_review(review, path)
    print(f"{name}: {len(judged):,} of {len(everything):,} candidates were judged")
    return [unit for unit in everything if _key(unit.sentences) not in verdicts]


def write(folder: Path) -> None:
    """The suite of the units that nobody rejected; the tags of edited ones follow their new words."""
    out = BUILT_IN / folder.name
    for line in write_reviewed_suite(folder, out, adjudicate="any-reject", name=folder.name):
        print(f"  {line}")
    if folder.name != "semantoneg-mini":
        return
    suite, meta = load_folder(out), read_json(out / "suite.json")
    edited = set(meta["review"]["edited_by"])
    items = [
        _retagged(item, unit.shown) if unit.key in edited else item
        for unit in group_units(suite.items).values()
        for item in unit.items
    ]
    more = {key: meta[key] for key in ("builder", "corpus", "review")}
    save_folder(replace(suite, items=items), out, **more)


def _retagged(item: Item, shown: Item) -> Item:
    """With the words that it has now, and the group of its unit: the others may have other forms of the words."""
    word, opposite = differing_words(item.sentences["input"], item.sentences["antonym"])
    group = differing_words(shown.sentences["input"], shown.sentences["antonym"])
    if set(group) == {shown.tags["word"], shown.tags["antonym"]}:
        return item
    lemmas = {token.lower_: token for token in parse(item.sentences["input"])}
    token = lemmas.get(word)
    pos = _POS.get(token.pos_, item.tags["pos"]) if token is not None else item.tags["pos"]
    tags = {**item.tags, "word": word, "antonym": opposite, "pos": pos, "relation": "edited"}
    return replace(item, group="/".join(sorted(group)), tags=tags)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(PLANS))
    parser.add_argument("--todo", type=Path, help="a folder for the candidates that nobody has judged")
    parser.add_argument("--verdicts", type=Path, nargs="*", default=[], help="files of verdicts")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in asked.names:
            for suite_name, paths in candidates(name, Path(scratch)):
                folder = Path(scratch) / suite_name
                unjudged = judge(suite_name, paths, known_verdicts(suite_name, asked.verdicts), folder)
                if asked.todo is not None:
                    write_todo(asked.todo / f"{suite_name}.jsonl", unjudged)
                if folder.exists():
                    write(folder)


def write_todo(path: Path, unjudged: list[Unit]) -> None:
    """The units that nobody has judged, a JSON line each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [to_json({"group": unit.shown.group, "sentences": dict(unit.sentences)}) for unit in unjudged]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
