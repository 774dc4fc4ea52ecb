"""InferSent's network for NLI and how it learns, epoch by epoch, as Conneau et al. (2017) did."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError
from litotes.core.progress import Progress
from litotes.corpora.nli import LABELS, NliPair
from litotes.models.base import Vectors
from litotes.models.classic.infersent import WordRows, new_lstm, sentence_vectors
from litotes.models.classic.infersent_files import PREFIX
from litotes.models.word_vectors.lookup import WordVectors
from litotes.training.classic.epochs import Arrays, EpochEnd

if TYPE_CHECKING:
    import torch


_BATCHES_OF_A_POOL = 32


@dataclass(frozen=True)
class Words:
    """The vectors of all words that the data has, and for each its place in them."""

    table: Vectors
    place: dict[str, int]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], vectors: WordVectors) -> Words:
        """Those that have a vector, in the order of their first use."""
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        rows, known = vectors.lookup(words)
        kept = [word for word, is_known in zip(words, known, strict=True) if is_known]
        table = np.ascontiguousarray(rows[known], dtype=np.float32)
        return cls(table, {word: number for number, word in enumerate(kept)})


@dataclass(frozen=True)
class PairsToLearn:
    """Pairs by the numbers of their sentences."""

    sentences: list[WordRows]
    premises: NDArray[np.int64]
    hypotheses: NDArray[np.int64]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def batches(self, size: int, *, seed: Sequence[int] | None = None) -> Iterator[NDArray[np.int64]]:
        """Which pairs are seen together, in an order that depends on the seed alone; in that of the data without one.

        The pairs of one premise stay together, so that it is read once for all of them, and batches are of premises
        of about the same length: most steps of the recurrence are then made by the whole batch.
        """
        if seed is None:
            yield from (np.arange(start, min(start + size, len(self))) for start in range(0, len(self), size))
            return
        chance = np.random.default_rng(seed)
        rank = chance.permutation(len(self.sentences))
        order = np.argsort(rank[self.premises], kind="stable")
        lengths = np.array([len(words) for words in self.sentences])[self.premises]
        found: list[NDArray[np.int64]] = []
        for start in range(0, len(order), size * _BATCHES_OF_A_POOL):
            pool = order[start : start + size * _BATCHES_OF_A_POOL]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            found += [pool[place : place + size] for place in range(0, len(pool), size)]
        yield from (found[place] for place in chance.permutation(len(found)))

    def unique(self, chosen: NDArray[np.int64]) -> tuple[list[WordRows], NDArray[np.int64], NDArray[np.int64]]:
        """The different sentences of some pairs, and for each pair which of them are its premise and its hypothesis."""
        both = np.concatenate([self.premises[chosen], self.hypotheses[chosen]])
        numbers, place = np.unique(both, return_inverse=True)
        return [self.sentences[number] for number in numbers], place[: len(chosen)], place[len(chosen) :]


def read_sentences(pairs: Iterable[NliPair], words_of: Callable[[str], list[str]]) -> dict[str, list[str]]:
    """The words of every different sentence."""
    texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
    return {text: words_of(text) for text in texts}


def to_learn(pairs: Sequence[NliPair], read: dict[str, list[str]], words: Words) -> PairsToLearn:
    """The pairs with their words looked up; words without a vector are left out."""
    number = {
        text: place for place, text in enumerate(dict.fromkeys(t for p in pairs for t in (p.premise, p.hypothesis)))
    }
    sentences = [
        np.array([words.place[word] for word in read[text] if word in words.place], dtype=np.int64) for text in number
    ]
    return PairsToLearn(
        sentences,
        np.array([number[pair.premise] for pair in pairs], dtype=np.int64),
        np.array([number[pair.hypothesis] for pair in pairs], dtype=np.int64),
        np.array([LABELS.index(pair.label) for pair in pairs], dtype=np.int64),
    )


@dataclass(frozen=True)
class InferSentSettings:
    """The settings of a training; the authors' encoder has a `dim` of 2,048, which wants a GPU."""

    dim: int = 512
    """Numbers of a direction; a sentence's vector has twice as many."""
    hidden: int = 512
    """Width of the classifier's layers."""
    tanh: bool = False
    """Whether a tanh stands between the classifier's layers; in the authors' program it does not."""
    epochs: int = 20
    batch_size: int = 64
    learning_rate: float = 0.1
    decay: float = 0.99
    """The learning rate is multiplied by it after each epoch."""
    shrink: float = 5.0
    """The learning rate is divided by it after an epoch that was not the best so far on the dev set."""
    least_rate: float = 1e-5
    """A training whose learning rate falls below it is finished."""
    max_norm: float = 5.0
    """Longer gradients are cut to this length."""
    seed: int = 0
    examples: int | None = None
    """How many pairs are drawn from the data; None for all."""
    version: int = 1
    """How texts are read: 1 as for GloVe, 2 as for fastText."""
    lowercase: bool | None = None
    """Whether texts are put in lower case; None: if the vectors have no capital letters."""

    def __post_init__(self) -> None:
        for name in ("dim", "hidden", "epochs", "batch_size"):
            if getattr(self, name) < 1:
                raise UsageError("L102", f"{name}={getattr(self, name)}: at least 1 is needed")
        if self.examples is not None and self.examples < 1:
            raise UsageError("L102", f"examples={self.examples}: at least 1 is needed")
        for name in ("learning_rate", "decay", "shrink", "max_norm"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise UsageError("L102", f"{name}={getattr(self, name)}: must be above 0")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if self.version not in (1, 2):
            raise UsageError("L102", f"version={self.version}: there are versions 1 and 2")

    def to_dict(self) -> dict[str, Any]:
        """The settings by name, as files keep them."""
        return asdict(self)


_BEST = "best."
_CLASSIFIER = "classifier."

Save = Callable[[Path, Arrays, Mapping[str, Any]], None]


class InferSentLearner:
    """One encoder for both sentences; (u, v, |u − v|, u · v) goes through linear layers to three labels.

    Plain gradient descent: the rate falls a little each epoch, and to a fifth whenever the dev set has not been done
    better than ever before. The encoder of the best epoch is what is kept in the end.
    """

    def __init__(
        self,
        table: Vectors,
        train: PairsToLearn,
        dev: PairsToLearn | None,
        settings: InferSentSettings,
        *,
        save: Save,
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

    def epoch(self, number: int) -> EpochEnd:
        """All pairs once, then the dev set."""
        if number > 1:
            self._rate *= self._settings.decay
        figures = {"learning_rate": self._rate, **self._learn(number)}
        if self._dev is None:
            self._keep_as_best(number, 0.0)
            return EpochEnd(figures)
        accuracy = self._accuracy(self._dev)
        figures["dev_accuracy"] = accuracy
        if accuracy > self._best_accuracy:
            self._keep_as_best(number, accuracy)
            return EpochEnd(figures)
        self._rate /= self._settings.shrink
        return EpochEnd(figures, stop=self._rate < self._settings.least_rate)

    def _keep_as_best(self, number: int, accuracy: float) -> None:
        self._best_accuracy, self._best_epoch, self._best = accuracy, number, self._encoder_arrays()

    def _learn(self, number: int) -> dict[str, float]:
        import torch

        losses, right = 0.0, 0
        self._progress.begin(f"epoch {number}", total=len(self._train))
        for chosen in self._train.batches(self._settings.batch_size, seed=(self._settings.seed, number)):
            labels = torch.from_numpy(self._train.labels[chosen]).to(self._device)
            told = self._logits(self._train, chosen)
            loss = torch.nn.functional.cross_entropy(told, labels)
            if not torch.isfinite(loss):
                hint = "try a smaller --learning-rate"
                raise LitotesError("L308", f"the loss is no number in epoch {number}", hint=hint)
            self._step(loss)
            losses += float(loss.detach()) * len(chosen)
            right += int((told.argmax(dim=1) == labels).sum())
            self._progress.advance(len(chosen))
        self._progress.end()
        return {"loss": losses / len(self._train), "accuracy": right / len(self._train)}

    def _step(self, loss: torch.Tensor) -> None:
        """Down the gradient; torch's own optimisers load its compiler first, and that takes seconds."""
        import torch

        gradients = torch.autograd.grad(loss, self._parameters)
        length = torch.stack([gradient.norm() for gradient in gradients]).norm()
        rate = self._rate * min(1.0, self._settings.max_norm / (float(length) + 1e-6))
        with torch.no_grad():
            for parameter, gradient in zip(self._parameters, gradients, strict=True):
                parameter.add_(gradient, alpha=-rate)

    def _accuracy(self, pairs: PairsToLearn) -> float:
        import torch

        right = 0
        with torch.inference_mode():
            for chosen in pairs.batches(self._settings.batch_size):
                told = self._logits(pairs, chosen).argmax(dim=1).cpu().numpy()
                right += int((told == pairs.labels[chosen]).sum())
        return right / len(pairs)

    def _logits(self, pairs: PairsToLearn, chosen: NDArray[np.int64]) -> torch.Tensor:
        import torch

        sentences, premises, hypotheses = pairs.unique(chosen)
        vectors = sentence_vectors(self._lstm, self._table, sentences)
        u, v = (vectors[torch.from_numpy(place).to(self._device)] for place in (premises, hypotheses))
        found: torch.Tensor = self._classifier(torch.cat([u, v, (u - v).abs(), u * v], dim=1))
        return found

    def _encoder_arrays(self) -> Arrays:
        return {PREFIX + name: value.cpu().numpy().copy() for name, value in self._lstm.state_dict().items()}

    def arrays(self) -> Arrays:
        """The weights now, and those of the encoder at its best; gradient descent itself remembers nothing."""
        classifier = {_CLASSIFIER + name: value.cpu().numpy() for name, value in self._classifier.state_dict().items()}
        best = {_BEST + name: array for name, array in self._best.items()}
        return {**self._encoder_arrays(), **classifier, **best}

    def numbers(self) -> dict[str, Any]:
        """The learning rate, and how good the best epoch was."""
        return {"rate": self._rate, "best_accuracy": self._best_accuracy, "best_epoch": self._best_epoch}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Be as after the epoch that left these."""
        import torch

        for module, prefix in ((self._lstm, PREFIX), (self._classifier, _CLASSIFIER)):
            module.load_state_dict(
                {name: torch.from_numpy(arrays[prefix + name].copy()) for name in module.state_dict()}
            )
        self._best = {name: arrays[_BEST + name] for name in self._best}
        self._rate, self._best_accuracy = float(numbers["rate"]), float(numbers["best_accuracy"])
        self._best_epoch = int(numbers["best_epoch"])

    def save(self, out: Path) -> None:
        """Write the encoder of the best epoch."""
        about = {"best_epoch": self._best_epoch, "labels": list(LABELS)}
        if self._dev is not None:
            about |= {"dev_accuracy": self._best_accuracy, "dev_pairs": len(self._dev)}
        self._save(out, self._best, about)


def _classifier(width: int, settings: InferSentSettings) -> torch.nn.Sequential:
    """Three layers; nothing bends between them unless it is asked for, as in the authors' program."""
    import torch

    widths = [width, settings.hidden, settings.hidden, len(LABELS)]
    layers: list[torch.nn.Module] = []
    for before, after in pairwise(widths):
        layers.append(torch.nn.Linear(before, after))
        if settings.tanh:
            layers.append(torch.nn.Tanh())
    return torch.nn.Sequential(*(layers[:-1] if settings.tanh else layers))
