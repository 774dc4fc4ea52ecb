"""`litotes build`: suites from raw text or from reviews, and the developmental corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Meta

from litotes.building.pipeline.settings import BuildSettings
from litotes.cli.error_handling import put, say, warn
from litotes.core.settings import EngineSetting, PositiveInt, Settings
from litotes.planning.plan import PlanSettings

if TYPE_CHECKING:
    from litotes.building.api import BuildResult
    from litotes.building.base import Builder
    from litotes.building.developmental.build import CorpusBuildResult


class BuildJob(Settings, frozen=True, kw_only=True):
    """How a build is run, and what it writes besides the suite."""

    official: Annotated[
        bool, Meta(description="Also write the file format of the paper, with the right option at a random position.")
    ] = False
    workers: Annotated[
        PositiveInt | None, Meta(description="Number of processes. Default: 1, or all of a Ray cluster.")
    ] = None
    engine: EngineSetting = None
    skipped: Annotated[
        str | None,
        Meta(
            description="Write the sentences that were left out, with the reasons: JSON lines, or NAME.parquet.",
            extra={"metavar": "FILE"},
        ),
    ] = None
    fresh: Annotated[bool, Meta(description="Replace a suite that is already in the folder.")] = False
    json: Annotated[bool, Meta(description="Print one JSON document and nothing else.")] = False


class AppliedReview(Settings, frozen=True, kw_only=True):
    """A review to apply instead of a build."""

    apply_review: Annotated[
        str | None,
        Meta(description="Write the reviewed suite of a folder that has been reviewed.", extra={"metavar": "DIR"}),
    ] = None
    adjudicate: Annotated[
        str,
        Meta(
            description="How several verdicts are combined: majority, unanimous or any-reject.",
            extra={"metavar": "HOW"},
        ),
    ] = "majority"


def build(
    *,
    suite: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help="semantoneg, heros, triplets or developmental. Default: list them."),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Corpus: a file, folder, glob, URL, - for standard input, hf:NAME or builtin; can be repeated.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Output folder.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Option of the builder; can be repeated.")
    ] = None,
    settings: BuildSettings,
    job: BuildJob,
    review: AppliedReview,
    plan: PlanSettings,
    leakage: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="For developmental: given twice, report what the second file (test) shares with the first (train).",
        ),
    ] = None,
) -> None:
    """Build a suite from raw text or from a reviewed suite."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user

    out = None if out is None else expand_user(out)
    if plan.dry_run and (review.apply_review is not None or suite == NAME):
        raise UsageError("L102", "--dry-run is for building a suite from text", hint="leave it out")
    if review.apply_review is not None:
        if suite is not None or from_:
            hint = "the reviewed suite is written from the review alone"
            raise UsageError("L102", "--apply-review cannot be combined with SUITE or --from", hint=hint)
        _apply_review(review, out, settings, job)
        return
    if suite is None:
        if from_ or out is not None:
            raise UsageError("L102", "SUITE is missing", hint="litotes build lists the builders")
        _list()
        return
    from litotes.building.base import load_builder

    if suite == NAME:
        _run_developmental(from_ or [], out, option or [], leakage or [], settings=settings, job=job)
        return
    builder = load_builder(suite)
    if leakage:
        raise UsageError("L102", f"--leakage is for {NAME}, not for {suite}")
    if not from_ and out is None:
        _describe(builder)
        return
    if not from_:
        raise UsageError("L102", "the corpus is missing", hint="add --from FILE; builtin is the built-in corpus")
    from litotes.cli.options import named_options

    settings = settings.replace(options=named_options(builder, option or [], see=f"litotes build {suite}"))
    if plan.dry_run:
        _put_plan(suite, from_, settings, plan, as_json=job.json)
    elif out is None:
        raise UsageError("L102", "--out is missing", hint="name a folder for the suite")
    else:
        _build(builder, from_, out, settings, job)


