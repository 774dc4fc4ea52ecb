"""Valid bytes of every format, from which the fuzzers start."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from litotes.evaluation.result_store import write_run
from litotes.models.adapter import Adapter
from litotes.models.base import Fingerprint
from litotes.review.import_export import export_review
from litotes.review.store import open_review
from litotes.review.verdicts import Verdict
from tests import example_files
from tests.chaos.fuzz_targets import SEPARATOR
from tests.chaos.world import MODELS
from tests.report import examples
from tests.review.conftest import quadruples, write_suite


@cache
def example_bytes(target: str) -> list[bytes]:
    """Return examples for a function of fuzz_targets.py."""
    with tempfile.TemporaryDirectory() as name:
        return _EXAMPLES[target](Path(name))


def _corpora(folder: Path) -> list[bytes]:
    example_files.write_texts(folder)
    example_files.write_pairs_of_labels(folder)
    (folder / "plain.csv").write_text('text,label\n"The soup, she says, is not hot.",good\nIt is cold.,bad\n')
    names = ("notes.txt", "snli.jsonl", "plain.csv", "SICK.txt", "wsj/wsj_0001.mrg", "en_ewt-ud-dev.conllu")
    # The format is detected from the ending and the first line.
    return [bytes([number, 0]) + _lines(folder / name) for number, name in enumerate(names)]


def _lines(path: Path) -> bytes:
    return b"".join(path.read_bytes().splitlines(keepends=True)[:12])


def _official(folder: Path) -> list[bytes]:
    example_files.write_official(folder)
    names = ("SemAntoNeg_v1.0.json", "heros.tsv")
    return [bytes([number]) + _lines(folder / name) for number, name in enumerate(names)]


def _suites(folder: Path) -> list[bytes]:
    write_suite(folder, quadruples(3))
    return [(folder / "suite.json").read_bytes() + SEPARATOR + (folder / "items.jsonl").read_bytes()]


def _runs(folder: Path) -> list[bytes]:
    path = write_run(folder, examples.three_models(3)[0][0])
    return [path.read_bytes() + SEPARATOR + path.with_name("items.jsonl").read_bytes()]


def _adapters(folder: Path) -> list[bytes]:
    Adapter("linear", {"up": np.eye(4, dtype=np.float32)}, "glove:", Fingerprint("numpy").to_dict(), {}, {}).save(
        folder
    )
    return [(folder / "adapter.json").read_bytes() + SEPARATOR + (folder / "adapter.safetensors").read_bytes()]


def _vectors(folder: Path) -> list[bytes]:
    rows = np.arange(6, dtype="<f4").reshape(2, 3)
    npy, npz = io.BytesIO(), io.BytesIO()
    np.save(npy, rows)
    np.savez(npz, words=np.array(["soup", "hot"]), vectors=rows)
    text = b"soup 0.0 1.0 2.0\nhot 3.0 4.0 5.0\n"
    binary = b"2 3\nsoup " + rows[0].tobytes() + b"\nhot " + rows[1].tobytes() + b"\n"
    return [bytes([number]) + data for number, data in enumerate((npy.getvalue(), npz.getvalue(), text, binary))]


def _verdicts(folder: Path) -> list[bytes]:
    with open_review(write_suite(folder / "suite", quadruples(2))) as review:
        review.store.add_all([Verdict("u0", "Ana", "accept"), Verdict("u1", "Ben", "reject", reason="other")])
        export_review(review, folder / "lines")
        export_review(review, folder / "tasks", "label-studio")
    return [bytes([number]) + (folder / name).read_bytes() for number, name in enumerate(("lines", "tasks"))]


_EXAMPLES: dict[str, Callable[[Path], list[bytes]]] = {
    "corpus": _corpora,
    "official_file": _official,
    "suite": _suites,
    "run": _runs,
    "model_list": lambda _: [MODELS.encode()],
    "prompt": lambda _: [b'paraphrase = "{sentence} Which is the same?"\n'],
    "adapter": _adapters,
    "word_vectors": _vectors,
    "verdicts": _verdicts,
    "rewrites": lambda _: [bytes([n]) + text.encode() for n, text in enumerate(example_files.SENTENCES * 3)],
}
