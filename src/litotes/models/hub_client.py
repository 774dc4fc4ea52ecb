"""The Hugging Face hub and its cache, through the hub's own library. All access to the hub goes through this module."""

from __future__ import annotations

import errno
import glob
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import huggingface_hub
from huggingface_hub import constants, utils
from huggingface_hub.errors import (
    CacheNotFound,
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from litotes.core.errors import LitotesError
from litotes.core.files import cannot_write
from litotes.core.model_folders.files import (
    MODULES_FILE,
    ROUTER_FILES,
    model_files,
    module_paths,
    only_pickled,
    pickled_weights,
    weight_files,
)
from litotes.models.access import Access

_CONFIG_SUFFIXES = (".json", ".txt", ".model", ".jinja")
_SAFETENSORS = ".safetensors"
_WEIGHT_SUFFIXES = (_SAFETENSORS, ".bin")
_REQUIRED = (
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer_config.json",
    "model.safetensors",
    "model.safetensors.index.json",
    "model-*-of-*.safetensors",
)
"""Files that must be in the cache if the hub has them: without one of them, it would be a different model."""
_REQUIRED_OF_MODULES = ("*.json", "*.safetensors")
_TIMEOUT = 10
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


class HubFailed(Exception):
    """The hub cannot be reached or answers with an error; `is_retryable` says whether retrying may help."""

    def __init__(self, reason: str, *, is_retryable: bool = True) -> None:
        super().__init__(reason)
        self.is_retryable = is_retryable


def is_valid_repository(repository: str) -> bool:
    """Return whether a text has the form of an id on the hub."""
    try:
        utils.validate_repo_id(repository)
    except HFValidationError:
        return False
    return True


def cached_model(repository: str, revision: str | None, access: Access, *, needs_modules: bool) -> Path | None:
    """Return the folder of a model in the hub's cache, if it is complete."""
    try:
        folder = _snapshot(repository, revision, _REQUIRED)
        modules = [f"{glob.escape(path)}/{name}" for path in module_paths(folder)[1:] for name in _REQUIRED_OF_MODULES]
        folder = _snapshot(repository, revision, modules) if modules else folder
    except (OSError, HFValidationError):  # absent or incomplete
        return None
    if needs_modules and not _is_modules_file_known(folder, repository, revision):
        return None
    if weight_files(folder):
        return folder
    # Pickled weights are useful if they may be read; offline they give a better error than "not found".
    pickled = pickled_weights(model_files(folder))
    return folder if pickled and (access.allow_pickle or not access.may_use_network) else None


def _snapshot(repository: str, revision: str | None, patterns: Sequence[str]) -> Path:
    """Return the folder of a cached snapshot; raise if a file that matches is known but absent."""
    return Path(
        huggingface_hub.snapshot_download(
            repository, revision=revision, local_files_only=True, allow_patterns=list(patterns)
        )
    )


def _is_modules_file_known(folder: Path, repository: str, revision: str | None) -> bool:
    """Return whether modules.json is in the cache or known not to exist.

    transformers never fetches it: a sentence encoder that transformers has put into the cache would run with mean
    pooling instead of its own.
    """
    if (folder / "modules.json").exists():
        return True
    cached = huggingface_hub.try_to_load_from_cache(repository, "modules.json", revision=revision)
    if cached is huggingface_hub._CACHED_NO_EXIST:
        return True
    # After fetching several files, the library stores the hub's list of files, and has compared it above.
    return (folder.parent.parent / "trees" / f"{folder.name}.json").exists()


def cached_repositories() -> list[str]:
    """Return the ids of the models in the hub's cache that have readable weights."""
    try:
        repositories = huggingface_hub.scan_cache_dir(constants.HF_HUB_CACHE).repos
    except (CacheNotFound, OSError, ValueError):
        return []
    return sorted(
        str(repository.repo_id)
        for repository in repositories
        if repository.repo_type == "model"
        and any(
            file.file_name.endswith(_WEIGHT_SUFFIXES) for revision in repository.revisions for file in revision.files
        )
    )


def download(repository: str, revision: str | None, access: Access) -> Path | None:
    """Download a model and return its folder; None if the hub has no model with that id."""
    try:
        with _quiet_client():
            return _fetch(repository, revision, access)
    except GatedRepoError as error:
        message = f"{repository}: this model is only available after agreeing to its terms on the hub"
        raise LitotesError("L301", message, hint="agree on its page, then run: hf auth login") from error
    except RevisionNotFoundError as error:
        hint = "name a branch, a tag or a commit"
        raise LitotesError("L301", f'{repository}: has no revision "{revision}"', hint=hint) from error
    except RepositoryNotFoundError:
        return None
    except LitotesError:
        raise
    except Exception as error:  # the library raises whatever its transport raises
        raise _describe_failure(error) from error


def _fetch(repository: str, revision: str | None, access: Access) -> Path:
    info = huggingface_hub.HfApi().model_info(repository, revision=revision, timeout=_TIMEOUT)
    files = [PurePosixPath(file.rfilename) for file in info.siblings or ()]

    def fetch(paths: list[PurePosixPath]) -> Path:
        patterns = [glob.escape(path.as_posix()) for path in paths]
        return Path(huggingface_hub.snapshot_download(repository, revision=revision, allow_patterns=patterns))

    modules = {""}
    if PurePosixPath(MODULES_FILE) in files:
        modules |= set(module_paths(fetch([path for path in files if path.name in (MODULES_FILE, *ROUTER_FILES)])))
    files = [path for path in files if path.parent.as_posix().removeprefix(".") in modules]
    return fetch(_files_to_fetch(files, repository, access))


@contextmanager
def _quiet_client() -> Iterator[None]:
    """Suppress the library's warnings, because important ones are raised, and its progress bars without a terminal."""
    if not sys.stderr.isatty():
        utils.disable_progress_bars()
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _files_to_fetch(files: list[PurePosixPath], repository: str, access: Access) -> list[PurePosixPath]:
    """Return configurations and weights; pickled weights only if they are permitted and the only ones."""
    pickled = pickled_weights(files)
    safe = [path for path in files if path.suffix == _SAFETENSORS]
    if pickled and not access.allow_pickle:
        raise only_pickled(repository, pickled)
    if not pickled and not safe:
        hint = "name a model that has model.safetensors"
        raise LitotesError("L302", f"{repository}: has no weights in safetensors on the hub", hint=hint)
    configs = [path for path in files if path.suffix in _CONFIG_SUFFIXES]
    code = [path for path in files if path.suffix == ".py" and access.trust_remote_code]
    return [*configs, *code, *safe, *pickled]


def _describe_failure(error: Exception) -> Exception:
    """Return the error to raise for a failed download."""
    if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
        return cannot_write(Path(constants.HF_HUB_CACHE), error)
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        return HubFailed(f"the hub answers {status}", is_retryable=status in (408, 429) or status >= 500)
    # The library reports every failure as "not in the cache"; the cause is more specific.
    cause = error.__cause__ if isinstance(error, LocalEntryNotFoundError) and error.__cause__ else error
    return HubFailed(f"the hub cannot be reached ({type(cause).__name__})")
