"""Builds from the corpus to the suite on disk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import litotes
from litotes.building.base import load_builder
from litotes.building.pipeline.settings import BuildSettings
from litotes.core.errors import LitotesError, UsageError
from litotes.core.progress import Progress
from litotes.rewrites.options import options_of
from litotes.suites.loading import load_suites

Corpus = Callable[..., Path]
Items = Callable[[Path], list[dict[str, Any]]]

SAID = [
    "Anna said that the ferry was late.",
    "A boy is feeding the ducks.",
    "The guard warned the driver.",
    "Tom thinks the lake is deep.",
    "The nurse helped the old man.",
]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def about(folder: Path) -> dict[str, Any]:
    document = json.loads((folder / "suite.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def test_builds_a_suite_that_can_be_run(corpus: Corpus, tmp_path: Path) -> None:
    built = litotes.build_suite(
        "semantoneg", corpus(60), tmp_path / "suite", BuildSettings(name="notes", licence="ours")
    )
    assert built.folders == {"": tmp_path / "suite"}
    suite = litotes.load_suite(str(tmp_path / "suite"))
    assert (suite.name, suite.kind.name, suite.licence, suite.source) == ("notes", "semantoneg", "ours", "notes.txt")
    assert len(suite.items) == built.items[""] == 4 * built.units[""] > 100
    assert about(tmp_path / "suite")["groups"] == len({item.group for item in suite.items})
    result = litotes.evaluate("overlap:words", suite, cache=tmp_path / "cache")
    assert result.metrics.items == len(suite.items)


def test_the_number_of_workers_does_not_change_the_bytes(corpus: Corpus, tmp_path: Path) -> None:
    source = corpus(480)
    for workers in (1, 2):
        litotes.build_suite(
            "semantoneg", source, tmp_path / str(workers), workers=workers, skipped=tmp_path / f"{workers}.skipped"
        )
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert sorted(contents(tmp_path / "1")) == ["items.jsonl", "suite.json"]
    assert (tmp_path / "1.skipped").read_bytes() == (tmp_path / "2.skipped").read_bytes()


def test_the_prefilter_does_not_change_the_result(corpus: Corpus, tmp_path: Path, make_sentences: Any) -> None:
    source = corpus([*make_sentences(200), *SAID, "Why isn't it open?", "No.", *make_sentences(7)])
    read = {}
    for prefilter in (True, False):
        counter = Counting()
        settings = BuildSettings(prefilter=prefilter)
        out = tmp_path / str(prefilter)
        skipped = tmp_path / f"{prefilter}.skipped"
        litotes.build_suite("semantoneg", source, out, settings, progress=counter, skipped=skipped)
        read[prefilter] = counter.done["parsing"]
    assert contents(tmp_path / "True") == contents(tmp_path / "False")
    assert (tmp_path / "True.skipped").read_bytes() == (tmp_path / "False.skipped").read_bytes()
    assert read[True] == read[False] == 214


class Counting(Progress):
    """Counts progress."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.totals: dict[str, int | None] = {}

    def begin(self, label: str, *, total: int | None, done: int = 0) -> None:
        self.label, self.totals[label] = label, total

    def advance(self, count: int) -> None:
        self.done[self.label] += count


def test_reports_progress(corpus: Corpus, tmp_path: Path) -> None:
    counter = Counting()
    litotes.build_suite("semantoneg", corpus(60), tmp_path / "suite", progress=counter)
    assert counter.totals == {"parsing": None, "selecting": 40}
    assert counter.done == {"parsing": 60, "selecting": 40}


# suite.json


def test_suite_json_records_what_the_items_depend_on(corpus: Corpus, tmp_path: Path, make_sentences: Any) -> None:
    source = corpus([*make_sentences(60), *make_sentences(5), "Good."])
    (tmp_path / "LICENSE").write_text("Do as you like.\n")
    built = litotes.build_suite(
        "semantoneg",
        source,
        tmp_path / "suite",
        BuildSettings(limit=10, per_group=2, min_naturalness=-4.0, seed=3, options={"pos": "all", "antonyms": "best"}),
        workers=2,
    )
    result = about(tmp_path / "suite")
    [one] = result["corpus"]
    assert one["name"] == "notes.txt" and one["format"] == "text" and one["bytes"] == source.stat().st_size
    assert len(one["sha256"]) == 64 and one["licence"] == "Do as you like.\n"
    settings = result["builder"]
    defaults = {name: one.default for name, one in options_of(load_builder("semantoneg")).items()}
    assert settings["options"] == {**defaults, "pos": "all", "antonyms": "best"}
    assert (settings["limit"], settings["per_group"], settings["min_naturalness"], settings["seed"]) == (10, 2, -4.0, 3)
    assert settings["naturalness"] == "corpus"
    assert result["read"] == {"records": 66, "problems": {}}
    assert {"litotes", "spacy"} <= set(result["versions"])
    assert result["skipped"] == {code: result["skipped"][code] for code in result["skipped"]} == dict(built.skips)
    assert result["skipped"]["duplicate"] == 3 and result["skipped"]["over-limit"] > 0
    # Every sentence is in an item or counted as skipped.
    assert built.units[""] + sum(result["skipped"].values()) == 66
    text = json.dumps(result)
    for machine in (str(tmp_path), "workers", "seconds"):
        assert machine not in text


