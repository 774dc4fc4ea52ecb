"""Reported speech: verbs that embed a clause, and what was said without its speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from litotes.languages.base import capitalised, word_set
from litotes.languages.en import verbs
from litotes.languages.en.modifiers import CERTAINTY_ADJECTIVES, UNCERTAINTY_ADJECTIVES
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import PERSONAL_OBJECTS, PERSONAL_SUBJECTS, PLAIN_FORM_PRONOUNS, SPEAKERS
from litotes.languages.en.syntax import tags
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Span, Token, has_word
from litotes.rewrites.base import Draft, Refusal, Sentence, refuse_if, require

SEEMING_VERBS = word_set("seem appear turn")
"""“It seems that …”, “it turns out that …”."""
DENYING_ADVERBS = word_list("denying adverbs")
DENYING_SUBJECTS = word_set("not nobody no-one none nothing neither few little no noone hardly")
NO_CLAUSE = "no-clause"
"""The skip code for a sentence without an embedded clause."""

_OTHER_PEOPLE = word_set("they you youd some many most people lot lots folks everyone everybody anybody ppl dudes")
_DISPUTED_BELIEFS = word_set("think believe assume imagine feel figure suppose")
"""With a subject from _OTHER_PEOPLE, these usually introduce a belief that the speaker rejects."""
_CLAUSE_NOUNS = word_list("clause nouns")
"""Subjects of “is” and a clause: “The truth is that …”."""
_IMPERATIVES = word_set("note remember notice see")
"""Imperatives with a clause that is true: “Remember that it is late.”"""
_SUBJECTLESS_OPENINGS = word_list("subjectless openings")
"""First words of sentences that leave out the subject: “Guess he's late.”"""
_PARTICLES = {"turn": "out", "point": "out", "find": "out", "figure": "out"}
_SEPARABLE = tags.SUBJECT_DEPS | word_set(
    "aux auxpass advmod cc intj prep npadvmod punct prt acomp dobj dative xcomp attr"
)
"""The dependents of the main verb that are removed together with it."""
_POLITE_SPEECH_VERBS = frozenset({"say", "argue", "guess", "add", "bet", "admit", "tell", "swear"})
"""“I would say”, “I must admit”, “I can tell you”."""
_POLITE_MODALS = frozenset({"would", "'d", "’d", "must", "can", "will", "'ll", "’ll", "should"})


def check_embedding(verb: Token, holder: Token, clause: Token, span: Span) -> None:
    """Refuse if the sentence does not present the clause of a verb as true."""
    lemma = lemma_of(verb)
    if not _is_assertive(verb, holder, clause, lemma):
        refuse_if(lemma in verbs.DENIAL_VERBS, "denied")
        words = [child.lower_ for child in verb.children if child.dep_ == "acomp"]
        is_uncertain = lemma in verbs.NON_ASSERTIVE_VERBS or not UNCERTAINTY_ADJECTIVES.isdisjoint(words)
        raise Refusal("not-asserted" if is_uncertain else NO_CLAUSE)
    top = verb.head if verb.dep_ == "xcomp" else verb
    refuse_if("?" in span.text or _is_question(top), "question")
    refuse_if(verb_group(top).first.tag_ in {"VBG", "VBN"}, "more")
    _check_polarity((verb, top, holder))
    refuse_if(not all(_is_separable(child, clause, top) for word in (verb, top) for child in word.children), "more")
    subject = verb_group(top).subject
    if subject is None or subject.i > verb.i:
        subject = None
        refuse_if(not _can_lack_subject(lemma, span[0]), "more")
    else:
        _check_subject(subject, lemma, clause)
    _check_mood(verb, top, clause, subject)


def _is_question(verb: Token) -> bool:
    """Return whether a sentence is a question without a question mark: “How do you know he is ill.”"""
    group = verb_group(verb)
    if group.is_inverted and group.auxiliaries:
        return True
    return any(
        child.tag_ in tags.WH_TAGS and child.i < verb.i and child.dep_ in {"advmod", "dobj"} for child in verb.children
    )


def _check_polarity(words: tuple[Token, ...]) -> None:
    for child in (child for word in words for child in word.children):
        refuse_if(child.dep_ == "neg" or child.lower_ in NOT_TOKENS, "negated")
        refuse_if(child.dep_ == "advmod" and child.lower_ in DENYING_ADVERBS, "denied")


