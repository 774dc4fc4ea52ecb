"""`skipthought:FOLDER`: skip-thought vectors (Kiros et al., 2015), the last state of a GRU that reads the sentence.

`model=uni` reads it forward, `bi` forward and backward; `combined` concatenates both, each scaled to length 1, as the
authors recommend. `eos=yes` lets the encoders read the end of the sentence as in training, which helps if sentences
have no full stop. `vectors=6b-50d` or a file of word vectors maps unknown words into the vocabulary of the model.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, shorten
from litotes.core.files import expand_user, is_file, is_folder, sha256_file
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.classic.skipthought_files import (
    DICTIONARY,
    EOS,
    PREFIXES,
    UNK,
    Part,
    SkipPart,
    last_states,
    parts_in,
    read_dictionary,
    read_part,
    table_file,
    weights_file,
)
from litotes.models.lookup_encoder import unknown_sentences_note, unknown_words_note
from litotes.models.names import ModelName, parse_options
from litotes.models.word_vectors.lookup import WordVectors, open_word_vectors
from litotes.models.word_vectors.tokenization import INFERSENT_TOKENIZERS, treebank_words


class VocabularyExpansion:
    """A linear map from word vectors to the words of a model, for words that the model does not have."""

    def __init__(self, vectors: WordVectors, rows: Mapping[str, int], parts: Sequence[SkipPart], name: str) -> None:
        self._vectors = vectors
        words = [word for word in rows if word and word not in (EOS, UNK)]
        source, known = vectors.lookup(words)
        self.shared = int(known.sum())
        if self.shared <= vectors.width:
            raise LitotesError(
                "L303",
                f"{name}: shares {self.shared:,} words with the vectors, more than {vectors.width} are needed to map"
                " the others",
                hint="name other vectors, or vectors of fewer dimensions",
            )
        shared_rows = np.array(
            [rows[word] for word, is_known in zip(words, known, strict=True) if is_known], dtype=np.intp
        )
        self._maps = {part.part: fit_map(source[known], part.table[shared_rows]) for part in parts}

    @property
    def sha256(self) -> str:
        """The hash of the word vectors."""
        return self._vectors.sha256

    def known(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words have a vector."""
        return self._vectors.lookup(words)[1]

    def map_words(self, part: SkipPart, words: Sequence[str]) -> Vectors:
        """Return vectors for words as if the part of the model had them."""
        return _with_constant(self._vectors.lookup(words)[0]) @ self._maps[part.part]


def fit_map(source: Vectors, target: NDArray[np.floating]) -> Vectors:
    """Return the matrix that maps rows of `source`, with an appended 1, to rows of `target` with least squares.

    >>> fit_map(np.array([[0], [1], [2]], np.float32), np.array([[1.0], [3.0], [5.0]])).round(4).tolist()
    [[2.0], [1.0]]
    """
    solution = np.linalg.lstsq(_with_constant(source).astype(np.float64), target.astype(np.float64), rcond=None)[0]
    return np.asarray(solution, dtype=np.float32)


def _with_constant(rows: Vectors) -> Vectors:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


TOKENIZER = INFERSENT_TOKENIZERS[1].name
"""The name of the tokenizer in fingerprints and configurations."""


@dataclass(frozen=True)
class SkipThoughtOptions:
    """Options after the `?`.

    Args:
        model: The part of the model; default: all that the folder has.
        eos: Whether the encoders read the end of the sentence.
        vectors: The name or file of word vectors for words that the model does not have.
    """

    model: Literal["combined", "uni", "bi"] | None = None
    eos: Literal["no", "yes"] = "no"
    vectors: str | None = None


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> SkipThought:
    """Load `skipthought:FOLDER`."""
    options = parse_options(SkipThoughtOptions, values, scheme="skipthought")
    folder = expand_user(name.rest)
    part_names = _choose_parts(folder, options.model)
    rows, n_rows = read_dictionary(folder)
    if options.eos == "yes" and EOS not in rows:
        hint = "leave out eos=yes"
        raise LitotesError("L303", f"{folder / DICTIONARY}: has no {EOS}, which eos=yes needs", hint=hint)
    parts = [read_part(folder, part, n_rows) for part in part_names]
    expansion = (
        VocabularyExpansion(open_word_vectors(options.vectors, access), rows, parts, shorten(name.text))
        if options.vectors is not None
        else None
    )
    fingerprint = _fingerprint(folder, part_names, options, expansion)
    return SkipThought(name.text, fingerprint, rows, parts, expansion=expansion, reads_end=options.eos == "yes")


def _choose_parts(folder: Path, model: str | None) -> list[Part]:
    if is_file(folder):
        raise LitotesError("L202", f"{folder}: is a file, a model is a folder", hint="name the folder of the file")
    if not is_folder(folder):
        raise LitotesError("L301", f"{shorten(str(folder))}: no such folder", hint="check the path")
    present = parts_in(folder)
    if not present:
        hint = "litotes train skipthought trains a model"
        raise LitotesError("L302", f"{folder}: has neither uni_skip.npz nor bi_skip.npz", hint=hint)
    if model is None:
        return present
    parts = [part for part in PREFIXES if model in (part, "combined")]
    if missing := [weights_file(part) for part in parts if part not in present]:
        raise LitotesError("L302", f"{folder}: has no {missing[0]}, which model={model} needs", hint="leave out model=")
    return parts


