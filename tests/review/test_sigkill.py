"""A killed server loses no confirmed verdict."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from litotes.review.store import open_review


def test_confirmed_verdicts_survive_sigkill(make_suite: Callable[..., Path], serving: Callable[..., Any]) -> None:
    suite = make_suite(120)
    confirmed: dict[str, set[str]] = {"Ana": set(), "Ben": set()}
    for after in (1, 7, 12):
        with serving(suite, "--per-item", "2") as server:
            enough = threading.Event()
            start = sum(map(len, confirmed.values()))
            threads = [
                threading.Thread(target=judge_on, args=(server, name, confirmed, start + after, enough))
                for name in confirmed
            ]
            for thread in threads:
                thread.start()
            assert enough.wait(20)
            server.kill()
            for thread in threads:
                thread.join()
        with closing(sqlite3.connect(suite / "review.sqlite")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with open_review(suite) as review:
            verdicts = review.store.current()
        for name, units in confirmed.items():
            mine = {unit for unit, by in verdicts.items() if name in by}
            assert units <= mine
            # At most one more was stored, but not confirmed before the kill.
            assert len(mine) <= len(units) + 1
            confirmed[name] = mine


def judge_on(server: Any, name: str, confirmed: dict[str, set[str]], stop: int, enough: threading.Event) -> None:
    """Accept units until the server is killed."""
    with suppress(OSError, ValueError, AssertionError):
        unit = server.get("unit", annotator=name, move="unreviewed")["unit"]["key"]
        while True:
            answer = server.judge(unit, annotator=name)
            confirmed[name].add(unit)
            if sum(map(len, confirmed.values())) >= stop:
                enough.set()
            unit = answer["unit"]["key"]
