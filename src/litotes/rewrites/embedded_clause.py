"""The embedded clause: what was said or thought, without who said or thought it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.language.casing import capitalised
from litotes.language.verb_group import NEGATORS, SUBJECTS, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.embedded_clause_quotes import spoken
from litotes.rewrites.embedded_clause_words import (
    ASSERTING,
    BELIEFS,
    DENYING,
    DENYING_ADVERBS,
    DENYING_SUBJECTS,
    DIRECTIVE,
    HEARERS,
    IMPERATIVES,
    LIKE_VERBS,
    LOOSE_BELIEFS,
    NO_SURENESS,
    NOT_ASSERTING,
    OPENERS,
    OTHERS,
    PARTICLES,
    POINTS,
    SEEMING,
    SURE,
)
from litotes.rewrites.patches import changes, end_of, start_of

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_END = re.compile(r"\s*[.!…]+[\"'”’)]*\s*$")
_SENTENCE_END = frozenset(".!?…")
_QUOTES = frozenset('"“”')
_WH = frozenset({"WDT", "WP", "WP$", "WRB"})
_SAID_FIRST = frozenset({"have", "want", "need", "like", "love", "go", "get"})
"""“I have to say”, “I want to add”, “I'd like to point out”."""
_OBJECT_PRONOUNS = frozenset({"him", "me", "us", "them"})
_FIRST_PERSON = frozenset({"i", "we"})
_BESIDE = SUBJECTS | frozenset(
    {
        "aux",
        "auxpass",
        "advmod",
        "cc",
        "intj",
        "prep",
        "npadvmod",
        "punct",
        "prt",
        "acomp",
        "dobj",
        "dative",
        "xcomp",
        "attr",
    }
)
_POLITELY_SAID = frozenset({"say", "argue", "guess", "add", "bet", "admit", "tell", "swear"})
"""“I would say”, “I must admit”, “I can tell you”."""
_TELLING_MORE = frozenset({"dobj", "acomp", "attr", "ccomp", "xcomp", "conj", "advcl", "oprd"})
_LONGEST_TAG = 9
_FARTHEST = 5
"""Words between a verb and a clause without “that”."""

_NOTHING = "no-clause"


