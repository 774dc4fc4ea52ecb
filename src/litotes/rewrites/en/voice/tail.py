"""What follows the object of a clause, and where among it the by-phrase of the passive stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en.nouns import MEASURE_NOUNS, noun_supersense
from litotes.languages.en.valency import (
    EXPERIENCE_VERBS,
    INFINITIVE_AFTER_OBJECT,
    PUTTING_VERBS,
    TELLING_VERBS,
    TOOL_VERBS,
)
from litotes.rewrites.en.grammar.noun_phrases import OBJECT_FORMS, REFLEXIVES, NounPhrase, is_pronoun, may_be_bound
from litotes.rewrites.en.voice.chain import Chain, Refusal
from litotes.rewrites.en.voice.objects import Promotion
from litotes.rewrites.en.voice.verb_forms import verb_lemma

if TYPE_CHECKING:
    from litotes.languages.tree import Token

Place: TypeAlias = Literal["before", "after"]
"""Of a part of the clause: whether it stands before the by-phrase or after it."""

_DIRECTIONS = word_set(
    """
    home back away down out up off in on together apart inside outside upstairs downstairs aside forward around over
    abroad well badly hard fast
    """
)
_NO_MANNER = word_set(
    """
    only recently early lately really daily weekly monthly yearly immediately suddenly probably unfortunately
    fortunately hopefully obviously clearly honestly actually basically certainly definitely eventually finally
    usually occasionally frequently regularly nearly currently constantly literally possibly apparently sadly
    luckily
    """
)
_SUBJECT_CONTROL = word_set("instead rather without by before after in while besides despite upon through")
_PLACES = word_set("in on at inside upon between beside behind above along over around against under")
_TIMES = word_set("since until till during before after within throughout ago despite because besides")
_ALONE = word_set("alone solo single-handedly singlehandedly")
_COMPARES = word_set("than like unlike as")
_WOULD_JOIN = frozenset({"and", "or", "which", "who", "whose"})
"""What follows the by-phrase and would be read as a part of it."""
_GOALS = word_set("to into onto toward towards from off out as of through across down up")
"""Prepositions of phrases that are close to the verb."""
_PREDICATES = frozenset({"prt", "oprd", "acomp", "dative"})
_CLAUSES = frozenset({"advcl", "punct", "cc", "conj", "parataxis", "relcl", "intj", "npadvmod", "ccomp"})
_KEEPING = word_set("keep leave hold")
"""Verbs that say how something is afterwards: "was kept in place by"."""
_UNEXPECTED = frozenset({"neg", "aux", "mark", "appos", "dobj", "pobj", "attr", "nsubj", "nmod", "pcomp"})


def slots(chain: Chain, promotion: Promotion, subject: NounPhrase) -> list[Token]:
    """The words behind which the by-phrase can go, the best first."""
    _must_allow(chain)
    _must_not_point_back(chain, promotion)
    best = promotion.anchor
    following: Token | None = None
    moved: Token | None = None
    for part in _parts(chain, promotion):
        if _place(chain, part, subject) == "after":
            following = part
            break
        best = part.right_edge
        moved = moved or part
    _must_end(best, promotion)
    if following is not None and following.dep_ == "prep" and following.right_edge.i - following.left_edge.i < 8:
        places = [best, following.right_edge]
        # After a relative clause, what follows would be read as a part of it.
        return places[::-1] if any(one.dep_ in {"relcl", "acl"} for one in subject.head.rights) else places
    if moved is not None and moved.dep_ == "prep":
        return [best, promotion.anchor]
    return [best]


def _must_end(place: Token, promotion: Promotion) -> None:
    """That what follows a by-phrase is not read as a part of it."""
    following = place.i + 1
    if promotion.phrase.first.i <= following <= promotion.phrase.last.i:
        following = promotion.phrase.last.i + 1
    if following < len(place.doc) and place.doc[following].lower_ in _WOULD_JOIN:
        raise Refusal("coordination")


def _parts(chain: Chain, promotion: Promotion) -> list[Token]:
    """What hangs on the verbs (and on the object, where it stays behind), to the right of the anchor and the gap."""
    start, phrase = promotion.anchor.i, promotion.phrase
    found: dict[int, Token] = {one.i: one for one in promotion.left}
    for one in _rights(chain):
        if one in phrase or one.i <= start:
            continue
        if not one.left_edge.i <= phrase.head.i <= one.right_edge.i:
            found[one.i] = one
            continue
        # A small clause holds the object; its own words are on the way too: "made it clear [that …]".
        for child in (one, *one.rights):
            if child.i > start and child not in phrase:
                found[child.i] = child
    return sorted(found.values(), key=lambda one: int(one.left_edge.i))


def _rights(chain: Chain) -> Iterator[Token]:
    yield from chain.verb.rights
    if chain.top.i != chain.verb.i:
        yield from (child for child in chain.top.rights if child.i > chain.verb.i)
    # A small clause that ends before the anchor still has words of its own behind it.
    for child in chain.verb.rights:
        if child.dep_ in {"oprd", "ccomp"} and child.pos_ in {"ADJ", "NOUN", "PROPN"}:
            yield from child.rights


def _place(chain: Chain, part: Token, subject: NounPhrase) -> Place:
    dep = part.dep_
    lemma = verb_lemma(chain.verb)
    if lemma in _KEEPING and dep not in _CLAUSES and part.right_edge.i - part.left_edge.i < 4:
        return "before"
    if dep == "prep":
        return _preposition(chain, part, subject)
    if dep == "advmod":
        return _adverb(lemma, part)
    if dep in _PREDICATES or part.tag_ in {"JJ", "JJR"} or (dep == "npadvmod" and part.lower_ == "way"):
        return "before" if part.right_edge.i - part.left_edge.i < 7 else "after"
    if part.tag_ == "VB" and lemma in EXPERIENCE_VERBS and lemma not in INFINITIVE_AFTER_OBJECT:
        raise Refusal("control")
    if dep in {"xcomp", "ccomp"} and subject.text.lower() == "it":
        raise Refusal("control")  # "It amused her to see it": "it" stands for what follows
    if (
        dep == "npadvmod"
        and part.left_edge.i == part.i
        and part.tag_ == "NN"
        and part.lemma_.lower() not in MEASURE_NOUNS
    ):
        raise Refusal("unclear")
    if dep == "relcl" and part.left_edge.lower_ != "that" and part.left_edge.tag_ != "WRB":
        raise Refusal("unclear")
    if dep in _UNEXPECTED or (dep == "ccomp" and part.tag_ in {"VBZ", "VBP", "VBD"} and not _has_subject(part)):
        raise Refusal("unclear")
    return "after"


def _preposition(chain: Chain, part: Token, subject: NounPhrase) -> Place:
    noun = _noun_of(part)
    _must_fit(chain, part, noun)
    word = part.lower_
    length = part.right_edge.i - part.left_edge.i + 1
    if length > 8 or word in _TIMES or noun.lemma_.lower() in MEASURE_NOUNS or noun.tag_ == "CD":
        return "after"
    if may_be_bound(NounPhrase(noun, noun.left_edge, noun.right_edge), subject):
        if subject.head.lower_ in {"i", "you", "we"}:
            raise Refusal("bound")
        return "after"
    if length > 4 and is_pronoun(subject):
        return "after"
    return "before" if _is_close(verb_lemma(chain.verb), word, noun) else "after"


def _noun_of(preposition: Token) -> Token:
    """What follows a preposition, or two: "out of the goal"."""
    for child in preposition.children:
        if child.dep_ in {"pobj", "pcomp"}:
            return child
    for child in preposition.children:
        if child.dep_ == "prep":
            return _noun_of(child)
    raise Refusal("unclear")  # "What did you do it for?"


def _must_fit(chain: Chain, preposition: Token, noun: Token) -> None:
    word = preposition.lower_
    if word in {"than", "like", "unlike"}:
        raise Refusal("comparison")
    if word == "about" and verb_lemma(chain.verb) not in TELLING_VERBS:
        raise Refusal("attachment")
    if noun.dep_ == "pcomp" and noun.tag_.startswith("VB") and word in _SUBJECT_CONTROL:
        raise Refusal("control")
    if preposition.right_edge.i - preposition.i > 8 and any(
        token.dep_ == "cc" or token.text == "," for token in preposition.subtree
    ):
        raise Refusal("heavy")


def _is_close(lemma: str, word: str, noun: Token) -> bool:
    """Whether a phrase belongs so closely to the verb that the by-phrase comes after it."""
    if word == "for":
        return noun.tag_ == "PRP" or noun_supersense(noun) == "person"
    if word == "with":
        return lemma in TOOL_VERBS and not any(child.dep_ in {"det", "poss"} for child in noun.children)
    if word in _PLACES:
        return lemma in PUTTING_VERBS
    return word in _GOALS or word == "about"


def _adverb(lemma: str, part: Token) -> Place:
    word = part.lower_
    if word in {"here", "there"}:
        return "before" if lemma in PUTTING_VERBS else "after"
    if word in _ALONE:
        raise Refusal("adverb")
    if any(token.lower_ in _COMPARES for token in part.subtree):
        raise Refusal("comparison")
    if any(token.dep_ == "pcomp" and token.tag_ == "VBG" for token in part.subtree):
        raise Refusal("control")  # "instead of …ing"
    if part.left_edge.i != part.right_edge.i:
        return "before" if word == "much" else "after"
    return "before" if word in _DIRECTIONS or (word.endswith("ly") and word not in _NO_MANNER) else "after"


def _must_allow(chain: Chain) -> None:
    """That nothing in the sentence leans on the old subject."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            dep = child.dep_
            if dep == "conj":
                _must_stand_alone(child)
            elif dep == "advcl":
                _must_have_subject(child)
            elif dep == "prep" and child.i < chain.subject.i:
                if any(one.dep_ == "pcomp" and one.tag_ == "VBG" for one in child.children):
                    raise Refusal("control")
            elif dep in {"dep", "parataxis"} and child.i > verb.i and child.pos_ in {"VERB", "AUX"}:
                # A question tag, two sentences in one, or a second verb.
                raise Refusal("tag" if any(one.dep_ == "nsubj" for one in child.children) else "coordination")