def _build(builder: Builder, sources: list[str], out: Path, settings: BuildSettings, job: BuildJob) -> None:
    from litotes.building.api import build_suite
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.speedups.spacy_import import prefer_minimal_spacy

    prefer_minimal_spacy()
    result = build_suite(
        builder.name,
        sources,
        out,
        settings,
        workers=job.workers,
        engine=job.engine,
        fresh=job.fresh,
        official=job.official,
        skipped=None if job.skipped is None else expand_user(job.skipped),
        progress=terminal_progress(),
    )
    if result.problems.count:
        warn(result.problems.summary())
    if job.json:
        _put_json(result)
    else:
        _say_result(result, builder)


def _put_plan(suite: str, sources: list[str], settings: BuildSettings, plan: PlanSettings, *, as_json: bool) -> None:
    import json

    from litotes.planning.api import plan_build
    from litotes.planning.plan import plan_lines

    result = plan_build(suite, sources, settings, plan)
    put(json.dumps(result.to_dict(), indent=2) if as_json else "\n".join(plan_lines(result)))


def _say_result(result: BuildResult, builder: Builder) -> None:
    for set_, folder in result.folders.items():
        units, items = result.units[set_], result.items[set_]
        put(f"{folder}: {items:,} items" + (f" in {units:,} units" if units != items else ""))
    for file in result.official:
        say(f"wrote {file}")
    skips = sorted(result.skips.items(), key=lambda entry: (-entry[1], entry[0]))
    say(f"{result.read:,} lines read" + ("; skipped:" if skips else "; nothing was skipped"))
    for code, count in skips:
        say(f"{count:>10,}  {code}: {builder.skips.get(code, '')}")
    folder = next(iter(result.folders.values()))
    say(f"next: litotes review {folder}, then litotes run --suite {folder}")


def _put_json(result: BuildResult) -> None:
    import json

    put(
        json.dumps(
            {
                "suites": {
                    set_ or "suite": {"folder": str(folder), "items": result.items[set_], "units": result.units[set_]}
                    for set_, folder in result.folders.items()
                },
                "read": result.read,
                "problems": result.problems.by_kind,
                "skipped": dict(result.skips),
                "official": [str(file) for file in result.official],
            },
            indent=2,
        )
    )


def _apply_review(review: AppliedReview, out: Path | None, settings: BuildSettings, job: BuildJob) -> None:
    """Write the reviewed suite of a folder, or of each folder in it."""
    from litotes.building.api import check_free, check_unreviewed
    from litotes.building.pipeline.write_suite import write_official
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user
    from litotes.review.adjudication import write_reviewed_suite
    from litotes.review.store import FILE_NAME

    folder, name = expand_user(review.apply_review or ""), settings.name
    if out is None:
        raise UsageError("L102", "--out is missing", hint="name a folder for the reviewed suite")
    is_suite = (folder / "suite.json").exists()
    sets = [""] if is_suite else sorted(path.parent.name for path in folder.glob(f"*/{FILE_NAME}")) or [""]
    if out.resolve() != folder.resolve():  # write_reviewed_suite reports that
        check_unreviewed(out)
        check_free(out, fresh=job.fresh)
    for set_ in sets:
        set_name = f"{name}-{set_}" if name and set_ else name
        lines = write_reviewed_suite(folder / set_, out / set_, adjudicate=review.adjudicate, name=set_name or None)
        put("\n".join(lines))
        for file in write_official(out / set_, settings.seed) if job.official else ():
            say(f"wrote {file}")


def _list() -> None:
    from litotes.building.base import list_builders, load_builder
    from litotes.building.developmental.build import DEVELOPMENTAL

    for name in list_builders():
        put(f"{name:<14} {load_builder(name).summary}")
    put(f"{NAME:<14} {DEVELOPMENTAL.summary}")
    put("\nlitotes build SUITE shows the options of a builder and why it skips sentences.")


def _describe(builder: Builder) -> None:
    from litotes.cli.options import option_lines

    put(f"{builder.name}: {builder.summary}\n\noptions, as --option NAME=VALUE:")
    _put_columns(option_lines(builder))
    put("\nreasons for skipping sentences:")
    _put_columns(list(builder.skips.items()))


