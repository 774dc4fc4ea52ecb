"""Runs grouped by suite, and what each kind of suite asks."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from litotes.evaluation.result import ItemResult, RunResult, SuiteInfo
from litotes.evaluation.statistics import Comparison
from litotes.report.formats import display_name


@dataclass(frozen=True)
class PairLayout:
    """The role pairs of a suite, and the index of the pair that belongs to each role and option."""

    pairs: tuple[str, ...]
    anchor: int | None
    """The index of the role with which all others are compared, if there is one."""
    pair_of_role: tuple[int | None, ...]
    pair_of_option: tuple[int | None, ...]

    def pair_name(self, pair: str) -> str:
        """Return the readable name of a pair: its second role if all pairs have the first one in common."""
        return display_name(pair if self.anchor is None else pair.rpartition("~")[2])


@dataclass(frozen=True)
class SuiteRuns:
    """A suite and its runs on the same items, best first."""

    label: str
    info: SuiteInfo
    runs: tuple[RunResult, ...]
    names: tuple[str, ...]
    """The model names of the runs, made unique."""
    comparisons: tuple[Comparison, ...]

    @property
    def items(self) -> Sequence[ItemResult]:
        """The items, which are the same in all runs."""
        return self.runs[0].items

    @property
    def chance(self) -> float:
        """The accuracy of guessing."""
        return self.runs[0].metrics.chance

    @property
    def is_labelled(self) -> bool:
        """Whether every item has its own right label."""
        return all(run.metrics.nli is not None for run in self.runs)

    @property
    def is_grouped(self) -> bool:
        """Whether some group has more than one item."""
        return self.runs[0].metrics.groups < self.runs[0].metrics.items

    @property
    def criteria(self) -> tuple[str, ...]:
        """The additional pass criteria for which some run has an accuracy."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.also))

    @property
    def normalised_pairs(self) -> tuple[str, ...]:
        """The role pairs for which some run has a similarity above the baseline."""
        return tuple(dict.fromkeys(pair for run in self.runs for pair in run.metrics.normalised))

    @property
    def sts_files(self) -> tuple[str, ...]:
        """The files of human similarity scores on which some run was measured."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.sts))

    def run_of(self, name: str) -> RunResult | None:
        """Return the run that is shown under a name."""
        return self.runs[self.names.index(name)] if name in self.names else None

    @cached_property
    def layout(self) -> PairLayout:
        """Where the similarities of a suite are shown."""
        pairs = tuple(dict.fromkeys(name for run in self.runs for name in run.metrics.similarities))
        roles = [tuple(pair.split("~")) for pair in pairs]
        first = {sides[0] for sides in roles}
        second = [sides[-1] for sides in roles]
        is_anchored = len(first) == 1 and len(set(second)) == len(second) and first <= set(self.info.roles)
        return PairLayout(
            pairs=pairs,
            anchor=self.info.roles.index(first.pop()) if is_anchored else None,
            pair_of_role=tuple(
                second.index(role) if is_anchored and role in second else None for role in self.info.roles
            ),
            pair_of_option=tuple(_pair_of_option(option, pairs) for option in self.info.options),
        )


def _pair_of_option(option: str, pairs: Sequence[str]) -> int | None:
    """Return the index of an option's pair: an option is named after its pair or after a role of only that pair."""
    if option in pairs:
        return pairs.index(option)
    with_role = [index for index, pair in enumerate(pairs) if option in pair.split("~")]
    return with_role[0] if len(with_role) == 1 else None


def by_suite(results: Iterable[RunResult], comparisons: Sequence[Comparison]) -> list[SuiteRuns]:
    """Return the results by suite, in the order of their first occurrence."""
    groups: dict[tuple[object, ...], list[RunResult]] = {}
    for result in results:
        # The ids are part of the key: similarities must never be shown next to the sentences of other items.
        ids = tuple(item.id for item in result.items)
        groups.setdefault((result.suite.name, result.suite.sha256, ids), []).append(result)
    labels = _unique_names([runs[0].suite.name for runs in groups.values()])
    return [_suite_runs(label, runs, comparisons) for label, runs in zip(labels, groups.values(), strict=True)]


