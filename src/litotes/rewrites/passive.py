"""The rule `passive`: an active clause in the passive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from litotes.language.casing import capitalised
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.noun_phrases import Agreement, NounPhrase, agreement, as_object, as_subject, noun_phrase
from litotes.rewrites.patches import Patch, end_of, start_of
from litotes.rewrites.voice import (
    Chain,
    Refusal,
    auxiliary_patches,
    begins_with_capital,
    clauses,
    cut,
    drafted,
    midfield,
    read_chain,
    spelled_first,
)
from litotes.rewrites.voice_checks import check_clause, check_promotion
from litotes.rewrites.voice_forms import finite, participle, past, verb_lemma
from litotes.rewrites.voice_objects import Promotion, promotions
from litotes.rewrites.voice_tail import Slot, slots
from litotes.rewrites.voice_verbs import REASON_ADVERBS

if TYPE_CHECKING:
    from spacy.tokens import Token

_SKIPS = {
    "no-clause": "its main verb has no object that could become the subject, or no subject",
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
    "request": "it asks somebody to do something",
    "tense": "the passive would have two forms of “be” after each other",
    "agreement": "it cannot be told whether the new subject is singular or plural",
    "attachment": "it is not clear which word a phrase belongs to",
    "heavy": "a part is too long, or broken by commas, to be moved",
    "adverb": "an adverb belongs to the subject",
    "unclear": "the parse is not one that a clause of this kind has",
}


@rule("passive", effect="same", needs=("parse", "lexicon", "inflection"), skips=_SKIPS)
def passive(sentence: Sentence, *, by: Literal["keep", "drop", "both"] = "keep") -> Iterator[Outcome]:
    """Put an active clause into the passive: “They attacked him.” → “He was attacked by them.”

    `by` says whether the old subject is kept as a by-phrase.
    """
    codes: dict[str, str] = {}
    found = False
    for top in clauses(sentence):
        try:
            for draft in _clause(sentence, top, by):
                found = True
                yield draft
        except Refusal as refusal:
            codes.setdefault(refusal.code, refusal.reason)
    if not found:
        yield from (Skip(code, reason) for code, reason in codes.items())


def _clause(sentence: Sentence, top: Token, by: str) -> Iterator[Draft]:
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
            agrees = agreement(promotion.phrase)
            if agrees is None:
                raise Refusal("agreement")
            for slot in slots(chain, promotion, subject):
                if by != "drop":
                    kept.append(_draft(sentence, chain, promotion, subject, agrees, slot))
                if by != "keep" and not dropped:
                    dropped.append(_draft(sentence, chain, promotion, subject, agrees, None))
        except Refusal as one:
            refusal = refusal or one
    if not kept and not dropped and refusal is not None:
        raise refusal
    yield from kept[:1]
    yield from dropped
    yield from kept[1:]


def _draft(
    sentence: Sentence,
    chain: Chain,
    promotion: Promotion,
    subject: NounPhrase,
    agrees: Agreement,
    slot: Slot | None,
) -> Draft:
    new_subject = as_subject(promotion.phrase)
    is_fronted = promotion.phrase.head.i < chain.first.i
    patches = list(promotion.extra)
    if is_fronted:  # "What did Tom break?" → "What was broken by Tom?"
        patches.append(cut(subject.start, subject.end, sentence.text))
    else:
        shown = capitalised(new_subject) if begins_with_capital(subject.first) else new_subject
        patches.append(Patch(subject.start, subject.end, shown))
        patches.append(cut(*promotion.gap, sentence.text))
    if promotion.adverb is not None:
        patches.append(cut(start_of(promotion.adverb), end_of(promotion.adverb), sentence.text))
    patches += _verb_patches(chain, promotion, new_subject, agrees)
    if slot is not None:
        patches.append(Patch(end_of(slot.after), end_of(slot.after), f" {_agent(subject)}"))
    return drafted(sentence, patches, promotion.reason)


def _agent(subject: NounPhrase) -> str:
    words = as_object(subject)
    first, _, rest = words.partition(" ")
    if first in {"only", "even", "just", "mainly", "mostly"} and rest:
        return f"{first} by {rest}"
    return f"by {words}"


def _verb_patches(chain: Chain, promotion: Promotion, subject: str, agrees: Agreement) -> list[Patch]:
    verb = chain.verb
    lemma = verb_lemma(verb)
    done = participle(lemma, verb.lower_)
    if done is None:
        raise Refusal("no-passive")
    if promotion.adverb is not None:
        done = f"{promotion.adverb.text} {done}"
    adverbs = list(midfield(chain))
    if len(chain.words) == 1:
        # "put", "read": one form for both; as a rule something is told, not what is always so.
        is_past = verb.tag_ in {"VBD", "VBN"} or (verb.tag_ in {"VBP", "VB"} and verb.lower_ == past(lemma))
        form = finite("be", is_past=is_past, subject=agrees) or ""
        if adverbs and not any(one.is_punct for one in adverbs):
            return [Patch(start_of(adverbs[0]), start_of(adverbs[0]), f"{form} "), Patch(start_of(verb), end_of(verb), done)]
        return [Patch(start_of(verb), end_of(verb), f"{form} {done}")]
    auxiliary = spelled_first(chain)
    if chain.has_do:
        auxiliary = finite("be", is_past=auxiliary == "did", subject=agrees) or ""
        return [*auxiliary_patches(chain, auxiliary, subject, agrees), Patch(start_of(verb), end_of(verb), done)]
    form = {"VBG": "being", "VBN": "been", "VBD": "been"}.get(verb.tag_, "be")
    patches = auxiliary_patches(chain, auxiliary, subject, agrees)
    manner = [one for one in adverbs if one.i > chain.words[-2].i and one.lower_ not in REASON_ADVERBS]
    if manner and manner[-1].i == verb.i - 1 and manner[0].tag_ == "RB" and manner[0].i > chain.subject.i:
        patches.append(Patch(start_of(manner[0]), start_of(manner[0]), f"{form} "))
        return [*patches, Patch(start_of(verb), end_of(verb), done)]
    return [*patches, Patch(start_of(verb), end_of(verb), f"{form} {done}")]
