"""Variants of a corpus: rewriting, exclusion of sentences, storing and resuming."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from litotes.audit import variants as module
from litotes.audit.variants import BLOCK_SIZE, MAX_LENGTH, Variants, make_variants
from litotes.building.audit_variants import RELATIONS, reasons, variants_of
from litotes.core.errors import LitotesError, UsageError
from litotes.core.parallel.engine import SERIAL, ParallelEngine
from litotes.core.progress import Progress
from litotes.corpora.base import Record
from litotes.languages.en.parser import parse
from litotes.rewrites.base import Sentence

THINGS = "lamp door chair table clock mirror fence bench oven shelf".split()
WORDS = "new old clean dirty heavy cheap wet cold warm safe".split()


def lines(count: int) -> list[str]:
    return [f"The {THINGS[n % 10]} in room {n} is {WORDS[n // 10 % 10]}." for n in range(count)]


def records(texts: list[str]) -> Iterator[Record]:
    return (Record(f"notes:{number}", text) for number, text in enumerate(texts, 1))


def rewrite(texts: list[str], store: Path | None = None, **options: Any) -> Variants:
    settings: dict[str, Any] = {"key": {}, "limit": None, "seed": 0, "engine": SERIAL, "progress": None, **options}
    return make_variants(records(texts), store=store, **settings)


MIXED = [
    "The soup is hot.",
    "Rita opened the window.",
    "The soup is hot.",
    "Is the bridge safe?",
    "Wir wissen nicht, warum der Zug heute nicht fährt.",
    "12 + 30 = 42",
    "I'm sure that the gate is not locked.",
    "A lamp fell. " * 40,
    "half a sign: \ud800",
]


def test_usage_of_a_mixed_corpus() -> None:
    with rewrite(MIXED) as variants:
        assert list(variants.sentences) == [MIXED[n] for n in (0, 1, 3, 4, 6, 7)]
        assert list(variants.ids) == [f"notes:{n + 1}" for n in (0, 1, 3, 4, 6, 7)]
        usage = variants.usage
        assert (usage.read, usage.sentences, usage.rewritten) == (9, 6, 4)
        assert usage.excluded == {
            f"longer than {MAX_LENGTH} characters": 1,
            "invalid text: unpaired surrogates": 1,
            "without a word": 1,
            "not English": 1,
            "the same as an earlier one": 1,
        }
        assert [(one.rule, one.relation) for one in usage.rules] == list(RELATIONS.items())
        for one in usage.rules:
            assert one.variants + sum(one.skipped.values()) == usage.rewritten
            assert set(one.reasons) == set(one.skipped) and all(one.reasons.values())
            assert one.variants == len(list(variants.of_rule(one.rule)))
        assert dict(variants.of_rule("negation")) == {
            0: "The soup is not hot.",
            1: "Rita did not open the window.",
            4: "I'm sure that the gate is locked.",
        }
        assert dict(variants.of_rule("contraction"))[4] == "I am sure that the gate is not locked."
        assert dict(variants.of_rule("passive")) == {1: "The window was opened by Rita."}
        assert next(one for one in usage.rules if one.rule == "negation").skipped == {"question": 1}
        opposites, same = set[int](), set[int]()
        for index, rule, text in variants.pairs():
            assert text != variants.sentences[index]
            {"opposite": opposites, "same": same}.get(RELATIONS[rule], set()).add(index)
        assert usage.usable == len(opposites & same) > 0


def test_both_sentences_of_a_pair_are_used() -> None:
    pair = Record("pairs:1", "The road is dry.", "The street isn't wet.")
    settings: dict[str, Any] = {"store": None, "key": {}, "limit": None, "seed": 0, "engine": SERIAL, "progress": None}
    with make_variants([pair], **settings) as variants:
        assert list(variants.ids) == ["pairs:1#1", "pairs:1#2"]


GATED = [
    # Questions mean the same with and without negation.
    ("Is the soup hot?", "negation", None),
    ("Is the soup hot?", "antonym", None),
    # “Some do” and “some do not” can both be true.
    ("Many people like the song.", "negation", None),
    ("It might snow.", "negation", None),
    ("He sat down and began to read.", "negation", None),
    ("This is a house to let, not to be sold.", "negation", None),
    ("The soup is hot.", "antonym", "The soup is cold."),
    # Something that is not good need not be bad.
    ("The soup is not hot.", "antonym", None),
    # a different statement, not the opposite
    ("The old man sat under a tree.", "antonym", None),
    ("My car is large enough for five.", "antonym", None),
    ("Your answer is wrong.", "negated_antonym", "Your answer is not right."),
    ("The cake is very good.", "negated_antonym", None),
    ("The rain has stopped.", "negated_antonym", None),
    ("The lake is in eastern Asia.", "negated_antonym", None),
    ("Rita opened the window.", "passive", "The window was opened by Rita."),
    ("I opened the window.", "passive", None),
    ("Rita is speaking to Mona.", "argument_swap", None),
    ("Rita helped Mona.", "argument_swap", "Mona helped Rita."),
]


@pytest.mark.parametrize(("text", "rule", "variant"), GATED)
def test_doubtful_variants_are_rejected(text: str, rule: str, variant: str | None) -> None:
    result = dict(variants_of(Sentence(parse(text)), 0))[rule]
    assert result.text == variant
    assert (variant is None) == bool(result.codes) and set(result.codes) <= set(reasons(rule))


def test_file_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    texts = lines(2 * BLOCK_SIZE + 20)
    for workers in (1, 2):
        rewrite(texts, tmp_path / str(workers), engine=ParallelEngine.local(workers)).close()
    one, two = (next((tmp_path / name).iterdir()) for name in ("1", "2"))
    assert one.name == two.name and one.read_bytes() == two.read_bytes()


def test_second_call_reads_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = lines(40)
    with rewrite(texts, tmp_path) as first:
        expected = (list(first.pairs()), first.usage)
    monkeypatch.setattr(module, "rewrite_blocks", None)  # nothing is rewritten
    with rewrite(texts, tmp_path) as again:
        assert (list(again.pairs()), again.usage) == expected
    monkeypatch.undo()
    for other in ({"seed": 1}, {"limit": 30}, {"key": {"format": "csv"}}):
        rewrite(texts, tmp_path, **other).close()
    rewrite(texts[1:], tmp_path).close()
    assert len(list(tmp_path.iterdir())) == 5


def test_limit_draws_a_sample_to_rewrite() -> None:
    texts = lines(60)
    with (
        rewrite(texts, limit=20) as variants,
        rewrite(texts, limit=20) as same,
        rewrite(texts, limit=20, seed=1) as second,
    ):
        assert len(variants.sentences) == 60
        assert variants.usage.rewritten == 20
        assert variants.usage.excluded == {"not drawn because of the limit": 40}
        indices, again, another = ({index for index, _, _ in first.pairs()} for first in (variants, same, second))
        assert indices == again != another
        assert max(indices) > 30  # not the first ones


PROGRAM = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from litotes.speedups.spacy_import import import_minimal_spacy
import_minimal_spacy()  # in half the time
from test_variants import lines, rewrite
from litotes.audit import variants
rewrite_block, calls = variants._rewrite_block, []
def slowly(seed, texts):
    calls.append(texts)
    time.sleep(60 * (len(calls) - 1))
    return rewrite_block(seed, texts)
variants._rewrite_block = slowly
rewrite(lines(variants.BLOCK_SIZE + 30), Path(sys.argv[2]))
"""


