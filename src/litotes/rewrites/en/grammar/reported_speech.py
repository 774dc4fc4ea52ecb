"""“She said” beside what she said: between commas, behind it, or “according to her”."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import capitalised
from litotes.languages.en.syntax.verb_groups import NEGATORS, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip
from litotes.rewrites.en.grammar.embedding_verbs import (
    ASSERTING,
    DENYING_ADVERBS,
    DENYING_SUBJECTS,
    HEARERS,
    QUOTING,
    WH_TAGS,
    lemma_of,
)
from litotes.rewrites.patches import end_of, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Span, Token


Found = tuple[str, str, "Token | None"]
"""The new sentence, the reason, and the verb of the clause where it is the last thing in the sentence."""

_END = re.compile(r"\s*[.!…]+[\"'”’)]*\s*$")
_TELLING_MORE = frozenset({"dobj", "acomp", "attr", "ccomp", "xcomp", "conj", "advcl", "oprd"})
_LONGEST_TAG = 9
_OBJECT_PRONOUNS = frozenset({"him", "me", "us", "them"})


def without_source(span: Span) -> Iterator[tuple[str, str]]:
    """“According to Ann, it was late.” and “It was late, according to Ann.”"""
    if "ccording" not in span.doc.text:
        return
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
        if balanced(rest):
            yield capitalised(rest), f"without “{source}”"
    elif (
        word.i - 1 > span.start
        and doc[word.i - 1].text == ","
        and all(one.is_punct for one in doc[last + 1 : span.end])
    ):
        end = _END.search(span.text)
        rest = doc.text[span.start_char : start_of(doc[word.i - 1])] + (end.group().strip() if end else "")
        if balanced(rest):
            yield rest, f"without “{source}”"


def is_aside(child: Token) -> bool:
    """Whether a clause may be a “she said” between commas."""
    return child.dep_ in {"parataxis", "ccomp"} and lemma_of(child) in ASSERTING


def before_tag(clause: Token, verb: Token, span: Span) -> Found | Skip | None:
    """“It was late, she said.”: up to the comma."""
    comma = next((place for place in range(clause.right_edge.i + 1, verb.i) if span.doc[place].text == ","), None)
    if comma is None or "?" in span.text:
        return None if comma is None else Skip("question")
    tag = [one for one in span.doc[comma + 1 : span.end] if not one.is_punct and not one.is_space]
    refusal = _tag_refusal(tag, verb)
    if refusal is not None:
        return refusal
    refusal = dependence(clause, span[0])
    if refusal is not None:
        return refusal
    end = _END.search(span.text)
    text = span.text[: start_of(span.doc[comma]) - span.start_char].rstrip() + (end.group().strip() if end else ".")
    return (capitalised(text), f"without “{_words(tag)}”", None) if balanced(text) else Skip("unclear")


def without_aside(aside: Token, root: Token, span: Span) -> Found | Skip | None:
    """“The plan, she said, was late.”: without what stands between the commas."""
    doc = span.doc
    speaker = verb_group(aside).subject
    # What the parser hangs before the speaker (“If it rains, he said, …”) belongs to what is said.
    first = min(aside.i, speaker.left_edge.i) if speaker is not None else aside.left_edge.i
    last = aside.right_edge.i
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
    return (capitalised(new), f"without “{_words(tag)}”", None) if balanced(new) else Skip("unclear")


def _tag_refusal(tag: list[Token], verb: Token) -> Skip | None:
    """Why “she said” beside a clause is more than that."""
    if any(one.dep_ == "neg" or one.lower_ in NEGATORS for one in tag):
        return Skip("negated")
    if any(one.lower_ in DENYING_ADVERBS | DENYING_SUBJECTS for one in tag):
        return Skip("denied")
    finite = [one for one in tag if one.tag_ in {"VBZ", "VBP", "VBD", "MD"}]
    subject = None if verb_group(verb).is_passive else verb_group(verb).subject
    if subject is None or subject not in tag or len(tag) > _LONGEST_TAG or len(finite) != 1 or finite[0].tag_ == "MD":
        return Skip("more")
    hearer = lemma_of(verb) in HEARERS
    if any(child.dep_ in _TELLING_MORE and child in tag and not hearer for child in verb.children):
        return Skip("more")
    if any(one.is_punct or one.text[:1] in '"“' for one in tag):
        return Skip("unclear")
    return Skip("dependent") if tag[0].tag_ in WH_TAGS or tag[0].lower_ in {"as", "like", "so", "if"} else None


def _words(tokens: list[Token]) -> str:
    return tokens[0].doc[tokens[0].i : tokens[-1].i + 1].text if tokens else ""


def balanced(text: str) -> bool:
    """Whether quotes and brackets come in pairs."""
    return (
        text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
    )


def dependence(clause: Token, start: Token) -> Skip | None:
    """Why a clause cannot stand alone."""
    group = verb_group(clause)
    subject = group.subject
    loose = subject is not None and subject.tag_ == "VBG" and subject.dep_ != "csubj"
    if subject is None or loose or group.is_inverted or subject.tag_ in WH_TAGS or subject.lower_ in _OBJECT_PRONOUNS:
        return Skip("dependent")
    if group.first.tag_ not in {"VBZ", "VBP", "VBD", "MD"} and not (
        # The tagger's slip: “children learn” with the tag of an infinitive.
        group.first.tag_ == "VB"
        and group.first.i == clause.i
        and (subject.tag_ == "NNS" or subject.lower_ in {"i", "you", "we", "they"})
    ):
        return Skip("dependent")
    asks = start.tag_ in WH_TAGS and not any(one.dep_ == "csubj" for one in clause.children)
    for word in clause.children:
        asks = asks or (word.dep_ == "mark" and word.lower_ not in {"that", "like"})
        asks = asks or (
            word.i < subject.i and word.dep_ != "advcl" and any(one.tag_ in WH_TAGS for one in word.subtree)
        )
    return Skip("dependent") if asks else None


_OPEN, _SHUT = '["“]', '["”]'
_BODY = '([^"“”]+?)'
_FIRST = re.compile(rf"^\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([^\"“”]+?)\s*$", re.DOTALL)
_AROUND = re.compile(
    rf"^\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([^\"“”]+?)\s*([,.:;])\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([.!?]?)\s*$", re.DOTALL
)
_LAST = re.compile(rf"^\s*([^\"“”]+?)\s*([,:]?)\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([.!?]?)\s*$", re.DOTALL)
_SINGLE_FIRST = re.compile(r"^\s*['‘]\s*([^'‘]\S*\s.+?[,.!?…])['’]\s+([^'‘’\"]+?)\s*$", re.DOTALL)
_QUOTES_LONGEST_TAG = 12
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


def spoken(sentence: Sentence) -> Iterator[Outcome]:
    """“It is late,” she said; she said, “It is late”; “The bus,” she said, “is late.”"""
    text = sentence.text
    around = _AROUND.match(text)
    if around is not None:
        broken = _breaks_clause(sentence, around.start(2), around.end(2))
        yield _told(sentence, around.span(2), _joined(*around.group(1, 3, 4, 5), broken=broken))
        return
    first = _FIRST.match(text) or _SINGLE_FIRST.match(text)
    if first is not None and (first.group(1)[-1:] in ",.!?…" or first.group(2)[:1] == ","):
        yield _told(sentence, first.span(2), _ended(first.group(1)))
        return
    last = _LAST.match(text)
    if last is not None and (last.group(2) or last.group(3)[:1].isupper()):
        if last.group(4) == "?" and last.group(3)[-1:] != "?":
            yield Skip("question")  # it is asked whether it was said
            return
        yield _told(sentence, last.span(1), _ended(last.group(3), last.group(4)))


def _told(sentence: Sentence, place: tuple[int, int], new: str) -> Outcome:
    start, end = place
    tag = [token for token in sentence.doc if start <= token.idx < end and not token.is_space]
    refusal = _refusal(tag)
    if refusal is not None:
        return refusal
    outside = {token.i for token in tag}
    if not any(token.pos_ in {"VERB", "AUX"} for token in sentence.doc if token.i not in outside):
        return Skip("dependent")
    done = capitalised(new)
    return Draft(done, None, f"the words between the quotes, without “{sentence.text[start:end]}”")


def _refusal(tag: list[Token]) -> Skip | None:
    """Why what stands beside the quotes is more than who spoke, or is not that at all."""
    words = [token for token in tag if not token.is_punct]
    speaking = [token for token in words if token.lemma_.lower() in QUOTING and token.tag_ in _FINITE | {"VBN", "VBG"}]
    if not speaking:
        return Skip("no-clause")
    if any(token.lower_ in NEGATORS or token.lower_ in {"never", "nobody", "no", "if"} for token in words):
        return Skip("negated")
    if any(token.text == "?" for token in tag):
        return Skip("question")
    finite = [token for token in words if token.tag_ in _FINITE]
    if len(words) > _QUOTES_LONGEST_TAG or len(words) < 2 or len(finite) != 1:
        return Skip("more")
    if words[0].pos_ in {"CCONJ", "SCONJ", "ADP"} and words[0].tag_ != "IN":
        return Skip("more")
    return None


def _ended(body: str, after: str = "") -> str:
    """The words as a sentence: a comma at their end becomes a period."""
    body = body.strip()
    if body[-1:] == ",":
        return body[:-1].rstrip() + "."
    return body if body[-1:] in ".!?…" else body + (after or ".")


def _joined(before: str, sign: str, rest: str, after: str, *, broken: bool) -> str:
    """The two parts of what was said, as one sentence or as two."""
    rest = _ended(rest, after)
    if sign == "." or before[-1:] in ".!?…":
        return f"{_ended(before)} {capitalised(rest)}"
    return f"{before.rstrip(', ') if broken else before.rstrip()} {rest}"


def _breaks_clause(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the speaker is named between a subject and its verb, where no comma is left behind."""
    return any(
        token.dep_ in {"nsubj", "nsubjpass", "expl"} and token.idx < start and token.head.idx > end
        for token in sentence.doc
    )
