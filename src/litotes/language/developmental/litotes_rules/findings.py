"""The seven rules together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from litotes.language.developmental.denials import Words
from litotes.language.developmental.litotes_rules.epistemic import epistemic
from litotes.language.developmental.litotes_rules.existence import existence
from litotes.language.developmental.litotes_rules.inability import inability
from litotes.language.developmental.litotes_rules.labeling import labeling
from litotes.language.developmental.litotes_rules.possession import possession
from litotes.language.developmental.litotes_rules.prohibition import prohibition
from litotes.language.developmental.litotes_rules.rejection import rejection

if TYPE_CHECKING:
    from litotes.language.tree import Doc

RULES: dict[str, Callable[[Doc], Iterator[Words]]] = {
    "possession": possession,
    "existence": existence,
    "labeling": labeling,
    "prohibition": prohibition,
    "inability": inability,
    "epistemic": epistemic,
    "rejection": rejection,
}


def litotes_findings(doc: Doc) -> Iterator[tuple[str, Words]]:
    """The categories of a text, and the words that made each rule hold."""
    for category, rule in RULES.items():
        for words in rule(doc):
            yield category, words
