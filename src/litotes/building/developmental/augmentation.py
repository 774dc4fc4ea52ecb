"""Augmentation of small categories: the root of a text, if it is in both texts, is replaced by its synonyms.

Unlike in the paper, the new word has the form of the old one (“jogging” for “running”), the article before it is
adapted, and pairs that lose their category by the change are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from litotes.building.developmental.pairs import in_category_order
from litotes.building.pipeline.text_quality import has_cursing
from litotes.corpora.nli import NliPair
from litotes.languages.en.lexicon.synonyms import lexicon_synonyms
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import inflect_like
from litotes.languages.en.parser import parse_all
from litotes.languages.negation_categories import Ruleset
from litotes.rewrites.patches import patched
from litotes.rewrites.patches import replace as replace_token

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

Synonyms = Literal["all", "usual"]

_POS = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
_UNSUITABLE = re.compile(r"[A-Z\d'.]|[^sui]s$")
"""Names, numbers, abbreviations, phrases with a possessive, plurals."""
_FUNCTION_VERBS = frozenset({"be", "have", "do"})
"""Verbs with little meaning of their own, whose synonyms rarely fit."""


@dataclass(frozen=True)
class AugmentTask:
    """The settings that are sent to worker processes."""

    categories: tuple[str, ...]
    """The categories that are too small."""
    rules: Ruleset | None
    """Ruleset that must confirm the categories of new pairs; without one, they inherit those of their sources."""
    synonyms: Synonyms


class AugmentedPair(NamedTuple):
    """A new pair with a word replaced; its categories are those for which it was made."""

    pair: NliPair
    word: str
    synonym: str


class AugmentResult(NamedTuple):
    """The pairs made from one pair, and the number of those that were dropped because they lost their category."""

    pairs: list[AugmentedPair]
    n_lost: int


def augment_pairs(task: AugmentTask, pairs: Sequence[NliPair]) -> list[AugmentResult]:
    """Return the augmentations of each pair; runs in worker processes."""
    texts = [text for pair in pairs for text in (pair.premise, pair.hypothesis)]
    docs = list(parse_all(texts))
    drafts = [
        list(_drafts(pair, docs[2 * index], docs[2 * index + 1], task.synonyms)) for index, pair in enumerate(pairs)
    ]
    confirmed_categories = iter(_categories([draft.pair for pair_drafts in drafts for draft in pair_drafts], task))
    results: list[AugmentResult] = []
    for pair, pair_drafts in zip(pairs, drafts, strict=True):
        small = [category for category in task.categories if category in (pair.categories or ())]
        augmented = []
        for draft in pair_drafts:
            confirmed = next(confirmed_categories)
            categories = in_category_order(
                [category for category in small if confirmed is None or category in confirmed]
            )
            if categories:
                augmented.append(draft._replace(pair=replace(draft.pair, categories=categories)))
        results.append(AugmentResult(augmented, len(pair_drafts) - len(augmented)))
    return results


def _categories(pairs: Sequence[NliPair], task: AugmentTask) -> list[set[str] | None]:
    if task.rules is None or not pairs:
        return [None] * len(pairs)
    from litotes.languages.en.developmental.classify import classify_texts

    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis)))
    by_text = dict(zip(texts, classify_texts(texts, task.rules), strict=True))
    return [{*by_text[pair.premise], *by_text[pair.hypothesis]} for pair in pairs]


def _drafts(pair: NliPair, premise: Doc, hypothesis: Doc, synonyms: Synonyms) -> Iterator[AugmentedPair]:
    if not (premise.is_parsed and hypothesis.is_parsed):
        return
    seen = {(pair.premise, pair.hypothesis)}
    done: set[tuple[str, str]] = set()
    for root in (*_roots(premise), *_roots(hypothesis)):
        pos = _POS.get(root.pos_, "")
        lemma = root.lemma_.lower()
        occurrences = [_same_word(root, doc) for doc in (premise, hypothesis)]
        if (
            not pos
            or lemma in _FUNCTION_VERBS
            or (lemma, pos) in done
            or not all(occurrences)
            or _has_particle(occurrences)
        ):
            continue
        done.add((lemma, pos))
        for synonym in _synonyms_of(lemma, pos, synonyms):
            new_premise = _replaced(premise, occurrences[0], synonym, pos)
            new_hypothesis = _replaced(hypothesis, occurrences[1], synonym, pos)
            if new_premise is None or new_hypothesis is None or (new_premise, new_hypothesis) in seen:
                continue
            seen.add((new_premise, new_hypothesis))
            new_id = f"{pair.id}+{lemma}.{pos}={synonym.replace(' ', '_')}"
            new = replace(pair, id=new_id, premise=new_premise, hypothesis=new_hypothesis)
            yield AugmentedPair(new, lemma, synonym)


def _roots(doc: Doc) -> list[Token]:
    """Return the roots of the sentences; instead of “be”, as in other parsers, the predicate."""
    roots = []
    for token in doc:
        if token.dep_ == "ROOT":
            predicates = [child for child in token.children if child.dep_ in {"attr", "acomp", "oprd"}]
            roots.append(predicates[0] if token.lemma_ == "be" and predicates else token)
    return roots


def _same_word(root: Token, doc: Doc) -> list[Token]:
    return [token for token in doc if token.lemma_.lower() == root.lemma_.lower() and token.pos_ == root.pos_]


def _has_particle(occurrences: Sequence[Sequence[Token]]) -> bool:
    """Return whether a word has a particle: “pick up” has other synonyms than “pick”."""
    return any(child.dep_ == "prt" for tokens in occurrences for token in tokens for child in token.children)


def _synonyms_of(lemma: str, pos: str, synonyms: Synonyms) -> list[str]:
    if synonyms == "usual":
        names = [near.new for near in lexicon_synonyms(lemma, pos)]
    else:
        members = (name for sense in default_lexicon().senses(lemma, pos) for name in sense.synset.members)
        names = [name for name in dict.fromkeys(members) if name.lower() != lemma and not _UNSUITABLE.search(name)]
    return [name for name in names if not has_cursing(name)]


def _replaced(doc: Doc, tokens: Sequence[Token], synonym: str, pos: str) -> str | None:
    forms = [inflect_like(token, synonym, pos) for token in tokens]
    patches = [replace_token(token, form) for token, form in zip(tokens, forms, strict=True) if form is not None]
    return patched(doc.text, patches) if len(patches) == len(tokens) else None
