"""From a name to a scorer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry, unknown_name
from litotes.scorers.access import Access
from litotes.scorers.base import Scorer
from litotes.scorers.known_models import as_published
from litotes.scorers.names import ScorerName, parse_name

SCHEMES = {
    "st": "litotes.scorers.sentence_transformer:load",
    "hf": "litotes.scorers.transformers_encoder:load",
    "onnx": "litotes.scorers.onnx_encoder:load",
    "nli": "litotes.scorers.nli:load",
    "cross": "litotes.scorers.cross_encoder:load",
    "glove": "litotes.scorers.word_average:load",
    "sif": "litotes.scorers.sif:load",
    "pmeans": "litotes.scorers.pmeans:load",
    "sent2vec": "litotes.scorers.sent2vec:load",
    "skipthought": "litotes.scorers.skipthought:load",
    "infersent": "litotes.scorers.infersent:load",
    "model2vec": "litotes.scorers.model2vec:load",
    "wordllama": "litotes.scorers.wordllama:load",
    "openai": "litotes.scorers.openai_embeddings:load",
    "chat": "litotes.scorers.chat_chooser:load",
    "lm": "litotes.scorers.lm_chooser:load",
    "adapter": "litotes.scorers.adapter:load",
    "overlap": "litotes.scorers.overlap:load",
}
LABELLING = ("nli",)
"""Of these schemes those whose scorers give labels and not only likeness."""
_LOADERS = Registry("scheme", SCHEMES, group="litotes.scorers")


def list_scorers() -> list[str]:
    """The schemes that a scorer's name can begin with.

    >>> "onnx" in list_scorers()
    True
    """
    return _LOADERS.names()


def check_name(name: str) -> ScorerName:
    """The parts of a scorer's name; raises for a scheme that nobody knows, before anything is loaded."""
    parsed = as_published(parse_name(name))
    if parsed.scheme not in _LOADERS:
        raise unknown_name("scheme", parsed.scheme, list_scorers())
    return parsed


def gives_labels(name: str) -> bool | None:
    """Whether the scorer of that name can be asked for labels; None where only loading it would tell.

    >>> gives_labels("nli:./model"), gives_labels("all-MiniLM-L6-v2")
    (True, False)
    """
    scheme = check_name(name).scheme
    return scheme in LABELLING if scheme in SCHEMES else None


def load_scorer(
    name: str,
    *,
    offline: bool = False,
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
    **options: Any,
) -> Scorer:
    """A scorer by its name: a folder, a hub id or a short name, or `scheme:rest`.

    Options stand in the name (`hf:bert-base-uncased?pooling=cls`) or are given here; every scorer takes `label`,
    what it is to be called in tables.

    >>> load_scorer("overlap:words?label=common words").name
    'common words'
    """
    parsed = check_name(name)
    given = {**parsed.options, **options}
    if label := str(given.pop("label", "")):
        parsed = replace(parsed, text=label)
    access = Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
    scorer = _LOADERS.get(parsed.scheme)(parsed, access, given)
    if not isinstance(scorer, Scorer):  # an entry point of another package could return anything
        kind = type(scorer).__name__
        raise LitotesError("L311", f'"{parsed.scheme}:": gave a {kind}, which is no scorer')
    return scorer
