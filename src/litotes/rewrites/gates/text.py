"""Gates: what a rewritten sentence must stand, whatever rule made it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

from litotes.languages.en.articles import article
from litotes.rewrites.base import COMMON_SKIPS, Edit, Edits, Sentence, Skip

_DOUBLED = re.compile(r"(?<![\w'’])(\w+) \1(?![\w'’])", re.IGNORECASE)
_MAY_BE_DOUBLED = frozenset({"had", "that", "very", "really", "so", "no", "ha", "blah", "bye"})
_STRAY = re.compile(r" [,.;?!](?![.\w])|\( | \)|,,|,\.")
_ODD_BLANK = re.compile(r"\s{2,}|[^\S ]")
_SIGN = re.compile(r"[^\w\s'’‘,.;:?!\-–—…]")
_SIGN_PERHAPS = re.compile(r"[^a-zA-Z ,.'?!\-]")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_ENDS = (".", "?", "!", "…")
_END = re.compile(r"[.?!…][\"'”’)\]*_~]*\s*$")
# A capital A inside a sentence is a name: "vitamin A".
_ARTICLE = re.compile(r"(?<![\w'’.\-])(an?|An|(?<!\w )A)\s+[\"“‘'(\[*]*(\w[\w.]*)")
_ARTICLES = frozenset({"a", "an"})
_NOT_AFTER_ARTICLE = frozenset({"is", "and", "or", "are", "was", "in", "of", "on", "at", "if", "as", "to", "for"})
"""Before them stands the letter a, not the article."""

_BREAKS = frozenset(",;:.?!")
_GONE = {0: (1, 2), 1: (0, 1, 2), 2: (0, 1, 2), -1: (2, 3)}
"""So many more words than before → how many may have gone, the likeliest first."""

BATCH = 64
"""Texts whose edits go through a gate together."""


def edit_fault(sentence: Sentence, after: str) -> str | None:
    """The skip code of what is wrong with an edit of a sentence; kept, since several rules make the same of it."""
    known = sentence.faults
    if after not in known:
        before = sentence.text
        known[after] = (
            None if is_plain(sentence.pieces, after) else closer_look(before, after) or _fault_at_ends(before, after)
        )
    return known[after]


def _fault_at_ends(before: str, after: str) -> str | None:
    """Blanks at the start and the end are nobody's to change."""
    if len(before.strip()) == len(before) and len(after.strip()) == len(after):
        return None
    start, end = before[: len(before) - len(before.lstrip())], before[len(before.rstrip()) :]
    return None if after == f"{start}{after.strip()}{end}" else "broken"


def is_plain(old: list[str], after: str) -> bool:
    """Whether words of letters came or changed in one place, and neither there nor beside it anything can be wrong.

    Most edits are such, and this is the quick way to see it. `old` is the text before the edit, cut at each blank.

    >>> is_plain(["I", "am", "glad."], "I am not glad."), is_plain(["I", "am", "glad."], "I am am glad.")
    (True, False)
    """
    new = after.split(" ")
    start, most = 0, len(new)
    for word in old:
        if start == most or word != new[start]:
            break
        start += 1
    more = most - len(old)
    for gone in _GONE.get(more, ()):
        end = start + gone + more
        if start < end <= most and old[start + gone :] == new[end:]:
            if gone == 0 and end == most:
                return False  # they stand behind the sign at the end
            return _is_of_letters(old[start : start + gone], new[start:end]) and not _clash(
                new[start - 1 if start else 0 : end + 1]
            )
    return False


def _is_of_letters(went: list[str], came: list[str]) -> bool:
    """Whether there are only letters in what went and in what came, but for the same sign behind either."""
    old, new = "".join(went), "".join(came)
    if not new.isalpha():
        if went and old[-1:] == new[-1:] and len(went[-1]) > 1 and len(came[-1]) > 1:
            old, new = old[:-1], new[:-1]
        if not new.replace("'", "").isalpha():
            return False
    if not went:
        return True
    if "" in went:
        return False  # a second blank
    return (old.isalpha() or old.replace("'", "").isalpha()) and old.casefold() != new.casefold()


