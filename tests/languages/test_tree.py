"""`cached_on_doc`: results that are cached on a document."""

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
