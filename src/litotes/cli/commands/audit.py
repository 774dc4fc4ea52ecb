"""`litotes audit`: how often a model confuses opposites in the user's own text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.audit.settings import AuditSettings
from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AsJson, EngineName, Workers
from litotes.models.access import Access


def audit(  # noqa: PLR0917  (a command's options)
    settings: AuditSettings,
    access: Access,
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="A sentence encoder: a folder, a hub id, a short name or scheme:rest. Default: the built-in model.",
        ),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Your text: a file, folder, glob, URL, - for standard input, hf:NAME or builtin. Repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: audit/ and the model's name.")
    ] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="SHARE", help="Exit with code 1 if blindness is higher: for CI."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Overwrite another audit in the folder.")] = False,
    index: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder in which the index of the approximate search is stored and updated."),
    ] = None,
    workers: Workers = None,
    engine: EngineName = None,
    json_: AsJson = False,
) -> None:
    """Measure on your own text how often a model confuses opposites."""
    from litotes.core.errors import UsageError

    if not from_:
        raise UsageError("L102", "no text is given", hint="add --from FILE; --from builtin uses the built-in text")

    from litotes.audit.corpus import open_corpus
    from litotes.core.files import expand_user
    from litotes.core.parallel.engine import choose_engine, usable_cores
    from litotes.corpora.remote import check_network
    from litotes.evaluation.result_store import model_folder
    from litotes.models.encoders import check_encoder_name
    from litotes.models.hub import DEFAULT_MODEL
    from litotes.report.audit_page import check_free, write_audit

    # Errors in the options are raised before anything heavy is imported.
    choose_engine(engine, workers, default_workers=usable_cores())
    name = check_encoder_name(model or DEFAULT_MODEL)
    folder = model_folder(Path("audit"), name) if out is None else expand_user(out)
    check_network(from_, may_use_network=access.may_use_network)
    corpus = open_corpus(None, from_, format=settings.format, columns=settings.columns, split=settings.split)
    check_free(folder, corpus, settings, fresh=fresh)

    from litotes.audit.api import AuditRuntime, run_audit
    from litotes.audit.summary import limit_exceeded, summarise
    from litotes.core.paths import cache_folder
    from litotes.core.progress import terminal_progress
    from litotes.evaluation.vectors.remote import load_encoder_on

    encoder = load_encoder_on(name, access, engine, workers)
    check_free(folder, corpus, settings, fresh=fresh, fingerprint=encoder.fingerprint.key())
    with terminal_progress() as progress:
        index_folder = None if index is None else expand_user(index)
        runtime = AuditRuntime(cache_folder(), workers, engine, index_folder, progress, on_warning=warn, on_message=say)
        result = run_audit(encoder, corpus, settings, runtime)
    paths = write_audit(folder, result)
    if json_:
        import json

        # In ASCII, so that the JSON does not depend on the encoding of the terminal.
        put(json.dumps({**result.to_dict(), "files": [str(path) for path in paths]}, indent=2))
    else:
        put(summarise(result))
        say("")
        for path in paths:
            say(f"wrote {path}")
    if fail_above is not None and not result.blind <= fail_above:  # also fails for NaN
        say(f"litotes: {limit_exceeded(result, fail_above)}")
        raise typer.Exit(1)
