"""Quadruples after a prefix such as "No, …" or "I think …", which does not change what is negated.

Without them a model takes the "No" of "No, it is possible" as a negation of what follows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from litotes.languages.base import get_language
from litotes.repair.examples.base import TrainingExample


def prefixed(quadruples: Iterable[TrainingExample]) -> Iterator[TrainingExample]:
    """Yield about every second quadruple, if possible, with the same prefix before its four sentences."""
    language = get_language()
    for example in quadruples:
        digest = hashlib.sha256(example.anchor.encode("utf-8", "surrogatepass")).digest()
        if digest[1] % 2 and (texts := language.add_prefix(example.texts, digest[2])):
            anchor, positive, negative, second_negative = texts
            yield replace(example, anchor=anchor, positive=positive, negative=negative, second_negative=second_negative)
