"""Abbreviations that end with a full stop."""

from __future__ import annotations

from litotes.languages.en.word_lists import word_list

TITLES = word_list("titles")
"""Titles before a name, with a capital: "Rep." is a title, "rep" is not."""
NEVER_LAST = frozenset("e.g i.e cf vs viz approx ca al".split())
"""Abbreviations that never end a sentence."""
BEFORE_NUMBERS = frozenset("no nos p pp ch fig figs vol vols eq sec art ed eds v".split())
"""Abbreviations before a number; without one they are words."""
MONTHS = frozenset("jan feb mar apr jun jul aug sep sept oct nov dec".split())
ORGANISATIONS = frozenset("co corp dept est inc ltd".split())
AFTER_NAMES = frozenset("jr bros etc u.s u.k u.n a.m p.m".split())
MAY_END_SENTENCE = MONTHS | ORGANISATIONS | AFTER_NAMES
"""Abbreviations that may end a sentence; the next word decides."""