def _must_not_point_back(chain: Chain, promotion: Promotion) -> None:
    """That no word of the clause stands for the subject or compares it."""
    doc = chain.top.doc
    if any(token.lower_ in REFLEXIVES for token in doc[chain.top.left_edge.i : chain.subject.i]):
        raise Refusal("bound")
    if sum(token.lower_ == "as" for token in doc[chain.verb.i : chain.top.right_edge.i + 1]) > 1:
        raise Refusal("comparison")
    subject = OBJECT_FORMS.get(chain.subject.lower_)
    verbs = {chain.top.i, chain.verb.i}
    for place in range(chain.verb.i + 1, chain.top.right_edge.i + 1):
        word = doc[place].lower_
        if word in REFLEXIVES or word == "own" or (word == subject and doc[place].head.head.i == chain.verb.i):
            raise Refusal("bound")
        if (
            word in {"like", "unlike"}
            and doc[place].tag_ == "IN"
            and {doc[place].head.i, doc[place].head.head.i} & verbs
        ):
            raise Refusal("comparison")
        if word == "than" or (word == "as" and "same" in {one.lower_ for one in promotion.phrase.tokens}):
            raise Refusal("comparison")
        if word == "by" and doc[place].head.i in verbs:
            raise Refusal("attachment")  # two by-phrases


def _must_stand_alone(conjunct: Token) -> None:
    """That a coordinated clause has a subject of its own."""
    if not _has_subject(conjunct):
        raise Refusal("coordination")


def _has_subject(clause: Token) -> bool:
    return any(child.dep_ in {"nsubj", "nsubjpass", "expl", "csubj"} for child in clause.children)


def _must_have_subject(clause: Token) -> None:
    """That an adverbial clause does not borrow the subject: "Smiling, he opened it"; purposes may: "to let her in"."""
    if any(child.dep_ in {"mark", "advmod"} and child.lower_ == "like" for child in clause.children):
        raise Refusal("comparison")
    if _has_subject(clause):
        return
    if clause.tag_ == "VB" and any(child.lower_ == "to" for child in clause.children):
        return
    raise Refusal("control")
