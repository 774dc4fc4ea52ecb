"""A sentence as its words, contractions written out, and what is left of them without negation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from litotes.languages.en.morphology.inflection import lemmas

LONGEST = 60
"""Words: two longer texts that differ in one of them are rarely a pair that people would call opposite."""
_LONGEST_TEXT = 20 * LONGEST

_QUOTED = re.compile(r"[?\"“”«»„]|(?<!\w)['‘].*['’](?!\w)")
"""Questions ask the same either way round; what is quoted is said by somebody else."""
_ANSWER = re.compile(r"^\W*(?:yes|no|yeah|yep|nope|nah|well|oh)\s*[,.!]\s+(?=\w)", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:['’]\w+)*|[$€£%]")
_SHORT = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_TOGETHER = {
    ("no", "one"): "nobody",
    ("any", "one"): "anybody",
    ("any", "more"): "anymore",
    ("any", "longer"): "anymore",
}
_SAME = {
    "noone": "nobody",
    "someone": "somebody",
    "anyone": "anybody",
    "everyone": "everybody",
    "an": "a",
}

_BEFORE_THAT = frozenset(
    """think thinks thought believe believes believed hope hopes hoped say says said know knows knew told sure
    afraid glad guess suppose wish""".split()
)

NEGATIONS = frozenset({"not", "never", "no", "nobody", "nothing", "nowhere", "none"})
_PRONOUNS = {
    "nobody": "somebody",
    "anybody": "somebody",
    "nothing": "something",
    "anything": "something",
    "nowhere": "somewhere",
    "anywhere": "somewhere",
}
_ARTICLES = frozenset({"a", "some", "any"})
_GO_ALONG = frozenset({"already", "yet", "still", "anymore", "ever"})
"""What comes and goes with negation and changes nothing else: “already” and “not yet”, “still” and “not anymore”."""
_ADVERBS = frozenset({"even", "always", "often"})
_AT_THE_END = frozenset({"too", "either"})
AUXILIARIES = frozenset("am is are was were be 's has have had would 'd".split())
"""Forms that contractions or agreement make alike; which of them are the same is looked at later."""
SUPPORT = frozenset({"do", "does", "did"})


class Word(NamedTuple):
    """A word of the text."""

    form: str
    """In small letters, whole: “not” for n't."""
    start: int
    """Where it begins in the text."""


class Kept(NamedTuple):
    """A word of the core."""

    form: str
    support: str
    """The form of “do” that carried its tense, if this is the word behind “do not”."""
    article: str
    """a, some, any or no, if one stood before it."""

    @property
    def is_adverb(self) -> bool:
        """Whether it may stand between “do not” and its verb."""
        return self.form in _ADVERBS or self.form.endswith("ly")

    @property
    def is_pronoun(self) -> bool:
        """Whether it is of the kind of somebody, anybody, nobody."""
        return self.form in _PRONOUNS or self.form in _PRONOUNS.values()


@dataclass(frozen=True, slots=True)
class Reading:
    """What is compared of a sentence."""

    text: str
    words: tuple[Word, ...]
    folded: tuple[str, ...]
    """The words, “'s” and what it may stand for being one."""
    core: tuple[str, ...]
    """Basic forms without negations, “do” beside them, articles before which there may be one, already, yet, …"""
    kept: tuple[Kept, ...]
    """The core as it stood."""
    negations: tuple[int, ...]
    """Before which word of the core each negation stood."""


def read(text: str) -> Reading | None:
    """What is compared of a sentence; None for a question, a quotation and what is too long or has no words.

    >>> read("He doesn't have any money.").core, read("Is it?")
    (('he', '~', 'money'), None)
    """
    if len(text) > _LONGEST_TEXT or _QUOTED.search(text):
        return None
    words = _words(text)
    if not 0 < len(words) <= LONGEST:
        return None
    folded = tuple([_fold(word.form) for word in words])
    return Reading(text, words, folded, *_core(words))


def _words(text: str) -> tuple[Word, ...]:
    answer = _ANSWER.match(text)
    found: list[Word] = []
    for match in _WORD.finditer(text, answer.end() if answer else 0):
        lower, start = match[0].lower().replace("’", "'"), match.start()
        for form in filter(None, _written_out(lower)):  # of “n't” alone, as tokenisers leave it, there is no first word
            if form == "not" and lower != "not":
                start = match.end() - 3
            before = found[-1].form if found else ""
            together = _TOGETHER.get((before, form))
            if together is not None:
                found[-1] = Word(together, found[-1].start)
            elif before == "no" and form == "longer":
                found[-1:] = [Word("not", found[-1].start), Word("anymore", start)]
            else:
                found.append(Word(form, start))
    kept = []
    for place, word in enumerate(found):
        before = found[place - 1].form if 0 < place < len(found) - 1 else ""  # “that” at the end is a pronoun
        if not _may_be_missing(word.form, before):
            kept.append(word)
    return tuple(kept)


def _may_be_missing(form: str, before: str) -> bool:
    """Whether a word says nothing: “please”, and “that” behind “I think”."""
    return form == "please" or (form == "that" and before in _BEFORE_THAT)


def _written_out(lower: str) -> tuple[str, ...]:
    """The words of which a contraction is made.

    >>> _written_out("can't"), _written_out("we'll"), _written_out("she's"), _written_out("let's")
    (('can', 'not'), ('we', 'will'), ('she', "'s"), ('let', 'us'))
    """
    if lower == "cannot":
        return ("can", "not")
    if "'" not in lower:
        return (_SAME.get(lower, lower),)
    if lower.endswith("n't"):
        stem = lower[:-3]
        return (_STEMS.get(stem, stem), "not")
    if lower == "let's":
        return ("let", "us")
    head, _, tail = lower.rpartition("'")
    if tail in _SHORT:
        return (head, _SHORT[tail])
    return (_SAME.get(head, head), f"'{tail}") if tail in {"s", "d"} else (lower,)


def _fold(form: str) -> str:
    if form in {"is", "has", "'s"}:
        return "'s"
    return "'d" if form in {"would", "had", "'d"} else form


def _core(words: tuple[Word, ...]) -> tuple[tuple[str, ...], tuple[Kept, ...], tuple[int, ...]]:
    core: list[str] = []
    kept: list[Kept] = []
    negations: list[int] = []
    support = article = ""
    last = len(words) - 1
    for place, (form, _) in enumerate(words):
        if form in NEGATIONS:
            negations.append(len(core))
            if form == "no":
                article = "no"
            if form not in _PRONOUNS:
                continue
        if form in SUPPORT and place < last and words[place + 1].form == "not":
            support = form
            continue
        if form in _ARTICLES:
            article = form
            continue
        if form in _GO_ALONG or (form in _AT_THE_END and place == last):
            continue
        core.append(_basic(form))
        kept.append(Kept(form, support, article))
        if not kept[-1].is_adverb:
            support = ""
        article = ""
    return tuple(core), tuple(kept), tuple(negations)


@lru_cache(maxsize=65_536)
def _basic(form: str) -> str:
    """A name for a word that all its forms share, and sometimes those of another one."""
    if form in AUXILIARIES:
        return "~"
    if form in _PRONOUNS:
        return _PRONOUNS[form]
    as_verb = lemmas(form, "v")[0]
    return as_verb if as_verb != form else lemmas(form, "n")[0]
