"""`negation_at`: the negation of the clause in which a chosen adjective or verb stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.clauses import is_verb, predicate_of
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.fragments import toggle_fragment
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, apply_toggle, toggle_word

if TYPE_CHECKING:
    from litotes.languages.tree import Token


@rule(
    "negation_at",
    effect="opposite",
    needs=("parse", "inflection"),
    skips={**POLARITY_SKIPS, "no-word": "it has no adjective or verb, or not the one that was asked for"},
)
def negation_at(
    sentence: Sentence, *, word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """Negate at a chosen word; without one at each adjective and verb in turn, adjectives first."""
    places = chosen_words(sentence, word)
    if not places:
        yield from _without_place(sentence, contractions) if word is None else [Skip("no-word")]
        return
    later: list[Draft] = []
    last: list[Draft] = []
    done: set[int] = set()
    for place in places:
        first = True
        predicate = predicate_of(place)
        known = predicate is not None and predicate.i in done
        if predicate is not None:
            done.add(predicate.i)
        for toggle in toggle_word(sentence, place, contractions=contractions, clause_is_done=known):
            if isinstance(toggle, Skip):
                yield toggle
                continue
            draft = _draft(sentence, place, toggle)
            if toggle.is_local:
                last.append(draft)
            elif first:
                yield draft
                first = False
            else:
                later.append(draft)
    yield from later
    yield from last


def _without_place(sentence: Sentence, contractions: ContractionStyle) -> Iterator[Outcome]:
    for toggle in toggle_fragment(sentence, contractions=contractions):
        yield toggle if isinstance(toggle, Skip) else _draft(sentence, sentence.roots[0], toggle)


def chosen_words(sentence: Sentence, word: str | None) -> list[Token]:
    """The adjectives, then the verbs of a sentence; with `word` those that are written so or have that lemma."""
    tokens = sentence.doc.tokens
    if word is not None:
        asked = word.lower()
        return [token for token in tokens if asked in (token.lower_, token.lemma_.lower()) and token.is_alpha]
    adjectives = [token for token in tokens if token.pos_ == "ADJ" and token.tag_ in {"JJ", "JJR", "JJS"}]
    verbs = [token for token in tokens if token.pos_ == "VERB" and is_verb(token)]
    copulas = [token for token in tokens if token.pos_ == "AUX" and is_verb(token)]
    return adjectives + verbs + copulas


def _draft(sentence: Sentence, place: Token, toggle: Toggle) -> Draft:
    return Draft(apply_toggle(sentence, toggle), reason=f"at “{place.text}”: {toggle.reason}")
