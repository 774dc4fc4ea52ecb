"""Loading a model by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.core.registry import Registry, unknown_name
from litotes.core.secrets import is_secret_option
from litotes.models.access import Access
from litotes.models.base import Model
from litotes.models.known_models import with_published_settings
from litotes.models.names import SERVER_SCHEMES, ModelName, parse_name

SCHEMES = {
    "st": "litotes.models.transformers.sentence_transformer:load",
    "hf": "litotes.models.transformers.transformers_encoder:load",
    "onnx": "litotes.models.onnx:load",
    "nli": "litotes.models.transformers.pair_model:load_nli",
    "cross": "litotes.models.transformers.pair_model:load_cross_encoder",
    "glove": "litotes.models.word_vectors.encoder:load",
    "sif": "litotes.models.classic.sif:load",
    "pmeans": "litotes.models.classic.power_means:load",
    "sent2vec": "litotes.models.classic.sent2vec:load",
    "skipthought": "litotes.models.classic.skipthought:load",
    "infersent": "litotes.models.classic.infersent:load",
    "model2vec": "litotes.models.static.model2vec:load",
    "wordllama": "litotes.models.static.wordllama:load",
    "openai": "litotes.models.servers.openai_embeddings:load",
    "chat": "litotes.models.servers.openai_chat:load",
    "lm": "litotes.models.transformers.local_lm:load",
    "adapter": "litotes.models.adapter:load",
    "rankencoder": "litotes.models.classic.rank_encoder:load",
    "overlap": "litotes.models.word_overlap:load",
}
"""The function behind each scheme; packages add their own by the entry-point group `litotes.models`."""
_CLASSIFIER_SCHEMES = ("nli",)
_LOADERS = Registry("scheme", SCHEMES, group="litotes.models")


def list_models() -> list[str]:
    """Return the schemes that the name of a model can begin with.

    >>> "onnx" in list_models()
    True
    """
    return _LOADERS.names()


def check_name(name: str) -> ModelName:
    """Return the parts of a model's name; raise if its scheme is unknown. Nothing is loaded."""
    parsed = with_published_settings(parse_name(name))
    if parsed.scheme not in _LOADERS:
        raise unknown_name("scheme", parsed.scheme, list_models())
    return parsed


def predicts_labels(name: str) -> bool | None:
    """Return whether the model of that name predicts NLI labels; None if that is unknown before it is loaded.

    >>> predicts_labels("nli:./model"), predicts_labels("all-MiniLM-L6-v2")
    (True, False)
    """
    scheme = check_name(name).scheme
    return scheme in _CLASSIFIER_SCHEMES if scheme in SCHEMES else None


def check_received_name(name: str, options: Mapping[str, Any], access: Access) -> ModelName:
    """Return the parts of a model's name in a file, which may come from others; raise if it reaches a server or a key.

    >>> check_received_name("openai:model@https://example.com/v1", {}, Access()).rest
    Traceback (most recent call last):
    litotes.core.errors.UsageError: [L102] "openai:": a file may not name a model behind a server; \
name it on the command line, or permit it with --allow-servers
    """
    parsed = check_name(name)
    if secrets := [option for option in (*parsed.options, *options) if is_secret_option(option)]:
        message = f'"{parsed.scheme}:": a file may not name a key (?{secrets[0]}=)'
        raise UsageError("L102", message, hint="name the model with its key on the command line")
    # Whether a scheme of another package reaches a server is unknown.
    if (parsed.scheme in SERVER_SCHEMES or parsed.scheme not in SCHEMES) and not access.allow_servers:
        hint = "name it on the command line, or permit it with --allow-servers"
        raise UsageError("L102", f'"{parsed.scheme}:": a file may not name a model behind a server', hint=hint)
    return replace(parsed, is_received=True)


def load_received_model(name: str, access: Access, options: Mapping[str, Any]) -> Model:
    """Load a model that a file names, for example a list of models, with the permissions for names from others."""
    parsed = check_received_name(name, options, access)
    is_local = parsed.scheme in SCHEMES and parsed.scheme not in (*SERVER_SCHEMES, "adapter")
    return _load(parsed, access.for_received_names() if is_local else access, options)


def load_model(
    name: str,
    *,
    offline: bool = False,
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
    allow_downloads: bool = False,
    allow_servers: bool = False,
    **options: Any,
) -> Model:
    """Load a model by its name: a folder, a hub id, a short name, or `scheme:rest`.

    Args:
        name: The name; options can be part of it: `hf:bert-base-uncased?pooling=cls`.
        offline: Do not use the network.
        allow_pickle: Read pickled weights, which can run code.
        trust_remote_code: Run code that a model comes with.
        allow_downloads: Download the model that an adapter names.
        allow_servers: Send sentences to the server that an adapter names.
        **options: Options of the scheme, which take precedence over those in the name. All schemes accept `label`,
            the name in tables.

    >>> load_model("overlap:words?label=common words").name
    'common words'
    """
    access = Access(
        offline=offline,
        allow_pickle=allow_pickle,
        trust_remote_code=trust_remote_code,
        allow_downloads=allow_downloads,
        allow_servers=allow_servers,
    )
    return _load(check_name(name), access, options)


def _load(parsed: ModelName, access: Access, options: Mapping[str, Any]) -> Model:
    values = {**parsed.options, **options}
    if label := str(values.pop("label", "")):
        parsed = replace(parsed, text=label)
    model = _LOADERS.get(parsed.scheme)(parsed, access, values)
    if not isinstance(model, Model):  # an entry point of another package could return anything
        raise LitotesError("L311", f'"{parsed.scheme}:": returned a {type(model).__name__}, which is not a model')
    return model
