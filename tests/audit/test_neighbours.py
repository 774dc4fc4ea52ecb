"""Neighbours: exact search compared with sorting, the index compared with exact search, and the cache."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from litotes.audit import neighbour_index, neighbours
from litotes.audit.neighbour_index import SearchRuntime as Runtime
from litotes.audit.neighbours import Pairs, estimate_memory, find_neighbours
from litotes.audit.settings import SearchMethod
from litotes.core.errors import LitotesError
from litotes.core.parallel.engine import ParallelEngine
from litotes.models.base import Vectors


def clustered(count: int, width: int = 32, apart: float = 0.35) -> Vectors:
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(count // 8, width))
    rows = (centres[rng.integers(0, len(centres), count)] + apart * rng.normal(size=(count, width))).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def plain(vectors: Vectors, threshold: float, expected: int) -> list[tuple[int, int]]:
    cosines = vectors.astype(np.float64) @ vectors.astype(np.float64).T
    np.fill_diagonal(cosines, -2)
    results = set()
    for row, values in enumerate(cosines):
        for other in np.argsort(-values, kind="stable")[:expected].tolist():
            if values[other] >= threshold:
                results.add((min(row, other), max(row, other)))
    return sorted(results)


def index_pairs(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def closest(pairs: Pairs, most: int) -> list[tuple[int, int, float]]:
    order = np.lexsort((pairs.second, pairs.first, -pairs.similarity))[:most]
    rows = (pairs.first[order], pairs.second[order], pairs.similarity[order])
    return list(zip(*(row.tolist() for row in rows), strict=True))


@pytest.mark.parametrize("block", [64, 2048])
@pytest.mark.parametrize(("threshold", "expected"), [(0.8, 5), (0.2, 3), (0.9, 100)])
def test_exact_search_matches_sorting(
    monkeypatch: pytest.MonkeyPatch, block: int, threshold: float, expected: int
) -> None:
    monkeypatch.setattr(neighbours, "_EXACT_BLOCK", block)
    vectors = clustered(500)
    pairs = find_neighbours(vectors, threshold=threshold, neighbours=expected, method="exact")
    assert index_pairs(pairs) == plain(vectors, threshold, expected)
    expected_similarities = np.einsum("ij,ij->i", vectors[pairs.first], vectors[pairs.second])
    assert np.allclose(expected_similarities, pairs.similarity, atol=1e-6)


def test_exact_and_approximate_agree_on_the_top_pairs() -> None:
    vectors = clustered(6000)
    exact, approximate = (
        find_neighbours(vectors, threshold=0.75, neighbours=10, method=method) for method in ("exact", "approximate")
    )
    assert closest(exact, 1000) == closest(approximate, 1000)
    assert len(set(index_pairs(exact)) & set(index_pairs(approximate))) >= 0.99 * len(exact)


def test_index_does_not_depend_on_the_number_of_threads() -> None:
    vectors = clustered(4000)
    one, two = (
        find_neighbours(vectors, threshold=0.7, method="approximate", runtime=Runtime(workers=workers))
        for workers in (1, 2)
    )
    assert index_pairs(one) == index_pairs(two)
    assert np.array_equal(one.similarity, two.similarity)


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_searches_equal_vectors_and_rows_of_zeros(method: SearchMethod) -> None:
    vectors = np.zeros((40, 8), dtype=np.float32)
    vectors[10:20, 0] = 1
    pairs = find_neighbours(vectors, threshold=0.5, neighbours=3, method=method)
    assert set(pairs.first.tolist() + pairs.second.tolist()) <= set(range(10, 20))
    assert set(pairs.similarity.tolist()) == {1.0}
    assert len(pairs) >= 15


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_searches_few_sentences(count: int, method: SearchMethod) -> None:
    vectors = np.ones((count, 1), dtype=np.float32)
    assert index_pairs(find_neighbours(vectors, threshold=0.5, method=method)) == ([(0, 1)] if count == 2 else [])


@pytest.mark.parametrize("method", ["exact", "approximate"])
def test_second_call_reads_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: SearchMethod) -> None:
    vectors = clustered(300)
    first = find_neighbours(vectors, threshold=0.7, method=method, runtime=Runtime(store=tmp_path))
    (path,) = tmp_path.iterdir()
    monkeypatch.setattr(neighbours, "_rescore", lambda *_: pytest.fail("searched again"))
    second = find_neighbours(vectors, threshold=0.7, method=method, runtime=Runtime(store=tmp_path))
    assert index_pairs(second) == index_pairs(first)
    assert np.array_equal(first.similarity, second.similarity)
    monkeypatch.undo()
    find_neighbours(vectors, threshold=0.71, method=method, runtime=Runtime(store=tmp_path))
    find_neighbours(vectors[::-1], threshold=0.7, method=method, runtime=Runtime(store=tmp_path))
    assert len(list(tmp_path.iterdir())) == 3
    path.write_bytes(path.read_bytes()[:-5])
    assert index_pairs(
        find_neighbours(vectors, threshold=0.7, method=method, runtime=Runtime(store=tmp_path))
    ) == index_pairs(first)


def test_an_unwritable_cache_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert len(find_neighbours(clustered(100), threshold=0.7, runtime=Runtime(store=tmp_path / "file" / "store"))) > 0


def test_invalid_vectors_are_rejected() -> None:
    vectors = clustered(20)
    broken = vectors.copy()
    broken[3, 0] = np.nan
    for wrong in (broken, vectors * 2, vectors.astype(np.float64), vectors[0]):
        with pytest.raises(LitotesError, match="L308"):
            find_neighbours(wrong, threshold=0.5)
    for threshold, expected in ((0.0, 5), (1.5, 5), (0.5, 0)):
        with pytest.raises(LitotesError, match="L102"):
            find_neighbours(vectors, threshold=threshold, neighbours=expected)


def test_missing_faiss_is_reported_with_the_extra() -> None:
    program = (
        "import sys; sys.modules['faiss'] = None; import importlib.util as u; u.find_spec = lambda name: None\n"
        "import numpy as np; from litotes.audit.neighbours import find_neighbours\n"
        "try: find_neighbours(np.ones((3, 1), dtype=np.float32), threshold=0.5, method='approximate')\n"
        "except Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[L103] faiss is not installed; install it with: pip install 'litotes[audit]'\n"


def test_memory_grows_with_the_corpus_and_the_index_is_small() -> None:
    million = estimate_memory(1_000_000, 384, "approximate")
    assert 1_000_000 * 384 * 4 < million < 8e9
    assert estimate_memory(1_000_000, 384, None) == million
    assert estimate_memory(1000, 384, "exact") < estimate_memory(2000, 384, "exact")


# Shards


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_index, "SHARD_ROWS", 2048)


def search(vectors: Vectors, index: Path | None = None, fingerprint: str = "") -> Pairs:
    return find_neighbours(
        vectors,
        threshold=0.75,
        neighbours=10,
        method="approximate",
        runtime=Runtime(index=index, fingerprint=fingerprint),
    )


def test_shards_find_what_the_exact_search_finds(small_shards: None) -> None:
    vectors = clustered(6000)
    exact, sharded = find_neighbours(vectors, threshold=0.75, neighbours=10, method="exact"), search(vectors)
    assert closest(exact, 1000) == closest(sharded, 1000)
    assert len(set(index_pairs(exact)) & set(index_pairs(sharded))) >= 0.99 * len(exact)


def test_updated_index_equals_a_new_one(small_shards: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = clustered(6000)
    search(vectors[:5000], tmp_path / "updated")
    before = {path.name: path.read_bytes() for path in (tmp_path / "updated").iterdir()}
    with monkeypatch.context() as patch:
        built: list[int] = []
        patch.setattr(
            neighbour_index,
            "build_shards",
            lambda chunk, build=neighbour_index.build_shards: built.extend(map(len, chunk)) or build(chunk),
        )
        updated = search(vectors, tmp_path / "updated")
        assert built == [6000 - 2 * 2048]
    fresh = search(vectors, tmp_path / "fresh")
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("updated", "fresh")]
    assert files[0] == files[1]
    assert sorted(name for name in before if files[0][name] == before[name]) == [
        "shard-00000.faiss",
        "shard-00001.faiss",
    ]
    assert updated.rows.tobytes() == fresh.rows.tobytes() == search(vectors).rows.tobytes()
    assert search(vectors[:5000], tmp_path / "updated").rows.tobytes() == search(vectors[:5000]).rows.tobytes()


def test_index_of_one_shard_changes_nothing(tmp_path: Path) -> None:
    vectors = clustered(3000)
    expected = search(vectors)
    for _ in range(2):  # new and stored
        assert search(vectors, tmp_path).rows.tobytes() == expected.rows.tobytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.json", "shard-00000.faiss"]


def test_damaged_shard_is_built_again(small_shards: None, tmp_path: Path) -> None:
    vectors = clustered(5000)
    expected = search(vectors, tmp_path)
    shard = tmp_path / "shard-00001.faiss"
    content = shard.read_bytes()
    for damaged in (content[:-1], content[:999] + b"x" + content[1000:]):
        shard.write_bytes(damaged)
        assert search(vectors, tmp_path).rows.tobytes() == expected.rows.tobytes()
        assert shard.read_bytes() == content
    shard.unlink()
    search(vectors, tmp_path)
    assert shard.read_bytes() == content


def test_index_of_another_model_is_refused(tmp_path: Path) -> None:
    search(clustered(1000), tmp_path, "one")
    with pytest.raises(LitotesError, match=r"L102.*contains the index of another model"):
        search(clustered(1000), tmp_path, "two")
    (tmp_path / "index.json").write_text("{}")
    with pytest.raises(LitotesError, match=r"L203.*index\.json"):
        search(clustered(1000), tmp_path, "one")


def test_processes_search_shards_with_the_same_result(
    small_shards: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = clustered(5000)
    pairs = find_neighbours(
        vectors,
        threshold=0.75,
        neighbours=10,
        method="approximate",
        runtime=Runtime(engine=ParallelEngine.local(2)),
    )
    assert pairs.rows.tobytes() == search(vectors).rows.tobytes()
