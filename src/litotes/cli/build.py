"""`litotes build`: a suite from raw text, or from what people said of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.common_options import AsJson
from litotes.cli.guard import put, say, warn

if TYPE_CHECKING:
    from litotes.building.base import Builder
    from litotes.building.engine import Built


def build(  # noqa: PLR0917  (a command's options)
    suite: Annotated[
        str | None,
        typer.Argument(metavar="SUITE", help="semantoneg, heros, triplets or developmental. None: lists them."),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="The corpus: a file, a folder, a glob, - for standard input, hf:NAME, builtin; again for more.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the suite goes.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the builder; again for more.")
    ] = None,
    format_: Annotated[str | None, typer.Option("--format", help="Of the corpus. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The text's column; twice for a pair of sentences.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Running text: split it into sentences.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many quadruples, originals or triplets.")] = None,
    per_group: Annotated[int | None, typer.Option(min=1, help="At most so many of one word or antonym pair.")] = None,
    balance: Annotated[bool, typer.Option("--balance", help="With --limit: as many of each group as can be.")] = False,
    naturalness: Annotated[
        str, typer.Option(metavar="MODEL", help="How candidates are ranked: a language model, or the corpus's counts.")
    ] = "corpus",
    min_naturalness: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Leave out what is less natural; 0: as natural as it was.")
    ] = None,
    language_tool: Annotated[
        str | None, typer.Option(metavar="URL", help="A LanguageTool server that all sentences must pass.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    name: Annotated[str, typer.Option(help="The suite's name. None: the builder's.")] = "",
    licence: Annotated[str, typer.Option(help="The licence of the corpus, for suite.json.")] = "",
    official: Annotated[
        bool, typer.Option("--official", help="Write the paper's own file format too, the right option at any place.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    skipped: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was left out, and why, as JSON lines.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Build anew where there is a suite already.")] = False,
    apply_review: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Make the reviewed suite of a folder that people have reviewed.")
    ] = None,
    adjudicate: Annotated[
        str, typer.Option(metavar="HOW", help="Of several verdicts: majority, unanimous or any-reject.")
    ] = "majority",
    leakage: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="With developmental: twice, train and test; what the test shares with train."
        ),
    ] = None,
    json_: AsJson = False,
) -> None:
    """Build a suite from raw text, or from a reviewed one."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user

    out = None if out is None else expand_user(out)
    if apply_review is not None:
        if suite is not None or from_:
            hint = "the reviewed suite comes from the review alone"
            raise UsageError("L102", "--apply-review goes without a SUITE and without --from", hint=hint)
        _apply_review(expand_user(apply_review), out, adjudicate, name, fresh=fresh, seed=seed if official else None)
        return
    if suite is None:
        if from_ or out is not None:
            raise UsageError("L102", "there is no SUITE", hint="litotes build lists what can be built")
        _list()
        return
    from litotes.building.builders import load_builder
    from litotes.cli import build_developmental as developmental

    if suite == developmental.NAME:
        developmental.command(
            from_ or [],
            out,
            option or [],
            leakage or [],
            as_json=json_,
            only_suites={
                "--split": split,
                "--limit": limit is not None,
                "--per-group": per_group is not None,
                "--balance": balance,
                "--naturalness": naturalness != "corpus",
                "--min-naturalness": min_naturalness is not None,
                "--language-tool": language_tool is not None,
                "--official": official,
                "--skipped": skipped is not None,
            },
            settings={
                "format": format_,
                "columns": column or (),
                "strict": strict,
                "seed": seed,
                "name": name,
                "licence": licence,
                "workers": workers,
                "fresh": fresh,
            },
        )
        return
    builder = load_builder(suite)
    if leakage:
        raise UsageError("L102", f"--leakage is for {developmental.NAME}, not for {suite}")
    if not from_ and out is None:
        _describe(builder)
        return
    if not from_:
        raise UsageError("L102", "there is no corpus", hint="give one by --from FILE; builtin is our own")
    if out is None:
        raise UsageError("L102", "--out is missing", hint="name a folder for the suite")

    from litotes.building.api import build_suite
    from litotes.cli.named_options import named_options
    from litotes.core.progress import progress_for_people
    from litotes.language.spacy_alone import prefer_spacy_alone

    prefer_spacy_alone()
    found = build_suite(
        suite,
        from_,
        out,
        options=named_options(builder, option or [], see=f"litotes build {suite}"),
        format=format_,
        columns=column or (),
        split=split,
        strict=strict,
        seed=seed,
        limit=limit,
        per_group=per_group,
        balance=balance,
        min_naturalness=min_naturalness,
        naturalness=naturalness,
        language_tool=language_tool,
        name=name,
        licence=licence,
        workers=workers,
        fresh=fresh,
        official=official,
        skipped=skipped,
        progress=progress_for_people(),
    )
    if found.problems.count:
        warn(found.problems.summary())
    if json_:
        _put_json(found)
    else:
        _say(found, builder)


