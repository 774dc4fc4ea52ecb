"""Templates for generated sentences: frames for adjectives, and prefixes of sentences."""

from __future__ import annotations

from collections.abc import Iterable

from litotes.languages.base import AdjectiveFrame

ADJECTIVE_FRAMES: tuple[AdjectiveFrame, ...] = (
    ("It is {}.", "It is not {}."),
    ("It's {}.", "It's not {}."),
    ("That was {}.", "That was not {}."),
    ("That's {}.", "That's not {}."),
    ("They are {}.", "They aren't {}."),
    ("They're {}.", "They're not {}."),
    ("He seems {}.", "He doesn't seem {}."),
    ("She was {} then.", "She wasn't {} then."),
    ("She's {}.", "She's not {}."),
    ("You look {} today.", "You don't look {} today."),
    ("You're {}, aren't you?", "You're not {}, are you?"),
    ("I'm {}.", "I'm not {}."),
    ("I was {}.", "I wasn't {}."),
    ("The whole thing is {}.", "The whole thing is not {}."),
    ("The answer was {}.", "The answer wasn't {}."),
    ("The place was {}.", "The place was not {}."),
    ("This one is {}.", "This one isn't {}."),
    ("No, it's {}.", "No, it's not {}."),
    ("Yes, that is {}.", "Yes, that is not {}."),
    ("Well, this is {}.", "Well, this is not {}."),
    ("I think it's {}.", "I think it's not {}."),
    ("I know you're {}.", "I know you're not {}."),
    ("Because he's {}.", "Because he's not {}."),
    ("We're {} now.", "We're not {} now."),
    ("Is it {}?", "Is it not {}?"),
    ("Really {}.", "Not really {}."),
)
_NEEDS_DEFINITE_ARTICLE = frozenset(("same", "other", "only", "opposite", "main", "former", "latter", "sole"))

_STATEMENT_PREFIXES = (
    *("No, ", "No, but ", "Yes, ", "Well, ", "Oh, ", "But ", "So ", "Because "),
    *("I think ", "I know ", "He said "),
)
_QUESTION_PREFIXES = ("Well, ", "Oh, ", "But ", "So ")
_LOWER_CASE = frozenset(
    "a an the this that these those it he she we you they there my your his her its our their "
    "it's that's he's she's we're you're they're there's".split()
)
"""First words that are capitalised only because they begin the sentence."""


def predicative_adjective(word: str) -> str:
    """Return an adjective as it follows "is".

    >>> predicative_adjective("late"), predicative_adjective("same")
    ('late', 'the same')
    """
    return f"the {word}" if word in _NEEDS_DEFINITE_ARTICLE else word


def add_prefix(texts: Iterable[str], number: int) -> list[str]:
    """Return sentences after the prefix of that number; an empty list if the case of a first word is uncertain.

    >>> add_prefix(["It is late.", "It isn't early."], 8)
    ['I think it is late.', "I think it isn't early."]
    >>> add_prefix(["Ann is late.", "Ann isn't early."], 8)
    []
    """
    prefixed = []
    for text in texts:
        first = text.partition(" ")[0].lower().replace("’", "'")
        if first not in _LOWER_CASE and first.partition("'")[0] != "i":
            return []
        prefixes = _QUESTION_PREFIXES if text.endswith("?") else _STATEMENT_PREFIXES
        lowered = text[0].lower() + text[1:] if first in _LOWER_CASE else text
        prefixed.append(prefixes[number % len(prefixes)] + lowered)
    return prefixed
