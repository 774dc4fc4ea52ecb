"""The developmental negation corpus (Laverghetta and Licato, 2022, §3) from NLI files.

Diagnostic sets a category, a third of them for testing, split by premise; NLI without negation for training and for
development; augmentation of small categories; undersampled sets; and an account of all that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from litotes.building.developmental.augmentation import Augmenting, Synonyms, make_variants
from litotes.building.developmental.classify_corpus import classify_nli, part_of, remove_part
from litotes.building.developmental.corpus import STATISTICS
from litotes.building.developmental.files import Diagnostic, Sets, write_corpus
from litotes.building.developmental.leakage import leakage_between
from litotes.building.developmental.pairs import (
    DIAGNOSTIC,
    NEGATED,
    PLAIN,
    PairTable,
    by_chance,
    cells_of,
    drawn_for_test,
    groups_of,
    pair_key,
    smallest,
    text_key,
    undersampled,
)
from litotes.building.developmental.published import families_of
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import atomic_writer, cannot_write, ensure_writable, expand_user, read_json_lines, to_json
from litotes.core.parallel import map_ordered
from litotes.core.progress import Progress
from litotes.corpora.base import Problems
from litotes.corpora.nli import NliPair, nli_records
from litotes.languages.negation_categories import CATEGORIES, Ruleset
from litotes.rewrites.options import check_options, options_of
from litotes.speedups.spacy_import import for_workers

LABELLED = ".labelled.jsonl"
_AUGMENT_BELOW = 1500


@dataclass(frozen=True)
class Options:
    """What `--option` says; see `developmental` for what there is."""

    rules: Literal["paper", "litotes", "flags"]
    dev_size: int
    test_share: float
    augment_below: int
    augment_test: bool
    synonyms: Synonyms
    undersample: int | None

    @property
    def marker_rules(self) -> Ruleset:
        """Whose markers a pair of NLI_train may not have; flags say nothing of other pairs, so ours, which are more."""
        return "litotes" if self.rules == "flags" else self.rules


@dataclass(frozen=True)
class CorpusBuilder:
    """A way to make a corpus, as the command line sees it."""

    name: str
    summary: str
    apply: Callable[..., Options]


def _options(
    _: None = None,
    *,
    rules: Literal["paper", "litotes", "flags"] = "litotes",
    dev_size: int = 9000,
    test_share: float = 0.3333,
    augment_below: int | None = None,
    augment_test: bool = False,
    synonyms: Synonyms = "all",
    undersample: int | None = None,
) -> Options:
    below = augment_below if augment_below is not None else 0 if rules == "flags" else _AUGMENT_BELOW
    for name, number, least in (
        ("dev_size", dev_size, 0),
        ("augment_below", below, 0),
        ("undersample", undersample, 1),
    ):
        if number is not None and number < least:
            raise UsageError("L102", f"{name}={number}: at least {least} is needed")
    if not (math.isfinite(test_share) and 0 < test_share < 1):
        raise UsageError("L102", f"test_share={test_share}: a share between 0 and 1 is needed", hint="such as 0.3333")
    return Options(rules, dev_size, test_share, below, augment_test, synonyms, undersample)


DEVELOPMENTAL = CorpusBuilder(
    "developmental", "Diagnostic sets for seven categories of negation from NLI pairs, and NLI without any.", _options
)


@dataclass(frozen=True)
class BuiltCorpus:
    """What a build gave."""

    folder: Path
    statistics: Mapping[str, Any]
    """As statistics.json has it."""
    warnings: tuple[str, ...]
    problems: Problems


def build_developmental(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    options: Mapping[str, Any] | None = None,
    format: str | None = None,
    columns: Sequence[str] = (),
    strict: bool = False,
    seed: int = 0,
    name: str = "",
    licence: str = "",
    workers: int = 1,
    fresh: bool = False,
    progress: Progress | None = None,
) -> BuiltCorpus:
    """Build the corpus into a folder; a build that was interrupted while it classified goes on.

    The same sources, options and seed give the same bytes, whatever the number of workers.
    """
    from litotes.corpora.read import describe_sources

    given = check_options(DEVELOPMENTAL, options or {})
    chosen = _options(**given)
    named = [str(one) for one in ([sources] if isinstance(sources, (str, Path)) else sources)]
    place = expand_user(out)
    _check_free(place, fresh=fresh)
    corpus = describe_sources(named, format)
    was_there = place.exists()
    reading = _Reading(named, format, tuple(columns), strict)
    try:
        with progress or Progress() as bar:
            lines, problems = _labelled(place, reading, chosen, workers, bar)
            bar.begin("sorting", total=None)
            table, counts = _sorted(lines, chosen)
            dev, dev_premises = table.draw_dev(chosen.dev_size, seed) if table.count(PLAIN) else (set(), set())
            diagnostic = _diagnostic(lines, table)
            if not diagnostic:
                names = ", ".join(str(one["name"]) for one in corpus[:3])
                raise LitotesError("L204", f"{names}: no pair has a category of negation", hint="try other NLI files")
            train, test = _split(diagnostic, chosen, seed)
            bar.end()
            account = _augment(train, test, chosen, workers, bar)
            sets = _sets(train, test, chosen, seed)
            statistics, warnings = write_corpus(
                place,
                sets,
                plain=_plain(lines, table, dev, dev_premises),
                about={
                    "name": name or f"developmental-{chosen.rules}",
                    "licence": licence,
                    "options": {**{key: one.default for key, one in options_of(DEVELOPMENTAL).items()}, **given},
                    "format": format,
                    "columns": list(columns),
                    "seed": seed,
                },
                corpus=corpus,
                counts={**counts, "problems": dict(sorted(problems.by_kind.items()))},
                augmentation=account,
                given=leakage_between(named, format=format) if chosen.rules == "flags" else (),
            )
            _remove(place, lines)
    finally:
        if not was_there:
            with suppress(OSError):  # there is something in it
                place.rmdir()
    return BuiltCorpus(place, statistics, tuple(warnings), problems)


@dataclass(frozen=True)
class _Reading:
    sources: Sequence[str]
    format: str | None
    columns: tuple[str, ...]
    strict: bool


def _check_free(out: Path, *, fresh: bool) -> None:
    if not fresh and (out / STATISTICS).exists():
        hint = "--fresh builds it anew, or take another --out"
        raise UsageError("L102", f"{out}: there is a corpus already", hint=hint)
    ensure_writable(out)


def _labelled(out: Path, reading: _Reading, options: Options, workers: int, bar: Progress) -> tuple[Path, Problems]:
    """A file of all pairs with their categories, and what could not be read."""
    place = out / LABELLED
    if options.rules != "flags":
        found = classify_nli(
            reading.sources,
            place,
            rules=options.rules,
            format=reading.format,
            columns=reading.columns,
            strict=reading.strict,
            workers=workers,
            finish=False,
            progress=_Inner(bar),
        )
        return part_of(place), found.problems
    problems = Problems()
    flagged = False
    records = nli_records(
        reading.sources,
        format=reading.format,
        columns=reading.columns,
        strict=reading.strict,
        problems=problems,
    )
    with atomic_writer(place) as write:
        for record in records:
            flagged |= record.flags is not None
            flags = {category: int(category in (record.flags or ())) for category in CATEGORIES}
            pair = {"id": record.id, "premise": record.text, "hypothesis": record.other, "label": record.label}
            write(f"{to_json({**pair, **flags})}\n")
        if not flagged:
            hint = "rules=litotes finds the categories itself"
            raise LitotesError("L203", "no file says of its pairs which categories they have", hint=hint)
    return place, problems


class _Inner(Progress):
    """Shows its work on a bar that others go on using."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self._bar.begin(label, total=total, done=done)

    def advance(self, count: int) -> None:
        self._bar.advance(count)

    def end(self) -> None:
        self._bar.end()


