"""The rule `passive`: an active clause in the passive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from litotes.languages.base import capitalised, word_set
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, agreement, as_object, as_subject, noun_phrase
from litotes.rewrites.en.voice.by_phrase import by_phrase_positions
from litotes.rewrites.en.voice.clause_checks import check_clause
from litotes.rewrites.en.voice.object_checks import check_promotion
from litotes.rewrites.en.voice.objects import Promotion, promotions
from litotes.rewrites.en.voice.verb_chain import (
    Refusal,
    VerbChain,
    auxiliary_patches,
    check_quotation,
    clause_verbs,
    cut,
    full_first_auxiliary,
    has_initial_capital,
    make_draft,
    read_chain,
)
from litotes.rewrites.en.voice.verb_forms import finite_form, full_auxiliary, participle, past_form, verb_lemma
from litotes.rewrites.patches import Patch, end_of, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_MEDIAL_ADVERBS = word_set(
    """
    always never often sometimes usually already still just also really probably certainly actually finally recently
    once now then soon rarely seldom ever even simply apparently obviously clearly definitely generally normally
    currently only hardly barely nearly almost truly literally honestly eventually constantly continually frequently
    likely hopefully occasionally immediately suddenly later thus therefore instead maybe perhaps possibly again yet
    long basically typically mostly mainly previously originally initially ultimately long-since merely
    """
)
"""Adverbs of time, truth and degree, which follow the first auxiliary; adverbs of manner precede the participle."""
_HABITS = frozenset({"always", "usually", "often", "sometimes", "rarely", "seldom", "never", "normally", "generally"})
_HAVE = frozenset({"have", "has", "had", "having"})
_SKIPS = {
    "no-clause": "it has no finite clause",
    "no-subject": "the verb has no subject of its own",
    "no-object": "the verb has no object",
    "not-finite": "the verb carries no tense",
    "is-passive": "the clause is passive already",
    "no-passive": "the verb is not used in the passive, or not with this object",
    "clause-object": "the object is a clause",
    "idiom": "verb and object make an idiom",
    "measure": "the object measures the action",
    "odd": "the passive would be odd with this subject and object",
    "bound": "the object points back to the subject",
    "scope": "negation or a quantifier would come to mean something else",
    "polarity": "a word like “any” would lose the negation or question that it needs",
    "coordination": "the subject has more than one verb",
    "control": "another clause borrows the subject",
    "comparison": "something is compared with the subject or the object",
    "tag": "a question tag repeats the subject and the verb",
    "request": "it asks somebody to do something, or asks for leave",
    "tense": "the passive would have two forms of “be” after each other",
    "agreement": "it cannot be told whether the new subject is singular or plural",
    "attachment": "it is not clear which word a phrase belongs to",
    "heavy": "a part is too long, or broken by commas, to be moved",
    "adverb": "an adverb belongs to the subject",
    "unclear": "the parse is not one that a clause of this kind has",
}


@dataclass(frozen=True)
class _Plan:
    """A clause, what becomes its subject, and what its verb agrees with then."""

    sentence: Sentence
    chain: VerbChain
    subject: NounPhrase
    promotion: Promotion
    agrees: VerbAgreement


@rule("passive", effect="same", needs=("parse", "lexicon", "inflection"), skips=_SKIPS)
def passive(sentence: Sentence, *, by: Literal["keep", "drop", "both"] = "keep") -> Iterator[Outcome]:
    """Put an active clause into the passive: “They attacked him.” → “He was attacked by them.”

    `by` says whether the old subject is kept as a by-phrase.
    """
    codes: dict[str, str] = {}
    found = False
    for top in clause_verbs(sentence):
        try:
            for draft in _clause(sentence, top, by):
                found = True
                yield draft
        except Refusal as refusal:
            codes.setdefault(refusal.code, refusal.reason)
    if not found:
        yield from (Skip(code, reason) for code, reason in codes.items())


def _clause(sentence: Sentence, top: Token, by: str) -> list[Draft]:
    if top.pos_ not in {"VERB", "AUX"}:
        raise Refusal("no-clause")
    chain = read_chain(top)
    check_clause(chain)
    subject = noun_phrase(chain.subject)
    if subject is None:
        raise Refusal("unclear")
    kept: list[Draft] = []
    dropped: list[Draft] = []
    refusal: Refusal | None = None
    for promotion in promotions(chain):
        try:
            check_promotion(chain, promotion, subject)
            agrees = agreement(promotion.phrase) or _asked_for(promotion.phrase)
            if agrees is None:
                raise Refusal("agreement")
            plan = _Plan(sentence, chain, subject, promotion, agrees)
            places = by_phrase_positions(chain, promotion, subject)
            check_quotation(
                sentence, (subject.start, subject.end, *promotion.gap, start_of(chain.verb), end_of(places[0]))
            )
        except Refusal as one:
            refusal = refusal or one
            continue
        if chain.subject.tag_ == "WP":
            return _asked(plan, places[0], by)
        if by != "drop":
            kept += _with_by(plan, places)
        if by != "keep":
            dropped.append(_draft(plan, None))
    if refusal is not None and not kept and not dropped:
        raise refusal
    return [*kept[:1], *dropped, *kept[1:]]


def _asked_for(phrase: NounPhrase) -> VerbAgreement | None:
    """ "What was broken?": the verb is singular until one knows better."""
    return VerbAgreement(3, plural=False) if phrase.head.tag_ == "WP" and len(phrase) == 1 else None


def _with_by(plan: _Plan, places: list[Token]) -> Iterator[Draft]:
    for place in places:
        yield _draft(plan, place)
    if plan.promotion.adverb is None and places[0].i == plan.promotion.anchor.i and _manner(plan.chain):
        yield _draft(plan, places[0], adverb_last=True)


def _draft(plan: _Plan, place: Token | None, *, adverb_last: bool = False) -> Draft:
    """The passive clause, its by-phrase behind a token."""
    chain, subject, promotion, text = plan.chain, plan.subject, plan.promotion, plan.sentence.text
    new_subject = as_subject(promotion.phrase)
    patches = list(promotion.extra)
    if promotion.phrase.head.i < chain.first.i:  # "What did Tom break?" → "What was broken by Tom?"
        patches.append(cut(subject.start, subject.end, text))
        if promotion.phrase.text in {"Whom", "whom"}:
            patches.append(Patch(promotion.phrase.end - 1, promotion.phrase.end, ""))
    else:
        shown = capitalised(new_subject) if has_initial_capital(subject.first) else new_subject
        patches += [Patch(subject.start, subject.end, shown), cut(*promotion.gap, text)]
    tail = f" {_agent(subject)}" if place is not None else ""
    adverbs = _manner(chain)
    if adverb_last:
        patches.append(cut(start_of(adverbs[0]), end_of(adverbs[-1]), text))
        tail = f" {' '.join(one.text for one in adverbs)}{tail}"
        adverbs = []
    if promotion.adverb is not None:
        patches.append(cut(start_of(promotion.adverb), end_of(promotion.adverb), text))
    patches += _verb_patches(plan, new_subject, adverbs)
    if tail:
        at = end_of(place or chain.verb)
        patches.append(Patch(at, at, tail))
    return make_draft(plan.sentence, patches, promotion.reason)


def _asked(plan: _Plan, place: Token, by: str) -> list[Draft]:
    """ "Who broke it?" → "Who was it broken by?" and "By whom was it broken?"."""
    if by == "drop":
        raise Refusal("no-subject")
    following = plan.promotion.phrase.last if place.nbor() in plan.promotion.phrase else place
    if plan.promotion.extra or following.nbor().text != "?" or place.i - plan.chain.verb.i > 4:
        raise Refusal("heavy")
    chain, promotion, text = plan.chain, plan.promotion, plan.sentence.text
    moved = as_subject(promotion.phrase)
    patches = [*promotion.extra, cut(*promotion.gap, text)]
    verb = _verb_patches(plan, moved, [])
    if len(chain.words) == 1:
        be, _, done = verb[-1].new.partition(" ")
        if not done:
            raise Refusal("unclear")
        patches.append(verb[-1]._replace(new=f"{be} {moved} {done}"))
    else:
        at = end_of(chain.first)
        patches += [*verb, Patch(at, at, f" {moved}")]
    end = end_of(place)
    drafts = [make_draft(plan.sentence, [*patches, Patch(end, end, " by")], "the subject is asked for")]
    if chain.subject.lower_ == "who":
        start = start_of(chain.subject)
        first = Patch(start, end_of(chain.subject), "By whom" if chain.subject.text[0].isupper() else "by whom")
        drafts.append(make_draft(plan.sentence, [*patches, first], "the subject is asked for, in the formal way"))
    return drafts


def _agent(subject: NounPhrase) -> str:
    words = as_object(subject)
    first, _, rest = words.partition(" ")
    if first in {"only", "even", "just", "mainly", "mostly"} and rest:
        return f"{first} by {rest}"
    return f"by {words}"


def _manner(chain: VerbChain) -> list[Token]:
    """Adverbs of manner right before the verb: with an auxiliary, they stand before the participle."""
    verb = chain.verb
    if len(chain.words) == 1:
        return []
    start = max(chain.words[-2].i, chain.subject.i, chain.negation.i if chain.negation is not None else 0)
    found = [one for one in chain.midfield if one.i > start]
    if any(one.tag_ not in {"RB", "RBS", "RBR"} or one.lower_ in _MEDIAL_ADVERBS for one in found):
        return []
    return found if found and found[-1].i == verb.i - 1 and found[0].i == verb.i - len(found) else []


def _verb_patches(plan: _Plan, subject: str, manner: list[Token]) -> list[Patch]:
    chain, agrees = plan.chain, plan.agrees
    verb = chain.verb
    lemma = verb_lemma(verb)
    done = participle(lemma, verb.lower_)
    if done is None:
        raise Refusal("no-passive")
    if plan.promotion.adverb is not None:
        done = f"{plan.promotion.adverb.text} {done}"
    if len(chain.words) == 1:
        return _finite_patches(chain, lemma, done, agrees)
    auxiliary = full_first_auxiliary(chain)
    if chain.has_do:
        be = finite_form("be", is_past=auxiliary == "did", subject=agrees) or ""
        return [*auxiliary_patches(chain, be, subject, agrees), Patch(start_of(verb), end_of(verb), done)]
    before = chain.words[-2]
    # By the auxiliary, not by the tag: "has … read" may be tagged as an infinitive.
    form = "being" if verb.tag_ == "VBG" else "been" if full_auxiliary(before, verb.tag_) in _HAVE else "be"
    patches = auxiliary_patches(chain, auxiliary, subject, agrees)
    if manner:
        first = start_of(manner[0])
        return [*patches, Patch(first, first, f"{form} "), Patch(start_of(verb), end_of(verb), done)]
    return [*patches, Patch(start_of(verb), end_of(verb), f"{form} {done}")]


def _is_of_now(child: Token) -> bool:
    """Whether something in a clause says that it is always so: "often", "when you …"."""
    return child.lower_ in _HABITS or (child.dep_ == "advcl" and child.tag_ in {"VBZ", "VBP"})


def _finite_patches(chain: VerbChain, lemma: str, done: str, agrees: VerbAgreement) -> list[Patch]:
    """Of a verb without auxiliaries: "be" goes before its adverbs."""
    verb = chain.verb
    # "put", "read" are one form for both times; as a rule something is told, not what is always so.
    is_past = verb.tag_ in {"VBD", "VBN"} or (verb.tag_ in {"VBP", "VB"} and verb.lower_ == past_form(lemma))
    if is_past and verb.lower_ == lemma:
        is_past = not any(_is_of_now(child) for child in verb.children)
    be = finite_form("be", is_past=is_past, subject=agrees) or ""
    adverbs = chain.midfield
    if adverbs and not any(one.is_punct for one in adverbs):
        first = start_of(adverbs[0])
        return [Patch(first, first, f"{be} "), Patch(start_of(verb), end_of(verb), done)]
    return [Patch(start_of(verb), end_of(verb), f"{be} {done}")]
