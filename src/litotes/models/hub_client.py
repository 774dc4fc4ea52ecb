"""The hub and its cache, through the hub's own client; this is the only module that touches the network."""

from __future__ import annotations

import errno
import glob
import logging
import sys
import warnings
from collections.abc import Iterator
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
from litotes.models.access import Access
from litotes.models.model_folder import MODULE, is_of_model, model_files, only_pickled, pickled_weights, weight_files

_READ = (".json", ".txt", ".model", ".jinja")
_SAFE = ".safetensors"
_WEIGHTS = (_SAFE, ".bin")
_NEEDED = (
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "tokenizer_config.json",
    "model.safetensors",
    "model.safetensors.index.json",
    "model-*-of-*.safetensors",
    f"{MODULE}/*.json",
    f"{MODULE}/*.safetensors",
)
"""What must be in the cache if the hub has it: without one of these the model would be another one."""

_SECONDS_TO_ANSWER = 10
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)


class HubFailed(Exception):
    """The hub gave no answer, or none that helps."""

    def __init__(self, reason: str, *, is_retryable: bool = True) -> None:
        super().__init__(reason)
        self.is_retryable = is_retryable


def could_be_on_hub(repository: str) -> bool:
    """Whether the hub could have a model of that name."""
    try:
        utils.validate_repo_id(repository)
    except HFValidationError:
        return False
    return True


def cached_model(repository: str, revision: str | None, access: Access, *, needs_modules: bool) -> Path | None:
    """The hub cache's folder of a model, if all that makes the model is there."""
    try:
        folder = Path(
            huggingface_hub.snapshot_download(
                repository, revision=revision, local_files_only=True, allow_patterns=list(_NEEDED)
            )
        )
    except (OSError, HFValidationError):  # not there, or there in part
        return None
    if needs_modules and not _modules_are_known(folder, repository, revision):
        return None
    if weight_files(folder):
        return folder
    # Pickled weights are of use if they may be read, or offline, to be told of.
    pickled = pickled_weights(model_files(folder))
    return folder if pickled and (access.allow_pickle or not access.may_use_network) else None


def _modules_are_known(folder: Path, repository: str, revision: str | None) -> bool:
    """Whether modules.json is here or certainly nowhere.

    Transformers alone never fetches it; a sentence encoder that it left in the cache would be run with mean
    pooling, whatever its own is.
    """
    if (folder / "modules.json").exists():
        return True
    found = huggingface_hub.try_to_load_from_cache(repository, "modules.json", revision=revision)
    if found is huggingface_hub._CACHED_NO_EXIST:
        return True
    # The client keeps a list of the hub's files where it has fetched several; it has compared that above.
    return (folder.parent.parent / "trees" / f"{folder.name}.json").exists()


def cached_repositories() -> list[str]:
    """The models in the hub's cache that have weights which we can read."""
    try:
        repositories = huggingface_hub.scan_cache_dir(constants.HF_HUB_CACHE).repos
    except (CacheNotFound, OSError, ValueError):
        return []
    return sorted(
        str(repository.repo_id)
        for repository in repositories
        if repository.repo_type == "model"
        and any(file.file_name.endswith(_WEIGHTS) for revision in repository.revisions for file in revision.files)
    )


def download(repository: str, revision: str | None, access: Access) -> Path | None:
    """The folder of a model, fetched from the hub; None if the hub has none of that name."""
    try:
        with _quiet_client():
            return _fetch(repository, revision, access)
    except GatedRepoError as error:
        raise LitotesError(
            "L301",
            f"{repository}: the hub gives this model only to those who have agreed to its terms",
            hint="agree on its page, then hf auth login",
        ) from error
    except RevisionNotFoundError as error:
        raise LitotesError(
            "L301",
            f'{repository}: has no revision "{revision}"',
            hint="a branch, a tag or a commit is needed",
        ) from error
    except RepositoryNotFoundError:
        return None
    except LitotesError:
        raise
    except Exception as error:  # the client raises whatever its transport raises
        raise _failure(error) from error


def _fetch(repository: str, revision: str | None, access: Access) -> Path:
    found = huggingface_hub.HfApi().model_info(repository, revision=revision, timeout=_SECONDS_TO_ANSWER)
    files = [PurePosixPath(file.rfilename) for file in found.siblings or ()]
    chosen = _choose(files, repository, access)
    patterns = [glob.escape(path.as_posix()) for path in chosen]
    return Path(huggingface_hub.snapshot_download(repository, revision=revision, allow_patterns=patterns))


@contextmanager
def _quiet_client() -> Iterator[None]:
    """Let the client warn of nothing, for what matters is raised, and show its progress to people alone."""
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


def _choose(files: list[PurePosixPath], repository: str, access: Access) -> list[PurePosixPath]:
    """The files to fetch; weights in safetensors, and pickled ones only where there are no others."""
    files = [path for path in files if is_of_model(path)]
    pickled = pickled_weights(files)
    safe = [path for path in files if path.suffix == _SAFE]
    if pickled and not access.allow_pickle:
        raise only_pickled(repository, pickled)
    if not pickled and not safe:
        raise LitotesError(
            "L302",
            f"{repository}: has no weights in safetensors on the hub",
            hint="name a model that has model.safetensors",
        )
    read = [path for path in files if path.suffix in _READ]
    code = [path for path in files if path.suffix == ".py" and access.trust_remote_code]
    return [*read, *code, *safe, *pickled]


def _failure(error: Exception) -> Exception:
    """What a failed download means for people."""
    if isinstance(error, OSError) and error.errno in _OF_THE_DISK:
        return cannot_write(Path(constants.HF_HUB_CACHE), error)
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        return HubFailed(f"the hub answers {status}", is_retryable=status in (408, 429) or status >= 500)
    # “Not in the cache” is what the client says of every failure; the cause says which.
    cause = error.__cause__ if isinstance(error, LocalEntryNotFoundError) and error.__cause__ else error
    return HubFailed(f"the hub cannot be reached ({type(cause).__name__})")
