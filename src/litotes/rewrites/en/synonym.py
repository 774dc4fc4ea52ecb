"""Synonyms: another word that says the same where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.synonyms import Entry, Near, lexicon_synonyms, phrases, sure_synonyms, table
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import forms, inflect, lemmas
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.words.replacement import is_content, lemma_of, part_of_speech, particle_of, said, substitution
from litotes.rewrites.en.words.synonym_context import check_of, subject_of
from litotes.rewrites.patches import Patch, insert_after, patched, replace, replace_span

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_POS = {"adjective": "a", "verb": "v", "adverb": "r", "noun": "n"}
_TAGS = {"VB": "v", "NN": "n", "JJ": "a", "RB": "r", "IN": "r"}
_WORST_FIRST = 3
"""A candidate of a worse grade follows others, but is never the only one."""
_MOST = 8
"""Candidates a sentence: more would say little and take time."""
_GRADES = {
    1: "says the same wherever it fits",
    2: "says nearly the same here",
    3: "says about the same here",
    4: "is near in meaning",
}
_LIGHT = frozenset({"get", "do", "go", "have", "make", "take", "wanna"})
"""Verbs that the choice of words leaves out, but about which the table knows something."""
_DIRECTIONS = frozenset("up out off down away back over around along through about by in on forward".split())
_OF_FIRST = frozenset({"prev", "prevtag", "first", "aux", "saidall"})
"""What is asked about the first word of an expression; all else is about its last."""


class _Candidate(NamedTuple):
    """A word of the sentence and what may take its place; the least one is the best."""

    grade: int
    role: int
    """0 for the main verb and the predicate, 1 for other verbs and adjectives, 2 for nouns, 3 for the rest."""
    place: int
    order: int
    patches: tuple[Patch, ...]
    new: Entry | Near


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
    >>> [edit.text for edit in rewrite("synonym", "The nurse is talking on the telephone.")][:2]
    ['The nurse is chatting on the telephone.', 'The nurse is speaking on the telephone.']
    """
    reader = _Reader(sentence, _POS.get(pos), word.lower() if word else None)
    found = sorted(reader.candidates(), key=itemgetter(0, 1, 2, 3))
    if word is not None and not reader.word_seen:
        yield Skip("no-such-word")
        return
    # Where a word was asked for by name, its weaker synonyms are better than none.
    if not found or (word is None and found[0].grade > _WORST_FIRST):
        yield Skip("no-synonym")
        return
    for one in found[:_MOST]:
        yield Draft(patched(sentence.text, one.patches), reason=_reason(one.new))


class _Tested(NamedTuple):
    """An entry of the table, and what must hold where its word stands."""

    entry: Entry
    tests: tuple[tuple[bool, Callable[[Token], bool]], ...]
    """Whether the first word of an expression is asked, and what."""

    def fits(self, first: Token, last: Token) -> bool:
        """Whether the entry's conditions hold of a word, or of an expression from one word to another."""
        for of_first, holds in self.tests:  # noqa: SIM110  (the quickest way)
            if not holds(first if of_first else last):
                return False
        return True


@lru_cache(maxsize=1)
def _words() -> dict[tuple[str, str], tuple[_Tested, ...]]:
    return {key: tuple(_tested(entry) for entry in entries) for key, entries in table().items()}


@lru_cache(maxsize=1)
def _expressions() -> dict[str, dict[str, list[tuple[list[str], _Tested]]]]:
    """First word → second word → the expressions that begin with the two."""
    found: dict[str, dict[str, list[tuple[list[str], _Tested]]]] = {}
    for entry in phrases():
        words = entry.word.split()
        found.setdefault(words[0], {}).setdefault(words[1], []).append((words, _tested(entry)))
    return found


def _tested(entry: Entry) -> _Tested:
    return _Tested(entry, tuple((one.feature in _OF_FIRST, check_of(one)) for one in entry.conditions))