def _clash(words: list[str]) -> bool:
    """Whether something might be wrong where words meet: one repeated, an article that does not fit, a stray sign."""
    last = ""
    for word in words:
        lower = word.lower()
        if last:
            if not lower[:1].isalnum():
                return True
            if not last.isalpha():
                # The end of “well-known” might be repeated, and a bracket before a blank is stray.
                if last[-1] not in _BREAKS and not last.replace("'", "").isalpha():
                    return True
            elif lower.startswith(last) or (last in _ARTICLES and article(word) != last):
                return True
        last = lower or " "
    return False


def text_fault(before: str, after: str) -> str | None:
    """The skip code of what is wrong with a rewritten text, as far as its letters show; None if nothing is.

    Looked at are doubled words, blanks and punctuation, quotes and brackets, and a and an. What was odd before the
    rewrite is not held against it.

    >>> text_fault("I am glad.", "I am am glad."), text_fault("I am glad.", "I am not glad.")
    ('broken', None)
    >>> text_fault("It is a (bad) idea.", "It is an (bad) idea."), text_fault("I am glad.", "I am sad .")
    ('broken', 'broken')
    """
    return None if is_plain(before.split(" "), after) else closer_look(before, after)


def closer_look(before: str, after: str) -> str | None:
    """The same for an edit that is not plain."""
    old_words, new_words = _words(before), after.split()
    # Only where the two differ, and a word or two around it, can there be a new fault.
    start, end = _differing(old_words, new_words)
    old_end, new_end = len(old_words) - end, len(new_words) - end
    if old_end == new_end and _is_same(old_words[start:old_end], new_words[start:new_end]):
        return "unchanged"
    # What is not in the new text at all need not be looked for in the old one.
    if ("  " in after or not after.isprintable()) and _more(_ODD_BLANK, before, after):
        return "broken"
    if not end and _is_closed(before) and not _is_closed(after):
        return "broken"
    first = max(0, start - 2)
    old_words, new_words = old_words[first : old_end + 1], new_words[first : new_end + 1]
    old, new = " ".join(old_words), " ".join(new_words)
    # Most texts have no such sign, and that is quickly seen.
    has_signs = _SIGN_PERHAPS.search(new) or _SIGN_PERHAPS.search(old)
    if has_signs and _SIGN.findall(old) != _SIGN.findall(new) and _signs_broken(before, after):
        return "broken"
    if _words_broken(old_words, new_words):
        return "broken"
    return None


def _words_broken(old_words: list[str], new_words: list[str]) -> bool:
    """Whether words are doubled, articles wrong or signs astray that were not so before."""
    new = " ".join(new_words)
    if not _clash(new_words) and ",," not in new and ",." not in new:
        return False
    # What was so before is not held against it.
    old = " ".join(old_words)
    doubled, stray = _doubled(new), _STRAY.findall(new)
    articles = _ARTICLE.findall(new) if "a " in new or "n " in new or "A " in new else []
    return bool(
        (doubled and doubled > _doubled(old))
        or (stray and len(stray) > len(_STRAY.findall(old)))
        or (articles and _article_wrong(_ARTICLE.findall(old), articles))
    )


@lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    """The words of a text between blanks; kept, as all edits of a sentence are held against the same one."""
    return text.split()


