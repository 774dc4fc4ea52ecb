"""`litotes train infersent`: a sentence encoder from word vectors and labelled pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.nli_pairs import read_pairs
from litotes.cli.options import AsJson

if TYPE_CHECKING:
    from litotes.training.classic.infersent import TrainedInferSent


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
    from litotes.core.progress import terminal_progress
    from litotes.models.access import Access
    from litotes.training.classic.infersent import train_infersent
    from litotes.training.classic.infersent_network import InferSentSettings

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


def _put_json(found: TrainedInferSent) -> None:
    import json
    from dataclasses import asdict

    put(json.dumps({**asdict(found), "dev_accuracy": found.dev_accuracy}, indent=2, default=str))


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
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.corpora.read import read_corpus, single_sentences
    from litotes.training.classic.sent2vec import train_sent2vec
    from litotes.training.classic.sent2vec_learner import Sent2VecSettings

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
        progress=terminal_progress("words"),
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
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.training.classic.skipthought import SkipThoughtSettings, train_skipthought
    from litotes.training.classic.skipthought_text import read_documents

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
        progress=terminal_progress("sentences"),
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
