"""Synonyms: another word that says the same where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from litotes.language.casing import cased_like
from litotes.language.lexicon import default_lexicon
from litotes.language.synonym_table import Entry, phrases, table
from litotes.language.synonyms import lexicon_synonyms
from litotes.rewrites.base import Change, Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.lexical import content, lemma_of, part_of_speech, particle_of, substitution
from litotes.rewrites.lexical_fixed import in_fixed_expression
from litotes.rewrites.patches import Patch, changes, insert_after, patched, replace, replace_span
from litotes.rewrites.synonym_places import holds

if TYPE_CHECKING:
    from spacy.tokens import Token

_POS = {"adjective": "a", "verb": "v", "adverb": "r", "noun": "n"}
_WORST_FIRST = 3
"""A candidate of a worse grade follows others, but is never given alone."""
_MOST = 8
"""Candidates a sentence: more would say little and take time."""
_GRADES = {
    1: "says the same wherever it fits",
    2: "says nearly the same here",
    3: "says about the same here",
    4: "is near in meaning",
}
# Verbs that the choice of words leaves out, but about which the table knows something.
_LIGHT = frozenset({"get", "do", "go on", "go back", "get back", "take off", "take on"})
_DIRECTIONS = frozenset("up out off down away back over around along through about by in on forward".split())


class _Candidate(NamedTuple):
    """A word of the sentence and what may take its place."""

    grade: int
    role: int
    """0 for the main verb and the predicate, 1 for other verbs and adjectives, 2 for nouns, 3 for the rest."""
    place: int
    order: int
    patches: tuple[Patch, ...]
    reason: str


@rule(
    "synonym",
    effect="same",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-synonym": "no word of it has a synonym that surely fits there",
        "no-such-word": "the chosen word is not in it, or is no word that can be replaced",
    },
)
def synonym(
    sentence: Sentence,
    *,
    pos: Literal["all", "adjective", "verb", "adverb", "noun"] = "all",
    word: str | None = None,
) -> Iterator[Outcome]:
    """Put a synonym in the place of a verb, an adjective, a noun or an adverb, the surest one first.

    >>> from litotes.rewrites.apply import rewrite
    >>> [edit.text for edit in rewrite("synonym", "The man is talking on the telephone.")][:2]
    ['The man is chatting on the telephone.', 'The guy is talking on the telephone.']
    """
    reader = _Reader(sentence)
    wanted = _POS.get(pos)
    found = sorted(one for one in reader.candidates(wanted, word.lower() if word else None))
    if word is not None and not reader.word_seen:
        yield Skip("no-such-word")
        return
    # Where a word was asked for by name, its weaker synonyms are better than none.
    if not found or (word is None and found[0].grade > _WORST_FIRST):
        yield Skip("no-synonym")
        return
    for one in found[:_MOST]:
        after = patched(sentence.text, one.patches)
        yield Draft(after, _words(sentence.text, after, one.patches), one.reason)


def _words(before: str, after: str, patches: tuple[Patch, ...]) -> tuple[Change, ...]:
    if len(patches) == 1:
        only = patches[0]
        if only.end > only.start and before[: only.start] + only.new + before[only.end :] == after:
            return (Change(before[only.start : only.end], only.new),)
    return changes(before, after)


class _Reader:
    """Finds the candidates of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._doc = sentence.doc
        self.word_seen = False

    @cached_property
    def _said(self) -> frozenset[str]:
        """Every word of the sentence and its lemma: a synonym that stands there already would be odd."""
        return frozenset(form for token in self._doc for form in (token.lower_, token.lemma_.lower()))

    def candidates(self, pos: str | None, word: str | None) -> Iterator[_Candidate]:
        """All of them, in the order of the sentence."""
        skip_to = 0
        expressions = phrases()
        for token in self._doc:
            if token.i < skip_to:
                continue
            if token.lower_ in expressions:
                length = yield from self._phrase(token, pos, word)
                if length:
                    skip_to = token.i + length
                    continue
            if token.tag_[:2] in {"VB", "NN", "JJ", "RB", "IN"}:
                yield from self._word(token, pos, word)

    def _phrase(self, token: Token, pos: str | None, word: str | None) -> Iterator[_Candidate]:
        doc = self._doc
        found = 0
        for words, entry in phrases()[token.lower_]:
            length = len(words)
            if found > length or token.i + length > len(doc):
                continue
            if any(doc[token.i + step].lower_ != one for step, one in enumerate(words)):
                continue
            found = length
            last = doc[token.i + length - 1]
            if (pos not in (None, entry.pos)) or (word not in (None, entry.word)) or not _phrase_fits(entry, token, last):
                continue
            self.word_seen = True
            patch = replace_span(token, last, cased_like(token.text, entry.new))
            yield _Candidate(entry.grade, _role(token, entry.pos), token.i, 0, (patch,), _reason(entry))
        return found

    def _word(self, token: Token, pos: str | None, word: str | None) -> Iterator[_Candidate]:
        kind, lemma = _read(token)
        if kind is None or lemma is None or pos not in (None, kind):
            return
        if word is not None:
            if word not in (lemma, token.lower_, token.lemma_.lower()):
                return
            self.word_seen = True
        entries = table().get((lemma, kind), ())
        order = 0
        seen: set[str] = set()
        for entry in entries:
            if entry.new in seen or (entry.new in self._said) or not _fits(entry, token):
                continue
            patches = _patches(entry, token)
            if patches is not None:
                seen.add(entry.new)
                yield _Candidate(entry.grade, _role(token, kind), token.i, order, patches, _reason(entry))
                order += 1
        if entries or order:
            return
        for near in lexicon_synonyms(lemma, kind):
            if near.word in self._said or not _fits_pattern(token, kind):
                continue
            patches = substitution(token, near.word, kind)
            if patches is not None:
                yield _Candidate(near.grade, _role(token, kind), token.i, order, patches, near.reason)
                order += 1


