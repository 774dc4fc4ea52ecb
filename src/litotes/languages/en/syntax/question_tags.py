"""Question tags: “…, aren't we?” turns the other way round than its clause."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from litotes.languages.tree import cached_on_doc

if TYPE_CHECKING:
    from litotes.languages.tree import Doc

_TAG = re.compile(
    r",\s+(?P<verb>am|is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|must|shall|ca|wo|sha|ai)"
    r"(?P<nt>n['’]?t)?\s+(?P<who>I|you|he|she|it|we|they|there|that|this|one)(?P<not>\s+not)?\s*(?=\?)",
    re.IGNORECASE,
)
_TO_NEGATIVE = {"will": "won't", "can": "can't", "shall": "shan't", "am": "aren't"}
_DO_FOR_HAVE = {"has": "does", "have": "do", "had": "did"}
_TO_POSITIVE = {"wo": "will", "ca": "can", "sha": "shall"}


class QuestionTag(NamedTuple):
    """A tag at the end of a sentence and its other polarity."""

    start: int
    """Where its comma stands."""
    verb_start: int
    verb_end: int
    """The verb with its n't."""
    not_start: int
    not_end: int
    """A “not” after the pronoun, if any."""
    turned: str
    """What takes the verb's place when the clause is turned round."""
    is_negative: bool
    verb: str
    """In small letters, without its n't."""

    @property
    def with_do(self) -> QuestionTag:
        """The tag with “do” for “have”, as it stands beside “does not have”."""
        do = _DO_FOR_HAVE.get(self.verb)
        if do is None:
            return self
        apostrophe = "’" if "’" in self.turned else "'"
        return self._replace(turned=do if self.is_negative else f"{do}n{apostrophe}t")


def question_tag(text: str) -> QuestionTag | None:
    """The tag of a sentence, if it has one.

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
        return None  # "…, do it?" is no tag: a tag agrees
    verb, negated = match["verb"], bool(match["nt"] or match["not"])
    if negated:
        turned = _TO_POSITIVE.get(verb.lower(), verb)
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
def tag_of(doc: Doc) -> QuestionTag | None:
    """The question tag at the end of a parsed text, found once."""
    asks = doc.text.rstrip(" \"'”’)").endswith("?")
    return question_tag(doc.text) if asks else None


@cached_on_doc
def tag_start(doc: Doc) -> int:
    """Where the tag begins, or the end of the text: what stands behind it belongs to no clause."""
    tag = tag_of(doc)
    return len(doc.text) if tag is None else tag.start
