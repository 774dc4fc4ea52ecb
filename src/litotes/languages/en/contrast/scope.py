"""Whether a negation or an antonym changes the meaning of its whole sentence, decided on the parse."""

from __future__ import annotations

from litotes.languages.en.conjunctions import SUBORDINATORS
from litotes.languages.en.contrast.word_pairs import Opposition
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.prepositions import CORE_DIRECTIONS
from litotes.languages.en.syntax.tags import RELATIVE_CLAUSE_DEPS, SUBJECT_DEPS, WH_TAGS
from litotes.languages.tree import Doc, Token

_SEPARATE_CLAUSES = RELATIVE_CLAUSE_DEPS | {"advcl", "csubj", "csubjpass", "pcomp", "parataxis"}
"""Clauses whose negation does not change what the rest says: "if it does not rain", "who is not here"."""
_UNIVERSAL_POS = {"a": ("ADJ", "VERB", "ADV"), "r": ("ADV",), "v": ("VERB",), "n": ("NOUN",)}


def negates_sentence(doc: Doc, start: int) -> bool:
    """Return whether the negation at a character offset negates the whole sentence."""
    token = _token_at(doc, start)
    return token is not None and _affects_root(token, through_subject=True)


def reverses_sentence(doc: Doc, start: int, oppositions: tuple[Opposition, ...]) -> bool:
    """Return whether replacing the word at a character offset by its antonym contradicts the whole sentence."""
    token = _token_at(doc, start)
    if token is None or token.pos_ == "PROPN":
        return False
    kinds = [
        opposition.pos
        for opposition in oppositions
        if opposition.pos == "g" or token.pos_ in _UNIVERSAL_POS[opposition.pos]
    ]
    if not kinds or ("g" not in kinds and in_fixed_expression(token)):
        return False
    if token.lower_ in CORE_DIRECTIONS and token.dep_ == "prep":
        return False  # "in the window" and "out of the window" may both be true
    if kinds == ["n"] and (token.dep_ != "attr" or any(child.dep_ == "expl" for child in token.head.children)):
        return False  # "a boy ran" and "a girl ran", "there is a boy" and "there is a girl"
    if token.dep_ == "amod" and _is_generic(token.head):
        return False  # "she likes old songs" and "she likes new songs"
    return _affects_root(token, through_subject="g" in kinds)


def _token_at(doc: Doc, start: int) -> Token | None:
    return next((token for token in doc if token.idx == start), None)


def _is_generic(noun: Token) -> bool:
    """Return whether a noun without a determiner stands for any of its kind; predicates and possessions do not."""
    if noun.dep_ == "attr" or noun.head.lemma_ == "have":
        return False
    return not any(child.dep_ in {"det", "poss", "nummod"} for child in noun.children)


def _affects_root(token: Token, *, through_subject: bool) -> bool:
    """Return whether no clause or subject between a token and the root limits its scope."""
    while True:
        if any(child.dep_ == "mark" and child.lower_ in SUBORDINATORS for child in token.children):
            return False
        if token.head is token:
            return True
        if token.dep_ in _SEPARATE_CLAUSES or (token.dep_ in SUBJECT_DEPS and not through_subject):
            return False
        if token.dep_ == "ccomp" and any(child.tag_ in WH_TAGS for child in token.lefts):
            return False  # "I know who came" and "I know who did not come"
        if token.dep_ == "ccomp" and any(child.dep_ == "neg" for child in token.head.children):
            return False  # "I did not say that he came" and "I did not say that he did not come"
        token = token.head
