"""Quadruple: a sentence, its antonym, its negation, and both changes at once, from any of the four."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litotes.languages.en.parser import parse
from litotes.rewrites.base import Draft, Effect, Outcome, Sentence, Skip, WordChange, rule
from litotes.rewrites.en.antonym import ANTONYM_SKIPS, AntonymCandidate
from litotes.rewrites.en.gates import edit_fault
from litotes.rewrites.en.negated_antonym import find_deniable_antonyms, negation_site, swapped_toggles
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, toggle_word
from litotes.rewrites.en.words.content_words import WordClass
from litotes.rewrites.patches import changes, patched


@dataclass(frozen=True)
class Quadruple:
    """Four sentences, of which two mean the opposite of the other two."""

    input: str
    antonym: str
    """With the antonym of a word: means the opposite."""
    polarity: str
    """Negated, or affirmed if the input is negated: means the opposite."""
    both: str
    """Both changes: means the same as the input."""
    words: WordChange
    """The word in `input` and its antonym in `antonym`."""


@rule(
    "quadruple",
    effect="opposite",
    needs=("parse", "lexicon", "inflection"),
    skips={
        **POLARITY_SKIPS,
        **ANTONYM_SKIPS,
        "not-the-same": "the words have antonyms, but a negated antonym would change the meaning",
    },
)
def quadruple(
    sentence: Sentence, *, pos: WordClass = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> Iterator[Outcome]:
    """Make the antonym, the other polarity and both at once: “That is good.” → “bad”, “not good”, “not bad”."""
    for result in _quadruples(sentence, pos, word, contractions):
        if isinstance(result, Skip):
            yield result
            continue
        drafts: tuple[tuple[str, str, Effect], ...] = (
            ("antonym", result.antonym, "opposite"),
            ("polarity", result.polarity, "opposite"),
            ("both", result.both, "same"),
        )
        for reason, text, effect in drafts:
            yield Draft(text, reason=reason, effect=effect)
        return


def quadruples(
    text: str, *, pos: WordClass = "all", word: str | None = None, contractions: ContractionStyle = "keep"
) -> list[Quadruple]:
    """Return the quadruples of a sentence, best first; it may be any of the four.

    >>> for quadruple in quadruples("I'm not guilty.")[:1]:
    ...     print(quadruple.antonym, quadruple.polarity, quadruple.both, tuple(quadruple.words))
    I'm not innocent. I'm guilty. I'm innocent. ('guilty', 'innocent')
    """
    doc = parse(text)
    if not doc.is_parsed or not len(doc):
        return []
    results = _quadruples(Sentence(doc), pos, word, contractions)
    return [result for result in results if isinstance(result, Quadruple)]


def _quadruples(
    sentence: Sentence, pos: WordClass, word: str | None, contractions: ContractionStyle
) -> Iterator[Quadruple | Skip]:
    is_empty = True
    for candidate in find_deniable_antonyms(sentence, pos=pos, word=word):
        if isinstance(candidate, Skip):
            is_empty = False
            yield candidate
            continue
        for result in quadruple_of(sentence, candidate, contractions):
            is_empty = False
            yield result
    if is_empty:
        yield Skip("not-the-same")


def quadruple_of(
    sentence: Sentence, candidate: AntonymCandidate, contractions: ContractionStyle
) -> Iterator[Quadruple | Skip]:
    """Yield the quadruple of one antonym; `polarity` and `both` change the polarity in the same way."""
    plain = list(toggle_word(sentence, negation_site(candidate.target.token), contractions=contractions))
    skips = [toggle for toggle in plain if isinstance(toggle, Skip)]
    yield from skips
    if len(skips) == len(plain):
        return
    swapped = [toggle for toggle in swapped_toggles(sentence, candidate, contractions) if isinstance(toggle, Toggle)]
    if not swapped:
        return
    toggle = next(toggle for toggle in plain if isinstance(toggle, Toggle))
    partner = next((other for other in swapped if other.reason == toggle.reason), swapped[0])
    antonym, polarity, both = (
        patched(sentence.text, patches) for patches in (candidate.patches, toggle.patches, partner.patches)
    )
    texts = {antonym, polarity, both}
    if len({sentence.text, *texts}) == 4 and not any(edit_fault(sentence, text) for text in texts):
        words = _replaced_words(sentence.text, antonym, candidate.target.token.text)
        yield Quadruple(sentence.text, antonym, polarity, both, words)


def _replaced_words(before: str, after: str, word: str) -> WordChange:
    """Return the word and its antonym, without an article that changes with them."""
    differences = changes(before, after)
    old, new = " ".join(change.old for change in differences), " ".join(change.new for change in differences)
    for article in ("a ", "an ", "A ", "An "):
        if old.startswith(article) and not word.startswith(article.strip()):
            return WordChange(old[len(article) :], new.partition(" ")[2])
    return WordChange(old, new)
