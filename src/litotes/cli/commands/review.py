"""`litotes review`: a page on this machine on which people accept, reject or edit every item of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import Terminated, put, say

if TYPE_CHECKING:
    from litotes.review.session import ReviewSession


def review(  # noqa: PLR0917  (a command's options)
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a suite.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let other machines in; the line is not encrypted.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    per_item: Annotated[int, typer.Option(min=1, help="How many annotators judge each unit.")] = 1,
    gold: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON lines of unit and verdict to calibrate annotators by.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Annotators see each other's verdicts.")] = False,
    export: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the verdicts there; no page.")] = None,
    import_: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Take in the verdicts there; no page.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="jsonl|label-studio", help="Of --export and --import.")
    ] = "jsonl",
    status: Annotated[bool, typer.Option("--status", help="Print progress and agreement; no page.")] = False,
) -> None:
    """Review the items of a suite in the browser."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user
    from litotes.review.access import is_loopback
    from litotes.review.import_export import FORMATS, export_review, import_review
    from litotes.review.session import open_review, read_gold

    folder = expand_user(folder)
    if form not in FORMATS:
        raise UsageError("L102", f'--format: there is no "{form}"', hint=f"there is {' and '.join(FORMATS)}")
    if sum((export is not None, import_ is not None, status)) > 1:
        raise UsageError("L102", "--export, --import and --status go one at a time")
    if not is_loopback(host) and not allow_remote:
        raise UsageError("L102", f"--host {host}: others could reach it", hint="if you mean it, add --allow-remote")
    without_page = export is not None or status
    with open_review(folder, create=not without_page) as opened:
        if gold is not None:
            opened.store.set_gold(read_gold(expand_user(gold), opened.units))
        if export is not None:
            written = export_review(opened, expand_user(export), form)
            say(f"wrote {' and '.join(map(str, written))}")
        elif import_ is not None:
            done = import_review(opened, expand_user(import_), form)
            say(f"took in {done.new:,} verdicts; {done.changed:,} others changed, {done.same:,} were there already")
        elif status:
            _print_status(opened, per_item)
        else:
            _serve(opened, host, port, per_item=per_item, open_verdicts=open_, browser=not no_browser)


def _print_status(opened: ReviewSession, per_item: int) -> None:
    from litotes.review.summary import summarise, summary_lines

    summary = summarise(len(opened.units), opened.store.current(), opened.store.gold())
    for line in summary_lines(opened.suite.name, summary, per_item):
        put(line)


def _serve(opened: ReviewSession, host: str, port: int, *, per_item: int, open_verdicts: bool, browser: bool) -> None:
    from litotes.core.errors import missing_package
    from litotes.review.access import AccessControl
    from litotes.review.service import ReviewService

    try:
        from litotes.review.server import listen, make_app, serve
    except ImportError as error:
        raise missing_package(error.name or "starlette", "review") from error
    with listen(host, port) as listening:
        access = AccessControl(host, listening.getsockname()[1])
        app = make_app(ReviewService(opened, per_item=per_item, open_verdicts=open_verdicts), access)
        try:
            put(access.url)
            say(f"{opened.suite.name}: {len(opened.units):,} units; verdicts go to {opened.store.path}; Ctrl-C ends it")
            if browser:
                _open_browser(access.ticket_url)
            serve(app, listening)
        except Terminated:
            raise
        except KeyboardInterrupt:  # the usual end
            say("the review is closed; the same command goes on with it")


def _open_browser(url: str) -> None:
    import threading
    import webbrowser

    # Beside the server: a browser in the terminal would wait for it.
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
