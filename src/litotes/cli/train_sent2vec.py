"""`litotes train sent2vec`: a sent2vec model from plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.common_options import AsJson
from litotes.cli.guard import put, say, warn


def train_sent2vec(  # noqa: PLR0917  (a command's options)
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="The text: a file, a folder, a glob, - for standard input, hf:NAME, builtin; again for more.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the model goes.")],
    dim: Annotated[int, typer.Option(help="How many numbers a vector has.")] = 100,
    epochs: Annotated[int, typer.Option(help="How often the text is read.")] = 5,
    word_ngrams: Annotated[int, typer.Option(help="Words of the longest n-gram; 1: words alone.")] = 2,
    bucket: Annotated[int, typer.Option(help="Rows that all n-grams share.")] = 200_000,
    min_count: Annotated[int, typer.Option(help="Rarer words have no vector.")] = 5,
    min_target_count: Annotated[int, typer.Option(help="Rarer words are not told from the others.")] = 0,
    negatives: Annotated[int, typer.Option(help="Words drawn against each that is told.")] = 10,
    learning_rate: Annotated[float, typer.Option(help="At the beginning; it falls to 0.")] = 0.2,
    dropout_k: Annotated[int, typer.Option(help="In how many words of a sentence n-grams are dropped.")] = 4,
    subsample: Annotated[float, typer.Option(help="Words of a larger share are told less often.")] = 1e-4,
    batch_size: Annotated[int, typer.Option(help="Words told at once.")] = 64,
    seed: Annotated[int, typer.Option(help="Whatever is drawn by chance depends on it.")] = 0,
    format_: Annotated[str | None, typer.Option("--format", help="Of the text. None: found out.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="The text's column; twice for a pair of sentences.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Running text: split it into sentences.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Train anew where there is a model already.")] = False,
    json_: AsJson = False,
) -> None:
    """Train a sent2vec model; the same command goes on where it was stopped."""
    import json
    from dataclasses import asdict

    from litotes.core.files import expand_user
    from litotes.core.progress import progress_for_people
    from litotes.corpora.base import Problems
    from litotes.corpora.reading import read_corpus, single_sentences
    from litotes.training.sent2vec import train_sent2vec
    from litotes.training.sent2vec_settings import Sent2VecSettings

    settings = Sent2VecSettings(
        dim=dim,
        epochs=epochs,
        word_ngrams=word_ngrams,
        bucket=bucket,
        min_count=min_count,
        min_target_count=min_target_count,
        negatives=negatives,
        learning_rate=learning_rate,
        dropout_k=dropout_k,
        subsample=subsample,
        batch_size=batch_size,
        seed=seed,
    )
    problems = Problems()
    records = read_corpus(from_, format=format_, columns=column or (), split=split, strict=strict, problems=problems)
    found = train_sent2vec(
        (record.text for record in single_sentences(records)),
        expand_user(out),
        settings=settings,
        progress=progress_for_people("words"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if not found.told:
        warn(
            "nothing was learnt: every word is too large a share of so little text; give more, or a larger --subsample"
        )
    if json_:
        put(json.dumps(asdict(found), indent=2, default=str))
        return
    put(f"{found.folder}: {found.words:,} words from {found.sentences:,} sentences, loss {found.loss:.3f}")
    say(f"figures of every epoch: {found.metrics}; next: litotes run sent2vec:{found.folder} --suite triplets-mini")
