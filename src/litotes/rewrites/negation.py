"""`negation`: the main clause turned round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.language.verb_group import VerbGroup, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.clauses import is_verb, main_verbs
from litotes.rewrites.fragments import fragment_toggles
from litotes.rewrites.patches import changes, patched
from litotes.rewrites.polarity import POLARITY_SKIPS, Style, Toggle, toggle_clause
from litotes.rewrites.polarity_remove import is_negative

if TYPE_CHECKING:
    from spacy.tokens import Token

_EMBEDDED = frozenset({"ccomp", "xcomp", "conj", "advcl", "acl", "relcl"})


@rule("negation", effect="opposite", needs=("parse", "inflection"), skips=POLARITY_SKIPS)
def negation(sentence: Sentence, *, contractions: Style = "keep", never: bool = False) -> Iterator[Outcome]:
    """Negate the main verb, or take its negation away where it has one."""
    heads = main_verbs(sentence)
    if not heads:
        for toggle in fragment_toggles(sentence):
            yield toggle if isinstance(toggle, Skip) else _draft(sentence, toggle)
        return
    if len(heads) > 1:
        negative = [head for head in heads if is_negative(verb_group(head))]
        if len(negative) != 1:
            yield Skip("several-sentences")
            return
        heads = negative
    main = verb_group(heads[0])
    for group in _in_order(main):
        for toggle in toggle_clause(sentence, group, contractions=contractions):
            yield toggle if isinstance(toggle, Skip) else _draft(sentence, toggle)


def _in_order(main: VerbGroup) -> list[VerbGroup]:
    """The clauses, best first: the main one, unless it is the clause inside that is negated."""
    inner = [verb_group(token) for token in _clauses_inside(main.verb)]
    negated = [group for group in inner if group.negation is not None]
    if is_negative(main) or not negated:
        return [main, *negated]
    return [*negated, main]


def _clauses_inside(verb: Token) -> list[Token]:
    found = []
    for child in verb.children:
        if child.dep_ in _EMBEDDED and is_verb(child):
            found += [child, *_clauses_inside(child)]
    return found


def _draft(sentence: Sentence, toggle: Toggle) -> Draft:
    text = patched(sentence.text, toggle.patches)
    return Draft(text, changes(sentence.text, text), toggle.reason)
