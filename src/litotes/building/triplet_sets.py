"""How each of the five sets of triplets is made of one parsed sentence."""

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
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.toggle import Toggle, toggle_word
from litotes.rewrites.en.synonym import is_weak
from litotes.rewrites.patches import patched

if TYPE_CHECKING:
    from litotes.languages.tree import Token

Set: TypeAlias = Literal[
    "negation-detection", "negation-variants", "clause-relatedness", "argument-sensitivity", "fixed-point-reorder"
]
Synonym: TypeAlias = Literal["main", "verb", "all"]
_ROLES: dict[Set, tuple[str, str]] = {
    "negation-detection": ("synonym", "negated"),
    "negation-variants": ("negated", "quantifier_negated"),
    "clause-relatedness": ("clause", "negated"),
    "argument-sensitivity": ("passive", "swapped"),
    "fixed-point-reorder": ("paraphrase", "inverted"),
}
_CHANGED: dict[Set, tuple[str, ...]] = {
    "negation-detection": ("synonym",),
    "negation-variants": ("quantifier_negated",),
    "clause-relatedness": ("negated",),
    "argument-sensitivity": ("passive", "swapped"),
    "fixed-point-reorder": ("paraphrase",),
}
"""Whose naturalness counts: what is inverted is not natural and need not be."""


def triplet(name: Set, original: str, second: str, third: str, group: str = "", **tags: str) -> Candidate:
    """A candidate of a set, its sentences under their roles."""
    one, other = _ROLES[name]
    return Candidate(name, {"original": original, one: second, other: third}, group, tags, _CHANGED[name])


# --- negation detection ---

_MORE_SAYING = frozenset(
    "ask reply respond answer call want order urge tell inform remind warn hope expect plan".split()
)
"""Beside the verbs that assert: what they govern is another clause, and their synonyms seldom take the same."""
_LOOSE = frozenset("include shrink remove decline have come end start affect remain".split())
"""Verbs whose synonyms fit only some of what they are said of."""
_ODD_UNDER_NOT = re.compile(r"\b(?:also|too|as (?:did|does|do|is|was)|so (?:did|does|do))\b", re.IGNORECASE)
"""“He also did not” should be “nor did he”, and “as did she” agrees with the sentence as it was."""
_CLOSE = ("says the same wherever it fits", "says nearly the same here")
"""What the rule says of its two best grades of synonyms."""
_SYNONYMS = 6
"""Edits looked at, the best first: most verbs have fewer."""


def detection(sentence: Sentence, synonym: Synonym, style: ContractionStyle) -> Iterator[Candidate]:
    """A synonym of the verb, and the negation; the verb is the group."""
    negated = None if _ODD_UNDER_NOT.search(sentence.text) else first_edit("negation", sentence, contractions=style)
    if negated is None:
        return
    main = sentence.roots[0]
    turned = _changed_token(sentence, negated)
    if synonym == "main" and (turned is None or turned.i > main.i):  # another clause was turned round
        return
    if synonym == "main" and (not _is_main(main) or main.lemma_ in ASSERTIVE_VERBS | _MORE_SAYING | _LOOSE):
        return
    for edit in first_edits("synonym", sentence, _SYNONYMS, pos="all" if synonym == "all" else "verb"):
        place = _changed_token(sentence, edit.text)
        if is_weak(edit.reason) or place is None or (synonym == "main" and not edit.reason.endswith(_CLOSE)):
            continue
        of_main = place.i == main.i or (place.head.i == main.i and place.dep_ == "prt")
        if synonym == "main" and not of_main:
            continue
        word = " ".join(change.old for change in edit.words)
        yield triplet(
            "negation-detection", sentence.text, edit.text, negated, _lemma(main if of_main else place), word=word
        )


def _is_main(verb: Token) -> bool:
    return verb.pos_ == "VERB" and verb_group(verb).is_finite


def _changed_token(sentence: Sentence, after: str) -> Token | None:
    """The first word that an edit changes: that in which the two texts part, or that after which one goes on."""
    before = sentence.text
    same = next(
        (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
        min(len(before), len(after)),
    )
    return next((token for token in sentence.doc if token.idx <= same <= token.idx + len(token)), None)


def _lemma(verb: Token) -> str:
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), "")
    return f"{verb.lemma_.lower()} {particle}".rstrip()


