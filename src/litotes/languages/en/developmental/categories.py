"""The categories of developmental negation (Laverghetta and Licato, 2022), by name, in the paper's order."""

from __future__ import annotations

from typing import Literal

Category = Literal["possession", "existence", "labeling", "prohibition", "inability", "epistemic", "rejection"]

SHORT = {
    "possession": "PO",
    "existence": "EX",
    "labeling": "L",
    "prohibition": "PR",
    "inability": "I",
    "epistemic": "EP",
    "rejection": "R",
}
"""Category → the paper's abbreviation."""

CATEGORIES = tuple(SHORT)

Ruleset = Literal["paper", "litotes"]
RULESETS = ("paper", "litotes")