def _can_lack_subject(lemma: str, first: Token) -> bool:
    following = first.nbor().lower_
    if lemma == "see" and following == "that":
        return False  # “See that the door is shut” is an order
    opening = following if first.lower_ in {"pretty", "just"} else first.lower_
    return lemma in _IMPERATIVES or opening in _SUBJECTLESS_OPENINGS


def _check_subject(subject: Token, lemma: str, clause: Token) -> None:
    words = {subject.lower_, *(child.lower_ for child in subject.children)}
    refuse_if(not words.isdisjoint(DENYING_SUBJECTS), "denied")
    refuse_if(subject.tag_ in tags.WH_TAGS, "dependent")
    if lemma in _DISPUTED_BELIEFS and (not words.isdisjoint(_OTHER_PEOPLE) or _is_mistaken_belief(subject, clause)):
        raise Refusal("not-asserted", "the beliefs of other people are often reported in order to contradict them")
    if clause.dep_ == "advcl" and subject.lower_ != "it" and subject.lower_ not in SPEAKERS:
        raise Refusal("not-asserted", "people are not always what they look like")
    refuse_if(lemma == "be" and subject.lower_ not in SPEAKERS and clause.head.lower_ == "afraid", "not-asserted")


def _is_mistaken_belief(subject: Token, clause: Token) -> bool:
    """Return whether a belief is probably wrong: “He thinks that he is a genius”, “They thought I was the doctor”."""
    inner = verb_group(clause).subject
    return subject.lower_ not in SPEAKERS and inner is not None and inner.lower_ in PERSONAL_SUBJECTS - {"you"}


def _is_separable(child: Token, clause: Token, top: Token) -> bool:
    """Return whether a part of the main clause can be removed with it, or remain after the embedded clause."""
    if child.dep_ == "advcl":
        return bool(child.i == clause.i)
    if child.dep_ == "conj":
        # “I think he is ill and she is tired”: a second clause with its own subject belongs to the thought.
        subject = verb_group(top).subject
        is_first_person = subject is not None and subject.lower_ in SPEAKERS
        return is_first_person and child.i > clause.i and verb_group(child).subject is not None
    return child.i >= clause.i or child.dep_ in _SEPARABLE


def _is_assertive(verb: Token, holder: Token, clause: Token, lemma: str) -> bool:
    if clause.dep_ == "advcl":
        return True
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), None)
    if particle is not None or lemma in {"turn", "point"}:
        return _PARTICLES.get(lemma) == particle
    if lemma == "be":
        return _is_copula_with_clause(verb, holder)
    hearers = [child for child in verb.children if child.dep_ in {"dobj", "dative"} and child.i < clause.i]
    if hearers:
        return lemma in verbs.HEARER_VERBS and lemma in verbs.ASSERTIVE_VERBS and len(hearers) == 1
    return lemma in verbs.ASSERTIVE_VERBS or lemma in SEEMING_VERBS or verb.lower_ in {"sure", "positive", "certain"}


def _is_copula_with_clause(verb: Token, holder: Token) -> bool:
    """Return whether “be” has a clause: “The truth is that …”, “I am sure that …”, “It is clear that …”."""
    subject = verb_group(verb).subject
    if holder.i == verb.i and subject is not None and subject.lemma_ in _CLAUSE_NOUNS:
        return True
    complements = (child for child in verb.children if child.dep_ == "acomp")
    return has_word((holder, *complements), CERTAINTY_ADJECTIVES)


def _check_mood(verb: Token, top: Token, clause: Token, subject: Token | None) -> None:
    """Refuse if a modal, an order or a past belief means that the clause need not be true."""
    group, lemma = verb_group(top), lemma_of(verb)
    is_first_person = subject is None or subject.lower_ in SPEAKERS
    modals = [word.lower_ for word in group.auxiliaries if word.tag_ == "MD"]
    if modals:
        is_polite = modals[0] in _POLITE_MODALS and (lemma in _POLITE_SPEECH_VERBS or top.lemma_ == "like")
        refuse_if(not (is_first_person and is_polite), "not-asserted")
    refuse_if(has_word(group.auxiliaries, {"to"}), "not-asserted")
    finite = next(iter(verb_group(clause).auxiliaries), clause)
    if lemma in verbs.SUGGESTION_VERBS and finite.tag_ in {"VB", "VBP"} and finite.lower_ not in {"am", "is", "are"}:
        raise Refusal("not-asserted")
    if (
        is_first_person
        and group.first.tag_ == "VBD"
        and lemma in verbs.TENTATIVE_BELIEF_VERBS
        and not _is_opinion(clause)
    ):
        raise Refusal("contrary")


