"""Direct speech: the words between the quotes, without who spoke them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.language.casing import capitalised
from litotes.language.verb_group import NEGATORS
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip
from litotes.rewrites.embedded.words import QUOTING

if TYPE_CHECKING:
    from litotes.language.tree import Token

_OPEN, _SHUT = '["“]', '["”]'
_BODY = '([^"“”]+?)'
_FIRST = re.compile(rf"^\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([^\"“”]+?)\s*$", re.DOTALL)
_AROUND = re.compile(
    rf"^\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([^\"“”]+?)\s*([,.:;])\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([.!?]?)\s*$", re.DOTALL
)
_LAST = re.compile(rf"^\s*([^\"“”]+?)\s*([,:]?)\s*{_OPEN}\s*{_BODY}\s*{_SHUT}\s*([.!?]?)\s*$", re.DOTALL)
_SINGLE_FIRST = re.compile(r"^\s*['‘]\s*([^'‘]\S*\s.+?[,.!?…])['’]\s+([^'‘’\"]+?)\s*$", re.DOTALL)
_LONGEST_TAG = 12
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
    if len(words) > _LONGEST_TAG or len(words) < 2 or len(finite) != 1:
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
