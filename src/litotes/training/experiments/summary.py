"""The summary of an experiment in words, and the comparison of its rankings.

Rankings are compared by Kendall's tau with ties and an exact p-value, because there are only a few categories.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from litotes.languages.negation_categories import CODES
from litotes.training.experiments.metrics import BEFORE, DEV, AggregatedCell
from litotes.training.experiments.plan import SEQUENCE
from litotes.training.experiments.published import SETTINGS, published_accuracies, ranked_accuracies
from litotes.training.experiments.results import RANKED, TITLES, ExperimentResults

_MIN_MCC = 0.6
"""Matthews correlation on NLI_dev that the paper requires of a training."""


def write_summary(results: ExperimentResults, agreements: Mapping[str, Any]) -> str:
    """Return the section of an experiment in summary.md."""
    lines = [f"## Experiment {results.number}: {TITLES[results.number]}", "", _setup(results), ""]
    describe = {1: _first, 2: _transfer, 3: _sequence, 4: _mixture}[results.number]
    lines += describe(results)
    lines += _rankings(results, agreements)
    lines += _published_split(results)
    lines += _published_models(results, agreements["published"])
    return "\n".join(lines) + "\n"


def _setup(results: ExperimentResults) -> str:
    seeds = len(results.plan.seeds)
    first = results.plan.stages["first"]
    nli_train = results.data["nli_train"]
    training = "finished NLI trainings"
    if nli_train is not None:
        n_pairs = min(first.examples or nli_train["pairs"], nli_train["pairs"])
        training = f"{n_pairs:,} NLI pairs without negation, {_counted(first.epochs, 'epoch')}"
    sentences = [
        f"{_counted(len(results.models), 'model')} ({', '.join(results.models)}), {_counted(seeds, 'seed')}; preset "
        f"{results.plan.preset}: {training}."
    ]
    if results.number > 1:
        stage = {2: "transfer", 3: "sequence", 4: "mixture"}[results.number]
        sentences.append(f"Then {_counted(results.plan.stages[stage].epochs, 'epoch')} on each set.")
    if seeds == 1:
        sentences.append("With one seed the intervals are over premises of one run; other seeds may differ by more.")
    elif seeds == 2:
        sentences.append("Two seeds give very wide t-intervals; use three or more.")
    if results.plan.preset == "smoke":
        sentences.append("The preset smoke only tests that everything runs; its metrics are meaningless.")
    return " ".join(sentences)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _published_split(results: ExperimentResults) -> list[str]:
    """Compare the results on the authors' split with those on the split by premise."""
    published = results.published_split
    if published is None:
        return []
    sizes = published.data["categories"].values()
    lines = [
        "",
        f"The authors' split: {sum(row['test_in_train'] for row in sizes):,} of "
        f"{sum(row['test'] for row in sizes):,} test pairs are also in the train set of their category.",
        "",
    ]
    for model in results.models:
        end = [results.ranked(model)[category] for category in results.plan.categories]
        differences = [results.split_difference(cell) for cell in end]
        mean = math.fsum(value.mean for value in differences) / len(differences)
        up = sum(value.low > 0 for value in differences)
        down = sum(value.high < 0 for value in differences)
        lines.append(
            f"- {model}, {RANKED[results.number]}: {100 * mean:+.1f} points on average compared with the split by "
            f"premise ({up} of {len(end)} significantly up, {down} down)."
        )
    return lines


def _published_models(results: ExperimentResults, published: Mapping[str, Any]) -> list[str]:
    """Show the ranked accuracies of the runs next to the published ones, and how well the rankings agree."""
    if not published:
        return []
    names = results.plan.categories
    lines = [
        "",
        f"Next to the published results ({SETTINGS[results.number]}; on the authors' test sets), accuracy in %, "
        f"{RANKED[results.number]}:",
        "",
        f"| model | from | {' | '.join(CODES[name] for name in names)} |",
        "|---|---|" + "---:|" * len(names),
    ]
    own = [("this run", results), ("this run, authors' split", results.published_split)]
    rows = [
        (model, origin, {name: cell.accuracy.mean for name, cell in split.ranked(model).items()})
        for origin, split in own
        if split is not None
        for model in results.models
    ]
    rows += [(theirs, "published", fields["accuracy"]) for theirs, fields in published.items()]
    for model, origin, accuracy in rows:
        lines.append(f"| {model} | {origin} | {' | '.join(f'{100 * accuracy[name]:.1f}' for name in names)} |")
    if results.number == 3 and results.plan.order != SEQUENCE:
        lines += ["", f"The published sequence is another one: {', '.join(SEQUENCE)}."]
    lines.append("")
    for theirs, fields in published.items():
        for model, agreement in fields["agreement"].items():
            lines.append(f"- {model} ~ {theirs} (published): {_agreement(agreement)}")
    return lines