def test_resumes_after_sigkill(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(Path(__file__).parent), str(folder)])
    until = time.monotonic() + 120
    while stored_blocks(folder) == 0 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert stored_blocks(folder) == 1
    bar = RecordedProgress()
    texts = lines(BLOCK_SIZE + 30)
    with rewrite(texts, folder, progress=bar) as resumed, rewrite(texts) as uninterrupted:
        assert bar.begun == [("rewriting", BLOCK_SIZE + 30, BLOCK_SIZE)] and bar.done == 30
        assert list(resumed.pairs()) == list(uninterrupted.pairs())
        assert resumed.usage == uninterrupted.usage


def stored_blocks(folder: Path) -> int:
    for path in folder.glob("*.sqlite"):
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
                return int(db.execute("SELECT count(*) FROM blocks").fetchone()[0])
        except sqlite3.Error:  # the file is being created
            return 0
    return 0


class RecordedProgress(Progress):
    """Records what a progress bar would show."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int | None, int]] = []
        self.done = 0

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self.begun.append((label, total, done))

    def advance(self, count: int) -> None:
        self.done += count


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], r"L204.*no sentence"),
        (["", "42", "..."], r"L204.*contains no sentence \(3 lines read\)"),
        (["Oh!", "Yes.", "Really?"], r"L204.*none of the 3 sentences can be used"),
        (["Der Zug fährt heute nicht.", "Ich weiß nicht, wo er ist."], r"L203.*does not look English"),
    ],
)
def test_an_unusable_corpus_is_an_error(texts: list[str], message: str) -> None:
    with pytest.raises(LitotesError, match=message) as caught:
        rewrite(texts)
    assert "\n" not in str(caught.value)


def test_limit_must_be_positive() -> None:
    with pytest.raises(UsageError, match="limit=0"):
        rewrite(lines(3), limit=0)
