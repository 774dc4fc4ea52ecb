"""The builder of the five sets of sentence triplets (Zhu, Li and de Melo, 2018, §2.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence
from litotes.building.pipeline.collocations import tokens
from litotes.building.pipeline.text_quality import count_words, has_cursing
from litotes.building.triplet_sets import (
    AgentChoice,
    SynonymChoice,
    TripletSet,
    argument_sensitivity,
    clause_relatedness,
    fixed_point_reorder,
    negation_detection,
    negation_variants,
)
from litotes.languages.base import word_set
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import count_negations
from litotes.languages.en.pronouns import ARTICLES, DEMONSTRATIVES, RELATIVE_PRONOUNS
from litotes.languages.en.syntax.question_tags import question_tag_of
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import FULL_AUXILIARIES
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle
from litotes.suites.lexical_overlap import normalised_levenshtein

if TYPE_CHECKING:
    from litotes.corpora.base import Record
    from litotes.languages.tree import Token


_TOKENISED = re.compile(
    r" [.,;:!?%)]|[$£€(] (?=\S)| n['’]t\b|\w ['’](?:s|re|ve|ll|d|m|t)\b|(?:^| )(?:``|''|[\"“]) |-[LR]RB-"
)
"""Signs of a tokenised text; other texts are not changed."""
_PENN = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
_NOT = re.compile(r"(?<=\w) n(['’])t\b|n (['’])t\b", re.IGNORECASE)
_CONTRACTION = re.compile(r"(?<=[\w.]) ?(['’]) ?(s|re|ve|ll|d|m)\b(?!['’])", re.IGNORECASE)
_NAME_PREFIX = re.compile(r"\b([OD]) (['’])(?=[A-Z])")
_CLOSING = re.compile(r" +([,;!?%)\]]|\.(?!\d)|:(?!\d))")
_OPENING = re.compile(r"([$£€(\[]) +(?=\S)")
_CLOCK = re.compile(r"(?<=\d) ?: (?=\d\d\b)|(?<=\d) : ?(?=\d\d\b)")
_FRACTION = re.compile(r"(?<=\d) / (?=\d)")
_PLURAL_POSSESSIVE = re.compile(r"(?<=s) (['’])(?= |$)")
_QUOTATION_MARK = re.compile(r"\s*\"\s*")


def detokenise(text: str) -> str:
    """Return a tokenised text with standard spacing; other texts are returned unchanged.

    >>> detokenise('" I do n\\'t owe the bank \\'s clerk $ 12 , " she said .')
    '"I don\\'t owe the bank\\'s clerk $12," she said.'
    """
    if _TOKENISED.search(text) is None:
        return text
    for code, sign in _PENN.items():
        text = text.replace(code, sign)
    text = text.replace("``", '"').replace("''", '"').replace("' '", '"')
    text = _NOT.sub(lambda match: f"n{match[1] or match[2]}t", text)
    text = _NAME_PREFIX.sub(r"\1\2", _CONTRACTION.sub(r"\1\2", text))
    if len(_PLURAL_POSSESSIVE.findall(text)) % 2:  # an even number may be quotation marks
        text = _PLURAL_POSSESSIVE.sub(r"\1", text)
    text = _FRACTION.sub("/", _CLOCK.sub(":", text))
    text = _OPENING.sub(r"\1", _CLOSING.sub(r"\1", text))
    text = re.sub(r"“\s+", "“", re.sub(r"\s+”", "”", text))
    return _attach_quotation_marks(text)


def _attach_quotation_marks(text: str) -> str:
    """Attach opening quotation marks to the following word and closing ones to the preceding word."""
    parts = _QUOTATION_MARK.split(text)
    if len(parts) % 2 == 0:  # with an odd number of marks it is unknown which are opening
        return text
    result = parts[0]
    for number, part in enumerate(parts[1:], 1):
        if number % 2:
            result += f'{" " if result and result[-1] not in "(–—-" else ""}"{part}'
        else:
            result += f'"{" " if part and (part[0].isalnum() or part[0] in "(–—-$£€") else ""}{part}'
    return result


_UNUSUAL = re.compile(
    r"\.\.|…|--|;|[\[\]{}<>|\\^~*_#@=`]|https?:|www\.|:(?!\d\d\b| [\"“])|(?:^| )['’]|\"\"|\w\s+[,.]"
    r"|\b[A-Z]{2,} [A-Z]{3,}\b|\b[Aa]n [bcdfgjklmnpqrstvwyz][a-z]"
)


def has_unusual_marks(text: str) -> bool:
    """Return whether quotation marks or brackets are unpaired, or a text has unusual characters.

    >>> has_unusual_marks('" We lost the key.'), has_unusual_marks('"We lost the key," she said.')
    (True, False)
    """
    return (
        text.count('"') % 2 == 1
        or text.count("(") != text.count(")")
        or text.count("“") != text.count("”")
        or _UNUSUAL.search(text) is not None
    )


_FUNCTION_WORDS = (
    ARTICLES
    | DEMONSTRATIVES
    | RELATIVE_PRONOUNS
    | FULL_AUXILIARIES
    | word_set(
        "be been being of to in on at by for with from and or as it its his her their there some any several own"
    )
    | word_set("one n't not no s . , ; : ! ?")
)
"""Words that paraphrases may add or omit."""
_GENERAL_WORDS = frozenset(
    """person persons people someone somebody something animal animals vehicle vehicles object objects thing things food
    toy vegetable vegetables instrument item items creature device water outdoors outside kid child girl girls boy
    boys going""".split()
)
"""Hypernyms: a dog is an animal, but not every animal is a dog."""
_CAPITALISED_WORD = re.compile(r"(?<=[\w,)] )[A-Z][\w'’.-]*")
_MIN_LENGTH_RATIO = 0.75
"""Minimum number of words of the shorter sentence, as a share of the longer one."""


def token_distance(first: str, second: str) -> float:
    """Return the Levenshtein distance over words, as a share of the longer sentence: 0 equal, 1 nothing in common.

    >>> token_distance("He fed the dog.", "He fed the cat.")
    0.2
    """
    return normalised_levenshtein(tokens(first), tokens(second))


def is_mutual(first: str, second: str, *, is_certain: bool = False) -> bool:
    """Return whether neither of two sentences says more: length, names, numbers, negations and words must correspond.

    With `is_certain`, annotators have judged both to have the same meaning, and words need not be known synonyms.

    >>> is_mutual("The cook closed the door.", "The door was shut by the cook.")
    True
    >>> is_mutual("The cook cut the bread.", "The cook cut the stale bread.")
    False
    """
    left, right = tokens(first), tokens(second)
    if min(len(left), len(right)) < _MIN_LENGTH_RATIO * max(len(left), len(right)):
        return False
    if _numbers(left) != _numbers(right) or count_negations(first) != count_negations(second):
        return False
    if not (_names(first) <= set(right) and _names(second) <= set(left)):
        return False
    removed, added = _content(left) - _content(right), _content(right) - _content(left)
    if all(_has_synonym(word, added) for word in removed) and all(_has_synonym(word, removed) for word in added):
        return True
    return is_certain and _GENERAL_WORDS.isdisjoint(removed | added)


def _numbers(words: list[str]) -> list[str]:
    return sorted(word for word in words if word[0].isdigit())


def _names(text: str) -> set[str]:
    """Return the tokens of capitalised words after the first word."""
    return {word for name in _CAPITALISED_WORD.findall(text) for word in tokens(name)} - _FUNCTION_WORDS


def _content(words: list[str]) -> set[str]:
    return set(words) - _FUNCTION_WORDS


def _has_synonym(word: str, words: set[str]) -> bool:
    return any(not _meanings(word).isdisjoint(_meanings(other)) for other in words)


@lru_cache(maxsize=16_384)
def _meanings(word: str) -> frozenset[str | int]:
    """Return the possible lemmas of a word and their WordNet synsets, with similar synsets for adjectives."""
    lexicon = default_lexicon()
    meanings: set[str | int] = {word}
    for pos in "nvar":
        for lemma in lemmas(word, pos):
            meanings.add(lemma)
            for sense in lexicon.senses(lemma, pos):
                meanings.add(sense.number)
                meanings.update(synset.id for synset in lexicon.similar(sense.synset) if pos == "a")
    return frozenset(meanings)


SETS: tuple[TripletSet, ...] = get_args(TripletSet)
_PARAPHRASE_LABELS = frozenset({"entailment", "1", "paraphrase"})
_CERTAIN_SCORE = 4.5
"""Mean relatedness (1 to 5) from which two sentences certainly have the same meaning."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """Yield the sentences of a record, and a pair itself if the set of reordered paraphrases is built."""
    if options["detokenise"]:
        other = None if record.second_text is None else detokenise(record.second_text)
        record = replace(record, text=detokenise(record.text), second_text=other)
    if record.second_text is not None and options["only"] in {"all", "fixed-point-reorder"}:
        yield record
    if options["only"] != "fixed-point-reorder":
        yield from each_sentence(record, options)


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    if not options["shortest"] <= count_words(record.text) <= options["longest"]:
        return "length"
    if "?" in record.text:
        return "question"
    if has_unusual_marks(record.text):
        return "marks"
    if has_cursing(record.text):
        return "cursing"
    return None if record.second_text is None else _pair_skip_code(record, record.second_text, options)


def _pair_skip_code(record: Record, second: str, options: Mapping[str, Any]) -> str | None:
    if not _is_paraphrase(record, options["relatedness"]):
        return "not-the-same"
    if has_unusual_marks(second) or '"' in record.text + second or "“" in record.text + second:
        return "marks"
    if has_cursing(second):
        return "cursing"
    if record.text.strip(" .!").lower() == second.strip(" .!").lower():
        return "equal"
    similarity = 1 - token_distance(record.text, second)
    if not (similarity >= options["alike"] if options["structure"] == "alike" else similarity <= options["apart"]):
        return "structure"
    # Entailment has one direction, and labels alone do not guarantee a paraphrase.
    if (
        options["mutual"]
        and record.label
        and not is_mutual(record.text, second, is_certain=(record.score or 0) >= _CERTAIN_SCORE)
    ):
        return "one-sided"
    return None


def _is_paraphrase(record: Record, minimum: float) -> bool:
    """Return whether label and relatedness allow a paraphrase; pairs without either are assumed to be paraphrases."""
    if record.label and record.label not in _PARAPHRASE_LABELS:
        return False
    return record.score is None or record.score >= minimum


def _is_complete(sentence: Sentence) -> bool:
    """Return whether a sentence has a finite verb with a subject, no question tag, and only known words."""
    root = sentence.roots[0]
    group = verb_group(root)
    if root.pos_ not in {"VERB", "AUX"} or not group.is_finite or group.subject is None:
        return False
    return question_tag_of(sentence.doc) is None and all(_is_known(token) for token in sentence.doc)


def _is_known(token: Token) -> bool:
    lower = token.lower_
    if not lower.isalpha() or token.text[0].isupper():
        return True
    # The parser splits “won't” and “can't” into “wo” or “ca” and “n't”.
    return lower in {"a", "wo", "ca"} or (len(lower) > 1 and is_word(lower))


@builder(
    "triplets",
    sets={name: name for name in SETS},
    skips={
        "length": "it has fewer words than --option shortest, or more than longest",
        "question": "it is a question; a question and its negation ask the same",
        "marks": "its quotation marks or brackets are unpaired, or it has unusual characters",
        "cursing": "it contains profanity or insults",
        "not-the-same": "the two sentences of the pair may not have the same meaning",
        "equal": "the two sentences of the pair differ only in case or the full stop",
        "structure": "the two sentences of the pair are not similar enough (or too similar, with structure=apart)",
        "one-sided": "one sentence of the pair says more than the other",
        "several": "it is more than one sentence",
        "grammar": "it is not a complete sentence of known words",
        "no-set": "it fits no set: no synonym and negation, no quantifier, no clause, no passive and swap",
        "no-inversion": "it cannot be inverted around a pivot",
    },
    filter=_filter,
    units=_units,
)
def triplets(
    subject: Subject,
    *,
    only: Literal["all"] | TripletSet = "all",
    detokenise: bool = True,
    shortest: int = 3,
    longest: int = 30,
    synonym: SynonymChoice = "main",
    quantifier: Literal["a", "all"] = "a",
    by: AgentChoice = "keep",
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
    if not _is_complete(sentence):
        yield Skip("grammar")
        return
    if subject.record.second_text is not None:
        yield fixed_point_reorder(sentence, subject.record.second_text) or Skip("no-inversion")
        return
    generators: dict[TripletSet, Callable[[], Iterator[Candidate]]] = {
        "negation-detection": lambda: negation_detection(sentence, synonym, contractions),
        "negation-variants": lambda: negation_variants(sentence, quantifier, contractions),
        "clause-relatedness": lambda: clause_relatedness(sentence, contractions),
        "argument-sensitivity": lambda: argument_sensitivity(sentence, by),
    }
    has_candidate = False
    for name, generate in generators.items():
        if only in {"all", name}:
            for candidate in generate():
                has_candidate = True
                yield candidate
    if not has_candidate:
        yield Skip("no-set")