def _say(found: Built, builder: Builder) -> None:
    for set_, folder in found.folders.items():
        units, items = found.units[set_], found.items[set_]
        put(f"{folder}: {items:,} items" + (f" from {units:,} sentences" if units != items else ""))
    for file in found.official:
        say(f"wrote {file}")
    left = sorted(found.skips.items(), key=lambda entry: (-entry[1], entry[0]))
    say(f"{found.read:,} lines read" + ("; left out:" if left else "; nothing was left out"))
    for code, count in left:
        say(f"{count:>10,}  {code}: {builder.skips.get(code, '')}")
    folder = next(iter(found.folders.values()))
    say(f"next: litotes review {folder}, then litotes run --suite {folder}")


def _put_json(found: Built) -> None:
    import json

    put(
        json.dumps(
            {
                "suites": {
                    set_ or "suite": {"folder": str(folder), "items": found.items[set_], "units": found.units[set_]}
                    for set_, folder in found.folders.items()
                },
                "read": found.read,
                "problems": found.problems.by_kind,
                "skipped": dict(found.skips),
                "official": [str(file) for file in found.official],
            },
            indent=2,
        )
    )


def _apply_review(folder: Path, out: Path | None, adjudicate: str, name: str, *, fresh: bool, seed: int | None) -> None:
    """The reviewed suite of a folder, or of each reviewed suite in it; with a seed in the paper's own format too."""
    from litotes.building.engine import check_free, check_unreviewed
    from litotes.building.official import write_official
    from litotes.core.errors import UsageError
    from litotes.review.applying import write_reviewed
    from litotes.review.store import FILE_NAME

    if out is None:
        raise UsageError("L102", "--out is missing", hint="name a folder for the reviewed suite")
    inside = (
        [] if (folder / "suite.json").exists() else sorted(path.parent.name for path in folder.glob(f"*/{FILE_NAME}"))
    )
    if out.resolve() != folder.resolve():  # that one has a message of its own
        check_unreviewed(out)
        check_free(out, fresh=fresh)
    for set_ in inside or [""]:
        of_set = f"{name}-{set_}" if name and set_ else name
        for line in write_reviewed(folder / set_, out / set_, adjudicate=adjudicate, name=of_set or None):
            put(line)
        for file in write_official(out / set_, seed) if seed is not None else ():
            say(f"wrote {file}")


def _list() -> None:
    from litotes.building.builders import list_builders, load_builder
    from litotes.cli import build_developmental as developmental

    for name in list_builders():
        put(f"{name:<14} {load_builder(name).summary}")
    put(f"{developmental.NAME:<14} {developmental.summary()}")
    put("\nlitotes build SUITE shows a builder's options and why it leaves sentences out.")


def _describe(builder: Builder) -> None:
    from litotes.cli.named_options import option_lines

    put(f"{builder.name}: {builder.summary}\n\noptions, by --option NAME=VALUE:")
    lines = option_lines(builder)
    wide = max(len(name) for name, _ in lines)
    for name, text in lines:
        put(f"  {name:<{wide}}  {text}")
    put("\nsentences are left out for:")
    wide = max(map(len, builder.skips))
    for code, text in builder.skips.items():
        put(f"  {code:<{wide}}  {text}")
