"""Prohibition: a command not to do something ("Don't run!", "Never touch it", "You must not smoke", "No parking")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.developmental.denials import Denial, Words, child_of, denials
from litotes.languages.en.negation import NOT
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Span, Token

_STATES = frozenset(
    {
        *("have", "like", "want", "know", "think", "remember", "care", "need", "see", "mean", "believe", "understand"),
        *("recall", "seem", "matter", "own", "hear", "do", "suppose", "guess"),
    }
)
"""Without a subject these are not commands, but short for "I don't …"."""
_IDIOMS = frozenset({"worry", "mind", "forget", "miss", "hesitate", "fail", "fret", "despair"})
"""Negative in form only: "Don't forget" is a reminder, "Don't worry" a comfort."""
_TELLING = frozenset({"tell", "warn", "order", "instruct", "command"})
_OPENING = frozenset({"CC", "UH", "RB", "HYPH", ",", ".", ":", "``", "''", "-LRB-", "NFP"})
_FORBIDDEN = frozenset(
    {
        *("smoking", "parking", "running", "talking", "swimming", "eating", "drinking", "shouting", "fishing"),
        *("camping", "diving", "trespassing", "loitering", "littering", "cheating", "fighting", "pushing", "hitting"),
        *("biting", "kicking", "jumping", "climbing", "cycling", "spitting", "hunting", "entry", "admittance"),
    }
)


def prohibition(doc: Doc) -> Iterator[Words]:
    """Yield the words that forbid something."""
    for denial in denials(doc):
        if denial.position == "object":
            continue
        verb = denial.verb
        if any(rule(denial) for rule in (_is_order, _is_must_not, _is_not_allowed, _is_reported)):
            yield denial.words
        elif verb.dep_ == "ccomp" and _is_lets(verb.head) and denial.position == "verb":
            yield (verb.head, *denial.words)
    for sentence in doc.sents:
        sign = _sign(sentence)
        if sign:
            yield sign


def _is_order(denial: Denial) -> bool:
    verb, marker = denial.verb, denial.markers[0]
    if denial.position != "verb" or verb.tag_ not in {"VB", "VBP"} or verb.lemma_ in _STATES | _IDIOMS:
        return False
    if marker.lower_ in NOT | {"nt"}:
        if [token.lower_ for token in denial.auxiliaries] != ["do"] or denial.auxiliaries[0].i != marker.i - 1:
            return False
        start = denial.auxiliaries[0]
    elif marker.lower_ == "never" and not denial.auxiliaries and verb.i == marker.i + 1 and verb.tag_ == "VB":
        start = marker
    else:
        return False
    return _opens(start) and not _has_subject(verb) and _is_written(verb.sent)


def _has_subject(verb: Token) -> bool:
    """Return whether a verb, or the verb that it is coordinated with, has a subject other than the addressee."""
    if any(
        token.dep_ in SUBJECT_DEPS and not _is_called(token, verb) and not _is_fronted(token, verb)
        for token in verb.children
    ):
        return True
    if verb.dep_ in {"relcl", "acl", "advcl", "csubj", "pcomp", "xcomp"} and not _is_quoted(verb):
        return True
    return verb.dep_ == "conj" and verb.head is not verb and _has_subject(verb.head)


def _is_called(name: Token, verb: Token) -> bool:
    """Return whether a name is followed by a comma: "Tom, don't run"."""
    between = name.doc.tokens[name.i + 1 : verb.i]
    return name.tag_ in {"NNP", "NN", "NNS"} and any(token.lower_ == "," for token in between[:2])


def _is_fronted(clause: Token, verb: Token) -> bool:
    """Return whether a clause before a comma was parsed as the subject: "Whatever you do, don't run"."""
    return clause.dep_ == "csubj" and any(token.lower_ == "," for token in verb.doc.tokens[clause.i + 1 : verb.i])


def _is_quoted(verb: Token) -> bool:
    """Return whether a colon precedes the command: "Her advice was: don't run"."""
    first = verb.left_edge.i
    return first > 0 and verb.doc.tokens[first - 1].lower_ == ":"


def _opens(start: Token) -> bool:
    """Return whether no possible subject directly precedes the command."""
    if start.is_sent_start or start.i == 0:
        return True
    before = start.doc.tokens[start.i - 1]
    return before.is_punct or before.is_space or before.tag_ in _OPENING or before.lower_ == "please"


def _is_written(sentence: Span) -> bool:
    """Return whether a sentence is written text; in transcripts "don't go" may be short for "I don't go"."""
    text = sentence.text.strip("""\"'“”‘’ -""")
    return bool(text) and (text[0].isupper() or text[-1] in ".!?")


def _is_must_not(denial: Denial) -> bool:
    if denial.has_auxiliary("must") is None or denial.has_auxiliary("have") is not None:
        return False
    if denial.subject is not None and denial.subject.lower_ in {"i", "we", "it"}:
        return False  # an intention or a guess
    passive = denial.has_auxiliary("be") is not None
    return denial.position == "verb" and not is_be(denial.verb) and (passive or denial.verb.lemma_ not in _STATES)


def _is_not_allowed(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lower_ not in {"allowed", "permitted"} or denial.has_auxiliary("should", "would", "could"):
        return False  # it is allowed at present
    return child_of(verb, "auxpass") is not None


def _is_reported(denial: Denial) -> bool:
    verb = denial.verb
    order = verb.head
    return (
        verb.dep_ in {"xcomp", "ccomp"}
        and order.lemma_ in _TELLING
        and denial.position == "verb"
        and denial.has_auxiliary("to") is not None
        and denial.markers[0].i > order.i
    )


def _is_lets(verb: Token) -> bool:
    follows = verb.doc.tokens[verb.i + 1 :][:1]
    return verb.lower_ == "let" and bool(follows) and follows[0].lower_ in {"'s", "’s", "us"}


def _sign(sentence: Span) -> Words:
    """Return the words of a sign such as "No smoking"."""
    words = [token for token in sentence if not (token.is_punct or token.is_space)]
    if 2 <= len(words) <= 6 and words[0].lower_ == "no" and words[1].lower_ in _FORBIDDEN:
        return (words[0], words[1])
    return ()