def _put_columns(rows: Sequence[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        put(f"  {name:<{width}}  {text}")


NAME = "developmental"


def _run_developmental(
    sources: list[str],
    out: Path | None,
    option: list[str],
    leakage: list[str],
    *,
    settings: BuildSettings,
    job: BuildJob,
) -> None:
    """Build the developmental corpus, or print its options or the leakage between two files."""
    from litotes.core.errors import UsageError

    for name, is_given in {"--official": job.official, "--skipped": job.skipped is not None}.items():
        if is_given:
            hint = f"litotes build {NAME} lists its options"
            raise UsageError("L102", f"{name} is for suites, {NAME} is a corpus", hint=hint)
    if leakage:
        _put_leakage(leakage, as_json=job.json)
    elif sources and out is not None:
        _build_developmental(sources, out, option, settings, job)
    elif sources:
        raise UsageError("L102", "--out is missing", hint="name a folder for the corpus")
    elif out is not None:
        raise UsageError("L102", "the corpus is missing", hint="add --from with NLI files")
    else:
        _describe_developmental()


def _put_leakage(files: list[str], *, as_json: bool) -> None:
    import json

    from litotes.building.developmental.pairs import leakage_of_files
    from litotes.core.errors import UsageError

    if len(files) != 2:
        raise UsageError("L102", f"--leakage is given {len(files)} times", hint="give it twice: train, then test")
    result = leakage_of_files(files[0], files[1])
    if as_json:
        put(json.dumps({"train_file": files[0], "test_file": files[1], **result.to_dict()}, indent=2))
        return
    put(f"{result.train:,} train pairs, {result.test:,} test pairs with {result.premises:,} different premises")
    put(f"{result.pairs:,} test pairs are in train ({result.relabelled:,} of them with another label)")
    put(f"{result.premises_in_train:,} test premises are in train; {result.pairs_of_premises:,} test pairs have them")


def _build_developmental(
    sources: list[str], out: Path, option: list[str], settings: BuildSettings, job: BuildJob
) -> None:
    import json

    from litotes.building.developmental.build import DEVELOPMENTAL, build_developmental
    from litotes.cli.options import named_options
    from litotes.core.progress import terminal_progress
    from litotes.speedups.spacy_import import prefer_minimal_spacy

    settings = settings.replace(options=named_options(DEVELOPMENTAL, option, see=f"litotes build {NAME}"))
    prefer_minimal_spacy()
    progress = terminal_progress("pairs")
    result = build_developmental(
        sources, out, settings, workers=job.workers, engine=job.engine, fresh=job.fresh, progress=progress
    )
    if result.problems.count:
        warn(result.problems.summary())
    for line in result.warnings:
        warn(line)
    if job.json:
        put(json.dumps(result.statistics, indent=2))
    else:
        _say_corpus(result)


def _say_corpus(result: CorpusBuildResult) -> None:
    from litotes.building.developmental.corpus import STATISTICS_PAGE, TEST

    statistics = result.statistics
    put(f"{'category':<12}{'train':>8}{'augmented':>11}{'test':>8}{'undersampled':>14}")
    for category, sets in statistics["categories"].items():
        train, test, undersampled = (sets[name]["pairs"] for name in ("train", "test", "undersampled"))
        put(f"{category:<12}{train:>8,}{sets['train']['augmented']:>11,}{test:>8,}{undersampled:>14,}")
    put(f"NLI_train {statistics['nli_train']['pairs']:,} pairs, NLI_dev {statistics['nli_dev']['pairs']:,}")
    counts = statistics["counts"]
    say(
        f"{counts['records']:,} pairs read; skipped: {counts['unlabelled']:,} without a gold label, "
        f"{counts['doubles']:,} duplicates, {counts['conflicting']:,} with conflicting labels, "
        f"{counts['negated_without_category']:,} negated without a category, "
        f"{counts['plain_left_out_for_dev']:,} with a premise of NLI_dev"
    )
    say(f"wrote {result.folder}: see {STATISTICS_PAGE}; next: litotes run nli:MODEL --suite {result.folder / TEST}")


def _describe_developmental() -> None:
    from litotes.building.developmental.build import DEVELOPMENTAL
    from litotes.cli.options import option_lines

    put(f"{DEVELOPMENTAL.name}: {DEVELOPMENTAL.summary}\n\noptions, as --option NAME=VALUE:")
    _put_columns(option_lines(DEVELOPMENTAL))
    put("\n--leakage TRAIN --leakage TEST only reports what two NLI files share.")
