"""The rule `embedded_clause`: the statement that somebody reports, without its speaker."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.base import capitalised, word_set
from litotes.languages.en.modifiers import CERTAINTY_ADJECTIVES, UNCERTAINTY_ADJECTIVES
from litotes.languages.en.nouns import classify_noun
from litotes.languages.en.pronouns import SPEAKERS
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import APPEARANCE_VERBS, ASSERTIVE_VERBS
from litotes.languages.tree import Span, Token
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, refuse_if, rule
from litotes.rewrites.en.grammar.reported_speech import (
    NO_CLAUSE,
    SEEMING_VERBS,
    ExtractedClause,
    check_dependence,
    check_embedding,
    direct_speech,
    is_balanced,
    is_parenthetical,
    lemma_of,
    without_final_source,
    without_parenthetical,
    without_source,
)
from litotes.rewrites.patches import delete, patched

_SENTENCE_END = frozenset(".!?…")
_QUOTES = frozenset('"“”')
_INTRODUCING_VERBS = word_set("have want need like love go get")
"""Verbs before the verb of saying: “I have to say”, “I want to add”, “I'd like to point out”."""
_MAX_DISTANCE = 5
"""Tokens between a verb and a clause without “that”."""
_VERBS_BEFORE_COMMA = word_set("mean see remember tell think guess say be know suppose swear")
_LEADING_MARKS = frozenset({",", ":", "-", "–", "—", "…", "..."})
_PERCEPTION_VERBS = word_set("hear see feel notice observe find sense")


@rule(
    "embedded_clause",
    effect="same",
    skips={
        NO_CLAUSE: "no clause is embedded under a verb of saying or thinking",
        "denied": "the verb denies the clause, or attributes it to almost nobody",
        "contrary": "“I thought that …” often means the opposite",
        "negated": "the main verb is negated",
        "question": "the sentence is a question",
        "not-asserted": "the clause is hoped, feared, ordered or supposed, not asserted",
        "dependent": "the clause is a question, incomplete, or depends on a word outside it",
        "more": "the sentence says more than that somebody said the clause",
        "unclear": "the parse does not show where the clause begins and ends",
    },
)
def embedded_clause(sentence: Sentence) -> Iterator[Outcome]:
    """Return what was said or thought: “Sue said the bus was late.” → “The bus was late.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("embedded_clause", "The baker thinks that it will rain.")[0].text
    'It will rain.'
    >>> rewrite("embedded_clause", "“We sold the boat,” said Ann.")[0].text
    'We sold the boat.'
    """
    may_quote = not _QUOTES.isdisjoint(sentence.text) or sentence.text[:1] in "'‘"
    quotation = direct_speech(sentence) if may_quote else None
    if quotation is not None:
        yield quotation
        return
    has_outcome = False
    for span in sentence.spans:
        if len(span) < 3 or not _is_complete_sentence(span, sentence):
            continue
        for outcome in _embedded_clauses(span, sentence):
            has_outcome = True
            yield outcome
    refuse_if(not has_outcome, NO_CLAUSE)


def _embedded_clauses(span: Span, sentence: Sentence) -> Iterator[Outcome]:
    for text, reason in without_source(span):
        yield _draft(sentence, span, text, reason)
    verb: Token | None = span.root
    while verb is not None:
        try:
            clause = _extract(verb, span)
        except Refusal as refusal:
            if verb is span.root and refusal.skip.code != NO_CLAUSE:
                yield refusal.skip
            return
        if clause is not None:
            yield _draft(sentence, span, clause.text, clause.reason)
        verb = clause.verb if clause is not None else None


def _draft(sentence: Sentence, span: Span, new: str, reason: str) -> Draft:
    text = sentence.text
    result = text[: span.start_char] + new + text[span.end_char :]
    return Draft(result, reason=reason)


def _is_complete_sentence(span: Span, sentence: Sentence) -> bool:
    """Whether the parser's sentence is complete; it may have been split in the middle."""
    if len(sentence.spans) == 1:
        return True
    text = sentence.text
    before, own_text = text[: span.start_char].rstrip(), text[span.start_char : span.end_char].rstrip(" \"'”’)")
    has_end = span.end_char >= len(text.rstrip()) or own_text[-1:] in _SENTENCE_END
    return has_end and (not before or before.rstrip("\"'”’)")[-1:] in _SENTENCE_END)


def _extract(verb: Token, span: Span) -> ExtractedClause | None:
    governor, verb = _governor(verb)
    clause = next((child for child in governor.children if _is_clause(child, verb)), None)
    if clause is None:
        parenthetical = next((child for child in verb.children if is_parenthetical(child)), None)
        return None if parenthetical is None else without_parenthetical(parenthetical, verb, span)
    lemma = lemma_of(verb)
    if clause.i < verb.i:
        return without_final_source(clause, verb, span) if lemma in ASSERTIVE_VERBS | SEEMING_VERBS else None
    check_embedding(verb, governor, clause, span)
    return _after_verb(clause, verb, span)


