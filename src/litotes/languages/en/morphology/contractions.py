"""Contractions: what a short form stands for, and which words have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

_WITH_NOT = {
    "is": "isn't",
    "are": "aren't",
    "was": "wasn't",
    "were": "weren't",
    "has": "hasn't",
    "have": "haven't",
    "had": "hadn't",
    "do": "don't",
    "does": "doesn't",
    "did": "didn't",
    "can": "can't",
    "could": "couldn't",
    "will": "won't",
    "would": "wouldn't",
    "should": "shouldn't",
    "must": "mustn't",
    "shall": "shan't",
    "need": "needn't",
}
TAKES_NOT = frozenset(_WITH_NOT)
"""Verbs that “not” is contracted with."""
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
"""What is left of some verbs before n't."""

_SHORT = {"'re": "are", "'m": "am", "m": "am", "'ve": "have", "'ll": "will", "re": "are", "ve": "have", "ll": "will"}

_NEVER_PASSIVE = frozenset(
    "been got had become come arrived happened died fallen slept lived appeared disappeared existed risen laughed"
    " smiled cried waited".split()
)
"""Participles before which “'s” can only be “has”."""
_OF_STARTING = frozenset("started stopped begun decided tried managed agreed refused learned learnt finished".split())


def with_not(full: str, doc: Doc) -> str | None:
    """The contraction of a verb and “not”, with the text's apostrophe; None where there is none (may, am)."""
    form = _WITH_NOT.get(full.lower())
    return None if form is None else form.replace("'", apostrophe(doc))


def apostrophe(doc: Doc) -> str:
    """The sign that the text uses: straight, unless all of its own are curly."""
    return "’" if "’" in doc.text and "'" not in doc.text else "'"


def is_short(token: Token) -> bool:
    """Whether a token is the contracted form of a verb: “'s”, “'ll”."""
    return token.text[0] in "'’" or (token.i > 0 and token.lower_ in _SHORT and not token.nbor(-1).whitespace_)


def full_form(token: Token, verb: Token) -> str:
    """The whole word behind a finite verb, contracted or not; `verb` is the head of its group.

    >>> from litotes.languages.en.parser import parse
    >>> doc = parse("She's been ill, but he'd rather go than you'll think.")
    >>> full_form(doc[1], doc[2]), full_form(doc[7], doc[9])
    ('has', 'would')
    """
    lower = token.lower_
    if lower in _STEMS and token.i + 1 < len(token.doc) and token.nbor().lower_.startswith("n"):
        return _STEMS[lower]
    if is_short(token):
        lower = lower.replace("’", "'")
        if lower in {"'s", "s"}:
            return "has" if _is_perfect(token, verb) else "is"
        if lower in {"'d", "d"}:
            return "had" if _follows_had(token, verb) else "would"
        return _SHORT.get(lower, lower)
    return lower


def _is_perfect(token: Token, verb: Token) -> bool:
    """Whether “'s” is “has”: before been and got, and before a participle that has an object of its own."""
    if verb.i <= token.i or verb.tag_ not in {"VBN", "VBD"}:
        return False
    if verb.lower_ in _NEVER_PASSIVE:
        return True
    if verb.lower_ == "gone":  # “He's gone” is a state, “He's gone home” what he did
        return any(child.dep_ in {"advmod", "prep", "npadvmod", "xcomp"} for child in verb.rights)
    if verb.lower_ in _OF_STARTING and any(child.dep_ == "xcomp" for child in verb.rights):
        return True
    between = [child for child in verb.children if child.dep_ in {"aux", "auxpass"} and child.i > token.i]
    if between and between[0].lower_ == "been":
        return True
    return not between and any(child.dep_ in {"dobj", "ccomp"} for child in verb.children)


def _follows_had(token: Token, verb: Token) -> bool:
    following = token.nbor().lower_ if token.i + 1 < len(token.doc) else ""
    first_verb = next((one for one in token.doc[token.i + 1 : verb.i + 1] if one.tag_.startswith("VB")), verb)
    return following == "better" or (first_verb.tag_ in {"VBN", "VBD"} and first_verb.lower_ != "have")


def positive_of(auxiliary: Token) -> str:
    """The word that is left when “n't” goes: “ca” + “n't” → “can”."""
    return _STEMS.get(auxiliary.lower_, auxiliary.text)


def uses_contractions(doc: Doc) -> bool:
    """Whether the text contracts verbs or “not” anywhere (the possessive 's does not count)."""
    if "'" not in doc.text and "’" not in doc.text and "nt" not in doc.lowers:
        return False
    return any(
        token.tag_ != "POS" and (token.lower_ in {"n't", "n’t", "nt"} or (token.text[0] in "'’" and len(token) > 1))
        for token in doc
    )