class _Reader:
    """Finds the candidates of one sentence."""

    def __init__(self, sentence: Sentence, pos: str | None, word: str | None) -> None:
        self._doc = sentence.doc
        self._tokens = sentence.doc.tokens
        self._pos = pos
        self._word = word
        self._lower = [token.lower_ for token in self._tokens]
        self._found: list[_Candidate] = []
        self.word_seen = False

    def candidates(self) -> list[_Candidate]:
        """All of them, in the order of the sentence."""
        skip_to = 0
        expressions = _expressions()
        any_word = self._word is not None
        for place, (token, lower) in enumerate(zip(self._tokens, self._lower, strict=True)):
            if place < skip_to:
                continue
            if lower in expressions:
                following = self._lower[place + 1 : place + 2]
                known = expressions[lower].get(following[0]) if following else None
                length = self._add_expression(token, known) if known is not None else 0
                if length:
                    skip_to = place + length
                    continue
            tag = token.tag_
            if any_word or (tag[:2] in _TAGS and _is_worth_a_look(lower, token.lemma_, tag)):
                self._add_word(token)
        return self._found

    def _add_expression(self, first: Token, known: list[tuple[list[str], _Tested]]) -> int:
        """Find the candidates for the expression that begins there, and tell how many words it has."""
        found = order = 0
        place = first.i
        for words, tested in known:
            length = len(words)
            if length < found or self._lower[place : place + length] != words:
                continue
            entry = tested.entry
            if self._pos not in (None, entry.pos) or self._word not in (None, entry.word):
                continue
            self.word_seen = True
            last = self._tokens[place + length - 1]
            if tested.fits(first, last):
                # An underscore is a blank where the old words were joined to the one before: "I've got".
                new = cased_like(first.text, entry.new).replace("_", " ")
                patches = (replace_span(first, last, new),)
                self._found.append(_Candidate(entry.grade, _role(first, entry.pos), place, order, patches, entry))
                order += 1
                found = length
        return found

    def _add_word(self, token: Token) -> None:
        kind, lemma = _read(token)
        if self._pos not in (None, kind):
            return
        if self._word is not None:
            if self._word not in (lemma, token.lower_, token.lemma_.lower()) or not _may_be_replaced(token, lemma):
                return
            self.word_seen = True
        entries = _words().get((lemma, kind))
        # What the table knows it knows better than the lexicon; but who asks for a word gets all that there is.
        if self._word is not None:
            near = lexicon_synonyms(lemma, kind)
        else:
            near = sure_synonyms(lemma, kind) if entries is None else ()
        if not (entries or near) or _is_misread(token, lemma, kind):
            return
        free = _stands_free(token, kind)
        found: list[Entry | Near] = [
            tested.entry for tested in entries or () if (free or tested.entry.loose) and tested.fits(token, token)
        ]
        if free:
            found += near
        if not found or (kind == "n" and self._is_said_twice(token.lemma_)):
            return
        if not _may_be_replaced(token, lemma):
            if not _may_be_replaced(token, lemma, fixed=True):
                return
            found = [one for one in found if isinstance(one, Entry) and one.fixed]
        seen: set[str] = set()
        role, words = _role(token, kind), said(self._doc)
        for one in found:
            # A word that is in the sentence already would be odd a second time.
            patches = None if one.new in seen or one.new in words else _patches(one, token, kind)
            if patches is not None:
                self._found.append(_Candidate(one.grade, role, token.i, len(seen), patches, one))
                seen.add(one.new)

    def _is_said_twice(self, lemma: str) -> bool:
        return [token.lemma_ for token in self._tokens].count(lemma) > 1


@lru_cache(maxsize=16_384)
def _is_worth_a_look(lower: str, lemma: str, tag: str) -> bool:
    """Whether the table or the lexicon may have anything for a word; most words need no closer look."""
    kind = _TAGS.get(tag[:2])
    if kind is None or tag in {"NNP", "NNPS"}:
        return False
    base = _base(lower, lemma) if kind == "v" else lemma
    for word in (lower,) if base == lower else (lower, base):
        if word in _first_words() or sure_synonyms(word, kind) or (kind != "a" and sure_synonyms(word, "a")):
            return True
    return False


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    return frozenset(word.partition(" ")[0] for word, _ in table())


