"""SemAntoNeg's quadruples (Vahtola, Creutz and Tiedemann, 2022, §3) from any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence, split_record
from litotes.building.neutral_frames import fits_frame, is_after_without, other_quadruples
from litotes.building.pipeline.collocations import tokens
from litotes.languages.en.lexicon.antonyms import lexicon_opposites, usual_opposites
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import NegationScope, count_negations, is_negated
from litotes.languages.en.syntax.question_tags import tag_of
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.antonym import Candidate as Antonym
from litotes.rewrites.en.antonym import PartOfSpeech, candidates
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.quadruple import quadruple_of
from litotes.rewrites.en.words.negated_meaning import keeps_meaning
from litotes.suites.semantoneg import ROLES, permuted

if TYPE_CHECKING:
    from litotes.corpora.base import Record
    from litotes.languages.tree import Token

_PARTS: tuple[PartOfSpeech, ...] = ("adjective", "verb", "adverb", "noun")
_NAMES = {"a": "adjective", "v": "verb", "r": "adverb", "n": "noun"}
_LETTERS = {name: letter for letter, name in _NAMES.items()}
_LEAST_TOKENS = 4
_AMOUNTS = frozenset("much many little few more less fewer first last same different other".split())
"""They count or compare; what is not much is little, but nobody says so of everything."""
_HARDLY_ADJECTIVES = frozenset(
    "like go going in here about any said all just one must some every two very such only no more most".split()
)
"""The lexicon has them as adjectives with opposites (“the in thing”); in running text they are something else."""
_MOST = 4
"""Quadruples a sentence, from which the most natural is chosen."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """The paper's pairs: of two paraphrases, one of which is negated, the one that is; then sentence by sentence."""
    texts = list(each_sentence(record, options))
    if record.second_text is not None and options["pairs"] == "contrast":
        texts = [one for one in texts if is_negated(one.text, "more")]
        if len(texts) != 1:
            return [record]  # kept whole, for the filter to say why
    return [part for one in texts for part in split_record(one)] if options["split"] else texts


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    if record.second_text is not None:
        return "no-contrast"
    if record.text.count(" ") + 1 < _LEAST_TOKENS - 1:  # full stops and “n't” are tokens too: counted once it is parsed
        return "short"
    if options["negation"] != "any" and not is_negated(record.text, options["negation"]):
        return "no-negation"
    letters = "avrn" if options["pos"] == "all" else _LETTERS[options["pos"]]
    return None if any(_may_have_opposite(word, letters) for word in tokens(record.text)) else "no-antonym"


@lru_cache(maxsize=32_768)
def _may_have_opposite(word: str, letters: str) -> bool:
    """Whether a word, or one of which it is a form, has an opposite as some part of speech; cheaper than a parse."""
    if len(word) == 1 or (letters == "a" and word in _HARDLY_ADJECTIVES):
        return False
    for letter in letters:
        for lemma in {word, *lemmas(word, letter)}:
            if usual_opposites(lemma, letter) or lexicon_opposites(lemma, letter):
                return True
    return False


