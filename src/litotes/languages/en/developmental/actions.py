"""Denials of actions: somebody may not do something (prohibition), or cannot do it (inability).

Prohibition: "Don't run!", "You must not smoke", "No parking". Inability: "She couldn't swim", "Nobody can open it".
"""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.base import word_set
from litotes.languages.en.developmental.denials import Denial, Words, denials, following
from litotes.languages.en.negation import NEGATIVE_INDEFINITES, NOT_TOKENS
from litotes.languages.en.pronouns import REFLEXIVE_PERSONS
from litotes.languages.en.syntax.tags import COMMON_NOUN_TAGS, SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Span, Token, has_word

# Prohibition

_STATES = word_list("states")
"""Verbs that are not commands without a subject, but short for "I don't …"."""
_IDIOMS = word_set("worry mind forget miss hesitate fail fret despair")
"""Verbs whose negative commands forbid nothing: "Don't forget" is a reminder, "Don't worry" a comfort."""
_ORDERING = frozenset({"tell", "warn", "order", "instruct", "command"})
_OPENING = frozenset({"CC", "UH", "RB", "HYPH", ",", ".", ":", "``", "''", "-LRB-", "NFP"})
"""Tags of words before a command."""
_FORBIDDEN_ON_SIGNS = word_list("forbidden on signs")


def prohibition(doc: Doc) -> Iterator[Words]:
    """Yield the words that forbid something."""
    for denial in denials(doc):
        if denial.position == "object":
            continue
        verb = denial.verb
        if any(rule(denial) for rule in (_is_command, _is_must_not, _is_not_allowed, _is_reported_order)):
            yield denial.words
        elif verb.dep_ == "ccomp" and _is_lets(verb.head) and denial.position == "verb":
            yield (verb.head, *denial.words)
    for sentence in doc.sents:
        if sign := _sign(sentence):
            yield sign


def _is_command(denial: Denial) -> bool:
    verb, marker = denial.verb, denial.markers[0]
    if denial.position != "verb" or verb.tag_ not in {"VB", "VBP"} or verb.lemma_ in _STATES | _IDIOMS:
        return False
    if marker.lower_ in NOT_TOKENS:
        if [token.lower_ for token in denial.auxiliaries] != ["do"] or denial.auxiliaries[0].i != marker.i - 1:
            return False
        start = denial.auxiliaries[0]
    elif marker.lower_ == "never" and not denial.auxiliaries and verb.i == marker.i + 1 and verb.tag_ == "VB":
        start = marker
    else:
        return False
    return _opens_clause(start) and not _has_subject(verb) and _is_written(verb.sent)


def _has_subject(verb: Token) -> bool:
    """Return whether a verb, or the verb that it is coordinated with, has a subject other than the addressee."""
    if any(
        token.dep_ in SUBJECT_DEPS and not _is_addressee(token, verb) and not _is_fronted(token, verb)
        for token in verb.children
    ):
        return True
    if verb.dep_ in {"relcl", "acl", "advcl", "csubj", "pcomp", "xcomp"} and not _is_quoted(verb):
        return True
    return verb.dep_ == "conj" and verb.head is not verb and _has_subject(verb.head)


def _is_addressee(name: Token, verb: Token) -> bool:
    """Return whether a name is followed by a comma: "Tom, don't run"."""
    between = name.doc.tokens[name.i + 1 : verb.i]
    return name.tag_ in COMMON_NOUN_TAGS | {"NNP"} and has_word(between[:2], {","})


def _is_fronted(clause: Token, verb: Token) -> bool:
    """Return whether a clause before a comma was parsed as the subject: "Whatever you do, don't run"."""
    return clause.dep_ == "csubj" and has_word(verb.doc.tokens[clause.i + 1 : verb.i], {","})


def _is_quoted(verb: Token) -> bool:
    """Return whether a colon precedes the command: "Her advice was: don't run"."""
    return verb.left_edge.previous_word == ":"


def _opens_clause(start: Token) -> bool:
    """Return whether the word before a command cannot be its subject."""
    before = start.previous
    if start.is_sent_start or before is None:
        return True
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
    is_passive = denial.has_auxiliary("be") is not None
    return denial.position == "verb" and not is_be(denial.verb) and (is_passive or denial.verb.lemma_ not in _STATES)