def _first(results: ExperimentResults) -> list[str]:
    lines = []
    last = results.steps[-1]
    for model in results.models:
        if results.has_dev:
            mcc = results.cell(model, last, DEV).mcc
            comparison = "at least" if mcc.mean >= _MIN_MCC else "below"
            lines.append(
                f"- {model}: Matthews correlation on NLI_dev {mcc.mean:.2f} [{mcc.low:.2f}, {mcc.high:.2f}], "
                f"{comparison} the {_MIN_MCC} that the paper requires."
            )
        below = [
            category
            for category in results.plan.categories
            if results.cell(model, last, category).accuracy.high < results.data["categories"][category]["largest_label"]
        ]
        if below:
            lines.append(f"- {model}: below the accuracy of the most frequent label: {', '.join(below)}.")
    return [*lines, ""] if lines else []


def _changes(results: ExperimentResults, model: str) -> list[tuple[str, AggregatedCell]]:
    """Return the cells of all steps after the first and all categories, with their steps."""
    return [
        (step, results.cell(model, step, category))
        for step in results.steps
        if step != BEFORE
        for category in results.plan.categories
    ]


def _mean_change(cells: Sequence[AggregatedCell]) -> str:
    values = [cell.change.mean for cell in cells if cell.change is not None]
    return f"{100 * sum(values) / len(values):+.1f} points" if values else "0 points"


def _split(cells: Sequence[AggregatedCell]) -> str:
    """Count the significant changes in each direction."""
    up = sum(cell.change is not None and cell.change.low > 0 for cell in cells)
    down = sum(cell.change is not None and cell.change.high < 0 for cell in cells)
    return f"{up} of {len(cells)} significantly up, {down} down"


def _transfer(results: ExperimentResults) -> list[str]:
    lines = []
    for model in results.models:
        changes = _changes(results, model)
        own = [cell for step, cell in changes if step == cell.category]
        other = [cell for step, cell in changes if step != cell.category]
        lines.append(
            f"- {model}: on the category it was trained on, accuracy changes by {_mean_change(own)} on average "
            f"({_split(own)}); on the others by {_mean_change(other)} ({_split(other)})."
        )
        if other:
            transfers = [(step, cell) for step, cell in changes if step != cell.category]
            best_step, best = max(transfers, key=lambda entry: _change(entry[1]))
            worst_step, worst = min(transfers, key=lambda entry: _change(entry[1]))
            lines.append(
                f"- {model}: the largest gain is from {best_step} on {best.category} ({100 * _change(best):+.1f}), the "
                f"largest loss from {worst_step} on {worst.category} ({100 * _change(worst):+.1f})."
            )
    return [*lines, *_dev_change(results), ""]


def _change(cell: AggregatedCell) -> float:
    return cell.change.mean if cell.change is not None else 0.0


def _dev_change(results: ExperimentResults) -> list[str]:
    if not results.has_dev:
        return []
    lines = []
    for model in results.models:
        cells = [results.cell(model, step, DEV) for step in results.steps if step != BEFORE]
        lowest = min(cells, key=_change)
        lines.append(
            f"- {model}: on NLI without negation accuracy changes by {_mean_change(cells)} on average, at worst by "
            f"{100 * _change(lowest):+.1f} ({lowest.step})."
        )
    return lines


def _sequence(results: ExperimentResults) -> list[str]:
    lines = [f"The order: {', '.join(results.plan.order)}.", ""]
    for model in results.models:
        with_largest_gain = []
        for category in dict.fromkeys(results.plan.order):
            gains = {
                after: results.cell(model, after, category).accuracy.mean
                - results.cell(model, before, category).accuracy.mean
                for before, after in pairwise(results.steps)
            }
            largest = max(gains, key=lambda step: gains[step])
            if largest.partition(" ")[2] == category:
                with_largest_gain.append(category)
        count = len(dict.fromkeys(results.plan.order))
        lines.append(
            f"- {model}: the step on a category itself gives its largest gain for {len(with_largest_gain)} of "
            f"{count} categories" + (f" ({', '.join(with_largest_gain)})." if with_largest_gain else ".")
        )
        end = [results.cell(model, results.steps[-1], category) for category in results.plan.categories]
        lines.append(f"- {model}: at the end {_mean_change(end)} on average compared with before ({_split(end)}).")
    return [*lines, *_dev_change(results), ""]


