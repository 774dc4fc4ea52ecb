"""Durations of the tasks of a page's main thread, recorded by Chromium's tracing."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

CATEGORIES = ("devtools.timeline", "disabled-by-default-devtools.timeline")
_PATIENCE = 30
"""The timeout for messages of the browser, in seconds."""


@dataclass
class Tasks:
    """The durations of the main thread's tasks in milliseconds, available after the trace has ended."""

    took: list[float] = field(default_factory=list)
    """The CPU time of each task, which does not depend on other processes."""

    @property
    def longest(self) -> float:
        return max(self.took)


@contextmanager
def traced(driver: Any) -> Iterator[Tasks]:
    """Record the tasks of the open page during the block."""
    # Needs a separate connection, because that of chromedriver stops logging at Tracing.start.
    import websocket

    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urllib.request.urlopen(f"http://{address}/json/version", timeout=_PATIENCE) as answer:
        endpoint = json.load(answer)["webSocketDebuggerUrl"]
    connection = websocket.create_connection(endpoint, timeout=_PATIENCE, suppress_origin=True)
    tasks = Tasks()
    try:
        config = {"includedCategories": CATEGORIES, "excludedCategories": ["*"]}
        _send(connection, "Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
        yield tasks
        url = driver.current_url.partition("#")[0]
        _send(connection, "Tracing.end", {})
        tasks.took = _tasks(list(_events(connection)), url)
    finally:
        connection.close()


def _send(connection: Any, method: str, params: dict[str, Any]) -> None:
    connection.send(json.dumps({"id": 1, "method": method, "params": params}))
    while "id" not in (answer := json.loads(connection.recv())):
        pass
    assert "error" not in answer, answer


def _events(connection: Any) -> Iterator[dict[str, Any]]:
    while (message := json.loads(connection.recv()))["method"] != "Tracing.tracingComplete":
        if message["method"] == "Tracing.dataCollected":
            yield from message["params"]["value"]


def _tasks(events: list[dict[str, Any]], url: str) -> list[float]:
    """Return the main thread of the page's process; the browser has spare processes and further threads."""
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "FunctionCall" and event["args"].get("data", {}).get("url", "").startswith(url)
    }
    assert len(threads) == 1, f"the script of {url} ran on {len(threads)} threads"
    return [
        event.get("tdur", event["dur"]) / 1000
        for event in events
        if event["name"] == "RunTask" and event["ph"] == "X" and (event["pid"], event["tid"]) in threads
    ]
