"""Verb groups: parts, form and subject."""

from __future__ import annotations

import pytest

from litotes.languages.en.parser import parse
from litotes.languages.en.syntax.verb_groups import VerbGroup, is_plural, person, root, verb_group


def group_of(text: str) -> VerbGroup:
    return verb_group(root(parse(text)))


@pytest.mark.parametrize(
    ("text", "verb", "auxiliaries", "negation", "subject"),
    [
        ("She sleeps.", "sleeps", [], None, "She"),
        ("She has been sleeping.", "sleeping", ["has", "been"], None, "She"),
        ("She hasn't slept.", "slept", ["has"], "n't", "She"),
        ("She will not have been seen.", "seen", ["will", "have", "been"], "not", "She"),
        ("They'll come.", "come", ["'ll"], None, "They"),
        ("The old man is tired.", "is", [], None, "man"),
        ("He isn't tired.", "is", [], "n't", "He"),
        ("There is a man outside.", "is", [], None, "There"),
        ("Did you see it?", "see", ["Did"], None, "you"),
        ("Don't run!", "run", ["Do"], "n't", None),
        ("Run!", "Run", [], None, None),
    ],
)
def test_verb_group_has_its_parts(
    text: str, verb: str, auxiliaries: list[str], negation: str | None, subject: str | None
) -> None:
    group = group_of(text)
    assert group.verb.text == verb
    assert [token.text for token in group.auxiliaries] == auxiliaries
    assert (group.negation.text if group.negation is not None else None) == negation
    assert (group.subject.text if group.subject is not None else None) == subject
    assert group.first.text == (auxiliaries or [verb])[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She sleeps.", {"finite"}),
        ("She slept.", {"finite", "past"}),
        ("She could sleep.", {"finite", "past", "not"}),
        ("She can sleep.", {"finite", "not"}),
        ("She is tired.", {"finite", "copula", "not"}),
        ("She was tired.", {"finite", "past", "copula", "not"}),
        ("She has been tired.", {"finite", "copula", "not"}),
        ("She was seen.", {"finite", "past", "passive", "not"}),
        ("Is she tired?", {"finite", "copula", "inverted", "not"}),
        ("Has she slept?", {"finite", "inverted", "not"}),
        ("Run home!", set()),
    ],
)
def test_verb_group_has_its_form(text: str, expected: set[str]) -> None:
    group = group_of(text)
    result = {
        "finite": group.is_finite,
        "past": group.is_past,
        "copula": group.is_copula,
        "passive": group.is_passive,
        "inverted": group.is_inverted,
        "not": group.takes_not_directly,
    }
    assert {name for name, holds in result.items() if holds} == expected


@pytest.mark.parametrize(
    ("text", "plural", "who"),
    [
        ("I sleep.", False, 1),
        ("We sleep.", True, 1),
        ("You sleep.", False, 2),
        ("He sleeps.", False, 3),
        ("They sleep.", True, 3),
        ("The dog sleeps.", False, 3),
        ("The dogs are asleep.", True, 3),
        ("People sleep.", True, 3),
        ("Tom and Mary sleep.", True, 3),
        ("These are mine.", True, 3),
        ("Many are asleep.", True, 3),
        ("It sleeps.", False, 3),
    ],
)
def test_subject_has_number_and_person(text: str, plural: bool, who: int) -> None:
    subject = group_of(text).subject
    assert subject is not None
    assert (is_plural(subject), person(subject)) == (plural, who)
