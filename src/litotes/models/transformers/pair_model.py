"""Transformers models with a classification head for sentence pairs: `nli:MODEL` and `cross:MODEL`.

NLI models distinguish entailment, neutral and contradiction; their probabilities are always the softmax. Cross-encoders
rate how similar two sentences are. A rating may depend on the order of the sentences; the mean of both orders does not.
The activation is that of sentence-transformers: the one that the model's config names, or the sigmoid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from litotes.core.errors import LitotesError, UsageError, shorten
from litotes.core.files import is_file, read_json
from litotes.corpora.nli import LABELS
from litotes.models.access import Access
from litotes.models.base import Combination, Fingerprint, PairClassifier, Scores, Vectors
from litotes.models.names import ModelName, parse_options
from litotes.models.transformers.torch_model import (
    AUTO,
    TOKENIZER_BATCH,
    DType,
    TorchModel,
    TorchSource,
    accepted_inputs,
    check_max_length,
    find_torch_model,
    load_network,
    load_tokenizer,
    loading,
    longest_input,
)

if TYPE_CHECKING:
    import torch

TextPair = tuple[str, str]
_CLASSIFIER = "ForSequenceClassification"

Head = TypeVar("Head")


@dataclass(frozen=True)
class PairModelOptions:
    """Options of all models that read pairs.

    Args:
        max_length: The maximum number of tokens of a pair; default: the model's.
        dtype: The number type of the weights.
        device: A device of torch; "auto": a GPU if there is one.
        batch: The maximum number of tokens per batch; default: what suits the device.
    """

    max_length: int | None = None
    dtype: DType = "float32"
    device: str = AUTO
    batch: int | None = None


@dataclass(frozen=True)
class PairNetwork:
    """A loaded model with its tokenizer and limits."""

    source: TorchSource
    model: Any
    tokenizer: Any
    max_length: int
    batch: int | None

    def fingerprint(self, pooling: str, options: PairModelOptions) -> Fingerprint:
        """Return the fingerprint; `pooling` describes what is computed from the outputs."""
        return self.source.fingerprint(pooling=pooling, dtype=options.dtype, max_length=self.max_length)


class PairModel(TorchModel):
    """A transformers model with a classification head for a pair of sentences."""

    def __init__(self, name: str, fingerprint: Fingerprint, network: PairNetwork, **options: Any) -> None:
        super().__init__(name, fingerprint, network.source.device, **options)
        self._network = network

    @property
    def batch_tokens(self) -> int:
        """The option `batch`, or what suits the device."""
        return self._network.batch or super().batch_tokens

    def lengths(self, pairs: Sequence[TextPair]) -> list[int]:
        """Return the number of tokens of each pair after truncation."""
        counts: list[int] = []
        for start in range(0, len(pairs), TOKENIZER_BATCH):
            chunk = pairs[start : start + TOKENIZER_BATCH]
            with self._reporting_failure([first for first, _ in chunk]), self._lock:
                counts += map(len, self._tokenize(chunk, return_attention_mask=False)["input_ids"])
        return counts

    def _logits(self, pairs: Sequence[TextPair]) -> torch.Tensor:
        """Return one row of outputs per pair, computed as one batch, in double precision."""
        import torch

        with self._reporting_failure([first for first, _ in pairs]):
            with self._lock:
                features = dict(self._tokenize(pairs, padding=True, return_tensors="pt"))
            model = self._network.model
            with torch.inference_mode():
                logits: torch.Tensor = model(**self._on_device(accepted_inputs(model, features))).logits
            return logits.to(device="cpu", dtype=torch.float64)

    def _tokenize(self, pairs: Sequence[TextPair], **options: Any) -> Any:
        premises, hypotheses = zip(*pairs, strict=True)
        return self._network.tokenizer(
            list(premises), list(hypotheses), truncation="longest_first", max_length=self._network.max_length, **options
        )


def load_pair_network(
    name: ModelName, access: Access, options: PairModelOptions, read_head: Callable[[Any, Path], Head]
) -> tuple[PairNetwork, Head]:
    """Load a model with its tokenizer; `read_head` gets its config and folder first and checks the outputs."""
    source = find_torch_model(name, access, options.device)
    with loading(source.folder, access, is_optional=lambda key: False):
        model, tokenizer, head = _load_parts(source, options.dtype, name.scheme, read_head)
        source.prepare(model)
    max_length = options.max_length or longest_input(model, tokenizer)
    check_max_length(max_length, model, tokenizer, pair=True)
    return PairNetwork(source, model, tokenizer, max_length, options.batch), head


def _load_parts(
    source: TorchSource, dtype: DType, scheme: str, read_head: Callable[[Any, Path], Head]
) -> tuple[Any, Any, Head]:
    from transformers import AutoConfig, AutoModelForSequenceClassification

    config = AutoConfig.from_pretrained(source.folder, **source.options)
    _check_classifier(config, source.folder, scheme)
    head = read_head(config, source.folder)
    tokenizer = load_tokenizer(source.folder, source.options)
    model = load_network(AutoModelForSequenceClassification, source, dtype)
    if model.config.pad_token_id is None:  # generative models look for the last token that is not padding
        model.config.pad_token_id = tokenizer.pad_token_id
    return model, tokenizer, head


def _check_classifier(config: Any, folder: Path, scheme: str) -> None:
    architectures = [str(architecture) for architecture in config.architectures or ()]
    if architectures and not any(architecture.endswith(_CLASSIFIER) for architecture in architectures):
        message = f"{folder}: is a {architectures[0]}, which has neither labels nor ratings"
        hint = f"{scheme}: needs a model of type …{_CLASSIFIER}; name an encoder without {scheme}:"
        raise LitotesError("L310", message, hint=hint)


_FORMS = {
    "entailment": ("entailment", "entail", "entails", "entailed"),
    "neutral": ("neutral",),
    "contradiction": ("contradiction", "contradict", "contradicts", "contradicted", "contradictory"),
}
_LABEL_BY_FORM = {form: label for label, forms in _FORMS.items() for form in forms}


def label_order(config: Any, labels: str | None, source: object) -> tuple[str, ...]:
    """Return the labels in the order of the model's outputs; the option takes precedence over the config."""
    id2label: Mapping[Any, Any] = getattr(config, "id2label", None) or {}
    names = [str(id2label[key]) for key in sorted(id2label, key=int)]
    if len(names) != len(LABELS):
        raise _not_nli(names, source)
    if labels is not None:
        return _parse_labels(labels)
    order = tuple(_label_of(name) for name in names)
    if set(order) != set(LABELS):
        shown = ", ".join(shorten(name, 30) for name in names)
        hint = "name them in the order of its outputs: nli:MODEL?labels=contradiction,entailment,neutral"
        raise LitotesError("L310", f"{source}: its config does not say which label is which ({shown})", hint=hint)
    return order


