"""The builder of SemAntoNeg's quadruples (Vahtola, Creutz and Tiedemann, 2022, §3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from litotes.building.base import BuilderOutput, Candidate, Subject, builder, each_sentence, split_record
from litotes.building.neutral_frames import fits_frame, is_after_without, is_loose, quadruples_without_not
from litotes.building.pipeline.collocations import tokens
from litotes.languages.en.lexicon.antonyms import lexicon_opposites, usual_opposites
from litotes.languages.en.morphology.inflection import lemmas
from litotes.languages.en.negation import NegationScope, count_negations, is_negated
from litotes.languages.en.parser import count_tokens
from litotes.languages.en.pronouns import DEFINITE_DETERMINERS
from litotes.languages.en.quantifiers import AMOUNTS, COMPARATIVE_AMOUNTS, IDENTITY_WORDS, ORDINALS
from litotes.languages.en.syntax.question_tags import question_tag_of
from litotes.languages.en.syntax.tags import PLURAL_NOUN_TAGS, SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.antonym import AntonymCandidate, find_antonyms
from litotes.rewrites.en.grammar.clauses import main_verbs
from litotes.rewrites.en.negated_antonym import keeps_meaning
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle
from litotes.rewrites.en.quadruple import quadruple_of
from litotes.rewrites.en.words.content_words import WordClass
from litotes.suites.lexical_overlap import common_prefix
from litotes.suites.semantoneg import ROLES, permute_quadruple

if TYPE_CHECKING:
    from litotes.corpora.base import Record
    from litotes.languages.tree import Token
    from litotes.rewrites.en.quadruple import Quadruple

_PARTS: tuple[WordClass, ...] = ("adjective", "verb", "adverb", "noun")
_NAMES = {"a": "adjective", "v": "verb", "r": "adverb", "n": "noun"}
_POS_CODES = {name: code for code, name in _NAMES.items()}
_MIN_TOKENS = 4
_PIECE = re.compile(r"\w+|[^\w\s]")
_NOT_DESCRIPTIVE = AMOUNTS | COMPARATIVE_AMOUNTS | (ORDINALS - {"next"}) | IDENTITY_WORDS | {"different"}
"""Words for amounts and comparisons, whose negation and opposite differ in use."""
_RARE_ADJECTIVES = frozenset(
    "like go going in here about any said all just one must some every two very such only no more most".split()
)
"""Words that are adjectives with opposites in the lexicon (“the in thing”), but rarely in running text."""
_MAX_QUADRUPLES = 4
"""Quadruples of a sentence."""
_ECHO = re.compile(r",\s+(?:huh|eh|okay|ok|right|correct|yes|no)\?\W*$", re.IGNORECASE)
"""An echo, which makes a statement a question and fits both polarities."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """Return the sentences of a record, or only the negated one of a pair, as in the paper."""
    texts = list(each_sentence(record, options))
    if record.second_text is not None and options["pairs"] == "contrast":
        if _pair_fault(record) is not None:
            return [record]  # the filter gives the reason
        texts = [sentence for sentence in texts if is_negated(sentence.text, "more")]
    return [part for sentence in texts for part in split_record(sentence)] if options["split"] else texts


def _pair_fault(record: Record) -> str | None:
    """Return the skip code of a pair: both sentences must be long enough, and exactly one negated."""
    texts = (record.text, record.second_text or "")
    if sum(is_negated(text, "more") for text in texts) != 1:
        return "no-contrast"
    return "short" if any(count_tokens(text) < _MIN_TOKENS for text in texts) else None


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    if record.second_text is not None:
        return _pair_fault(record)
    # The parser splits “cannot” too, so tokens are counted again after parsing.
    if len(_PIECE.findall(record.text)) < _MIN_TOKENS - 1:
        return "short"
    if options["negation"] != "any" and not is_negated(record.text, options["negation"]):
        return "no-negation"
    pos_codes = "avrn" if options["pos"] == "all" else _POS_CODES[options["pos"]]
    return None if any(_may_have_opposite(word, pos_codes) for word in tokens(record.text)) else "no-antonym"


@lru_cache(maxsize=32_768)
def _may_have_opposite(word: str, pos_codes: str) -> bool:
    """Return whether a word may be a form of a word with an opposite; cheaper than parsing."""
    if len(word) == 1 or (pos_codes == "a" and word in _RARE_ADJECTIVES):
        return False
    for pos in pos_codes:
        for lemma in {word, *lemmas(word, pos)}:
            if usual_opposites(lemma, pos) or lexicon_opposites(lemma, pos):
                return True
    return False


@builder(
    "semantoneg",
    sets={"": "semantoneg"},
    skips={
        "short": "it, or the other sentence of its pair, has fewer than four tokens",
        "several": "it is more than one sentence",
        "question": "it is a question; a negated question asks the same",
        "no-negation": "it has no negation",
        "no-contrast": "the pair does not have exactly one negated sentence",
        "no-antonym": "no word of the required part of speech has an opposite",
        "unsure": "its words have opposites, but none that certainly contrasts here",
        "not-the-same": "its words have opposites, but a negated opposite would not have the same meaning",
        "frame": "the rest of the sentence fits only one polarity, or is in the scope of the negation",
        "no-other-polarity": "its negation does not apply to the word, or cannot be removed",
    },
    filter=_filter,
    items=lambda sentences: permute_quadruple([sentences[role] for role in ROLES]),
    units=_units,
)
def semantoneg(
    subject: Subject,
    *,
    pos: WordClass = "adjective",
    negation: NegationScope = "not",
    pairs: Literal["contrast", "apart"] = "contrast",
    frames: Literal["plain", "all"] = "plain",
    antonyms: Literal["all", "best"] = "all",
    split: bool = True,
    contractions: ContractionStyle = "keep",
) -> Iterator[BuilderOutput]:
    """Input, antonym, the other polarity, both; each of the four is the input of one item."""
    sentence = subject.sentence
    is_strict = frames == "plain"
    if (code := _unsuitable_sentence(sentence, is_strict=is_strict)) is not None:
        yield Skip(code)
        return
    n_candidates = 0
    used: set[int] = set()
    skip_code = "no-antonym"
    for part in _PARTS if pos == "all" else (pos,):
        for antonym in find_antonyms(sentence, pos=part):
            if isinstance(antonym, Skip):
                continue
            if (code := _unsuitable_antonym(antonym, is_strict=is_strict)) is not None:
                skip_code = code if skip_code == "no-antonym" else skip_code
                continue
            if is_strict and not fits_frame(sentence, antonym):
                skip_code = "frame"
                continue
            # Only the first antonym of a word may be a loose one, for lack of a better one.
            if antonym.target.token.i in used and is_loose(antonym.target.lemma, antonym.opposite.word):
                continue
            skip_code = "no-other-polarity"
            without_not = list(quadruples_without_not(sentence, antonym)) if negation != "not" else []
            for quadruple in without_not or quadruple_of(sentence, antonym, contractions):
                if isinstance(quadruple, Skip) or not _applies_to_word(sentence, antonym, quadruple.polarity):
                    continue
                candidate = _candidate(quadruple, antonym)
                used.add(antonym.target.token.i)
                yield replace(candidate, alternatives=candidate.group) if antonyms == "all" else candidate
                n_candidates += 1
            if n_candidates >= _MAX_QUADRUPLES:
                return
    if not n_candidates:
        yield Skip(skip_code)


def _unsuitable_sentence(sentence: Sentence, *, is_strict: bool) -> str | None:
    if len([token for token in sentence.doc if not token.is_space]) < _MIN_TOKENS:
        return "short"
    if len(sentence.spans) != 1:
        return "several"
    is_question = sentence.is_question and question_tag_of(sentence.doc) is None and not _ECHO.search(sentence.text)
    # “Aren't you cold?” asks what “Are you cold?” asks; “You are not cold?” expects the other answer.
    return "question" if is_question and (is_strict or not _has_order_of_statement(sentence)) else None


def _has_order_of_statement(sentence: Sentence) -> bool:
    """Return whether the subject precedes the verb, and no question word precedes them."""
    verbs = main_verbs(sentence)
    if not verbs or any(token.tag_ in {"WP", "WDT", "WRB", "WP$"} for token in sentence.doc[: verbs[0].i]):
        return False
    group = verb_group(verbs[0])
    return group.subject is not None and not group.is_inverted


def _applies_to_word(sentence: Sentence, antonym: AntonymCandidate, polarity: str) -> bool:
    """Return whether the removed negation was before the word, so that it applied to it.

    An affirmative sentence gets a negation; a question tag must change with the polarity of its clause.
    """
    tag = question_tag_of(sentence.doc)
    if tag is not None:
        return not polarity.endswith(sentence.text[tag.start :])
    token, before = antonym.target.token, count_negations(sentence.text)
    is_before = common_prefix(sentence.text, polarity) <= token.idx
    return (count_negations(polarity) < before or before == 0) and (is_before or antonym.target.pos == "v")


def _unsuitable_antonym(antonym: AntonymCandidate, *, is_strict: bool) -> str | None:
    """Return the skip code of an opposite that does not contrast here, or whose negation has another meaning.

    Antonyms of the lexicon do not always contrast: somebody who is not hungry need not be thirsty. An opposite is
    suitable if the table of usual opposites has it for this context or, for words that are not in the table, if it is a
    direct or affixal antonym of the word's most frequent sense. Pairs that the table excludes are never suitable.
    """
    token = antonym.target.token
    if is_after_without(token):
        return None if antonym.opposite.kind in {"usual", "direct"} else "unsure"
    if not antonym.is_sure:
        return "unsure"
    echo = _ECHO.search(token.doc.text)
    if echo is not None and token.idx > echo.start():
        return "not-the-same"
    pair = {antonym.target.lemma, antonym.opposite.word}
    is_paraphrase = (pair == {"same", "different"} and not _has_several_subjects(token)) or (
        pair == {"much", "little"} and not is_strict
    )
    if (antonym.target.lemma in _NOT_DESCRIPTIVE and not is_paraphrase) or _is_identifying(token):
        return "not-the-same"
    if antonym.target.pos == "r":
        return None if token.dep_ == "advmod" else "not-the-same"
    return None if keeps_meaning(antonym) else "not-the-same"


def _has_several_subjects(token: Token) -> bool:
    """Return whether a singular noun is the predicate of several things: “They are not the same thing”."""
    noun = token.head
    subjects = [child for child in noun.head.children if child.dep_ in SUBJECT_DEPS]
    return token.dep_ == "amod" and any(
        subject.tag_ in PLURAL_NOUN_TAGS or subject.lower_ in {"we", "they", "these", "those"} or subject.conjuncts
        for subject in subjects
    )


def _is_identifying(token: Token) -> bool:
    """Return whether an adjective identifies its noun rather than describes it: “the shy boy he used to be”."""
    noun = token.head
    if token.dep_ != "amod":
        return False
    is_definite = any(child.lower_ in DEFINITE_DETERMINERS for child in noun.lefts)
    return is_definite and any(child.dep_ in {"relcl", "acl"} for child in noun.rights)


def _candidate(quadruple: Quadruple, antonym: AntonymCandidate) -> Candidate:
    word, opposite = antonym.target.lemma, antonym.opposite.word
    texts = (quadruple.input, quadruple.antonym, quadruple.polarity, quadruple.both)
    return Candidate(
        set="",
        sentences=dict(zip(ROLES, texts, strict=True)),
        group="/".join(sorted((word, opposite))),
        tags={
            "word": word,
            "antonym": opposite,
            "pos": _NAMES[antonym.target.pos],
            "relation": antonym.opposite.kind,
            "affixal": "yes" if antonym.opposite.affixal else "no",
        },
        changed=("antonym", "both"),
    )
