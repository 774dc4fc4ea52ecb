"""The variants of one sentence that an audit counts on: the rules' first edits, behind stricter gates than their own.

A rule is for people who look at what it made. An audit counts: an opposite must be one, and a variant of the same
meaning must say the same, so whatever may be read in another way is left out here and counted under a code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from litotes.building.base import Candidate, Subject, load_builder
from litotes.building.heros import target_place
from litotes.building.neutral_frames import is_loose
from litotes.building.pipeline.generate import first_edits
from litotes.building.pipeline.text_quality import is_grammatical
from litotes.corpora.base import Record
from litotes.languages.en.lexicon.antonyms import is_contradictory
from litotes.languages.en.negation import count_negations
from litotes.languages.en.syntax.question_tags import tag_of
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Edits, Sentence, Skip
from litotes.rewrites.en.antonym import Candidate as Antonym
from litotes.rewrites.en.antonym import candidates
from litotes.rewrites.en.words.negated_meaning import keeps_meaning
from litotes.rewrites.patches import patched
from litotes.rewrites.registry import load_rewrite

Relation: TypeAlias = Literal["opposite", "same", "different", "noise"]
"""What a variant is to its sentence; `noise` is the same with a slip of the pen."""

RELATIONS: Mapping[str, Relation] = {
    "negation": "opposite",
    "antonym": "opposite",
    "synonym": "same",
    "negated_antonym": "same",
    "passive": "same",
    "contraction": "same",
    "argument_swap": "different",
    "typo": "noise",
}
"""The rewrites of an audit, in the order in which they are shown."""

_GATES = {
    "question": "it asks: a negated question asks the same",
    "partial": "it speaks of some, of what may be, or of more than one thing: its negation would not deny it",
    "weak": "what could be changed does not say surely the same, or surely the opposite, here",
    "negated": "it is negated: what is not good need not be bad",
    "not-a-clause": "it is not one whole clause that says something",
}
"""Codes that the gates give, beside those of the rules."""


_PARTIAL = re.compile(
    r"\b(?:some|many|several|most|few|little|a lot|lots|sometimes|occasionally|often|usually|maybe|perhaps|probably"
    r"|possibly|likely|might|may|could be|could (?:rain|snow|happen)|or|only|just|until|unless|too|either|as if"
    r"|any more|better than to|almost|(?:do|does|did) with|because|let us|don't mention)\b",
    re.IGNORECASE,
)
"""Words of which a “not” beside them makes something else than the denial of the whole."""
_LOOSE = frozenset(
    """stand sit pick put hope fear come go stay bring take give ask answer lend borrow teach learn free first last
    same different other delay hasten buy sell break repair contain lack create destroy deep shallow add remove
    arrest release kill save hero villain busy quiet quick partly completely sick melt freeze yell whisper end
    appreciate resent lead follow unexcited incurious alright apart together foul
    downtown uptown favorite favourite""".split()
)
"""Words whose opposites are opposite in some places only."""
_MEASURES = frozenset("enough too little more most better best".split())
"""“Large enough to carry five” and “like it better” have no opposite in one word."""
_FREQUENCY = frozenset("always never often rarely seldom usually".split())
_NT = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt\b|\w ['’]t\b|\bain['’]t\b|\bne'er\b",
    re.IGNORECASE,
)
"""Negations that are written without care, or taken apart."""
_CRY = re.compile(r"^\W*(?:how|what|why)\b|\"\"|\.\.|…", re.IGNORECASE)
"""“How right you are!”, a quotation in a quotation, or what breaks off."""
_SHORT_COMMAND = 3
_NOT_SURE = frozenset(
    """eastern western northern southern east west north south upper lower inner outer left front back male female fast
    slow local national great awful wonderful terrible dreadful horrible excellent poor fine foul fair glad anxious
    slippery sober favorite favourite bisexual heterosexual""".split()
)
"""What is not in the east need not be in the west; and what is not wonderful is far from dreadful."""
_SURE_VERBS = frozenset(
    """agree disagree approve disapprove trust distrust mistrust obey disobey remember forget notice overlook attend
    miss succeed fail accept reject refuse admit deny include exclude believe disbelieve""".split()
)
_TWO_SIDED = frozenset("good bad easy hard difficult true false right wrong safe dangerous enough".split())
"""What is not the one is taken for the other in common speech."""
_DEGREE = re.compile(
    r"\b(?:very|so|really|absolutely|totally|completely|quite|too|extremely|pretty|rather|fairly|incredibly|truly"
    r"|super|perfectly|a little|a bit|that|most|more|less|best|worst|enough to|all|every)\b"
    r"(?! (?:is|are|was|were|i|you|he|she|it|we|they)\b)",
    re.IGNORECASE,
)
"""“Very good” is more than “not very bad”."""
_SYNONYMS = 4
_SAME_EVERYWHERE = "says the same wherever it fits"
_BROKEN = re.compile(r"s's\b")
_TORN = re.compile(r"(?:day|month|year|week) (?:was|were|is|are|has|have|had|will|would) ")
"""“A letter Friday was issued”: when it happened was taken for a part of what it happened to."""
_BY_ME = re.compile(r"\bby (?:me|you|us|one)\b")
_ATTACHED = re.compile(r"\b(?:suppl|provid|present|fill|equip)\w* .*\bwith\b|\bprefer\w* .*\bto\b|\b(?:shut|open)\.?$")
"""“supplied the town with water”, “pushed the door shut”: it may be read as a town with water, a door shut."""
_ADDRESSED = re.compile(r"\blet us\b|\bbetter\b", re.IGNORECASE)
_MUTUAL = frozenset("see speak talk bereave".split())
"""Who is seen sees, more often than not."""


class Variant(NamedTuple):
    """What one rule made of a sentence, or why it made nothing."""

    text: str | None
    codes: tuple[str, ...] = ()


_Made: TypeAlias = str | list[str]
"""The variant, or the codes of the reasons why there is none."""


def variants_of(sentence: Sentence, seed: int) -> Iterator[tuple[str, Variant]]:
    """Rule by rule, in the order of an audit."""
    for rule in RELATIONS:
        made = _MAKERS[rule](sentence, seed)
        if isinstance(made, str):
            yield rule, Variant(made)
        else:
            yield rule, Variant(None, tuple(dict.fromkeys(made)) or ("weak",))


def reasons(rule: str) -> Mapping[str, str]:
    """Code → what it means, of a rule and its gates."""
    own = load_builder("semantoneg").skips if rule == "negated_antonym" else load_rewrite(rule).skips
    return {**load_rewrite(rule).skips, **own, **_GATES}


def _first(rule: str, sentence: Sentence, **options: Any) -> _Made:
    found = first_edits(rule, sentence, 1, **options)
    return found[0].text if found else _codes(found)


def _codes(edits: Edits) -> list[str]:
    return [skip.code for skip in edits.skips]


def _negation(sentence: Sentence, _: int) -> _Made:
    if "?" in sentence.text:
        return ["question"]
    if not _is_statement(sentence):
        return ["not-a-clause"]
    if _PARTIAL.search(sentence.text) or _joins_clauses(sentence):
        return ["partial"]
    made = _first("negation", sentence)
    before = _negations(sentence.text)
    if isinstance(made, str) and before and _negations(made) >= before:
        return ["negated"]  # “to let, not to be sold”: two denials may say anything
    return made


def _negations(text: str) -> int:
    """How many count_negations a text holds, those without their apostrophe too."""
    return count_negations(text) + len(_NT.findall(text))


@cached_on_doc
def _is_statement(sentence: Sentence) -> bool:
    """Whether it is one whole clause of known words that says something, or bids somebody do it."""
    return len(sentence) > _SHORT_COMMAND and not _CRY.search(sentence.text) and is_grammatical(sentence)


def _joins_clauses(sentence: Sentence) -> bool:
    """Whether the main verb has others beside it, of which a denial may deny the first or all."""
    return any(
        child.dep_ in {"conj", "parataxis"} and child.pos_ in {"VERB", "AUX"}
        for root in sentence.roots
        for child in root.children
    )


def _antonym(sentence: Sentence, _: int) -> _Made:
    if "?" in sentence.text:
        return ["question"]
    if not _is_statement(sentence):
        return ["not-a-clause"]
    if _joins_clauses(sentence):
        return ["partial"]
    if _negations(sentence.text):
        return ["negated"]
    codes: list[str] = []
    for found in candidates(sentence):
        if isinstance(found, Skip):
            codes.append(found.code)
        elif not found.sure:
            break
        elif _is_opposite(found):
            return patched(sentence.text, found.patches)
        else:
            codes.append("weak")
    return codes


def _is_opposite(found: Antonym) -> bool:
    """Whether the sentence with the other word says the opposite, not only something of something else."""
    token, pos, lemma = found.content.token, found.content.pos, found.content.lemma
    if is_loose(lemma, found.opposite.word) or {lemma, found.opposite.word} & _LOOSE:
        return False
    if any(child.lower_ in _MEASURES for child in token.children):
        return False
    if pos == "r":
        is_manner = token.i > token.head.i or lemma in _FREQUENCY
        return token.dep_ == "advmod" and token.head.dep_ == "ROOT" and is_manner
    if pos == "n":
        return keeps_meaning(found)
    place = target_place(token, pos)
    if place is None or place.predicate.dep_ not in {"ROOT", "ccomp"}:
        return False
    if pos == "v":
        return not any(child.dep_ == "prt" for child in token.children)
    return keeps_meaning(found) or (token.tag_ in {"JJR", "JJS"} and token.dep_ in {"acomp", "attr"})


def _negated_antonym(sentence: Sentence, _: int) -> _Made:
    codes: list[str] = []
    subject = Subject(Record("", sentence.text), sentence)
    for found in load_builder("semantoneg").apply(subject, pos="all", negation="any"):
        if isinstance(found, Skip):
            codes.append(found.code)
        elif _says_the_same(sentence, found):
            return found.sentences["both"]
        else:
            codes.append("weak")
    return codes


def _says_the_same(sentence: Sentence, found: Candidate) -> bool:
    """Whether the denial of the opposite says what the sentence says: no matter of degree lies between."""
    word, opposite, part = found.tags["word"], found.tags["antonym"], found.tags["pos"]
    if part == "adverb" or (part == "verb" and word not in _SURE_VERBS) or {word, opposite} & _NOT_SURE:
        return False
    if _DEGREE.search(sentence.text):
        return False
    # “It is fat” says that it is not thin; but what is not thin need not be fat.
    is_added = count_negations(found.sentences["both"]) > count_negations(sentence.text)
    return is_added or found.tags["affixal"] == "yes" or is_contradictory(word, opposite) or word in _TWO_SIDED


def _synonym(sentence: Sentence, _: int) -> _Made:
    found = first_edits("synonym", sentence, _SYNONYMS)
    for edit in found:
        if edit.reason.endswith(_SAME_EVERYWHERE) and not _BROKEN.search(edit.text):
            return edit.text
    return ["weak"] if found else _codes(found)


def _passive(sentence: Sentence, _: int) -> _Made:
    if len(sentence.spans) != 1 or tag_of(sentence.doc) is not None:
        return ["partial"]
    made = _first("passive", sentence)
    if isinstance(made, str) and (_BY_ME.search(made) or _ATTACHED.search(sentence.text) or _TORN.search(made)):
        return ["weak"]
    return made


def _contraction(sentence: Sentence, _: int) -> _Made:
    return _first("contraction", sentence)


def _argument_swap(sentence: Sentence, _: int) -> _Made:
    if len(sentence.spans) != 1 or _ADDRESSED.search(sentence.text):
        return ["partial"]
    if any(token.lemma_ in _MUTUAL and token.pos_ == "VERB" for token in sentence.doc):
        return ["symmetric"]
    return _first("argument_swap", sentence)


def _typo(sentence: Sentence, seed: int) -> _Made:
    return _first("typo", sentence, seed=seed)


_MAKERS: Mapping[str, Callable[[Sentence, int], _Made]] = {
    "negation": _negation,
    "antonym": _antonym,
    "synonym": _synonym,
    "negated_antonym": _negated_antonym,
    "passive": _passive,
    "contraction": _contraction,
    "argument_swap": _argument_swap,
    "typo": _typo,
}
