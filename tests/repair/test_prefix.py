"""Quadruples after a prefix."""

from __future__ import annotations

from litotes.languages.en.templates import add_prefix
from litotes.repair.examples.base import QUADRUPLE, TrainingExample
from litotes.repair.examples.prefix import prefixed


def quadruple(subject: str) -> TrainingExample:
    texts = (f"{subject} late.", f"{subject} not early.", f"{subject} early.", f"{subject} not late.")
    return TrainingExample(QUADRUPLE, *texts, "early/late", is_quadruple=True)


def test_all_sentences_get_the_same_prefix() -> None:
    quadruples = [
        quadruple(f"The {thing} is") for thing in ("bus", "train", "post", "guest", "bill", "ferry", "tide", "plane")
    ]
    examples = [*prefixed(quadruples)]
    assert 0 < len(examples) < len(quadruples)
    by_subject = {example.anchor.split()[1]: example for example in quadruples}
    for example in examples:
        prefix, _, remainder = example.anchor.partition("the ")
        original = by_subject[remainder.split()[0]]
        assert example.antonym_pair == original.antonym_pair and example.is_quadruple
        assert [f"{prefix}{text[0].lower()}{text[1:]}" for text in original.texts] == [*example.texts]
    assert examples == [*prefixed(quadruples)]


def test_proper_nouns_keep_their_capital() -> None:
    assert add_prefix(["I’m late."], 0) == ["No, I’m late."]
    assert add_prefix(["That’s late?"], 0) == ["Well, that’s late?"]
    for name in ("Ann is late.", "Late.", "Trains are late."):
        assert not add_prefix(["It is late.", name], 0)
