"""Resolution of corpus sources: files, folders, globs, standard input, datasets and the built-in corpus."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, is_file, is_folder
from litotes.corpora.hub_datasets import parse_hub_name

BUILTIN = Path(__file__).parent / "builtin"
COMPRESSION_ENDINGS = (".gz", ".bz2", ".zst")
CORPUS_ENDINGS = (
    ".txt",
    ".text",
    ".jsonl",
    ".ndjson",
    ".json",
    ".csv",
    ".tsv",
    ".tab",
    ".conllu",
    ".mrg",
    ".ptb",
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
    """A file (`path`), a dataset (`hub`) or standard input, and the name in the ids of its records."""

    name: str
    path: Path | None = None
    hub: str = ""

    @property
    def is_regular(self) -> bool:
        """Whether the source can be read more than once."""
        return self.path is not None and is_file(self.path)


def resolve_sources(sources: Sequence[str]) -> list[Source]:
    """Return the sources in the given order, without duplicates and with unique names."""
    names = [sources] if isinstance(sources, str) else list(sources)
    if not names:
        raise UsageError("L102", "no corpus was given", hint="name a file, a folder, - for standard input, or builtin")
    resolved: dict[str, Source] = {}
    for name in names:
        for source in _resolve(str(name)):
            resolved.setdefault(str(source.path.resolve()) if source.path else source.name, source)
    return _with_unique_names(list(resolved.values()))


def uncompressed_name(name: str) -> str:
    """Return the name of a file without the ending of its compression.

    >>> uncompressed_name("en-train.txt.bz2")
    'en-train.txt'
    """
    return next((name.removesuffix(ending) for ending in COMPRESSION_ENDINGS if name.lower().endswith(ending)), name)


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
        yield from (Source(_printable(file), path / file) for file in _corpus_files(path, name))
    elif _exists(path):
        yield Source(_printable(path.name), path)
    elif glob.has_magic(name):
        yield from _resolve_glob(str(path), name)
    else:
        raise LitotesError("L201", f"{name}: no such file or folder", hint="check the path")


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


def _corpus_files(folder: Path, name: str) -> list[str]:
    """Return the sorted relative paths of the corpus files in a folder and its subfolders."""
    paths = []
    for parent, subfolders, files in os.walk(folder):
        subfolders[:] = [subfolder for subfolder in subfolders if not subfolder.startswith((".", "__"))]
        relative = Path(parent).relative_to(folder)
        paths += [
            (relative / file).as_posix()
            for file in files
            if not file.startswith(".")
            and not _NOT_CORPUS.match(file)
            and uncompressed_name(file).lower().endswith(CORPUS_ENDINGS)
        ]
    if not paths:
        raise LitotesError(
            "L201",
            f"{name}: no corpus file in the folder",
            hint=f"files are read if they end with {', '.join(CORPUS_ENDINGS)}",
        )
    return sorted(paths)


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
    if source.path is None:
        return source
    parts = source.path.absolute().parts
    n_parts = len(Path(source.name).parts)
    return replace(source, name=_printable("/".join(parts[max(-len(parts), -n_parts - 1) :])))
