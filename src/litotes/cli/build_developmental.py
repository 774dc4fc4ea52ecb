"""`litotes build developmental`: a corpus rather than a suite, with options of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.cli.guard import put, say, warn

if TYPE_CHECKING:
    from litotes.building.developmental import BuiltCorpus

NAME = "developmental"


def command(
    sources: list[str],
    out: Path | None,
    option: list[str],
    leakage: list[str],
    *,
    as_json: bool,
    only_suites: Mapping[str, bool],
    settings: Mapping[str, Any],
) -> None:
    """What the words of the command line ask for; of `only_suites` none may be true."""
    from litotes.core.errors import UsageError

    wrong = [name for name, is_given in only_suites.items() if is_given]
    if wrong:
        hint = f"litotes build {NAME} lists its options"
        raise UsageError("L102", f"{wrong[0]} is for suites, {NAME} is a corpus", hint=hint)
    if leakage:
        _put_leakage(leakage, as_json=as_json)
    elif sources and out is not None:
        _build(sources, out, option, as_json=as_json, settings=settings)
    elif sources:
        raise UsageError("L102", "--out is missing", hint="name a folder for the corpus")
    elif out is not None:
        raise UsageError("L102", "there is no corpus", hint="give NLI files by --from FILE")
    else:
        _describe()


def summary() -> str:
    """One line about it."""
    from litotes.building.developmental import DEVELOPMENTAL

    return DEVELOPMENTAL.summary


def _put_leakage(files: list[str], *, as_json: bool) -> None:
    import json

    from litotes.building.developmental_leakage import leakage_of_files
    from litotes.core.errors import UsageError

    if len(files) != 2:
        raise UsageError("L102", f"--leakage is there {len(files)} times", hint="give it twice: train, then test")
    found = leakage_of_files(files[0], files[1])
    if as_json:
        put(json.dumps({"train_file": files[0], "test_file": files[1], **found.to_dict()}, indent=2))
        return
    put(f"{found.train:,} train pairs, {found.test:,} test pairs with {found.premises:,} different premises")
    put(f"{found.pairs:,} test pairs are in train ({found.relabelled:,} of them with another label)")
    put(f"{found.premises_in_train:,} test premises are in train, and {found.pairs_of_premises:,} test pairs have them")


def _build(sources: list[str], out: Path, option: list[str], *, as_json: bool, settings: Mapping[str, Any]) -> None:
    import json

    from litotes.building.developmental import DEVELOPMENTAL, build_developmental
    from litotes.cli.named_options import named_options
    from litotes.core.collector import end_without_collecting
    from litotes.core.progress import progress_for_people
    from litotes.language.spacy_alone import prefer_spacy_alone

    options = named_options(DEVELOPMENTAL, option, see=f"litotes build {NAME}")
    prefer_spacy_alone()
    found = build_developmental(sources, out, options=options, progress=progress_for_people("pairs"), **settings)
    end_without_collecting()
    if found.problems.count:
        warn(found.problems.summary())
    for line in found.warnings:
        warn(line)
    if as_json:
        put(json.dumps(found.statistics, indent=2))
    else:
        _say(found)


def _say(found: BuiltCorpus) -> None:
    from litotes.building.developmental_corpus import STATISTICS_PAGE, TEST

    told = found.statistics
    put(f"{'category':<12}{'train':>8}{'augmented':>11}{'test':>8}{'undersampled':>14}")
    for category, account in told["categories"].items():
        train, test, less = (account[name]["pairs"] for name in ("train", "test", "undersampled"))
        put(f"{category:<12}{train:>8,}{account['train']['augmented']:>11,}{test:>8,}{less:>14,}")
    put(f"NLI_train {told['nli_train']['pairs']:,} pairs, NLI_dev {told['nli_dev']['pairs']:,}")
    counts = told["counts"]
    say(
        f"{counts['records']:,} pairs read; left out: {counts['unlabelled']:,} without a gold label, "
        f"{counts['doubles']:,} doubles, {counts['conflicting']:,} with conflicting labels, "
        f"{counts['negated_without_category']:,} negated without a category, "
        f"{counts['plain_left_out_for_dev']:,} with a premise of NLI_dev"
    )
    say(f"wrote {found.folder}: {STATISTICS_PAGE} tells all; next: litotes run nli:MODEL --suite {found.folder / TEST}")


def _describe() -> None:
    from litotes.building.developmental import DEVELOPMENTAL
    from litotes.cli.named_options import option_lines

    put(f"{DEVELOPMENTAL.name}: {DEVELOPMENTAL.summary}\n\noptions, by --option NAME=VALUE:")
    lines = option_lines(DEVELOPMENTAL)
    wide = max(len(name) for name, _ in lines)
    for name, text in lines:
        put(f"  {name:<{wide}}  {text}")
    put("\n--leakage TRAIN --leakage TEST tells what two NLI files share, and builds nothing.")