@rule(
    "embedded_clause",
    effect="same",
    skips={
        _NOTHING: "no clause is embedded under a verb of saying or thinking",
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
    """What was said or thought, alone: “Octel said the purchase was expected.” → “The purchase was expected.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("embedded_clause", "The baker thinks that it will rain.")[0].text
    'It will rain.'
    >>> rewrite("embedded_clause", "“We sold the boat,” said Ann.")[0].text
    'We sold the boat.'
    """
    found = False
    if not _QUOTES.isdisjoint(sentence.text) or sentence.text[:1] in "'‘":
        for outcome in spoken(sentence):
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
        yield Skip(_NOTHING)


def _of_span(span: Span, sentence: Sentence) -> Iterator[Outcome]:
    """The clauses embedded in one sentence of the text, the outermost first."""
    for text, reason in _according(span):
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
    return Draft(done, changes(text, done), reason)


def _is_whole(span: Span, sentence: Sentence) -> bool:
    """Whether the parser's sentence is one: what is cut in the middle of a clause is none."""
    if len(sentence.spans) == 1:
        return True
    text = sentence.text
    before, own = text[: span.start_char].rstrip(), text[span.start_char : span.end_char].rstrip(" \"'”’)")
    ends = span.end_char >= len(text.rstrip()) or own[-1:] in _SENTENCE_END
    return ends and (not before or before.rstrip("\"'”’)")[-1:] in _SENTENCE_END)


Found = tuple[str, str, "Token | None"]
"""The new sentence, the reason, and the verb of the clause where it is the last thing in the sentence."""


def _clause(verb: Token, span: Span) -> Found | Skip | None:
    """The clause under a verb; None where there is none."""
    holder, verb = _holder(verb)
    clause = next((child for child in holder.children if _is_clause(child, verb)), None)
    if clause is None:
        aside = next((child for child in verb.children if _is_aside(child)), None)
        return None if aside is None else _without_aside(aside, verb, span)
    lemma = _lemma(verb)
    if clause.i < verb.i:
        return _before_tag(clause, verb, span) if lemma in ASSERTING | SEEMING else None
    refusal = _verb_refusal(verb, holder, clause, span)
    if refusal is not None:
        return None if refusal.code == _NOTHING else refusal
    return _after_verb(clause, verb, span)


def _holder(verb: Token) -> tuple[Token, Token]:
    """The word that the clause hangs on (“sure” in “I am sure that”), and the verb of the saying itself."""
    for child in verb.children:
        if child.i < verb.i:
            continue
        if child.dep_ == "acomp" and (child.lower_ in SURE or child.lower_ in NO_SURENESS):
            # “It is clear that …” hangs on the verb, “I am sure that …” on the adjective.
            return (child if any(one.dep_ == "ccomp" for one in child.children) else verb), verb
        if child.dep_ == "xcomp" and verb.lemma_ in _SAID_FIRST and child.lemma_ in ASSERTING:
            subject = verb_group(verb).subject
            if subject is not None and subject.lower_ in _FIRST_PERSON:
                return child, child
    return verb, verb


def _is_clause(child: Token, verb: Token) -> bool:
    if child.dep_ == "ccomp":
        return True
    if child.dep_ == "advcl" and child.i > verb.i and verb.lemma_ in LIKE_VERBS:
        return any(one.dep_ == "mark" and one.lower_ == "like" for one in child.children)
    return False


def _lemma(verb: Token) -> str:
    lemma = str(verb.lemma_).lower()
    return {"found": "find", "felt": "feel", "saw": "see", "thought": "think"}.get(lemma, lemma)


def _verb_refusal(verb: Token, holder: Token, clause: Token, span: Span) -> Skip | None:
    """Why the clause after this verb cannot be taken alone."""
    lemma = _lemma(verb)
    if not _embeds(verb, holder, clause, lemma):
        code = "denied" if lemma in DENYING else "not-asserted" if lemma in NOT_ASSERTING or _unsure(verb) else _NOTHING
        return Skip(code)
    if "?" in span.text:
        return Skip("question")
    top = verb.head if verb.dep_ == "xcomp" else verb
    refusal = _polarity_refusal({verb, top, holder})
    if refusal is None and not all(_may_stand_beside(child, clause) for word in (verb, top) for child in word.children):
        refusal = Skip("more")
    if refusal is None:
        subject = verb_group(top).subject
        if subject is None or subject.i > verb.i:
            refusal = None if _may_lack_subject(lemma, span[0]) else Skip("more")
            subject = None
        else:
            refusal = _subject_refusal(subject, lemma, clause)
        refusal = refusal or _mood_refusal(verb, top, clause, subject)
    return refusal


def _polarity_refusal(words: set[Token]) -> Skip | None:
    for child in (child for word in words for child in word.children):
        if child.dep_ == "neg" or child.lower_ in NEGATORS:
            return Skip("negated")
        if child.dep_ == "advmod" and child.lower_ in DENYING_ADVERBS:
            return Skip("denied")
    return None


def _may_lack_subject(lemma: str, first: Token) -> bool:
    return lemma in IMPERATIVES or first.lower_ in OPENERS or first.lower_ in {"pretty", "just"}


def _subject_refusal(subject: Token, lemma: str, clause: Token) -> Skip | None:
    words = {subject.lower_, *(child.lower_ for child in subject.children)}
    if not words.isdisjoint(DENYING_SUBJECTS):
        return Skip("denied")
    if subject.tag_ in _WH:
        return Skip("dependent")
    if lemma in BELIEFS and not words.isdisjoint(OTHERS):
        return Skip("not-asserted", "what other people believe is often told to show that they are wrong")
    if clause.dep_ == "advcl" and subject.lower_ not in {"it", "i", "we"}:
        return Skip("not-asserted", "what somebody looks like is not what they are")
    if lemma == "be" and subject.lower_ not in _FIRST_PERSON and clause.head.lower_ == "afraid":
        return Skip("not-asserted")
    return None


def _may_stand_beside(child: Token, clause: Token) -> bool:
    """Whether a part of the main clause can go with it, or stay, without harm."""
    if child.dep_ == "advcl":
        return bool(child.i == clause.i)
    if child.dep_ == "conj":
        # “I think he is ill and she is tired”: a clause with a subject of its own goes on with what is thought.
        return child.i > clause.i and verb_group(child).subject is not None
    return child.i >= clause.i or child.dep_ in _BESIDE


def _embeds(verb: Token, holder: Token, clause: Token, lemma: str) -> bool:
    """Whether the verb says that the clause is so."""
    if clause.dep_ == "advcl":
        return True
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), None)
    if particle is not None or lemma in {"turn", "point"}:
        return PARTICLES.get(lemma) == particle
    if lemma == "be":
        return _is_point_or_sure(verb, holder)
    hearers = [child for child in verb.children if child.dep_ in {"dobj", "dative"} and child.i < clause.i]
    if hearers:
        return lemma in HEARERS and lemma in ASSERTING and len(hearers) == 1
    return lemma in ASSERTING or lemma in SEEMING or verb.lower_ in {"sure", "positive", "certain"}


