"""Sentences as HTML with the words marked that differ from another sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from markupsafe import Markup, escape

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\s+|.", re.DOTALL)
_MAX_LENGTH = 600
"""Longer texts are cut."""


def mark_differences(text: str, reference: str) -> Markup:
    """Return the escaped text with the parts marked that the reference does not have.

    >>> print(mark_differences("It is not <b>.", "It is <b>."))
    It is <mark>not</mark> &lt;b&gt;.
    """
    tokens, reference_tokens = _tokens(text), _tokens(reference)
    is_common = [False] * len(tokens)
    matcher = SequenceMatcher(None, _folded(tokens), _folded(reference_tokens), autojunk=False)
    for block in matcher.get_matching_blocks():
        is_common[block.a : block.a + block.size] = [True] * block.size
    parts = [escape(part) if common else _marked(part) for part, common in _parts(tokens, is_common)]
    return Markup("").join([*parts, "…" if len(text) > _MAX_LENGTH else ""])


def _marked(part: str) -> Markup:
    """Return the part in a mark, without the spaces around it."""
    inner = part.strip()
    if not inner:
        return escape(part)
    before, _, after = part.partition(inner)
    return escape(before) + Markup("<mark>{}</mark>").format(inner) + escape(after)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text[:_MAX_LENGTH])


def _folded(tokens: Sequence[str]) -> list[str]:
    """Return the tokens without the distinction of case and of apostrophes."""
    return [token.casefold().replace("’", "'") for token in tokens]


def _parts(tokens: Sequence[str], is_common: Sequence[bool]) -> list[tuple[str, bool]]:
    """Join neighbouring tokens of one class; a space between two that differ belongs to them."""
    classes = [
        common or (token.isspace() and all([*is_common[max(index - 1, 0) : index], *is_common[index + 1 : index + 2]]))
        for index, (token, common) in enumerate(zip(tokens, is_common, strict=True))
    ]
    parts: list[tuple[str, bool]] = []
    for token, common in zip(tokens, classes, strict=True):
        if parts and parts[-1][1] == common:
            parts[-1] = (parts[-1][0] + token, common)
        else:
            parts.append((token, common))
    return parts
