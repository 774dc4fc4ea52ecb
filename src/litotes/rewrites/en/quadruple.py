"""Quadruple: a sentence, its antonym, its polar twin and both at once, from any of the four."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litotes.languages.en.parser import parse
from litotes.rewrites.base import Draft, Effect, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.antonym import ANTONYM_SKIPS, Candidate, PartOfSpeech
from litotes.rewrites.en.gates.text import edit_fault
from litotes.rewrites.en.negated_antonym import turned, where
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, toggle_word
from litotes.rewrites.en.words.negated_meaning import deniable
from litotes.rewrites.patches import changes, patched


@dataclass(frozen=True)
class Quadruple:
    """Four sentences: two say one thing, two the opposite."""

    input: str
    antonym: str
    """The opposite word: the opposite."""
    polarity: str
    """With “not” where there was none, or without: the opposite."""
    both: str
    """Both at once: the same as the input."""
    words: WordChange
    """The word and its opposite, as they stand in the input and in `antonym`."""


QUADRUPLE_SKIPS = {
    **POLARITY_SKIPS,
    **ANTONYM_SKIPS,
    "not-the-same": "its words have opposites, but a negated one would not mean the same",
}


@rule("quadruple", effect="opposite", needs=("parse", "lexicon", "inflection"), skips=QUADRUPLE_SKIPS)
def quadruple(
    sentence: Sentence, *, pos: PartOfSpeech = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """The antonym, the other polarity and both, at the best word: “That is good.” → “bad”, “not good”, “not bad”."""
    for found in _quadruples(sentence, pos, word, contractions):
        if isinstance(found, Skip):
            yield found
            continue
        made: tuple[tuple[str, str, Effect], ...] = (
            ("antonym", found.antonym, "opposite"),
            ("polarity", found.polarity, "opposite"),
            ("both", found.both, "same"),
        )
        for reason, text, effect in made:
            yield Draft(text, reason=reason, effect=effect)
        return


def quadruples(
    text: str, *, pos: PartOfSpeech = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> list[Quadruple]:
    """The quadruples of a sentence, best first; it may be any of the four.

    >>> for one in quadruples("I'm not guilty.")[:1]:
    ...     print(one.antonym, one.polarity, one.both, tuple(one.words))
    I'm not innocent. I'm guilty. I'm innocent. ('guilty', 'innocent')
    """
    doc = parse(text)
    if not doc.is_parsed or not len(doc):
        return []
    found = _quadruples(Sentence(doc), pos, word, contractions)
    return [one for one in found if isinstance(one, Quadruple)]


def _quadruples(
    sentence: Sentence, pos: PartOfSpeech, word: str | None, contractions: ContractionStyle
) -> Iterator[Quadruple | Skip]:
    told_something = False
    for candidate in deniable(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            told_something = True
            yield candidate
            continue
        for found in quadruple_of(sentence, candidate, contractions):
            told_something = True
            yield found
    if not told_something:
        yield Skip("not-the-same")


def quadruple_of(
    sentence: Sentence, candidate: Candidate, contractions: ContractionStyle
) -> Iterator[Quadruple | Skip]:
    """The quadruple of one opposite: its polarity and `both` turn the clause round in the same way."""
    plain = list(toggle_word(sentence, where(candidate.content.token), contractions=contractions))
    refused = [one for one in plain if isinstance(one, Skip)]
    yield from refused
    if len(refused) == len(plain):
        return
    swapped = [one for one in turned(sentence, candidate, contractions) if isinstance(one, Toggle)]
    for toggle in plain:
        partner = next((one for one in swapped if one.reason == getattr(toggle, "reason", None)), None)
        partner = partner or next(iter(swapped), None)
        if isinstance(toggle, Skip) or partner is None:
            continue
        antonym, polarity, both = (
            patched(sentence.text, patches) for patches in (candidate.patches, toggle.patches, partner.patches)
        )
        texts = {antonym, polarity, both}
        if len({sentence.text, *texts}) == 4 and not any(edit_fault(sentence, text) for text in texts):
            words = _words(sentence.text, antonym, candidate.content.token.text)
            yield Quadruple(sentence.text, antonym, polarity, both, words)
        return


def _words(before: str, after: str, word: str) -> WordChange:
    """The word and what took its place, without an article that changed with them."""
    found = changes(before, after)
    old, new = " ".join(one.old for one in found), " ".join(one.new for one in found)
    for article in ("a ", "an ", "A ", "An "):
        if old.startswith(article) and not word.startswith(article.strip()):
            old = old[len(article) :]
            new = new.partition(" ")[2]
            break
    return WordChange(old, new)