_LAYER = re.compile(r"layer (\d+)")
_VARIANT = re.compile(r"([?&])(?:layer|prompt)=([^&]*)&?")


def layer_variants(suite: SuiteRuns) -> dict[str, SuiteRuns]:
    """Return by model its runs with different layers, from the lowest to the highest, with their numbers as names."""
    variants: dict[str, dict[int, tuple[RunResult, str]]] = {}
    for run, name in zip(suite.runs, suite.names, strict=True):
        pooling = str(run.fingerprint.get("pooling", ""))
        if layer := _LAYER.search(pooling):
            key = _key({**run.fingerprint, "pooling": _LAYER.sub("", pooling)})
            variants.setdefault(key, {}).setdefault(int(layer.group(1)), (run, name))
    return _named_variants(suite, [dict(sorted(runs.items())) for runs in variants.values()])


def prompt_variants(suite: SuiteRuns) -> dict[str, SuiteRuns]:
    """Return by model its runs with different prompts, the best first, with the names of the prompts."""
    variants: dict[str, dict[str, tuple[RunResult, str]]] = {}
    for run, name in zip(suite.runs, suite.names, strict=True):
        prompt = str(run.fingerprint.get("prompt", ""))
        variants.setdefault(_key({**run.fingerprint, "prompt": ""}), {}).setdefault(prompt, (run, name))
    return _named_variants(suite, list(variants.values()))


def _key(fingerprint: Mapping[str, object]) -> str:
    return json.dumps(fingerprint, sort_keys=True)


def _named_variants(
    suite: SuiteRuns, variants: Iterable[Mapping[int, tuple[RunResult, str]] | Mapping[str, tuple[RunResult, str]]]
) -> dict[str, SuiteRuns]:
    named: dict[str, SuiteRuns] = {}
    for runs in variants:
        if len(runs) > 1:
            values = [
                str(value) if isinstance(value, int) else _variant_name(name) for value, (_, name) in runs.items()
            ]
            model = _unique_names([*named, _without_variant(next(iter(runs.values()))[1])])[-1]
            named[model] = replace(
                suite, runs=tuple(run for run, _ in runs.values()), names=tuple(_unique_names(values)), comparisons=()
            )
    return named


def _variant_name(name: str) -> str:
    match = _VARIANT.search(name)
    return match.group(2) if match else "default"


def _without_variant(name: str) -> str:
    """Return the name of a model without its layer or prompt.

    >>> _without_variant("hf:NAME?layer=3&pooling=cls"), _without_variant("lm:NAME?prompt=plain")
    ('hf:NAME?pooling=cls', 'lm:NAME')
    """
    return _VARIANT.sub(r"\1", name).rstrip("?&")


def _suite_runs(label: str, runs: Sequence[RunResult], comparisons: Sequence[Comparison]) -> SuiteRuns:
    ranked = sorted(runs, key=lambda run: _rank(run.metrics.accuracy))
    models = {run.model for run in ranked}
    info = ranked[0].suite
    of_suite = [
        comparison
        for comparison in comparisons
        if comparison.suite == info.name and {comparison.a, comparison.b} <= models
    ]
    return SuiteRuns(label, info, tuple(ranked), tuple(_unique_names([run.model for run in ranked])), tuple(of_suite))


def _rank(accuracy: float) -> float:
    return -accuracy if math.isfinite(accuracy) else math.inf


