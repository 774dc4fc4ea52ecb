"""What an experiment found, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from litotes.training.experiments.aggregation import Cell
from litotes.training.experiments.rank_correlation import Agreement, against_order, kendall, ranking
from litotes.training.experiments.results import RANKED, TITLES, Results
from litotes.training.experiments.rows import BEFORE, DEV

_ENOUGH = 0.6
"""The Matthews' correlation on NLI_dev that the paper asks of a training."""


def write_summary(results: Results, agreements: Mapping[str, Any]) -> str:
    """The section of an experiment."""
    lines = [f"## Experiment {results.number}: {TITLES[results.number]}", "", _about(results), ""]
    told = {1: _first, 2: _transfer, 3: _sequence, 4: _mixture}[results.number]
    lines += told(results)
    lines += _rankings(results, agreements)
    return "\n".join(lines) + "\n"


def _about(results: Results) -> str:
    seeds = len(results.plan.seeds)
    first = results.plan.stages["first"]
    there = results.data["nli_train"]
    learnt = "trained on NLI before"
    if there is not None:
        drawn = min(first.examples or there["pairs"], there["pairs"])
        learnt = f"{drawn:,} NLI pairs without negation, {_counted(first.epochs, 'epoch')}"
    words = [
        f"{_counted(len(results.models), 'model')} ({', '.join(results.models)}), {_counted(seeds, 'seed')}; preset "
        f"{results.plan.preset}: {learnt}."
    ]
    if results.number > 1:
        stage = {2: "transfer", 3: "sequence", 4: "mixture"}[results.number]
        words.append(f"Then {_counted(results.plan.stages[stage].epochs, 'epoch')} of each set.")
    if seeds == 1:
        words.append("With one seed the intervals are over premises of one run; another seed may differ by more.")
    elif seeds == 2:
        words.append("Two seeds give very wide t-intervals; three or more say much more.")
    if results.plan.preset == "smoke":
        words.append("The preset smoke shows that everything runs: its figures mean nothing.")
    return " ".join(words)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _first(results: Results) -> list[str]:
    lines = []
    last = results.steps[-1]
    for model in results.models:
        if results.has_dev:
            mcc = results.cell(model, last, DEV).mcc
            enough = "at least" if mcc.mean >= _ENOUGH else "below"
            lines.append(
                f"- {model}: Matthews' correlation on NLI_dev {mcc.mean:.2f} [{mcc.low:.2f}, {mcc.high:.2f}], {enough} "
                f"the {_ENOUGH} that the paper asks for."
            )
        below = [
            category
            for category in results.plan.categories
            if results.cell(model, last, category).accuracy.high < results.data["categories"][category]["largest_label"]
        ]
        if below:
            lines.append(f"- {model}: below what the most frequent label alone gives: {', '.join(below)}.")
    return [*lines, ""] if lines else []


def _changes(results: Results, model: str) -> list[tuple[str, Cell]]:
    """Every change on a category, with the step at which it is measured."""
    return [
        (step, results.cell(model, step, category))
        for step in results.steps
        if step != BEFORE
        for category in results.plan.categories
    ]


def _mean_change(cells: Sequence[Cell]) -> str:
    values = [cell.change.mean for cell in cells if cell.change is not None]
    return f"{100 * sum(values) / len(values):+.1f} points" if values else "nothing"


def _split(cells: Sequence[Cell]) -> str:
    """How many changes are told apart from none, and in which direction."""
    up = sum(cell.change is not None and cell.change.low > 0 for cell in cells)
    down = sum(cell.change is not None and cell.change.high < 0 for cell in cells)
    return f"{up} of {len(cells)} up, {down} down, by their intervals"


def _transfer(results: Results) -> list[str]:
    lines = []
    for model in results.models:
        found = _changes(results, model)
        own = [cell for step, cell in found if step == cell.category]
        other = [cell for step, cell in found if step != cell.category]
        lines.append(
            f"- {model}: on the category it was trained on, accuracy changes by {_mean_change(own)} on average "
            f"({_split(own)}); on the others by {_mean_change(other)} ({_split(other)})."
        )
        if other:
            best = max(((step, cell) for step, cell in found if step != cell.category), key=lambda one: _of(one[1]))
            worst = min(((step, cell) for step, cell in found if step != cell.category), key=lambda one: _of(one[1]))
            lines.append(
                f"- {model}: most is gained from {best[0]} on {best[1].category} ({100 * _of(best[1]):+.1f}), most is "
                f"lost from {worst[0]} on {worst[1].category} ({100 * _of(worst[1]):+.1f})."
            )
    return [*lines, *_dev_change(results), ""]


def _of(cell: Cell) -> float:
    return cell.change.mean if cell.change is not None else 0.0


def _dev_change(results: Results) -> list[str]:
    if not results.has_dev:
        return []
    lines = []
    for model in results.models:
        cells = [results.cell(model, step, DEV) for step in results.steps if step != BEFORE]
        lowest = min(cells, key=_of)
        lines.append(
            f"- {model}: on NLI without negation accuracy changes by {_mean_change(cells)} on average, at worst by "
            f"{100 * _of(lowest):+.1f} ({lowest.step})."
        )
    return lines


