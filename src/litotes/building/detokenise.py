"""Text whose words and signs were set apart by blanks, as many corpora keep it, put together again."""

from __future__ import annotations

import re

_TOKENISED = re.compile(
    r" [.,;:!?%)]|[$£€(] (?=\S)| n['’]t\b|\w ['’](?:s|re|ve|ll|d|m|t)\b|(?:^| )(?:``|''|[\"“]) |-[LR]RB-"
)
"""What shows that a text is tokenised; in one that is not, nothing is touched."""
_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
_NOT = re.compile(r"(?<=\w) n(['’])t\b|n (['’])t\b", re.IGNORECASE)
_SHORT = re.compile(r"(?<=[\w.]) ?(['’]) ?(s|re|ve|ll|d|m)\b(?!['’])", re.IGNORECASE)
_NAME = re.compile(r"\b([OD]) (['’])(?=[A-Z])")
_CLOSING = re.compile(r" +([,;!?%)\]]|\.(?!\d)|:(?!\d))")
_OPENING = re.compile(r"([$£€(\[]) +(?=\S)")
_CLOCK = re.compile(r"(?<=\d) ?: (?=\d\d\b)|(?<=\d) : ?(?=\d\d\b)")
_FRACTION = re.compile(r"(?<=\d) / (?=\d)")
_PLURAL = re.compile(r"(?<=s) (['’])(?= |$)")
_MARK = re.compile(r"\s*\"\s*")


def detokenised(text: str) -> str:
    """A tokenised text as people write it; any other text as it is.

    >>> detokenised('" I do n\\'t owe the bank \\'s clerk $ 12 , " she said .')
    '"I don\\'t owe the bank\\'s clerk $12," she said.'
    """
    if _TOKENISED.search(text) is None:
        return text
    for code, sign in _PENN.items():
        text = text.replace(code, sign)
    text = text.replace("``", '"').replace("''", '"').replace("' '", '"')
    text = _NOT.sub(lambda found: f"n{found[1] or found[2]}t", text)
    text = _NAME.sub(r"\1\2", _SHORT.sub(r"\1\2", text))
    if len(_PLURAL.findall(text)) % 2:  # an even number may be single quotes
        text = _PLURAL.sub(r"\1", text)
    text = _FRACTION.sub("/", _CLOCK.sub(":", text))
    text = _OPENING.sub(r"\1", _CLOSING.sub(r"\1", text))
    text = re.sub(r"“\s+", "“", re.sub(r"\s+”", "”", text))
    return _with_quotes(text)


def _with_quotes(text: str) -> str:
    """Quotation marks that open joined to what follows, those that close to what goes before."""
    parts = _MARK.split(text)
    if len(parts) % 2 == 0:  # an odd number of marks: nobody knows which is which
        return text
    made = parts[0]
    for number, part in enumerate(parts[1:], 1):
        if number % 2:
            made += f'{" " if made and made[-1] not in "(–—-" else ""}"{part}'
        else:
            made += f'"{" " if part and (part[0].isalnum() or part[0] in "(–—-$£€") else ""}{part}'
    return made


_ODD = re.compile(
    r"\.\.|…|--|;|[\[\]{}<>|\\^~*_#@=`]|https?:|www\.|:(?!\d\d\b| [\"“])|(?:^| )['’]|\"\"|\w\s+[,.]"
    r"|\b[A-Z]{2,} [A-Z]{3,}\b|\b[Aa]n [bcdfgjklmnpqrstvwyz][a-z]"
)


def has_loose_marks(text: str) -> bool:
    """Whether quotes or brackets do not come in pairs, or signs stand in a text that no plain sentence has.

    >>> has_loose_marks('" We lost the key.'), has_loose_marks('"We lost the key," she said.')
    (True, False)
    """
    return (
        text.count('"') % 2 == 1
        or text.count("(") != text.count(")")
        or text.count("“") != text.count("”")
        or _ODD.search(text) is not None
    )