def _unique_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to repeated ones."""
    counts: Counter[str] = Counter()
    unique = []
    for name in names:
        counts[name] += 1
        unique.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return unique


@dataclass(frozen=True)
class SuiteDescription:
    """What a kind of suite asks of a model."""

    right_answer: str
    """What the model should choose."""
    task: str
    roles: Mapping[str, str] = field(default_factory=dict)
    paper_table: str = ""
    """The table of a paper with the same numbers."""


def _triplet(right_answer: str, task: str, table: int, **roles: str) -> SuiteDescription:
    roles = {"original": "the sentence from which the other two are made", **roles}
    return SuiteDescription(right_answer, task, roles, f"Zhu et al. 2018, Table {table}")


_DESCRIPTIONS = {
    "semantoneg": SuiteDescription(
        right_answer="the right paraphrase",
        task="Each item is an input sentence and three rewordings of it. One of them means the same as the "
        "input; the other two mean the opposite. The model is right when it finds the one with the same meaning "
        "the most similar to the input.",
        roles={
            "input": "the sentence to match: “It is good.”",
            "antonym": "one word replaced by its antonym, so it means the opposite: “It is bad.”",
            "polarity": "negation added or removed, so it means the opposite: “It is not good.”",
            "both": "both changes, so it means the same again: “It is not bad.”",
        },
    ),
    "heros": SuiteDescription(
        right_answer="the synonym",
        task="Each item is a sentence and six others that differ from it in about one word. The model is right when "
        "it finds the one with a synonym closer to the original than those with an antonym or a negation. "
        "The figure shows how similar it finds all six, relative to two unrelated sentences.",
        roles={
            "original": "the sentence from which the others are made: “The room is warm.”",
            "synonym": "one word replaced by a synonym: “The room is heated.”",
            "antonym": "the same word replaced by an antonym: “The room is cold.”",
            "random": "the same word replaced by any word that fits: “The room is booked.”",
            "typo": "the same word misspelt: “The room is wram.”",
            "negation_main": "the main verb negated: “The room is not warm.”",
            "negation_antonym": "the word that has the antonym negated, which may be elsewhere",
        },
    ),
    "nli": SuiteDescription(
        right_answer="the right label",
        task="Each item is a premise, a hypothesis and a label: if the premise is true, is the hypothesis true too "
        "(entailment), false (contradiction), or is neither certain (neutral)? The model is right when it assigns the "
        "highest probability to the item’s own label.",
        roles={
            "premise": "the assumption: “Nobody has a key to the boathouse.”",
            "hypothesis": "the statement to judge: “The boathouse can be unlocked by anyone.”, a contradiction",
        },
    ),
    "negation-detection": _triplet(
        "the synonym",
        "Each item is a sentence, the same with a synonym, and its negation. The model is right when it finds the "
        "synonym closer to the original than the negation.",
        2,
        synonym="a verb replaced by a synonym: “She shut the gate.” for “She closed the gate.”",
        negated="negation added or removed: “She did not close the gate.”",
    ),
    "negation-variants": _triplet(
        "the two negations",
        "Each item is a sentence and two ways to negate it. The model is right when it finds the two negations closer "
        "to each other than either is to the original.",
        3,
        negated="negation at the verb: “A boat is not leaving.”",
        quantifier_negated="negation at the subject: “There is no boat leaving.”",
    ),
    "clause-relatedness": _triplet(
        "the clause",
        "Each item is a sentence with a clause in it, the clause alone, and the negation of the sentence. The model is "
        "right when it finds the clause closer to the original than the negation.",
        4,
        clause="the embedded statement: “The bridge is safe.” of “He said the bridge is safe.”",
        negated="negation added or removed: “He said the bridge is not safe.”",
    ),
    "argument-sensitivity": _triplet(
        "the passive",
        "Each item is a sentence, its passive, which means the same, and the sentence with subject and object "
        "exchanged, which has the same words. The model is right when it finds the passive closer to the original.",
        5,
        passive="the same in the passive voice: “Noor was helped by Ines.” for “Ines helped Noor.”",
        swapped="subject and object exchanged: “Noor helped Ines.”",
    ),
    "fixed-point-reorder": _triplet(
        "the paraphrase",
        "Each item is a sentence, another that means the same, and the words of the first in an order that makes no "
        "sense. The model is right when it finds the paraphrase closer to the original.",
        6,
        paraphrase="a sentence with the same meaning in other words",
        inverted="the parts before and after a word of the original, exchanged",
    ),
}


def describe_suite(suite: SuiteInfo) -> SuiteDescription:
    """Return the description of a suite; an unknown kind is described by its options."""
    if suite.kind in _DESCRIPTIONS:
        return _DESCRIPTIONS[suite.kind]
    right = display_name(suite.right) if suite.right else "the item’s own option"
    options = " or ".join(map(display_name, suite.options))
    return SuiteDescription(
        right_answer="the right option",
        task=f"Each item is a choice: {options}. The model is right when it finds {right} the most similar.",
    )