def _is_opinion(clause: Token) -> bool:
    """Return whether a clause judges something: “I thought it was great” does not report a mistake."""
    subject = verb_group(clause).subject
    if subject is None or not (subject.lower_ in {"it", "this", "that", "they"} or subject.tag_ in {"NN", "NNS"}):
        return False
    return clause.lower_ in {"was", "were"} and clause.has_child("acomp")


def lemma_of(verb: Token) -> str:
    """Return the lemma of a verb, corrected where the parser confuses two verbs."""
    lemma = verb.lemma_.lower()
    return {"found": "find", "felt": "feel", "saw": "see", "thought": "think"}.get(lemma, lemma)


_END = re.compile(r"\s*[.!…]+[\"'”’)]*\s*$")
_COMPLEMENTS = tags.PREDICATIVE_DEPS | tags.CLAUSAL_COMPLEMENT_DEPS | {"dobj", "conj", "advcl"}
_MAX_SOURCE_WORDS = 9
_MAX_WORDS_BESIDE_QUOTES = 12


class ExtractedClause(NamedTuple):
    """A sentence reduced to one of its clauses."""

    text: str
    reason: str
    verb: Token | None
    """The verb of the clause if further clauses may be embedded in it."""


def without_source(span: Span) -> Iterator[tuple[str, str]]:
    """Remove “according to Ann” from the start or the end of a sentence; yield the text and the reason."""
    if "ccording" not in span.doc.text:
        return
    word = next((token for token in span if token.lower_ == "according"), None)
    if word is None or word.i + 1 >= span.end or word.nbor().lower_ != "to" or "?" in span.text:
        return
    doc = span.doc
    last = word.right_edge.i
    if doc[last].is_punct:
        last -= 1
    subject = verb_group(span.root).subject
    if subject is None or last - word.i > _MAX_SOURCE_WORDS:
        return
    source = doc[word.i : last + 1].text
    if word.i == span.start and last + 1 < span.end and doc[last + 1].text == "," and subject.i > last:
        rest = doc.text[doc[last + 1].end : span.end_char].lstrip()
        if is_balanced(rest):
            yield capitalised(rest), f"without “{source}”"
    elif (
        word.i - 1 > span.start
        and doc[word.i - 1].text == ","
        and all(token.is_punct for token in doc[last + 1 : span.end])
    ):
        end = _END.search(span.text)
        rest = doc.text[span.start_char : doc[word.i - 1].idx] + (end.group().strip() if end else "")
        if is_balanced(rest):
            yield rest, f"without “{source}”"


def is_parenthetical(child: Token) -> bool:
    """Return whether a clause may be a parenthetical “she said”."""
    return child.dep_ in {"parataxis", "ccomp"} and lemma_of(child) in verbs.ASSERTIVE_VERBS


def without_final_source(clause: Token, verb: Token, span: Span) -> ExtractedClause | None:
    """Remove the end of “It was late, she said.”; return None if no comma separates it."""
    comma = next((index for index in range(clause.right_edge.i + 1, verb.i) if span.doc[index].text == ","), None)
    if comma is None:
        return None
    refuse_if("?" in span.text, "question")
    source = [token for token in span.doc[comma + 1 : span.end] if not token.is_punct and not token.is_space]
    _check_source(source, verb)
    check_dependence(clause, span[0])
    end = _END.search(span.text)
    text = span.text[: span.doc[comma].idx - span.start_char].rstrip() + (end.group().strip() if end else ".")
    return _extracted(text, source)


