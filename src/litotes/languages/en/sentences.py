"""Running English text into sentences, by rule: where a full stop, a question or an exclamation ends one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from litotes.languages.en.abbreviations import BEFORE_NUMBERS, MAY_END_SENTENCE, NEVER_LAST, TITLES

# A stop, what closes with it, and the blank after it; what follows decides. A row of stops is looked at once.
_STOP = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]]*)(?P<blank>\s+)(?=[\"'“‘«(\[]*(?P<next>\S))")

_NEW_SENTENCE_WORDS = frozenset(
    "the a an this that these those he she it we they i you his her its our their my your there here who what when"
    " where why how if but and or so then in on at for from with as after before while although because yet no not"
    " nobody nothing some many most all each every".split()
)
_SPEAKING = re.compile(
    r"(?:[A-Z][\w’'-]*\s+){1,3}(?:said|says|asked|asks|cried|shouted|replied|answered|whispered|called|added|exclaimed"
    r"|muttered|yelled|screamed|demanded|told|wrote|murmured|snapped|laughed)\b"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘«—–]+$")
_NEXT_WORD = re.compile(r"[\"'“‘«(\[]*([\w’']+)")
_LETTERS = re.compile(r"(?:[a-z]\.)+[a-z]")
_UNEVEN = re.compile(r"\s\s|[^\S ]")
_LONGEST_WORD = 40


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a paragraph, each with the place where it begins.

    >>> [sentence for _, sentence in split_sentences("Dr. Lee left at 5 p.m. on Monday. Did she? No.")]
    ['Dr. Lee left at 5 p.m. on Monday.', 'Did she?', 'No.']
    """
    start = 0
    for found in _STOP.finditer(text):
        if _ends(text, start, found):
            yield from _trimmed(text, start, found.start("blank"))
            start = found.end("blank")
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    sentence = text[start:end].rstrip()
    if bare := sentence.lstrip():
        yield start + len(sentence) - len(bare), " ".join(bare.split()) if _UNEVEN.search(bare) else bare


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    stop, close, following = found["stop"], found["close"], found["next"]
    if following.islower() or following in ",;:–—-)]”’»":
        return False
    if close and stop != "." and _SPEAKING.match(text, found.end("blank")):
        return False  # “Stop!” Ann said.
    if stop != "." or close:
        return True
    word = _LAST_WORD.search(text, max(start, found.start() - _LONGEST_WORD), found.start())
    return word is None or not _is_short_form(word[0], text, found.end("blank"), following)


def _is_short_form(word: str, text: str, after: int, following: str) -> bool:
    """Whether the stop belongs to the word and the sentence goes on."""
    lower = word.lower()
    if word in TITLES or word in NEVER_LAST:
        return True
    if lower in BEFORE_NUMBERS:
        return following.isdecimal()
    if lower in MAY_END_SENTENCE or _LETTERS.fullmatch(lower):
        return _next_word(text, after) not in _NEW_SENTENCE_WORDS
    # An initial; "I" is a word.
    return len(word) == 1 and word.isupper() and word != "I"


def _next_word(text: str, after: int) -> str:
    found = _NEXT_WORD.match(text, after)
    return found[1].lower() if found else ""
