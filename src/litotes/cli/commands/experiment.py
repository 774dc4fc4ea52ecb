"""`litotes experiment`: run the experiments of a paper on other models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Meta

from litotes.cli.error_handling import put, say
from litotes.cli.options import AsJson
from litotes.core.settings import PositiveInt, Settings
from litotes.models.access import Access

if TYPE_CHECKING:
    from litotes.training.experiments import ExperimentResults

_FAMILIES = ("developmental",)


class PlanOptions(Settings, frozen=True, kw_only=True):
    """The parts of a plan that the command line sets."""

    models: Annotated[
        tuple[str, ...],
        Meta(
            description="A model to train: a folder, a hub id, or NAME=MODEL; repeatable.",
            extra={"option": "--base", "metavar": "MODEL"},
        ),
    ] = ()
    trained: Annotated[
        tuple[str, ...],
        Meta(
            description="A model of litotes train nli that replaces the training of 1; repeatable.",
            extra={"metavar": "DIR"},
        ),
    ] = ()
    data: Annotated[
        str | None,
        Meta(description="A corpus of litotes build developmental, or the published files.", extra={"metavar": "DIR"}),
    ] = None
    train: Annotated[
        tuple[str, ...],
        Meta(
            description="NLI files for the first training; repeatable. Default: from the corpus.",
            extra={"metavar": "FILE"},
        ),
    ] = ()
    dev: Annotated[
        tuple[str, ...],
        Meta(
            description="NLI files without negation for testing; repeatable. Default: from the corpus.",
            extra={"metavar": "FILE"},
        ),
    ] = ()
    preset: Annotated[
        str | None, Meta(description="paper, small (hours on two cores) or smoke (a minute). Default: small.")
    ] = None
    seeds: Annotated[
        str | None, Meta(description="Random seeds; one training each. Default: 0.", extra={"metavar": "0,1,2"})
    ] = None
    categories: Annotated[
        str | None, Meta(description="Use only these categories, by name or abbreviation.", extra={"metavar": "A,B,…"})
    ] = None
    order: Annotated[
        str | None,
        Meta(
            description="Experiment 3: the sequence. Default: that of the authors' script, EP,EX,R,PO,L,PR,I.",
            extra={"metavar": "A,B,…"},
        ),
    ] = None
    proportions: Annotated[
        tuple[str, ...],
        Meta(description="Experiment 4: equal, natural, or A=share,B=share; repeatable.", extra={"metavar": "HOW"}),
    ] = ()
    split: Annotated[
        str | None,
        Meta(
            description="premise: no premise is in train and test; published: also the authors' split of the published "
            "files, and the difference. Default: premise.",
            extra={"metavar": "HOW"},
        ),
    ] = None
    total: Annotated[PositiveInt | None, Meta(description="Experiment 4: number of pairs in a mixture.")] = None


def experiment(
    family: Annotated[str, typer.Argument(metavar="NAME", help="The paper: developmental.")],
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER",
            help="1: evaluate each epoch on each category; 2: train on one, test on all; 3: train in sequence; "
            "4: train on all at once. 2 to 4 start with the training of 1.",
        ),
    ],
    *,
    options: PlanOptions,
    plan: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A plan (TOML), or paper: the paper's models and settings; other options take precedence.",
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for models, runs and results.")] = Path(
        "experiments"
    ),
    keep_models: Annotated[
        bool, typer.Option("--keep-models", help="Keep fine-tuned models after they are tested.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processor cores for testing. Default: all.")
    ] = None,
    access: Access,
    json_: AsJson = False,
) -> None:
    """Run an experiment of a paper on your own models."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user, is_file
    from litotes.core.registry import unknown_name
    from litotes.training.experiments.plan import NUMBERS, load_plan

    if family not in _FAMILIES:
        raise unknown_name("experiment", family, _FAMILIES)
    if number not in NUMBERS:
        raise UsageError("L101", f"unknown experiment {number}", hint="the experiments are 1, 2, 3 and 4")
    experiment_plan = load_plan(plan, **options.to_dict())

    from litotes.core.progress import terminal_progress
    from litotes.training.experiments import run_experiment

    folder = expand_user(out)
    results = run_experiment(
        number,
        experiment_plan,
        folder,
        progress=lambda: terminal_progress("pairs"),
        on_task=say,
        access=access.for_received_names() if plan is not None and is_file(expand_user(plan)) else access,
        workers=workers,
        keep_models=keep_models,
    )
    if json_:
        import json

        from litotes.core.files import read_json
        from litotes.training.experiments.results import RESULTS

        stored = read_json(folder / RESULTS)["experiments"][str(number)]
        put(json.dumps({"experiment": number, "out": str(folder), **stored}, indent=2))
    else:
        _say(results, folder)


def _say(results: ExperimentResults, folder: Path) -> None:
    from litotes.training.experiments.results import SUMMARY, markdown_tables, split_tables

    name = f"experiment-{results.number}"
    put(markdown_tables(results))
    if results.published_split is not None:
        put(markdown_tables(results.published_split))
        put(split_tables(results))
    say(f"summary: {folder / SUMMARY}\nfigures: {folder / 'figures'}/{name}-*.svg, .png\nruns:    {folder / 'runs'}")
