"""`litotes train KIND`: the kinds of model that can be trained, a file each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from litotes.cli.error_handling import catch_errors, put, say
from litotes.cli.nli_pairs import read_pairs
from litotes.cli.options import AsJson, prepare_command
from litotes.cli.train_classic import train_infersent, train_sent2vec, train_skipthought

if TYPE_CHECKING:
    from litotes.training.nli.settings import TrainSettings
    from litotes.training.nli.train import Trained


def train_nli(  # noqa: PLR0917  (a command's options)
    base: Annotated[str, typer.Option(metavar="MODEL", help="The encoder to begin with: a folder or a hub id.")],
    data: Annotated[
        list[str], typer.Option(metavar="FILE", help="Labelled pairs (SNLI, MultiNLI, JSON lines, …); again for more.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the model goes.")],
    dev: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Pairs on which it is measured after each epoch.")
    ] = None,
    preset: Annotated[str, typer.Option(help="paper, small (an hour on two cores) or smoke.")] = "paper",
    learning_rate: Annotated[float | None, typer.Option(help="Else the preset's.")] = None,
    weight_decay: Annotated[float | None, typer.Option(help="Else the preset's.")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Else the preset's.")] = None,
    max_length: Annotated[int | None, typer.Option(help="Tokens of a pair. Else the preset's.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Else the preset's.")] = None,
    examples: Annotated[int | None, typer.Option(help="Pairs drawn from the data; 0: all. Else the preset's.")] = None,
    warmup: Annotated[float | None, typer.Option(help="Share of the steps. Else the preset's.")] = None,
    precision: Annotated[str | None, typer.Option(help="float32, bf16 or fp16.")] = None,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    without_negation: Annotated[
        bool, typer.Option("--without-negation", help="Leave out pairs with a negation, in --data and --dev.")
    ] = False,
    except_: Annotated[
        list[str] | None,
        typer.Option("--except", metavar="FILE", help="Leave out pairs whose premise is in these files."),
    ] = None,
    format_: Annotated[str | None, typer.Option("--format", help="Of the data. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Twice: the columns of premise and hypothesis.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Train anew where there is a model already.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Never use the network.")] = False,
    allow_pickle: Annotated[bool, typer.Option("--allow-pickle", help="Read pickled weights of the base.")] = False,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Let the base run code of its own.")
    ] = False,
    json_: AsJson = False,
) -> None:
    """Fine-tune an encoder for NLI; the same command goes on where it was stopped."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.models.access import Access
    from litotes.training.nli.train import is_main_process, train_nli

    settings = _settings(
        preset,
        {
            "learning_rate": learning_rate,
            "weight_decay": weight_decay,
            "batch_size": batch_size,
            "max_length": max_length,
            "epochs": epochs,
            "examples": examples,
            "warmup": warmup,
            "precision": precision,
            "seed": seed,
        },
    )
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
        settings=settings,
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
    put(f"{found.folder}: " + (f"on {len(read.dev):,} dev pairs {figures}" if figures else "trained"))
    say(f"figures of every epoch: {found.metrics}; next: litotes run nli:{found.folder} --suite developmental-mini")


def _put_json(found: Trained) -> None:
    import json
    from dataclasses import asdict

    put(json.dumps(asdict(found), indent=2, default=str))


def _settings(name: str, given: dict[str, Any]) -> TrainSettings:
    """The preset with what was given in its place."""
    from dataclasses import replace

    from litotes.training.nli.settings import preset

    values = {key: value for key, value in given.items() if value is not None}
    if values.get("examples") == 0:
        values["examples"] = None
    return replace(preset(name), **values)


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