@builder(
    "semantoneg",
    sets={"": "semantoneg"},
    skips={
        "short": "it has fewer tokens than four",
        "several": "it is more than one sentence",
        "question": "it asks: a negated question asks the same",
        "no-negation": "it has no negation",
        "no-contrast": "of the two sentences of the pair not exactly one is negated",
        "no-antonym": "no word of the wanted part of speech has an opposite",
        "unsure": "its words have opposites, but none that surely contrasts with it here",
        "not-the-same": "its words have opposites, but a negated one would not mean the same",
        "frame": "the rest of the sentence suits one polarity only, or comes between the negation and the word",
        "no-other-polarity": "its negation is not one that bears on the word, or cannot be turned round",
    },
    filter=_filter,
    items=lambda sentences: permuted([sentences[role] for role in ROLES]),
    units=_units,
)
def semantoneg(
    subject: Subject,
    *,
    pos: PartOfSpeech = "adjective",
    negation: NegationScope = "not",
    pairs: Literal["contrast", "apart"] = "contrast",
    frames: Literal["plain", "all"] = "plain",
    split: bool = True,
    contractions: ContractionStyle = "keep",
) -> Iterator[BuilderOutput]:
    """Input, antonym, the other polarity, both; each of the four is once the input."""
    sentence = subject.sentence
    if (unfit := _unfit(sentence)) is not None:
        yield Skip(unfit)
        return
    made = 0
    why = "no-antonym"
    for part in _PARTS if pos == "all" else (pos,):
        for antonym in candidates(sentence, pos=part):
            if isinstance(antonym, Skip):
                continue
            if (fault := _fault(antonym)) is not None:
                why = fault if why == "no-antonym" else why
                continue
            if frames == "plain" and not fits_frame(sentence, antonym):
                why = "frame"
                continue
            why = "no-other-polarity"
            others = list(other_quadruples(sentence, antonym)) if negation != "not" else []
            for found in others or quadruple_of(sentence, antonym, contractions):
                if isinstance(found, Skip) or not _is_turned_there(sentence, antonym, found.polarity):
                    continue
                yield _candidate(found.input, found.antonym, found.polarity, found.both, antonym)
                made += 1
            if made >= _MOST:
                return
    if not made:
        yield Skip(why)


def _unfit(sentence: Sentence) -> str | None:
    if len([token for token in sentence.doc if not token.is_space]) < _LEAST_TOKENS:
        return "short"
    if len(sentence.spans) != 1:
        return "several"
    # “Aren't you cold?” asks what “Are you cold?” asks.
    return "question" if sentence.is_question and tag_of(sentence.doc) is None else None


def _is_turned_there(sentence: Sentence, antonym: Antonym, polarity: str) -> bool:
    """Whether the negation of the sentence is the one that went, before the word, so that it bears on it.

    A sentence that has none gets one; a question tag has the other polarity of its clause, and changes with it.
    """
    tag = tag_of(sentence.doc)
    if tag is not None:
        return not polarity.endswith(sentence.text[tag.start :])
    token, before = antonym.content.token, count_negations(sentence.text)
    same = next((at for at, (one, other) in enumerate(zip(sentence.text, polarity)) if one != other), len(polarity))  # noqa: B905
    return (count_negations(polarity) < before or before == 0) and (same <= token.idx or antonym.content.pos == "v")


def _fault(antonym: Antonym) -> str | None:
    """Why an opposite is not taken: it must surely contrast with the word here, and its denial must say the same.

    Two words may be antonyms in the lexicon and yet not contrast: who is not hungry need not be thirsty. An opposite is
    taken if the table of opposites in use has it for this place, or, where the table does not speak of the word, if it
    is a direct or affixal antonym of the word's most frequent sense. What the table marks as no pair is never taken.
    """
    token = antonym.content.token
    if is_after_without(token):
        return None if antonym.opposite.kind in {"usual", "direct"} else "unsure"
    if not antonym.sure:
        return "unsure"
    if antonym.content.lemma in _AMOUNTS or _is_known_of(token):
        return "not-the-same"
    if antonym.content.pos == "r":
        return None if token.dep_ == "advmod" else "not-the-same"
    return None if keeps_meaning(antonym) else "not-the-same"


def _is_known_of(token: Token) -> bool:
    """Whether a word belongs to something known, not to what is said of it: “the shy boy he used to be”."""
    noun = token.head
    if token.dep_ != "amod":
        return False
    definite = any(child.lower_ in {"the", "this", "that", "these", "those"} for child in noun.lefts)
    return definite and any(child.dep_ in {"relcl", "acl"} for child in noun.rights)


def _candidate(input_: str, antonym: str, polarity: str, both: str, chosen: Antonym) -> Candidate:
    word, opposite = chosen.content.lemma, chosen.opposite.word
    return Candidate(
        set="",
        sentences=dict(zip(ROLES, (input_, antonym, polarity, both), strict=True)),
        group="/".join(sorted((word, opposite))),
        tags={
            "word": word,
            "antonym": opposite,
            "pos": _NAMES[chosen.content.pos],
            "relation": chosen.opposite.kind,
            "affixal": "yes" if chosen.opposite.affixal else "no",
        },
        changed=("antonym", "both"),
    )