def _differing(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many words at the start and at the end are the same."""
    start = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        start += 1
    most = min(len(old), len(new)) - start
    end = 0
    while end < most and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _is_same(old: list[str], new: list[str]) -> bool:
    """Whether as many words differ in their capitals at most."""
    for one, other in zip(old, new, strict=True):  # noqa: SIM110  (the quickest way)
        if one.casefold() != other.casefold():
            return False
    return True


def _is_closed(text: str) -> bool:
    """Whether the sign of its end is there."""
    return text.endswith(_ENDS) or _END.search(text) is not None


def _doubled(text: str) -> int:
    found = _DOUBLED.findall(text)
    return len([word for word in found if word.lower() not in _MAY_BE_DOUBLED]) if found else 0


def _more(pattern: re.Pattern[str], before: str, after: str) -> bool:
    """Whether something is found that was not there before, or was there less often."""
    return bool(Counter(pattern.findall(after)) - Counter(pattern.findall(before)))


def _signs_broken(before: str, after: str) -> bool:
    """Whether signs came up that were not there, or pairs lost a partner."""
    old, new = Counter(_SIGN.findall(before)), Counter(_SIGN.findall(after))
    if any(sign not in old for sign in new if sign not in '"“”'):
        return True
    if old['"'] % 2 == 0 and new['"'] % 2:
        return True
    return any(old[left] == old[right] and new[left] != new[right] for left, right in _PAIRS)


def _article_wrong(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> bool:
    return any(
        article(word) != shown.lower() and word.lower() not in _NOT_AFTER_ARTICLE
        for shown, word in new
        if (shown, word) not in old
    )


class Candidate(NamedTuple):
    """An edit, and the text that it was made of."""

    text: str
    edit: Edit


class Gate(Protocol):
    """Refuses edits; it is given many at a time, so that it can parse or ask in batches."""

    @property
    def codes(self) -> Mapping[str, str]:
        """The codes of its refusals and what they mean."""

    def refusals(self, candidates: Sequence[Candidate]) -> Sequence[Skip | None]:
        """For each candidate why it is refused, or None."""


class TextGate:
    """The gate of `text_fault`; rules of Litotes stand it already, edits from elsewhere may not."""

    codes: Mapping[str, str] = {code: COMMON_SKIPS[code] for code in ("unchanged", "broken")}

    def refusals(self, candidates: Sequence[Candidate]) -> list[Skip | None]:
        """For each candidate why it is refused, or None."""
        faults = [text_fault(text, edit.text) for text, edit in candidates]
        return [None if fault is None else Skip(fault, self.codes[fault]) for fault in faults]


def gated(rewritten: Iterable[tuple[str, Edits]], gates: Sequence[Gate], *, batch: int = BATCH) -> Iterator[Edits]:
    """The edits of each text of a stream that pass every gate, in order; the refusals are added to the skips.

    >>> good = Edit("I am not glad.", "negation", "opposite", ())
    >>> bad = Edit("I am not not glad.", "negation", "opposite", ())
    >>> [kept] = gated([("I am glad.", Edits([bad, good]))], [TextGate()])
    >>> kept == [good], [skip.code for skip in kept.skips]
    (True, ['broken'])
    """
    stream = iter(rewritten)
    while some := list(islice(stream, batch)):
        yield from _gated_batch(some, gates)


def _gated_batch(some: Sequence[tuple[str, Edits]], gates: Sequence[Gate]) -> Iterator[Edits]:
    waiting = [(place, Candidate(text, edit)) for place, (text, edits) in enumerate(some) for edit in edits]
    refused: dict[int, dict[Skip, None]] = {}
    for gate in gates:
        # What one gate refuses, the next need not look at.
        verdicts = gate.refusals([candidate for _, candidate in waiting]) if waiting else []
        kept = []
        for (place, candidate), skip in zip(waiting, verdicts, strict=True):
            if skip is None:
                kept.append((place, candidate))
            else:
                refused.setdefault(place, {})[skip] = None
        waiting = kept
    passed: dict[int, list[Edit]] = {}
    for place, candidate in waiting:
        passed.setdefault(place, []).append(candidate.edit)
    for place, (_, edits) in enumerate(some):
        skips = dict.fromkeys([*edits.skips, *refused.get(place, ())])
        yield Edits(passed.get(place), tuple(skips))
