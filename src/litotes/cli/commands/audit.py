"""`litotes audit`: how often a model confuses opposites in the user's own text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Meta

from litotes.audit.settings import AuditSettings
from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import EncoderName, TextSources
from litotes.core.settings import EngineSetting, Fraction, PositiveInt, Settings
from litotes.models.access import Access
from litotes.planning.plan import PlanSettings


class AuditJob(Settings, frozen=True, kw_only=True):
    """How an audit is run and reported."""

    fail_above: Annotated[
        Fraction | None,
        Meta(description="Exit with code 1 if blindness is higher: for CI.", extra={"metavar": "SHARE"}),
    ] = None
    fresh: Annotated[bool, Meta(description="Overwrite another audit in the folder.")] = False
    workers: Annotated[PositiveInt | None, Meta(description="Number of processor cores. Default: all.")] = None
    engine: EngineSetting = None
    json: Annotated[bool, Meta(description="Print one JSON document and nothing else.")] = False


def audit(  # noqa: PLR0917  (a command's options)
    settings: AuditSettings,
    access: Access,
    job: AuditJob,
    plan: PlanSettings,
    model: EncoderName = None,
    from_: TextSources = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the report. Default: audit/ and the model's name.")
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder in which the index of the approximate search is stored and updated."),
    ] = None,
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
    choose_engine(job.engine, job.workers, default_workers=usable_cores())
    name = check_encoder_name(model or DEFAULT_MODEL)
    folder = model_folder(Path("audit"), name) if out is None else expand_user(out)
    if plan.dry_run:
        _put_plan(name, from_, settings, plan, access, as_json=job.json)
        return
    check_network(from_, may_use_network=access.may_use_network)
    corpus = open_corpus(None, from_, format=settings.format, columns=settings.columns, split=settings.split)
    check_free(folder, corpus, settings, fresh=job.fresh)

    from litotes.audit.api import AuditRuntime, run_audit
    from litotes.audit.summary import limit_exceeded, summarise
    from litotes.core.paths import cache_folder
    from litotes.core.progress import terminal_progress
    from litotes.evaluation.vectors.remote import load_encoder_on

    encoder = load_encoder_on(name, access, job.engine, job.workers)
    check_free(folder, corpus, settings, fresh=job.fresh, fingerprint=encoder.fingerprint.key())
    with terminal_progress() as progress:
        index_folder = None if index is None else expand_user(index)
        runtime = AuditRuntime(
            cache_folder(), job.workers, job.engine, index_folder, progress, on_warning=warn, on_message=say
        )
        result = run_audit(encoder, corpus, settings, runtime)
    paths = write_audit(folder, result)
    if job.json:
        import json

        # In ASCII, so that the JSON does not depend on the encoding of the terminal.
        put(json.dumps({**result.to_dict(), "files": [str(path) for path in paths]}, indent=2))
    else:
        put(summarise(result))
        say("")
        for path in paths:
            say(f"wrote {path}")
    if job.fail_above is not None and not result.blind <= job.fail_above:  # also fails for NaN
        say(f"litotes: {limit_exceeded(result, job.fail_above)}")
        raise typer.Exit(1)


def _put_plan(
    model: str, sources: list[str], settings: AuditSettings, plan: PlanSettings, access: Access, *, as_json: bool
) -> None:
    import json

    from litotes.planning.api import plan_audit
    from litotes.planning.plan import plan_lines

    result = plan_audit(model, sources, settings, plan, access)
    put(json.dumps(result.to_dict(), indent=2) if as_json else "\n".join(plan_lines(result)))