# --- negation variants ---

_TWO_CLAUSES = frozenset({"conj", "advcl", "ccomp", "parataxis"})
_NOT_UNDER_NO = re.compile(
    r"\b(?:some|someone|something|somebody|somewhere|already|several|only|but|too)\b|^An? (?:number|lot|few|bit)\b",
    re.IGNORECASE,
)
"""Words that “There is no …” would have to change, or after which the two count_negations part."""


def variants(sentence: Sentence, quantifier: str, style: ContractionStyle) -> Iterator[Candidate]:
    """“A … is not …” and “There is no …”, of one clause only: of two the one would deny both, the other the first."""
    text = sentence.text
    if (
        (quantifier == "a" and not text.startswith(("A ", "An ")))
        or _NOT_UNDER_NO.search(text)
        or is_negated(text, "more")
    ):
        return
    root = sentence.roots[0]
    group = verb_group(root)
    if any(child.dep_ in _TWO_CLAUSES and _is_main(child) for child in root.children) or _is_joined(group.subject):
        return
    there_is_no = first_edit("quantifier_negation", sentence)
    negated = first_edit("negation", sentence, contractions=style)
    if (
        there_is_no is not None
        and negated is not None
        and _in_one_tense(there_is_no, group.is_past)
        and count_negations(negated) == 1
    ):
        yield triplet("negation-variants", text, negated, there_is_no)


def _in_one_tense(there_is_no: str, is_past: bool) -> bool:
    return there_is_no.startswith(("There was", "There were") if is_past else ("There is ", "There are "))


def _is_joined(noun: Token | None) -> bool:
    return noun is None or any(child.dep_ in {"cc", "conj"} for child in noun.children)


# --- clause relatedness ---

_TORN = re.compile(
    r"\b(?:and|but|or) that\b|^\W*(?:both|only)\b|\b(?:also|as well|still|yet|any longer|anymore|until|either)\b",
    re.IGNORECASE,
)
"""A second clause with “that” may be torn from its verb; with “still” the sentence without its “not” means nothing."""
_FEWEST = 3
_QUOTE_ENDS = re.compile(r"[,.!]?[\"”]")


def clauses(sentence: Sentence, style: ContractionStyle) -> Iterator[Candidate]:
    """The clause that is said, and the sentence negated at its first verb."""
    if _TORN.search(sentence.text):
        return
    clause = first_edit("embedded_clause", sentence)
    if clause is None or len(clause.split()) < _FEWEST or not _is_whole(clause, sentence.text):
        return
    negated = _first_verb_negated(sentence, style)
    if negated is not None:
        form = "quotation" if _has_quotes(sentence.text) else "reported"
        yield triplet("clause-relatedness", sentence.text, clause, negated, form=form)


def _has_quotes(text: str) -> bool:
    return '"' in text or "“" in text


def _is_whole(clause: str, text: str) -> bool:
    """Whether the clause stands in the sentence word for word and, where this begins with a quotation, is all of it."""
    bare = clause.strip('"“”.!, ')
    start = text.lower().find(bare.lower())
    if start < 0 or ".." in clause or clause.startswith("That "):
        return False
    return text[0] not in '"“' or _QUOTE_ENDS.match(text, start + len(bare)) is not None


def _first_verb_negated(sentence: Sentence, style: ContractionStyle) -> str | None:
    """Without the negation that there is, else negated at the first finite verb; of what says and what is said only."""
    heads = _main_and_said(sentence.roots[0])
    denied = [
        head for head in heads if any(child.lower_ in NOT_TOKENS and child.dep_ == "neg" for child in head.children)
    ]
    if count_negations(sentence.text) != len(denied) or len(denied) > 1:
        return None
    finite = [head for head in heads if verb_group(head).is_finite]
    if len(finite) == 1 and _has_quotes(sentence.text):  # what is quoted has no verb of its own, or is an aside
        return None
    place = denied[0] if denied else min(finite, key=lambda head: verb_group(head).first.i, default=None)
    if place is None or not _follows_subject(place):
        return None
    # “It will not sink and will be lost”: the second verb would stay as it was.
    if not any(child.dep_ == "conj" and verb_group(child).is_finite for child in place.children):
        for toggle in toggle_word(sentence, place, contractions=style):
            if isinstance(toggle, Toggle) and not toggle.is_local:
                return patched(sentence.text, toggle.patches)
    return None


