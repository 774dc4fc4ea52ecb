"""The candidates of each of the five sets of triplets for a parsed sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from litotes.building.base import Candidate
from litotes.building.pipeline.generate import first_edit, first_edits
from litotes.languages.en.negation import NOT_TOKENS, count_negations, is_negated
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.languages.en.verbs import ASSERTIVE_VERBS
from litotes.rewrites.base import Sentence
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle
from litotes.rewrites.en.polarity.toggle import Toggle, toggle_word
from litotes.rewrites.en.synonym import is_weak
from litotes.rewrites.patches import patched
from litotes.suites.lexical_overlap import common_prefix

if TYPE_CHECKING:
    from litotes.languages.tree import Token

TripletSet: TypeAlias = Literal[
    "negation-detection", "negation-variants", "clause-relatedness", "argument-sensitivity", "fixed-point-reorder"
]
AgentChoice: TypeAlias = Literal["keep", "drop"]
SynonymChoice: TypeAlias = Literal["main", "verb", "all"]
_ROLES: dict[TripletSet, tuple[str, str]] = {
    "negation-detection": ("synonym", "negated"),
    "negation-variants": ("negated", "quantifier_negated"),
    "clause-relatedness": ("clause", "negated"),
    "argument-sensitivity": ("passive", "swapped"),
    "fixed-point-reorder": ("paraphrase", "inverted"),
}
_CHANGED: dict[TripletSet, tuple[str, ...]] = {
    "negation-detection": ("synonym",),
    "negation-variants": ("quantifier_negated",),
    "clause-relatedness": ("negated",),
    "argument-sensitivity": ("passive", "swapped"),
    "fixed-point-reorder": ("paraphrase",),
}
"""Roles whose naturalness is scored; inverted sentences need not be natural."""


def triplet(name: TripletSet, original: str, second: str, third: str, group: str = "", **tags: str) -> Candidate:
    """Return a candidate of a set."""
    second_role, third_role = _ROLES[name]
    return Candidate(name, {"original": original, second_role: second, third_role: third}, group, tags, _CHANGED[name])


# Negation detection

_OTHER_REPORTING_VERBS = frozenset(
    "ask reply respond answer call want order urge tell inform remind warn hope expect plan".split()
)
"""Like assertive verbs, they govern clauses, and their synonyms seldom take the same complements."""
_POLYSEMOUS_VERBS = frozenset("include shrink remove decline have come end start affect remain".split())
"""Verbs whose synonyms fit only some of their subjects and objects."""
_ODD_WITH_NOT = re.compile(r"\b(?:also|too|as (?:did|does|do|is|was)|so (?:did|does|do))\b", re.IGNORECASE)
"""Instead of “He also did not” one says “nor did he”; “as did she” depends on the polarity of the sentence."""
_GOOD_REASONS = ("says the same wherever it fits", "says nearly the same here")
"""Reasons of the two best grades of synonyms."""
_MAX_SYNONYMS = 6


def negation_detection(sentence: Sentence, synonym: SynonymChoice, style: ContractionStyle) -> Iterator[Candidate]:
    """Yield triplets with a synonym of the verb and the negation; the verb is the group."""
    negated = None if _ODD_WITH_NOT.search(sentence.text) else first_edit("negation", sentence, contractions=style)
    if negated is None:
        return
    main = sentence.roots[0]
    negated_token = _changed_token(sentence, negated)
    # The negation must not be in another clause.
    if synonym == "main" and (negated_token is None or negated_token.i > main.i):
        return
    if synonym == "main" and (
        not _is_finite_verb(main) or main.lemma_ in ASSERTIVE_VERBS | _OTHER_REPORTING_VERBS | _POLYSEMOUS_VERBS
    ):
        return
    for edit in first_edits("synonym", sentence, _MAX_SYNONYMS, pos="all" if synonym == "all" else "verb"):
        replaced = _changed_token(sentence, edit.text)
        if is_weak(edit.reason) or replaced is None or (synonym == "main" and not edit.reason.endswith(_GOOD_REASONS)):
            continue
        is_main = replaced.i == main.i or (replaced.head.i == main.i and replaced.dep_ == "prt")
        if synonym == "main" and not is_main:
            continue
        word = " ".join(change.old for change in edit.words)
        yield triplet(
            "negation-detection", sentence.text, edit.text, negated, _lemma(main if is_main else replaced), word=word
        )


def _is_finite_verb(verb: Token) -> bool:
    return verb.pos_ == "VERB" and verb_group(verb).is_finite


def _changed_token(sentence: Sentence, after: str) -> Token | None:
    """Return the first word that an edit changes, or the word before an insertion."""
    same = common_prefix(sentence.text, after)
    return next((token for token in sentence.doc if token.idx <= same <= token.idx + len(token)), None)


def _lemma(verb: Token) -> str:
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), "")
    return f"{verb.lemma_.lower()} {particle}".rstrip()


# Negation variants

_TWO_CLAUSES = frozenset({"conj", "advcl", "ccomp", "parataxis"})
_EXCLUDED_WITH_NO = re.compile(
    r"\b(?:some|someone|something|somebody|somewhere|already|several|only|but|too)\b|^An? (?:number|lot|few|bit)\b",
    re.IGNORECASE,
)
"""Words that do not fit “There is no …”, or give the two negations different meanings."""


def negation_variants(sentence: Sentence, quantifier: str, style: ContractionStyle) -> Iterator[Candidate]:
    """Yield triplets with “A … is not …” and “There is no …”.

    The sentence must have one clause: of two, one form negates only the first, the other both.
    """
    text = sentence.text
    if (
        (quantifier == "a" and not text.startswith(("A ", "An ")))
        or _EXCLUDED_WITH_NO.search(text)
        or is_negated(text, "more")
    ):
        return
    root = sentence.roots[0]
    group = verb_group(root)
    if any(child.dep_ in _TWO_CLAUSES and _is_finite_verb(child) for child in root.children) or _is_coordinated(
        group.subject
    ):
        return
    there_is_no = first_edit("quantifier_negation", sentence)
    negated = first_edit("negation", sentence, contractions=style)
    if (
        there_is_no is not None
        and negated is not None
        and _has_tense(there_is_no, group.is_past)
        and count_negations(negated) == 1
    ):
        yield triplet("negation-variants", text, negated, there_is_no)


def _has_tense(there_is_no: str, is_past: bool) -> bool:
    return there_is_no.startswith(("There was", "There were") if is_past else ("There is ", "There are "))


def _is_coordinated(noun: Token | None) -> bool:
    return noun is None or any(child.dep_ in {"cc", "conj"} for child in noun.children)


# Clause relatedness

_UNSUITABLE = re.compile(
    r"\b(?:and|but|or) that\b|^\W*(?:both|only)\b|\b(?:also|as well|still|yet|any longer|anymore|until|either)\b",
    re.IGNORECASE,
)
"""A second clause with “that” may be separated from its verb; “still” and others do not fit both polarities."""
_MIN_WORDS = 3
_QUOTE_ENDS = re.compile(r"[,.!]?[\"”]")


def clause_relatedness(sentence: Sentence, style: ContractionStyle) -> Iterator[Candidate]:
    """Yield triplets with the reported clause, and the sentence negated at its first verb."""
    if _UNSUITABLE.search(sentence.text):
        return
    clause = first_edit("embedded_clause", sentence)
    if clause is None or len(clause.split()) < _MIN_WORDS or not _is_complete_clause(clause, sentence.text):
        return
    negated = _first_verb_negated(sentence, style)
    if negated is not None:
        form = "quotation" if _has_quotes(sentence.text) else "reported"
        yield triplet("clause-relatedness", sentence.text, clause, negated, form=form)


def _has_quotes(text: str) -> bool:
    return '"' in text or "“" in text


def _is_complete_clause(clause: str, text: str) -> bool:
    """Return whether a clause is literally in a text and, if the text begins with a quotation, is all of it."""
    bare = clause.strip('"“”.!, ')
    start = text.lower().find(bare.lower())
    if start < 0 or ".." in clause or clause.startswith("That "):
        return False
    return text[0] not in '"“' or _QUOTE_ENDS.match(text, start + len(bare)) is not None


def _first_verb_negated(sentence: Sentence, style: ContractionStyle) -> str | None:
    """Return the sentence with its negation removed, or negated at the first finite main or reported verb."""
    heads = _main_and_reported_verbs(sentence.roots[0])
    negated_heads = [
        head for head in heads if any(child.lower_ in NOT_TOKENS and child.dep_ == "neg" for child in head.children)
    ]
    if count_negations(sentence.text) != len(negated_heads) or len(negated_heads) > 1:
        return None
    finite = [head for head in heads if verb_group(head).is_finite]
    if len(finite) == 1 and _has_quotes(sentence.text):  # the quotation has no verb, or is parenthetical
        return None
    target = negated_heads[0] if negated_heads else None
    target = target or min(finite, key=lambda head: verb_group(head).first.i, default=None)
    if target is None or not _follows_subject(target):
        return None
    # In “It will not sink and will be lost” the second verb would not change.
    if not any(child.dep_ == "conj" and verb_group(child).is_finite for child in target.children):
        for toggle in toggle_word(sentence, target, contractions=style):
            if isinstance(toggle, Toggle) and not toggle.is_local:
                return patched(sentence.text, toggle.patches)
    return None


def _follows_subject(verb: Token) -> bool:
    """Return whether the subject precedes the verb without a single comma between them: not “The point, said Al”."""
    group = verb_group(verb)
    if group.subject is None or group.is_inverted:
        return False
    return sum(token.text == "," for token in verb.doc[group.subject.i : group.first.i]) != 1


def _main_and_reported_verbs(root: Token) -> list[Token]:
    """Return the main verb and those of reported clauses."""
    verbs = [root]
    for verb in verbs:  # grows while it is visited
        verbs += [child for child in verb.children if child.dep_ == "ccomp" and is_verb(child)]
    return verbs


# Argument sensitivity

_MAX_PASSIVES = 4
_MAX_SWAPS = 3
_WORD = re.compile(r"[\w'’-]+")
_DISTANT_BY = re.compile(r"\bto [a-z]+\b.* by\b")
_POSSESSION = re.compile(
    r"\bwith (?:an?|the|his|her|their)\b|\bin (?:an?|the) [\w ]*(?:uniform|dress|shirt|costume|suit|coat|jacket|hat)\b",
    re.IGNORECASE,
)
"""What somebody has or wears; after a swap it may refer to the wrong person."""
_SPEAKING_VERBS = frozenset("talk speak sing listen look wave".split())
_OBJECT_CONTROL_VERBS = frozenset("order have want see hear watch get".split())
"""Verbs whose object is the subject of another verb: “ordered the boy held”."""
_BY_SPEAKER = re.compile(r"\bby (?:me|you|us)\b")


def argument_sensitivity(sentence: Sentence, by: AgentChoice = "keep") -> Iterator[Candidate]:
    """Yield triplets with the passive, and the same clause with its two arguments swapped.

    `by` says whether the passive has a by-phrase with the agent.
    """
    text = sentence.text
    heads = [token for token in sentence.doc if is_verb(token)]
    if _POSSESSION.search(text) and not any(verb.lemma_ in _SPEAKING_VERBS for verb in heads):
        return
    if any(verb.lemma_ in _OBJECT_CONTROL_VERBS and _governs_participle(verb) for verb in heads):
        return
    passives = None
    for swap in first_edits("argument_swap", sentence, _MAX_SWAPS):
        passives = passives or first_edits("passive", sentence, _MAX_PASSIVES, by=by)
        for passive in passives:
            if _same_clause(text, passive.text, swap.text):
                yield triplet("argument-sensitivity", text, passive.text, swap.text)
                break


def _governs_participle(verb: Token) -> bool:
    """Return whether a verb governs an object with a participle: “ordered the boys held”."""
    following = [token for child in verb.rights for token in child.subtree]
    return any(token.tag_ in {"VBN", "VBD"} and token.nbor(-1).pos_ in {"NOUN", "PROPN", "PRON"} for token in following)


def _same_clause(text: str, passive: str, swapped: str) -> bool:
    """Return whether the subject of the passive is that of the swapped sentence, and the agent follows soon."""
    original, passive_words, swapped_words = (_WORD.findall(sentence.lower()) for sentence in (text, passive, swapped))
    changes = (i for i, (old, new) in enumerate(zip(original, swapped_words, strict=False)) if old != new)
    start = next(changes, None)
    if start is None or original[:start] != passive_words[:start]:
        return False
    if passive_words[start : start + 1] != swapped_words[start : start + 1]:
        return False
    return not _DISTANT_BY.search(" ".join(passive_words[start:])) and not _BY_SPEAKER.search(passive)


# Fixed-point reorder

_FINAL_MARK = re.compile(r"[.!?…][\"'”’)]*$")


def fixed_point_reorder(sentence: Sentence, paraphrase: str) -> Candidate | None:
    """Return a triplet with a paraphrase and the sentence inverted around a pivot; the original is the group."""
    inverted = first_edit("inversion", sentence)
    if inverted is None:
        return None
    if not _FINAL_MARK.search(sentence.text):  # like the original
        inverted = inverted.removesuffix(".")
    return triplet("fixed-point-reorder", sentence.text, paraphrase, inverted, sentence.text)
