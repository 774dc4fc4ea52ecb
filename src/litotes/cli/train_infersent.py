"""`litotes train infersent`: a sentence encoder from word vectors and labelled pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.common_options import AsJson
from litotes.cli.guard import put, say
from litotes.cli.reading_pairs import read_pairs

if TYPE_CHECKING:
    from litotes.training.infersent import TrainedInferSent


def train_infersent(  # noqa: PLR0917  (a command's options)
    data: Annotated[
        list[str], typer.Option(metavar="FILE", help="Labelled pairs (SNLI, MultiNLI, JSON lines, …); again for more.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the model goes.")],
    dev: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Pairs on which it is measured after each epoch.")
    ] = None,
    vectors: Annotated[
        str, typer.Option(metavar="WHERE", help="Word vectors: a file, or 6b-50d, those of the extra glove.")
    ] = "6b-50d",
    dim: Annotated[int, typer.Option(help="Numbers a direction; a vector has twice as many. The paper: 2048.")] = 512,
    hidden: Annotated[int, typer.Option(help="Width of the classifier's layers.")] = 512,
    tanh: Annotated[bool, typer.Option("--tanh", help="A tanh between the classifier's layers.")] = False,
    epochs: Annotated[int, typer.Option(help="At most.")] = 20,
    batch_size: Annotated[int, typer.Option(help="Pairs a step.")] = 64,
    learning_rate: Annotated[float, typer.Option(help="Of the first epoch.")] = 0.1,
    examples: Annotated[int, typer.Option(help="Pairs drawn from the data; 0: all.")] = 0,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    version: Annotated[int, typer.Option(help="How texts are read: 1 as for GloVe, 2 as for fastText.")] = 1,
    lowercase: Annotated[
        bool | None, typer.Option("--lowercase/--keep-case", help="Else by whether the vectors have capitals.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, …; auto: the best there is.")] = "auto",
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
    allow_pickle: Annotated[bool, typer.Option("--allow-pickle", help="Read pickled word vectors.")] = False,
    json_: AsJson = False,
) -> None:
    """Train InferSent on labelled pairs; the same command goes on where it was stopped."""
    from litotes.core.files import expand_user
    from litotes.core.progress import progress_for_people
    from litotes.scorers.access import Access
    from litotes.training.infersent import train_infersent
    from litotes.training.infersent_settings import InferSentSettings

    settings = InferSentSettings(
        dim=dim,
        hidden=hidden,
        tanh=tanh,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        examples=examples or None,
        seed=seed,
        version=version,
        lowercase=lowercase,
    )
    read = read_pairs(data, dev or (), except_=except_ or (), format=format_, columns=column or (), strict=strict)
    read.tell()
    found = train_infersent(
        read.pairs,
        expand_user(out),
        vectors=vectors,
        dev=read.dev,
        settings=settings,
        progress=progress_for_people("pairs"),
        access=Access(offline=offline, allow_pickle=allow_pickle),
        fresh=fresh,
        device=device,
    )
    if json_:
        _put_json(found)
        return
    accuracy = found.dev_accuracy
    told = "trained" if accuracy is None else f"on {len(read.dev):,} dev pairs accuracy {accuracy:.3f}"
    put(f"{found.folder}: {told} ({len(found.epochs)} epochs)")
    say(f"figures of every epoch: {found.metrics}; next: litotes run infersent:{found.folder} --suite triplets-mini")


def _put_json(found: TrainedInferSent) -> None:
    import json
    from dataclasses import asdict

    put(json.dumps({**asdict(found), "dev_accuracy": found.dev_accuracy}, indent=2, default=str))