def _read(token: Token) -> tuple[str | None, str | None]:
    """The part of speech and the lemma of a word that may be replaced."""
    found = content(token)
    if found is not None:
        return found.pos, found.lemma
    kind = part_of_speech(token)
    if kind is None and token.tag_ == "IN" and token.dep_ == "advmod":
        kind = "r"
    if kind is None:
        return None, None
    lemma = token.lemma_.lower() if kind in {"n", "v"} else token.lower_
    if kind == "v":
        particle = particle_of(token)
        lemma = lemma if particle is None else f"{lemma} {particle.lower_}"
        if lemma not in _LIGHT:
            return None, None
    # Words that WordNet does not have, such as "everyone", are in the table all the same.
    if lemma_of(token, kind) is not None and kind != "v":
        return None, None
    return (kind, lemma) if (lemma, kind) in table() and not in_fixed_expression(token) else (None, None)


def _fits(entry: Entry, token: Token) -> bool:
    if not any(one.feature == "loose" for one in entry.conditions) and not _fits_pattern(token, entry.pos):
        return False
    return all(holds(one, token) for one in entry.conditions)


def _fits_pattern(token: Token, pos: str) -> bool:
    """Whether a word stands free: a noun in no compound, a verb without a word that gives it another sense."""
    if pos == "n":
        return token.dep_ not in {"compound", "nmod"} and not any(
            child.dep_ in {"compound", "nmod"} for child in token.children
        )
    if pos == "v":
        particle = particle_of(token)
        return not any(
            child.lower_ in _DIRECTIONS and child.dep_ in {"advmod", "prt"} and child != particle
            for child in token.rights
        )
    return True


def _phrase_fits(entry: Entry, first: Token, last: Token) -> bool:
    return all(holds(one, first if one.feature in {"prev", "first"} else last) for one in entry.conditions)


def _patches(entry: Entry, token: Token) -> tuple[Patch, ...] | None:
    if entry.literal:
        return (replace(token, cased_like(token.text, entry.new)),)
    new = entry.new
    if entry.preposition and particle_of(token) is not None:
        return substitution(token, f"{new} {entry.preposition}", entry.pos)
    patches = substitution(token, new, entry.pos)
    if patches is None or not entry.preposition:
        return patches
    if len(patches) == 1:
        return (patches[0]._replace(new=f"{patches[0].new} {entry.preposition}"),)
    return (patches[0], insert_after(token, f"{new.partition(' ')[2]} {entry.preposition}"))


def _role(token: Token, kind: str) -> int:
    if kind == "n":
        return 2
    if kind == "r":
        return 3
    return 0 if token.dep_ == "ROOT" or (token.dep_ == "acomp" and token.head.dep_ == "ROOT") else 1


def _reason(entry: Entry) -> str:
    return f"“{entry.new}” for “{entry.word}” {_GRADES[entry.grade]}"
