"""`litotes train`: train NLI models and classic sentence encoders."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Meta

from litotes.cli.error_handling import catch_errors, put, say, warn
from litotes.cli.options import AsJson, Overrides, prepare_command
from litotes.core.settings import Settings
from litotes.corpora.settings import ReadSettings
from litotes.models.access import Access
from litotes.training.classic.settings import InferSentSettings, Sent2VecSettings, SkipThoughtSettings
from litotes.training.nli.settings import TrainSettings

if TYPE_CHECKING:
    from litotes.corpora.nli import NliPair

Data = Annotated[
    list[str], typer.Option(metavar="FILE", help="Labelled pairs (SNLI, MultiNLI, JSON lines, …); repeatable.")
]
Sources = Annotated[
    list[str],
    typer.Option(
        "--from",
        metavar="FILE",
        help="Text: a file, folder, glob, - for standard input, hf:NAME or builtin; repeatable.",
    ),
]
Out = Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Replace a model that is already in the folder.")]


class PairOptions(Settings, frozen=True, kw_only=True):
    """Which labelled pairs are used."""

    dev: Annotated[
        tuple[str, ...],
        Meta(description="Labelled pairs for evaluation after each epoch; repeatable.", extra={"metavar": "FILE"}),
    ] = ()
    excluded: Annotated[
        tuple[str, ...],
        Meta(
            description="Leave out pairs with a premise of this file; repeatable.",
            extra={"option": "--except", "metavar": "FILE"},
        ),
    ] = ()
    format: Annotated[str | None, Meta(description="File format. Default: detected automatically.")] = None
    columns: Annotated[
        tuple[str, ...],
        Meta(description="Premise column, then hypothesis column.", extra={"option": "--column", "metavar": "NAME"}),
    ] = ()
    strict: Annotated[bool, Meta(description="Stop at the first line that cannot be read.")] = False

    def selected(self, pairs: list[NliPair]) -> list[NliPair]:
        """Return the pairs that are used."""
        return pairs

    def read(self, data: Sequence[str]) -> tuple[list[NliPair], list[NliPair]]:
        """Return training and dev pairs without common premises; print how many there are on the main process."""
        from litotes.core.errors import LitotesError
        from litotes.corpora.base import Problems
        from litotes.corpora.nli import LABELS, read_nli
        from litotes.training.nli import data as nli_data
        from litotes.training.nli.train import is_main_process

        problems = Problems()

        def read_all(files: Sequence[str]) -> list[NliPair]:
            columns, strict = self.columns, self.strict
            return list(read_nli(files, format=self.format, columns=columns, strict=strict, problems=problems))

        pairs, dev = read_all(data), read_all(self.dev) if self.dev else []
        if problems.by_kind.get("label"):
            first = next(problem for problem in problems.first if problem.kind == "label")
            hint = f"known: {', '.join(LABELS)}, 0, 1, 2, and - for none"
            raise LitotesError("L203", f'{first.file}:{first.line}: unknown label "{first.detail}"', hint=hint)
        n_read = len(pairs)
        pairs, dev = self.selected(pairs), self.selected(dev)
        if self.excluded:
            pairs = list(nli_data.without_premises(pairs, read_nli(self.excluded, problems=problems)))
        if self.dev and not dev:
            hint = "use other --dev files"
            raise LitotesError("L204", f"{', '.join(self.dev)}: no pairs are left for evaluation", hint=hint)
        pairs = list(nli_data.without_premises(pairs, dev))
        if is_main_process():
            if problems.count:
                warn(problems.summary())
            say(f"{n_read:,} pairs read, {len(pairs):,} used for training, {len(dev):,} for evaluation")
        return pairs, dev


class NliPairOptions(PairOptions, frozen=True, kw_only=True):
    """The same, optionally without negation."""

    without_negation: Annotated[bool, Meta(description="Leave out pairs with a negation from --data and --dev.")] = (
        False
    )

    def selected(self, pairs: list[NliPair]) -> list[NliPair]:
        """Return the pairs, or those without negation."""
        from litotes.training.nli.data import without_negation

        return list(without_negation(pairs)) if self.without_negation else pairs


class TextOptions(ReadSettings, frozen=True, kw_only=True):
    """How a text is read."""

    strict: Annotated[bool, Meta(description="Stop at the first line that cannot be read.")] = False


def train_nli(
    *,
    base: Annotated[str, typer.Option(metavar="MODEL", help="Base encoder: a folder or a hub id.")],
    data: Data,
    out: Out,
    preset: Annotated[str, typer.Option(help="paper, small (an hour on two cores) or smoke (a minute).")] = "paper",
    settings: Annotated[dict[str, Any], Overrides((TrainSettings,), default="the preset's")],
    pairs: NliPairOptions,
    fresh: Fresh = False,
    access: Access,
    json_: AsJson = False,
) -> None:
    """Fine-tune an encoder for NLI; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.training.nli.settings import preset as find_preset
    from litotes.training.nli.train import is_main_process, train_nli

    train_settings = find_preset(preset).replace(**settings)
    train_pairs, dev = pairs.read(data)
    result = train_nli(
        base,
        train_pairs,
        expand_user(out),
        dev=dev,
        settings=train_settings,
        progress=terminal_progress("pairs"),
        access=access,
        fresh=fresh,
    )
    if not is_main_process():
        return
    if json_:
        _put_json(asdict(result))
        return
    metrics = ", ".join(f"{name} {value:.3f}" for name, value in result.dev.items() if name != "loss")
    put(f"{result.folder}: " + (f"{metrics} on {len(dev):,} dev pairs" if metrics else "trained"))
    _say_next(result.metrics, f"nli:{result.folder} --suite developmental-mini")


