"""Rebuild the built-in suites from the built-in corpus and the reviewers' verdicts.

python tools/built_in_suites.py [NAME…] [--todo DIR] [--verdicts FILE…] [--readers FILE…]

The verdicts on every candidate are stored next to each suite (review.jsonl), with the sentences, so that the suites
can be rebuilt after a rule has changed: reviewed candidates keep their verdicts, new ones are left out until they are
reviewed. `--todo` writes the candidates without a verdict, as JSON lines and as a table, `--verdicts` reads files of
verdicts (JSON lines with sentences, annotator, verdict, reason, edited), `--readers` tables with a row per candidate:
its id in the table of `--todo`, good or bad for each variant, and a reason. The file name is the name of the reader.

Most originals of heros-mini, with the words that replace one of theirs, are in heros-mini/written.tsv; typos and
negations are made by the rules. Items whose two negations are equal are limited to MAX_SAME_NEGATIONS.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from litotes.building.api import build_suite
from litotes.building.heros import misspelt
from litotes.building.negation_sites import main_negation, negated_word, word_site
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.files import read_json, to_json
from litotes.languages.en.parser import parse
from litotes.review.adjudication import write_reviewed_suite
from litotes.review.import_export import import_review
from litotes.review.store import open_review
from litotes.review.units import Unit, group_units
from litotes.review.verdicts import MAX_NOTE
from litotes.rewrites.base import Sentence
from litotes.rewrites.patches import patched
from litotes.rewrites.patches import replace as replace_token
from litotes.suites.base import Item, Suite
from litotes.suites.folder import load_folder, save_folder
from litotes.suites.heros import KIND
from litotes.suites.semantoneg import differing_words

BUILT_IN = Path(__file__).resolve().parent.parent / "src" / "litotes" / "suites" / "builtin"
CORPUS = BUILT_IN.parent.parent / "corpora" / "builtin"
SOURCE, LICENCE, VERSION = "written for Litotes", "Apache-2.0", "2"
VERSIONS = {"heros-mini": "3"}
"""Versions of suites that were rebuilt alone."""
_WORDS = {"pos": "all", "negation": "any", "pairs": "apart", "frames": "all", "antonyms": "best"}
BUILDS: dict[str, list[tuple[str, Sequence[str], dict[str, Any]]]] = {
    "semantoneg-mini": [
        ("semantoneg", ["builtin"], _WORDS),
        ("semantoneg", ["builtin"], {**_WORDS, "pos": "verb"}),
        ("semantoneg", ["builtin"], {**_WORDS, "pos": "adverb"}),
    ],
    # From conversations and reviews, as HEROS was made from comments.
    "heros-mini": [
        (
            "heros",
            [str(CORPUS / name) for name in ("opposites.txt", "reactions.txt", "reviews.txt", "talk.txt")],
            {},
        )
    ],
    "triplets-mini": [("triplets", ["builtin"], {"shortest": 4})],
}
_POS = {"ADJ": "adjective", "VERB": "verb", "ADV": "adverb", "NOUN": "noun", "AUX": "verb"}

MAX_SAME_NEGATIONS = 0.14
"""Largest share of items of heros-mini whose two negations are the same sentence."""

Verdicts = dict[frozenset[tuple[str, str]], list[dict[str, Any]]]
"""Sentences of a unit with their roles → its verdicts."""


def candidates(name: str, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Build the candidates; yield the name of each suite with the folders of its builds."""
    folders: dict[str, list[Path]] = {}
    for number, (builder, sources, options) in enumerate(BUILDS[name]):
        result = build_suite(builder, sources, folder / f"{name}-{number}", BuildSettings(options=options), workers=2)
        for set_, path in result.folders.items():
            folders.setdefault(f"{set_}-mini" if set_ else name, []).append(path)
    if name == "heros-mini":
        folders[name].append(write_own_items(BUILT_IN / name / "written.tsv", folder / "written"))
    yield from folders.items()


