"""The developmental negation corpus (Laverghetta and Licato, 2022, §3), built from NLI files.

It consists of diagnostic sets by category, a third of them for testing, split by premise; NLI pairs without negation
for training and development; augmentations of small categories; undersampled sets; and statistics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from litotes.building.developmental.augmentation import AugmentTask, Synonyms, augment_pairs
from litotes.building.developmental.classify import ClassifySettings, classify_nli
from litotes.building.developmental.corpus import STATISTICS, group_premises
from litotes.building.developmental.files import DiagnosticPair, DiagnosticSets, write_corpus
from litotes.building.developmental.pairs import (
    DIAGNOSTIC,
    NEGATED,
    PLAIN,
    PairTable,
    cells_of,
    draw_test_groups,
    group_counts,
    leakage_between,
    pair_key,
    random_key,
    smallest_size,
    text_key,
    undersample,
)
from litotes.building.developmental.part_file import part_path, remove_part_file
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import atomic_writer, ensure_writable, expand_user, read_json_lines, to_json, writing_to
from litotes.core.parallel.engine import ParallelEngine, choose_engine, map_ordered
from litotes.core.progress import Progress
from litotes.core.settings import PositiveInt, Settings
from litotes.corpora.base import Problems
from litotes.corpora.nli import NliPair, nli_records
from litotes.corpora.read import describe_sources
from litotes.languages.negation_categories import CATEGORIES, Ruleset
from litotes.rewrites.options import check_options, options_of
from litotes.speedups.spacy_import import with_minimal_spacy

LABELLED = ".labelled.jsonl"
_AUGMENT_BELOW = 1500
_SETTINGS = ("options", "format", "columns", "strict", "seed", "name", "licence")


class DevelopmentalOptions(Settings, frozen=True, kw_only=True):
    """The options of the builder; `developmental_options` has the defaults."""

    rules: Literal["paper", "litotes", "flags"]
    dev_size: Annotated[int, Meta(ge=0)]
    test_share: Annotated[float, Meta(gt=0, lt=1)]
    augment_below: Annotated[int, Meta(ge=0)]
    augment_test: bool
    synonyms: Synonyms
    undersample: PositiveInt | None

    @property
    def marker_rules(self) -> Ruleset:
        """The ruleset whose markers exclude a pair from NLI_train: with flags ours, which has more markers."""
        return "litotes" if self.rules == "flags" else self.rules


@dataclass(frozen=True)
class CorpusBuilder:
    """A way to build a corpus, as the command line shows it."""

    name: str
    summary: str
    apply: Callable[..., DevelopmentalOptions]


def developmental_options(
    _: None = None,
    *,
    rules: Literal["paper", "litotes", "flags"] = "litotes",
    dev_size: int = 9000,
    test_share: float = 0.3333,
    augment_below: int | None = None,
    augment_test: bool = False,
    synonyms: Synonyms = "all",
    undersample: int | None = None,
) -> DevelopmentalOptions:
    """Return validated options."""
    default = 0 if rules == "flags" else _AUGMENT_BELOW
    return DevelopmentalOptions(
        rules=rules,
        dev_size=dev_size,
        test_share=test_share,
        augment_below=default if augment_below is None else augment_below,
        augment_test=augment_test,
        synonyms=synonyms,
        undersample=undersample,
    )


DEVELOPMENTAL = CorpusBuilder(
    "developmental",
    "Diagnostic sets for seven categories of negation from NLI pairs, and NLI pairs without negation.",
    developmental_options,
)


@dataclass(frozen=True)
class CorpusBuildResult:
    """A built corpus, with its statistics and warnings."""

    folder: Path
    statistics: Mapping[str, Any]
    """The content of statistics.json."""
    warnings: tuple[str, ...]
    problems: Problems


def build_developmental(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    settings: BuildSettings | None = None,
    *,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> CorpusBuildResult:
    """Build the corpus into a folder; the classification of an interrupted build is resumed.

    The same sources and settings give the same bytes, whatever the number of workers. Only the
    settings `options`, `format`, `columns`, `strict`, `seed`, `name` and `licence` apply.
    """
    settings = settings or BuildSettings()
    where = choose_engine(engine, workers)
    _check_settings(settings)
    given_options = check_options(DEVELOPMENTAL, settings.options)
    options = developmental_options(**given_options)
    names = [str(source) for source in ([sources] if isinstance(sources, (str, Path)) else sources)]
    folder = expand_user(out)
    _check_free(folder, fresh=fresh)
    corpus = describe_sources(names, settings.format)
    was_there = folder.exists()
    try:
        with progress or Progress() as bar:
            lines, problems = _classify(names, folder, settings, options, where, bar)
            bar.begin("splitting", total=None)
            table, counts = _fill_table(lines, options)
            no_dev: tuple[set[int], set[bytes]] = set(), set()
            dev, dev_premises = table.draw_dev(options.dev_size, settings.seed) if table.count(PLAIN) else no_dev
            diagnostic = _diagnostic_pairs(lines, table)
            if not diagnostic:
                shown = ", ".join(str(source["name"]) for source in corpus[:3])
                raise LitotesError("L204", f"{shown}: no pair has a category of negation", hint="use other NLI files")
            train, test = _split(diagnostic, options, settings.seed)
            bar.end()
            augmentation = _augment(train, test, options, where, bar)
            defaults = {name: option.default for name, option in options_of(DEVELOPMENTAL).items()}
            statistics, warnings = write_corpus(
                folder,
                _diagnostic_sets(train, test, options, settings.seed),
                plain=_plain_pairs(lines, table, dev, dev_premises),
                metadata={
                    "name": settings.name or f"developmental-{options.rules}",
                    "licence": settings.licence,
                    "options": {**defaults, **given_options},
                    "format": settings.format,
                    "columns": list(settings.columns),
                    "seed": settings.seed,
                },
                corpus=corpus,
                counts={**counts, "problems": dict(sorted(problems.by_kind.items()))},
                augmentation=augmentation,
                source_leakage=leakage_between(names, format=settings.format) if options.rules == "flags" else (),
            )
            _remove_labelled(folder, lines)
    finally:
        if not was_there:
            with suppress(OSError):  # it is not empty
                folder.rmdir()
    return CorpusBuildResult(folder, statistics, tuple(warnings), problems)


def _check_settings(settings: BuildSettings) -> None:
    default = BuildSettings()
    for name, value in settings.to_dict().items():
        if name not in _SETTINGS and value != getattr(default, name):
            option = f"--{name.replace('_', '-')}"
            hint = "litotes build developmental lists its options"
            raise UsageError("L102", f"{option} is for suites, developmental is a corpus", hint=hint)


def _check_free(out: Path, *, fresh: bool) -> None:
    if not fresh and (out / STATISTICS).exists():
        raise UsageError("L102", f"{out}: contains a corpus already", hint="--fresh replaces it, or use another --out")
    ensure_writable(out)


def _classify(  # noqa: PLR0917
    sources: Sequence[str],
    out: Path,
    settings: BuildSettings,
    options: DevelopmentalOptions,
    engine: ParallelEngine,
    bar: Progress,
) -> tuple[Path, Problems]:
    """Write a file of all pairs with their categories; return its path and what could not be read."""
    path = out / LABELLED
    if options.rules != "flags":
        classify_settings = ClassifySettings(
            rules=options.rules, format=settings.format, columns=settings.columns, strict=settings.strict
        )
        result = classify_nli(
            sources, path, classify_settings, engine=engine, finish=False, progress=_NestedProgress(bar)
        )
        return part_path(path), result.problems
    problems = Problems()
    has_flags = False
    records = nli_records(
        sources, format=settings.format, columns=settings.columns, strict=settings.strict, problems=problems
    )
    with atomic_writer(path) as write:
        for record in records:
            has_flags |= record.negation_categories is not None
            flags = {category: int(category in (record.negation_categories or ())) for category in CATEGORIES}
            pair = {"id": record.id, "premise": record.text, "hypothesis": record.second_text, "label": record.label}
            write(f"{to_json({**pair, **flags})}\n")
        if not has_flags:
            hint = "rules=litotes finds the categories itself"
            raise LitotesError("L203", "no file has columns for the categories of its pairs", hint=hint)
    return path, problems


class _NestedProgress(Progress):
    """Shows progress on a bar that stays open afterwards."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self._bar.begin(label, total=total, done=done)

    def advance(self, count: int) -> None:
        self._bar.advance(count)

    def end(self) -> None:
        self._bar.end()


