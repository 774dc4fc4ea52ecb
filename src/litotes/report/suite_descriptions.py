"""Descriptions of the kinds of suites for readers of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litotes.evaluation.result import SuiteInfo
from litotes.report.formats import display_name


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
