"""The indefinite articles "a" and "an", chosen by the pronunciation of the next word."""

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
"""Acronyms that look like words, but are spelled out."""
_PRONOUNCEABLE = re.compile(r"[FHLMNRSX][AEIOU][A-Z]")
"""Short capitals that look like words, such as MAN and LAN; mostly they are words in capitals."""
_STARTS_WITH_YOO = re.compile(
    r"eu|ewe\b|ufo|uga|ubi|ukr|ukul|unanim|ura[nl]|ure|uri[nc]|ur[oe]l|uru|us[ae]|usu|ut[aie]|uto|uvu"
    # union, unit, unique; but not the prefix un- before a word in i: unintended, unimportant, unidentified
    r"|uni(?!n|mp|mag|dent|d[ei]o|ll|rr|ssu)",
)
_STARTS_WITH_W = re.compile(r"(?:one(?:s|self|ness)?|once)(?![a-z])|ouija")


def indefinite_article(following: str) -> str:
    """Return the indefinite article for the text that follows it.

    >>> words = ("apple", "hour", "useful thing", "uninteresting", "unit", "one-off", "8", "11")
    >>> [indefinite_article(word) for word in words]
    ['an', 'an', 'a', 'an', 'a', 'a', 'an', 'an']
    >>> words = ("FBI agent", "NATO", "UN", "X-ray", "European", "umbrella", "18", "100", "hotel")
    >>> [indefinite_article(word) for word in words]
    ['an', 'a', 'a', 'an', 'a', 'an', 'an', 'a', 'a']
    """
    if following[1:2].islower():  # mostly the first letter decides, except for single letters and capitals
        if following[0] in _ALWAYS_A:
            return "a"
        if following[0] in _ALWAYS_AN:
            return "an"
    word = _FIRST_WORD.match(following)
    return "an" if word is not None and _starts_with_vowel_sound(word.group(1)) else "a"


def _starts_with_vowel_sound(word: str) -> bool:
    if word[0].isdigit():
        # Four digits are read as a year: "an 1880s house".
        return word[0] == "8" or _ELEVEN.match(word) is not None
    letters = word.replace(".", "")
    if len(letters) == 1 or _is_spelled_out(letters):
        return letters[0].upper() in _LETTERS_WITH_VOWEL
    lower = word.lower()
    if _STARTS_WITH_W.match(lower) or _STARTS_WITH_YOO.match(lower):
        return False
    return lower[0] in "aeiou" or lower.startswith(_SILENT_H)


def _is_spelled_out(letters: str) -> bool:
    """Return whether capitals are read letter by letter: FBI, X, HTML, but not NATO."""
    if not letters.isupper():
        return False
    if letters in _SPELLED_OUT:
        return True
    if len(letters) <= 3:
        return _PRONOUNCEABLE.fullmatch(letters) is None
    return not any(letter in "AEIOUY" for letter in letters)


_LAST_LETTERS = frozenset("aAnN")
_ARTICLE_BEFORE = re.compile(r"(?<![\w'’])(an?)(\s+)$", re.IGNORECASE)


def correct_article(text: str, index: int) -> str:
    """Return a text with the right article before the word at an index.

    >>> correct_article("It is a evil idea.", 8)
    'It is an evil idea.'
    >>> correct_article("Vitamin A is good.", 10)
    'Vitamin A is good.'
    """
    # Fast check for the common case without an article.
    end = index - 1
    while end >= 0 and text[end].isspace():
        end -= 1
    if end < 0 or text[end] not in _LAST_LETTERS:
        return text
    before = _ARTICLE_BEFORE.search(text[:index])
    if before is None or not text[index:].strip():
        return text
    old = before.group(1)
    # In a text in capitals, capitals do not show names and acronyms.
    is_in_capitals = text.isupper()
    # A capital "A" inside a sentence is not an article: "vitamin A".
    if old == "A" and not is_in_capitals and text[: before.start()].rstrip()[-1:].isalnum():
        return text
    new = indefinite_article(text[index:].lower() if is_in_capitals else text[index:])
    if new == old.lower():
        return text
    if is_in_capitals or (old.isupper() and len(old) > 1):
        new = new.upper()
    elif old[0].isupper():
        new = new.capitalize()
    return text[: before.start()] + new + before.group(2) + text[index:]
