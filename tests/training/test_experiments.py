"""The four experiments on a tiny encoder and a few dozen pairs."""

from __future__ import annotations

import csv
import dataclasses
import json
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from litotes.evaluation.result_store import find_runs, read_run
from litotes.training.experiments import ExperimentPlan, ExperimentResults, load_plan, run_experiment
from litotes.training.experiments.metrics import BEFORE, DEV

from .conftest import save_encoder
from .diagnostic_sets import write_nli, write_published

CATEGORIES = ("existence", "labeling", "prohibition", "rejection")
TWO_MINUTES = 120
ORDER = "rejection,labeling,existence,prohibition"
ALL = {"proportions": ["equal", "R=2,L=1"], "order": ORDER, "total": 24}


@dataclass(frozen=True)
class World:
    """The paths of model and data."""

    folder: Path

    @property
    def options(self) -> dict[str, Any]:
        return {
            "models": [f"tiny={self.folder / 'encoder'}"],
            "data": self.folder / "published",
            "train": [str(self.folder / "train.jsonl")],
            "dev": [str(self.folder / "dev.jsonl")],
            "preset": "smoke",
            "categories": ",".join(CATEGORIES),
        }

    def plan(self, **more: Any) -> ExperimentPlan:
        return load_plan(**{**self.options, **more})

    def arguments(self, **more: str) -> list[str]:
        options = {**self.options, **more}
        options["base"] = options.pop("models")
        entries = [(name, value if isinstance(value, list) else [value]) for name, value in options.items()]
        return [str(word) for name, values in entries for value in values for word in (f"--{name}", value)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several threads slow down such a small model
    folder = tmp_path_factory.mktemp("world")
    save_encoder(folder / "encoder")
    write_published(folder / "published")
    write_nli(folder)
    yield World(folder)
    torch.set_num_threads(threads)


@dataclass(frozen=True)
class Smoke:
    """Run all four experiments in one folder."""

    out: Path
    results: dict[int, ExperimentResults]
    told: list[str]
    seconds: float


@pytest.fixture(scope="module")
def smoke(world: World) -> Smoke:
    out, tasks, clock = world.folder / "out", list[str](), time.process_time()
    plan = world.plan(**ALL)
    results = {number: run_experiment(number, plan, out, on_task=tasks.append) for number in (1, 2, 3, 4)}
    return Smoke(out, results, tasks, time.process_time() - clock)


def parts(out: Path) -> dict[Path, int]:
    """Return the files of finished parts with their modification times."""
    return {path: path.stat().st_mtime_ns for path in out.glob("parts/**/*.json")}


def test_smoke_ends_within_two_minutes(smoke: Smoke) -> None:
    assert smoke.seconds < TWO_MINUTES


def test_the_first_training_is_shared_by_all_experiments(smoke: Smoke) -> None:
    trained = [line.partition(":")[0] for line in smoke.told if ": training" in line]
    assert trained.count("tiny/seed-0/nli") == 1
    assert len(trained) == len(set(trained)) == 1 + 4 + 4 + 2


def test_every_epoch_is_tested_on_every_category_and_without_negation(smoke: Smoke) -> None:
    result = smoke.results[1]
    assert result.steps == ["epoch 1", "epoch 2"]
    assert set(result.rows[0].figures) == {DEV, *CATEGORIES}
    assert all(row.figures[name].items > 5 for row in result.rows for name in CATEGORIES)


def test_transfer_matrix_includes_the_initial_model(smoke: Smoke) -> None:
    result = smoke.results[2]
    assert result.steps == [BEFORE, *CATEGORIES]
    last_epoch = smoke.results[1].rows[-1].figures
    for tested in CATEGORIES:
        before = result.cell("tiny", BEFORE, tested)
        assert before.accuracy.mean == last_epoch[tested].accuracy and before.change is None
        for trained in CATEGORIES:
            cell = result.cell("tiny", trained, tested)
            assert cell.change is not None
            assert cell.change.mean == pytest.approx(cell.accuracy.mean - before.accuracy.mean)
            assert cell.change.low <= cell.change.mean + 1e-9 and cell.change.mean - 1e-9 <= cell.change.high


def test_the_sequence_has_the_given_order(smoke: Smoke) -> None:
    assert smoke.results[3].steps == [BEFORE, "1 rejection", "2 labeling", "3 existence", "4 prohibition"]


def test_mixtures_have_the_same_size(smoke: Smoke) -> None:
    mixtures = smoke.results[4].mixtures
    assert set(mixtures) == {"equal", "rejection=2,labeling=1"}
    assert len({sum(counts.values()) for counts in mixtures.values()}) == 1
    assert max(mixtures["equal"].values()) - min(mixtures["equal"].values()) <= 1
    assert mixtures["rejection=2,labeling=1"]["existence"] == 0


def test_run_store_has_every_model_under_a_descriptive_name(smoke: Smoke) -> None:
    runs = [read_run(path) for path in find_runs(smoke.out / "runs")]
    names = {run.model for run in runs}
    assert {"tiny/seed-0/epoch-1", "tiny/seed-0/on-rejection", "tiny/seed-0/sequence-3-existence"} <= names
    assert {"tiny/seed-0/mixed-equal", "tiny/seed-0/mixed-rejection=2,labeling=1"} <= names
    # The tables match the items.
    row = smoke.results[2].rows[-1]
    run = next(run for run in runs if (run.model, run.suite.name) == (row.run, "developmental-test"))
    own = [item for item in run.items if "rejection" in item.tags["categories"].split()]
    assert row.figures["rejection"].accuracy == pytest.approx(sum(item.credit for item in own) / len(own))


def test_fine_tuned_models_are_deleted_but_checkpoints_remain(smoke: Smoke) -> None:
    (folder,) = (smoke.out / "models" / "tiny" / "seed-0").iterdir()
    assert folder.name.startswith("nli-")
    assert len([*folder.glob("checkpoints/checkpoint-*/model.safetensors")]) == 2


def test_results_tables_figures_and_summary_are_written(smoke: Smoke) -> None:
    stored = json.loads((smoke.out / "results.json").read_text("utf-8"))["experiments"]
    assert [*stored] == ["1", "2", "3", "4"]
    assert str(smoke.out.parent) not in json.dumps(stored), "a machine's paths are nobody's business"
    for number, results in smoke.results.items():
        with (smoke.out / "tables" / f"experiment-{number}.csv").open(encoding="utf-8", newline="") as file:
            assert len([*csv.DictReader(file)]) == len(results.cells)
        assert f"# Experiment {number}" in (smoke.out / "tables" / f"experiment-{number}.md").read_text("utf-8")
    figures = {path.name for path in (smoke.out / "figures").iterdir()}
    names = ("1-curves", "2-transfer", "2-changes", "3-sequence", "4-mixtures")
    assert figures == {f"experiment-{name}.{kind}" for name in names for kind in ("svg", "png")}
    page = (smoke.out / "summary.md").read_text("utf-8")
    assert [page.index(f"## Experiment {number}") for number in (1, 2, 3, 4)] == sorted(
        page.index(f"## Experiment {number}") for number in (1, 2, 3, 4)
    )
    assert "Liu and Jasbi" in page and "its metrics are meaningless" in page


def test_finished_parts_are_never_run_again(world: World, smoke: Smoke) -> None:
    before, tasks = parts(smoke.out), list[str]()
    page = (smoke.out / "results.json").read_bytes()
    plan = world.plan(**ALL)
    for number in (2, 3, 4):
        run_experiment(number, plan, smoke.out, on_task=tasks.append)
    assert tasks == [] and parts(smoke.out) == before
    assert (smoke.out / "results.json").read_bytes() == page


def test_plans_in_one_folder_do_not_affect_each_other(world: World, smoke: Smoke) -> None:
    before, tasks = parts(smoke.out), list[str]()
    first = read_run(next(path for path in find_runs(smoke.out / "runs") if "epoch-1" in str(path)))
    run_experiment(1, world.plan(seeds="7", categories="rejection"), smoke.out, on_task=tasks.append)
    other = world.plan(categories="rejection")  # the same training with other tests: only the tests are run
    tasks.clear()
    run_experiment(1, other, smoke.out, on_task=tasks.append)
    assert len(tasks) == 2 and all(line.endswith(": testing") for line in tasks)
    after = parts(smoke.out)
    assert {path: after[path] for path in before} == before
    again = [read_run(path) for path in find_runs(smoke.out / "runs") if "epoch-1" in str(path)]
    assert any(run.metrics == first.metrics for run in again)


def test_sequences_with_the_same_beginning_share_their_tests(world: World, smoke: Smoke) -> None:
    tasks: list[str] = []
    shorter = run_experiment(3, world.plan(order="R,L"), smoke.out, on_task=tasks.append)
    assert tasks == [] and shorter.steps == [BEFORE, "1 rejection", "2 labeling"]
    run_experiment(3, world.plan(order="R,L,PR"), smoke.out, on_task=tasks.append)
    assert [line for line in tasks if "testing" in line] == ["tiny/seed-0/sequence-3-prohibition: testing"]
    # The models of the first two steps were deleted, so they are trained and deleted again.
    assert len([line for line in tasks if ": training" in line]) == 3
    assert [path.name[:4] for path in (smoke.out / "models" / "tiny" / "seed-0").iterdir()] == ["nli-"]


def test_resumes_after_sigkill_with_the_same_results(
    world: World, smoke: Smoke, litotes_in: Callable[[Path], Any], tmp_path: Path
) -> None:
    litotes = litotes_in(tmp_path)
    words = ["experiment", "developmental", "3", *world.arguments(order=ORDER)]
    words += ["--out", tmp_path / "out"]
    process = litotes.start(*words, env={"OMP_NUM_THREADS": "1"})
    until = time.monotonic() + 300
    # The first training, its two epochs, and the first step of the sequence with its test.
    while len(parts(tmp_path / "out")) < 5 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = parts(tmp_path / "out")
    assert process.returncode == -signal.SIGKILL and 5 <= len(done) < 11
    went_on = litotes.run(*words, "--json", env={"OMP_NUM_THREADS": "1"}, timeout=300)
    assert went_on.code == 0, went_on.err
    after = parts(tmp_path / "out")
    assert {path: after[path] for path in done} == done and len(after) == 11
    assert "seed-0/nli: training" not in went_on.err and "sequence-1" not in went_on.err
    expected = [dataclasses.asdict(cell) for cell in smoke.results[3].cells]
    assert went_on.document["cells"] == json.loads(json.dumps(expected))


def test_fine_tuning_starts_from_the_first_training(world: World, tmp_path: Path) -> None:
    plan_file = tmp_path / "plan.toml"
    plan_file.write_text(
        'preset = "smoke"\nseeds = [0, 1]\ncategories = ["labeling", "rejection"]\n'
        f'data = "{world.folder}/published"\ntrain = "{world.folder}/train.jsonl"\n'
        f'[[models]]\nname = "tiny"\nbase = "{world.folder}/encoder"\n'
        "[settings]\nlearning_rate = 5e-3\n[first]\nexamples = 32\nepochs = 1\n[sequence]\nepochs = 15\n"
        'order = ["labeling", "rejection"]\n'
    )
    result = run_experiment(3, load_plan(plan_file), tmp_path / "out", keep_models=True)
    assert not result.has_dev
    change = result.cell("tiny", "1 labeling", "labeling").change
    assert change is not None and change.mean > 0.3 and change.seeds == 2
    accounts = {
        path.parent.name.rpartition("-")[0]: json.loads(path.read_text("utf-8"))
        for path in (tmp_path / "out" / "models" / "tiny" / "seed-0").glob("*/training.json")
    }
    chain = ["nli", "sequence-1-labeling", "sequence-2-rejection"]
    assert set(accounts) == set(chain)
    for earlier, later in pairwise(chain):
        assert accounts[later]["depends_on"]["base"].startswith(accounts[earlier]["sha256"])


def test_refuses_two_experiments_in_one_folder(world: World, tmp_path: Path) -> None:
    from litotes.core.errors import UsageError
    from litotes.core.locks import lock_folder

    with lock_folder(tmp_path), pytest.raises(UsageError, match="another process is working in this folder"):
        run_experiment(1, world.plan(), tmp_path)


def test_finished_training_replaces_the_first_training(world: World, smoke: Smoke, tmp_path: Path) -> None:
    """The model that experiment 1 trained gives the same metrics when it is passed as a trained model."""
    (trained,) = (smoke.out / "models" / "tiny" / "seed-0").glob("nli-*")
    options = {**world.options, "models": None, "train": None, "trained": [f"tiny={trained}"]}
    tasks: list[str] = []
    plan = load_plan(**options, order="rejection")
    result = run_experiment(1, plan, tmp_path, on_task=tasks.append)
    assert not any("training" in line for line in tasks)
    assert [row.figures for row in result.rows] == [row.figures for row in smoke.results[1].rows]
    run_experiment(3, plan, tmp_path, on_task=tasks.append)
    assert sum("training" in line for line in tasks) == 1 and (trained / "config.json").exists()
    assert "finished NLI trainings" in (tmp_path / "summary.md").read_text("utf-8")


def test_rejects_a_folder_without_a_finished_training(world: World, tmp_path: Path) -> None:
    from litotes.core.errors import LitotesError

    plan = load_plan(**{**world.options, "models": None, "trained": [f"tiny={world.folder / 'encoder'}"]})
    with pytest.raises(LitotesError, match="is not a finished training with checkpoints"):
        run_experiment(1, plan, tmp_path)


def test_reports_incomparable_finished_trainings(world: World, smoke: Smoke, tmp_path: Path) -> None:
    from litotes.core.errors import UsageError

    (trained,) = (smoke.out / "models" / "tiny" / "seed-0").glob("nli-*")
    options = {**world.options, "models": None, "train": None, "trained": [f"tiny={trained}"]}
    with pytest.raises(UsageError, match="a finished training has one seed"):
        run_experiment(1, load_plan(**options, seeds="0,1"), tmp_path)
    with pytest.raises(UsageError, match=r"different numbers of epochs \(made 2, --base 3\)"):
        run_experiment(
            1,
            load_plan(
                **{**options, "models": world.options["models"], "preset": "small", "trained": [f"made={trained}"]}
            ),
            tmp_path,
        )


def test_rejects_a_repeated_category(world: World) -> None:
    from litotes.core.errors import UsageError

    with pytest.raises(UsageError, match="the category rejection is given twice"):
        load_plan(**{**world.options, "categories": "R,R"})


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_authors_split_is_run_beside_the_split_by_premise(world: World, tmp_path: Path, number: int) -> None:
    write_published(tmp_path / "published", with_split=True)
    plan = world.plan(data=tmp_path / "published", split="published", categories="PR,R", order="R,PR")
    tasks: list[str] = []
    results = run_experiment(number, plan, tmp_path / "out", on_task=tasks.append)
    published = results.published_split
    assert published is not None
    assert sum(task.startswith("tiny/seed-0/nli: training") for task in tasks) == 1, "the first training is shared"
    sizes = published.data["categories"]
    assert {name: (row["train"], row["test"], row["test_in_train"]) for name, row in sizes.items()} == {
        "prohibition": (36, 18, 2),
        "rejection": (36, 18, 2),
    }
    assert {name: row["undersampled"] for name, row in sizes.items()} == {"prohibition": 36, "rejection": 24}
    assert {row["test_in_train"] for row in results.data["categories"].values()} == {0}
    last = results.steps[-1]
    before, after = (one.cell("tiny", last, "rejection").accuracy.mean for one in (results, published))
    difference = results.split_difference(results.cell("tiny", last, "rejection"))
    assert difference.mean == pytest.approx(after - before)
    assert difference.low <= difference.mean <= difference.high
    name = f"experiment-{number}"
    tables = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {f"{name}.md", f"{name}-published-split.md", f"{name}-splits.md"} <= tables
    assert f"{100 * after:.1f} / {100 * before:.1f} / " in (tmp_path / f"out/tables/{name}-splits.md").read_text()
    summary = (tmp_path / "out" / "summary.md").read_text("utf-8")
    assert "4 of 36 test pairs are also in the train set" in summary
    stored = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["experiments"][str(number)]
    assert len(stored["published_split"]["differences"]) == len(results.cells)


def test_the_authors_split_needs_their_files(world: World, tmp_path: Path) -> None:
    from litotes.core.errors import LitotesError

    with pytest.raises(LitotesError, match=r"L204.*test set of existence was not found"):
        run_experiment(1, world.plan(split="published"), tmp_path)
    with pytest.raises(LitotesError, match="experiments 1 to 3"):
        run_experiment(4, world.plan(split="published"), tmp_path)
    with pytest.raises(LitotesError, match=r'unknown split "publishd".*did you mean published'):
        world.plan(split="publishd")