def _governor(verb: Token) -> tuple[Token, Token]:
    """Return the word that the clause depends on (“sure” in “I am sure that”) and the verb of saying."""
    for child in verb.children:
        if child.i < verb.i:
            continue
        if child.dep_ == "acomp" and (child.lower_ in CERTAINTY_ADJECTIVES or child.lower_ in UNCERTAINTY_ADJECTIVES):
            # “It is clear that …” depends on the verb, “I am sure that …” on the adjective.
            return (child if child.has_child("ccomp") else verb), verb
        if child.dep_ == "xcomp" and verb.lemma_ in _INTRODUCING_VERBS and child.lemma_ in ASSERTIVE_VERBS:
            subject = verb_group(verb).subject
            if subject is not None and subject.lower_ in SPEAKERS:
                return child, child
    return verb, verb


def _is_clause(child: Token, verb: Token) -> bool:
    if child.dep_ == "ccomp":
        return True
    if child.dep_ == "advcl" and child.i > verb.i and verb.lemma_ in APPEARANCE_VERBS:
        return any(grandchild.dep_ == "mark" and grandchild.lower_ == "like" for grandchild in child.children)
    return False


def _after_verb(clause: Token, verb: Token, span: Span) -> ExtractedClause:
    """Return the clause of “She said (that) it was late.”, up to the end of the sentence."""
    doc = span.doc
    start = clause.left_edge.i
    while start < clause.i and (
        doc[start].text in _LEADING_MARKS or (doc[start].dep_ == "mark" and doc[start].head == clause)
    ):
        start += 1
    start -= _is_demonstrative(doc[start])
    check_dependence(clause, doc[start])
    refuse_if(_is_perceived(clause, verb, doc[start]), "dependent")
    is_contiguous = all(
        index == clause.i or clause.is_ancestor(doc[index]) for index in range(start, clause.right_edge.i + 1)
    )
    if start <= verb.i or not is_contiguous or not _begins_after(verb, doc[start]) or _continues_outside(clause, verb):
        raise Refusal("unclear")
    if any(child.dep_ in {"parataxis", "ccomp"} and child.i > clause.right_edge.i for child in verb.children):
        raise Refusal("more")
    text = _text_of_clause(start, clause, span)
    refuse_if(not is_balanced(text), "unclear")
    return ExtractedClause(capitalised(text), f"what “{verb.text}” embeds", clause)


def _is_demonstrative(first: Token) -> bool:
    """Whether the “that” before a clause is a determiner: “I think that stadium is ugly.”"""
    if first.i == 0 or first.nbor(-1).lower_ != "that":
        return False
    if first.lower_ == "one" or first.pos_ != "NOUN" or first.tag_ != "NN":
        return first.lower_ == "one"
    return first.dep_ in SUBJECT_DEPS and classify_noun(first) in {"thing", "person", "animal", "place"}


def _text_of_clause(start: int, clause: Token, span: Span) -> str:
    """Return the words of the clause without the “that” of a coordinated one."""
    doc, patches = span.doc, []
    for mark in doc[clause.i + 1 : span.end]:
        if mark.dep_ == "mark" and mark.lower_ == "that" and mark.nbor(-1).dep_ == "cc" and mark.head.dep_ == "conj":
            patches.append(delete(mark))
    return patched(doc.text, patches)[
        doc[start].idx : span.end_char - sum(patch.end - patch.start for patch in patches)
    ]


def _is_perceived(clause: Token, verb: Token, start: Token) -> bool:
    """Whether the clause is an object with a bare verb, whatever its tag: “I heard people say it”."""
    finite = verb_group(clause).first
    if lemma_of(verb) not in _PERCEPTION_VERBS or start.nbor(-1).lower_ == "that":
        return False
    return finite.tag_ in {"VB", "VBP"} and finite.lemma_ not in {"be", "have"}


def _begins_after(verb: Token, start: Token) -> bool:
    """Whether only “that”, a hearer or an adverb separates the verb from its clause."""
    before = start.nbor(-1)
    if before.text == ",":
        # “She said that, I never saw it” are two sentences.
        is_adjacent = before.i - 1 in {verb.i, verb.i + 1} and before.nbor(-1).lower_ != "that"
        return is_adjacent and lemma_of(verb) in _VERBS_BEFORE_COMMA
    if before.lower_ in {"that", "like"} or before.i == verb.i or before.is_punct:
        return True
    while verb.i < before.head.i < start.i:
        before = before.head
    return verb.i in {before.head.i, before.head.head.i} and start.i - verb.i <= _MAX_DISTANCE


def _continues_outside(clause: Token, verb: Token) -> bool:
    """Whether the next verb may belong to the speaker: “She said she was ill and went home”."""
    for child in clause.children:
        group = verb_group(child)
        if child.dep_ != "conj" or group.subject is not None or not group.is_finite:
            continue
        inner_subject, outer_subject = verb_group(clause).subject, verb_group(verb).subject
        if (
            inner_subject is not None
            and outer_subject is not None
            and (inner_subject.lower_ == outer_subject.lower_ or inner_subject.tag_ == "PRP")
        ):
            return child.tag_ != "VBZ" or inner_subject.lower_ in SPEAKERS
        are_both_past = verb_group(verb).is_past and group.is_past
        has_comma = any(token.text == "," and token.head == clause for token in clause.doc[clause.i + 1 : child.i])
        return bool(are_both_past or has_comma)
    return False