def _label_of(name: str) -> str:
    """Return the label for a name in a config; "" if it is not clear.

    >>> _label_of("ENTAILMENT"), _label_of("contradictory"), _label_of("LABEL_0"), _label_of("not_entailment")
    ('entailment', 'contradiction', '', '')
    """
    return _LABEL_BY_FORM.get(name.strip().lower(), "")


def _parse_labels(labels: str) -> tuple[str, ...]:
    """Return the order in the option `labels`.

    >>> _parse_labels("contradiction, Entailment, neutral")
    ('contradiction', 'entailment', 'neutral')
    """
    order = tuple(_label_of(name) for name in labels.split(","))
    if sorted(order) != sorted(LABELS):
        hint = f"labels={','.join(LABELS)}, in the order of the model's outputs"
        raise UsageError("L102", f"labels={shorten(labels)}: must be the three labels, each once", hint=hint)
    return order


def _not_nli(names: Sequence[str], source: object) -> LitotesError:
    hint = "nli: needs a model that distinguishes entailment, neutral and contradiction"
    if len(names) == 1:
        return LitotesError("L310", f"{source}: rates pairs (similarity, relevance) and has no labels", hint=hint)
    shown = f" ({', '.join(shorten(name, 30) for name in names)})" if len(names) == 2 else ""
    return LitotesError("L310", f"{source}: has {len(names)} labels{shown}, NLI has three", hint=hint)


@dataclass(frozen=True)
class NliOptions(PairModelOptions):
    """Options in a name such as `nli:FOLDER?labels=contradiction,entailment,neutral`.

    Args:
        labels: The labels in the order of the model's outputs; default: from its config.
        both: How the probabilities of entailment in both directions become a similarity.
    """

    labels: str | None = None
    both: Combination = "product"


