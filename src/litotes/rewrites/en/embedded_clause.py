"""The embedded clause: what was said or thought, without who said or thought it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.adjectives import CERTAINTY_ADJECTIVES, UNCERTAINTY_ADJECTIVES
from litotes.languages.en.nouns import classify_noun
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import APPEARANCE_VERBS, ASSERTIVE_VERBS
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.embedding_verbs import (
    FIRST_PERSON,
    NO_CLAUSE,
    SEEMING_VERBS,
    embedding_skip,
    lemma_of,
)
from litotes.rewrites.en.grammar.reported_speech import (
    ExtractedClause,
    dependence_skip,
    direct_speech,
    is_balanced,
    is_parenthetical,
    without_final_source,
    without_parenthetical,
    without_source,
)
from litotes.rewrites.patches import delete, patched, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Span, Token

_SENTENCE_END = frozenset(".!?…")
_QUOTES = frozenset('"“”')
_SAID_FIRST = frozenset({"have", "want", "need", "like", "love", "go", "get"})
"""“I have to say”, “I want to add”, “I'd like to point out”."""
_FARTHEST = 5
"""Words between a verb and a clause without “that”."""
_AFTER_COMMA = frozenset({"mean", "see", "remember", "tell", "think", "guess", "say", "be", "know", "suppose", "swear"})
_LEADING = frozenset({",", ":", "-", "–", "—", "…", "..."})
_PERCEPTION = frozenset({"hear", "see", "feel", "notice", "observe", "find", "sense"})


@rule(
    "embedded_clause",
    effect="same",
    skips={
        NO_CLAUSE: "no clause is embedded under a verb of saying or thinking",
        "denied": "the verb says that the clause is not so, or says it of hardly anybody",
        "contrary": "“I thought that …” often means that it was not so",
        "negated": "the main verb is negated",
        "question": "it asks",
        "not-asserted": "the clause is hoped, feared, ordered or supposed, not said to be so",
        "dependent": "the clause cannot stand alone: it asks, is no full clause or depends on a word outside of it",
        "more": "the sentence says more than that somebody said it",
        "unclear": "the parse does not show where the clause begins and ends",
    },
)
def embedded_clause(sentence: Sentence) -> Iterator[Outcome]:
    """What was said or thought, alone: “Sue said the bus was late.” → “The bus was late.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("embedded_clause", "The baker thinks that it will rain.")[0].text
    'It will rain.'
    >>> rewrite("embedded_clause", "“We sold the boat,” said Ann.")[0].text
    'We sold the boat.'
    """
    found = False
    if not _QUOTES.isdisjoint(sentence.text) or sentence.text[:1] in "'‘":
        for outcome in direct_speech(sentence):
            found = True
            yield outcome
        if found:
            return
    for span in sentence.spans:
        if len(span) < 3 or not _is_whole(span, sentence):
            continue
        for outcome in _of_span(span, sentence):
            found = True
            yield outcome
    if not found:
        yield Skip(NO_CLAUSE)


def _of_span(span: Span, sentence: Sentence) -> Iterator[Outcome]:
    """The clauses embedded in one sentence of the text, the outermost first."""
    for text, reason in without_source(span):
        yield _draft(sentence, span, text, reason)
    outcome = _clause(span.root, span)
    while outcome is not None:
        if isinstance(outcome, Skip):
            yield outcome
            return
        text, reason, inner = outcome
        yield _draft(sentence, span, text, reason)
        outcome = _clause(inner, span) if inner is not None else None
        if isinstance(outcome, Skip):
            return


def _draft(sentence: Sentence, span: Span, new: str, reason: str) -> Draft:
    text = sentence.text
    done = text[: span.start_char] + new + text[span.end_char :]
    return Draft(done, reason=reason)


def _is_whole(span: Span, sentence: Sentence) -> bool:
    """Whether the parser's sentence is one: what is cut in the middle of a clause is none."""
    if len(sentence.spans) == 1:
        return True
    text = sentence.text
    before, own = text[: span.start_char].rstrip(), text[span.start_char : span.end_char].rstrip(" \"'”’)")
    ends = span.end_char >= len(text.rstrip()) or own[-1:] in _SENTENCE_END
    return ends and (not before or before.rstrip("\"'”’)")[-1:] in _SENTENCE_END)


def _clause(verb: Token, span: Span) -> ExtractedClause | Skip | None:
    """The clause under a verb; None where there is none."""
    holder, verb = _holder(verb)
    clause = next((child for child in holder.children if _is_clause(child, verb)), None)
    if clause is None:
        aside = next((child for child in verb.children if is_parenthetical(child)), None)
        return None if aside is None else without_parenthetical(aside, verb, span)
    lemma = lemma_of(verb)
    if clause.i < verb.i:
        return without_final_source(clause, verb, span) if lemma in ASSERTIVE_VERBS | SEEMING_VERBS else None
    refusal = embedding_skip(verb, holder, clause, span)
    if refusal is not None:
        return None if refusal.code == NO_CLAUSE else refusal
    return _after_verb(clause, verb, span)


