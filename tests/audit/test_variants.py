"""Variants of a corpus: what is made, what is left out and why, the same however it is made."""

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
from litotes.audit.variants import BLOCK, LONGEST, Variants, make_variants
from litotes.building.audit_variants import RELATIONS, reasons, variants_of
from litotes.core.errors import LitotesError, UsageError
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


def made(texts: list[str], store: Path | None = None, **given: Any) -> Variants:
    settings: dict[str, Any] = {"key": {}, "limit": None, "seed": 0, "workers": 1, "progress": None, **given}
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


def test_the_account_of_a_mixed_corpus() -> None:
    with made(MIXED) as variants:
        assert list(variants.sentences) == [MIXED[n] for n in (0, 1, 3, 4, 6, 7)]
        assert list(variants.ids) == [f"notes:{n + 1}" for n in (0, 1, 3, 4, 6, 7)]
        usage = variants.usage
        assert (usage.read, usage.sentences, usage.rewritten) == (9, 6, 4)
        assert usage.left_out == {
            f"longer than {LONGEST} characters": 1,
            "no text: halves of characters": 1,
            "no word in it": 1,
            "not English": 1,
            "the same as one before": 1,
        }
        assert [(one.rule, one.relation) for one in usage.rules] == list(RELATIONS.items())
        for one in usage.rules:
            assert one.made + sum(one.skipped.values()) == usage.rewritten
            assert set(one.reasons) == set(one.skipped) and all(one.reasons.values())
            assert one.made == len(list(variants.of_rule(one.rule)))
        assert dict(variants.of_rule("negation")) == {
            0: "The soup is not hot.",
            1: "Rita did not open the window.",
            4: "I'm sure that the gate is locked.",
        }
        assert dict(variants.of_rule("contraction"))[4] == "I am sure that the gate is not locked."
        assert dict(variants.of_rule("passive")) == {1: "The window was opened by Rita."}
        assert next(one for one in usage.rules if one.rule == "negation").skipped == {"question": 1}
        opposites, same = set[int](), set[int]()
        for place, rule, text in variants.pairs():
            assert text != variants.sentences[place]
            {"opposite": opposites, "same": same}.get(RELATIONS[rule], set()).add(place)
        assert usage.usable == len(opposites & same) > 0


def test_both_sentences_of_a_pair_are_used() -> None:
    pair = Record("pairs:1", "The road is dry.", "The street isn't wet.")
    settings: dict[str, Any] = {"store": None, "key": {}, "limit": None, "seed": 0, "workers": 1, "progress": None}
    with make_variants([pair], **settings) as variants:
        assert list(variants.ids) == ["pairs:1#1", "pairs:1#2"]


GATED = [
    # What is asked says the same either way.
    ("Is the soup hot?", "negation", None),
    ("Is the soup hot?", "antonym", None),
    # Some do and some do not.
    ("Many people like the song.", "negation", None),
    ("It might snow.", "negation", None),
    ("He sat down and began to read.", "negation", None),
    ("This is a house to let, not to be sold.", "negation", None),
    ("The soup is hot.", "antonym", "The soup is cold."),
    # What is not good need not be bad.
    ("The soup is not hot.", "antonym", None),
    # Something of something else, not the opposite.
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
def test_only_what_surely_holds_is_taken(text: str, rule: str, variant: str | None) -> None:
    found = dict(variants_of(Sentence(parse(text)), 0))[rule]
    assert found.text == variant
    assert (variant is None) == bool(found.codes) and set(found.codes) <= set(reasons(rule))


def test_the_same_bytes_for_one_worker_and_two(tmp_path: Path) -> None:
    texts = lines(2 * BLOCK + 20)
    for workers in (1, 2):
        made(texts, tmp_path / str(workers), workers=workers).close()
    one, two = (next((tmp_path / name).iterdir()) for name in ("1", "2"))
    assert one.name == two.name and one.read_bytes() == two.read_bytes()


def test_an_equal_call_reads_what_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = lines(40)
    with made(texts, tmp_path) as first:
        expected = (list(first.pairs()), first.usage)
    monkeypatch.setattr(module, "parse_all", None)  # nothing is parsed
    with made(texts, tmp_path) as again:
        assert (list(again.pairs()), again.usage) == expected
    monkeypatch.undo()
    for other in ({"seed": 1}, {"limit": 30}, {"key": {"format": "csv"}}):
        made(texts, tmp_path, **other).close()
    made(texts[1:], tmp_path).close()
    assert len(list(tmp_path.iterdir())) == 5


def test_with_a_limit_a_sample_is_rewritten_and_all_sentences_are_there() -> None:
    texts = lines(60)
    with made(texts, limit=20) as variants, made(texts, limit=20) as same, made(texts, limit=20, seed=1) as other:
        assert len(variants.sentences) == 60
        assert variants.usage.rewritten == 20
        assert variants.usage.left_out == {"not drawn: the limit was reached": 40}
        places, again, another = ({place for place, _, _ in one.pairs()} for one in (variants, same, other))
        assert places == again != another
        assert max(places) > 30  # not the first ones


PROGRAM = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from litotes.speedups.spacy_import import import_minimal_spacy
import_minimal_spacy()  # in half the time
from test_variants import lines, made
from litotes.audit import variants
rewritten, calls = variants._rewritten, []
def slowly(seed, texts):
    calls.append(texts)
    time.sleep(60 * (len(calls) - 1))
    return rewritten(seed, texts)
variants._rewritten = slowly
made(lines(variants.BLOCK + 30), Path(sys.argv[2]))
"""


def test_killed_and_going_on(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(Path(__file__).parent), str(folder)])
    until = time.monotonic() + 120
    while kept_blocks(folder) == 0 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert kept_blocks(folder) == 1
    bar = Recorded()
    texts = lines(BLOCK + 30)
    with made(texts, folder, progress=bar) as resumed, made(texts) as whole:
        assert bar.begun == [("rewriting", BLOCK + 30, BLOCK)] and bar.done == 30
        assert list(resumed.pairs()) == list(whole.pairs())
        assert resumed.usage == whole.usage


def kept_blocks(folder: Path) -> int:
    for path in folder.glob("*.sqlite"):
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
                return int(db.execute("SELECT count(*) FROM blocks").fetchone()[0])
        except sqlite3.Error:  # it is being made
            return 0
    return 0


class Recorded(Progress):
    """What a bar would show."""

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
        (["", "42", "..."], r"L204.*no sentence in the text \(3 read\)"),
        (["Oh!", "Yes.", "Really?"], r"L204.*none of the 3 sentences can be used"),
        (["Der Zug fährt heute nicht.", "Ich weiß nicht, wo er ist."], r"L203.*does not look English"),
    ],
)
def test_a_corpus_that_cannot_be_used_is_told_in_one_line(texts: list[str], message: str) -> None:
    with pytest.raises(LitotesError, match=message) as caught:
        made(texts)
    assert "\n" not in str(caught.value)


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="limit=0"):
        made(lines(3), limit=0)