class NliModel(PairModel, PairClassifier):
    """A transformers model with a classification head of three labels."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, network: PairNetwork, *, order: Sequence[str], both: Combination
    ) -> None:
        super().__init__(name, fingerprint, network, both=both)
        self._columns = [list(order).index(label) for label in LABELS]

    def classify(self, pairs: Sequence[TextPair]) -> Vectors:
        """Return one row per pair with the probabilities of the labels in the order of LABELS, as one batch."""
        probabilities = self._logits(pairs).softmax(dim=-1).numpy()
        return np.ascontiguousarray(probabilities[:, self._columns], dtype=np.float32)


def load_nli(name: ModelName, access: Access, values: Mapping[str, Any]) -> NliModel:
    """Load `nli:MODEL`."""
    options = parse_options(NliOptions, values, scheme=name.scheme)
    network, order = load_pair_network(
        name, access, options, lambda config, folder: label_order(config, options.labels, folder)
    )
    fingerprint = network.fingerprint(f"softmax({','.join(order)})", options)
    return NliModel(name.text, fingerprint, network, order=order, both=options.both)


Order = Literal["mean", "first"]
_ACTIVATIONS: Mapping[str, Callable[[Scores], Scores]] = {
    "Sigmoid": lambda ratings: np.asarray(1 / (1 + np.exp(-np.clip(ratings, -700, 700)))),
    "Identity": lambda ratings: ratings,
    "Tanh": np.tanh,
}
_DEFAULT_ACTIVATION = "Sigmoid"


@dataclass(frozen=True)
class CrossEncoderOptions(PairModelOptions):
    """Options in a name such as `cross:stsb-roberta-large?both=first`.

    Args:
        both: Whether a pair is rated in both orders, or only in the given one.
    """

    both: Order = "mean"


class CrossEncoder(PairModel):
    """A transformers model with one output per pair."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, network: PairNetwork, *, activation: str, both: Order
    ) -> None:
        super().__init__(name, fingerprint, network)
        self._activation = _ACTIVATIONS[activation]
        self._both = both

    def score(self, pairs: Sequence[TextPair]) -> Scores:
        """Return the rating of each pair."""
        if self._both == "first":
            return self._rate(pairs)
        ratings = self._rate([*pairs, *((second, first) for first, second in pairs)])
        return (ratings[: len(pairs)] + ratings[len(pairs) :]) / 2

    def _rate(self, pairs: Sequence[TextPair]) -> Scores:
        """Return the rating of each pair in the given order, computed in batches of similar length."""
        ratings = np.empty(len(pairs), dtype=np.float64)
        for indexes in _batches(self.lengths(pairs), self.batch_tokens):
            ratings[indexes] = self._logits([pairs[index] for index in indexes])[:, 0].numpy()
        return self._activation(ratings)


def _batches(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Yield indexes of pairs, the shortest first, in batches of at most `max_tokens` tokens including padding.

    >>> list(_batches([3, 9, 2, 4], 8))
    [[2, 0], [3], [1]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > max_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def load_cross_encoder(name: ModelName, access: Access, values: Mapping[str, Any]) -> CrossEncoder:
    """Load `cross:MODEL`."""
    options = parse_options(CrossEncoderOptions, values, scheme=name.scheme)
    network, activation = load_pair_network(name, access, options, _read_activation)
    order = "mean of both orders" if options.both == "mean" else "in the order given"
    fingerprint = network.fingerprint(f"{activation}, {order}", options)
    return CrossEncoder(name.text, fingerprint, network, activation=activation, both=options.both)


def _read_activation(config: Any, folder: Path) -> str:
    """Return the name of the activation after the output; raise if there are several outputs."""
    if config.num_labels != 1:
        hint = "use nli: for models that distinguish entailment, neutral and contradiction"
        raise LitotesError("L310", f"{folder}: has {config.num_labels} outputs per pair, a rating is one", hint=hint)
    name = _configured_activation(config, folder)
    # Without trust_remote_code, sentence-transformers uses only torch's own activations.
    if name is None or not name.startswith("torch."):
        return _DEFAULT_ACTIVATION
    activation = name.rpartition(".")[2]
    if activation not in _ACTIVATIONS:
        known = ", ".join(_ACTIVATIONS)
        message = f"{folder}: its activation {shorten(activation, 40)} is not supported; known are {known}"
        raise LitotesError("L311", message)
    return activation


def _configured_activation(config: Any, folder: Path) -> str | None:
    """Return the activation in the model's files, whose place depends on the version of sentence-transformers."""
    path = folder / "config_sentence_transformers.json"
    newest = read_json(path).get("activation_fn") if is_file(path) else None
    newer = getattr(config, "sentence_transformers", None)
    newer = newer.get("activation_fn") if isinstance(newer, Mapping) else None
    oldest = getattr(config, "sbert_ce_default_activation_function", None)
    return next((name for name in (newest, newer, oldest) if isinstance(name, str)), None)
