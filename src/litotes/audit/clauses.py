"""Whether a word decides what its whole sentence says, or only a part: a condition, a relative clause, the subject."""

from __future__ import annotations

from litotes.audit.opposed_words import Opposed
from litotes.language.tree import Doc, Token
from litotes.rewrites.words.fixed_expressions import in_fixed_expression

_APART = frozenset({"advcl", "relcl", "acl", "csubj", "csubjpass", "pcomp", "parataxis"})
"""Clauses whose change leaves what is said of the rest: “if it does not rain”, “who is not here”."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_OPEN = frozenset(
    {"if", "whether", "unless", "until", "till", "when", "while", "because", "since", "although", "though"}
)
_POS = {"a": ("ADJ", "VERB", "ADV"), "r": ("ADV",), "v": ("VERB",), "n": ("NOUN",)}
_DIRECTIONS = frozenset({"up", "down", "in", "out"})
_ASKING = frozenset({"WP", "WRB", "WDT", "WP$"})


def token_at(doc: Doc, start: int) -> Token | None:
    """The word that begins there."""
    return next((token for token in doc if token.idx == start), None)


def denies_the_sentence(doc: Doc, start: int) -> bool:
    """Whether the sentence as a whole turns with the negation that begins there."""
    token = token_at(doc, start)
    return token is not None and _reaches_the_top(token, through_subject=True)


def opposes_the_sentence(doc: Doc, start: int, how: tuple[Opposed, ...]) -> bool:
    """Whether the sentence as a whole turns if the word that begins there has its opposite in its place."""
    token = token_at(doc, start)
    if token is None or token.pos_ == "PROPN":
        return False
    kinds = [one.pos for one in how if one.pos == "g" or token.pos_ in _POS[one.pos]]
    if not kinds or ("g" not in kinds and in_fixed_expression(token)):
        return False
    if token.lower_ in _DIRECTIONS and token.dep_ == "prep":
        return False  # in the window, and out of it
    if kinds == ["n"] and (token.dep_ != "attr" or any(one.dep_ == "expl" for one in token.head.children)):
        return False  # a boy ran, and a girl ran; there is a boy, and there is a girl
    if token.dep_ == "amod" and _is_general(token.head):
        return False  # she likes old songs, and she likes new songs
    return _reaches_the_top(token, through_subject="g" in kinds)


def _is_general(noun: Token) -> bool:
    """Whether a noun stands for any of its kind: one that is not the predicate, not had, and without an article."""
    if noun.dep_ == "attr" or noun.head.lemma_ == "have":
        return False
    return not any(child.dep_ in {"det", "poss", "nummod"} for child in noun.children)


def _reaches_the_top(token: Token, *, through_subject: bool) -> bool:
    """Whether nothing between a word and the root of its sentence keeps what it says apart."""
    while True:
        if any(child.dep_ == "mark" and child.lower_ in _OPEN for child in token.children):
            return False
        if token.head is token:
            return True
        if token.dep_ in _APART or (token.dep_ in _SUBJECTS and not through_subject):
            return False
        if token.dep_ == "ccomp" and any(one.tag_ in _ASKING for one in token.lefts):
            return False  # I know who came, and I know who did not
        if token.dep_ == "ccomp" and any(one.dep_ == "neg" for one in token.head.children):
            return False  # I did not say that he came, nor that he did not
        token = token.head