def without_parenthetical(parenthetical: Token, root: Token, span: Span) -> ExtractedClause | None:
    """Remove “she said” from “The plan, she said, was late.”; return None if it is not between commas."""
    doc = span.doc
    speaker = verb_group(parenthetical).subject
    # Words that the parser attaches before the speaker (“If it rains, he said, …”) belong to the statement.
    first = min(parenthetical.i, speaker.left_edge.i) if speaker is not None else parenthetical.left_edge.i
    last = parenthetical.right_edge.i
    while doc[last].is_punct and last > parenthetical.i:
        last -= 1
    if first - 1 <= span.start or last + 1 >= span.end or doc[first - 1].text != "," or doc[last + 1].text != ",":
        return None
    refuse_if("?" in span.text, "question")
    source = list(doc[first : last + 1])
    _check_source(source, parenthetical)
    subject = require(verb_group(root).subject, "dependent")
    # “If it rains, he said, we will stay” still needs a comma; a subject and its verb are not separated by one.
    needs_comma = subject.i > last or verb_group(root).first.i < first
    text = doc.text
    before = text[span.start_char : doc[first - 2].end]
    after = text[doc[last + 1].end : span.end_char]
    return _extracted(before + ("," if needs_comma else "") + after, source)


def _extracted(text: str, source: list[Token]) -> ExtractedClause:
    refuse_if(not is_balanced(text), "unclear")
    words = source[0].doc[source[0].i : source[-1].i + 1].text if source else ""
    return ExtractedClause(capitalised(text), f"without “{words}”", None)


def _check_source(source: list[Token], verb: Token) -> None:
    refuse_if(any(token.dep_ == "neg" or token.lower_ in NOT_TOKENS for token in source), "negated")
    refuse_if(has_word(source, DENYING_ADVERBS | DENYING_SUBJECTS), "denied")
    finite = [token for token in source if token.tag_ in tags.FINITE_TAGS]
    subject = require(None if verb_group(verb).is_passive else verb_group(verb).subject, "more")
    refuse_if(subject not in source or len(source) > _MAX_SOURCE_WORDS, "more")
    refuse_if(len(finite) != 1 or finite[0].tag_ == "MD", "more")
    names_hearer = lemma_of(verb) in verbs.HEARER_VERBS
    if any(child.dep_ in _COMPLEMENTS and child in source and not names_hearer for child in verb.children):
        raise Refusal("more")
    refuse_if(any(token.is_punct or token.text[:1] in '"“' for token in source), "unclear")
    is_dependent = source[0].tag_ in tags.WH_TAGS or source[0].lower_ in {"as", "like", "so", "if"}
    refuse_if(is_dependent, "dependent")


def is_balanced(text: str) -> bool:
    """Return whether quotation marks and brackets come in pairs."""
    return text.count('"') % 2 == 0 and all(
        text.count(opening) == text.count(end) for opening, end in ("“”", "()", "[]")
    )


def check_dependence(clause: Token, start: Token) -> None:
    """Refuse if a clause that begins with the token `start` cannot be a sentence of its own."""
    group = verb_group(clause)
    subject = require(group.subject, "dependent")
    refuse_if(subject.tag_ == "VBG" and subject.dep_ != "csubj", "dependent")
    if group.is_inverted or subject.tag_ in tags.WH_TAGS or subject.lower_ in PERSONAL_OBJECTS - {"her"}:
        raise Refusal("dependent")
    # The tagger may be wrong: “children learn” with the tag of an infinitive.
    is_mistagged = (
        group.first.tag_ == "VB"
        and group.first.i == clause.i
        and (subject.tag_ == "NNS" or subject.lower_ in PLAIN_FORM_PRONOUNS)
    )
    refuse_if(group.first.tag_ not in tags.FINITE_TAGS and not is_mistagged, "dependent")
    refuse_if(start.tag_ in tags.WH_TAGS and not clause.has_child("csubj"), "dependent")
    for child in clause.children:
        refuse_if(child.dep_ == "mark" and child.lower_ not in {"that", "like"}, "dependent")
        if child.i < subject.i and child.dep_ != "advcl" and any(token.tag_ in tags.WH_TAGS for token in child.subtree):
            raise Refusal("dependent")


