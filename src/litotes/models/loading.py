"""From a name to a scorer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.registry import Registry, unknown_name
from litotes.models.access import Access
from litotes.models.base import Model
from litotes.models.known_models import as_published
from litotes.models.names import ScorerName, parse_name

SCHEMES = {
    "st": "litotes.models.transformers.sentence_transformer:load",
    "hf": "litotes.models.transformers.transformers_encoder:load",
    "onnx": "litotes.models.onnx:load",
    "nli": "litotes.models.nli.classifier:load",
    "cross": "litotes.models.nli.cross_encoder:load",
    "glove": "litotes.models.classic.word_average:load",
    "sif": "litotes.models.classic.sif:load",
    "pmeans": "litotes.models.classic.power_means:load",
    "sent2vec": "litotes.models.classic.sent2vec:load",
    "skipthought": "litotes.models.classic.skipthought:load",
    "infersent": "litotes.models.classic.infersent:load",
    "model2vec": "litotes.models.static.model2vec:load",
    "wordllama": "litotes.models.static.wordllama:load",
    "openai": "litotes.models.servers.embeddings:load",
    "chat": "litotes.models.prompting.chat:load",
    "lm": "litotes.models.prompting.local_lm:load",
    "adapter": "litotes.models.adapter:load",
    "overlap": "litotes.models.word_overlap:load",
}
LABELLING = ("nli",)
"""Of these schemes those whose scorers give labels and not only likeness."""
_LOADERS = Registry("scheme", SCHEMES, group="litotes.models")


def list_models() -> list[str]:
    """The schemes that a scorer's name can begin with.

    >>> "onnx" in list_models()
    True
    """
    return _LOADERS.names()


def check_name(name: str) -> ScorerName:
    """The parts of a scorer's name; raises for a scheme that nobody knows, before anything is loaded."""
    parsed = as_published(parse_name(name))
    if parsed.scheme not in _LOADERS:
        raise unknown_name("scheme", parsed.scheme, list_models())
    return parsed


def gives_labels(name: str) -> bool | None:
    """Whether the scorer of that name can be asked for labels; None where only loading it would tell.

    >>> gives_labels("nli:./model"), gives_labels("all-MiniLM-L6-v2")
    (True, False)
    """
    scheme = check_name(name).scheme
    return scheme in LABELLING if scheme in SCHEMES else None


def load_model(
    name: str,
    *,
    offline: bool = False,
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
    **options: Any,
) -> Model:
    """A scorer by its name: a folder, a hub id or a short name, or `scheme:rest`.

    Options stand in the name (`hf:bert-base-uncased?pooling=cls`) or are given here; every scorer takes `label`,
    what it is to be called in tables.

    >>> load_model("overlap:words?label=common words").name
    'common words'
    """
    parsed = check_name(name)
    given = {**parsed.options, **options}
    if label := str(given.pop("label", "")):
        parsed = replace(parsed, text=label)
    access = Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code)
    scorer = _LOADERS.get(parsed.scheme)(parsed, access, given)
    if not isinstance(scorer, Model):  # an entry point of another package could return anything
        kind = type(scorer).__name__
        raise LitotesError("L311", f'"{parsed.scheme}:": gave a {kind}, which is no scorer')
    return scorer