def write_own_items(path: Path, folder: Path) -> Path:
    """Write a suite of the originals in a table, with the words of each row; skip rows that cannot be negated."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    items = [item for number, row in enumerate(rows) if (item := own_item(f"{path.name}:{number + 2}", row))]
    save_folder(Suite("written", KIND, items, "", VERSION, SOURCE, LICENCE), folder)
    return folder


def own_item(source: str, row: Mapping[str, str]) -> Item | None:
    """Return the item of a row: original, word, synonym, antonym and random."""
    sentence = Sentence(parse(row["original"]))
    [word] = [token for token in sentence.doc if token.text == row["word"]]
    pos = "a" if word.pos_ == "ADJ" else "v"
    main, site = main_negation(sentence), word_site(word, pos)
    negated = negated_word(sentence, word, site, main) if main and site else None
    typo = misspelt(sentence, word, seed=0)
    if main is None or negated is None or typo is None:
        print(f"{source}: no {'negation' if main is None or negated is None else 'typo'} of “{row['original']}”")
        return None
    by_word = {
        role: patched(sentence.text, [replace_token(word, row[role])]) for role in ("synonym", "antonym", "random")
    }
    return Item(
        id=source,
        group=word.lemma_,
        sentences={
            "original": sentence.text,
            **by_word,
            "typo": typo,
            "negation_main": main,
            "negation_antonym": negated,
        },
        tags={
            "word": row["word"],
            "lemma": word.lemma_,
            "antonym": row["antonym"],
            "pos": "adjective" if pos == "a" else "verb",
            "source": source,
        },
    )


def units(paths: list[Path]) -> list[Unit]:
    """Return the units of several builds without repetitions."""
    unique: dict[frozenset[str], Unit] = {}
    for path in paths:
        for unit in group_units(load_folder(path).items).values():
            unique.setdefault(frozenset(unit.sentences.values()), unit)
    return list(unique.values())


def numbered(name: str, judged: list[Unit]) -> list[Item]:
    """Return the items of the units with new ids."""
    items: list[Item] = []
    for number, unit in enumerate(judged):
        unit_id = f"{_short(name)}-{number:04d}"
        for index, item in enumerate(unit.items, 1):
            is_single = len(unit.items) == 1
            tags = {tag: value for tag, value in item.tags.items() if tag not in {"unit", "naturalness"}}
            tags |= {} if is_single else {"unit": unit_id}
            items.append(replace(item, id=unit_id if is_single else f"{unit_id}-{index}", tags=tags))
    return items


def _short(name: str) -> str:
    return {"semantoneg-mini": "san", "heros-mini": "her"}.get(name, "".join(word[0] for word in name.split("-")[:-1]))


def known_verdicts(name: str, extra: list[Path]) -> Verdicts:
    """Return the verdicts stored next to the suite and those of other files."""
    verdicts: Verdicts = {}
    for path in [BUILT_IN / name / "review.jsonl", *extra]:
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                verdict = json.loads(line)
                if "sentences" in verdict:
                    verdicts.setdefault(_key(verdict["sentences"]), []).append(verdict)
    return verdicts


def add_tables(verdicts: Verdicts, tables: list[Path], everything: list[Unit]) -> None:
    """Add the verdicts of readers' tables: a candidate is rejected if any of its variants is bad."""
    by_id = {candidate_id(unit): unit for unit in everything}
    for path in tables:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                unit = by_id.get(row["id"])
                if unit is None:
                    print(f"{path.name}: {row['id']} is not a candidate")
                    continue
                bad = [role for role in unit.sentences if (row.get(role) or "good").strip().lower() != "good"]
                verdict = {
                    "annotator": path.stem,
                    "verdict": "reject" if bad else "accept",
                    "reason": "other" if bad else "",
                    "note": f"{', '.join(bad)}: {row.get('reason') or ''}"[:MAX_NOTE] if bad else "",
                    "edited": {},
                }
                verdicts.setdefault(_key(unit.sentences), []).append(verdict)


def candidate_id(unit: Unit) -> str:
    """Return an id that depends only on the sentences."""
    return hashlib.sha256(to_json(dict(unit.sentences)).encode()).hexdigest()[:10]


