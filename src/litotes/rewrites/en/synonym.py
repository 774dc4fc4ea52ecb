"""Synonym: a word or an expression is replaced by a synonym that fits its context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from litotes.languages.base import word_set
from litotes.languages.en.function_words import DIRECTION_PARTICLES
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.synonyms import Entry, LexiconSynonym, lexicon_synonyms, phrases, sure_synonyms, table
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import forms, inflect, lemmas
from litotes.languages.en.pronouns import THIRD_SINGULAR_PRONOUNS
from litotes.languages.en.syntax.tags import ATTRIBUTE_DEPS, PROPER_NOUN_TAGS
from litotes.languages.en.verbs import LIGHT_VERBS
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Sentence, refuse_if, rule
from litotes.rewrites.en.words.content_words import (
    POS_LETTERS,
    WordClass,
    forms_and_lemmas,
    is_replaceable,
    lexicon_lemma,
    part_of_speech,
    particle_of,
)
from litotes.rewrites.en.words.replacement import substitution
from litotes.rewrites.en.words.synonym_context import condition_test, subject_of
from litotes.rewrites.patches import Patch, insert_after, patched, replace, replace_span

_POS_BY_TAG = {"VB": "v", "NN": "n", "JJ": "a", "RB": "r", "IN": "r"}
_MAX_ONLY_GRADE = 3
"""Synonyms of a higher grade are used only after better ones."""
_MAX_DRAFTS = 8
_GRADES = {
    1: "says the same wherever it fits",
    2: "says nearly the same here",
    3: "says about the same here",
    4: "is near in meaning",
}
_TABLE_VERBS = LIGHT_VERBS | {"wanna"}
"""Verbs that are otherwise not replaced, but have entries in the table."""
_DIRECTIONS = DIRECTION_PARTICLES | word_set("around along through about by in on forward")
_FEATURES_OF_FIRST_WORD = frozenset({"prev", "prevtag", "first", "aux", "saidall"})
"""The features of an expression that are those of its first word; all others are those of its last word."""


class _Synonym(NamedTuple):
    """A synonym for a word or an expression; the best ones sort first."""

    grade: int
    role: int
    """0 for the main verb and the predicate, 1 for other verbs and adjectives, 2 for nouns, 3 for the rest."""
    start: int
    """The index of the first token."""
    order: int
    patches: tuple[Patch, ...]
    source: Entry | LexiconSynonym

    @property
    def reason(self) -> str:
        """The synonym and how sure it is."""
        source = self.source
        if isinstance(source, LexiconSynonym):
            return source.reason
        words = f"{source.new} {source.preposition}".rstrip().replace("_", "")
        return f"“{words}” for “{source.word}” {_GRADES[source.grade]}"


def is_weak(reason: str) -> bool:
    """Return whether the reason of an edit says that its synonym is only similar in meaning."""
    return reason.endswith(_GRADES[4])


@rule(
    "synonym",
    effect="same",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-synonym": "no word of the sentence has a synonym that is certain to fit",
        "no-such-word": "the chosen word is not in the sentence, or cannot be replaced",
    },
)
def synonym(sentence: Sentence, *, pos: WordClass = "all", word: str | None = None) -> Iterator[Outcome]:
    """Replace a verb, an adjective, a noun or an adverb by a synonym, the surest synonym first.

    >>> from litotes.rewrites.apply import rewrite
    >>> [edit.text for edit in rewrite("synonym", "The nurse is talking on the telephone.")][:2]
    ['The nurse is chatting on the telephone.', 'The nurse is speaking on the telephone.']
    """
    finder = _SynonymFinder(sentence, POS_LETTERS.get(pos), word.lower() if word else None)
    synonyms = sorted(finder.synonyms(), key=attrgetter("grade", "role", "start", "order"))
    refuse_if(word is not None and not finder.has_word, "no-such-word")
    # If the user chose a word, weak synonyms are better than none.
    refuse_if(not synonyms or (word is None and synonyms[0].grade > _MAX_ONLY_GRADE), "no-synonym")
    for candidate in synonyms[:_MAX_DRAFTS]:
        yield Draft(patched(sentence.text, candidate.patches), reason=candidate.reason)


class _TestedEntry(NamedTuple):
    """An entry of the table and the tests of its conditions."""

    entry: Entry
    tests: tuple[tuple[bool, Callable[[Token], bool]], ...]
    """Whether the first word of an expression is tested, and the test."""

    def fits(self, first: Token, last: Token) -> bool:
        """Return whether the conditions hold for the expression from one token to another."""
        for of_first, test in self.tests:  # noqa: SIM110  (faster than all())
            if not test(first if of_first else last):
                return False
        return True


def _with_tests(entry: Entry) -> _TestedEntry:
    conditions = entry.conditions
    tests = ((condition.feature in _FEATURES_OF_FIRST_WORD, condition_test(condition)) for condition in conditions)
    return _TestedEntry(entry, tuple(tests))


@cache
def _word_entries() -> dict[tuple[str, str], tuple[_TestedEntry, ...]]:
    return {key: tuple(_with_tests(entry) for entry in entries) for key, entries in table().items()}


@cache
def _expression_entries() -> dict[tuple[str, str], list[tuple[list[str], _TestedEntry]]]:
    """Return the first two words of expressions → their words and entries."""
    entries: dict[tuple[str, str], list[tuple[list[str], _TestedEntry]]] = {}
    for entry in phrases():
        words = entry.word.split()
        entries.setdefault((words[0], words[1]), []).append((words, _with_tests(entry)))
    return entries


class _SynonymFinder:
    """Collects the synonyms for the words and expressions of one sentence."""

    def __init__(self, sentence: Sentence, pos: str | None, word: str | None) -> None:
        self._doc = sentence.doc
        self._tokens = sentence.doc.tokens
        self._pos = pos
        self._word = word
        self._lowers = [token.lower_ for token in self._tokens]
        self._synonyms: list[_Synonym] = []
        self.has_word = False
        """Whether the chosen word has been found."""

    def synonyms(self) -> list[_Synonym]:
        """Return the synonyms in the order of the sentence."""
        next_index = 0
        expressions = _expression_entries()
        for index, (token, lower) in enumerate(zip(self._tokens, self._lowers, strict=True)):
            if index < next_index:
                continue
            following = self._lowers[index + 1] if index + 1 < len(self._lowers) else ""
            entries = expressions.get((lower, following))
            length = self._add_expression(token, entries) if entries is not None else 0
            if length:
                next_index = index + length
                continue
            tag = token.tag_
            if self._word is not None or (tag[:2] in _POS_BY_TAG and _may_have_synonyms(lower, token.lemma_, tag)):
                self._add_word(token)
        return self._synonyms

    def _add_expression(self, first: Token, entries: list[tuple[list[str], _TestedEntry]]) -> int:
        """Add the synonyms for the longest expression that begins at a token; return its number of words."""
        n_words = order = 0
        index = first.i
        for words, tested in entries:
            length = len(words)
            if length < n_words or self._lowers[index : index + length] != words:
                continue
            entry = tested.entry
            if self._pos not in (None, entry.pos) or self._word not in (None, entry.word):
                continue
            self.has_word = True
            last = self._tokens[index + length - 1]
            if tested.fits(first, last):
                # An underscore is a space after a contraction: "I've got" → "I have".
                new = cased_like(first.text, entry.new).replace("_", " ")
                patches = (replace_span(first, last, new),)
                self._synonyms.append(_Synonym(entry.grade, _role(first, entry.pos), index, order, patches, entry))
                order += 1
                n_words = length
        return n_words

    def _add_word(self, token: Token) -> None:
        pos, lemma = _read(token)
        if self._pos not in (None, pos):
            return
        if self._word is not None:
            is_chosen = self._word in (lemma, token.lower_, token.lemma_.lower())
            if not is_chosen or not _can_be_replaced(token, lemma):
                return
            self.has_word = True
        sources = self._fitting_sources(token, lemma, pos)
        if not sources:
            return
        if not _can_be_replaced(token, lemma):
            if not _can_be_replaced(token, lemma, fixed=True):
                return
            sources = [source for source in sources if isinstance(source, Entry) and source.fixed]
        seen: set[str] = set()
        role, sentence_words = _role(token, pos), forms_and_lemmas(self._doc)
        for source in sources:
            # No word is inserted that the sentence contains already.
            is_repeated = source.new in seen or source.new in sentence_words
            patches = None if is_repeated else _patches(source, token, pos)
            if patches is not None:
                self._synonyms.append(_Synonym(source.grade, role, token.i, len(seen), patches, source))
                seen.add(source.new)

    def _fitting_sources(self, token: Token, lemma: str, pos: str) -> list[Entry | LexiconSynonym]:
        entries = _word_entries().get((lemma, pos), ())
        # The table is better than the lexicon, but for a chosen word all synonyms count.
        near: tuple[LexiconSynonym, ...] = ()
        if self._word is not None:
            near = lexicon_synonyms(lemma, pos)
        elif not entries:
            near = sure_synonyms(lemma, pos)
        if not (entries or near) or _is_misread(token, lemma, pos):
            return []
        is_free = _is_free(token, pos)
        sources: list[Entry | LexiconSynonym] = [
            tested.entry for tested in entries if (is_free or tested.entry.loose) and tested.fits(token, token)
        ]
        if is_free:
            sources += near
        if sources and pos == "n" and [word.lemma_ for word in self._tokens].count(token.lemma_) > 1:
            return []
        return sources


@lru_cache(maxsize=16_384)
def _may_have_synonyms(lower: str, lemma: str, tag: str) -> bool:
    """Return whether the table or the lexicon may have a synonym; a fast test that excludes most words."""
    pos = _POS_BY_TAG.get(tag[:2])
    if pos is None or tag in PROPER_NOUN_TAGS:
        return False
    base = _base_form(lower, lemma) if pos == "v" else lemma
    for word in (lower,) if base == lower else (lower, base):
        if word in _first_words() or sure_synonyms(word, pos) or (pos != "a" and sure_synonyms(word, "a")):
            return True
    return False


@cache
def _first_words() -> frozenset[str]:
    return frozenset(word.partition(" ")[0] for word, _ in table())


def _read(token: Token) -> tuple[str, str]:
    pos = part_of_speech(token)
    if pos is None:
        if token.tag_ != "IN" or token.dep_ != "advmod":
            return "", ""
        pos = "r"
    lower = token.lower_
    known = table()
    if pos == "v" or (pos == "a" and token.tag_ == "VBN" and (lower, "a") not in known):
        # A participle that is not listed as an adjective is a passive: "were built".
        lemma = _base_form(lower, token.lemma_)
        particle = particle_of(token)
        return "v", lemma if particle is None else f"{lemma} {particle.lower_}"
    # "everyone" is not in WordNet, but in the table; "pants" is not a plural of "pant".
    return pos, lower if (lower, pos) in known else lexicon_lemma(token, pos) or lower


@lru_cache(maxsize=16_384)
def _base_form(form: str, lemma: str) -> str:
    """Return the base form of a verb; the parser takes "hoped" for a form of "hop"."""
    return lemma if form in forms(lemma, "v") else lemmas(form, "v")[0]


def _can_be_replaced(token: Token, lemma: str, *, fixed: bool = False) -> bool:
    if is_replaceable(token):
        return True
    # Light verbs, verbs with a preposition, and pronouns are replaced only by entries of the table.
    is_table_word = lemma in _TABLE_VERBS or (" " in lemma and (lemma, "v") in table())
    if is_table_word or token.tag_ == "IN" or (token.pos_ == "PRON" and token.tag_ == "NN"):
        return fixed or not in_fixed_expression(token)
    return fixed and in_fixed_expression(token) and (token.text.islower() or token.is_sent_start)


def _is_misread(token: Token, lemma: str, pos: str) -> bool:
    """Return whether the lemma of a word is wrong, or its tense ambiguous."""
    if pos == "n":
        return token.lower_ != lemma and token.lower_ not in forms(lemma, "n")
    if pos == "v":
        if token.dep_ in ATTRIBUTE_DEPS:
            return True
        base = lemma.partition(" ")[0]
        if token.tag_ in {"VBD", "VBP"} and token.lower_ == base == inflect(base, "VBD"):
            # "They put it there" may be present or past.
            subject = subject_of(token)
            return subject is None or not (subject.tag_ in {"NN", "NNP"} or subject.lower_ in THIRD_SINGULAR_PRONOUNS)
    return False


def _is_free(token: Token, pos: str) -> bool:
    """Return whether a noun is not in a compound, and no adverb of direction changes the sense of a verb."""
    if pos == "n":
        if token.dep_ in {"compound", "nmod"}:
            return False
        for child in token.lefts:
            if child.dep_ in {"compound", "nmod"}:
                return False
    elif pos == "v":
        for child in token.rights:
            if child.dep_ in {"advmod", "prt"} and child.lower_ in _DIRECTIONS and child is not particle_of(token):
                return False
    return True


def _patches(source: Entry | LexiconSynonym, token: Token, pos: str) -> tuple[Patch, ...] | None:
    if isinstance(source, LexiconSynonym):
        return substitution(token, source.new, pos)
    if source.literal:
        # "TV" is always written in capitals, "television" is not.
        model = token.text.lower() if token.text.isupper() and not token.doc.text.isupper() else token.text
        return (replace(token, cased_like(model, source.new)),)
    if not source.preposition:
        return substitution(token, source.new, pos)
    phrase = f"{source.new} {source.preposition}"
    if particle_of(token) is not None:
        return substitution(token, phrase, pos)
    patches = substitution(token, source.new, pos)
    # A preposition precedes a pronoun: "look for it", not "look it for".
    return None if patches is None else (patches[0], insert_after(token, phrase.partition(" ")[2]))


def _role(token: Token, pos: str) -> int:
    if pos == "n":
        return 2
    if pos == "r":
        return 3
    return 0 if token.dep_ == "ROOT" or (token.dep_ == "acomp" and token.head.dep_ == "ROOT") else 1
