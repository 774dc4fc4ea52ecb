"""`litotes experiment`: a paper's experiments on models of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put, say
from litotes.cli.options import AllowPickle, AsJson, Offline, TrustRemoteCode

if TYPE_CHECKING:
    from litotes.training.experiments import ExperimentResults

_FAMILIES = ("developmental",)


def experiment(  # noqa: PLR0917  (a command's options)
    family: Annotated[str, typer.Argument(metavar="NAME", help="Whose experiments: developmental.")],
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER",
            help="1: every epoch on every category; 2: trained on one category, tested on all; 3: trained in sequence; "
            "4: trained on all at once. 2 to 4 begin with 1's training.",
        ),
    ],
    base: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="A model to train: a folder, a hub id, NAME=either; again for more."),
    ] = None,
    trained: Annotated[
        list[str] | None,
        typer.Option(metavar="DIR", help="A finished litotes train nli instead of 1's training; again for more."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A corpus of litotes build developmental, or the published files."),
    ] = None,
    train: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="NLI files for the first training; again for more. None: the corpus's."),
    ] = None,
    dev: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="NLI files to test on without negation; again for more. None: the corpus's."),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where models, runs and results go.")] = Path("experiments"),
    plan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A plan (TOML); options that are given come before it.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="paper, small (hours on two cores) or smoke (a minute). None: small.")
    ] = None,
    seeds: Annotated[str | None, typer.Option(metavar="0,1,2", help="Each is trained. None: 0 alone.")] = None,
    categories: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Only these categories, by name or abbreviation.")
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Experiment 3: the sequence. None: as the paper lists them.")
    ] = None,
    proportions: Annotated[
        list[str] | None,
        typer.Option(metavar="HOW", help="Experiment 4: equal, natural, or A=share,B=share; again for more mixtures."),
    ] = None,
    total: Annotated[int | None, typer.Option(min=1, help="Experiment 4: the pairs of a mixture.")] = None,
    keep_models: Annotated[
        bool, typer.Option("--keep-models", help="Keep the models of fine-tunings after they were tested.")
    ] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="How many cores to test with. None: all.")] = None,
    offline: Offline = False,
    allow_pickle: AllowPickle = False,
    trust_remote_code: TrustRemoteCode = False,
    json_: AsJson = False,
) -> None:
    """Run an experiment of a paper on your own models."""
    from litotes.core.errors import UsageError
    from litotes.core.files import expand_user
    from litotes.core.registry import unknown_name
    from litotes.training.experiments.plan import NUMBERS, load_plan

    if family not in _FAMILIES:
        raise unknown_name("experiment", family, _FAMILIES)
    if number not in NUMBERS:
        raise UsageError("L101", f"there is no experiment {number}", hint="the experiments are 1, 2, 3 and 4")
    made = load_plan(
        plan,
        models=base,
        trained=trained,
        data=data,
        train=train,
        dev=dev,
        preset=preset,
        seeds=seeds,
        categories=categories,
        order=order,
        proportions=proportions,
        total=total,
    )

    from litotes.core.progress import terminal_progress
    from litotes.models.access import Access
    from litotes.training.experiments import run_experiment

    folder = expand_user(out)
    results = run_experiment(
        number,
        made,
        folder,
        progress=lambda: terminal_progress("pairs"),
        on_task=say,
        access=Access(offline=offline, allow_pickle=allow_pickle, trust_remote_code=trust_remote_code),
        workers=workers,
        keep_models=keep_models,
    )
    if json_:
        import json

        from litotes.core.files import read_json
        from litotes.training.experiments.results import RESULTS

        kept = read_json(folder / RESULTS)["experiments"][str(number)]
        put(json.dumps({"experiment": number, "out": str(folder), **kept}, indent=2))
    else:
        _say(results, folder)


def _say(results: ExperimentResults, folder: Path) -> None:
    from litotes.training.experiments.results import SUMMARY
    from litotes.training.experiments.tables import markdown_tables

    name = f"experiment-{results.number}"
    put(markdown_tables(results))
    say(f"summary: {folder / SUMMARY}\nfigures: {folder / 'figures'}/{name}-*.svg, .png\nruns:    {folder / 'runs'}")
