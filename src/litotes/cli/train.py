"""`litotes train KIND`: the kinds of model that can be trained, a file each."""

from __future__ import annotations

import typer

from litotes.cli.guard import guarded
from litotes.cli.train_infersent import train_infersent
from litotes.cli.train_nli import train_nli
from litotes.cli.train_sent2vec import train_sent2vec
from litotes.cli.train_skipthought import train_skipthought

train = typer.Typer(
    name="train",
    help="Train a model.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)

train.command("nli")(guarded(train_nli))
train.command("infersent")(guarded(train_infersent))
train.command("skipthought")(guarded(train_skipthought))
train.command("sent2vec")(guarded(train_sent2vec))