def _follows_subject(verb: Token) -> bool:
    """Whether the subject stands before the verb, with no comma between or a pair: “The point, said Al” is torn."""
    group = verb_group(verb)
    if group.subject is None or group.is_inverted:
        return False
    return sum(token.text == "," for token in verb.doc[group.subject.i : group.first.i]) != 1


def _main_and_said(root: Token) -> list[Token]:
    """The main verb and those of the clauses that are said, thought or quoted."""
    found = [root]
    for verb in found:
        found += [child for child in verb.children if child.dep_ == "ccomp" and is_verb(child)]
    return found


# --- argument sensitivity ---

_PASSIVES = 4
_SWAPS = 3
_WORD = re.compile(r"[\w'’-]+")
_FAR_BY = re.compile(r"\bto [a-z]+\b.* by\b")
_OF_WHOM = re.compile(
    r"\bwith (?:an?|the|his|her|their)\b|\bin (?:an?|the) [\w ]*(?:uniform|dress|shirt|costume|suit|coat|jacket|hat)\b",
    re.IGNORECASE,
)
"""What the one or the other has or wears: moved, it may come to be said of the wrong one."""
_TALKED = frozenset("talk speak sing listen look wave".split())
_ORDERED = frozenset("order have want see hear watch get".split())
"""Verbs with an object that does or is done something: “ordered the boy held”."""
_BY_ME = re.compile(r"\bby (?:me|you|us)\b")


def arguments(sentence: Sentence) -> Iterator[Candidate]:
    """The passive, and the same clause with its two arguments in each other's place."""
    text = sentence.text
    heads = [token for token in sentence.doc if is_verb(token)]
    if _OF_WHOM.search(text) and not any(verb.lemma_ in _TALKED for verb in heads):
        return
    if any(verb.lemma_ in _ORDERED and _governs_participle(verb) for verb in heads):
        return
    passives = None
    for swap in first_edits("argument_swap", sentence, _SWAPS):
        passives = passives or first_edits("passive", sentence, _PASSIVES)
        for passive in passives:
            if _same_clause(text, passive.text, swap.text):
                yield triplet("argument-sensitivity", text, passive.text, swap.text)
                break


def _governs_participle(verb: Token) -> bool:
    """“ordered the boys held”, however the parser hangs it up."""
    after = [child for child in verb.rights for child in child.subtree]
    return any(token.tag_ in {"VBN", "VBD"} and token.nbor(-1).pos_ in {"NOUN", "PROPN", "PRON"} for token in after)


def _same_clause(text: str, passive: str, swapped: str) -> bool:
    """Whether the passive begins with whom the swapped sentence makes the actor, and the other follows soon."""
    original, one, other = (_WORD.findall(each.lower()) for each in (text, passive, swapped))
    place = next((at for at, (old, new) in enumerate(zip(original, other, strict=False)) if old != new), None)
    if place is None or original[:place] != one[:place] or one[place : place + 1] != other[place : place + 1]:
        return False
    return not _FAR_BY.search(" ".join(one[place:])) and not _BY_ME.search(passive)


# --- fixed-point reorder ---

_ENDS = re.compile(r"[.!?…][\"'”’)]*$")


def reordered(sentence: Sentence, paraphrase: str) -> Candidate | None:
    """A paraphrase, and the sentence inverted around a pivot; the original is the group."""
    inverted = first_edit("inversion", sentence)
    if inverted is None:
        return None
    if not _ENDS.search(sentence.text):  # it ends as the original does
        inverted = inverted.removesuffix(".")
    return triplet("fixed-point-reorder", sentence.text, paraphrase, inverted, sentence.text)
