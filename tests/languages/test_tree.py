"""Tokens and their neighbours, and `cached_on_doc`: results that are cached on a document."""

from __future__ import annotations

from litotes.languages.en.parser import parse
from litotes.languages.tree import Doc, Token, cached_on_doc


def test_caches_by_function_and_arguments_on_the_document() -> None:
    calls: list[tuple[str, str]] = []

    @cached_on_doc
    def joined(token: Token, ending: str = "!") -> str:
        calls.append((token.text, ending))
        return token.text + ending

    doc, other = parse("She sings."), parse("She sings.")
    assert [joined(doc[0]), joined(doc[0]), joined(doc[1]), joined(doc[0], ending="?")] == [
        "She!",
        "She!",
        "sings!",
        "She?",
    ]
    assert joined(other[0]) == "She!"
    assert calls == [("She", "!"), ("sings", "!"), ("She", "?"), ("She", "!")]


def test_caches_results_for_a_document_even_if_they_are_none() -> None:
    calls = 0

    @cached_on_doc
    def nothing(doc: Doc) -> None:
        nonlocal calls
        calls += 1

    doc = parse("She sings.")
    nothing(doc)
    nothing(doc)
    assert calls == 1


def test_tokens_know_their_neighbours_and_their_end() -> None:
    she, sings, stop = parse("She SINGS.")
    assert (she.previous, she.next, stop.next) == (None, sings, None)
    assert (she.previous_word, she.next_word, stop.previous_word, stop.next_word) == ("", "sings", "sings", "")
    assert (she.end, sings.idx, sings.end, stop.end) == (3, 4, 9, 10)


def test_finds_children_by_label() -> None:
    doc = parse("The old man saw a dog.")
    man, verb, dog = doc[2], doc[3], doc[5]
    assert (verb.child("nsubj"), verb.child("dative", "dobj"), verb.child("iobj")) == (man, dog, None)
    assert man.has_child("amod", "poss") and not dog.has_child("amod")
    assert verb.is_verbal and not man.is_verbal
