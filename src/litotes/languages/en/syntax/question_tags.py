"""Question tags such as “aren't we?”, whose polarity is opposite to that of their clause."""

from __future__ import annotations

import re
from typing import NamedTuple

from litotes.languages.en.morphology.contractions import NOT_STEMS
from litotes.languages.tree import Doc, cached_on_doc

_TAG = re.compile(
    r",\s+(?P<verb>am|is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|must|shall|ca|wo|sha|ai)"
    r"(?P<nt>n['’]?t)?\s+(?P<who>I|you|he|she|it|we|they|there|that|this|one)(?P<not>\s+not)?\s*(?=\?)",
    re.IGNORECASE,
)
_TO_NEGATIVE = {"will": "won't", "can": "can't", "shall": "shan't", "am": "aren't"}
_DO_FOR_HAVE = {"has": "does", "have": "do", "had": "did"}


class QuestionTag(NamedTuple):
    """A tag at the end of a sentence, with its verb in the opposite polarity."""

    start: int
    """Offset of the comma."""
    verb_start: int
    verb_end: int
    """Span of the verb with “n't”."""
    not_start: int
    not_end: int
    """Span of a “not” after the pronoun; empty if there is none."""
    turned: str
    """The verb in the opposite polarity."""
    is_negative: bool
    verb: str
    """In lower case, without “n't”."""

    @property
    def with_do(self) -> QuestionTag:
        """The tag with “do” instead of “have”, for a clause with “does not have”."""
        do = _DO_FOR_HAVE.get(self.verb)
        if do is None:
            return self
        apostrophe = "’" if "’" in self.turned else "'"
        return self._replace(turned=do if self.is_negative else f"{do}n{apostrophe}t")


def question_tag(text: str) -> QuestionTag | None:
    """Return the question tag of a sentence, or None.

    >>> tag = question_tag("We're safe, aren't we?")
    >>> tag.turned, tag.is_negative
    ('are', True)
    >>> question_tag("I'm not right, am I?").turned
    "aren't"
    """
    matches = list(_TAG.finditer(text))
    if not matches:
        return None
    match = matches[-1]
    if match["verb"].lower() in {"do", "have", "are", "were"} and match["who"].lower() in {"he", "she", "it", "that"}:
        return None  # "…, do it?" does not agree
    verb, negated = match["verb"], bool(match["nt"] or match["not"])
    if negated:
        turned = NOT_STEMS.get(verb.lower(), verb)
        if verb.lower() == "are" and match["who"] == "I":
            turned = "am"
    else:
        turned = _TO_NEGATIVE.get(verb.lower(), f"{verb}n't")
    end = match.end("nt") if match["nt"] else match.end("verb")
    not_start, not_end = match.span("not") if match["not"] else (end, end)
    if "’" in text:
        turned = turned.replace("'", "’")
    return QuestionTag(match.start(), match.start("verb"), end, not_start, not_end, turned, negated, verb.lower())


@cached_on_doc
def question_tag_of(doc: Doc) -> QuestionTag | None:
    """Return the question tag of a parsed text, or None."""
    is_question = doc.text.rstrip(" \"'”’)").endswith("?")
    return question_tag(doc.text) if is_question else None


@cached_on_doc
def tag_start(doc: Doc) -> int:
    """Return the offset of the question tag, or the length of the text."""
    tag = question_tag_of(doc)
    return len(doc.text) if tag is None else tag.start
