"""`litotes review`: a local web page to accept, reject or edit the items of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Meta

from litotes.cli.error_handling import Terminated, put, say
from litotes.core.settings import PositiveInt, Settings

if TYPE_CHECKING:
    from litotes.review.store import ReviewSession


class ServerOptions(Settings, frozen=True, kw_only=True):
    """How the web page is served."""

    port: Annotated[int, Meta(ge=0, le=65535, description="Port of the server; 0: a free one.")] = 0
    host: Annotated[str, Meta(description="Address on which the server listens.")] = "127.0.0.1"
    allow_remote: Annotated[bool, Meta(description="Accept connections from other machines, without encryption.")] = (
        False
    )
    no_browser: Annotated[bool, Meta(description="Do not open a browser.")] = False
    per_item: Annotated[PositiveInt, Meta(description="Number of annotators per unit.")] = 1
    open: Annotated[bool, Meta(description="Show annotators the verdicts of the others.")] = False


def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a suite.")],
    *,
    server: ServerOptions,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Known verdicts to calibrate annotators: JSON lines with unit and verdict."),
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts to a file; do not start the server.")
    ] = None,
    import_: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Import verdicts from a file; do not start the server."),
    ] = None,
    file_format: Annotated[
        str, typer.Option("--format", metavar="jsonl|label-studio", help="File format of --export and --import.")
    ] = "jsonl",
    status: Annotated[
        bool, typer.Option("--status", help="Print progress and agreement; do not start the server.")
    ] = False,
) -> None:
    """Review the items of a suite in the browser."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user
    from litotes.review.import_export import FORMATS, export_review, import_review
    from litotes.review.store import open_review, read_gold
    from litotes.web.access import is_loopback

    folder = expand_user(folder)
    if file_format not in FORMATS:
        raise UsageError("L102", f'--format: unknown format "{file_format}"', hint=f"known: {', '.join(FORMATS)}")
    if sum((export is not None, import_ is not None, status)) > 1:
        raise UsageError("L102", "--export, --import and --status cannot be combined")
    if not is_loopback(server.host) and not server.allow_remote:
        message = f"--host {server.host}: is reachable from other machines"
        raise UsageError("L102", message, hint="add --allow-remote to allow that")
    is_read_only = export is not None or status
    with open_review(folder, create=not is_read_only) as opened:
        if gold is not None:
            opened.store.set_gold(read_gold(expand_user(gold), opened.units))
        if export is not None:
            written = export_review(opened, expand_user(export), file_format)
            say(f"wrote {' and '.join(map(str, written))}")
        elif import_ is not None:
            counts = import_review(opened, expand_user(import_), file_format)
            say(f"{counts.new:,} verdicts are new, {counts.changed:,} changed, {counts.same:,} are unchanged")
        elif status:
            _print_status(opened, server.per_item)
        else:
            _serve(opened, server)


def _print_status(opened: ReviewSession, per_item: int) -> None:
    from litotes.review.summary import summarise, summary_lines

    summary = summarise(len(opened.units), opened.store.current(), opened.store.gold())
    for line in summary_lines(opened.suite.name, summary, per_item):
        put(line)


def _serve(opened: ReviewSession, options: ServerOptions) -> None:
    from litotes.core.errors import missing_package
    from litotes.review.service import ReviewService
    from litotes.web.access import AccessControl

    try:
        from litotes.review.server import LIMITS, make_app
        from litotes.web.server import listen, serve
    except ImportError as error:
        raise missing_package(error.name or "starlette", "review") from error
    with listen(options.host, options.port) as listening:
        access = AccessControl(options.host, listening.getsockname()[1])
        app = make_app(ReviewService(opened, per_item=options.per_item, open_verdicts=options.open), access)
        try:
            put(access.url)
            count = f"{opened.suite.name}: {len(opened.units):,} units"
            say(f"{count}; verdicts are saved in {opened.store.path}; Ctrl-C stops the server")
            if not options.no_browser:
                _open_browser(access.ticket_url)
            serve(app, listening, LIMITS)
        except Terminated:
            raise
        except KeyboardInterrupt:  # the usual way to stop
            say("the review is closed; run the same command to resume it")


def _open_browser(url: str) -> None:
    import threading
    import webbrowser

    # In a thread, because a text browser in the terminal would block the server.
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