def _holder(verb: Token) -> tuple[Token, Token]:
    """The word that the clause hangs on (“sure” in “I am sure that”), and the verb of the saying itself."""
    for child in verb.children:
        if child.i < verb.i:
            continue
        if child.dep_ == "acomp" and (child.lower_ in CERTAINTY_ADJECTIVES or child.lower_ in UNCERTAINTY_ADJECTIVES):
            # “It is clear that …” hangs on the verb, “I am sure that …” on the adjective.
            return (child if any(one.dep_ == "ccomp" for one in child.children) else verb), verb
        if child.dep_ == "xcomp" and verb.lemma_ in _SAID_FIRST and child.lemma_ in ASSERTIVE_VERBS:
            subject = verb_group(verb).subject
            if subject is not None and subject.lower_ in FIRST_PERSON:
                return child, child
    return verb, verb


def _is_clause(child: Token, verb: Token) -> bool:
    if child.dep_ == "ccomp":
        return True
    if child.dep_ == "advcl" and child.i > verb.i and verb.lemma_ in APPEARANCE_VERBS:
        return any(one.dep_ == "mark" and one.lower_ == "like" for one in child.children)
    return False


def _after_verb(clause: Token, verb: Token, span: Span) -> ExtractedClause | Skip:
    """“She said (that) it was late.”: from the clause on to the end of the sentence."""
    doc = span.doc
    start = clause.left_edge.i
    while start < clause.i and (
        doc[start].text in _LEADING or (doc[start].dep_ == "mark" and doc[start].head == clause)
    ):
        start += 1
    start -= _is_demonstrative(doc[start])
    refusal = dependence_skip(clause, doc[start])
    if refusal is not None:
        return refusal
    if _is_seen(clause, verb, doc[start]):
        return Skip("dependent")
    whole = all(place == clause.i or clause.is_ancestor(doc[place]) for place in range(start, clause.right_edge.i + 1))
    if start <= verb.i or not whole or not _begins_after(verb, doc[start]) or _goes_on_outside(clause, verb):
        return Skip("unclear")
    if any(one.dep_ in {"parataxis", "ccomp"} and one.i > clause.right_edge.i for one in verb.children):
        return Skip("more")
    text = _text_from(start, clause, span)
    if not is_balanced(text):
        return Skip("unclear")
    return ExtractedClause(capitalised(text), f"what “{verb.text}” embeds", clause)


def _is_demonstrative(first: Token) -> bool:
    """Whether the “that” before a clause is the noun's own: “I think that stadium is ugly.”"""
    if first.i == 0 or first.nbor(-1).lower_ != "that":
        return False
    if first.lower_ == "one" or first.pos_ != "NOUN" or first.tag_ != "NN":
        return first.lower_ == "one"
    return first.dep_ in SUBJECT_DEPS and classify_noun(first) in {"thing", "person", "animal", "place"}


def _text_from(start: int, clause: Token, span: Span) -> str:
    """The words of the clause, without the “that” of a second one that is joined to it."""
    doc, patches = span.doc, []
    for mark in doc[clause.i + 1 : span.end]:
        if mark.dep_ == "mark" and mark.lower_ == "that" and mark.nbor(-1).dep_ == "cc" and mark.head.dep_ == "conj":
            patches.append(delete(mark))
    return patched(doc.text, patches)[
        start_of(doc[start]) : span.end_char - sum(one.end - one.start for one in patches)
    ]


def _is_seen(clause: Token, verb: Token, start: Token) -> bool:
    """“I heard people say it”: no clause of its own, whatever the tag of the verb."""
    finite = verb_group(clause).first
    return (
        lemma_of(verb) in _PERCEPTION
        and start.nbor(-1).lower_ != "that"
        and finite.tag_ in {"VB", "VBP"}
        and (finite.lemma_ not in {"be", "have"})
    )


def _begins_after(verb: Token, start: Token) -> bool:
    """Whether what stands between the verb and its clause is “that”, a hearer, an adverb: nothing that is torn."""
    before = start.nbor(-1)
    if before.text == ",":
        # “She said that, I never saw it” are two sentences.
        return (
            lemma_of(verb) in _AFTER_COMMA and before.i - 1 in {verb.i, verb.i + 1} and before.nbor(-1).lower_ != "that"
        )
    if before.lower_ in {"that", "like"} or before.i == verb.i or before.is_punct:
        return True
    while verb.i < before.head.i < start.i:
        before = before.head
    return verb.i in {before.head.i, before.head.head.i} and start.i - verb.i <= _FARTHEST


def _goes_on_outside(clause: Token, verb: Token) -> bool:
    """“She said she was ill and went home”: a verb without a subject may be the speaker's as well."""
    for child in clause.children:
        group = verb_group(child)
        if child.dep_ != "conj" or group.subject is not None or not group.is_finite:
            continue
        own, outer = verb_group(clause).subject, verb_group(verb).subject
        if own is not None and outer is not None and (own.lower_ == outer.lower_ or own.tag_ == "PRP"):
            return child.tag_ != "VBZ" or own.lower_ in FIRST_PERSON
        together = verb_group(verb).is_past and group.is_past
        comma = any(one.text == "," and one.head == clause for one in clause.doc[clause.i + 1 : child.i])
        return bool(together or comma)
    return False
