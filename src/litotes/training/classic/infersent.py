"""Training of InferSent, a sentence encoder on top of word vectors, on NLI pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from litotes import __version__
from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, sha256_file, write_atomic
from litotes.core.progress import Progress
from litotes.core.versions import current_versions
from litotes.corpora.nli import LABELS, NliPair
from litotes.models.access import Access
from litotes.models.base import Vectors
from litotes.models.classic.infersent import (
    CONFIG,
    PREFIX,
    WEIGHTS,
    InferSentConfig,
    WordRows,
    new_lstm,
    sentence_vectors,
)
from litotes.models.transformers.torch_model import AUTO, choose_device, require_torch
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS
from litotes.training.checkpoints import METRICS
from litotes.training.classic.epochs import Arrays, EpochResult, check_finite, finished_epochs, train_epochs
from litotes.training.classic.settings import InferSentSettings
from litotes.training.nli.data import check_pairs, digest_pairs, sample_pairs

if TYPE_CHECKING:
    import torch

_CAPITALISED_WORDS = ("The", "A", "I", "In")
"""Vectors without these were trained on lower-case text."""


@dataclass(frozen=True)
class InferSentResult:
    """A finished training."""

    folder: Path
    """`infersent:FOLDER` runs it."""
    metrics: Path
    """JSON lines: learning rate, loss and accuracies of each epoch."""
    sha256: str
    """Hash of the weights."""
    epochs: tuple[dict[str, Any], ...]

    @property
    def dev_accuracy(self) -> float | None:
        """Accuracy of the best epoch; None without a dev set."""
        return max((epoch["dev_accuracy"] for epoch in self.epochs if "dev_accuracy" in epoch), default=None)


def train_infersent(
    pairs: Sequence[NliPair],
    out: Path,
    *,
    vectors: str,
    dev: Sequence[NliPair] = (),
    settings: InferSentSettings | None = None,
    progress: Progress | None = None,
    access: Access | None = None,
    fresh: bool = False,
    device: str = AUTO,
) -> InferSentResult:
    """Train an encoder on labelled pairs and write it to a folder; a finished training is not repeated."""
    settings = settings or InferSentSettings()
    check_pairs(pairs, "the training data")
    if dev:
        check_pairs(dev, "the dev data", for_training=False)
    sample = sample_pairs(pairs, settings.examples, settings.seed)
    check_pairs(sample, "the sample of the training data")
    require_torch("safetensors")
    torch_device = choose_device(device)
    lookup = open_word_vectors(vectors, access or Access())
    if settings.lowercase is None:
        settings = settings.replace(lowercase=not lookup.lookup(_CAPITALISED_WORDS)[1].any())
    depends_on: dict[str, Any] = {
        "vectors": lookup.sha256,
        "data": digest_pairs(sample),
        "dev": digest_pairs(dev),
        "settings": settings.to_dict(),
        "tokens": INFERSENT_TOKENIZERS[settings.version].name,
        "versions": {name: number for name, number in current_versions().items() if name in {"litotes", "torch"}},
    }
    if torch_device.type != "cpu":
        depends_on["device"] = torch_device.type
    epochs = None if fresh else finished_epochs(out, depends_on)
    if epochs is None:
        with progress or Progress() as bar:
            learner = _make_learner(sample, dev, lookup, vectors, settings, torch_device, bar)
            epochs = train_epochs(learner, out, epochs=settings.epochs, depends_on=depends_on, fresh=fresh)
    check_is_file(out / WEIGHTS)
    return InferSentResult(out, out / METRICS, sha256_file(out / WEIGHTS), tuple(epochs))


def _make_learner(  # noqa: PLR0917
    pairs: Sequence[NliPair],
    dev: Sequence[NliPair],
    lookup: WordVectors,
    vectors: str,
    settings: InferSentSettings,
    device: torch.device,
    progress: Progress,
) -> InferSentLearner:
    tokenizer, lowercase = INFERSENT_TOKENIZERS[settings.version], bool(settings.lowercase)
    tokenised = tokenise_sentences(
        [*pairs, *dev], lambda text: [tokenizer.start, *tokenizer.tokens(text, lowercase=lowercase), tokenizer.end]
    )
    words = WordTable.from_sentences(tokenised.values(), lookup)
    if not words.rows:
        raise LitotesError("L203", f"{vectors}: has no vector for any word of the training data")
    config = InferSentConfig(settings.version, lowercase, vectors, lookup.sha256)

    def save(out: Path, arrays: Arrays, metadata: Mapping[str, Any]) -> None:
        from safetensors.numpy import save as to_bytes

        write_atomic(out / WEIGHTS, to_bytes(arrays))
        write_atomic(out / CONFIG, config.to_json(lookup.width, settings.dim))
        write_atomic(out / "README.md", _card(config, settings, {**metadata, "pairs": len(pairs)}))

    return InferSentLearner(
        words.table,
        index_pairs(pairs, tokenised, words),
        index_pairs(dev, tokenised, words) if dev else None,
        settings,
        save=save,
        device=device,
        progress=progress,
    )


def _card(config: InferSentConfig, settings: InferSentSettings, metadata: Mapping[str, Any]) -> str:
    """Return the README.md of a model, with the header that model hubs read."""
    dev = (
        f"On {metadata['dev_pairs']:,} dev pairs its classifier has an accuracy of {metadata['dev_accuracy']:.1%}."
        if "dev_pairs" in metadata
        else "It was not evaluated on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
pipeline_tag: sentence-similarity
tags: [sentence-embeddings, infersent, litotes]
---

# An InferSent encoder trained with Litotes

A bidirectional LSTM over word vectors with max pooling gives vectors of {2 * settings.dim:,} dimensions (Conneau et
al., 2017). It was trained on {metadata["pairs"]:,} NLI pairs with Litotes {__version__}; these are the weights after
epoch {metadata["best_epoch"]}. {dev}

It needs the word vectors `{Path(config.vectors).name}` (sha256 {config.vectors_sha256[:12]}…), which are not in
this folder.

| setting | |
|---|---|
{rows}

Evaluate it with `litotes run infersent:FOLDER --suite triplets-mini`. `training.json` records what the training depends
on, `metrics.jsonl` how it went. The model is meant for experiments, not for decisions.
"""


