"""Classify negated texts by the seven developmental categories, by the rules of the paper or by ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, overload

from litotes.core.errors import UsageError
from litotes.languages.en.developmental.actions import inability, prohibition
from litotes.languages.en.developmental.attitudes import epistemic, rejection
from litotes.languages.en.developmental.denials import Words
from litotes.languages.en.developmental.entities import existence, labeling, possession
from litotes.languages.en.developmental.paper_rules import paper_findings
from litotes.languages.en.negation import has_marker, straighten
from litotes.languages.en.parser import parse_all
from litotes.languages.negation_categories import CATEGORIES, RULESETS
from litotes.languages.tree import Doc, Token

RULES: dict[str, Callable[[Doc], Iterator[Words]]] = {
    rule.__name__: rule for rule in (possession, existence, labeling, prohibition, inability, epistemic, rejection)
}


def litotes_findings(doc: Doc) -> Iterator[tuple[str, Words]]:
    """Yield the categories of a text with the words that matched each rule."""
    for category, rule in RULES.items():
        for words in rule(doc):
            yield category, words


_FINDERS = {"paper": paper_findings, "litotes": litotes_findings}


@overload
def classify_negation(text: str, rules: str = "litotes", *, explain: Literal[False] = False) -> set[str]: ...
@overload
def classify_negation(text: str, rules: str = "litotes", *, explain: Literal[True]) -> dict[str, tuple[str, ...]]: ...
@overload
def classify_negation(text: str, rules: str = "litotes", *, explain: bool) -> set[str] | dict[str, tuple[str, ...]]: ...
def classify_negation(
    text: str, rules: str = "litotes", *, explain: bool = False
) -> set[str] | dict[str, tuple[str, ...]]:
    """Return the categories of negation in a text; with `explain`, by category the words that matched its rule.

    >>> classify_negation("The shed has no door.")
    {'possession'}
    >>> classify_negation("I don't really know why.", explain=True)
    {'epistemic': ('do', "n't", 'know')}
    >>> classify_negation("The shed has no door.", rules="paper")
    set()
    """
    categories = classify_texts([text], rules)[0]
    return categories if explain else set(categories)


def classify_texts(texts: Sequence[str], rules: str = "litotes") -> list[dict[str, tuple[str, ...]]]:
    """Return the categories of each text with the matched words; only texts with a marker are parsed.

    >>> classify_texts(["Tom can't swim.", "Tom swims."])
    [{'inability': ('ca', "n't", 'swim')}, {}]
    """
    _check(rules)
    marked = [has_marker(text, rules) for text in texts]
    docs = parse_all(straighten(text) for text, is_marked in zip(texts, marked, strict=True) if is_marked)
    return [
        _as_written(text, _find_categories(next(docs), rules)) if is_marked else {}
        for text, is_marked in zip(texts, marked, strict=True)
    ]


def classify_doc(doc: Doc, rules: str = "litotes") -> dict[str, tuple[str, ...]]:
    """Return the categories of a parsed text in the order of the paper, with the words of the first match."""
    _check(rules)
    return _as_written(doc.text, _find_categories(doc, rules))


def _find_categories(doc: Doc, rules: str) -> dict[str, Words]:
    if not doc.is_parsed or not has_marker(doc.text, rules):
        return {}
    matches: dict[str, Words] = {}
    for category, words in _FINDERS[rules](doc):
        matches.setdefault(category, words)
    return {category: matches[category] for category in CATEGORIES if category in matches}


def _as_written(text: str, matches: dict[str, Words]) -> dict[str, tuple[str, ...]]:
    return {category: tuple(_word(text, token) for token in words) for category, words in matches.items()}


def _word(text: str, token: Token) -> str:
    """Return a word as it is written; for "don 't", as the parser read it."""
    written = text[token.idx : token.idx + len(token)]
    return token.text if " " in written else written


def _check(rules: str) -> None:
    if rules not in RULESETS:
        raise UsageError("L101", f'unknown ruleset "{rules}"', hint=f"known: {', '.join(RULESETS)}")