def _mixture(results: ExperimentResults) -> list[str]:
    lines = []
    total = sum(next(iter(results.mixtures.values())).values())
    lines += [f"Every mixture has {total:,} pairs.", ""]
    for model in results.models:
        for step in results.steps:
            if step != BEFORE:
                cells = [results.cell(model, step, category) for category in results.plan.categories]
                lines.append(
                    f"- {model}, {step}: {_mean_change(cells)} on average compared with before ({_split(cells)})."
                )
    return [*lines, *_dev_change(results), ""]


def compare_rankings(results: ExperimentResults) -> dict[str, Any]:
    """Return the rankings, and Kendall's tau between models, epochs, and orders of acquisition by children."""
    last = {
        model: {name: cell.accuracy.mean for name, cell in results.ranked(model).items()} for model in results.models
    }
    names = results.plan.categories
    between: dict[str, Any] = {}
    first_to_last: dict[str, Any] = {}
    acquisition: dict[str, Any] = {}
    if len(names) > 1:
        for first, second in combinations(results.models, 2):
            agreement = kendall([last[first][name] for name in names], [last[second][name] for name in names])
            between[f"{first} ~ {second}"] = asdict(agreement)
        if results.number == 1 and len(results.steps) > 1:
            for model in results.models:
                early = [results.cell(model, results.steps[0], name).accuracy.mean for name in names]
                first_to_last[model] = asdict(kendall(early, [last[model][name] for name in names]))
    for source, order in results.plan.acquisition.items():
        compared = {model: against_order(last[model], order) for model in results.models}
        acquisition[source] = {
            model: None if agreement is None else asdict(agreement) for model, agreement in compared.items()
        }
    published: dict[str, Any] = {}
    if results.number in SETTINGS and len(names) > 1:
        for theirs, accuracies in published_accuracies(results.number).items():
            values = ranked_accuracies(results.number, accuracies)
            published[theirs] = {
                "accuracy": {name: values[name] for name in names},
                "agreement": {
                    model: asdict(kendall([last[model][name] for name in names], [values[name] for name in names]))
                    for model in results.models
                },
            }
    return {
        "ranked": RANKED[results.number],
        "rankings": {
            model: [{"rank": rank, "category": name, "accuracy": value} for rank, name, value in ranking(last[model])]
            for model in results.models
        },
        "between_models": between,
        "first_to_last_epoch": first_to_last,
        "acquisition": acquisition,
        "published": published,
    }


def _rankings(results: ExperimentResults, agreements: Mapping[str, Any]) -> list[str]:
    lines = [f"Categories by accuracy, {agreements['ranked']}:", ""]
    for model, ranked in agreements["rankings"].items():
        entries = [f"{row['rank']} {row['category']} {100 * row['accuracy']:.1f}" for row in ranked]
        lines.append(f"- {model}: {', '.join(entries)}.")
        n_overlapping = _count_overlaps(results, model, [row["category"] for row in ranked])
        if n_overlapping:
            lines.append(f"  {n_overlapping} of {len(ranked) - 1} pairs of neighbours have overlapping intervals.")
    lines.append("")
    for pair, fields in agreements["between_models"].items():
        lines.append(f"- {pair}: {_agreement(fields)}")
    for model, fields in agreements["first_to_last_epoch"].items():
        lines.append(f"- {model}, first and last epoch: {_agreement(fields)}")
    for source, by_model in agreements["acquisition"].items():
        order = results.plan.acquisition[source]
        lines.append(f"- Order of acquisition after {source}: {_order(order)}.")
        for model, fields in by_model.items():
            text = "the order does not include these categories" if fields is None else _agreement(fields)
            lines.append(f"  - {model}: {text}")
    return lines


def _count_overlaps(results: ExperimentResults, model: str, ranked: Sequence[str]) -> int:
    cells = [results.ranked(model)[category].accuracy for category in ranked]
    return sum(low.high >= high.low for high, low in pairwise(cells))


