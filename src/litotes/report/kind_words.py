"""What each kind of suite asks, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litotes.evaluation.result import SuiteInfo
from litotes.report.html_words import display_name


@dataclass(frozen=True)
class KindWords:
    """The words for a kind of suite."""

    right_answer: str
    """What a model picks that is right."""
    task: str
    roles: Mapping[str, str] = field(default_factory=dict)
    paper_table: str = ""
    """The table of a paper that holds these figures."""


def _triplet(right_answer: str, task: str, table: int, **roles: str) -> KindWords:
    told = {"original": "the sentence that the other two are made from", **roles}
    return KindWords(right_answer, task, told, f"Zhu et al. 2018, Table {table}")


_KNOWN = {
    "semantoneg": KindWords(
        right_answer="the right paraphrase",
        task="Each item is an input sentence and three rewordings of it. One of them means the same as the "
        "input; the other two mean the opposite. The model is right when it finds the one with the same meaning "
        "the most similar to the input.",
        roles={
            "input": "the sentence that is to be matched: “It is good.”",
            "antonym": "one word replaced by its antonym, so it means the opposite: “It is bad.”",
            "polarity": "negation put in or taken out, so it means the opposite: “It is not good.”",
            "both": "both changes, so it means the same again: “It is not bad.”",
        },
    ),
    "heros": KindWords(
        right_answer="the synonym",
        task="Each item is a sentence and six others that differ from it in about one word. The model is right when "
        "it finds the one with a synonym closer to the original than the one with an antonym and the two negations. "
        "How similar it finds all six, measured from two sentences that have nothing to do with each other, stands "
        "in the figure.",
        roles={
            "original": "the sentence that the others are made from: “The room is warm.”",
            "synonym": "one word replaced by a synonym: “The room is heated.”",
            "antonym": "the same word replaced by an antonym: “The room is cold.”",
            "random": "the same word replaced by any word that fits: “The room is booked.”",
            "typo": "the same word misspelt: “The room is wram.”",
            "negation_main": "the main verb negated: “The room is not warm.”",
            "negation_antonym": "the word that has the antonym negated, which may be another place",
        },
    ),
    "nli": KindWords(
        right_answer="the right label",
        task="Each item is a premise, a hypothesis and a label: if the premise holds, does the hypothesis hold too "
        "(entailment), can it not hold (contradiction), or is neither the case (neutral)? The model is right when it "
        "finds the item’s own label the likeliest.",
        roles={
            "premise": "what is taken as given: “Nobody has a key to the boathouse.”",
            "hypothesis": "what is asked about: “The boathouse can be unlocked by anyone.”, a contradiction",
        },
    ),
    "negation-detection": _triplet(
        "the synonym",
        "Each item is a sentence, the same with a synonym, and its negation. The model is right when it finds the "
        "synonym closer to the original than the negation.",
        2,
        synonym="a verb replaced by a synonym: “She shut the gate.” for “She closed the gate.”",
        negated="negation put in or taken out: “She did not close the gate.”",
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
        clause="what was said or thought: “The bridge is safe.” of “He said the bridge is safe.”",
        negated="negation put in or taken out: “He said the bridge is not safe.”",
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
        paraphrase="another way to say the same",
        inverted="what stands before and after a word of the original, exchanged",
    ),
}


def kind_words(suite: SuiteInfo) -> KindWords:
    """The words for a suite; a kind that is not known here is described by its options."""
    if suite.kind in _KNOWN:
        return _KNOWN[suite.kind]
    right = display_name(suite.right) if suite.right else "the item’s own option"
    options = " or ".join(map(display_name, suite.options))
    return KindWords(
        right_answer="the right option",
        task=f"Each item is a choice: {options}. The model is right when it finds {right} the most alike.",
    )
