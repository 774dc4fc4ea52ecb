"""a and an, by how the next word sounds."""

from __future__ import annotations

import re

_FIRST_WORD = re.compile(r"[^\w]*([\w.]+)")
_ALWAYS_A = frozenset("bcdfgjklmnpqrstvwxyz")
_ALWAYS_AN = frozenset("ai")
_ELEVEN = re.compile(r"1[18](?:\d\d|(?:\d{3})*)(?!\d)")
_LETTERS_WITH_VOWEL = frozenset("AEFHILMNORSX")
_SILENT_H = ("heir", "honest", "honor", "honour", "hour")
_SPELLED_OUT = frozenset(
    {"FAQ", "HDMI", "HIV", "LED", "MEP", "MIA", "NAACP", "NCAA", "NES", "NIH", "RAF", "SEC", "SEO", "SOS", "SUV"}
)
"""Capitals that could be read as words, but are not."""
_COULD_BE_READ = re.compile(r"[FHLMNRSX][AEIOU][A-Z]")
"""MAN and LAN; such words shout more often than they stand for others."""
_SOUNDS_LIKE_YOU = re.compile(
    r"eu|ewe\b|ufo|uga|ubi|ukr|ukul|unanim|ura[nl]|ure|uri[nc]|ur[oe]l|uru|us[ae]|usu|ut[aie]|uto|uvu"
    # union, unit, unique; but not the prefix un- before a word in i: unintended, unimportant, unidentified
    r"|uni(?!n|mp|mag|dent|d[ei]o|ll|rr|ssu)",
)
_SOUNDS_LIKE_WON = re.compile(r"(?:one(?:s|self|ness)?|once)(?![a-z])|ouija")


def article(following: str) -> str:
    """The indefinite article that fits what follows.

    >>> [article(word) for word in ("apple", "hour", "useful thing", "uninteresting", "unit", "one-off", "8", "11")]
    ['an', 'an', 'a', 'an', 'a', 'a', 'an', 'an']
    >>> [article(word) for word in ("FBI agent", "NATO", "UN", "X-ray", "European", "umbrella", "18", "100", "hotel")]
    ['an', 'a', 'a', 'an', 'a', 'an', 'an', 'a', 'a']
    """
    if following[1:2].islower():  # no letter on its own, no capitals: mostly the first letter tells
        if following[0] in _ALWAYS_A:
            return "a"
        if following[0] in _ALWAYS_AN:
            return "an"
    word = _FIRST_WORD.match(following)
    return "an" if word is not None and _starts_with_vowel_sound(word.group(1)) else "a"


def _starts_with_vowel_sound(word: str) -> bool:
    if word[0].isdigit():
        # Four digits are mostly a year: "an 1880s house".
        return word[0] == "8" or _ELEVEN.match(word) is not None
    letters = word.replace(".", "")
    if len(letters) == 1 or _is_spelled_out(letters):
        return letters[0].upper() in _LETTERS_WITH_VOWEL
    lower = word.lower()
    if _SOUNDS_LIKE_WON.match(lower) or _SOUNDS_LIKE_YOU.match(lower):
        return False
    return lower[0] in "aeiou" or lower.startswith(_SILENT_H)


def _is_spelled_out(letters: str) -> bool:
    """Whether capitals are read letter by letter: FBI, X, HTML; NATO is read as a word."""
    if not letters.isupper():
        return False
    if letters in _SPELLED_OUT:
        return True
    if len(letters) <= 3:
        return _COULD_BE_READ.fullmatch(letters) is None
    return not any(letter in "AEIOUY" for letter in letters)


_LAST_LETTERS = frozenset("aAnN")
_ARTICLE_BEFORE = re.compile(r"(?<![\w'’])(an?)(\s+)$", re.IGNORECASE)


def correct_article(text: str, place: int) -> str:
    """The text with the a or an that stands right before `place` made to fit what begins there.

    >>> correct_article("It is a evil idea.", 8)
    'It is an evil idea.'
    >>> correct_article("Vitamin A is good.", 10)
    'Vitamin A is good.'
    """
    # Most words have no article before them, and looking at one letter tells that soonest.
    at = place - 1
    while at >= 0 and text[at].isspace():
        at -= 1
    if at < 0 or text[at] not in _LAST_LETTERS:
        return text
    before = _ARTICLE_BEFORE.search(text[:place])
    if before is None or not text[place:].strip():
        return text
    old = before.group(1)
    # A text that shouts has no names to be told by their capitals, and no letters that stand for words.
    shouts = text.isupper()
    # A capital A inside a sentence is a name: "vitamin A".
    if old == "A" and not shouts and text[: before.start()].rstrip()[-1:].isalnum():
        return text
    new = article(text[place:].lower() if shouts else text[place:])
    if new == old.lower():
        return text
    in_capitals = shouts or (old.isupper() and len(old) > 1)
    shown = new.upper() if in_capitals else new.capitalize() if old[0].isupper() else new
    return text[: before.start()] + shown + before.group(2) + text[place:]
