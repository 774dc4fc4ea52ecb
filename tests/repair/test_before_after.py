"""The proof of a repair: two models of known faults on the same questions."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import litotes
from litotes.audit.retrieval import answer, retrieve
from litotes.audit.similarities import measure
from litotes.audit.variants import make_variants
from litotes.core.errors import LitotesError
from litotes.corpora.base import Record
from litotes.evaluation.engine import Engine
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.repair.comparison import before_after
from litotes.repair.result import Change
from litotes.suites.base import Suite

WIDTH = 64
NEGATION = re.compile(r"\b(not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
TEXT = [
    "The kettle is hot.",
    "The old gate is open.",
    "My aunt's cellar is not dark.",
    "The road to the harbour was wide.",
    "The soup is not cold.",
    "It is a large house.",
    "The answer was not wrong.",
    "A tall man opened the door.",
    "The bread isn't fresh.",
    "She was happy about the news.",
]


class Words(Encoder):
    """Adds up a vector a word, drawn by its letters; one that minds negation turns to one side by it."""

    def __init__(self, name: str, *, minds: float = 0.0) -> None:
        super().__init__(name, Fingerprint(backend="test/words", weights=f"{minds}"))
        self._minds = minds
        self.encoded = 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.encoded += len(texts)
        return np.stack([self._vector(text) for text in texts]).astype(np.float32)

    def _vector(self, text: str) -> np.ndarray:
        found = np.zeros(WIDTH)
        for word in re.findall(r"\w+", NEGATION.sub(" ", text).lower()):
            found += np.random.default_rng(zlib.crc32(word.encode())).normal(size=WIDTH)
        found /= np.linalg.norm(found) or 1.0
        side = np.zeros(WIDTH)
        side[0] = self._minds * (1 - 2 * (len(NEGATION.findall(text)) % 2))
        return found + side


def few(name: str, count: int) -> Suite:
    suite = litotes.load_suite(name)
    return replace(suite, items=suite.items[:count])


@pytest.fixture(scope="module")
def models() -> tuple[Words, Words]:
    return Words("blind"), Words("seeing", minds=1.0)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def changes(models: tuple[Words, Words], kept: Path) -> dict[str, Change]:
    folder = kept / "pairs"
    folder.mkdir()
    rows = [f"Ann has {n} red hens.,Ann has {n + n % 6} hens and a dog.,{5 - n % 6}" for n in range(2, 40)]
    (folder / "sts.csv").write_text("\n".join(rows) + "\n")
    found = before_after(
        *models,
        suites=[few("negation-detection-mini", 30), few("heros-mini", 25)],
        sts=folder / "sts.csv",
        paraphrases=folder / "sts.csv",
        unseen=TEXT,
        cache=kept,
        workers=1,
    )
    assert len({change.what for change in found}) == len(found)
    return {change.what: change for change in found}


def test_what_is_compared_and_in_which_order(changes: dict[str, Change]) -> None:
    assert list(changes) == [
        "negation-detection-mini: accuracy",
        "heros-mini: accuracy",
        "heros-mini: similarity of synonym",
        "heros-mini: similarity of antonym",
        "heros-mini: similarity of negation main",
        "heros-mini: similarity of negation antonym",
        "STS: Spearman",
        "paraphrases: accuracy@1",
        "paraphrases: MRR",
        "your text: blindness",
        "your text: blindness to negation",
        "your text: blindness to antonym",
        "your text: original before its opposite",
        "your text: MRR",
        "your text: MRR without opposites",
    ]


def test_a_model_that_minds_negation_is_seen_to_do_so(changes: dict[str, Change]) -> None:
    for what, better in {"negation-detection-mini: accuracy": 1, "heros-mini: similarity of negation main": -1}.items():
        change = changes[what]
        assert better * (change.after - change.before) > 0.3, what
        assert change.ci is not None and min(better * end for end in change.ci) > 0, what
        assert change.p is not None and change.p < 0.05, what
        assert change.better == ("higher" if better > 0 else "")
    # That “not cold” is “hot” it has not learned, so some of its blindness stays.
    blindness = changes["your text: blindness to negation"]
    assert blindness.before > 0.8 and blindness.after < 0.6 and blindness.better == "lower"


def test_suites_are_those_of_the_bench(models: tuple[Words, Words], changes: dict[str, Change]) -> None:
    suite = few("heros-mini", 25)
    old, new = (next(iter(Engine(cache=None, workers=1).run(model, [suite]))) for model in models)
    change = changes["heros-mini: accuracy"]
    assert (change.before, change.after) == (old.metrics.accuracy, new.metrics.accuracy)
    for role in ("synonym", "antonym", "negation_main", "negation_antonym"):
        change = changes[f"heros-mini: similarity of {role.replace('_', ' ')}"]
        means = [run.metrics.similarities[f"original~{role}"] for run in (old, new)]
        assert [change.before, change.after] == pytest.approx(means, abs=1e-6)
        assert change.items == 25


def test_own_text_is_that_of_the_audit(models: tuple[Words, Words], changes: dict[str, Change], kept: Path) -> None:
    audits = [litotes.audit_model(model, TEXT, mining=False, cache=kept, workers=1, limit=None) for model in models]
    for what, rule in (
        ("blindness", "all"),
        ("blindness to negation", "negation"),
        ("blindness to antonym", "antonym"),
    ):
        rows = [next(row for row in audit.blindness if (row.opposite, row.same) == (rule, "all")) for audit in audits]
        change = changes[f"your text: {what}"]
        assert [change.before, change.after] == pytest.approx([row.rate for row in rows])
        assert change.items == rows[0].sentences
    search = [audit.retrieval[0] for audit in audits]
    for what, field in (
        ("original before its opposite", "paired"),
        ("MRR", "mrr"),
        ("MRR without opposites", "mrr_plain"),
    ):
        change = changes[f"your text: {what}"]
        assert [change.before, change.after] == pytest.approx([getattr(one, field) for one in search])
        assert change.items == search[0].queries


def test_answers_are_in_the_order_of_the_queries_whatever_the_model(models: tuple[Words, Words], kept: Path) -> None:
    records = [Record(f"texts:{n}", text) for n, text in enumerate(TEXT)]
    quiet = {"cache": None, "workers": 1, "progress": None}
    with make_variants(records, store=kept, key={}, limit=None, seed=0, workers=1, progress=None) as variants:
        found = []
        for model in models:
            similar = measure(model, variants, **quiet)
            answers = answer(model, variants, similar, queries=6, seed=1, **quiet)
            figures = retrieve(model, variants, similar, queries=6, seed=1, **quiet)[0]
            assert figures.mrr == pytest.approx((1 / answers.rank).mean())
            assert figures.paired == pytest.approx(answers.paired.mean())
            found.append((answers.rules, answers.places.tolist()))
    assert found[0] == found[1]


def test_a_second_time_nothing_is_computed(changes: dict[str, Change], kept: Path) -> None:
    again = Words("blind"), Words("seeing", minds=1.0)
    suites = [few("negation-detection-mini", 30), few("heros-mini", 25)]
    found = before_after(*again, suites=suites, unseen=TEXT, cache=kept, workers=1)
    assert [model.encoded for model in again] == [0, 0]
    assert found == tuple(change for what, change in changes.items() if not what.startswith(("STS", "paraphrases")))


def test_the_same_model_twice_changes_nothing(models: tuple[Words, Words]) -> None:
    for change in before_after(models[0], models[0], suites=[few("heros-mini", 6)], workers=1):
        assert change.before == change.after and change.ci == (0, 0) and change.p == 1


def test_text_of_which_nothing_can_be_compared_gives_no_figure(models: tuple[Words, Words]) -> None:
    assert before_after(*models, unseen=["Oh!", "Well, well."], workers=1) == ()
    assert before_after(*models, workers=1) == ()


def test_files_are_read_before_anything_is_encoded(tmp_path: Path) -> None:
    model = Words("blind")
    with pytest.raises(LitotesError, match="no such file"):
        before_after(model, model, suites=[few("heros-mini", 3)], sts=tmp_path / "none.csv", workers=1)
    assert model.encoded == 0
