"""The variants of a sentence for audits: the first edits of the rewrites, with stricter gates.

Edits of a rewrite can be reviewed, but an audit computes statistics, so opposites and paraphrases must be certain.
Everything ambiguous is left out and counted under a skip code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from litotes.building.base import Candidate, Subject, load_builder
from litotes.building.negation_sites import negation_site
from litotes.building.neutral_frames import is_loose
from litotes.building.pipeline.generate import first_edits
from litotes.building.pipeline.text_quality import is_grammatical
from litotes.corpora.base import Record
from litotes.languages.en.lexicon.antonyms import is_contradictory
from litotes.languages.en.modifiers import FREQUENCY_ADVERBS
from litotes.languages.en.negation import count_negations
from litotes.languages.en.syntax.question_tags import question_tag_of
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Edits, Sentence, Skip
from litotes.rewrites.en.antonym import AntonymCandidate, find_antonyms
from litotes.rewrites.en.negated_antonym import keeps_meaning
from litotes.rewrites.patches import patched
from litotes.rewrites.registry import load_rewrite

Relation: TypeAlias = Literal["opposite", "same", "different", "noise"]
"""Relation of a variant to its sentence; `noise` is the same meaning with a typo."""

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
"""The rewrites of an audit in display order, with the relation of their edits."""

_GATES = {
    "question": "it is a question; a negated question asks the same",
    "partial": "it has a quantifier, possibility or several clauses, so that its negation would not contradict it",
    "weak": "the changed sentence is not certain to have the same or the opposite meaning",
    "negated": "it is negated, and “not good” does not imply “bad”",
    "not-a-clause": "it is not one complete statement",
}
"""Skip codes of the gates, in addition to those of the rewrites."""


_PARTIAL = re.compile(
    r"\b(?:some|many|several|most|few|little|a lot|lots|sometimes|occasionally|often|usually|maybe|perhaps|probably"
    r"|possibly|likely|might|may|could be|could (?:rain|snow|happen)|or|only|just|until|unless|too|either|as if"
    r"|any more|better than to|almost|(?:do|does|did) with|because|let us|don't mention)\b",
    re.IGNORECASE,
)
"""Words next to which “not” does not negate the whole sentence."""
_CONTEXT_DEPENDENT = frozenset(
    """stand sit pick put hope fear come go stay bring take give ask answer lend borrow teach learn free first last
    same different other delay hasten buy sell break repair contain lack create destroy deep shallow add remove
    arrest release kill save hero villain busy quiet quick partly completely sick melt freeze yell whisper end
    appreciate resent lead follow unexcited incurious alright apart together foul
    downtown uptown favorite favourite""".split()
)
"""Words whose opposites are opposites only in some contexts."""
_DEGREE_WORDS = frozenset("enough too little more most better best".split())
"""With them an opposite word is not enough: “large enough to carry five”, “like it better”."""
_UNUSUAL_NT = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt\b|\w ['’]t\b|\bain['’]t\b|\bne'er\b",
    re.IGNORECASE,
)
"""Misspelt or separated negations."""
_EXCLAMATION = re.compile(r"^\W*(?:how|what|why)\b|\"\"|\.\.|…", re.IGNORECASE)
"""“How right you are!”, nested quotations, and unfinished sentences."""
_SHORT_COMMAND = 3
_NOT_COMPLEMENTARY = frozenset(
    """eastern western northern southern east west north south upper lower inner outer left front back male female fast
    slow local national great awful wonderful terrible dreadful horrible excellent poor fine foul fair glad anxious
    slippery sober favorite favourite bisexual heterosexual""".split()
)
"""Words whose negation does not imply the opposite: a town outside the east need not be in the west."""
_COMPLEMENTARY_VERBS = frozenset(
    """agree disagree approve disapprove trust distrust mistrust obey disobey remember forget notice overlook attend
    miss succeed fail accept reject refuse admit deny include exclude believe disbelieve""".split()
)
_TREATED_AS_COMPLEMENTARY = frozenset(
    "good bad easy hard difficult true false right wrong safe dangerous enough".split()
)
"""In common usage the negation of one implies the other."""
_DEGREE_MODIFIER = re.compile(
    r"\b(?:very|so|really|absolutely|totally|completely|quite|too|extremely|pretty|rather|fairly|incredibly|truly"
    r"|super|perfectly|a little|a bit|that|most|more|less|best|worst|enough to|all|every)\b"
    r"(?! (?:is|are|was|were|i|you|he|she|it|we|they)\b)",
    re.IGNORECASE,
)
"""“Very good” is more than “not very bad”."""
_MAX_SYNONYMS = 4
_GOOD_REASON = "says the same wherever it fits"
_DOUBLE_POSSESSIVE = re.compile(r"s's\b")
_MISPLACED_TIME = re.compile(r"(?:day|month|year|week) (?:was|were|is|are|has|have|had|will|would) ")
"""“A letter Friday was issued”: the time was taken for a part of the object."""
_BY_SPEAKER = re.compile(r"\bby (?:me|you|us|one)\b")
_AMBIGUOUS_ATTACHMENT = re.compile(
    r"\b(?:suppl|provid|present|fill|equip)\w* .*\bwith\b|\bprefer\w* .*\bto\b|\b(?:shut|open)\.?$"
)
"""“supplied the town with water”, “pushed the door shut”: the end may be read as a part of the object."""
_ADDRESSED = re.compile(r"\blet us\b|\bbetter\b", re.IGNORECASE)
_NEARLY_SYMMETRIC = frozenset("see speak talk bereave".split())
"""Verbs whose arguments usually can be swapped: who is seen often sees, too."""


class Variant(NamedTuple):
    """The text from a rewrite, or the codes of the reasons why there is none."""

    text: str | None
    codes: tuple[str, ...] = ()


_TextOrCodes: TypeAlias = str | list[str]
"""The text of a variant, or the skip codes."""


def variants_of(sentence: Sentence, seed: int) -> Iterator[tuple[str, Variant]]:
    """Yield the variant of each rewrite in display order."""
    for rule in RELATIONS:
        variant = _VARIANT_FUNCTIONS[rule](sentence, seed)
        if isinstance(variant, str):
            yield rule, Variant(variant)
        else:
            yield rule, Variant(None, tuple(dict.fromkeys(variant)) or ("weak",))


def reasons(rule: str) -> Mapping[str, str]:
    """Return the explanations of the skip codes of a rewrite and its gates."""
    own = load_builder("semantoneg").skips if rule == "negated_antonym" else load_rewrite(rule).skips
    return {**load_rewrite(rule).skips, **own, **_GATES}


def _first(rule: str, sentence: Sentence, **options: Any) -> _TextOrCodes:
    edits = first_edits(rule, sentence, 1, **options)
    return edits[0].text if edits else _codes(edits)


def _codes(edits: Edits) -> list[str]:
    return [skip.code for skip in edits.skips]


def _negation(sentence: Sentence, _: int) -> _TextOrCodes:
    if "?" in sentence.text:
        return ["question"]
    if not _is_statement(sentence):
        return ["not-a-clause"]
    if _PARTIAL.search(sentence.text) or _joins_clauses(sentence):
        return ["partial"]
    variant = _first("negation", sentence)
    before = _count_negations(sentence.text)
    if isinstance(variant, str) and before and _count_negations(variant) >= before:
        return ["negated"]  # the meaning of two negations is unclear: “to let, not to be sold”
    return variant


def _count_negations(text: str) -> int:
    """Return the number of negations, including misspelt ones."""
    return count_negations(text) + len(_UNUSUAL_NT.findall(text))


@cached_on_doc
def _is_statement(sentence: Sentence) -> bool:
    """Return whether a sentence is one complete statement or request of known words."""
    return len(sentence) > _SHORT_COMMAND and not _EXCLAMATION.search(sentence.text) and is_grammatical(sentence)


def _joins_clauses(sentence: Sentence) -> bool:
    """Return whether the main verb is coordinated with others, so that the scope of a negation is unclear."""
    return any(
        child.dep_ in {"conj", "parataxis"} and child.pos_ in {"VERB", "AUX"}
        for root in sentence.roots
        for child in root.children
    )


def _antonym(sentence: Sentence, _: int) -> _TextOrCodes:
    if "?" in sentence.text:
        return ["question"]
    if not _is_statement(sentence):
        return ["not-a-clause"]
    if _joins_clauses(sentence):
        return ["partial"]
    if _count_negations(sentence.text):
        return ["negated"]
    codes: list[str] = []
    for antonym in find_antonyms(sentence):
        if isinstance(antonym, Skip):
            codes.append(antonym.code)
        elif not antonym.is_sure:
            break
        elif _is_opposite(antonym):
            return patched(sentence.text, antonym.patches)
        else:
            codes.append("weak")
    return codes


def _is_opposite(antonym: AntonymCandidate) -> bool:
    """Return whether replacing the word certainly gives the sentence the opposite meaning."""
    token, pos, lemma = antonym.target.token, antonym.target.pos, antonym.target.lemma
    if is_loose(lemma, antonym.opposite.word) or {lemma, antonym.opposite.word} & _CONTEXT_DEPENDENT:
        return False
    if any(child.lower_ in _DEGREE_WORDS for child in token.children):
        return False
    if pos == "r":
        is_manner = token.i > token.head.i or lemma in FREQUENCY_ADVERBS
        return token.dep_ == "advmod" and token.head.dep_ == "ROOT" and is_manner
    if pos == "n":
        return keeps_meaning(antonym)
    site = negation_site(token, pos)
    if site is None or site.predicate.dep_ not in {"ROOT", "ccomp"}:
        return False
    if pos == "v":
        return not any(child.dep_ == "prt" for child in token.children)
    return keeps_meaning(antonym) or (token.tag_ in {"JJR", "JJS"} and token.dep_ in {"acomp", "attr"})


def _negated_antonym(sentence: Sentence, _: int) -> _TextOrCodes:
    codes: list[str] = []
    subject = Subject(Record("", sentence.text), sentence)
    for output in load_builder("semantoneg").apply(subject, pos="all", negation="any"):
        if isinstance(output, Skip):
            codes.append(output.code)
        elif _is_paraphrase(sentence, output):
            return output.sentences["both"]
        else:
            codes.append("weak")
    return codes


def _is_paraphrase(sentence: Sentence, candidate: Candidate) -> bool:
    """Return whether the negated opposite has the meaning of the sentence, without a middle ground."""
    word, opposite, pos = candidate.tags["word"], candidate.tags["antonym"], candidate.tags["pos"]
    if pos == "adverb" or (pos == "verb" and word not in _COMPLEMENTARY_VERBS) or {word, opposite} & _NOT_COMPLEMENTARY:
        return False
    if _DEGREE_MODIFIER.search(sentence.text):
        return False
    # “It is fat” implies that it is not thin, but what is not thin need not be fat.
    is_added = count_negations(candidate.sentences["both"]) > count_negations(sentence.text)
    return (
        is_added
        or candidate.tags["affixal"] == "yes"
        or is_contradictory(word, opposite)
        or word in _TREATED_AS_COMPLEMENTARY
    )


def _synonym(sentence: Sentence, _: int) -> _TextOrCodes:
    edits = first_edits("synonym", sentence, _MAX_SYNONYMS)
    for edit in edits:
        if edit.reason.endswith(_GOOD_REASON) and not _DOUBLE_POSSESSIVE.search(edit.text):
            return edit.text
    return ["weak"] if edits else _codes(edits)


def _passive(sentence: Sentence, _: int) -> _TextOrCodes:
    if len(sentence.spans) != 1 or question_tag_of(sentence.doc) is not None:
        return ["partial"]
    variant = _first("passive", sentence)
    is_ambiguous = _AMBIGUOUS_ATTACHMENT.search(sentence.text)
    if isinstance(variant, str) and (is_ambiguous or _BY_SPEAKER.search(variant) or _MISPLACED_TIME.search(variant)):
        return ["weak"]
    return variant


def _contraction(sentence: Sentence, _: int) -> _TextOrCodes:
    return _first("contraction", sentence)


def _argument_swap(sentence: Sentence, _: int) -> _TextOrCodes:
    if len(sentence.spans) != 1 or _ADDRESSED.search(sentence.text):
        return ["partial"]
    if any(token.lemma_ in _NEARLY_SYMMETRIC and token.pos_ == "VERB" for token in sentence.doc):
        return ["symmetric"]
    return _first("argument_swap", sentence)


def _typo(sentence: Sentence, seed: int) -> _TextOrCodes:
    return _first("typo", sentence, seed=seed)


_VARIANT_FUNCTIONS: Mapping[str, Callable[[Sentence, int], _TextOrCodes]] = {
    "negation": _negation,
    "antonym": _antonym,
    "synonym": _synonym,
    "negated_antonym": _negated_antonym,
    "passive": _passive,
    "contraction": _contraction,
    "argument_swap": _argument_swap,
    "typo": _typo,
}
