"""`litotes train skipthought`: skip-thought vectors from ordered text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.common_options import AsJson
from litotes.cli.guard import put, say, warn


def train_skipthought(  # noqa: PLR0917  (a command's options)
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="Sentences in their order: a file, a folder, a glob, - for standard input, hf:NAME; again for more.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the model goes.")],
    dim: Annotated[int, typer.Option(help="Numbers of a sentence. The paper: 2400.")] = 600,
    words: Annotated[int, typer.Option(help="Numbers of a word. The paper: 620.")] = 200,
    vocabulary: Annotated[int, typer.Option(help="How many words; the most frequent are taken.")] = 20_000,
    min_count: Annotated[int, typer.Option(help="Rarer words are read as unknown.")] = 2,
    epochs: Annotated[int, typer.Option(help="How often the text is read.")] = 5,
    batch_size: Annotated[int, typer.Option(help="Sentences a step.")] = 64,
    max_length: Annotated[int, typer.Option(help="Sentences of more words are left out.")] = 30,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = 1e-3,
    samples: Annotated[int, typer.Option(help="Noise words that a word is told from; 0: the whole vocabulary.")] = 512,
    bidirectional: Annotated[
        bool, typer.Option("--bidirectional", help="Read forwards and backwards, each with half of the numbers.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    format_: Annotated[str | None, typer.Option("--format", help="Of the text. None: found out.")] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="The text's column in a table.")] = None,
    split: Annotated[bool, typer.Option("--split", help="Running text: split it into sentences.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Train anew where there is a model already.")] = False,
    json_: AsJson = False,
) -> None:
    """Train skip-thought vectors on ordered text; the same command goes on where it was stopped."""
    import json
    from dataclasses import asdict

    from litotes.core.files import expand_user
    from litotes.core.progress import progress_for_people
    from litotes.corpora.base import Problems
    from litotes.training.skipthought import train_skipthought
    from litotes.training.skipthought_settings import SkipThoughtSettings
    from litotes.training.skipthought_text import read_documents

    settings = SkipThoughtSettings(
        dim=dim,
        words=words,
        vocabulary=vocabulary,
        min_count=min_count,
        epochs=epochs,
        batch_size=batch_size,
        max_length=max_length,
        learning_rate=learning_rate,
        samples=samples,
        bidirectional=bidirectional,
        seed=seed,
    )
    problems = Problems()
    columns = [column] if column is not None else []
    found = train_skipthought(
        read_documents(from_, format=format_, columns=columns, split=split, strict=strict, problems=problems),
        expand_user(out),
        settings=settings,
        progress=progress_for_people("sentences"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if json_:
        put(json.dumps(asdict(found), indent=2, default=str))
        return
    put(
        f"{found.folder}: {found.words:,} words, {found.examples:,} of {found.sentences:,} sentences learnt from,"
        f" loss {found.loss:.3f}"
    )
    say(f"figures of every epoch: {found.metrics}; next: litotes run skipthought:{found.folder} --suite triplets-mini")