def _is_point_or_sure(verb: Token, holder: Token) -> bool:
    """“The truth is that …”, “I am sure that …”, “It is clear that …”."""
    subject = verb_group(verb).subject
    if holder.i == verb.i and subject is not None and subject.lemma_ in POINTS:
        return True
    return any(word.lower_ in SURE for word in (holder, *(one for one in verb.children if one.dep_ == "acomp")))


def _unsure(verb: Token) -> bool:
    return any(child.dep_ == "acomp" and child.lower_ in NO_SURENESS for child in verb.children)


def _mood_refusal(verb: Token, top: Token, clause: Token, subject: Token | None) -> Skip | None:
    """Why the clause is not said to be so: modals, orders, and beliefs that one has had."""
    group = verb_group(top)
    person = subject.lower_ if subject is not None else "i"
    modals = [word.lower_ for word in group.auxiliaries if word.tag_ == "MD"]
    if modals:
        mine = person in _FIRST_PERSON
        polite = modals[0] in {"would", "'d", "’d", "must", "can", "will", "'ll", "’ll", "should"}
        if not (mine and polite and (_lemma(verb) in _POLITELY_SAID or top.lemma_ == "like")):
            return Skip("not-asserted")
    if any(word.lower_ == "to" for word in group.auxiliaries):
        return Skip("not-asserted")
    finite = next((word for word in verb_group(clause).auxiliaries), clause)
    if _lemma(verb) in DIRECTIVE and finite.tag_ in {"VB", "VBP"} and finite.lemma_ not in {"be", "have"}:
        return Skip("not-asserted")
    past = group.first.tag_ == "VBD"
    if past and person in _FIRST_PERSON and _lemma(verb) in LOOSE_BELIEFS and not _is_verdict(clause):
        return Skip("contrary")
    return None


def _is_verdict(clause: Token) -> bool:
    """Whether a clause says what something was like: “I thought it was great” is no belief given up."""
    subject = verb_group(clause).subject
    if subject is None or not (subject.lower_ in {"it", "this", "that", "they"} or subject.tag_ in {"NN", "NNS"}):
        return False
    return clause.lemma_ == "be" and any(child.dep_ == "acomp" for child in clause.children)