def _fingerprint(
    folder: Path, parts: Sequence[Part], options: SkipThoughtOptions, expansion: VocabularyExpansion | None
) -> Fingerprint:
    files = [DICTIONARY, *(file(part) for part in parts for file in (weights_file, table_file))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file}\0{sha256_file(folder / file)}\0".encode())
    config = [TOKENIZER, f"eos={options.eos}"] + ([f"vectors={expansion.sha256}"] if expansion is not None else [])
    return Fingerprint(
        backend="numpy/skip-thought", weights=digest.hexdigest(), config=" ".join(config), pooling="+".join(parts)
    )


class SkipThought(Encoder):
    """The last states of the encoders, scaled to length 1 for each part; zeros for a text without words."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        rows: Mapping[str, int],
        parts: Sequence[SkipPart],
        *,
        expansion: VocabularyExpansion | None = None,
        reads_end: bool = False,
    ) -> None:
        super().__init__(name, fingerprint)
        self._rows = rows
        self._parts = parts
        self._expansion = expansion
        self._reads_end = reads_end
        # The published tables have words with capitals. A dictionary without any, as from training on lower-cased
        # text, needs lower-cased words.
        self._is_lower = not any(word != UNK and word != word.lower() for word in rows)

    @property
    def batch_tokens(self) -> int:
        """Large, because each step multiplies the states of all sentences of a batch with the weights."""
        return 2048

    @property
    def parallel(self) -> bool:
        """False: the matrix products use all cores."""
        return False

    @property
    def allows_zero_vectors(self) -> bool:
        """Whether a text without words has a vector of zeros; not if its end is read."""
        return not self._reads_end

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text, at least 1, including the end if it is read."""
        return [max(1, len(self._read(text))) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text."""
        tokenized = [self._read(text) for text in texts]
        # Sorted, so that the same sentences give the same bits in any order.
        words = sorted({word for tokens in tokenized for word in tokens})
        index = {word: number for number, word in enumerate(words)}
        lengths = np.array([len(tokens) for tokens in tokenized], dtype=np.intp)
        indexes = np.zeros((len(texts), int(lengths.max(initial=0))), dtype=np.intp)
        for row, tokens in zip(indexes, tokenized, strict=True):
            row[: len(tokens)] = [index[word] for word in tokens]
        return np.concatenate([self._states(part, words, indexes, lengths) for part in self._parts], axis=1)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return notes about words that the model does not have and sentences without words."""
        tokenized = [self._words(text) for text in texts]
        counts = Counter(word for tokens in tokenized for word in tokens)
        missing = [word for word in counts if word not in self._rows]
        mapped = self._mappable(missing)
        n_empty = sum(not tokens for tokens in tokenized) if self.allows_zero_vectors else 0
        mapped_counts = {word: counts[word] for word in missing if word in mapped}
        unknown_counts = {word: counts[word] for word in missing if word not in mapped}
        return [
            *unknown_words_note(mapped_counts, counts.total(), "are mapped from the word vectors"),
            *unknown_words_note(unknown_counts, counts.total(), "are unknown and read as UNK"),
            *unknown_sentences_note(n_empty, "word"),
        ]

    def _words(self, text: str) -> list[str]:
        words = treebank_words(text)
        return [word.lower() for word in words] if self._is_lower else words

    def _read(self, text: str) -> list[str]:
        return [*self._words(text), EOS] if self._reads_end else self._words(text)

    def _mappable(self, words: Sequence[str]) -> set[str]:
        if self._expansion is None or not words:
            return set()
        known = self._expansion.known(words)
        return {word for word, is_known in zip(words, known, strict=True) if is_known}

    def _states(
        self, part: SkipPart, words: Sequence[str], indexes: NDArray[np.intp], lengths: NDArray[np.intp]
    ) -> Vectors:
        vectors = self._vectors(part, words)
        states = np.concatenate(
            [
                last_states(encoder, vectors, indexes, lengths, backwards=number == 1)
                for number, encoder in enumerate(part.encoders)
            ],
            axis=1,
        )
        sizes = np.linalg.norm(states, axis=1, keepdims=True)
        unit: Vectors = np.divide(states, sizes, out=np.zeros_like(states), where=sizes > 0)
        return unit

    def _vectors(self, part: SkipPart, words: Sequence[str]) -> Vectors:
        unknown = self._rows[UNK]
        vectors = np.asarray(part.table[[self._rows.get(word, unknown) for word in words]], dtype=np.float32)
        is_wrong = ~np.isfinite(vectors).all(axis=1)
        if is_wrong.any():
            word = shorten(words[int(np.argmax(is_wrong))], 40)
            message = f"{self.name}: {table_file(part.part)} has NaN or infinite numbers for “{word}”"
            raise LitotesError("L303", message, hint="download or train the model again")
        mapped = self._mappable([word for word in words if word not in self._rows])
        if self._expansion is not None and mapped:
            indexes = [index for index, word in enumerate(words) if word in mapped]
            vectors[indexes] = self._expansion.map_words(part, [words[index] for index in indexes])
        return vectors
