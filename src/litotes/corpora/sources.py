"""Sources as a user names them: files, folders, globs, standard input, Hugging Face datasets, the built-in corpus."""

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
from litotes.corpora.hub_datasets import hub_name

BUILTIN = Path(__file__).parent / "builtin"
PACKED = (".gz", ".bz2", ".zst")
ENDINGS = (".txt", ".text", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".conllu", ".jsonl_undersampled")
"""Files in a folder that are taken for a corpus; the last ending is of the published developmental-negation sets."""

_NOT_TEXT = re.compile(
    r"(readme|licen[sc]e|copying|notice|authors|changelog|citation)\b|labels\.|emotions\.", re.IGNORECASE
)
_LICENCE = re.compile(r"licen[sc]e|copying", re.IGNORECASE)
_MOST_LICENCE = 20_000


@dataclass(frozen=True)
class Source:
    """One file (path), standard input (no path) or a dataset (hub), and the name that its sentences carry."""

    name: str
    path: Path | None = None
    hub: str = ""

    @property
    def is_regular(self) -> bool:
        """Whether it can be read again."""
        return self.path is not None and is_file(self.path)


def resolve_sources(sources: Sequence[str]) -> list[Source]:
    """Every file behind the names, in the order of the names, each once and under a name of its own."""
    named = [sources] if isinstance(sources, str) else list(sources)
    if not named:
        raise UsageError("L102", "no corpus is named", hint="name a file, a folder, - for standard input, or builtin")
    found: dict[str, Source] = {}
    for name in named:
        for source in _behind(str(name)):
            found.setdefault(str(source.path.resolve()) if source.path else source.name, source)
    return _told_apart(list(found.values()))


def plain_name(name: str) -> str:
    """The name of a file without what says that it is packed.

    >>> plain_name("en-train.txt.bz2")
    'en-train.txt'
    """
    return next((name.removesuffix(ending) for ending in PACKED if name.lower().endswith(ending)), name)


def licence_beside(path: Path) -> str:
    """The text of the licence that lies beside a file, or nothing."""
    try:
        names = sorted(entry.name for entry in os.scandir(path.parent) if entry.is_file())
    except OSError:
        return ""
    for name in names:
        if _LICENCE.match(name) and name != path.name:
            try:
                with (path.parent / name).open(encoding="utf-8-sig") as file:
                    return file.read(_MOST_LICENCE)
            except (OSError, UnicodeDecodeError):
                continue
    return ""


def _behind(name: str) -> Iterator[Source]:
    if name == "-":
        yield Source("stdin")
    elif name == "builtin":
        yield from (Source(f"builtin/{inside}", BUILTIN / inside) for inside in _in_folder(BUILTIN, name))
    elif name.startswith("hf:"):
        if name == "hf:":
            raise UsageError("L102", "hf: needs the name of a dataset", hint="such as hf:stanfordnlp/snli:train")
        wanted = hub_name(name.removeprefix("hf:"))
        yield Source(wanted.shown + (f":{wanted.split}" if wanted.split else ""), hub=name.removeprefix("hf:"))
    else:
        yield from _on_disk(name)


def _on_disk(name: str) -> Iterator[Source]:
    path = expand_user(name)
    if is_folder(path):
        yield from (Source(_shown(inside), path / inside) for inside in _in_folder(path, name))
    elif _exists(path):
        yield Source(_shown(path.name), path)
    elif glob.has_magic(name):
        yield from _matching(str(path), name)
    else:
        raise LitotesError("L201", f"{name}: no such file or folder", hint="check the path")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _matching(pattern: str, name: str) -> Iterator[Source]:
    found = sorted(one for one in map(Path, glob.glob(pattern, recursive=True)) if is_file(one))  # noqa: PTH207
    if not found:
        raise LitotesError("L201", f"{name}: no file matches", hint="check the pattern")
    parts = Path(pattern).parts
    fixed = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    yield from (Source(_shown(Path(*path.parts[fixed:]).as_posix()), path) for path in found)


def _in_folder(folder: Path, name: str) -> list[str]:
    """The corpus files below a folder, relative to it and sorted."""
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if not one.startswith((".", "__"))]
        below = Path(place).relative_to(folder)
        found += [
            (below / file).as_posix()
            for file in files
            if not file.startswith(".") and not _NOT_TEXT.match(file) and plain_name(file).lower().endswith(ENDINGS)
        ]
    if not found:
        raise LitotesError(
            "L201", f"{name}: no corpus file in the folder", hint=f"files that end with {', '.join(ENDINGS)} are read"
        )
    return sorted(found)


def _shown(name: str) -> str:
    # A name that is no UTF-8 could not be written to any file of ours.
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _told_apart(sources: list[Source]) -> list[Source]:
    """Two files of one name get as many of their folders in front as it takes."""
    depth = 0
    while clashing := {name for name, count in Counter(source.name for source in sources).items() if count > 1}:
        depth += 1
        sources = [_longer(source) if source.name in clashing else source for source in sources]
        if depth > 50:  # names that differ only in what is no UTF-8
            return [replace(source, name=f"{number}/{source.name}") for number, source in enumerate(sources, 1)]
    return sources


def _longer(source: Source) -> Source:
    if source.path is None:
        return source
    parts = source.path.absolute().parts
    have = len(Path(source.name).parts)
    return replace(source, name=_shown("/".join(parts[max(-len(parts), -have - 1) :])))