def _fill_table(lines: Path, options: DevelopmentalOptions) -> tuple[PairTable, dict[str, int]]:
    from litotes.languages.en.negation import has_marker

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
    duplicates = table.deduplicate()
    names = ("records", "unlabelled", "negated_without_category")
    return table, {
        **{name: counts[name] for name in names},
        "doubles": duplicates.repeated,
        "conflicting": duplicates.conflicting,
    }


def _diagnostic_pairs(lines: Path, table: PairTable) -> list[DiagnosticPair]:
    numbers = {number for number, _ in table.of_kind(DIAGNOSTIC)}
    return [DiagnosticPair.from_line(line) for number, line in read_json_lines(lines) if number in numbers]


def _split(
    pairs: Sequence[DiagnosticPair], options: DevelopmentalOptions, seed: int
) -> tuple[list[DiagnosticPair], list[DiagnosticPair]]:
    """Return train and test pairs; all pairs of a premise, and with flags its augmentations, are on one side."""
    group_of: Callable[[bytes], bytes] = lambda key: key  # noqa: E731
    if options.rules == "flags":
        group_of = group_premises([entry.pair for entry in pairs]).representative
    keyed = [(group_of(text_key(entry.pair.premise)), entry) for entry in pairs]
    counts = group_counts((key, cells_of(entry.pair)) for key, entry in keyed)
    test_groups = draw_test_groups(counts, options.test_share, seed)
    grouped = [(key in test_groups, entry._replace(group=f"premise-{key.hex()[:12]}")) for key, entry in keyed]
    return [entry for is_test, entry in grouped if not is_test], [entry for is_test, entry in grouped if is_test]


