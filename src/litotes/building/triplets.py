"""The five sets of sentence triplets (Zhu, Li and de Melo, 2018, §2.2) from any text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence
from litotes.building.pipeline.collocations import tokens
from litotes.building.pipeline.text_quality import count_words, has_cursing
from litotes.building.triplet_sets import Set, Synonym, arguments, clauses, detection, reordered, variants
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import count_negations
from litotes.languages.en.syntax.question_tags import tag_of
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.polarity.do_support import ContractionStyle

if TYPE_CHECKING:
    from litotes.corpora.base import Record
    from litotes.languages.tree import Token


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


_EMPTY = frozenset(
    """a an the this that these those is are was were be been being am has have had do does did of to in on at by for
    with from and or as it its his her their there which who whom some any several own one n't not no s
    . , ; : ! ?""".split()
)
"""What may come or go in a paraphrase."""
_GENERAL = frozenset(
    """person persons people someone somebody something animal animals vehicle vehicles object objects thing things food
    toy vegetable vegetables instrument item items creature device water outdoors outside kid child girl girls boy
    boys going""".split()
)
"""Words that say less than what they stand for: a dog is an animal, but not every animal is a dog."""
_DISTANCE_NAME = re.compile(r"(?<=[\w,)] )[A-Z][\w'’.-]*")
_LEAST_RATIO = 0.75
"""Of the shorter sentence's words to the longer one's."""


def token_distance(one: str, other: str) -> float:
    """Levenshtein's distance over words, as a share of the longer sentence: 0 the same, 1 nothing in common.

    >>> token_distance("He fed the dog.", "He fed the cat.")
    0.2
    """
    left, right = tokens(one), tokens(other)
    row = list(range(len(right) + 1))
    for number, word in enumerate(left, 1):
        diagonal, row[0] = row[0], number
        for place, against in enumerate(right, 1):
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, diagonal + (word != against))
    return row[-1] / max(len(left), len(right), 1)


def is_mutual(one: str, other: str, *, sure: bool = False) -> bool:
    """Whether neither of two sentences seems to say more: alike in length, names, numbers, negation and words.

    `sure`: people have said that the two mean the same, so that words need not be synonyms that a lexicon knows.

    >>> is_mutual("The cook closed the door.", "The door was shut by the cook.")
    True
    >>> is_mutual("The cook cut the bread.", "The cook cut the stale bread.")
    False
    """
    left, right = tokens(one), tokens(other)
    if min(len(left), len(right)) < _LEAST_RATIO * max(len(left), len(right)):
        return False
    if _numbers(left) != _numbers(right) or count_negations(one) != count_negations(other):
        return False
    if not (_names(one) <= set(right) and _names(other) <= set(left)):
        return False
    gone, come = _content(left) - _content(right), _content(right) - _content(left)
    if all(_has_like(word, come) for word in gone) and all(_has_like(word, gone) for word in come):
        return True
    return sure and _GENERAL.isdisjoint(gone | come)


def _numbers(words: list[str]) -> list[str]:
    return sorted(word for word in words if word[0].isdigit())


def _names(text: str) -> set[str]:
    """The parts of the words with a capital that do not begin the sentence."""
    return {word for name in _DISTANCE_NAME.findall(text) for word in tokens(name)} - _EMPTY


def _content(words: list[str]) -> set[str]:
    return set(words) - _EMPTY


def _has_like(word: str, others: set[str]) -> bool:
    return any(not _meanings(word).isdisjoint(_meanings(other)) for other in others)


@lru_cache(maxsize=16_384)
def _meanings(word: str) -> frozenset[str | int]:
    """The words of which it may be a form, and the synsets of WordNet that these are in or, as adjectives, near to."""
    lexicon = default_lexicon()
    found: set[str | int] = {word}
    for pos in "nvar":
        for lemma in lemmas(word, pos):
            found.add(lemma)
            for sense in lexicon.senses(lemma, pos):
                found.add(sense.number)
                found.update(synset.id for synset in lexicon.similar(sense.synset) if pos == "a")
    return frozenset(found)


SETS: tuple[Set, ...] = get_args(Set)
_SAME = frozenset({"entailment", "1", "paraphrase"})
_SURE = 4.5
"""Of five, the mean of what people gave: at most two of ten took a point off."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """The sentences of a pair, and the pair itself where it says the same twice."""
    if options["detokenise"]:
        other = None if record.second_text is None else detokenised(record.second_text)
        record = replace(record, text=detokenised(record.text), second_text=other)
    if record.second_text is not None and options["only"] in {"all", "fixed-point-reorder"}:
        yield record
    if options["only"] != "fixed-point-reorder":
        yield from each_sentence(record, options)


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    if not options["shortest"] <= count_words(record.text) <= options["longest"]:
        return "length"
    if "?" in record.text:
        return "question"
    if has_loose_marks(record.text):
        return "marks"
    if has_cursing(record.text):
        return "cursing"
    return None if record.second_text is None else _pair_refusal(record, record.second_text, options)


def _pair_refusal(record: Record, other: str, options: Mapping[str, Any]) -> str | None:
    if not _says_the_same(record, options["relatedness"]):
        return "not-the-same"
    if has_loose_marks(other) or '"' in record.text + other or "“" in record.text + other:
        return "marks"
    if has_cursing(other):
        return "cursing"
    if record.text.strip(" .!").lower() == other.strip(" .!").lower():
        return "equal"
    near = 1 - token_distance(record.text, other)
    if not (near >= options["alike"] if options["structure"] == "alike" else near <= options["apart"]):
        return "structure"
    # Entailment goes one way, and a label alone is often given to what is merely near.
    if options["mutual"] and record.label and not is_mutual(record.text, other, sure=(record.score or 0) >= _SURE):
        return "one-sided"
    return None


def _says_the_same(record: Record, least: float) -> bool:
    """By its label and its relatedness, as far as the corpus has them; a plain file of pairs is one of paraphrases."""
    if record.label and record.label not in _SAME:
        return False
    return record.score is None or record.score >= least


def _is_whole(sentence: Sentence) -> bool:
    """Whether it has a finite verb with a subject, no question tag, and known words only."""
    root = sentence.roots[0]
    group = verb_group(root)
    if root.pos_ not in {"VERB", "AUX"} or not group.is_finite or group.subject is None:
        return False
    return tag_of(sentence.doc) is None and all(_is_known(token) for token in sentence.doc)


def _is_known(token: Token) -> bool:
    lower = token.lower_
    if not lower.isalpha() or token.text[0].isupper():
        return True
    # The parser makes “wo” and “ca” of “won't” and “can't”.
    return lower in {"a", "wo", "ca"} or (len(lower) > 1 and is_word(lower))


@builder(
    "triplets",
    sets={name: name for name in SETS},
    skips={
        "length": "it has fewer words than --option shortest, or more than longest",
        "question": "it asks: a question and its negation ask the same",
        "marks": "its quotes or brackets do not come in pairs, or it has signs that a plain sentence has not",
        "cursing": "it curses or insults",
        "not-the-same": "the two sentences of the pair do not surely say the same",
        "equal": "the two sentences of the pair are the same but for case or the full stop",
        "structure": "the two sentences of the pair are not built alike (or too much so, with structure=apart)",
        "one-sided": "one sentence of the pair seems to say more than the other",
        "several": "it is more than one sentence",
        "grammar": "it is no whole sentence of known words",
        "no-set": "no set has use for it: no synonym and negation, no quantifier, no clause, no passive and swap",
        "no-inversion": "it cannot be inverted around a pivot",
    },
    filter=_filter,
    units=_units,
)
def triplets(
    subject: Subject,
    *,
    only: Literal["all"] | Set = "all",
    detokenise: bool = True,
    shortest: int = 4,
    longest: int = 30,
    synonym: Synonym = "main",
    quantifier: Literal["a", "all"] = "a",
    relatedness: float = 4.0,
    structure: Literal["alike", "apart"] = "alike",
    alike: float = 0.15,
    apart: float = 0.5,
    mutual: bool = True,
    contractions: ContractionStyle = "keep",
) -> Iterator[BuilderOutput]:
    """Negation detection, negation variants, clause relatedness, argument sensitivity, fixed-point reorder."""
    sentence = subject.sentence
    if len(sentence.spans) != 1:
        yield Skip("several")
        return
    if not _is_whole(sentence):
        yield Skip("grammar")
        return
    if subject.record.second_text is not None:
        yield reordered(sentence, subject.record.second_text) or Skip("no-inversion")
        return
    makers: dict[Set, Callable[[], Iterator[Candidate]]] = {
        "negation-detection": lambda: detection(sentence, synonym, contractions),
        "negation-variants": lambda: variants(sentence, quantifier, contractions),
        "clause-relatedness": lambda: clauses(sentence, contractions),
        "argument-sensitivity": lambda: arguments(sentence),
    }
    made = False
    for name, make in makers.items():
        if only in {"all", name}:
            for candidate in make():
                made = True
                yield candidate
    if not made:
        yield Skip("no-set")