def _sorted(lines: Path, options: Options) -> tuple[PairTable, dict[str, int]]:
    from litotes.languages.en.developmental.classify import has_marker

    table = PairTable()
    counts = Counter[str]()
    for number, line in read_json_lines(lines):
        counts["records"] += 1
        if not line["label"]:
            counts["unlabelled"] += 1
            continue
        kind = PLAIN
        if any(line[category] for category in CATEGORIES):
            kind = DIAGNOSTIC
        elif any(has_marker(line[side], options.marker_rules) for side in ("premise", "hypothesis")):
            kind = NEGATED
            counts["negated_without_category"] += 1
        table.add(number, line["premise"], line["hypothesis"], label=line["label"], kind=kind)
    found = table.settle()
    names = ("records", "unlabelled", "negated_without_category")
    return table, {**{one: counts[one] for one in names}, "doubles": found.doubles, "conflicting": found.conflicting}


def _diagnostic(lines: Path, table: PairTable) -> list[Diagnostic]:
    wanted = {number for number, _ in table.of_kind(DIAGNOSTIC)}
    return [Diagnostic.from_line(line) for number, line in read_json_lines(lines) if number in wanted]


def _split(diagnostic: Sequence[Diagnostic], options: Options, seed: int) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Train and test: a premise goes to one side with all its pairs, and with it, of files with flags, its variants."""
    head: Callable[[bytes], bytes] = lambda key: key  # noqa: E731
    if options.rules == "flags":
        head = families_of([one.pair for one in diagnostic]).head
    keyed = [(head(text_key(one.pair.premise)), one) for one in diagnostic]
    test = drawn_for_test(groups_of((key, cells_of(one.pair)) for key, one in keyed), options.test_share, seed)
    grouped = [(key in test, one._replace(group=f"premise-{key.hex()[:12]}")) for key, one in keyed]
    return [one for is_test, one in grouped if not is_test], [one for is_test, one in grouped if is_test]


def _augment(
    train: list[Diagnostic], test: list[Diagnostic], options: Options, workers: int, bar: Progress
) -> dict[str, Any]:
    """Add what is made from pairs of small categories to the side that its source is on; gives an account of it."""
    sizes = Counter(category for one in (*train, *test) for category in one.pair.categories or ())
    small = tuple(category for category in CATEGORIES if 0 < sizes[category] < options.augment_below)
    counts = Counter[str]()
    if small:
        pairs = {pair_key(one.pair.premise, one.pair.hypothesis) for one in (*train, *test)}
        premises = [{text_key(one.pair.premise) for one in side} for side in (train, test)]
        work = Augmenting(small, None if options.rules == "flags" else options.rules, options.synonyms)
        for place, side in enumerate((train, test) if options.augment_test else (train,)):
            sources = [one for one in side if set(small) & set(one.pair.categories or ())]
            bar.begin("augmenting", total=len(sources))
            function = for_workers(partial(make_variants, work), workers)
            results = map_ordered(function, [one.pair for one in sources], workers=workers)
            for source, found in zip(sources, results, strict=True):
                counts["lost_category"] += found.lost
                for variant in found.made:
                    key, premise = (
                        pair_key(variant.pair.premise, variant.pair.hypothesis),
                        text_key(variant.pair.premise),
                    )
                    if key in pairs:
                        counts["double"] += 1
                    elif premise in premises[1 - place]:
                        counts["premise_on_the_other_side"] += 1
                    else:
                        pairs.add(key)
                        premises[place].add(premise)
                        side.append(Diagnostic(variant.pair, group=source.group, source=source.pair.id))
                        counts["made"] += 1
                bar.advance(1)
            bar.end()
    names = ("made", "lost_category", "double", "premise_on_the_other_side")
    return {"categories": list(small), **{name: counts[name] for name in names}}


def _sets(train: Sequence[Diagnostic], test: Sequence[Diagnostic], options: Options, seed: int) -> Sets:
    by_category = {
        category: [one for one in train if category in (one.pair.categories or ())] for category in CATEGORIES
    }
    size = options.undersample or smallest({name: [one.pair for one in some] for name, some in by_category.items()})
    less: dict[str, list[Diagnostic]] = {}
    for category, some in by_category.items():
        chosen = {pair.id for pair in undersampled([one.pair for one in some], size, seed)}
        less[category] = [one for one in some if one.pair.id in chosen]
    examples = {}
    for category in CATEGORIES:
        own = [one for one in (*test, *train) if category in (one.pair.categories or ()) and not one.source]
        if own:
            examples[category] = min(own, key=lambda one: (by_chance(seed, one.pair.id), one.pair.id)).pair
    return Sets(by_category, less, test, size, examples)


def _plain(
    lines: Path, table: PairTable, dev: set[int], dev_premises: set[bytes]
) -> Iterator[tuple[NliPair, Literal["train", "dev", ""]]]:
    """The pairs without negation, in order, and where each goes; nowhere if another pair of its premise is in dev."""
    wanted = table.of_kind(PLAIN)
    at, premise = next(wanted, (0, b""))
    for number, line in read_json_lines(lines):
        if number == at:
            pair = NliPair(line["id"], line["premise"], line["hypothesis"], line["label"], ())
            yield pair, "dev" if number in dev else "" if premise in dev_premises else "train"
            at, premise = next(wanted, (0, b""))


def _remove(out: Path, lines: Path) -> None:
    remove_part(out / LABELLED)
    try:
        lines.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(lines, error) from error
