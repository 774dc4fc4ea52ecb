"""Check the text of an edit: repeated words, spaces, punctuation, paired signs, and a or an."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from litotes.languages.en.morphology.articles import indefinite_article
from litotes.rewrites.base import COMMON_SKIPS, Sentence, Skip, common_skip
from litotes.rewrites.gates import EditCandidate

_REPEATED = re.compile(r"(?<![\w'’])(\w+) \1(?![\w'’])", re.IGNORECASE)
_REPEATABLE = frozenset({"had", "that", "very", "really", "so", "no", "ha", "blah", "bye"})
_STRAY = re.compile(r" [,.;?!](?![.\w])|\( | \)|,,|,\.")
_ODD_SPACE = re.compile(r"\s{2,}|[^\S ]")
_SIGN = re.compile(r"[^\w\s'’‘,.;:?!\-–—…]")
_UNUSUAL_CHARACTER = re.compile(r"[^a-zA-Z ,.'?!\-]")
_PAIRED_SIGNS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_ENDS = (".", "?", "!", "…")
_END = re.compile(r"[.?!…][\"'”’)\]*_~]*\s*$")
# A capital A inside a sentence is a name: "vitamin A".
_ARTICLE = re.compile(r"(?<![\w'’.\-])(an?|An|(?<!\w )A)\s+[\"“‘'(\[*]*(\w[\w.]*)")
_ARTICLES = frozenset({"a", "an"})
_NOT_AFTER_ARTICLE = frozenset({"is", "and", "or", "are", "was", "in", "of", "on", "at", "if", "as", "to", "for"})
"""Words before which “a” is a letter, not the article."""

_PUNCTUATION = frozenset(",;:.?!")
_REMOVED_COUNTS = {0: (1, 2), 1: (0, 1, 2), 2: (0, 1, 2), -1: (2, 3)}
"""Number of additional words → possible numbers of removed words, most likely first."""


def edit_fault(sentence: Sentence, after: str) -> str | None:
    """Return the skip code of the fault in an edit, or None; cached, because several rules produce the same edit."""
    faults = sentence.faults
    if after not in faults:
        if is_simple_edit(sentence.pieces, after):
            faults[after] = None
        else:
            faults[after] = find_text_fault(sentence.text, after) or _fault_at_ends(sentence.text, after)
    return faults[after]


def _fault_at_ends(before: str, after: str) -> str | None:
    """Check that spaces at the start and the end are unchanged."""
    if len(before.strip()) == len(before) and len(after.strip()) == len(after):
        return None
    start, end = before[: len(before) - len(before.lstrip())], before[len(before.rstrip()) :]
    return None if after == f"{start}{after.strip()}{end}" else "broken"


def is_simple_edit(old: list[str], after: str) -> bool:
    """Whether an edit changes or inserts words in one position only, and certainly without a fault.

    This is a fast path: most edits are simple. `old` is the text before the edit, split at each space.

    >>> is_simple_edit(["I", "am", "glad."], "I am not glad."), is_simple_edit(["I", "am", "glad."], "I am am glad.")
    (True, False)
    """
    new = after.split(" ")
    start, n_new = 0, len(new)
    for word in old:
        if start == n_new or word != new[start]:
            break
        start += 1
    more = n_new - len(old)
    for n_removed in _REMOVED_COUNTS.get(more, ()):
        end = start + n_removed + more
        if start < end <= n_new and old[start + n_removed :] == new[end:]:
            if n_removed == 0 and end == n_new:
                return False  # inserted after the final punctuation
            return _is_alphabetic(old[start : start + n_removed], new[start:end]) and not _may_have_fault(
                new[start - 1 if start else 0 : end + 1]
            )
    return False


def _is_alphabetic(removed: list[str], added: list[str]) -> bool:
    """Whether both word lists consist of letters, apart from the same final sign."""
    old, new = "".join(removed), "".join(added)
    if not new.isalpha():
        if removed and old[-1:] == new[-1:] and len(removed[-1]) > 1 and len(added[-1]) > 1:
            old, new = old[:-1], new[:-1]
        if not new.replace("'", "").isalpha():
            return False
    if not removed:
        return True
    if "" in removed:
        return False  # two spaces in a row
    return (old.isalpha() or old.replace("'", "").isalpha()) and old.casefold() != new.casefold()


def _may_have_fault(words: list[str]) -> bool:
    """Whether adjacent words may have a fault: a repetition, a wrong indefinite_article, misplaced punctuation."""
    last = ""
    for word in words:
        lower = word.lower()
        if last:
            if not lower[:1].isalnum():
                return True
            if not last.isalpha():
                # The end of “well-known” may be repeated, and a bracket before a space is misplaced.
                if last[-1] not in _PUNCTUATION and not last.replace("'", "").isalpha():
                    return True
            elif lower.startswith(last) or (last in _ARTICLES and indefinite_article(word) != last):
                return True
        last = lower or " "
    return False


def text_fault(before: str, after: str) -> str | None:
    """Return the skip code of the fault in a rewritten text, or None.

    The checks cover repeated words, spaces and punctuation, quotes and brackets, and a and an. Faults that the text had
    before the rewrite do not count.

    >>> text_fault("I am glad.", "I am am glad."), text_fault("I am glad.", "I am not glad.")
    ('broken', None)
    >>> text_fault("It is a (bad) idea.", "It is an (bad) idea."), text_fault("I am glad.", "I am sad .")
    ('broken', 'broken')
    """
    return None if is_simple_edit(before.split(" "), after) else find_text_fault(before, after)


def find_text_fault(before: str, after: str) -> str | None:
    """Return the skip code of the fault in an edit that is not simple, or None."""
    old_words, new_words = _words(before), after.split()
    # A new fault can only be where the two differ, or a word or two around it.
    start, end = _n_equal_words(old_words, new_words)
    old_end, new_end = len(old_words) - end, len(new_words) - end
    if old_end == new_end and _is_same(old_words[start:old_end], new_words[start:new_end]):
        return "unchanged"
    if ("  " in after or not after.isprintable()) and _occurs_more_often(_ODD_SPACE, before, after):
        return "broken"
    if not end and _is_closed(before) and not _is_closed(after):
        return "broken"
    first = max(0, start - 2)
    old_words, new_words = old_words[first : old_end + 1], new_words[first : new_end + 1]
    old, new = " ".join(old_words), " ".join(new_words)
    has_signs = _UNUSUAL_CHARACTER.search(new) or _UNUSUAL_CHARACTER.search(old)
    if has_signs and _SIGN.findall(old) != _SIGN.findall(new) and _signs_broken(before, after):
        return "broken"
    if _words_broken(old_words, new_words):
        return "broken"
    return None


def _words_broken(old_words: list[str], new_words: list[str]) -> bool:
    """Whether the new words have more repetitions, wrong articles or misplaced signs than the old ones."""
    new = " ".join(new_words)
    if not _may_have_fault(new_words) and ",," not in new and ",." not in new:
        return False
    old = " ".join(old_words)
    repeated, stray = _count_repeated(new), _STRAY.findall(new)
    articles = _ARTICLE.findall(new) if "a " in new or "n " in new or "A " in new else []
    return bool(
        (repeated and repeated > _count_repeated(old))
        or (stray and len(stray) > len(_STRAY.findall(old)))
        or (articles and _article_wrong(_ARTICLE.findall(old), articles))
    )


@lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    """Split a text into words; cached, because all edits of a sentence are compared with it."""
    return text.split()


def _n_equal_words(old: list[str], new: list[str]) -> tuple[int, int]:
    """Return the number of equal words at the start and at the end."""
    start = 0
    for old_word, new_word in zip(old, new, strict=False):
        if old_word != new_word:
            break
        start += 1
    remaining = min(len(old), len(new)) - start
    end = 0
    while end < remaining and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _is_same(old: list[str], new: list[str]) -> bool:
    """Whether the words are equal apart from their case."""
    for old_word, new_word in zip(old, new, strict=True):  # noqa: SIM110  (faster than all())
        if old_word.casefold() != new_word.casefold():
            return False
    return True


def _is_closed(text: str) -> bool:
    """Whether the text ends with final punctuation."""
    return text.endswith(_ENDS) or _END.search(text) is not None


def _count_repeated(text: str) -> int:
    return sum(word.lower() not in _REPEATABLE for word in _REPEATED.findall(text))


def _occurs_more_often(pattern: re.Pattern[str], before: str, after: str) -> bool:
    """Whether the pattern matches something in the new text that was not in the old one, or less often."""
    return bool(Counter(pattern.findall(after)) - Counter(pattern.findall(before)))


def _signs_broken(before: str, after: str) -> bool:
    """Whether signs are new, or paired signs no longer match."""
    old, new = Counter(_SIGN.findall(before)), Counter(_SIGN.findall(after))
    if any(sign not in old for sign in new if sign not in '"“”'):
        return True
    if old['"'] % 2 == 0 and new['"'] % 2:
        return True
    return any(old[left] == old[right] and new[left] != new[right] for left, right in _PAIRED_SIGNS)


def _article_wrong(old: list[tuple[str, str]], new: list[tuple[str, str]]) -> bool:
    return any(
        indefinite_article(word) != shown.lower() and word.lower() not in _NOT_AFTER_ARTICLE
        for shown, word in new
        if (shown, word) not in old
    )


class TextGate:
    """The gate of `text_fault`, for edits from other sources; rewrites check their own edits."""

    codes: Mapping[str, str] = {code: COMMON_SKIPS[code] for code in ("unchanged", "broken")}

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        """Return for each candidate the reason for its rejection, or None."""
        faults = [text_fault(text, edit.text) for text, edit in candidates]
        return [None if fault is None else common_skip(fault) for fault in faults]