def _sequence(results: Results) -> list[str]:
    lines = [f"The order: {', '.join(results.plan.order)}.", ""]
    for model in results.models:
        own_best = []
        for category in dict.fromkeys(results.plan.order):
            gains = {
                after: results.cell(model, after, category).accuracy.mean
                - results.cell(model, before, category).accuracy.mean
                for before, after in pairwise(results.steps)
            }
            largest = max(gains, key=lambda step: gains[step])
            if largest.partition(" ")[2] == category:
                own_best.append(category)
        count = len(dict.fromkeys(results.plan.order))
        lines.append(
            f"- {model}: the step on a category itself is the one that gains the most on it for {len(own_best)} of "
            f"{count} categories" + (f" ({', '.join(own_best)})." if own_best else ".")
        )
        end = [results.cell(model, results.steps[-1], category) for category in results.plan.categories]
        lines.append(f"- {model}: at the end {_mean_change(end)} on average against before ({_split(end)}).")
    return [*lines, *_dev_change(results), ""]


def _mixture(results: Results) -> list[str]:
    lines = []
    total = sum(next(iter(results.mixtures.values())).values())
    lines += [f"Every mixture has {total:,} pairs.", ""]
    for model in results.models:
        for step in results.steps:
            if step != BEFORE:
                cells = [results.cell(model, step, category) for category in results.plan.categories]
                lines.append(f"- {model}, {step}: {_mean_change(cells)} on average against before ({_split(cells)}).")
    return [*lines, *_dev_change(results), ""]


def compare_rankings(results: Results) -> dict[str, Any]:
    """The rankings, and Kendall's tau between models, between epochs, and against children's order of acquisition."""
    last = {
        model: {name: cell.accuracy.mean for name, cell in results.ranked(model).items()} for model in results.models
    }
    names = results.plan.categories
    between: dict[str, Any] = {}
    first_to_last: dict[str, Any] = {}
    acquisition: dict[str, Any] = {}
    if len(names) > 1:
        for one, other in combinations(results.models, 2):
            found = kendall([last[one][name] for name in names], [last[other][name] for name in names])
            between[f"{one} ~ {other}"] = found.to_dict()
        if results.number == 1 and len(results.steps) > 1:
            for model in results.models:
                early = [results.cell(model, results.steps[0], name).accuracy.mean for name in names]
                first_to_last[model] = kendall(early, [last[model][name] for name in names]).to_dict()
    for source, order in results.plan.acquisition.items():
        compared = {model: against_order(last[model], order) for model in results.models}
        acquisition[source] = {model: None if one is None else one.to_dict() for model, one in compared.items()}
    return {
        "ranked": RANKED[results.number],
        "rankings": {
            model: [{"rank": rank, "category": name, "accuracy": value} for rank, name, value in ranking(last[model])]
            for model in results.models
        },
        "between_models": between,
        "first_to_last_epoch": first_to_last,
        "acquisition": acquisition,
    }


def _rankings(results: Results, agreements: Mapping[str, Any]) -> list[str]:
    lines = [f"Categories by accuracy, {agreements['ranked']}:", ""]
    for model, ranked in agreements["rankings"].items():
        entries = [f"{one['rank']} {one['category']} {100 * one['accuracy']:.1f}" for one in ranked]
        lines.append(f"- {model}: {', '.join(entries)}.")
        overlapping = _neighbours(results, model, [one["category"] for one in ranked])
        if overlapping:
            lines.append(f"  Of {len(ranked) - 1} pairs of neighbours {overlapping} have intervals that overlap.")
    lines.append("")
    for pair, found in agreements["between_models"].items():
        lines.append(f"- {pair}: {_agreement(found)}")
    for model, found in agreements["first_to_last_epoch"].items():
        lines.append(f"- {model}, first epoch against last: {_agreement(found)}")
    for source, by_model in agreements["acquisition"].items():
        order = results.plan.acquisition[source]
        lines.append(f"- Order of acquisition after {source}: {_order(order)}.")
        for model, found in by_model.items():
            text = "the order says nothing of these categories" if found is None else _agreement(found)
            lines.append(f"  - {model}: {text}")
    return lines


def _neighbours(results: Results, model: str, ranked: Sequence[str]) -> int:
    cells = [results.ranked(model)[category].accuracy for category in ranked]
    return sum(low.high >= high.low for high, low in pairwise(cells))


def _order(order: Sequence[Sequence[str]]) -> str:
    return ", then ".join(" and ".join(group) for group in order)


def _agreement(found: Mapping[str, Any]) -> str:
    one = Agreement(**found)
    if one.tau is None:
        return "no tau, for one side has nothing but ties."
    possible = f", the least that is possible {one.least_p:.3f}" if one.least_p > 0.01 else ""
    return (
        f"tau {one.tau:.2f} (p {one.p:.3f}{possible}); {one.same} of {one.decided} decided pairs the same way, "
        f"{one.opposite} the other."
    )
