"""Existentials: “There is a man …” and “There is no man …”, and back."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.articles import article
from litotes.languages.en.casing import capitalised
from litotes.languages.en.nouns import kind_of, kind_of_word
from litotes.languages.en.verb_groups import VerbGroup
from litotes.rewrites.base import Draft, Outcome, Skip
from litotes.rewrites.en.existence.subjects import NOBODY, SOMEBODY, is_determiner
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, noun_phrase
from litotes.rewrites.patches import Patch, delete, end_of, patched, replace, replace_span, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_PARTS = word_set("lot lots plenty couple number ton tons bunch load loads dozen dozens handful")
_MASS = word_set(
    """
    water milk doubt evidence information time money hope love food music help news traffic furniture snow rain ice
    air oxygen power electricity gas work fun room space smoke proof bread rice meat cheese wine beer coffee tea
    butter sugar salt oil blood truth peace justice progress support interest trouble danger happiness shame harm
    supervision guidance violence poverty discrimination competition communication protection pollution freedom
    democracy security safety privacy respect trust faith corruption crime unemployment inflation sugar anger hatred
    light darkness noise silence life death luck advice knowledge research equipment software logic sense
    """
)
_FIXED = word_set("longer such more less other better way-out telling denying knowing")
_NEVER = word_set("never not n't n’t hardly scarcely rarely barely seldom")
_ONLY_UNDER_NO = word_set("any ever yet anyone anybody anything anywhere but except nor")
"""What goes with “no” and cannot stay without it."""
_ONLY_WITHOUT_NO = word_set("already too well also everywhere only")
_NEARLY = word_set("only just also even almost about but")
_QUANTITIES = word_set("enough much only few other little fewer")
_COUNTING = word_set("all each both one two some many most including like")
_PLAIN_AUXILIARIES = frozenset({"will", "'ll", "’ll", "would", "has", "have", "had", "been", "'s", "’s"})


def denied_or_affirmed(group: VerbGroup, head: Token) -> Iterator[Outcome]:
    """The existential with “no” in the place of its determiner, or the other way about."""
    if any(child.dep_ == "neg" or child.lower_ in _NEVER for child in group.verb.children):
        yield Skip("negated")
        return
    if any(word.lower_ not in _PLAIN_AUXILIARIES for word in group.auxiliaries):
        yield Skip("modal")
        return
    phrase = noun_phrase(head)
    if phrase is None or phrase.first.i < group.verb.i:
        yield Skip("unclear")
        return
    if any(token.lower_ in _ONLY_WITHOUT_NO for token in head.doc[phrase.last.i + 1 :]) or _counts_on(phrase):
        yield Skip("complex")
        return
    if phrase.first.nbor(-1).lower_ in {"almost", "nearly", "practically"}:
        yield Skip("quantifier")
        return
    if phrase.first.lower_ == "no" and len(phrase) > 1:
        yield from _affirmed(group, phrase, head)
        return
    patch = _with_no(phrase, head)
    if isinstance(patch, Skip):
        yield patch
        return
    text = head.doc.text
    new = patched(text, [patch])
    yield Draft(new, reason="there is none")


def _with_no(phrase: NounPhrase, head: Token) -> Patch | Skip:
    doc, first = head.doc, phrase.first
    if first.i == head.i and (head.lower_ in SOMEBODY or head.lower_ in NOBODY):
        polar = head.lower_ in NOBODY and _is_polar(phrase)
        return Skip("complex") if polar else replace(head, SOMEBODY.get(head.lower_) or NOBODY[head.lower_])
    if head.tag_ not in {"NN", "NNS"} or any(child.dep_ == "conj" for child in head.children):
        return Skip("coordinated" if head.tag_ in {"NN", "NNS"} else "pronoun")
    if first.nbor(-1).lower_ in _NEARLY:
        return Skip("quantifier")
    if head.lower_ in _PARTS or head.lower_ == "thing":
        return _of_parts(first, head)
    at = first.i
    while at < head.i and doc[at].lower_ != "the" and is_determiner(doc[at], head):
        at += 1
    if at == first.i:
        return _before_bare(first, head)
    if any(token.lower_ in {"many", "few"} for token in doc[at : head.i]):
        return Skip("quantifier")  # “a great many books”
    plural = head.head.lower_ in {"are", "were"}
    if doc[at].lower_ in {"or", "more", "and"} or (head.tag_ == "NN" and plural and first.lower_ in {"a", "an"}):
        return Skip("quantifier")
    return replace_span(first, doc[at - 1], "no other" if first.lower_ == "another" else "no")


def _of_parts(first: Token, head: Token) -> Patch | Skip:
    """“a lot of people” → “no people”, “one thing” → “nothing”."""
    doc = head.doc
    if head.lower_ == "thing":
        alone = head.i == first.i + 1 and is_determiner(first, head) and first.lower_ != "the"
        return replace_span(first, head, "nothing") if alone else Skip("quantifier")
    if head.i + 2 >= len(doc) or doc[head.i + 1].lower_ != "of" or not (first.lower_ == "a" or first.i == head.i):
        return Skip("quantifier")
    of = doc[head.i + 1]
    counted = of.nbor()
    loose = counted.dep_ in {"det", "poss"} or counted.pos_ in {"PRON", "DET"} or counted.is_punct
    return Skip("quantifier") if loose else replace_span(first, of, "no")


def _before_bare(first: Token, head: Token) -> Patch | Skip:
    plain = first.i == head.i or first.dep_ in {"amod", "compound"}
    if not plain or first.tag_ in {"JJR", "JJS"} or first.lower_ in _QUANTITIES:
        return Skip("quantifier")
    if head.tag_ == "NN" and head.lower_ not in _MASS:
        return Skip("bare")
    return Patch(start_of(first), start_of(first), "no ")


def _counts_on(phrase: NounPhrase) -> bool:
    """“three doors, all of them red”: what goes on about them cannot follow where there are none."""
    tokens = list(phrase.tokens)
    return any(one.text == "," and two.lower_ in _COUNTING for one, two in itertools.pairwise(tokens))


def _is_polar(phrase: NounPhrase) -> bool:
    """Whether something goes with “no” only: “any”, “nothing like”, “…, not even …”."""
    after = phrase.head.doc[phrase.first.i :]
    if any(token.lower_ in _ONLY_UNDER_NO for token in after) or phrase.head.doc.text.find(" at all", phrase.start) > 0:
        return True
    follows = [(one.lower_, two.lower_) for one, two in itertools.pairwise(after)]
    return ("nothing", "like") in follows or (",", "not") in follows


def _affirmed(group: VerbGroup, phrase: NounPhrase, head: Token) -> Iterator[Outcome]:
    text, no = head.doc.text, phrase.first
    after = no.nbor()
    if after.lower_ == "one" and head.i == after.i:
        new = patched(text, [replace_span(no, after, "someone")])
        yield Draft(new, reason="there is one")
        return
    if after.lower_ in _FIXED or after.lower_ == "one" or head.tag_ not in {"NN", "NNS"}:
        yield Skip("quantifier")
        return
    if _is_polar(phrase):
        yield Skip("complex")
        return
    head = _real_head(no, head)
    if head.tag_ == "NNS":
        patch = replace(no, "some")
    elif head.lower_ in _MASS or kind_of(head) == "stuff":
        patch = delete(no)
    else:
        patch = replace(no, article(text[start_of(after) :]))
    new = patched(text, [patch])
    yield Draft(new, reason="there is one")
    plain = _without_there(group, phrase, head, patch)
    if plain is not None:
        yield Draft(plain, reason="there is one, said plainly")


def _real_head(no: Token, head: Token) -> Token:
    """In “no man sprinkling cheese” the man, where the parser took the cheese."""
    for token in head.doc[no.i + 2 : head.i]:
        before = token.nbor(-1)
        if token.tag_ == "VBN" and before.tag_ in {"NN", "NNS"}:
            return before
        if token.lower_.endswith("ing") and kind_of_word(before.lower_, before.lemma_) in {"person", "animal", "thing"}:
            return before
    return head


def _without_there(group: VerbGroup, phrase: NounPhrase, head: Token, patch: Patch) -> str | None:
    """“There is no man singing.” → “A man is singing.”"""
    acting = next((child for child in head.children if child.dep_ == "acl" and child.tag_ in {"VBG", "VBN"}), None)
    there = group.subject
    if acting is None or there is None or group.auxiliaries or there.i + 1 != group.verb.i:
        return None
    start = acting.left_edge.i
    if start <= head.i:
        return None
    text, verb = head.doc.text, group.verb
    if verb.text.startswith(("'", "’")):
        return None
    noun = patched(text[: end_of(head.doc[start - 1])], [patch])[start_of(phrase.first) :]
    rest = text[start_of(head.doc[start]) :]
    opening = text[: start_of(there)]
    done = f"{opening}{noun} {verb.text} {rest}"
    return capitalised(done) if not opening.strip() else done
