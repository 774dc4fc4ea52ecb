"""The settings of training classic sentence encoders."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from litotes.core.errors import UsageError
from litotes.core.settings import PositiveFloat, PositiveInt, Seed, Settings

Count = Annotated[int, Meta(ge=0)]


class InferSentSettings(Settings, frozen=True, kw_only=True):
    """How InferSent is trained; the authors' encoder has a `dim` of 2,048 and needs a GPU."""

    dim: Annotated[
        PositiveInt, Meta(description="Dimensions per direction; a vector has twice as many. The paper has 2048.")
    ] = 512
    hidden: Annotated[PositiveInt, Meta(description="Width of the classifier's layers.")] = 512
    tanh: Annotated[
        bool, Meta(description="Put a tanh between the classifier's layers, unlike the authors' program.")
    ] = False
    epochs: Annotated[PositiveInt, Meta(description="Maximum number of epochs.")] = 20
    batch_size: Annotated[PositiveInt, Meta(description="Pairs per step.")] = 64
    learning_rate: Annotated[PositiveFloat, Meta(description="Learning rate of the first epoch.")] = 0.1
    decay: Annotated[PositiveFloat, Meta(extra={"option": False})] = 0.99
    """Factor of the learning rate after each epoch."""
    shrink: Annotated[PositiveFloat, Meta(extra={"option": False})] = 5.0
    """Divisor of the learning rate after an epoch without improvement on the dev set."""
    min_rate: Annotated[PositiveFloat, Meta(extra={"option": False})] = 1e-5
    """Learning rate below which training ends."""
    max_norm: Annotated[PositiveFloat, Meta(extra={"option": False})] = 5.0
    """Maximum norm of the gradient."""
    seed: Seed = 0
    examples: Annotated[
        PositiveInt | None, Meta(description="Number of pairs drawn from the data.", extra={"zero": "all"})
    ] = None
    version: Annotated[int, Meta(ge=1, le=2, description="Tokenization: 1 for GloVe vectors, 2 for fastText.")] = 1
    lowercase: Annotated[
        bool | None,
        Meta(
            description="Lower-case the texts. Default: if the vectors have no capital letters.",
            extra={"option": "--lowercase/--keep-case"},
        ),
    ] = None


class Sent2VecSettings(Settings, frozen=True, kw_only=True):
    """How sent2vec is trained."""

    dim: Annotated[int, Meta(ge=1, le=100_000, description="Dimensions of a vector.")] = 100
    epochs: Annotated[PositiveInt, Meta(description="Number of epochs.")] = 5
    word_ngrams: Annotated[int, Meta(ge=1, le=100, description="Words of the longest n-gram; 1: words only.")] = 2
    bucket: Annotated[
        int, Meta(ge=0, lt=2**31, description="Rows shared by all n-grams; the original tool has 2,000,000.")
    ] = 200_000
    min_count: Annotated[PositiveInt, Meta(description="Rarer words have no vector.")] = 5
    min_target_count: Annotated[Count, Meta(description="Rarer words are not predicted.")] = 0
    negatives: Annotated[PositiveInt, Meta(description="Negative samples per predicted word.")] = 10
    learning_rate: Annotated[PositiveFloat, Meta(description="Initial learning rate, which falls linearly to 0.")] = 0.2
    dropout_k: Annotated[Count, Meta(description="Words per sentence whose n-grams are dropped at random.")] = 4
    subsample: Annotated[PositiveFloat, Meta(description="More frequent words are predicted less often.")] = 1e-4
    batch_size: Annotated[PositiveInt, Meta(description="Predicted words per step.")] = 64
    seed: Seed = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word_ngrams > 1 and self.bucket < 1:
            raise UsageError("L102", "bucket=0: n-grams need rows", hint="use word_ngrams=1 to train without n-grams")

    @property
    def ngram_rows(self) -> int:
        """Rows of the matrix for n-grams."""
        return self.bucket if self.word_ngrams > 1 else 0


class SkipThoughtSettings(Settings, frozen=True, kw_only=True):
    """How skip-thought vectors are trained."""

    dim: Annotated[
        PositiveInt,
        Meta(description="Dimensions of a sentence, half of them per direction if bidirectional. The paper has 2400."),
    ] = 600
    words: Annotated[PositiveInt, Meta(description="Dimensions of a word. The paper has 620.")] = 200
    vocabulary: Annotated[
        int, Meta(ge=3, description="Size of the vocabulary, with the tokens for end and unknown words.")
    ] = 20_000
    min_count: Annotated[PositiveInt, Meta(description="Rarer words are read as unknown.")] = 2
    epochs: Annotated[PositiveInt, Meta(description="Number of epochs.")] = 5
    batch_size: Annotated[PositiveInt, Meta(description="Sentences per step.")] = 64
    max_length: Annotated[PositiveInt, Meta(description="Longer sentences, in words, are left out.")] = 30
    learning_rate: Annotated[PositiveFloat, Meta(description="Learning rate of Adam.")] = 1e-3
    samples: Annotated[Count, Meta(description="Negative samples per batch; 0: full softmax.")] = 512
    bidirectional: Annotated[bool, Meta(description="Read forwards and backwards.")] = False
    seed: Seed = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bidirectional and self.dim % 2:
            raise UsageError("L102", f"dim={self.dim}: must be even because each direction has half of it")