def _read(token: Token) -> tuple[str, str]:
    """The part of speech and the lemma of a word; two empty strings for one without content."""
    kind = part_of_speech(token)
    if kind is None:
        if token.tag_ != "IN" or token.dep_ != "advmod":
            return "", ""
        kind = "r"
    lower = token.lower_
    known = table()
    if kind == "v" or (kind == "a" and token.tag_ == "VBN" and (lower, "a") not in known):
        # A participle that the table does not have as an adjective is a passive: "were built".
        return "v", _verb_lemma(token)
    # "everyone" and its like are not in WordNet, but in the table; "pants" is no plural of "pant".
    return kind, lower if (lower, kind) in known else lemma_of(token, kind) or lower


def _verb_lemma(token: Token) -> str:
    lemma = _base(token.lower_, token.lemma_)
    particle = particle_of(token)
    return lemma if particle is None else f"{lemma} {particle.lower_}"


@lru_cache(maxsize=16_384)
def _base(form: str, lemma: str) -> str:
    """The verb that a form belongs to: the parser takes "hoped" for a form of "hop"."""
    return lemma if form in forms(lemma, "v") else lemmas(form, "v")[0]


def _may_be_replaced(token: Token, lemma: str, *, fixed: bool = False) -> bool:
    """Whether it is a word that others may take the place of, and not, say, a part of a name."""
    if is_content(token):
        return True
    # Light verbs, verbs with a preposition and pronouns: WordNet lacks them or has too much to say about them.
    in_table_only = lemma in _LIGHT or (" " in lemma and (lemma, "v") in table())
    if in_table_only or token.tag_ == "IN" or (token.pos_ == "PRON" and token.tag_ == "NN"):
        return fixed or not in_fixed_expression(token)
    return fixed and in_fixed_expression(token) and (token.text.islower() or token.is_sent_start)


def _is_misread(token: Token, lemma: str, kind: str) -> bool:
    """Whether the parser took the word for a form of another one, or cannot know which form it is."""
    if kind == "n":
        return token.lower_ != lemma and token.lower_ not in forms(lemma, "n")
    if kind == "v":
        if token.dep_ in {"amod", "compound", "nmod"}:
            return True
        base = lemma.partition(" ")[0]
        if token.tag_ in {"VBD", "VBP"} and token.lower_ == base == inflect(base, "VBD"):
            # "They put it there" may be of today or of yesterday.
            subject = subject_of(token)
            return subject is None or (subject.tag_ not in {"NN", "NNP"} and subject.lower_ not in {"he", "she", "it"})
    return False


def _stands_free(token: Token, kind: str) -> bool:
    """Whether a noun stands in no compound, and a verb without a word that gives it another sense."""
    if kind == "n":
        if token.dep_ in {"compound", "nmod"}:
            return False
        for child in token.lefts:
            if child.dep_ in {"compound", "nmod"}:
                return False
    elif kind == "v":
        for child in token.rights:
            if child.dep_ in {"advmod", "prt"} and child.lower_ in _DIRECTIONS and child is not particle_of(token):
                return False
    return True


def _patches(new: Entry | Near, token: Token, kind: str) -> tuple[Patch, ...] | None:
    if isinstance(new, Near):
        return substitution(token, new.new, kind)
    if new.literal:
        # "TV" is written in capitals anyway: "television" need not be.
        model = token.text.lower() if token.text.isupper() and not token.doc.text.isupper() else token.text
        return (replace(token, cased_like(model, new.new)),)
    if not new.preposition:
        return substitution(token, new.new, kind)
    whole = f"{new.new} {new.preposition}"
    if particle_of(token) is not None:
        return substitution(token, whole, kind)
    patches = substitution(token, new.new, kind)
    # A preposition stays before a pronoun: "look for it", not "look it for".
    return None if patches is None else (patches[0], insert_after(token, whole.partition(" ")[2]))


def _role(token: Token, kind: str) -> int:
    if kind == "n":
        return 2
    if kind == "r":
        return 3
    return 0 if token.dep_ == "ROOT" or (token.dep_ == "acomp" and token.head.dep_ == "ROOT") else 1


def _reason(new: Entry | Near) -> str:
    if isinstance(new, Near):
        return new.reason
    words = f"{new.new} {new.preposition}".rstrip().replace("_", "")
    return f"“{words}” for “{new.word}” {_GRADES[new.grade]}"


def is_weak(reason: str) -> bool:
    """Whether the reason of an edit says that its synonym is merely near in meaning."""
    return reason.endswith(_GRADES[4])
