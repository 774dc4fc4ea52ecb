"""`litotes repair`: an encoder that minds negation, made from plain text, with the proof beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import put, say
from litotes.cli.options import AllowPickle, AsJson, Offline, TrustRemoteCode, choose_suites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litotes.repair.result import Change, Outcome
    from litotes.suites.base import Suite


def repair(  # noqa: PLR0917  (a command's options)
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL", help="A sentence encoder: a folder, a hub id, a short name; for adapters also scheme:rest."
        ),
    ],
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="English text to learn from: a file, a folder, a glob, hf:NAME, builtin; again for more.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the repaired model goes.")],
    method: Annotated[
        str, typer.Option(help="training, or adapter: a map over the vectors of a model that cannot be trained.")
    ] = "training",
    general: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="More ordinary text, on which the model should stay; again for more."),
    ] = None,
    nli: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="NLI pairs to learn from too; again for more.")
    ] = None,
    sts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Pairs with scores (STS benchmark): is it as good as before on them?"),
    ] = None,
    paraphrases: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Paraphrases (STS benchmark, MRPC): are they found as well as before?"),
    ] = None,
    suite: Annotated[
        list[str] | None,
        typer.Option(help="A suite to report on; again for more. None: the built-in ones. They are not learned."),
    ] = None,
    data: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="The official file of a published suite, as well.")
    ] = None,
    lexicon: Annotated[
        bool, typer.Option("--lexicon/--no-lexicon", help="Learn from the lexicon's own antonyms too.")
    ] = True,
    include_reported: Annotated[
        bool, typer.Option("--include-reported", help="Learn from sentences that are reported on, too.")
    ] = False,
    keep: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="How firmly ordinary sentences stay where they are; more learns less."),
    ] = None,
    steps: Annotated[int | None, typer.Option(help="At most so many. None: the default.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="None: the default.")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Lessons in a step. None: the default.")] = None,
    seed: Annotated[int, typer.Option(help="Which lessons make up each step.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Learn from at most so many sentences; 0: all.")] = 100_000,
    rewritten: Annotated[
        int, typer.Option(min=0, help="Make other lessons than quadruples of so many of them; 0: all.")
    ] = 20_000,
    format_: Annotated[str | None, typer.Option("--format", help="Of the text. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The text's column; twice for a pair of sentences.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Running text: split it into sentences.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="How many cores to use. None: all.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Repair anew where there is a model already.")] = False,
    offline: Offline = False,
    allow_pickle: AllowPickle = False,
    trust_remote_code: TrustRemoteCode = False,
    json_: AsJson = False,
) -> None:
    """Fine-tune an encoder on negation and antonyms."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.core.registry import unknown_name
    from litotes.models.access import Access
    from litotes.repair.api import METHODS, repair_model

    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    given = {
        "keep": keep,
        "steps": steps,
        "learning_rate": learning_rate,
        "batch_size": batch_size,
        "seed": seed,
    }
    settings = _settings(method, {name: value for name, value in given.items() if value is not None})
    found = repair_model(
        model,
        out=expand_user(out),
        sources=from_,
        method="adapter" if method == "adapter" else "training",
        general=general or (),
        nli=nli or (),
        sts=sts,
        paraphrases=paraphrases,
        suites=_suites(suite, data),
        **settings,
        format=format_,
        columns=column or (),
        split=split,
        limit=limit or None,
        rewritten=rewritten or None,
        lexicon=lexicon,
        include_reported=include_reported,
        workers=workers,
        fresh=fresh,
        progress=terminal_progress(),
        access=Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code),
        told=say,
    )
    if json_:
        import json

        # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
        put(json.dumps(found.to_dict(), indent=2))
        return
    put(before_and_after(found))
    say("")
    name = found.folder if found.method == "training" else f"adapter:{found.folder}"
    say(f"model: {found.folder}\nnext:  litotes run {name}, litotes audit {name} --from {from_[0]}")


def _settings(method: str, given: dict[str, Any]) -> dict[str, Any]:
    """The settings of the method, with what was given in the place of its defaults."""
    from litotes.core.errors import UsageError

    if method == "training":
        from litotes.repair.settings import RepairSettings

        return {"settings": RepairSettings(**given)}
    from dataclasses import fields

    from litotes.repair.adapter import AdapterSettings

    known = {field.name for field in fields(AdapterSettings)}
    for name in given:
        if name not in known:
            raise UsageError("L102", f"--{name.replace('_', '-')}: an adapter has no such setting", hint="leave it out")
    return {"adapter": AdapterSettings(**given)}


def _suites(names: list[str] | None, data: list[str] | None) -> list[Suite]:
    """The suites that are named, else the built-in ones, and those whose files are given."""
    from litotes.suites.loading import BUILT_IN, FOR_LABELS

    chosen = names or [name for name in BUILT_IN if name not in FOR_LABELS]
    return choose_suites([*chosen, *(entry.partition("=")[0] for entry in data or ())], data)


def before_and_after(outcome: Outcome) -> str:
    """The table for a terminal of 80 columns."""
    from litotes.repair.model_card import base_name, shown, shown_difference, verdict
    from litotes.report.tables import Column, Table, as_text

    changes = outcome.changes
    if not changes:
        return f"{base_name(outcome.base)}: repaired; nothing was compared"
    caption = (
        f"{base_name(outcome.base)} before and after its repair. Accuracy where nothing else is said; all figures "
        "times 100, with the 95 % interval of the difference; “better” and “worse” where a paired test finds one."
    )
    columns = [
        Column("figure", "what", _names(changes)),
        Column("before", "before", [shown(one.before) for one in changes]),
        Column("after", "after", [shown(one.after) for one in changes]),
        Column("difference", "difference", [shown_difference(one) for one in changes]),
        Column(" ", "verdict", [verdict(one) for one in changes]),
    ]
    return as_text(Table(caption, columns))


def _names(changes: Sequence[Change]) -> list[str]:
    """What each row is about; of a second row on the same thing only what is new."""
    names: list[str] = []
    last = ""
    for one in changes:
        where, _, measure = one.what.rpartition(": ")
        whole = where if measure == "accuracy" else one.what
        names.append(f"  {measure}" if where and where == last else whole)
        last = where
    return names
