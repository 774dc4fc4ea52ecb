"""`litotes audit`: how blind a model is on people's own text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AllowPickle, AsJson, Offline, TrustRemoteCode

if TYPE_CHECKING:
    from litotes.audit.neighbours import Method


def audit(  # noqa: PLR0917  (a command's options)
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="A sentence encoder: a folder, a hub id, a short name or scheme:rest. None: the built-in default.",
        ),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Your text: a file, a folder, a glob, - for standard input, hf:NAME, builtin; again for more.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the report goes. None: audit/ and the model's name.")
    ] = None,
    format_: Annotated[str | None, typer.Option("--format", help="Of the text. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The text's column; twice for a pair of sentences.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Running text: split it into sentences.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option(min=-1, max=1, metavar="NUMBER", help="Say what this similarity threshold lets through."),
    ] = None,
    budget: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="So many opposites may pass as duplicates.")
    ] = 0.05,
    most_lost: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="So many paraphrases may be lost.")
    ] = 0.1,
    fail_above: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="SHARE", help="Exit with 1 if the model is blind more often: for CI."),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Rewrite at most so many sentences; 0: all. Search and mining see all.")
    ] = 100_000,
    queries: Annotated[int, typer.Option(min=1, help="Search for at most so many.")] = 5_000,
    mining: Annotated[bool, typer.Option(help="Look for opposites that are in the text already.")] = True,
    mine_above: Annotated[
        float, typer.Option(min=0.01, max=1, metavar="NUMBER", help="Among pairs that are at least so similar.")
    ] = 0.7,
    neighbours: Annotated[int, typer.Option(min=1, help="Among so many neighbours of each sentence.")] = 48,
    most_pairs: Annotated[int, typer.Option(min=0, help="Keep at most so many pairs; 0: all that are found.")] = 10_000,
    approximate: Annotated[
        bool | None,
        typer.Option("--approximate/--exact", help="How neighbours are found. None: exact up to 150,000 sentences."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="How many cores to use. None: all.")] = None,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Write over another audit in the folder.")] = False,
    json_: AsJson = False,
    offline: Offline = False,
    allow_pickle: AllowPickle = False,
    trust_remote_code: TrustRemoteCode = False,
) -> None:
    """Measure on your own text how often a model confuses opposites."""
    from litotes.core.errors import UsageError

    if not from_:
        raise UsageError("L102", "there is no text", hint="give some by --from FILE; builtin is our own")

    from litotes.audit.corpus import open_corpus
    from litotes.audit.settings import Plan, load_encoder, name_of
    from litotes.core.files import expand_user
    from litotes.evaluation.result_store import model_folder
    from litotes.models.access import Access
    from litotes.models.hub import DEFAULT_MODEL
    from litotes.report.audit.export import check_free, write_audit

    method: Method | None = None if approximate is None else "approximate" if approximate else "exact"
    # What can be wrong is found before anything heavy is imported.
    name = name_of(model or DEFAULT_MODEL)
    folder = model_folder(Path("audit"), name) if out is None else expand_user(out)
    plan = Plan(
        name,
        open_corpus(None, from_, format=format_, columns=column or (), split=split),
        threshold=threshold,
        budget=budget,
        most_lost=most_lost,
        limit=limit or None,
        queries=queries,
        mining=mining,
        mine_threshold=mine_above,
        neighbours=neighbours,
        most_pairs=most_pairs or None,
        method=method,
        seed=seed,
    )
    check_free(folder, plan, fresh=fresh)

    from litotes.audit.api import run_audit
    from litotes.core.paths import cache_folder
    from litotes.core.progress import terminal_progress

    access = Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
    encoder = load_encoder(name, access)
    check_free(folder, plan, fresh=fresh, fingerprint=encoder.fingerprint.key())
    with terminal_progress() as progress:
        found = run_audit(plan, encoder, cache=cache_folder(), workers=workers, progress=progress, warn=warn, told=say)
    written = write_audit(folder, found)

    from litotes.audit.summary import above_limit, summary

    if json_:
        import json

        # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
        put(json.dumps({**found.to_dict(), "files": [str(path) for path in written]}, indent=2))
    else:
        put(summary(found))
        say("")
        for path in written:
            say(f"wrote {path}")
    if fail_above is not None and not found.blind <= fail_above:  # so that NaN does not let everything pass
        say(f"litotes: {above_limit(found, fail_above)}")
        raise typer.Exit(1)