_BATCHES_PER_POOL = 32


@dataclass(frozen=True)
class WordTable:
    """The vectors of the words in the data."""

    table: Vectors
    rows: dict[str, int]
    """Word → row of its vector."""

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]], vectors: WordVectors) -> WordTable:
        """Look up the words of all sentences; words without a vector are left out."""
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        vectors_of_words, known = vectors.lookup(words)
        known_words = [word for word, is_known in zip(words, known, strict=True) if is_known]
        table = np.ascontiguousarray(vectors_of_words[known], dtype=np.float32)
        return cls(table, {word: number for number, word in enumerate(known_words)})


@dataclass(frozen=True)
class IndexedPairs:
    """Pairs as indexes of their sentences."""

    sentences: list[WordRows]
    premises: NDArray[np.int64]
    hypotheses: NDArray[np.int64]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def batches(self, size: int, *, seed: Sequence[int] | None = None) -> Iterator[NDArray[np.int64]]:
        """Yield batches of pair indexes, shuffled by the seed; without a seed in the order of the data.

        The pairs of a premise stay together, so that it is encoded once, and the premises of a batch have similar
        lengths, so that there is little padding.
        """
        if seed is None:
            yield from (np.arange(start, min(start + size, len(self))) for start in range(0, len(self), size))
            return
        generator = np.random.default_rng(seed)
        rank = generator.permutation(len(self.sentences))
        order = np.argsort(rank[self.premises], kind="stable")
        lengths = np.array([len(words) for words in self.sentences])[self.premises]
        batches: list[NDArray[np.int64]] = []
        for start in range(0, len(order), size * _BATCHES_PER_POOL):
            pool = order[start : start + size * _BATCHES_PER_POOL]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            batches += [pool[first : first + size] for first in range(0, len(pool), size)]
        yield from (batches[index] for index in generator.permutation(len(batches)))

    def unique(self, chosen: NDArray[np.int64]) -> tuple[list[WordRows], NDArray[np.int64], NDArray[np.int64]]:
        """Return the distinct sentences of some pairs, and for each pair the indexes of its premise and hypothesis."""
        both = np.concatenate([self.premises[chosen], self.hypotheses[chosen]])
        numbers, positions = np.unique(both, return_inverse=True)
        return [self.sentences[number] for number in numbers], positions[: len(chosen)], positions[len(chosen) :]


