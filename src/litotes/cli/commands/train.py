"""`litotes train`: NLI models and classic sentence encoders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import catch_errors, put, say
from litotes.cli.nli_pairs import read_pairs
from litotes.cli.options import AsJson, Overrides, prepare_command
from litotes.cli.train_classic import train_infersent, train_sent2vec, train_skipthought
from litotes.training.nli.settings import TrainSettings

if TYPE_CHECKING:
    from litotes.training.nli.train import TrainingResult


def train_nli(
    *,
    base: Annotated[str, typer.Option(metavar="MODEL", help="Base encoder: a folder or a hub id.")],
    data: Annotated[
        list[str], typer.Option(metavar="FILE", help="Labelled pairs (SNLI, MultiNLI, JSON lines, …); can be repeated.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")],
    dev: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Labelled pairs for evaluation after each epoch.")
    ] = None,
    preset: Annotated[str, typer.Option(help="paper, small (an hour on two cores) or smoke (a minute).")] = "paper",
    settings: Annotated[dict[str, Any], Overrides((TrainSettings,), default="the preset's")],
    without_negation: Annotated[
        bool, typer.Option("--without-negation", help="Leave out pairs with a negation from --data and --dev.")
    ] = False,
    except_: Annotated[
        list[str] | None,
        typer.Option("--except", metavar="FILE", help="Leave out pairs with a premise of this file; can be repeated."),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="File format. Default: detected automatically.")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Premise column, then hypothesis column.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Replace a model that is already in the folder.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Do not use the network.")] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Load pickled weights of the base model.")
    ] = False,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run code that the base model ships with.")
    ] = False,
    json_: AsJson = False,
) -> None:
    """Fine-tune an encoder for NLI; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.models.access import Access
    from litotes.training.nli.settings import preset as find_preset
    from litotes.training.nli.train import is_main_process, train_nli

    train_settings = find_preset(preset).replace(**settings)
    read = read_pairs(
        data,
        dev or (),
        except_=except_ or (),
        without_negation=without_negation,
        format=format_,
        columns=column or (),
        strict=strict,
    )
    if is_main_process():
        read.tell()
    found = train_nli(
        base,
        read.pairs,
        expand_user(out),
        dev=read.dev,
        settings=train_settings,
        progress=terminal_progress("pairs"),
        access=Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code),
        fresh=fresh,
    )
    if not is_main_process():
        return
    if json_:
        _put_json(found)
        return
    figures = ", ".join(f"{name} {value:.3f}" for name, value in found.dev.items() if name != "loss")
    put(f"{found.folder}: " + (f"{figures} on {len(read.dev):,} dev pairs" if figures else "trained"))
    say(f"figures of every epoch: {found.metrics}; next: litotes run nli:{found.folder} --suite developmental-mini")


def _put_json(found: TrainingResult) -> None:
    import json
    from dataclasses import asdict

    put(json.dumps(asdict(found), indent=2, default=str))


train = typer.Typer(
    name="train",
    help="Train a model.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)

train.command("nli")(catch_errors(prepare_command(train_nli)))
train.command("infersent")(catch_errors(prepare_command(train_infersent)))
train.command("skipthought")(catch_errors(prepare_command(train_skipthought)))
train.command("sent2vec")(catch_errors(prepare_command(train_sent2vec)))
