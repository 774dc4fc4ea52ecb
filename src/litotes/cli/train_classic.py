"""`litotes train infersent`, `sent2vec` and `skipthought`: classic sentence encoders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.nli_pairs import read_pairs
from litotes.cli.options import AsJson
from litotes.training.classic.settings import InferSentSettings, Sent2VecSettings, SkipThoughtSettings

if TYPE_CHECKING:
    from litotes.training.classic.infersent import InferSentResult


def train_infersent(
    *,
    data: Annotated[
        list[str], typer.Option(metavar="FILE", help="Labelled pairs (SNLI, MultiNLI, JSON lines, …); can be repeated.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")],
    dev: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Labelled pairs for evaluation after each epoch.")
    ] = None,
    vectors: Annotated[
        str, typer.Option(metavar="WHERE", help="Word vectors: a file, or 6b-50d (the extra glove).")
    ] = "6b-50d",
    settings: InferSentSettings,
    device: Annotated[str, typer.Option(help="cpu, cuda, …; auto: the best available one.")] = "auto",
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
    allow_pickle: Annotated[bool, typer.Option("--allow-pickle", help="Load pickled word vectors.")] = False,
    json_: AsJson = False,
) -> None:
    """Train InferSent on labelled pairs; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.models.access import Access
    from litotes.training.classic.infersent import train_infersent

    read = read_pairs(data, dev or (), except_=except_ or (), format=format_, columns=column or (), strict=strict)
    read.tell()
    found = train_infersent(
        read.pairs,
        expand_user(out),
        vectors=vectors,
        dev=read.dev,
        settings=settings,
        progress=terminal_progress("pairs"),
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


def _put_json(found: InferSentResult) -> None:
    import json
    from dataclasses import asdict

    put(json.dumps({**asdict(found), "dev_accuracy": found.dev_accuracy}, indent=2, default=str))


def train_sent2vec(
    *,
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="Text: a file, folder, glob, - for standard input, hf:NAME or builtin; can be repeated.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")],
    settings: Sent2VecSettings,
    format_: Annotated[
        str | None, typer.Option("--format", help="File format. Default: detected automatically.")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Text column; twice for a pair of sentences.")
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Split running text into sentences.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Replace a model that is already in the folder.")] = False,
    json_: AsJson = False,
) -> None:
    """Train a sent2vec model; the same command resumes an interrupted training."""
    import json
    from dataclasses import asdict

    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.corpora.read import read_corpus, single_sentences
    from litotes.training.classic.sent2vec import train_sent2vec

    problems = Problems()
    records = read_corpus(from_, format=format_, columns=column or (), split=split, strict=strict, problems=problems)
    found = train_sent2vec(
        (record.text for record in single_sentences(records)),
        expand_user(out),
        settings=settings,
        progress=terminal_progress("words"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if not found.predicted:
        warn(
            "nothing was learned: every word is too frequent in this short text; use more text or a larger --subsample"
        )
    if json_:
        put(json.dumps(asdict(found), indent=2, default=str))
        return
    put(f"{found.folder}: {found.words:,} words from {found.sentences:,} sentences, loss {found.loss:.3f}")
    say(f"figures of every epoch: {found.metrics}; next: litotes run sent2vec:{found.folder} --suite triplets-mini")


def train_skipthought(
    *,
    from_: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE",
            help="Running text: a file, folder, glob, - for standard input or hf:NAME; can be repeated.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")],
    settings: SkipThoughtSettings,
    format_: Annotated[
        str | None, typer.Option("--format", help="File format. Default: detected automatically.")
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Text column.")] = None,
    split: Annotated[bool, typer.Option("--split", help="Split running text into sentences.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Replace a model that is already in the folder.")] = False,
    json_: AsJson = False,
) -> None:
    """Train skip-thought vectors on ordered text; the same command resumes an interrupted training."""
    import json
    from dataclasses import asdict

    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.training.classic.skipthought import train_skipthought
    from litotes.training.classic.skipthought_text import read_documents

    problems = Problems()
    columns = [column] if column is not None else []
    found = train_skipthought(
        read_documents(from_, format=format_, columns=columns, split=split, strict=strict, problems=problems),
        expand_user(out),
        settings=settings,
        progress=terminal_progress("sentences"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if json_:
        put(json.dumps(asdict(found), indent=2, default=str))
        return
    put(
        f"{found.folder}: {found.words:,} words, {found.examples:,} of {found.sentences:,} sentences used,"
        f" loss {found.loss:.3f}"
    )
    say(f"figures of every epoch: {found.metrics}; next: litotes run skipthought:{found.folder} --suite triplets-mini")
