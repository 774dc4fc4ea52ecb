"""Split running text into sentences by rules for full stops, question marks and exclamation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from litotes.languages.base import word_set
from litotes.languages.en import pronouns
from litotes.languages.en.abbreviations import BEFORE_NUMBERS, MAY_END_SENTENCE, NEVER_LAST, TITLES
from litotes.languages.en.function_words import CONTRAST_WORDS, COORDINATORS, WHILE_CONJUNCTIONS

_STOP = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]]*)(?P<blank>\s+)(?=[\"'“‘«(\[]*(?P<next>\S))")
"""Stops, closing marks and whitespace before the next character, which shows whether a sentence begins."""

_NEW_SENTENCE_WORDS = (
    pronouns.NOUN_PHRASE_OPENERS
    | pronouns.INTERROGATIVE_ADVERBS
    | CONTRAST_WORDS
    | COORDINATORS
    | WHILE_CONJUNCTIONS
    | word_set("after all although as at because before each every for from here if in many most on some then there")
    | {"what", "who", "with", "no", "nobody", "not", "nothing"}
)
"""Words that often begin a sentence; after an abbreviation they show that it ended one."""
_SPEAKER = re.compile(
    r"(?:[A-Z][\w’'-]*\s+){1,3}(?:said|says|asked|asks|cried|shouted|replied|answered|whispered|called|added|exclaimed"
    r"|muttered|yelled|screamed|demanded|told|wrote|murmured|snapped|laughed)\b"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘«—–]+$")
_NEXT_WORD = re.compile(r"[\"'“‘«(\[]*([\w’']+)")
_LETTERS = re.compile(r"(?:[a-z]\.)+[a-z]")
_IRREGULAR_SPACE = re.compile(r"\s\s|[^\S ]")
_MAX_WORD_LENGTH = 40


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a paragraph with their start positions.

    >>> [sentence for _, sentence in split_sentences("Dr. Lee left at 5 p.m. on Monday. Did she? No.")]
    ['Dr. Lee left at 5 p.m. on Monday.', 'Did she?', 'No.']
    """
    start = 0
    for stop in _STOP.finditer(text):
        if _ends_sentence(text, start, stop):
            yield from _trimmed(text, start, stop.start("blank"))
            start = stop.end("blank")
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    sentence = text[start:end].rstrip()
    if trimmed := sentence.lstrip():
        spaced = " ".join(trimmed.split()) if _IRREGULAR_SPACE.search(trimmed) else trimmed
        yield start + len(sentence) - len(trimmed), spaced


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    stop, close, following = match["stop"], match["close"], match["next"]
    if following.islower() or following in ",;:–—-)]”’»":
        return False
    if close and stop != "." and _SPEAKER.match(text, match.end("blank")):
        return False  # “Stop!” Ann said.
    if stop != "." or close:
        return True
    word = _LAST_WORD.search(text, max(start, match.start() - _MAX_WORD_LENGTH), match.start())
    return word is None or not _is_abbreviation(word[0], text, match.end("blank"), following)


def _is_abbreviation(word: str, text: str, after: int, following: str) -> bool:
    """Return whether a word with its full stop is an abbreviation inside a sentence."""
    lower = word.lower()
    if word in TITLES or word in NEVER_LAST:
        return True
    if lower in BEFORE_NUMBERS:
        return following.isdecimal()
    if lower in MAY_END_SENTENCE or _LETTERS.fullmatch(lower):
        return _next_word(text, after) not in _NEW_SENTENCE_WORDS
    # An initial such as "J."; "I" is a word.
    return len(word) == 1 and word.isupper() and word != "I"


def _next_word(text: str, after: int) -> str:
    match = _NEXT_WORD.match(text, after)
    return match[1].lower() if match else ""
