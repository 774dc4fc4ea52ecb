"""Plans from files and options, and their error messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from litotes import published_results
from litotes.core.errors import LitotesError, UsageError
from litotes.languages.negation_categories import CATEGORIES
from litotes.training.experiments import load_plan
from litotes.training.experiments.plan import SEQUENCE, ExperimentPlan, stage_settings
from litotes.training.experiments.proportions import Proportions, parse_proportions
from litotes.training.experiments.run import check_disk_space, training_bytes

from .diagnostic_sets import write_nli, write_published

PLAN = """
preset = "paper"
data = "corpus"
train = ["one.jsonl", "two.jsonl"]
seeds = [3, 4]
split_seed = 9

[[models]]
name = "baby"
base = "models/baby"
max_length = 128

[[models]]
base = "org/large-one"

[settings]
batch_size = 8
examples = 1000

[transfer]
epochs = 2

[sequence]
order = ["R", "existence", "L"]

[mixture]
proportions = ["natural", { rejection = 3, labeling = 1 }]
total = 70

[acquisition]
mine = [["rejection", "labeling"], "existence"]
"""


def read(folder: Path, text: str, **options: Any) -> ExperimentPlan:
    path = folder / "plan.toml"
    path.write_text(text, "utf-8")
    return load_plan(path, **options)


def test_reads_a_complete_plan_file(tmp_path: Path) -> None:
    (tmp_path / "models" / "baby").mkdir(parents=True)
    (tmp_path / "corpus").mkdir()
    plan = read(tmp_path, PLAN)
    baby, large = plan.models
    assert (baby.name, baby.base) == ("baby", str(tmp_path / "models" / "baby")), "paths are seen from the plan"
    assert (large.name, large.base) == ("large-one", "org/large-one")
    assert plan.data == tmp_path / "corpus" and plan.seeds == (3, 4) and plan.split_seed == 9
    assert (
        plan.settings_for("first", 3, baby).max_length == 128 and plan.settings_for("first", 3, large).max_length == 175
    )
    assert plan.settings_for("first", 3, large).seed == 3
    first, transfer = plan.stages["first"], plan.stages["transfer"]
    assert (first.batch_size, first.examples, first.epochs) == (8, 1000, 10)
    assert (transfer.batch_size, transfer.examples, transfer.epochs) == (8, None, 2)
    assert plan.order == ("rejection", "existence", "labeling")
    assert [proportion.name for proportion in plan.proportions] == [
        "natural",
        "rejection=3,labeling=1",
    ] and plan.total == 70
    assert plan.acquisition == {"mine": (("rejection", "labeling"), ("existence",))}


def test_options_override_the_plan_file(tmp_path: Path) -> None:
    options = {"models": ["a=org/a"], "data": "corpus", "seeds": "0,1", "preset": "paper", "order": "R,EX"}
    text = 'models = [{ name = "a", base = "org/a" }]\ndata = "corpus"\nseeds = [0, 1]\npreset = "paper"\n'
    assert load_plan(**options) == read(tmp_path, text + '[sequence]\norder = ["rejection", "existence"]\n')
    assert read(tmp_path, PLAN, seeds="5", models=["b"]).seeds == (5,)


def test_the_plan_of_the_paper_has_its_models_and_settings() -> None:
    plan = load_plan(Path("paper"), data="published")
    assert [model.name for model in plan.models] == [
        "bert-base-cased",
        "bert-large-cased",
        "roberta-base",
        "roberta-large",
        "roberta-base-10M-2",
        "BabyBERTa-1",
    ]
    assert {model.name for model in plan.models} == set(published_results("developmental", figure=2).column("model"))
    assert {model.name: plan.settings_for("first", 0, model).max_length for model in plan.models} == {
        **dict.fromkeys((model.name for model in plan.models), 175),
        "BabyBERTa-1": 128,
    }
    assert plan.models[-1].base.endswith("?add_prefix_space=yes")
    assert [plan.stages[stage].epochs for stage in ("first", "transfer", "sequence")] == [10, 25, 10]
    for stage in plan.stages.values():
        assert (stage.learning_rate, stage.weight_decay, stage.batch_size) == (1e-5, 0.01, 16)
        assert stage.examples is None
    assert plan.order == SEQUENCE


def test_presets_have_the_papers_epochs() -> None:
    paper = stage_settings("paper")
    assert {stage: one.epochs for stage, one in paper.items()} == {
        "first": 10,
        "transfer": 25,
        "sequence": 10,
        "mixture": 10,
    }
    assert {(one.learning_rate, one.batch_size, one.weight_decay) for one in paper.values()} == {(1e-5, 16, 0.01)}


def test_the_default_sequence_is_that_of_the_published_results() -> None:
    rows = published_results("developmental", figure=3).rows
    published = {int(row["order"]): row["after_training_on"] for row in rows}
    order = load_plan(models=["a"], data="x").order
    assert order == tuple(published[position] for position in sorted(published)) == SEQUENCE
    assert set(order) == set(CATEGORIES)
    assert load_plan(models=["a"], data="x", categories="PO,R,EP").order == ("epistemic", "rejection", "possession")
    assert load_plan(models=["a"], data="x", order="R,EP").order == ("rejection", "epistemic")


MINIMAL = 'models = ["a"]\ndata = "x"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MINIMAL + "sedes = [1]", ["unknown key", '"sedes"', "did you mean seeds"]),
        (MINIMAL + "[transfer]\nepoch = 2", ["key in transfer", "did you mean epochs"]),
        (MINIMAL + "[settings]\nseed = 2", ['"seed"']),
        (MINIMAL + 'seeds = "0"', ["seeds=0: must be a list, not a string"]),
        (MINIMAL + "seeds = [true]", ["must be an integer, not true or false"]),
        (MINIMAL + "seeds = [-1]", ["must be an integer >= 0"]),
        (MINIMAL + "seeds = [1, 1]", ["the seed 1 is given twice"]),
        (MINIMAL + "[first]\nepochs = 1.5", ["first.epochs=1.5: must be an integer"]),
        (MINIMAL + "[first]\nepochs = 0", ["first.epochs=0: must be an integer >= 1"]),
        (MINIMAL + 'preset = "smal"', ['unknown preset "smal"', "did you mean small"]),
        (MINIMAL + '[sequence]\norder = ["rejecton"]', ['unknown category "rejecton"', "did you mean rejection"]),
        (MINIMAL + "[sequence]\norder = []", ["the order of categories is empty"]),
        (MINIMAL + 'categories = ["R"]\n[sequence]\norder = ["L"]', ["labeling is not among the categories"]),
        (MINIMAL + '[mixture]\nproportions = ["evenly"]', ['unknown proportions "evenly"']),
        (MINIMAL + "[mixture]\nproportions = [{ rejection = -1 }]", ["must be a number >= 0"]),
        (MINIMAL + "[mixture]\nproportions = [{ rejection = 0 }]", ["all shares are 0"]),
        ('data = "x"\nmodels = ["org/a", "other/a"]', ["the model a is given twice", "NAME=MODEL"]),
        ('data = "x"\nmodels = [{ name = "a/b", base = "c" }]', ['"a/b" is not a valid name of a model']),
        ('data = "x"', ["no model to train was named"]),
        ('models = ["a"]', ["the data is missing"]),
        ("models = [", ["is not TOML"]),
    ],
)
def test_reports_errors_in_a_plan(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("how", "total", "expected"),
    [
        ("equal", 10, {"labeling": 4, "prohibition": 3, "rejection": 3}),
        ("natural", 30, {"labeling": 18, "prohibition": 3, "rejection": 9}),
        ("R=1,L=1", 7, {"labeling": 4, "prohibition": 0, "rejection": 3}),
        ("PR=0.5,R=1.5", 8, {"labeling": 0, "prohibition": 2, "rejection": 6}),
    ],
)
def test_shares_become_counts_that_add_up(how: str, total: int, expected: dict[str, int]) -> None:
    there = {"labeling": 60, "prohibition": 10, "rejection": 30}
    assert parse_proportions(how).counts(there, total) == expected
    assert sum(expected.values()) == total


def test_a_mixture_cannot_exceed_the_available_pairs() -> None:
    with pytest.raises(
        UsageError, match=r"20 pairs of prohibition are needed, there are 10; these shares allow a total of 20"
    ):
        Proportions("equal").counts({"labeling": 60, "prohibition": 10}, 40)


@pytest.mark.parametrize("text", ["R=1,rejection=2", "R=much", "R=-1", "R=nan"])
def test_rejects_invalid_proportions(text: str) -> None:
    with pytest.raises(UsageError):
        parse_proportions(text)


def test_checks_disk_space_before_training(tmp_path: Path, encoder: Path) -> None:
    weights = (encoder / "model.safetensors").stat().st_size
    assert training_bytes(encoder, 10) == 13 * weights
    check_disk_space(tmp_path / "not" / "yet", training_bytes(encoder, 10))
    with pytest.raises(LitotesError, match=r"L402.*needs about 1.0 TB"):
        check_disk_space(tmp_path, 10**12)


def bad_commands(folder: Path) -> dict[str, tuple[list[object], int, str, str]]:
    """Arguments, exit code, error code and message of each error."""
    nli = ["--train", folder / "train.jsonl", "--preset", "smoke"]
    there = ["--data", folder / "published"]
    base = ["--base", folder / "encoder"]
    return {
        "number": (["5", *base, *there, *nli], 2, "L101", "unknown experiment 5"),
        "base": (["1", "--base", folder / "nobody", *there, *nli], 1, "L301", "no such folder"),
        "data": (["1", *base, "--data", folder / "nli", *nli], 1, "L203", "neither a corpus"),
        "no data": (["1", *base, "--data", folder / "nowhere", *nli], 1, "L201", "no such folder"),
        "no nli": (["1", *base, *there, "--preset", "smoke"], 2, "L102", "no NLI pairs for the first training"),
        "category": (["1", *base, "--data", folder / "six", *nli], 1, "L204", "labeling has no pairs to train on"),
        "order": (["3", *base, *there, *nli, "--order", "R,wish"], 2, "L101", 'unknown category "wish"'),
        "shares": (
            ["4", *base, *there, *nli, "--proportions", "R=1", "--total", "900"],
            2,
            "L102",
            "900 pairs of rejection are needed",
        ),
    }


@pytest.fixture(scope="module")
def bad_world(tmp_path_factory: pytest.TempPathFactory, encoder: Path) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    write_published(folder / "published")
    write_published(folder / "six", without="labeling")
    write_nli(folder)
    write_nli(folder / "nli")
    (folder / "encoder").symlink_to(encoder)
    return folder


@pytest.mark.parametrize("case", [*bad_commands(Path())])
def test_bad_input_is_reported_in_a_single_line(case: str, bad_world: Path, run_litotes: Callable[..., Any]) -> None:
    words, code, error, message = bad_commands(bad_world)[case]
    result = run_litotes("experiment", "developmental", *words, "--out", "out", timeout=240)
    result.refused(code, error, message)
