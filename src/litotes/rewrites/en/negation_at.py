"""The rule `negation_at`: negate the clause of a chosen adjective or verb."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, refuse_if, rule
from litotes.rewrites.en.grammar.clauses import is_verb, predicate_of
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, apply_toggle, toggle_fragment, toggle_word


@rule(
    "negation_at",
    effect="opposite",
    needs=("parse", "inflection"),
    skips={**POLARITY_SKIPS, "no-word": "the sentence contains no adjective or verb, or not the requested word"},
)
def negation_at(
    sentence: Sentence, *, word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """Negate at a chosen word; by default at each adjective and verb in turn, adjectives first."""
    words = chosen_words(sentence, word)
    if not words:
        refuse_if(word is not None, "no-word")
        fragment = toggle_fragment(sentence, contractions=contractions)
        yield _draft(sentence, sentence.roots[0], fragment)
        return
    later: list[Draft] = []
    local: list[Draft] = []
    done: set[int] = set()
    for chosen in words:
        is_first = True
        predicate = predicate_of(chosen)
        is_done = predicate is not None and predicate.i in done
        if predicate is not None:
            done.add(predicate.i)
        for toggle in toggle_word(sentence, chosen, contractions=contractions, clause_is_done=is_done):
            if isinstance(toggle, Skip):
                yield toggle
                continue
            draft = _draft(sentence, chosen, toggle)
            if toggle.is_local:
                local.append(draft)
            elif is_first:
                yield draft
                is_first = False
            else:
                later.append(draft)
    yield from later
    yield from local


def chosen_words(sentence: Sentence, word: str | None) -> list[Token]:
    """Return the adjectives, then the verbs; with `word` the tokens with that form or lemma."""
    tokens = sentence.doc.tokens
    if word is not None:
        lower = word.lower()
        return [token for token in tokens if lower in (token.lower_, token.lemma_.lower()) and token.is_alpha]
    adjectives = [token for token in tokens if token.pos_ == "ADJ" and token.tag_ in {"JJ", "JJR", "JJS"}]
    verbs = [token for token in tokens if token.pos_ == "VERB" and is_verb(token)]
    copulas = [token for token in tokens if token.pos_ == "AUX" and is_verb(token)]
    return adjectives + verbs + copulas


def _draft(sentence: Sentence, word: Token, toggle: Toggle) -> Draft:
    return Draft(apply_toggle(sentence, toggle), reason=f"at “{word.text}”: {toggle.reason}")