def _is_not_allowed(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lower_ not in {"allowed", "permitted"} or denial.has_auxiliary("should", "would", "could"):
        return False  # it is allowed at present
    return verb.has_child("auxpass")


def _is_reported_order(denial: Denial) -> bool:
    """Return whether a prohibition is reported: "She warned them not to run"."""
    verb = denial.verb
    order = verb.head
    return (
        verb.dep_ in {"xcomp", "ccomp"}
        and order.lemma_ in _ORDERING
        and denial.position == "verb"
        and denial.has_auxiliary("to") is not None
        and denial.markers[0].i > order.i
    )


def _is_lets(verb: Token) -> bool:
    return verb.lower_ == "let" and not {"'s", "’s", "us"}.isdisjoint(following(verb))


def _sign(sentence: Span) -> Words:
    """Return the words of a sign such as "No smoking"."""
    words = [token for token in sentence if not (token.is_punct or token.is_space)]
    if 2 <= len(words) <= 6 and words[0].lower_ == "no" and words[1].lower_ in _FORBIDDEN_ON_SIGNS:
        return (words[0], words[1])
    return ()


# Inability

_CAN = ("can", "ca", "could")
_FEELINGS = word_set("wait believe bear complain imagine abide fault like risk")
"""Verbs that express feelings with "can't": "I can't wait"."""
_EVENTS = word_list("events")
"""Verbs of events that are impossible, which is not an inability of somebody."""
_HELP_OBJECTS = REFLEXIVE_PERSONS | {"but", "it"}
"""Words after "can't help" in its idiomatic meaning."""
_LIMITS = frozenset({"more", "less", "better", "worse", "enough"})


def inability(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody can do something."""
    for denial in denials(doc):
        if is_be(denial.verb):
            adjective = denial.verb.child("acomp")
            if adjective is None or adjective.lower_ != "able":
                continue
            if denial.has_auxiliary("should", "must", "may", "might"):
                continue
            if denial.position == "verb" or denial.is_of_nobody:
                yield (*denial.words, adjective)
        elif _is_unable(denial):
            yield denial.words


def _is_unable(denial: Denial) -> bool:
    verb = denial.verb
    if verb.lower_ in _CAN:  # "but she can't" without a verb
        if denial.position != "verb" or denial.subject is None or denial.subject.i > verb.i:
            return False
        return all(token.is_punct or token.tag_ == "CC" for token in verb.doc.tokens[verb.i + 2 : verb.i + 3])
    if denial.has_auxiliary(*_CAN) is None or denial.has_auxiliary("have", "be") is not None:
        return False  # guesses: "couldn't have known", "can't be lying"
    subject = denial.subject
    if subject is None or subject.dep_ in {"expl", "nsubjpass"} or subject.lower_ in {"nothing", "there"}:
        return False
    if denial.position == "subject" and not denial.is_of_nobody:
        return False
    if denial.position == "object" and denial.markers[-1].lower_ not in NEGATIVE_INDEFINITES | {"one"}:
        return False
    return verb.lemma_ not in _EVENTS and not _is_idiom(verb)


def _is_idiom(verb: Token) -> bool:
    if verb.lemma_ in _FEELINGS:
        return True
    if any(token.lower_ in _LIMITS and not _is_any_more(token) for token in verb.rights):
        return True  # "couldn't agree more", "can't thank you enough"
    next_tokens = verb.doc.tokens[verb.i + 1 : verb.i + 2]
    if verb.lemma_ == "stand":  # "can't stand him", but "can't stand on one leg"
        has_noun = any(token.pos_ in {"NOUN", "PROPN", "PRON", "DET"} for token in next_tokens)
        return has_noun or verb.has_child("dobj", "xcomp", "ccomp")
    if verb.lemma_ == "help":
        return any(token.tag_ == "VBG" or token.lower_ in _HELP_OBJECTS for token in next_tokens)
    return verb.lemma_ == "go" and "wrong" in following(verb)


def _is_any_more(adverb: Token) -> bool:
    return adverb.lower_ == "more" and has_word(adverb.lefts, {"any"})