def _dependence(clause: Token, start: Token) -> Skip | None:
    """Why a clause cannot stand alone."""
    group = verb_group(clause)
    subject = group.subject
    if subject is None or group.is_inverted or subject.tag_ in _WH or subject.lower_ in _OBJECT_PRONOUNS:
        return Skip("dependent")
    if group.first.tag_ not in {"VBZ", "VBP", "VBD", "MD"} and not (
        # The tagger's slip: “children learn” with the tag of an infinitive.
        group.first.tag_ == "VB"
        and group.first.i == clause.i
        and (subject.tag_ == "NNS" or subject.lower_ in {"i", "you", "we", "they"})
    ):
        return Skip("dependent")
    asks = start.tag_ in _WH and not any(one.dep_ == "csubj" for one in clause.children)
    for word in clause.children:
        asks = asks or (word.dep_ == "mark" and word.lower_ not in {"that", "like"})
        asks = asks or (word.i < subject.i and word.dep_ != "advcl" and any(one.tag_ in _WH for one in word.subtree))
    return Skip("dependent") if asks else None


def _after_verb(clause: Token, verb: Token, span: Span) -> Found | Skip:
    """“She said (that) it was late.”: from the clause on to the end of the sentence."""
    doc = span.doc
    start = clause.left_edge.i
    while start < clause.i and (doc[start].is_punct or (doc[start].dep_ == "mark" and doc[start].head == clause)):
        start += 1
    refusal = _dependence(clause, doc[start])
    if refusal is not None:
        return refusal
    if start <= verb.i or not all(
        doc[place].i == clause.i or clause.is_ancestor(doc[place]) for place in range(start, clause.right_edge.i + 1)
    ):
        return Skip("unclear")
    if not _begins_after(verb, doc[start]) or _goes_on_outside(clause):
        return Skip("unclear")
    after = [doc[place] for place in range(clause.right_edge.i + 1, span.end) if not doc[place].is_space]
    if any(one.dep_ in {"parataxis", "ccomp"} and one.head == verb for one in after):
        return Skip("more")
    text = span.text[start_of(doc[start]) - span.start_char :]
    if not _balanced(text):
        return Skip("unclear")
    return capitalised(text), f"what “{verb.text}” embeds", clause


def _begins_after(verb: Token, start: Token) -> bool:
    """Whether what stands between the verb and its clause is “that”, a hearer, an adverb: nothing that is torn."""
    before = start.nbor(-1)
    if before.lower_ in {"that", "like"} or before.i == verb.i or before.is_punct:
        return True
    while before.head.i > verb.i and before.head.i < start.i:
        before = before.head
    return verb.i in (before.head.i, before.head.head.i) and start.i - verb.i <= _FARTHEST


def _goes_on_outside(clause: Token) -> bool:
    """“I feel that you are rude, and warn you”: after a comma, a verb without a subject is rather the speaker's."""
    for child in clause.children:
        if child.dep_ == "conj" and child.tag_ != "VBG" and verb_group(child).subject is None:
            return any(one.text == "," for one in clause.doc[clause.i + 1 : child.i] if one.head == clause)
    return False


def _before_tag(clause: Token, verb: Token, span: Span) -> Found | Skip | None:
    """“It was late, she said.”: up to the comma."""
    comma = next((place for place in range(clause.right_edge.i + 1, verb.i) if span.doc[place].text == ","), None)
    if comma is None or "?" in span.text:
        return None if comma is None else Skip("question")
    tag = [one for one in span.doc[comma + 1 : span.end] if not one.is_punct and not one.is_space]
    refusal = _tag_refusal(tag, verb)
    if refusal is not None:
        return refusal
    refusal = _dependence(clause, span[0])
    if refusal is not None:
        return refusal
    end = _END.search(span.text)
    text = span.text[: start_of(span.doc[comma]) - span.start_char].rstrip() + (end.group().strip() if end else ".")
    return (capitalised(text), f"without “{_words(tag)}”", None) if _balanced(text) else Skip("unclear")


