"""`skipthought:FOLDER` — skip-thought vectors (Kiros et al. 2015): the last state of a GRU that reads the sentence.

`model=uni` reads it forwards, `bi` forwards and backwards, `combined` is both side by side, each of length 1, as the
authors advise. `eos=yes` lets the encoders read the end of the sentence as they did in training, which helps where
sentences have no full stop. `vectors=6b-50d` or a file of word vectors gives words that the model lacks a place in it.
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

from litotes.core.errors import LitotesError
from litotes.core.files import expand_user, is_file, is_folder, sha256_file
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.classic.gru import last_states
from litotes.models.classic.skipthought_files import (
    DICTIONARY,
    EOS,
    UNK,
    Part,
    SkipPart,
    parts_in,
    read_dictionary,
    read_part,
    table_file,
    weights_file,
)
from litotes.models.names import ScorerName, parse_options, shorten
from litotes.models.word_vectors.encoder import note_of_sentences, note_of_words
from litotes.models.word_vectors.lookup import WordLookup, open_word_vectors
from litotes.models.word_vectors.tokens import READINGS, treebank_words


class Expansion:
    """Gives words that the model lacks a place among those that it has, for each of its parts."""

    def __init__(self, vectors: WordLookup, rows: Mapping[str, int], parts: Sequence[SkipPart], name: str) -> None:
        self._vectors = vectors
        words = [word for word in rows if word and word not in (EOS, UNK)]
        given, known = vectors.look_up(words)
        self.shared = int(known.sum())
        if self.shared <= vectors.width:
            raise LitotesError(
                "L303",
                f"{name}: shares {self.shared:,} words with the vectors, more than {vectors.width} are needed to map"
                " the others",
                hint="name other vectors, or fewer numbers a vector",
            )
        own = np.array([rows[word] for word, is_known in zip(words, known, strict=True) if is_known], dtype=np.intp)
        self._maps = {part.part: learn_map(given[known], part.table[own]) for part in parts}

    @property
    def sha256(self) -> str:
        """Of the word vectors."""
        return self._vectors.sha256

    def known(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Which of the words have a vector."""
        return self._vectors.look_up(words)[1]

    def mapped(self, part: SkipPart, words: Sequence[str]) -> Vectors:
        """The words as if the part had them."""
        return _with_constant(self._vectors.look_up(words)[0]) @ self._maps[part.part]


def learn_map(given: Vectors, wanted: NDArray[np.floating]) -> Vectors:
    """The matrix that takes rows of `given`, with a 1 behind each, nearest to the rows of `wanted`.

    >>> learn_map(np.array([[0], [1], [2]], np.float32), np.array([[1.0], [3.0], [5.0]])).round(4).tolist()
    [[2.0], [1.0]]
    """
    solution = np.linalg.lstsq(_with_constant(given).astype(np.float64), wanted.astype(np.float64), rcond=None)[0]
    return np.asarray(solution, dtype=np.float32)


def _with_constant(rows: Vectors) -> Vectors:
    return np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)


RULES = READINGS[1].name
"""What the rules are called by which a text is cut into words."""


@dataclass(frozen=True)
class Options:
    """What can be said about a skip-thought model."""

    model: Literal["combined", "uni", "bi"] | None = None
    """None: combined where the folder has both, else the one that is there."""
    eos: Literal["no", "yes"] = "no"
    vectors: str | None = None


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> SkipThought:
    """The model in a folder with the published files."""
    options = parse_options(Options, given, scheme="skipthought")
    folder = expand_user(name.rest)
    parts = _chosen(folder, options.model)
    rows, count = read_dictionary(folder)
    if options.eos == "yes" and EOS not in rows:
        raise LitotesError(
            "L303", f"{folder / DICTIONARY}: has no {EOS}, which eos=yes needs", hint="leave out eos=yes"
        )
    read = [read_part(folder, part, count) for part in parts]
    expansion = (
        Expansion(open_word_vectors(options.vectors, access), rows, read, shorten(name.text))
        if options.vectors is not None
        else None
    )
    fingerprint = _fingerprint(folder, parts, options, expansion)
    return SkipThought(name.text, fingerprint, rows, read, expansion=expansion, reads_end=options.eos == "yes")


def _chosen(folder: Path, wanted: str | None) -> list[Part]:
    if is_file(folder):
        raise LitotesError("L202", f"{folder}: is a file, a model is a folder", hint="name the folder that holds it")
    if not is_folder(folder):
        raise LitotesError("L301", f"{shorten(str(folder))}: no such folder", hint="check the path")
    there = parts_in(folder)
    if not there:
        hint = "litotes train skipthought makes a model"
        raise LitotesError("L302", f"{folder}: has neither uni_skip.npz nor bi_skip.npz", hint=hint)
    if wanted is None:
        return there
    every: tuple[Part, ...] = ("uni", "bi")
    parts = [part for part in every if wanted in (part, "combined")]
    if missing := [weights_file(part) for part in parts if part not in there]:
        raise LitotesError(
            "L302", f"{folder}: has no {missing[0]}, which model={wanted} needs", hint="leave out model="
        )
    return parts


