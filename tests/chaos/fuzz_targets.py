"""Functions that read what others write, for fuzzers: any bytes give a result or a LitotesError.

fuzz.py runs atheris on each of them, test_fuzz.py hypothesis.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.corpora.formats import FORMATS
from litotes.corpora.read import read_corpus
from litotes.evaluation.model_list import read_model_list
from litotes.evaluation.result_store import read_run
from litotes.models.adapter import load_adapter
from litotes.models.prompts import load_prompt
from litotes.models.word_vectors.file_formats import open_npy, open_npz, text_blocks, word2vec_blocks
from litotes.review.import_export import import_review
from litotes.review.store import open_review
from litotes.rewrites.apply import rewrite
from litotes.rewrites.registry import list_rewrites
from litotes.suites.folder import load_folder
from litotes.suites.loading import load_suites

Target = Callable[[bytes, Path], object]
SEPARATOR = b"\0\0"
"""Between the contents of two files."""
ENDINGS = (".txt", ".jsonl", ".csv", ".tsv", ".mrg", ".conllu")
_OFFICIAL = ("semantoneg", "heros")


def corpus(data: bytes, folder: Path) -> None:
    """Read a corpus with the ending and in the format that the first two bytes select."""
    names = [None, *FORMATS]
    path = _write(folder / f"a{ENDINGS[data[0] % len(ENDINGS)]}", data[2:])
    deque(read_corpus([str(path)], format=names[data[1] % len(names)] if len(data) > 1 else None), maxlen=0)


def official_file(data: bytes, folder: Path) -> None:
    load_suites(_OFFICIAL[data[0] % 2], path=_write(folder / "official", data[1:]))


def suite(data: bytes, folder: Path) -> None:
    """Read a suite whose items have the stated sha256."""
    about, _, items = data.partition(SEPARATOR)
    with suppress(ValueError):
        known = json.loads(about)
        if isinstance(known, dict):
            about = json.dumps({**known, "sha256": hashlib.sha256(items).hexdigest()}).encode()
    _write(folder / "suite.json", about)
    _write(folder / "items.jsonl", items)
    load_folder(folder)


def run(data: bytes, folder: Path) -> None:
    result, _, items = data.partition(SEPARATOR)
    with suppress(ValueError):
        known = json.loads(result)
        if isinstance(known, dict):
            result = json.dumps({**known, "items_sha256": hashlib.sha256(items).hexdigest()}).encode()
    _write(folder / "items.jsonl", items)
    read_run(_write(folder / "result.json", result))


def model_list(data: bytes, folder: Path) -> None:
    read_model_list(_write(folder / "models.toml", data))


def prompt(data: bytes, folder: Path) -> None:
    load_prompt(str(_write(folder / "prompt.toml", data)))


def adapter(data: bytes, folder: Path) -> None:
    about, _, arrays = data.partition(SEPARATOR)
    _write(folder / "adapter.json", about)
    _write(folder / "adapter.safetensors", arrays)
    load_adapter(folder)


def word_vectors(data: bytes, folder: Path) -> None:
    """Read word vectors in the format that the first byte selects."""
    readers: tuple[Callable[[Path], object], ...] = (
        open_npy,
        open_npz,
        lambda path: deque(text_blocks(path), maxlen=0),
        lambda path: deque(word2vec_blocks(path), maxlen=0),
    )
    _write(folder / "vectors.txt", b"soup\nhot\n")  # the words of an array
    readers[data[0] % len(readers)](_write(folder / "vectors", data[1:]))


def verdicts(data: bytes, folder: Path) -> None:
    from tests.review.conftest import quadruples, write_suite

    reviewed = write_suite(folder / "suite", quadruples(2))
    with open_review(reviewed) as review:
        import_review(review, _write(folder / "verdicts", data[1:]), ("jsonl", "label-studio")[data[0] % 2])


def rewrites(data: bytes, folder: Path) -> None:
    """Rewrite a text by the rule that the first byte selects."""
    names = list_rewrites()
    rewrite(names[data[0] % len(names)], data[1:].decode("utf-8", "replace"))


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        corpus,
        official_file,
        suite,
        run,
        model_list,
        prompt,
        adapter,
        word_vectors,
        verdicts,
        rewrites,
    )
}


def check(target: Target, data: bytes, folder: Path) -> None:
    """Call a target with bytes in an empty folder; any error but a LitotesError is a defect."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with suppress(LitotesError):
        target(data or b"\x00", folder)


def _write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