def test_the_bytes_do_not_depend_on_paths(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = corpus(30)
    litotes.build_suite("semantoneg", source, tmp_path / "one")
    other = tmp_path / "deep" / "er"
    other.mkdir(parents=True)
    source.rename(other / source.name)
    monkeypatch.chdir(other)
    litotes.build_suite("semantoneg", "notes.txt", "two")
    assert contents(other / "two") == contents(tmp_path / "one")


def test_files_in_a_folder_share_a_licence(tmp_path: Path, make_sentences: Any) -> None:
    (tmp_path / "texts").mkdir()
    for number in range(2):
        (tmp_path / "texts" / f"{number}.txt").write_text("\n".join(make_sentences(40)[number::2]))
    (tmp_path / "texts" / "LICENCE").write_text("Ours.")
    litotes.build_suite("semantoneg", tmp_path / "texts", tmp_path / "suite")
    assert [one["licence"] for one in about(tmp_path / "suite")["corpus"]] == ["Ours.", "as 0.txt"]


def test_language_model_is_loaded_from_its_folder(corpus: Corpus, tmp_path: Path, read_items: Items) -> None:
    """The name and the hash of the weights are recorded, but not the path."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = "The A at the is not today . full empty open closed hot cold kettle gate [UNK]".split()
    tokenizer = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder = tmp_path / "little"
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]").save_pretrained(folder)
    config = transformers.GPT2Config(
        vocab_size=len(words),
        n_embd=8,
        n_layer=1,
        n_head=1,
        n_positions=64,
        bos_token_id=0,
        eos_token_id=0,
        initializer_range=1.0,  # far enough apart that the numbers differ when they are rounded
    )
    transformers.set_seed(7)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    litotes.build_suite("semantoneg", corpus(20), tmp_path / "suite", BuildSettings(naturalness=str(folder)))
    result = about(tmp_path / "suite")
    assert result["builder"]["naturalness"] == {
        "model": "little",
        "kind": "causal",
        "sha256": result["builder"]["naturalness"]["sha256"],
    }
    assert {"torch", "transformers"} <= set(result["versions"])
    assert str(tmp_path) not in json.dumps(result)
    assert len({item["tags"]["naturalness"] for item in read_items(tmp_path / "suite")}) > 1


# Selection


def test_limit_and_group_size_are_respected(corpus: Corpus, tmp_path: Path, read_items: Items) -> None:
    source = corpus(240)
    litotes.build_suite("semantoneg", source, tmp_path / "some", BuildSettings(limit=12, balance=True, per_group=4))
    units = {item["tags"]["unit"]: item["group"] for item in read_items(tmp_path / "some")}
    assert len(units) == 12
    groups = Counter(units.values())
    assert max(groups.values()) - min(groups.values()) <= 1
    litotes.build_suite(
        "semantoneg", source, tmp_path / "other", BuildSettings(limit=12, balance=True, per_group=4, seed=1)
    )
    assert contents(tmp_path / "other")["items.jsonl"] != contents(tmp_path / "some")["items.jsonl"]


def test_naturalness_has_a_threshold(corpus: Corpus, tmp_path: Path, read_items: Items) -> None:
    source = corpus(240)
    everything = litotes.build_suite("semantoneg", source, tmp_path / "all")
    scores = sorted(float(item["tags"]["naturalness"]) for item in read_items(tmp_path / "all"))
    least = round((scores[0] + scores[-1]) / 2, 2)
    some = litotes.build_suite("semantoneg", source, tmp_path / "some", BuildSettings(min_naturalness=least))
    assert 0 < some.units[""] < everything.units[""]
    assert some.skips["unnatural"] == everything.units[""] - some.units[""]
    assert min(float(item["tags"]["naturalness"]) for item in read_items(tmp_path / "some")) >= least


def test_writes_the_skipped_sentences(corpus: Corpus, tmp_path: Path, make_sentences: Any) -> None:
    source = corpus([*make_sentences(30), make_sentences(30)[1], "Why is it not open?"])
    built = litotes.build_suite(
        "semantoneg", source, tmp_path / "suite", BuildSettings(limit=5), skipped=tmp_path / "skipped.jsonl"
    )
    lines = [json.loads(line) for line in (tmp_path / "skipped.jsonl").read_text("utf-8").splitlines()]
    assert Counter(line["code"] for line in lines) == built.skips
    assert {"no-negation", "duplicate", "question", "over-limit"} <= set(built.skips)
    assert all(line["id"].startswith("notes.txt:") and line["reason"] for line in lines)
    [twice] = [line for line in lines if line["code"] == "duplicate"]
    assert (twice["id"], twice["text"]) == ("notes.txt:31", make_sentences(30)[1])


def test_reports_a_corpus_without_items(corpus: Corpus, tmp_path: Path) -> None:
    source = corpus(["We sat down.", "They went home early.", "Why isn't it open?"])
    with pytest.raises(
        LitotesError, match=r"L204.*none of the 3 sentences gives an item of semantoneg \(2: it has no neg"
    ):
        litotes.build_suite("semantoneg", source, tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


# Several sets, and existing folders


def test_each_set_has_its_folder(corpus: Corpus, tmp_path: Path) -> None:
    built = litotes.build_suite("triplets", corpus(SAID), tmp_path / "sets", BuildSettings(name="notes"))
    assert len(built.folders) >= 3
    for set_, folder in built.folders.items():
        assert folder == tmp_path / "sets" / set_
        assert (about(folder)["name"], about(folder)["kind"]) == (f"notes-{set_}", set_)
        assert about(folder)["groups"] == litotes.load_suite(str(folder)).count_groups()
    assert {suite.name for suite in load_suites(str(tmp_path / "sets"))} == {f"notes-{set_}" for set_ in built.folders}


def test_replaces_a_suite_only_with_fresh(corpus: Corpus, tmp_path: Path) -> None:
    litotes.build_suite("semantoneg", corpus(30), tmp_path / "suite", official=True)
    before = contents(tmp_path / "suite")
    with pytest.raises(UsageError, match="contains a suite already; --fresh"):
        litotes.build_suite("semantoneg", corpus(60), tmp_path / "suite")
    assert contents(tmp_path / "suite") == before
    litotes.build_suite("semantoneg", corpus(60), tmp_path / "suite", fresh=True)
    after = contents(tmp_path / "suite")
    assert after["items.jsonl"] != before["items.jsonl"]
    # The file in the paper's format belonged to the previous items.
    assert sorted(before) == ["SemAntoNeg.json", "items.jsonl", "suite.json"]
    assert sorted(after) == ["items.jsonl", "suite.json"]


def test_removes_sets_that_have_no_items_any_more(corpus: Corpus, tmp_path: Path) -> None:
    litotes.build_suite("triplets", corpus(SAID), tmp_path / "sets")
    (tmp_path / "sets" / "mine.txt").write_text("mine")
    litotes.build_suite(
        "triplets", corpus(SAID), tmp_path / "sets", BuildSettings(options={"only": "clause-relatedness"}), fresh=True
    )
    assert sorted(contents(tmp_path / "sets")) == [
        "clause-relatedness/items.jsonl",
        "clause-relatedness/suite.json",
        "mine.txt",
    ]
    litotes.build_suite("semantoneg", corpus(10), tmp_path / "sets", fresh=True)
    assert [suite.kind.name for suite in load_suites(str(tmp_path / "sets"))] == ["semantoneg"]


@pytest.mark.parametrize("where", ["review.sqlite", "clause-relatedness/review.sqlite"])
def test_never_overwrites_a_reviewed_suite(corpus: Corpus, tmp_path: Path, where: str) -> None:
    review = tmp_path / "suite" / where
    review.parent.mkdir(parents=True)
    review.write_bytes(b"work of hours")
    with pytest.raises(UsageError, match="contains a reviewed suite"):
        litotes.build_suite("semantoneg", corpus(10), tmp_path / "suite", fresh=True)
    assert review.read_bytes() == b"work of hours"
    assert [path for path in (tmp_path / "suite").rglob("*") if path.is_file()] == [review]


def test_rejects_unknown_options(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"L101.*poss.*did you mean pos"):
        litotes.build_suite("semantoneg", corpus(10), tmp_path / "suite", BuildSettings(options={"poss": "all"}))
    with pytest.raises(UsageError, match=r"L102.*pos=colour"):
        litotes.build_suite("semantoneg", corpus(10), tmp_path / "suite", BuildSettings(options={"pos": "colour"}))
    with pytest.raises(UsageError, match=r"L101.*did you mean semantoneg"):
        litotes.build_suite("semantonegs", corpus(10), tmp_path / "suite")
    assert not (tmp_path / "suite").exists()