def _fingerprint(folder: Path, parts: Sequence[Part], options: Options, expansion: Expansion | None) -> Fingerprint:
    files = [DICTIONARY, *(file(part) for part in parts for file in (weights_file, table_file))]
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file}\0{sha256_file(folder / file)}\0".encode())
    how = [RULES, f"eos={options.eos}"] + ([f"vectors={expansion.sha256}"] if expansion is not None else [])
    return Fingerprint(
        backend="numpy/skip-thought",
        weights=digest.hexdigest(),
        config=" ".join(how),
        pooling="+".join(parts),
    )


class SkipThought(Encoder):
    """The last states of the encoders, each model's with length 1; a text without words is a row of zeros."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        rows: Mapping[str, int],
        parts: Sequence[SkipPart],
        *,
        expansion: Expansion | None = None,
        reads_end: bool = False,
    ) -> None:
        super().__init__(name, fingerprint)
        self._rows = rows
        self._parts = parts
        self._expansion = expansion
        self._reads_end = reads_end
        # The published tables have words with capitals. A dictionary without any is that of a lower-case text, as
        # training makes it, and capitals would only hide its words.
        self._is_lower = not any(word != UNK and word != word.lower() for word in rows)

    @property
    def batch_tokens(self) -> int:
        """A step multiplies the states of all sentences at once: the more, the better the weights' way is used."""
        return 2048

    @property
    def parallel(self) -> bool:
        """The multiplications use all cores by themselves."""
        return False

    @property
    def may_know_nothing(self) -> bool:
        """A text may have no words; where the end is read, there is something even then."""
        return not self._reads_end

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """In words, the end counted where it is read."""
        return [max(1, len(self._read(text))) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row a text."""
        read = [self._read(text) for text in texts]
        # In order of the words, so that the same sentences give the same bits in whatever order they come.
        words = sorted({word for tokens in read for word in tokens})
        number = {word: place for place, word in enumerate(words)}
        lengths = np.array([len(tokens) for tokens in read], dtype=np.intp)
        places = np.zeros((len(texts), int(lengths.max(initial=0))), dtype=np.intp)
        for row, tokens in zip(places, read, strict=True):
            row[: len(tokens)] = [number[word] for word in tokens]
        return np.concatenate([self._states(part, words, places, lengths) for part in self._parts], axis=1)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """How many words the model was not trained on, which are the most frequent, and what becomes of them."""
        read = [self._words(text) for text in texts]
        counts = Counter(word for tokens in read for word in tokens)
        total = sum(counts.values())
        lacking = [word for word in counts if word not in self._rows]
        mapped = self._mapped(lacking)
        moved = {word: counts[word] for word in lacking if word in mapped}
        unknown = {word: counts[word] for word in lacking if word not in mapped}
        empty = sum(not tokens for tokens in read) if self.may_know_nothing else 0
        return [
            *note_of_words(moved, total, "are mapped from the word vectors"),
            *note_of_words(unknown, total, "are not known and read as UNK"),
            *note_of_sentences(empty, "word"),
        ]

    def _words(self, text: str) -> list[str]:
        words = treebank_words(text)
        return [word.lower() for word in words] if self._is_lower else words

    def _read(self, text: str) -> list[str]:
        return [*self._words(text), EOS] if self._reads_end else self._words(text)

    def _mapped(self, words: Sequence[str]) -> set[str]:
        if self._expansion is None or not words:
            return set()
        known = self._expansion.known(words)
        return {word for word, is_known in zip(words, known, strict=True) if is_known}

    def _states(
        self, part: SkipPart, words: Sequence[str], places: NDArray[np.intp], lengths: NDArray[np.intp]
    ) -> Vectors:
        vectors = self._vectors(part, words)
        states = np.concatenate(
            [
                last_states(encoder, vectors, places, lengths, backwards=number == 1)
                for number, encoder in enumerate(part.encoders)
            ],
            axis=1,
        )
        sizes = np.linalg.norm(states, axis=1, keepdims=True)
        unit: Vectors = np.divide(states, sizes, out=np.zeros_like(states), where=sizes > 0)
        return unit

    def _vectors(self, part: SkipPart, words: Sequence[str]) -> Vectors:
        unknown = self._rows[UNK]
        found = np.asarray(part.table[[self._rows.get(word, unknown) for word in words]], dtype=np.float32)
        wrong = ~np.isfinite(found).all(axis=1)
        if wrong.any():
            word = shorten(words[int(np.argmax(wrong))], 40)
            raise LitotesError(
                "L303",
                f"{self.name}: {table_file(part.part)} has NaN or infinite numbers for “{word}”",
                hint="fetch or train the model again",
            )
        lacking = [word for word in words if word not in self._rows]
        mapped = self._mapped(lacking)
        if self._expansion is not None and mapped:
            at = [place for place, word in enumerate(words) if word in mapped]
            found[at] = self._expansion.mapped(part, [words[place] for place in at])
        return found
