"""Resolution of corpus sources: files, folders, globs, standard input, datasets and the built-in corpus."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
from litotes.corpora.hub_datasets import parse_hub_name
from litotes.corpora.partitions import INCOMPLETE, MANIFEST, check_manifest, incomplete_output
from litotes.corpora.remote import RemoteFile, is_remote, list_files
from litotes.corpora.streams import COMPRESSION_ENDINGS, uncompressed_name

BUILTIN = Path(__file__).parent / "builtin"
TEXT_ENDINGS = (".txt", ".text")
CORPUS_ENDINGS = (
    *TEXT_ENDINGS,
    ".jsonl",
    ".ndjson",
    ".json",
    ".csv",
    ".tsv",
    ".tab",
    ".conllu",
    ".mrg",
    ".ptb",
    ".parquet",
    ".jsonl_undersampled",
)
"""The files of a folder that are read; the last ending is that of published developmental-negation sets."""

_NOT_CORPUS = re.compile(
    r"(readme|licen[sc]e|copying|notice|authors|changelog|citation)\b|labels\.|emotions\.", re.IGNORECASE
)
_LICENCE = re.compile(r"licen[sc]e|copying", re.IGNORECASE)
_MAX_LICENCE_CHARACTERS = 20_000


@dataclass(frozen=True)
class Source:
    """A file (`path` or `remote`), a dataset (`hub`) or standard input, and the name in the ids of its records."""

    name: str
    path: Path | None = None
    hub: str = ""
    remote: RemoteFile | None = None
    sha256: str = ""
    """The sha256 according to the manifest of its folder, if there is one."""

    @property
    def file(self) -> Path | RemoteFile | None:
        """The file, or None for standard input and datasets."""
        return self.path or self.remote

    @property
    def is_regular(self) -> bool:
        """Whether the source is a regular file of this machine."""
        return self.path is not None and is_file(self.path)

    @property
    def is_stream(self) -> bool:
        """Whether the source is read only once: a pipe, standard input or a dataset."""
        return self.remote is None and not self.is_regular


def resolve_sources(sources: Sequence[str]) -> list[Source]:
    """Return the sources in the given order, without duplicates and with unique names."""
    names = [sources] if isinstance(sources, str) else list(sources)
    if not names:
        raise UsageError("L102", "no corpus was given", hint="name a file, a folder, - for standard input, or builtin")
    resolved: dict[str, Source] = {}
    for name in names:
        for source in _resolve(str(name)):
            resolved.setdefault(_identity(source), source)
    return _with_unique_names(list(resolved.values()))


def is_plain_text(name: str) -> bool:
    """Return whether a source is standard input, a pipe or one file whose name does not say that it is not plain text.

    >>> is_plain_text("-"), is_plain_text("notes.txt"), is_plain_text("notes.jsonl"), is_plain_text("s3://bucket/a.txt")
    (True, True, False, False)
    """
    path = expand_user(name)
    if is_remote(name) or name.startswith("hf:") or is_folder(path):
        return False
    if not _exists(path) and (name == "builtin" or glob.has_magic(name)):
        return False
    lower = path.name.lower()
    return lower.endswith(TEXT_ENDINGS) or not lower.endswith((*COMPRESSION_ENDINGS, *CORPUS_ENDINGS))


def _identity(source: Source) -> str:
    if source.path is not None:
        return str(source.path.resolve())
    return source.name if source.remote is None else source.remote.url


def licence_beside(path: Path) -> str:
    """Return the text of the licence file in the same folder, or an empty string."""
    try:
        names = sorted(entry.name for entry in os.scandir(path.parent) if entry.is_file())
    except OSError:
        return ""
    for name in names:
        if _LICENCE.match(name) and name != path.name:
            try:
                with (path.parent / name).open(encoding="utf-8-sig") as file:
                    return file.read(_MAX_LICENCE_CHARACTERS)
            except (OSError, UnicodeDecodeError):
                continue
    return ""


def _resolve(name: str) -> Iterator[Source]:
    if name == "-":
        yield Source("stdin")
    elif name == "builtin":
        yield from (Source(f"builtin/{file}", BUILTIN / file) for file in _corpus_files(BUILTIN, name))
    elif name.startswith("file://"):
        yield from _resolve_path(unquote(name.removeprefix("file://").removeprefix("localhost")))
    elif is_remote(name):
        yield from _resolve_remote(name)
    elif name.startswith("hf:"):
        if name == "hf:":
            raise UsageError(
                "L102", "hf: must be followed by the name of a dataset", hint="for example hf:stanfordnlp/snli:train"
            )
        dataset = parse_hub_name(name.removeprefix("hf:"))
        yield Source(dataset.label + (f":{dataset.split}" if dataset.split else ""), hub=name.removeprefix("hf:"))
    else:
        yield from _resolve_path(name)


def _resolve_path(name: str) -> Iterator[Source]:
    path = expand_user(name)
    if is_folder(path):
        files = _corpus_files(path, name)
        yield from (Source(_printable(file), path / file, sha256=sha256) for file, sha256 in files.items())
    elif _exists(path):
        yield Source(_printable(path.name), path)
    elif glob.has_magic(name):
        yield from _resolve_glob(str(path), name)
    else:
        raise LitotesError("L201", f"{name}: no such file or folder", hint="check the path")


def _resolve_remote(url: str) -> Iterator[Source]:
    listing = list_files(url)
    files = listing.files
    if listing.is_folder:
        _check_remote_manifests(files)
        files = [(relative, file) for relative, file in files if _is_corpus_file(PurePosixPath(relative))]
        if not files:
            raise _no_corpus_file(url.partition("?")[0])
    yield from (Source(_printable(relative), remote=file) for relative, file in files)


def _check_remote_manifests(files: Sequence[tuple[str, RemoteFile]]) -> None:
    """Raise if a folder of Parquet files is incomplete or does not match its manifest."""
    for _, file in files:
        folder, _, name = file.url.rpartition("/")
        if name == INCOMPLETE:
            raise incomplete_output(folder)
        if name == MANIFEST:
            sizes = {file.url.removeprefix(f"{folder}/"): file.size for _, file in files}
            with file.open_stream() as stream:
                check_manifest(folder, stream.read(), sizes.get)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _resolve_glob(pattern: str, name: str) -> Iterator[Source]:
    paths = sorted(path for path in map(Path, glob.glob(pattern, recursive=True)) if is_file(path))  # noqa: PTH207
    if not paths:
        raise LitotesError("L201", f"{name}: no file matches", hint="check the pattern")
    parts = Path(pattern).parts
    n_fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    yield from (Source(_printable(Path(*path.parts[n_fixed:]).as_posix()), path) for path in paths)


def _corpus_files(folder: Path, name: str) -> dict[str, str]:
    """Return the sorted relative paths of the corpus files in a folder and its subfolders, with known sha256."""
    paths: dict[str, str] = {}
    for parent, subfolders, files in os.walk(folder):
        subfolders[:] = [subfolder for subfolder in subfolders if not subfolder.startswith((".", "__"))]
        checksums = _check_manifest(Path(parent), files)
        relative = PurePosixPath(Path(parent).relative_to(folder).as_posix())
        for file in files:
            if _is_corpus_file(PurePosixPath(file)):
                paths[str(relative / file)] = checksums.get(file, "")
    if not paths:
        raise _no_corpus_file(name)
    return dict(sorted(paths.items()))


def _check_manifest(folder: Path, files: Sequence[str]) -> dict[str, str]:
    """Return the sha256 of each part of a folder of Parquet files; raise if they do not match the manifest."""
    if INCOMPLETE in files:
        raise incomplete_output(str(folder))
    if MANIFEST not in files:
        return {}
    sizes = {file: (folder / file).stat().st_size for file in files}
    return check_manifest(str(folder), (folder / MANIFEST).read_bytes(), sizes.get)


def _is_corpus_file(path: PurePosixPath) -> bool:
    """Return whether the file with this relative path is read as a part of its folder."""
    return (
        not any(part.startswith((".", "__")) for part in path.parts[:-1])
        and not path.name.startswith(".")
        and path.name not in (MANIFEST, INCOMPLETE)
        and not _NOT_CORPUS.match(path.name)
        and uncompressed_name(path.name).lower().endswith(CORPUS_ENDINGS)
    )


def _no_corpus_file(name: str) -> LitotesError:
    hint = f"files are read if they end with {', '.join(CORPUS_ENDINGS)}"
    return LitotesError("L201", f"{name}: no corpus file in the folder", hint=hint)


def _printable(name: str) -> str:
    # A name that is not UTF-8 could not be written to result files.
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _with_unique_names(sources: list[Source]) -> list[Source]:
    """Prefix equal names with as many parent folders as necessary."""
    depth = 0
    while duplicates := {name for name, count in Counter(source.name for source in sources).items() if count > 1}:
        depth += 1
        sources = [_with_parent(source) if source.name in duplicates else source for source in sources]
        if depth > 50:  # the paths differ only in bytes that are not UTF-8
            return [replace(source, name=f"{number}/{source.name}") for number, source in enumerate(sources, 1)]
    return sources


def _with_parent(source: Source) -> Source:
    if source.remote is not None:
        parts: tuple[str, ...] = PurePosixPath(source.remote.path).parts
    elif source.path is not None:
        parts = source.path.absolute().parts
    else:
        return source
    n_parts = len(Path(source.name).parts)
    return replace(source, name=_printable("/".join(parts[max(-len(parts), -n_parts - 1) :])))
