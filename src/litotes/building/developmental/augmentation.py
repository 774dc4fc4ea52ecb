"""More pairs for small categories: the root of a text that both texts share, replaced in both by its synonyms.

As in the paper, but the new word keeps the form of the old one (“jogging” for “running”; the paper puts the bare
synonym), the article before it fits, and a pair that falls out of its category by the change is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from litotes.building.developmental.pairs import in_paper_order
from litotes.building.pipeline.text_quality import has_cursing
from litotes.corpora.nli import NliPair
from litotes.languages.en.lexicon.synonyms import lexicon_synonyms
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import in_place_of
from litotes.languages.en.parser import is_parsed, parse_all
from litotes.languages.negation_categories import Ruleset
from litotes.rewrites.patches import patched
from litotes.rewrites.patches import replace as another

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

Synonyms = Literal["all", "usual"]

_POS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
_NO_WORD = re.compile(r"[A-Z\d'.]|[^sui]s$")
"""Names, numbers, abbreviations, what has to be fitted to its person, plurals."""
_BARE = frozenset({"be", "have", "do"})
"""Verbs that are more of grammar than of meaning: of their synonyms none fits but by chance."""


@dataclass(frozen=True)
class Augmenting:
    """How pairs are augmented; it is sent to workers."""

    categories: tuple[str, ...]
    """Those that are too small."""
    rules: Ruleset | None
    """By which the new pairs must have their categories; None: they have what their sources have."""
    synonyms: Synonyms


class Variant(NamedTuple):
    """A pair that was made from another; its categories are those that it was made for."""

    pair: NliPair
    word: str
    new: str


class Variants(NamedTuple):
    """What was made of one pair, and how many were not taken because they lost the category."""

    made: list[Variant]
    lost: int


def make_variants(work: Augmenting, pairs: Sequence[NliPair]) -> list[Variants]:
    """What comes of each pair; what workers do."""
    texts = [text for pair in pairs for text in (pair.premise, pair.hypothesis)]
    docs = list(parse_all(texts))
    drafts = [
        list(_drafts(pair, docs[2 * place], docs[2 * place + 1], work.synonyms)) for place, pair in enumerate(pairs)
    ]
    told = iter(_categories([draft.pair for some in drafts for draft in some], work))
    found: list[Variants] = []
    for pair, some in zip(pairs, drafts, strict=True):
        wanted = [category for category in work.categories if category in (pair.categories or ())]
        made = []
        for draft in some:
            has = next(told)
            kept = in_paper_order([category for category in wanted if has is None or category in has])
            if kept:
                made.append(draft._replace(pair=replace(draft.pair, categories=kept)))
        found.append(Variants(made, len(some) - len(made)))
    return found


def _categories(pairs: Sequence[NliPair], work: Augmenting) -> list[set[str] | None]:
    if work.rules is None or not pairs:
        return [None] * len(pairs)
    from litotes.languages.en.developmental.classify import classify_texts

    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis)))
    told = dict(zip(texts, classify_texts(texts, work.rules), strict=True))
    return [{*told[pair.premise], *told[pair.hypothesis]} for pair in pairs]


def _drafts(pair: NliPair, premise: Doc, hypothesis: Doc, which: Synonyms) -> Iterator[Variant]:
    if not (is_parsed(premise) and is_parsed(hypothesis)):
        return
    seen = {(pair.premise, pair.hypothesis)}
    done: set[tuple[str, str]] = set()
    for root in (*_roots(premise), *_roots(hypothesis)):
        pos = _POS.get(root.pos_, "")
        lemma = root.lemma_.lower()
        places = [_same_word(root, doc) for doc in (premise, hypothesis)]
        if not pos or lemma in _BARE or (lemma, pos) in done or not all(places) or _has_particle(places):
            continue
        done.add((lemma, pos))
        for synonym in _synonyms(lemma, pos, which):
            new_premise = _replaced(premise, places[0], synonym, pos)
            new_hypothesis = _replaced(hypothesis, places[1], synonym, pos)
            if new_premise is None or new_hypothesis is None or (new_premise, new_hypothesis) in seen:
                continue
            seen.add((new_premise, new_hypothesis))
            own = f"{pair.id}+{lemma}.{pos}={synonym.replace(' ', '_')}"
            new = replace(pair, id=own, premise=new_premise, hypothesis=new_hypothesis)
            yield Variant(new, lemma, synonym)


def _roots(doc: Doc) -> list[Token]:
    """The word that the sentence is about: under “be” that is what is said of the subject, as other parsers have it."""
    found = []
    for token in doc:
        if token.dep_ == "ROOT":
            under = [child for child in token.children if child.dep_ in {"attr", "acomp", "oprd"}]
            found.append(under[0] if token.lemma_ == "be" and under else token)
    return found


def _same_word(root: Token, doc: Doc) -> list[Token]:
    return [token for token in doc if token.lemma_.lower() == root.lemma_.lower() and token.pos_ == root.pos_]


def _has_particle(places: Sequence[Sequence[Token]]) -> bool:
    """“pick up” has other synonyms than “pick”."""
    return any(child.dep_ == "prt" for tokens in places for token in tokens for child in token.children)


def _synonyms(lemma: str, pos: str, which: Synonyms) -> list[str]:
    if which == "usual":
        found = [near.new for near in lexicon_synonyms(lemma, pos)]
    else:
        members = (name for sense in default_lexicon().senses(lemma, pos) for name in sense.synset.members)
        found = [name for name in dict.fromkeys(members) if name.lower() != lemma and not _NO_WORD.search(name)]
    return [name for name in found if not has_cursing(name)]


def _replaced(doc: Doc, tokens: Sequence[Token], synonym: str, pos: str) -> str | None:
    forms = [in_place_of(token, synonym, pos) for token in tokens]
    patches = [another(token, form) for token, form in zip(tokens, forms, strict=True) if form is not None]
    return patched(doc.text, patches) if len(patches) == len(tokens) else None