def tokenise_sentences(pairs: Iterable[NliPair], tokenise: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """Return the words of every distinct sentence."""
    texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
    return {text: tokenise(text) for text in texts}


def index_pairs(pairs: Sequence[NliPair], tokenised: dict[str, list[str]], words: WordTable) -> IndexedPairs:
    """Return the pairs with their words as rows of the table; words without a vector are left out."""
    number = {
        text: index
        for index, text in enumerate(dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis)))
    }
    sentences = [
        np.array([words.rows[word] for word in tokenised[text] if word in words.rows], dtype=np.int64)
        for text in number
    ]
    return IndexedPairs(
        sentences,
        np.array([number[pair.premise] for pair in pairs], dtype=np.int64),
        np.array([number[pair.hypothesis] for pair in pairs], dtype=np.int64),
        np.array([LABELS.index(pair.label) for pair in pairs], dtype=np.int64),
    )


_BEST_PREFIX = "best."
_CLASSIFIER_PREFIX = "classifier."

SaveFunction = Callable[[Path, Arrays, Mapping[str, Any]], None]


class InferSentLearner:
    """One encoder for both sentences, and a classifier of (u, v, |u − v|, u · v) with three labels.

    Training is plain gradient descent. The learning rate decays each epoch and is divided by five after an epoch
    without improvement on the dev set. The encoder of the best epoch is saved.
    """

    def __init__(
        self,
        table: Vectors,
        train: IndexedPairs,
        dev: IndexedPairs | None,
        settings: InferSentSettings,
        *,
        save: SaveFunction,
        device: torch.device,
        progress: Progress | None = None,
    ) -> None:
        import torch

        self._settings = settings
        self._train, self._dev = train, dev
        self._save, self._progress = save, progress or Progress()
        self._device = device
        self._table = torch.from_numpy(table).to(device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self._lstm = new_lstm(table.shape[1], settings.dim).to(device)
            self._classifier = _classifier(8 * settings.dim, settings).to(device)
        self._parameters = [*self._lstm.parameters(), *self._classifier.parameters()]
        self._rate = settings.learning_rate
        self._best_accuracy = -1.0
        self._best_epoch = 0
        self._best = self._encoder_arrays()

    def train_epoch(self, number: int) -> EpochResult:
        """Train on all pairs and evaluate on the dev set."""
        if number > 1:
            self._rate *= self._settings.decay
        metrics = {"learning_rate": self._rate, **self._learn(number)}
        if self._dev is None:
            self._set_best(number, 0.0)
            return EpochResult(metrics)
        accuracy = self._accuracy(self._dev)
        metrics["dev_accuracy"] = accuracy
        if accuracy > self._best_accuracy:
            self._set_best(number, accuracy)
            return EpochResult(metrics)
        self._rate /= self._settings.shrink
        return EpochResult(metrics, stop=self._rate < self._settings.min_rate)

    def _set_best(self, number: int, accuracy: float) -> None:
        self._best_accuracy, self._best_epoch, self._best = accuracy, number, self._encoder_arrays()

    def _learn(self, number: int) -> dict[str, float]:
        import torch

        losses, n_correct = 0.0, 0
        self._progress.begin(f"epoch {number}", total=len(self._train))
        for chosen in self._train.batches(self._settings.batch_size, seed=(self._settings.seed, number)):
            labels = torch.from_numpy(self._train.labels[chosen]).to(self._device)
            logits = self._logits(self._train, chosen)
            loss = torch.nn.functional.cross_entropy(logits, labels)
            check_finite(float(loss.detach()), number)
            self._step(loss)
            losses += float(loss.detach()) * len(chosen)
            n_correct += int((logits.argmax(dim=1) == labels).sum())
            self._progress.advance(len(chosen))
        self._progress.end()
        return {"loss": losses / len(self._train), "accuracy": n_correct / len(self._train)}

    def _step(self, loss: torch.Tensor) -> None:
        """Make a gradient step; torch's optimizers would load its compiler, which takes seconds."""
        import torch

        gradients = torch.autograd.grad(loss, self._parameters)
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        rate = self._rate * min(1.0, self._settings.max_norm / (float(norm) + 1e-6))
        with torch.no_grad():
            for parameter, gradient in zip(self._parameters, gradients, strict=True):
                parameter.add_(gradient, alpha=-rate)

    def _accuracy(self, pairs: IndexedPairs) -> float:
        import torch

        n_correct = 0
        with torch.inference_mode():
            for chosen in pairs.batches(self._settings.batch_size):
                predicted = self._logits(pairs, chosen).argmax(dim=1).cpu().numpy()
                n_correct += int((predicted == pairs.labels[chosen]).sum())
        return n_correct / len(pairs)

    def _logits(self, pairs: IndexedPairs, chosen: NDArray[np.int64]) -> torch.Tensor:
        import torch

        sentences, premises, hypotheses = pairs.unique(chosen)
        vectors = sentence_vectors(self._lstm, self._table, sentences)
        u, v = (vectors[torch.from_numpy(indexes).to(self._device)] for indexes in (premises, hypotheses))
        logits: torch.Tensor = self._classifier(torch.cat([u, v, (u - v).abs(), u * v], dim=1))
        return logits

    def _encoder_arrays(self) -> Arrays:
        return {PREFIX + name: value.cpu().numpy().copy() for name, value in self._lstm.state_dict().items()}

    def arrays(self) -> Arrays:
        """Return the current weights and those of the best encoder; gradient descent has no state."""
        classifier = {
            _CLASSIFIER_PREFIX + name: value.cpu().numpy() for name, value in self._classifier.state_dict().items()
        }
        best = {_BEST_PREFIX + name: array for name, array in self._best.items()}
        return {**self._encoder_arrays(), **classifier, **best}

    def numbers(self) -> dict[str, Any]:
        """Return the learning rate and the accuracy of the best epoch."""
        return {"rate": self._rate, "best_accuracy": self._best_accuracy, "best_epoch": self._best_epoch}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore the state of a checkpoint."""
        import torch

        for module, prefix in ((self._lstm, PREFIX), (self._classifier, _CLASSIFIER_PREFIX)):
            module.load_state_dict(
                {name: torch.from_numpy(arrays[prefix + name].copy()) for name in module.state_dict()}
            )
        self._best = {name: arrays[_BEST_PREFIX + name] for name in self._best}
        self._rate, self._best_accuracy = float(numbers["rate"]), float(numbers["best_accuracy"])
        self._best_epoch = int(numbers["best_epoch"])

    def save(self, out: Path) -> None:
        """Write the encoder of the best epoch."""
        metadata = {"best_epoch": self._best_epoch, "labels": list(LABELS)}
        if self._dev is not None:
            metadata |= {"dev_accuracy": self._best_accuracy, "dev_pairs": len(self._dev)}
        self._save(out, self._best, metadata)


def _classifier(width: int, settings: InferSentSettings) -> torch.nn.Sequential:
    """Return three linear layers, without activations unless `tanh` is set, as in the authors' program."""
    import torch

    widths = [width, settings.hidden, settings.hidden, len(LABELS)]
    layers: list[torch.nn.Module] = []
    for before, after in pairwise(widths):
        layers.append(torch.nn.Linear(before, after))
        if settings.tanh:
            layers.append(torch.nn.Tanh())
    return torch.nn.Sequential(*(layers[:-1] if settings.tanh else layers))
