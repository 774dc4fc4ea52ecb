"""Finding the clause that a rule works on: the main clause of a text, or the clause of a given word."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.syntax.question_tags import QuestionTag, question_tag_of, tag_start
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import HEDGING_VERBS
from litotes.languages.tree import Token
from litotes.rewrites.base import Sentence

_FILLER_VERBS = word_set("know see mean look listen understand")
"""Verbs of fillers: “You know, …”, “I mean, …”."""
_OPINION_VERBS = word_set("think guess know believe mean suppose hope hear see feel bet swear wish")
_REPORTING_VERBS = word_set("muse say ask reply answer add shout whisper explain think wonder tell cry exclaim call")
_ECHOES = frozenset({"right", "okay", "ok", "huh", "eh", "yes", "no", "correct"})
_INTERJECTIONS = frozenset({"please", "thank", "thanks", "welcome", "congratulations", "lol", "damn"})
_VERB_POS = frozenset({"VERB", "AUX"})
_NON_CLAUSE_LABELS = AUXILIARY_DEPS | {"amod", "compound"}
_OUTSIDE_PREDICATE = SUBJECT_DEPS | {"ROOT"}


def is_verb(token: Token) -> bool:
    """Return whether a token is the head verb of a clause; auxiliaries are not, the copula is."""
    return token.pos_ in _VERB_POS and token.dep_ not in _NON_CLAUSE_LABELS


def main_verbs(sentence: Sentence) -> list[Token]:
    """Return the head of the main clause of each sentence in the text, without fillers and question tags."""
    tag = question_tag_of(sentence.doc)
    verbs = []
    for root in sentence.roots:
        head = _before_tag(root, tag) if tag is not None and root.idx >= tag.start else root
        if tag is not None and head.idx >= tag.start:
            continue
        head = _inside_quotation(head)
        if head.lower_ in _ECHOES:  # “It is late, right?”
            head = _clausal_complement(head, head)
        head = _after_hedge(head)
        if is_verb(head) and head.lower_ not in _INTERJECTIONS:
            verbs.append(head)
    return verbs


def predicate_of(token: Token) -> Token | None:
    """Return the verb whose predicate contains a word; None if the word is in a subject or in no clause."""
    word = token
    while True:
        if is_verb(word) and (word is not token or token.tag_.startswith(("VB", "MD"))):
            return word
        head = word.head
        if word.dep_ in _OUTSIDE_PREDICATE or head is word:
            return None
        word = head


def _before_tag(root: Token, tag: QuestionTag) -> Token:
    """Return the verb of the clause before a question tag if the parser took the tag for the main clause."""
    for child in root.children:
        if child.idx < tag.start and is_verb(child):
            return child
    return root


def _inside_quotation(root: Token) -> Token:
    """Return the head of the quoted clause in “…,” he said."""
    if root.lemma_ not in _REPORTING_VERBS:
        return root
    for child in root.children:
        if child.dep_ == "ccomp" and child.i < root.i and is_verb(child):
            between = child.doc[child.i : root.i]
            if any(token.text in {'"', "”", "’", "'", "''", ","} for token in between):
                return child
    return root


def _after_hedge(root: Token) -> Token:
    """Return the clause after “I guess …” or “I'm afraid …”, because “I do not guess …” is not English."""
    for child in root.children:
        if child.lower_ == "afraid" and child.dep_ == "acomp":
            return _clausal_complement(child, root)
    return _clausal_complement(root, root) if root.lemma_ in HEDGING_VERBS else root


def _clausal_complement(word: Token, default: Token) -> Token:
    for child in word.children:
        if child.dep_ == "ccomp" and is_verb(child):
            return child
    return default


def is_contrasted(head: Token) -> bool:
    """Return whether another clause depends on the polarity of this one: “…, but it can be done”, “…, so they stay”."""
    has_conjunction = has_clause = False
    for child in head.children:
        if child.dep_ == "cc":
            has_conjunction = has_conjunction or (child.i > head.i and child.lower_ in {"but", "so", "yet"})
        elif child.dep_ == "conj":
            has_clause = has_clause or is_verb(child)
    return has_conjunction and has_clause


def is_subordinate(head: Token) -> bool:
    """Return whether the parser took a clause of time or condition for the main clause: “Until all have it, …”."""
    for child in head.children:  # noqa: SIM110  (faster than any())
        if child.dep_ == "mark" and child.lower_ not in {"because", "that", "like"}:
            return True
    return False


def spliced_clause(head: Token) -> Token | None:
    """Return the head of another main clause that is joined by a comma alone: “We tried, it works.”"""
    if head.lemma_ in _REPORTING_VERBS or head.lemma_ in _OPINION_VERBS:
        return None
    for child in head.children:
        if child.dep_ not in {"ccomp", "parataxis", "conj"} or not is_verb(child) or child.idx >= tag_start(head.doc):
            continue
        has_subject = child.has_child("nsubj", "nsubjpass", "expl")
        has_link = any(word.dep_ in {"mark", "cc"} for word in (*child.children, *head.children))
        first, last = sorted((child.i, head.i))
        is_separated = any(token.text in {",", ";", "..", "...", "-", "–", "—"} for token in head.doc[first:last])
        if has_subject and is_separated and not has_link and verb_group(child).is_finite:
            return None if _is_filler(child) else child
    return None


def _is_filler(clause: Token) -> bool:
    """Return whether a clause is a filler or a false start: “You know, …”, “It's, it's …”."""
    return clause.lemma_ in _FILLER_VERBS or len(list(clause.subtree)) <= 2
