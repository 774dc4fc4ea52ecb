"""Gates: what a rewritten sentence must stand, whatever rule made it."""

from __future__ import annotations

import re

_DOUBLED = re.compile(r"(?<![\w'’])(\w+) \1(?![\w'’])", re.IGNORECASE)
_MAY_BE_DOUBLED = frozenset({"had", "that", "very", "really", "so", "no", "ha", "blah", "bye"})
_STRAY = re.compile(r"  | [,.;?!](?![.\w])|\( | \)|,,|,\.")


def text_fault(before: str, after: str) -> str | None:
    """The skip code of what is wrong with a rewritten text, as far as its letters show; None if nothing is.

    What was odd before the rewrite is not held against it.

    >>> text_fault("I am glad.", "I am am glad."), text_fault("I am glad.", "I am not glad.")
    ('broken', None)
    """
    if after.strip() == before.strip():
        return "unchanged"
    if _count(_STRAY, after) > _count(_STRAY, before):
        return "broken"
    doubled = [word for word in _DOUBLED.findall(after) if word.lower() not in _MAY_BE_DOUBLED]
    return "broken" if len(doubled) > len(_DOUBLED.findall(before)) else None


def _count(pattern: re.Pattern[str], text: str) -> int:
    return len(pattern.findall(text))