def _key(sentences: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset(sentences.items())


def with_different_negations(items: Iterable[Item]) -> list[Item]:
    """Return one item per original; the two negations are equal in a share of at most MAX_SAME_NEGATIONS."""
    by_original: dict[str, Item] = {}
    for item in sorted(items, key=has_same_negations):
        by_original.setdefault(item.sentences["original"], item)
    same = [item for item in by_original.values() if has_same_negations(item)]
    n_different = len(by_original) - len(same)
    n_same = min(len(same), int(n_different * MAX_SAME_NEGATIONS / (1 - MAX_SAME_NEGATIONS)))
    spread = [same[index * len(same) // n_same] for index in range(n_same)]
    return [item for item in by_original.values() if not has_same_negations(item)] + spread


def has_same_negations(item: Item) -> bool:
    """Return whether both negations of an original are the same sentence."""
    return item.sentences["negation_main"] == item.sentences["negation_antonym"]


def judge(name: str, paths: list[Path], verdicts: Verdicts, folder: Path, tables: list[Path]) -> list[Unit]:
    """Write a suite of the units that have verdicts, with its review; return the other units."""
    everything = units(paths)
    add_tables(verdicts, tables, everything)
    judged = [unit for unit in everything if _key(unit.sentences) in verdicts]
    if judged:
        version = VERSIONS.get(name, VERSION)
        suite = Suite(name, load_folder(paths[0]).kind, numbered(name, judged), "", version, SOURCE, LICENCE)
        save_folder(suite, folder, builder=read_json(paths[0] / "suite.json")["builder"], corpus="builtin")
        lines = []
        for unit in group_units(suite.items).values():
            by_annotator = {verdict["annotator"]: verdict for verdict in verdicts[_key(unit.sentences)]}
            fields = {"unit": unit.key, "sentences": dict(unit.sentences)}
            lines += [to_json({**verdict, **fields}) for verdict in by_annotator.values()]
        path = folder / "verdicts.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        with open_review(folder) as review:
            import_review(review, path)
    print(f"{name}: {len(judged):,} of {len(everything):,} candidates have verdicts")
    return [unit for unit in everything if _key(unit.sentences) not in verdicts]


def write(folder: Path) -> None:
    """Write the suite of the units without a rejection; update the tags of edited units."""
    out = BUILT_IN / folder.name
    for line in write_reviewed_suite(folder, out, adjudicate="any-reject", name=folder.name):
        print(f"  {line}")
    suite, meta = load_folder(out), read_json(out / "suite.json")
    metadata = {key: meta[key] for key in ("builder", "corpus", "review")}
    if folder.name == "heros-mini":
        items = with_different_negations(suite.items)
        print(f"  {len(items):,} with different originals, {sum(map(has_same_negations, items))} with equal negations")
        save_folder(replace(suite, items=sorted(items, key=lambda item: item.id)), out, **metadata)
    if folder.name != "semantoneg-mini":
        return
    edited = set(meta["review"]["edited_by"])
    items = [
        _retagged(item, unit.shown) if unit.key in edited else item
        for unit in group_units(suite.items).values()
        for item in unit.items
    ]
    save_folder(replace(suite, items=items), out, **metadata)


def _retagged(item: Item, shown: Item) -> Item:
    """Return an edited item with tags for its new words, and a group that is the same for its whole unit."""
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
    parser.add_argument("names", nargs="*", default=list(BUILDS))
    parser.add_argument("--todo", type=Path, help="folder for the candidates without a verdict")
    parser.add_argument("--verdicts", type=Path, nargs="*", default=[], help="files of verdicts")
    parser.add_argument("--readers", type=Path, nargs="*", default=[], help="tables of verdicts, one per reader")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for name in arguments.names:
            for suite_name, paths in candidates(name, Path(temporary)):
                folder, verdicts = Path(temporary) / suite_name, known_verdicts(suite_name, arguments.verdicts)
                unjudged = judge(suite_name, paths, verdicts, folder, arguments.readers)
                if arguments.todo is not None:
                    write_todo(arguments.todo / suite_name, unjudged)
                if folder.exists():
                    write(folder)


def write_todo(path: Path, unjudged: list[Unit]) -> None:
    """Write the units without a verdict, one JSON line and one row of a table per unit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [to_json({"group": unit.shown.group, "sentences": dict(unit.sentences)}) for unit in unjudged]
    path.with_suffix(".jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    rows = [["id", *unjudged[0].sentences]] if unjudged else []
    rows += [[candidate_id(unit), *unit.sentences.values()] for unit in unjudged]
    path.with_suffix(".tsv").write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
