"""Contractions: their full forms, and the contractions of verbs with "not"."""

from __future__ import annotations

from litotes.languages.en.verbs import INVERTIBLE_VERBS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Token

TAKES_NOT = (INVERTIBLE_VERBS - {"am"}) | {"shall", "need"}
"""Verbs with a contraction with “not”."""
_WITH_NOT = {verb: f"{verb}n't" for verb in TAKES_NOT} | {"can": "can't", "will": "won't", "shall": "shan't"}
NOT_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
"""Forms of verbs that only occur before “n't”."""

ENDINGS = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
"""Contracted verbs with one full form, without the apostrophe."""
_FULL_FORMS = ENDINGS | {f"'{ending}": full for ending, full in ENDINGS.items()}

_NEVER_PASSIVE = word_list("never passive")
"""Participles before which “'s” is always “has”."""
_INFINITIVE_VERBS = word_list("infinitive verbs")
"""Participles before which “'s” is “has” if an infinitive follows."""


def with_not(full: str, doc: Doc) -> str | None:
    """Return the contraction of a verb and “not” with the text's apostrophe, or None if it does not exist (may, am)."""
    form = _WITH_NOT.get(full.lower())
    return None if form is None else form.replace("'", apostrophe(doc))


def apostrophe(doc: Doc) -> str:
    """Return the apostrophe of the text: straight, unless it only contains curly ones."""
    return "’" if "’" in doc.text and "'" not in doc.text else "'"


def is_contracted(token: Token) -> bool:
    """Return whether a token is a contracted verb: “'s”, “'ll”."""
    return token.text[0] in "'’" or (token.i > 0 and token.lower_ in _FULL_FORMS and not token.nbor(-1).whitespace_)


def full_form(token: Token, verb: Token) -> str:
    """Return the full form of a finite verb, which may be contracted; `verb` is the head of its group.

    >>> from litotes.languages.en.parser import parse
    >>> doc = parse("She's been ill, but he'd rather go than you'll think.")
    >>> full_form(doc[1], doc[2]), full_form(doc[7], doc[9])
    ('has', 'would')
    """
    lower = token.lower_
    if lower in NOT_STEMS and token.next is not None and token.nbor().lower_.startswith("n"):
        return NOT_STEMS[lower]
    if is_contracted(token):
        lower = lower.replace("’", "'")
        if lower in {"'s", "s"}:
            return "has" if _is_perfect(token, verb) else "is"
        if lower in {"'d", "d"}:
            return "had" if _is_past_perfect(token, verb) else "would"
        return _FULL_FORMS.get(lower, lower)
    return lower


def _is_perfect(token: Token, verb: Token) -> bool:
    """Return whether “'s” is “has”: before “been” and “got”, and before a participle with an object."""
    if verb.i <= token.i or verb.tag_ not in {"VBN", "VBD"}:
        return False
    if verb.lower_ in _NEVER_PASSIVE:
        return True
    if verb.lower_ == "gone":  # “he is gone”, but “he has gone home”
        return any(child.dep_ in {"advmod", "prep", "npadvmod", "xcomp"} for child in verb.rights)
    if verb.lower_ in _INFINITIVE_VERBS and any(child.dep_ == "xcomp" for child in verb.rights):
        return True
    between = [child for child in verb.children if child.dep_ in {"aux", "auxpass"} and child.i > token.i]
    if between and between[0].lower_ == "been":
        return True
    return not between and verb.has_child("dobj", "ccomp")


def _is_past_perfect(token: Token, verb: Token) -> bool:
    """Return whether “'d” is “had”: before “better” and before a participle."""
    following = token.next_word
    first_verb = next((word for word in token.doc[token.i + 1 : verb.i + 1] if word.tag_.startswith("VB")), verb)
    return following == "better" or (first_verb.tag_ in {"VBN", "VBD"} and first_verb.lower_ != "have")


def without_not(auxiliary: Token) -> str:
    """Return an auxiliary as it is written without “n't”: “can” for “ca”."""
    return NOT_STEMS.get(auxiliary.lower_, auxiliary.text)


def uses_contractions(doc: Doc) -> bool:
    """Return whether the text contains contractions; the possessive 's does not count."""
    if "'" not in doc.text and "’" not in doc.text and "nt" not in doc.lowers:
        return False
    return any(
        token.tag_ != "POS" and (token.lower_ in {"n't", "n’t", "nt"} or (token.text[0] in "'’" and len(token) > 1))
        for token in doc
    )
