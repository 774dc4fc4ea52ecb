"""What follows the object of a clause, and where among it the by-phrase of the passive stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from litotes.rewrites.noun_phrases import REFLEXIVES, NounPhrase, is_pronoun, may_be_bound, word_set
from litotes.rewrites.voice import Chain, Refusal
from litotes.rewrites.voice_forms import verb_lemma
from litotes.rewrites.voice_objects import PERSON, Promotion, noun_files
from litotes.rewrites.voice_verbs import GOALS, MEASURES, PUTTING, TELLING

if TYPE_CHECKING:
    from spacy.tokens import Token

Place: TypeAlias = Literal["close", "loose", "stop"]

_DIRECTIONS = word_set(
    """
    home back away down out up off in on there here together apart inside outside upstairs downstairs aside forward
    around over abroad well badly hard fast
    """
)
_SUBJECT_CONTROL = frozenset({"without", "by", "before", "after", "in", "while", "besides", "despite", "upon", "through"})
_NEVER = frozenset({"than", "like", "unlike"})
_FILLERS = frozenset({"intj", "parataxis", "meta", "npadvmod", "mark", "discourse"})
_PLACES = word_set("in on at inside upon between beside behind above along over around against under")
_TIMES = word_set("since until till during before after within throughout ago despite because besides")


class Slot(NamedTuple):
    """Where the by-phrase goes: behind this token."""

    after: Token
    stops: Token | None
    """What follows it there."""


def slots(chain: Chain, promotion: Promotion, subject: NounPhrase) -> list[Slot]:
    """Places for the by-phrase, the best first."""
    constituents = _constituents(chain, promotion)
    places = [(one, _place(chain, one, subject)) for one in constituents]
    _must_allow(chain, promotion)
    best = promotion.anchor
    following: Token | None = None
    movable: Token | None = None
    for one, place in places:
        if place == "close":
            best = one.right_edge
            movable = movable or one
            continue
        following = one
        break
    found = [Slot(best, following)]
    if following is not None and following.dep_ == "prep" and following.right_edge.i - following.left_edge.i < 8:
        found.append(Slot(following.right_edge, None))
    elif movable is not None and movable.dep_ == "prep":
        found.append(Slot(promotion.anchor, movable))
    return found


def _constituents(chain: Chain, promotion: Promotion) -> list[Token]:
    """What hangs on the verbs (and on the object, where it stays behind), to the right of the anchor and the gap."""
    start = promotion.anchor.i
    verbs = {chain.top.i, chain.verb.i}
    found = [child for child in chain.verb.rights if child.i > start]
    if chain.top.i != chain.verb.i:
        found += [child for child in chain.top.rights if child.i > chain.verb.i]
    found += promotion.left
    kept = [one for one in found if one not in promotion.phrase and not _holds(one, promotion.phrase)]
    # A small clause's own words are on the way too: "made it clear [that …]".
    kept += [
        child
        for one in found
        if _holds(one, promotion.phrase)
        for child in (one, *one.rights)
        if child.i > start and child not in promotion.phrase
    ]
    return sorted({one.i: one for one in kept if one.i not in verbs}.values(), key=lambda one: one.left_edge.i)


def _holds(token: Token, phrase: NounPhrase) -> bool:
    return bool(token.left_edge.i <= phrase.head.i <= token.right_edge.i)


def _place(chain: Chain, one: Token, subject: NounPhrase) -> Place:
    dep = one.dep_
    if dep in {"prt", "oprd", "acomp", "dative"}:
        return "close" if one.right_edge.i - one.left_edge.i < 7 else "loose"
    if dep == "prep":
        return _preposition(chain, one, subject)
    if dep == "advmod":
        return _adverb(one)
    if dep in {"npadvmod", "intj"}:
        return "loose"
    if dep in {"xcomp", "ccomp", "advcl", "punct", "cc", "conj", "parataxis", "acl", "relcl", "agent", "dep"}:
        return "stop"
    if dep in {"neg", "aux", "mark", "appos", "dobj", "pobj", "attr", "nsubj", "nmod", "pcomp"}:
        raise Refusal("unclear")
    return "stop"


def _preposition(chain: Chain, one: Token, subject: NounPhrase) -> Place:
    word = one.lower_
    if word in _NEVER:
        raise Refusal("comparison")
    if word == "by":
        raise Refusal("attachment")  # two by-phrases after each other
    noun = next((child for child in one.children if child.dep_ in {"pobj", "pcomp"}), None)
    inner = next((child for child in one.children if child.dep_ == "prep"), None)
    if noun is None and inner is not None:  # "out of the goal"
        noun = next((child for child in inner.children if child.dep_ == "pobj"), None)
    if noun is not None and noun.dep_ == "pcomp" and noun.tag_.startswith("VB") and word in _SUBJECT_CONTROL:
        raise Refusal("control")
    length = one.right_edge.i - one.left_edge.i + 1
    if noun is None:
        raise Refusal("unclear")  # "What did you do it for?"
    if length > 8 and any(token.dep_ == "cc" or token.text == "," for token in one.subtree):
        raise Refusal("heavy")
    if length > 8 or word in _TIMES or noun.lemma_.lower() in MEASURES or noun.tag_ == "CD":
        return "loose"
    phrase = NounPhrase(noun, noun.left_edge, noun.right_edge)
    if may_be_bound(phrase, subject):
        if subject.head.lower_ in {"i", "you", "we"}:
            raise Refusal("bound")
        return "loose"
    if length > 4 and is_pronoun(subject):
        return "loose"
    if word == "for":
        return "close" if noun.tag_ == "PRP" or PERSON in noun_files(noun.lemma_.lower())[:1] else "loose"
    if word in GOALS:
        return "close"
    if word in _PLACES:
        return "close" if verb_lemma(chain.verb) in PUTTING else "loose"
    if word == "with":
        return "loose" if any(child.dep_ in {"det", "poss"} for child in noun.children) else "close"
    if word == "about" and verb_lemma(chain.verb) not in TELLING:
        raise Refusal("attachment")
    return "close" if word == "about" else "loose"


def _adverb(one: Token) -> Place:
    if one.lower_ == "alone":
        raise Refusal("adverb")
    if one.left_edge.i != one.right_edge.i:
        if any(child.lower_ in {"than", "as"} for child in one.subtree):
            raise Refusal("comparison")
        return "close" if one.lower_ == "much" else "loose"
    if one.lower_ in {"than", "as"}:
        raise Refusal("comparison")
    is_manner = one.lower_.endswith("ly") and one.lower_ not in {"only", "recently", "early", "lately", "really"}
    return "close" if is_manner or one.lower_ in _DIRECTIONS else "loose"


def _must_allow(chain: Chain, promotion: Promotion) -> None:
    """That nothing in the sentence leans on the old subject."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            dep = child.dep_
            if dep == "conj":
                _must_stand_alone(child)
            elif dep == "advcl":
                _must_have_subject(child)
            elif dep in {"dep", "parataxis"} and child.i > verb.i and child.pos_ in {"VERB", "AUX"}:
                # A question tag, two sentences in one, or a second verb.
                raise Refusal("tag" if any(one.dep_ == "nsubj" for one in child.children) else "coordination")
    doc = chain.top.doc
    for place in range(promotion.anchor.i + 1, chain.top.right_edge.i + 1):
        if doc[place].lower_ in REFLEXIVES or doc[place].lower_ == "own":
            raise Refusal("bound")
        if doc[place].lower_ in {"than"}:
            raise Refusal("comparison")


def _must_stand_alone(conjunct: Token) -> None:
    """That a coordinated clause has a subject of its own, and cannot be read as part of the by-phrase."""
    if not any(child.dep_ in {"nsubj", "nsubjpass", "expl"} for child in conjunct.children):
        raise Refusal("coordination")
    before = conjunct.left_edge
    joined = {conjunct.doc[place].lower_ for place in range(max(before.i - 2, 0), before.i)}
    if not joined & {",", ";", "but", "so", "yet", "because", "—", "-", "–"}:
        raise Refusal("coordination")


def _must_have_subject(clause: Token) -> None:
    """That an adverbial clause does not borrow the subject: "Smiling, he opened it"; purposes may: "to let her in"."""
    if any(child.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"} for child in clause.children):
        return
    if clause.tag_ == "VB" and any(child.lower_ == "to" for child in clause.children):
        return
    raise Refusal("control")
