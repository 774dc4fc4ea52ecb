"""The command `litotes review`."""

from __future__ import annotations

import json
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import Any

import pytest

Run = Callable[..., Any]
LINES = [
    {"unit": "u0", "annotator": "Ana", "verdict": "accept"},
    {"unit": "u0", "annotator": "Ben", "verdict": "accept"},
    {"unit": "u1", "annotator": "Ana", "verdict": "reject", "reason": "unnatural"},
    {"unit": "u1", "annotator": "Ben", "verdict": "edit", "edited": {"both": "The kettle isn't empty."}},
    {"unit": "u2", "annotator": "Ana", "verdict": "accept"},
    {"unit": "u2", "annotator": "Ben", "verdict": "reject", "reason": "unnatural"},
]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Return a file with six verdicts."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in LINES), "utf-8")
    return path


def test_prints_the_url_and_exits_cleanly(litotes: Any, suite: Path) -> None:
    process = litotes.start("review", suite, "--no-browser")
    address = process.stdout.readline()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}\n", address)
    process.send_signal(SIGINT)
    done = litotes.finish(process, timeout=15)
    assert (done.code, done.out) == (0, "")
    assert "Traceback" not in done.err
    assert (suite / "review.sqlite").exists()


def test_sigterm_ends_the_server(litotes: Any, suite: Path) -> None:
    process = litotes.start("review", suite, "--no-browser")
    process.stdout.readline()
    process.send_signal(SIGTERM)
    assert litotes.finish(process, timeout=15).code == 143


def test_the_browser_is_started_with_a_ticket_instead_of_the_token(litotes: Any, suite: Path, tmp_path: Path) -> None:
    (tmp_path / "browser").write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/asked.tmp; mv {tmp_path}/asked.tmp {tmp_path}/asked\n'
    )
    (tmp_path / "browser").chmod(0o755)
    process = litotes.start("review", suite, env={"BROWSER": str(tmp_path / "browser")})
    token = process.stdout.readline().strip().partition("token=")[2]
    for _ in range(200):
        if (tmp_path / "asked").exists():
            break
        time.sleep(0.02)
    url = (tmp_path / "asked").read_text().strip()
    assert "ticket=" in url and token not in url
    with urllib.request.urlopen(url, timeout=10) as answer:
        assert f"token={token}" in answer.url and b"review.js" in answer.read()
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(url, timeout=10)
    process.kill()
    process.communicate()


def test_import_status_and_export(run_litotes: Run, suite: Path, lines: Path, tmp_path: Path) -> None:
    done = run_litotes("review", suite, "--import", lines)
    assert (done.code, done.out) == (0, "")
    assert done.err == "6 verdicts are new, 0 changed, 0 are unchanged\n"
    done = run_litotes("review", suite, "--status", "--per-item", 2)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "kettles: 3 of 6 units judged, 6 of 12 verdicts (2 per unit)",
        "",
        "annotator  verdicts  accepted  rejected  edited  gold",
        "Ana               3         2         1       0  –",
        "Ben               3         1         1       1  –",
        "",
        "rejected for: unnatural 2",
        "",
        "agreement (accepted unchanged or not) on units with two or more verdicts: 3",
        "  Krippendorff's alpha 0.444",
        "  Cohen's kappa 0.400 of Ana and Ben, 2 of 3 equal",
    ]
    for form, names in (("jsonl", ["out"]), ("label-studio", ["out.json", "out.xml"])):
        done = run_litotes("review", suite, "--export", names[0], "--format", form)
        assert done.code == 0 and done.err == f"wrote {' and '.join(names)}\n"
        assert [path.name for path in done.new_files] == names
    assert len((tmp_path / "out").read_text("utf-8").splitlines()) == 6


def test_gold_is_stored_and_scored(run_here: Run, suite: Path, lines: Path, tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text('{"unit": "u0", "verdict": "accept"}\n{"unit": "u2", "verdict": "reject"}\n')
    run_here("review", suite, "--import", lines, "--gold", "gold.jsonl")
    out = run_here("review", suite, "--status").out
    assert re.search(r"^Ana .* 1 of 2$", out, re.MULTILINE) and re.search(r"^Ben .* 2 of 2$", out, re.MULTILINE)


def test_invalid_options_are_refused(run_litotes: Run, suite: Path, lines: Path) -> None:
    run_litotes("review", suite, "--host", "0.0.0.0").refused(
        2, "L102", "is reachable from other machines", "--allow-remote"
    )
    run_litotes("review", suite, "--status", "--export", "x").refused(2, "L102", "cannot be combined")
    run_litotes("review", suite, "--export", "x", "--format", "csv").refused(2, "L102", "jsonl, label-studio")
    run_litotes("review", suite, "--per-item", "0").refused(2, "L102")
    run_litotes("review", "gone").refused(1, "L201", "gone: no such folder")
    run_litotes("review", suite, "--status").refused(1, "L201", "no such file", "start a review")
    run_litotes("review", suite, "--export", "out").refused(1, "L201", "no such file")
    lines.write_text('{"unit": "u0"}\n')
    run_litotes("review", suite, "--import", lines).failed(1, "L203", "in.jsonl:1: the annotator must be a name")
    run_litotes("review", suite, "--gold", lines).failed(1, "L203", 'in.jsonl:1: "verdict" must be')


def test_changed_items_are_reported(run_litotes: Run, suite: Path, lines: Path, make_suite: Any) -> None:
    run_litotes("review", suite, "--import", lines)
    make_suite(7)
    run_litotes("review", suite, "--no-browser").refused(
        1, "L206", "is the review of different items", "move the file away"
    )


def test_a_used_port_is_reported(run_litotes: Run, suite: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run_litotes("review", suite, "--port", port).failed(2, "L102", f"cannot serve on 127.0.0.1, port {port}")


def test_a_missing_web_server_is_reported_with_the_extra(
    litotes: Any, suite: Path, lines: Path, tmp_path: Path
) -> None:
    (tmp_path / "without" / "starlette").mkdir(parents=True)
    (tmp_path / "without" / "starlette" / "__init__.py").write_text("raise ImportError(name='starlette')\n")
    litotes.plugins.append(tmp_path / "without")
    litotes.run("review", suite, "--no-browser").failed(1, "L103", "starlette is not installed", "litotes[review]")
    assert litotes.run("review", suite, "--import", lines).code == 0
    assert litotes.run("review", suite, "--status").code == 0