def _order(order: Sequence[Sequence[str]]) -> str:
    return ", then ".join(" and ".join(group) for group in order)


def _agreement(fields: Mapping[str, Any]) -> str:
    agreement = RankAgreement(**fields)
    if agreement.tau is None:
        return "tau is undefined because all values of one ranking are tied."
    possible = f", the smallest possible is {agreement.least_p:.3f}" if agreement.least_p > 0.01 else ""
    return (
        f"tau {agreement.tau:.2f} (p {agreement.p:.3f}{possible}); {agreement.same} of {agreement.decided} pairs in "
        f"the same order, {agreement.opposite} in the opposite order."
    )


_DECIMALS = 9
"""Values are rounded, so that rounding errors do not break ties."""


@dataclass(frozen=True)
class RankAgreement:
    """How well two rankings of the same items agree."""

    tau: float | None
    """Kendall's tau-b; None if all items of one ranking are tied."""
    p: float
    """Share of all permutations that agree, or disagree, at least as much."""
    least_p: float
    """The smallest possible `p`; with few items it is large."""
    same: int
    """Pairs of items that both rankings have in the same order."""
    opposite: int
    """Pairs of items in opposite order."""
    decided: int
    """Pairs of items that are not tied in the first ranking."""


def kendall(first: Sequence[float], second: Sequence[float]) -> RankAgreement:
    """Return the agreement of two lists of values.

    >>> agreement = kendall([1, 2, 3, 4], [10, 20, 40, 30])
    >>> round(agreement.tau or 0, 3), round(agreement.p, 3), agreement.same, agreement.opposite
    (0.667, 0.333, 5, 1)
    """
    from scipy import stats

    left, right = _pair_signs(first), _pair_signs(second)
    products = left * right
    # With ties, scipy's own test is not exact.
    test = stats.permutation_test(
        (np.asarray(second, dtype=float),),
        lambda permuted: abs(left @ _pair_signs(permuted)),
        permutation_type="pairings",
        alternative="greater",
        vectorized=False,
        n_resamples=math.inf,
    )
    n_decided = int(abs(left).sum())
    n_untied = n_decided * int(abs(right).sum())
    return RankAgreement(
        tau=float(products.sum() / math.sqrt(n_untied)) if n_untied else None,
        p=float(test.pvalue),
        least_p=float((test.null_distribution == test.null_distribution.max()).mean()),
        same=int((products > 0).sum()),
        opposite=int((products < 0).sum()),
        decided=n_decided,
    )


def _pair_signs(values: ArrayLike) -> NDArray[np.int64]:
    """Return for every pair of items whether the second value is higher (1), lower (-1) or tied (0)."""
    rounded = np.round(np.asarray(values, dtype=float), _DECIMALS)
    earlier, later = np.triu_indices(len(rounded), k=1)
    signs: NDArray[np.int64] = np.sign(rounded[later] - rounded[earlier]).astype(np.int64)
    return signs


def ranking(values: Mapping[str, float]) -> list[tuple[int, str, float]]:
    """Return rank, name and value, the highest first; equal values share a rank.

    >>> ranking({"a": 0.5, "b": 0.7, "c": 0.5})
    [(1, 'b', 0.7), (2, 'a', 0.5), (2, 'c', 0.5)]
    """
    ordered = sorted(values.items(), key=lambda entry: -round(entry[1], _DECIMALS))
    ranks: list[tuple[int, str, float]] = []
    for position, (name, value) in enumerate(ordered, 1):
        is_tied = bool(ranks) and round(ranks[-1][2], _DECIMALS) == round(value, _DECIMALS)
        ranks.append((ranks[-1][0] if is_tied else position, name, value))
    return ranks


def against_order(values: Mapping[str, float], order: Sequence[Sequence[str]]) -> RankAgreement | None:
    """Return how well high values agree with early positions in a partial order; None if it orders none of the names.

    Names within a group of the order are tied; names outside the order are ignored.

    >>> agreement = against_order({"a": 0.9, "b": 0.7, "c": 0.8, "d": 0.1}, [["a"], ["b"], ["c"]])
    >>> agreement.same, agreement.opposite, agreement.decided, round(agreement.least_p, 2)
    (2, 1, 3, 0.33)
    """
    positions = {name: index for index, group in enumerate(order) for name in group if name in values}
    if len(set(positions.values())) < 2:
        return None
    return kendall([-position for position in positions.values()], [values[name] for name in positions])
