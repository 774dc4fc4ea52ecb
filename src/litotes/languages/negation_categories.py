"""The seven categories of developmental negation (Laverghetta and Licato, 2022), independent of any language."""

from __future__ import annotations

from typing import Literal

Category = Literal["possession", "existence", "labeling", "prohibition", "inability", "epistemic", "rejection"]

CODES = {
    "possession": "PO",
    "existence": "EX",
    "labeling": "L",
    "prohibition": "PR",
    "inability": "I",
    "epistemic": "EP",
    "rejection": "R",
}
"""The paper's abbreviation of each category, in the paper's order."""

CATEGORIES = tuple(CODES)

Ruleset = Literal["paper", "litotes"]
"""Rules that assign categories: those of the paper, reproduced, or our own."""

RULESETS: tuple[Ruleset, ...] = ("paper", "litotes")
