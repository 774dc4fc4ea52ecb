"""Generation of candidates from records."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import litotes
from litotes.building.base import load_builder
from litotes.building.pipeline.generate import AcceptedUnit, GenerateTask, RecordBlock, generate_candidates
from litotes.building.pipeline.journal import JournalEntry
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.errors import LitotesError
from litotes.corpora.base import Record
from litotes.rewrites.options import options_of


def task(**values: Any) -> GenerateTask:
    options = {name: option.default for name, option in options_of(load_builder("semantoneg")).items()}
    return GenerateTask(
        "semantoneg", tuple(sorted(options.items())), values.get("language_tool"), values.get("prefilter", True)
    )


def entries(units: list[AcceptedUnit]) -> list[JournalEntry]:
    assert all(unit.entry is not None for unit in units)
    return [unit.entry for unit in units if unit.entry is not None]


def test_each_record_gives_candidates_or_skips() -> None:
    not_said = "He did not say that the tall man was here."
    records = [Record("a:1", "The kettle is not hot."), Record("a:2", not_said), Record("a:3", "Not hot " * 600)]
    blocks = [RecordBlock(records, False), RecordBlock([Record("a:4", not_said)], False)]
    one, two = generate_candidates(task(), blocks)
    first, second, third = entries(one.units)
    (fourth,) = entries(two.units)
    assert [candidate.sentences["input"] for candidate in first.candidates] == ["The kettle is not hot."]
    assert (first.source, first.text, first.skips) == ("a:1", "The kettle is not hot.", ())
    for entry in (second, fourth):
        assert entry.candidates == () and entry.skips
        for code, reason in entry.skips:
            assert load_builder("semantoneg").skips[code] == reason
    assert [code for code, _ in third.skips] == ["not-parsed"]


@pytest.mark.parametrize("prefilter", [True, False])
def test_the_filter_leaves_out_units_with_a_code(prefilter: bool) -> None:
    records = [Record("a:1", "The kettle is hot."), Record("a:2", "The kettle is not hot.")]
    (result,) = generate_candidates(task(prefilter=prefilter), [RecordBlock(records, False)])
    assert [unit.id for unit in result.units] == ["a:2"] and sum(result.skip_counts.values()) == 1
    assert result.skipped == [] and result.checksums is None


def test_units_of_stored_blocks_and_repeated_units_are_not_parsed() -> None:
    records = [Record("a:1", "The kettle is not hot."), Record("a:2", "The kettle is not hot.")]
    (new,) = generate_candidates(task(), [RecordBlock(records, False)])
    (stored,) = generate_candidates(task(), [RecordBlock(records, True)])
    assert [unit.entry is None for unit in new.units] == [False, True]
    assert [unit.entry for unit in stored.units] == [None, None]
    assert len({unit.key for unit in (*new.units, *stored.units)}) == 1


class Server(BaseHTTPRequestHandler):
    """A LanguageTool server that reports one word as an error."""

    def do_POST(self) -> None:
        text = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["text"][0]
        rule = {"id": "NO_SUCH_WORD", "category": {"id": "GRAMMAR"}}
        position = text.lower().find("cold")
        result = [{"rule": rule, "offset": position, "length": 4, "message": "Is it?"}] if position >= 0 else []
        body = json.dumps({"matches": result}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Yield nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{serving.server_port}"
    serving.shutdown()
    serving.server_close()


def test_leaves_out_what_language_tool_rejects(server: str, corpus: Any, tmp_path: Path, read_items: Any) -> None:
    """An original with an error, a rewrite with one, and a sentence without errors."""
    source = corpus(["The cold cellar is not dark.", "The kettle is not hot.", "The gate is not open."])
    built = litotes.build_suite(
        "semantoneg", source, tmp_path / "suite", BuildSettings(language_tool=server), skipped=tmp_path / "skipped"
    )
    assert {item["tags"]["source"] for item in read_items(tmp_path / "suite")} == {"notes.txt:3"}
    assert built.skips == {"language-tool": 2}
    reasons = [json.loads(line)["reason"] for line in (tmp_path / "skipped").read_text().splitlines()]
    assert reasons == ["the original: NO_SUCH_WORD: Is it?", "NO_SUCH_WORD: Is it?"]
    # The use of a server is recorded, but not its address.
    text = (tmp_path / "suite" / "suite.json").read_text()
    assert json.loads(text)["builder"]["language_tool"] is True and "127.0.0.1" not in text


def test_reports_a_server_that_does_not_answer(corpus: Any, tmp_path: Path) -> None:
    with pytest.raises(LitotesError, match="L501"):
        litotes.build_suite(
            "semantoneg", corpus(10), tmp_path / "suite", BuildSettings(language_tool="http://127.0.0.1:9")
        )
    assert not (tmp_path / "suite").exists()