def train_infersent(
    *,
    data: Data,
    out: Out,
    vectors: Annotated[
        str, typer.Option(metavar="WHERE", help="Word vectors: a file, or 6b-50d (the extra glove).")
    ] = "6b-50d",
    settings: InferSentSettings,
    device: Annotated[str, typer.Option(help="cpu, cuda, …; auto: the best available one.")] = "auto",
    pairs: PairOptions,
    fresh: Fresh = False,
    access: Access,
    json_: AsJson = False,
) -> None:
    """Train InferSent on labelled pairs; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.training.classic.infersent import train_infersent

    train_pairs, dev = pairs.read(data)
    result = train_infersent(
        train_pairs,
        expand_user(out),
        vectors=vectors,
        dev=dev,
        settings=settings,
        progress=terminal_progress("pairs"),
        access=access,
        fresh=fresh,
        device=device,
    )
    if json_:
        _put_json({**asdict(result), "dev_accuracy": result.dev_accuracy})
        return
    accuracy = result.dev_accuracy
    outcome = "trained" if accuracy is None else f"accuracy {accuracy:.3f} on {len(dev):,} dev pairs"
    put(f"{result.folder}: {outcome} ({len(result.epochs)} epochs)")
    _say_next(result.metrics, f"infersent:{result.folder} --suite triplets-mini")


def train_sent2vec(
    *,
    from_: Sources,
    out: Out,
    settings: Sent2VecSettings,
    text: TextOptions,
    fresh: Fresh = False,
    json_: AsJson = False,
) -> None:
    """Train a sent2vec model; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.corpora.read import read_corpus, single_sentences
    from litotes.training.classic.sent2vec import train_sent2vec

    problems = Problems()
    records = read_corpus(from_, **text.to_dict(), problems=problems)
    result = train_sent2vec(
        (record.text for record in single_sentences(records)),
        expand_user(out),
        settings=settings,
        progress=terminal_progress("words"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if not result.predicted:
        warn("nothing was learned: every word is too frequent in this short text; add text or increase --subsample")
    if json_:
        _put_json(asdict(result))
        return
    put(f"{result.folder}: {result.words:,} words from {result.sentences:,} sentences, loss {result.loss:.3f}")
    _say_next(result.metrics, f"sent2vec:{result.folder} --suite triplets-mini")


def train_skipthought(
    *,
    from_: Sources,
    out: Out,
    settings: SkipThoughtSettings,
    text: TextOptions,
    fresh: Fresh = False,
    json_: AsJson = False,
) -> None:
    """Train skip-thought vectors on ordered text; the same command resumes an interrupted training."""
    from litotes.core.files import expand_user
    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.training.classic.skipthought import train_skipthought
    from litotes.training.classic.skipthought_text import read_documents

    problems = Problems()
    result = train_skipthought(
        read_documents(from_, **text.to_dict(), problems=problems),
        expand_user(out),
        settings=settings,
        progress=terminal_progress("sentences"),
        fresh=fresh,
    )
    if problems.count:
        warn(problems.summary())
    if json_:
        _put_json(asdict(result))
        return
    used = f"{result.examples:,} of {result.sentences:,} sentences used"
    put(f"{result.folder}: {result.words:,} words, {used}, loss {result.loss:.3f}")
    _say_next(result.metrics, f"skipthought:{result.folder} --suite triplets-mini")


def _put_json(document: dict[str, Any]) -> None:
    put(json.dumps(document, indent=2, default=str))


def _say_next(metrics: object, arguments: str) -> None:
    say(f"metrics of every epoch: {metrics}; next: litotes run {arguments}")


train = typer.Typer(
    name="train", help="Train a model.", rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True
)

train.command("nli")(catch_errors(prepare_command(train_nli)))
train.command("infersent")(catch_errors(prepare_command(train_infersent)))
train.command("skipthought")(catch_errors(prepare_command(train_skipthought)))
train.command("sent2vec")(catch_errors(prepare_command(train_sent2vec)))
