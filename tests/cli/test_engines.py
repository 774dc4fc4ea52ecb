"""The same commands in this process, in local processes and on a real Ray cluster of two nodes give the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ray_nodes import RayNodes, ray_nodes

SUBJECTS = "lamp door chair table clock mirror fence bench oven shelf".split()
WORDS = "new old clean dirty heavy cheap wet cold warm safe".split()
SENTENCES = [f"The {SUBJECTS[n % 10]} in room {n} is not {WORDS[n // 10 % 10]}." for n in range(700)]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayNodes]:
    with ray_nodes(tmp_path_factory.mktemp("ray"), 2) as nodes:
        yield nodes


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text("".join(f"{sentence}\n" for sentence in SENTENCES))
    return path


def check(finished: Any) -> Any:
    """Assert success; builds say on standard error how many sentences were used."""
    assert finished.code == 0, finished.err
    return finished


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something is true, while the process is running."""
    deadline = time.monotonic() + 90
    while not condition() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_build_and_rewrite_give_the_same_bytes_on_every_engine(litotes: Any, cluster: RayNodes, tmp_path: Path) -> None:
    """Two Parquet files of several row groups are read, and Parquet is written."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (tmp_path / "notes").mkdir()
    table = pyarrow.table({"number": list(range(len(SENTENCES))), "body": SENTENCES})
    for number in range(2):
        parquet.write_table(table.slice(350 * number, 350), f"{tmp_path}/notes/{number}.parquet", row_group_size=100)
    read = ("--from", tmp_path / "notes", "--column", "body")
    results = []
    for number, engine in enumerate(("serial", "processes", cluster.engine)):
        out = tmp_path / f"out-{number}"
        options = {"env": {**cluster.environment, "LITOTES_ENGINE": engine}}
        skipped = ("--skipped", out / "skipped.parquet")
        check(litotes.run("build", "semantoneg", *read, "--out", out / "suite", *skipped, **options))
        check(litotes.run("rewrite", "negation", *read, "--out", out / "edits.parquet", "--part-rows", 300, **options))
        results.append(content(out))
    assert results[0] == results[1] == results[2]
    assert sum(name.startswith("edits.parquet/part") for name in results[0]) == 3
    edits = parquet.read_table(tmp_path / "out-0" / "edits.parquet")
    assert edits.column("text").to_pylist() == SENTENCES
    assert edits.column("id")[699].as_py() == "1.parquet:350"
    assert edits.column("edits")[0][0]["text"].as_py() == "The lamp in room 0 is new."


def test_killed_driver_resumes_after_the_last_part(litotes: Any, cluster: RayNodes, text: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    rewrite = ("rewrite", "negation", "--from", text, "--part-rows", 100, "--out")
    check(litotes.run(*rewrite, tmp_path / "expected.parquet"))
    out = tmp_path / "edits.parquet"
    where = ("--engine", cluster.engine)
    process = litotes.start(*rewrite, out, *where, env=cluster.environment)
    deadline = time.monotonic() + 90
    while not (out / "part-00000.parquet").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = check(litotes.run(*rewrite, out, *where, env=cluster.environment))
    assert "were written by an earlier call" in done.err
    assert content(out) == content(tmp_path / "expected.parquet")


def test_audit_is_the_same_on_a_cluster(litotes: Any, cluster: RayNodes, text: Path, onnx_minilm: str) -> None:
    text.write_text("".join(f"{sentence}\n" for sentence in SENTENCES[:200]))
    documents = []
    for engine in ("serial", cluster.engine):
        words = ("audit", onnx_minilm, "--from", text, "--json", "--engine", engine)
        finished = litotes.run(*words, "--out", f"audit-{len(documents)}", env=cluster.environment)
        documents.append({**check(finished).document, "files": []})
        shutil.rmtree(litotes.cache)
    assert documents[0] == documents[1]


def test_killed_encoding_ends_with_the_same_bytes(
    litotes: Any, cluster: RayNodes, tmp_path: Path, onnx_minilm: str
) -> None:
    text = tmp_path / "long.txt"
    text.write_text("".join(f"In year {n // 700}, {sentence}\n" for n, sentence in enumerate(SENTENCES * 6)))
    encode = ("encode", onnx_minilm, "--from", text, "--part-rows", "128", "--out")
    check(litotes.run(*encode, tmp_path / "expected"))
    on_cluster = (*encode, out := tmp_path / "vectors", "--engine", cluster.engine)

    process = litotes.start(*on_cluster, env=cluster.environment)
    wait_for((out / "part-00000.arrow").exists, process)
    process.send_signal(signal.SIGKILL)  # the driver
    process.wait()
    n_stored = len(list(out.glob("*.arrow")))
    assert 0 < n_stored < len(content(tmp_path / "expected")) - 1

    process = litotes.start(*on_cluster, env=cluster.environment)
    wait_for(lambda: len(list(out.glob("*.arrow"))) > n_stored, process)
    workers: list[int] = []
    wait_for(lambda: bool(workers.extend(cluster.workers("ChunkActor.apply")) or workers), process)
    os.kill(workers[0], signal.SIGKILL)
    check(litotes.finish(process))
    assert content(out) == content(tmp_path / "expected")


def test_sweep_runs_one_model_per_task(litotes: Any, cluster: RayNodes, tmp_path: Path) -> None:
    names = ("overlap:words", "missing-model", "overlap:words?label=again")
    (tmp_path / "models.toml").write_text("".join(f'[[models]]\nname = "{name}"\n' for name in names))
    items = []
    for number, engine in enumerate(("serial", cluster.engine)):
        words = ("run", "--models", "models.toml", "--suite", "heros-mini", "--out", f"out-{number}", "--no-report")
        finished = litotes.run(*words, "--engine", engine, env=cluster.environment)
        assert finished.code == 1 and "1 failed" in finished.err, finished.err
        files = content(tmp_path / f"out-{number}")
        items.append({name: data for name, data in files.items() if name.endswith("items.jsonl")})
        assert any(name.endswith("failed.json") for name in files)
        assert not any(name.endswith("lease.json") for name in files)
    assert items[0] == items[1] and len(items[0]) == 2


@pytest.mark.parametrize("victim", ["driver", "node"])
def test_killed_build_resumes_with_the_same_bytes(
    litotes: Any, cluster: RayNodes, text: Path, tmp_path: Path, victim: str, count_blocks: Callable[[Path], int]
) -> None:
    build = ("build", "semantoneg", "--from", text, "--out")
    check(litotes.run(*build, tmp_path / "expected"))
    node = cluster.add_node() if victim == "node" else None
    out = tmp_path / "suite"
    process = litotes.start(*build, out, "--engine", cluster.engine, env=cluster.environment)
    wait_for(lambda: count_blocks(out / ".build.sqlite") > 0, process)
    if node is None:
        process.send_signal(signal.SIGKILL)
        process.wait()
        check(litotes.run(*build, out, "--engine", cluster.engine, env=cluster.environment))
    else:
        cluster.kill_node(node)
        check(litotes.finish(process))
    assert content(out) == content(tmp_path / "expected")


@pytest.fixture
def count_blocks() -> Callable[[Path], int]:
    """Return a function that counts the finished blocks of a build by the size of its journal."""

    def count(journal: Path) -> int:
        log = journal.with_name(journal.name + "-wal")
        return int(log.exists() and log.stat().st_size > 100_000)

    return count


def test_wrong_engine_is_one_line(run_here: Any, text: Path) -> None:
    run_here("rewrite", "negation", "--from", text, "--engine", "spark").refused(2, "L101", "spark", "ray:ADDRESS")
    run_here("rewrite", "negation", "--from", text, "--engine", "ray:127.0.0.1:9").refused(1, "L503", "127.0.0.1:9")
    run_here("rewrite", "negation", "--from", text, "--engine", "ray:nowhere").refused(2, "L102", "nowhere")


def test_json_of_the_cluster_is_only_json(litotes: Any, cluster: RayNodes, text: Path) -> None:
    finished = check(
        litotes.run(
            "rewrite", "negation", "--from", text, "--json", "--engine", cluster.engine, env=cluster.environment
        )
    )
    assert len([json.loads(line) for line in finished.out.splitlines()]) == len(SENTENCES)