def _augment(
    train: list[DiagnosticPair],
    test: list[DiagnosticPair],
    options: DevelopmentalOptions,
    engine: ParallelEngine,
    bar: Progress,
) -> dict[str, Any]:
    """Add augmented pairs of small categories to the side of their source; return counts for the statistics."""
    sizes = Counter(category for entry in (*train, *test) for category in entry.pair.categories or ())
    small = tuple(category for category in CATEGORIES if 0 < sizes[category] < options.augment_below)
    counts = Counter[str]()
    if small:
        keys = {pair_key(entry.pair.premise, entry.pair.hypothesis) for entry in (*train, *test)}
        premises = [{text_key(entry.pair.premise) for entry in side} for side in (train, test)]
        task = AugmentTask(small, None if options.rules == "flags" else options.rules, options.synonyms)
        for index, side in enumerate((train, test) if options.augment_test else (train,)):
            sources = [entry for entry in side if set(small) & set(entry.pair.categories or ())]
            bar.begin("augmenting", total=len(sources))
            function = with_minimal_spacy(partial(augment_pairs, task), is_remote=engine.is_remote)
            results = map_ordered(function, [entry.pair for entry in sources], engine=engine)
            for source, result in zip(sources, results, strict=True):
                counts["lost_category"] += result.n_lost
                for augmented in result.pairs:
                    key = pair_key(augmented.pair.premise, augmented.pair.hypothesis)
                    premise = text_key(augmented.pair.premise)
                    if key in keys:
                        counts["double"] += 1
                    elif premise in premises[1 - index]:
                        counts["premise_on_the_other_side"] += 1
                    else:
                        keys.add(key)
                        premises[index].add(premise)
                        side.append(DiagnosticPair(augmented.pair, group=source.group, source=source.pair.id))
                        counts["made"] += 1
                bar.advance(1)
            bar.end()
    names = ("made", "lost_category", "double", "premise_on_the_other_side")
    return {"categories": list(small), **{name: counts[name] for name in names}}


def _diagnostic_sets(
    train: Sequence[DiagnosticPair], test: Sequence[DiagnosticPair], options: DevelopmentalOptions, seed: int
) -> DiagnosticSets:
    by_category = {
        category: [entry for entry in train if category in (entry.pair.categories or ())] for category in CATEGORIES
    }
    sets = {category: [entry.pair for entry in pairs] for category, pairs in by_category.items()}
    size = options.undersample or smallest_size(sets)
    smaller: dict[str, list[DiagnosticPair]] = {}
    for category, pairs in by_category.items():
        drawn = {pair.id for pair in undersample(sets[category], size, seed)}
        smaller[category] = [entry for entry in pairs if entry.pair.id in drawn]
    examples = {}
    for category in CATEGORIES:
        originals = [
            entry for entry in (*test, *train) if category in (entry.pair.categories or ()) and not entry.source
        ]
        if originals:
            examples[category] = min(originals, key=lambda entry: (random_key(seed, entry.pair.id), entry.pair.id)).pair
    return DiagnosticSets(by_category, smaller, test, size, examples)


def _plain_pairs(
    lines: Path, table: PairTable, dev: set[int], dev_premises: set[bytes]
) -> Iterator[tuple[NliPair, Literal["train", "dev", ""]]]:
    """Yield the pairs without negation with their set; "" for those that share a premise with a dev pair."""
    plain = table.of_kind(PLAIN)
    next_number, premise = next(plain, (0, b""))
    for number, line in read_json_lines(lines):
        if number == next_number:
            pair = NliPair(line["id"], line["premise"], line["hypothesis"], line["label"], ())
            yield pair, "dev" if number in dev else "" if premise in dev_premises else "train"
            next_number, premise = next(plain, (0, b""))


def _remove_labelled(out: Path, lines: Path) -> None:
    remove_part_file(out / LABELLED)
    with writing_to(lines):
        lines.unlink(missing_ok=True)