def _is_aside(child: Token) -> bool:
    return child.dep_ in {"parataxis", "ccomp"} and _lemma(child) in ASSERTING


def _without_aside(aside: Token, root: Token, span: Span) -> Found | Skip | None:
    """“The plan, she said, was late.”: without what stands between the commas."""
    doc = span.doc
    first, last = aside.left_edge.i, aside.right_edge.i
    while doc[first].is_punct and first < aside.i:
        first += 1
    while doc[last].is_punct and last > aside.i:
        last -= 1
    if first - 1 <= span.start or last + 1 >= span.end or doc[first - 1].text != "," or doc[last + 1].text != ",":
        return None
    if "?" in span.text:
        return Skip("question")
    tag = list(doc[first : last + 1])
    refusal = _tag_refusal(tag, aside)
    if refusal is not None:
        return refusal
    subject = verb_group(root).subject
    if subject is None:
        return Skip("dependent")
    # After “If it rains, he said, we will stay” a comma is still due; between a subject and its verb it is not.
    keeps = subject.i > last or verb_group(root).first.i < first
    text = doc.text
    before = text[span.start_char : end_of(doc[first - 2])]
    after = text[end_of(doc[last + 1]) : span.end_char]
    new = before + ("," if keeps else "") + after
    return (capitalised(new), f"without “{_words(tag)}”", None) if _balanced(new) else Skip("unclear")


def _tag_refusal(tag: list[Token], verb: Token) -> Skip | None:
    """Why “she said” beside a clause is more than that."""
    if any(one.dep_ == "neg" or one.lower_ in NEGATORS for one in tag):
        return Skip("negated")
    if any(one.lower_ in DENYING_ADVERBS | DENYING_SUBJECTS for one in tag):
        return Skip("denied")
    finite = [one for one in tag if one.tag_ in {"VBZ", "VBP", "VBD", "MD"}]
    subject = verb_group(verb).subject
    if subject is None or subject not in tag or len(tag) > _LONGEST_TAG or len(finite) != 1:
        return Skip("more")
    hearer = _lemma(verb) in HEARERS
    if any(child.dep_ in _TELLING_MORE and child in tag and not hearer for child in verb.children):
        return Skip("more")
    if any(one.is_punct or one.text[:1] in '"“' for one in tag):
        return Skip("unclear")
    return Skip("dependent") if tag[0].tag_ in _WH or tag[0].lower_ in {"as", "like", "so", "if"} else None


def _according(span: Span) -> Iterator[tuple[str, str]]:
    """“According to Ann, it was late.” and “It was late, according to Ann.”"""
    word = next((one for one in span if one.lower_ == "according"), None)
    if word is None or word.i + 1 >= span.end or word.nbor().lower_ != "to" or "?" in span.text:
        return
    doc = span.doc
    last = word.right_edge.i
    if doc[last].is_punct:
        last -= 1
    subject = verb_group(span.root).subject
    if subject is None or last - word.i > _LONGEST_TAG:
        return
    source = doc[word.i : last + 1].text
    if word.i == span.start and last + 1 < span.end and doc[last + 1].text == "," and subject.i > last:
        rest = doc.text[end_of(doc[last + 1]) : span.end_char].lstrip()
        if _balanced(rest):
            yield capitalised(rest), f"without “{source}”"
    elif (
        word.i - 1 > span.start
        and doc[word.i - 1].text == ","
        and all(one.is_punct for one in doc[last + 1 : span.end])
    ):
        end = _END.search(span.text)
        rest = doc.text[span.start_char : start_of(doc[word.i - 1])] + (end.group().strip() if end else "")
        if _balanced(rest):
            yield rest, f"without “{source}”"


def _words(tokens: list[Token]) -> str:
    return tokens[0].doc[tokens[0].i : tokens[-1].i + 1].text if tokens else ""


def _balanced(text: str) -> bool:
    """Whether quotes and brackets come in pairs."""
    return (
        text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
    )
