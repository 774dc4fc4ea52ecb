"""Which clause a rule works on: the main one of a text, or the one in which a word stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.en.syntax.question_tags import QuestionTag, tag_of, tag_start
from litotes.languages.en.syntax.verb_groups import SUBJECTS, VerbGroup, verb_group
from litotes.rewrites.base import Sentence

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_OPENERS = frozenset("know see mean look listen understand".split())
_OPENINGS = frozenset("guess mean bet hope suppose swear figure fear pray wager reckon".split())
_THINKING = frozenset("think guess know believe mean suppose hope hear see feel bet swear wish".split())
_VERBS = frozenset({"VERB", "AUX"})
_HEADS_NO_CLAUSE = frozenset({"aux", "auxpass", "amod", "compound"})
_NO_PREDICATE_ABOVE = SUBJECTS | {"ROOT"}
_REPORTING = frozenset("muse say ask reply answer add shout whisper explain think wonder tell cry exclaim call".split())


def is_verb(token: Token) -> bool:
    """Whether a token heads a clause as verbs do (auxiliaries do not, the copula does)."""
    return token.pos_ in _VERBS and token.dep_ not in _HEADS_NO_CLAUSE


def main_verbs(sentence: Sentence) -> list[Token]:
    """The head of the main clause of each sentence in the text that has a clause."""
    tag = tag_of(sentence.doc)
    found = []
    for root in sentence.roots:
        head = _before_tag(root, tag) if tag is not None and root.idx >= tag.start else root
        if tag is not None and head.idx >= tag.start:
            continue
        head = _after_opening(_before_echo(_inside_quotation(head)))
        if is_verb(head) and not _is_interjection(head):
            found.append(head)
    return found


def predicate_of(token: Token) -> Token | None:
    """The verb whose predicate a word belongs to; None if the word stands in a subject or in no clause."""
    at = token
    while True:
        if is_verb(at) and (at is not token or token.tag_.startswith(("VB", "MD"))):
            return at
        head = at.head
        if at.dep_ in _NO_PREDICATE_ABOVE or head is at:
            return None
        at = head


def finite_group_above(verb: Token) -> VerbGroup | None:
    """The nearest finite group at or above a verb, by way of infinitives and participles."""
    at = verb
    while True:
        group = verb_group(at)
        if is_verb(at) and group.is_finite:
            return group
        if at.dep_ in {"ROOT", "relcl", "advcl", "ccomp", *SUBJECTS} or at.head.i == at.i:
            return None
        at = at.head


def _before_tag(root: Token, tag: QuestionTag | None) -> Token:
    """The verb of the clause that a question tag follows, where the parser took the tag for the main clause."""
    if tag is None:
        return root
    for child in root.children:
        if child.idx < tag.start and is_verb(child):
            return child
    return root


def _inside_quotation(root: Token) -> Token:
    """In “…,” he said: the clause that is quoted, since that is what the sentence is about."""
    if root.lemma_ not in _REPORTING:
        return root
    for child in root.children:
        if child.dep_ == "ccomp" and child.i < root.i and is_verb(child):
            between = child.doc[child.i : root.i]
            if any(token.text in {'"', "”", "’", "'", "''", ","} for token in between):
                return child
    return root


def _before_echo(root: Token) -> Token:
    """Before “…, right?”: the clause that is echoed."""
    is_echo = root.lower_ in {"right", "okay", "ok", "huh", "eh", "yes", "no", "correct"}
    return _complement(root, root) if is_echo else root


def _after_opening(root: Token) -> Token:
    """After “I guess …”, “I'm afraid …”: what is guessed and hoped, since “I do not guess” is not said."""
    for child in root.children:
        if child.lower_ == "afraid" and child.dep_ == "acomp":
            return _complement(child, root)
    return _complement(root, root) if root.lemma_ in _OPENINGS else root


def _complement(of: Token, otherwise: Token) -> Token:
    """The verb of the clause that completes a word, if there is one."""
    for child in of.children:
        if child.dep_ == "ccomp" and is_verb(child):
            return child
    return otherwise


def _is_interjection(token: Token) -> bool:
    return token.lower_ in {"please", "thank", "thanks", "welcome", "congratulations", "lol", "damn"}


def is_contrasted(head: Token) -> bool:
    """Whether another clause leans on what this one says: “…, but it can be done”, “…, so they stay”."""
    contrasts = joins = False
    for child in head.children:
        if child.dep_ == "cc":
            contrasts = contrasts or (child.i > head.i and child.lower_ in {"but", "so", "yet"})
        elif child.dep_ == "conj":
            joins = joins or is_verb(child)
    return contrasts and joins


def is_subordinate(head: Token) -> bool:
    """Whether the parser took a clause of time or condition for the main one: “Until all have it, …”."""
    for child in head.children:  # noqa: SIM110  (the quickest way)
        if child.dep_ == "mark" and child.lower_ not in {"because", "that", "like"}:
            return True
    return False


def spliced_clause(head: Token) -> Token | None:
    """Another whole clause that is joined by a mere comma: “We tried, it works.”"""
    if head.lemma_ in _REPORTING or head.lemma_ in _THINKING:
        return None
    for child in head.children:
        if child.dep_ not in {"ccomp", "parataxis", "conj"} or not is_verb(child) or child.idx >= tag_start(head.doc):
            continue
        has_subject = any(one.dep_ in {"nsubj", "nsubjpass", "expl"} for one in child.children)
        has_link = any(one.dep_ in {"mark", "cc"} for one in (*child.children, *head.children))
        separated = any(token.text in {",", ";", "..", "...", "-", "–", "—"} for token in _between(child, head))
        if has_subject and separated and not has_link and verb_group(child).is_finite:
            return None if _is_opener(child) else child
    return None


def _is_opener(clause: Token) -> bool:
    """“You know, …”, “I mean, …”, “It's, it's …”: said to gain time."""
    return clause.lemma_ in _OPENERS or len(list(clause.subtree)) <= 2


def _between(one: Token, other: Token) -> list[Token]:
    first, last = sorted((one.i, other.i))
    return list(one.doc[first:last])
