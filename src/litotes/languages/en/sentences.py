"""Running English text into sentences, by rule: where a full stop, a question or an exclamation ends one."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A stop, what closes with it, and the blank after it; what follows decides. A row of stops is looked at once.
_STOP = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]]*)(?P<blank>\s+)(?=[\"'“‘«(\[]*(?P<next>\S))")

# Never the last word of a sentence; "Rep." before a name, but a rep is a rep.
_TITLES = frozenset(
    "Mr Mrs Ms Mx Dr Prof Rev Hon Fr Sr St Mt Ft Gen Col Capt Cpt Lt Sgt Maj Cmdr Gov Sen Rep Pres Messrs Mme"
    " Mlle".split()
)
_NEVER_LAST = frozenset("e.g i.e cf vs viz approx ca al".split())
# "No." and "art." before anything but a number are words like any other.
_BEFORE_A_NUMBER = frozenset("no nos p pp ch fig figs vol vols eq sec art ed eds v".split())
# May end a sentence: what follows decides, and for these a name or a number is no new sentence.
_MAY_END = frozenset(
    "jr inc ltd co corp bros etc dept est u.s u.k u.n a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
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
    if word in _TITLES or word in _NEVER_LAST:
        return True
    if lower in _BEFORE_A_NUMBER:
        return following.isdecimal()
    if lower in _MAY_END or _LETTERS.fullmatch(lower):
        return _next_word(text, after) not in _NEW_SENTENCE_WORDS
    # An initial; "I" is a word.
    return len(word) == 1 and word.isupper() and word != "I"


def _next_word(text: str, after: int) -> str:
    found = _NEXT_WORD.match(text, after)
    return found[1].lower() if found else ""