_OPEN, _CLOSE = '["“]', '["”]'
_BODY = '([^"“”]+?)'
_QUOTE_FIRST = re.compile(rf"^\s*{_OPEN}\s*{_BODY}\s*{_CLOSE}\s*([^\"“”]+?)\s*$", re.DOTALL)
_QUOTE_AROUND = re.compile(
    rf"^\s*{_OPEN}\s*{_BODY}\s*{_CLOSE}\s*([^\"“”]+?)\s*([,.:;])\s*{_OPEN}\s*{_BODY}\s*{_CLOSE}\s*([.!?]?)\s*$",
    re.DOTALL,
)
_QUOTE_LAST = re.compile(rf"^\s*([^\"“”]+?)\s*([,:]?)\s*{_OPEN}\s*{_BODY}\s*{_CLOSE}\s*([.!?]?)\s*$", re.DOTALL)
_SINGLE_QUOTE_FIRST = re.compile(r"^\s*['‘]\s*([^'‘]\S*\s.+?[,.!?…])['’]\s+([^'‘’\"]+?)\s*$", re.DOTALL)


def direct_speech(sentence: Sentence) -> Draft | None:
    """Return the quoted words: “It is late,” she said; she said, “It is late”; “The bus,” she said, “is late.”"""
    text = sentence.text
    around = _QUOTE_AROUND.match(text)
    if around is not None:
        splits_clause = _splits_clause(sentence, around.start(2), around.end(2))
        quote = _join_parts(*around.group(1, 3, 4, 5), splits_clause=splits_clause)
        return _quoted(sentence, around.span(2), quote)
    first = _QUOTE_FIRST.match(text) or _SINGLE_QUOTE_FIRST.match(text)
    if first is not None and (first.group(1)[-1:] in ",.!?…" or first.group(2)[:1] == ","):
        return _quoted(sentence, first.span(2), _with_full_stop(first.group(1)))
    last = _QUOTE_LAST.match(text)
    if last is not None and (last.group(2) or last.group(3)[:1].isupper()):
        # “Did she say …?” asks whether it was said.
        refuse_if(last.group(4) == "?" and last.group(3)[-1:] != "?", "question")
        return _quoted(sentence, last.span(1), _with_full_stop(last.group(3), last.group(4)))
    return None


def _quoted(sentence: Sentence, source_span: tuple[int, int], quote: str) -> Draft:
    start, end = source_span
    source = [token for token in sentence.doc if start <= token.idx < end and not token.is_space]
    _check_quotation_source(source)
    indices = {token.i for token in source}
    refuse_if(not any(token.is_verbal for token in sentence.doc if token.i not in indices), "dependent")
    return Draft(capitalised(quote), None, f"the words between the quotes, without “{sentence.text[start:end]}”")


def _check_quotation_source(source: list[Token]) -> None:
    words = [token for token in source if not token.is_punct]
    if not any(
        token.lemma_.lower() in verbs.QUOTING_VERBS and token.tag_ in tags.FINITE_TAGS | {"VBN", "VBG"}
        for token in words
    ):
        raise Refusal("no-clause")
    if any(token.lower_ in NOT_TOKENS or token.lower_ in {"never", "nobody", "no", "if"} for token in words):
        raise Refusal("negated")
    refuse_if(any(token.text == "?" for token in source), "question")
    n_finite = sum(token.tag_ in tags.FINITE_TAGS for token in words)
    refuse_if(n_finite != 1 or not 2 <= len(words) <= _MAX_WORDS_BESIDE_QUOTES, "more")
    refuse_if(words[0].pos_ in {"CCONJ", "SCONJ", "ADP"} and words[0].tag_ != "IN", "more")


def _with_full_stop(quote: str, punctuation: str = "") -> str:
    """Return the quoted words as a sentence; a final comma becomes a full stop."""
    quote = quote.strip()
    if quote[-1:] == ",":
        return quote[:-1].rstrip() + "."
    return quote if quote[-1:] in ".!?…" else quote + (punctuation or ".")


def _join_parts(first: str, separator: str, second: str, punctuation: str, *, splits_clause: bool) -> str:
    """Return the two parts of an interrupted quotation as one sentence, or as two."""
    second = _with_full_stop(second, punctuation)
    if separator == "." or first[-1:] in ".!?…":
        return f"{_with_full_stop(first)} {capitalised(second)}"
    return f"{first.rstrip(', ') if splits_clause else first.rstrip()} {second}"


def _splits_clause(sentence: Sentence, start: int, end: int) -> bool:
    """Return whether the speaker is named between a subject and its verb, where no comma may remain."""
    return any(
        token.dep_ in tags.PLAIN_SUBJECT_DEPS and token.idx < start and token.head.idx > end for token in sentence.doc
    )
