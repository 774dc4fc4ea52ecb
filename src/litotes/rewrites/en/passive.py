"""The rule `passive`: put an active clause into the passive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from litotes.languages.base import capitalised
from litotes.languages.en.modifiers import FREQUENCY_ADVERBS
from litotes.languages.en.verbs import FORMS_OF_HAVE
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, change_each, refuse_if, require, rule
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, agreement, as_object, as_subject, noun_phrase
from litotes.rewrites.en.voice.by_phrase import by_phrase_positions
from litotes.rewrites.en.voice.clause_checks import check_clause
from litotes.rewrites.en.voice.object_checks import check_promotion
from litotes.rewrites.en.voice.objects import Promotion, promotions
from litotes.rewrites.en.voice.verbs import (
    VOICE_SKIPS,
    VerbChain,
    auxiliary_patches,
    check_quotation,
    clause_verbs,
    cut,
    finite_form,
    full_auxiliary,
    full_first_auxiliary,
    has_initial_capital,
    make_draft,
    participle,
    past_form,
    read_chain,
    verb_lemma,
)
from litotes.rewrites.patches import Patch, insert_before, replace

_MEDIAL_ADVERBS = word_list("medial adverbs")
"""Adverbs of time, truth and degree, which follow the first auxiliary; adverbs of manner precede the participle."""
_HABIT_ADVERBS = FREQUENCY_ADVERBS | {"sometimes", "normally", "generally"}
_SKIPS = VOICE_SKIPS | {
    "no-object": "the verb has no object",
    "is-passive": "the clause is already passive",
    "no-passive": "the verb is not used in the passive, or not with this object",
    "clause-object": "the object is a clause",
    "idiom": "verb and object form an idiom",
    "measure": "the object measures the action",
    "odd": "the passive would be odd with this subject and object",
    "bound": "the object refers back to the subject",
    "polarity": "a word like “any” would lose the negation or question that it needs",
    "comparison": "something is compared with the subject or the object",
    "request": "the clause is a request, or asks for permission",
    "tense": "the passive would have two consecutive forms of “be”",
    "attachment": "it is not clear which word a phrase belongs to",
    "adverb": "an adverb belongs to the subject",
}


@dataclass(frozen=True)
class _PassivePlan:
    """A clause, its new subject, and what its verb agrees with then."""

    sentence: Sentence
    chain: VerbChain
    subject: NounPhrase
    promotion: Promotion
    agrees: VerbAgreement


@rule("passive", effect="same", needs=("parse", "lexicon", "inflection"), skips=_SKIPS)
def passive(sentence: Sentence, *, by: Literal["keep", "drop", "both"] = "keep") -> Iterator[Outcome]:
    """Put an active clause into the passive: “They attacked him.” → “He was attacked by them.”

    `by` says whether the old subject stays as a by-phrase.
    """
    return change_each(clause_verbs(sentence), lambda verb: _clause(sentence, verb, by))


def _clause(sentence: Sentence, verb: Token, by: str) -> list[Draft]:
    refuse_if(not verb.is_verbal, "no-clause")
    chain = read_chain(verb)
    check_clause(chain)
    subject = require(noun_phrase(chain.subject), "unclear")
    with_agent: list[Draft] = []
    without_agent: list[Draft] = []
    refusal: Refusal | None = None
    for promotion in promotions(chain):
        try:
            check_promotion(chain, promotion, subject)
            # "What was broken?": the verb is singular because the number is unknown.
            asks = promotion.phrase.head.tag_ == "WP" and len(promotion.phrase) == 1
            unknown = VerbAgreement(3, plural=False) if asks else None
            agrees = require(agreement(promotion.phrase) or unknown, "agreement")
            plan = _PassivePlan(sentence, chain, subject, promotion, agrees)
            positions = by_phrase_positions(chain, promotion, subject)
            check_quotation(sentence, (subject.start, subject.end, *promotion.gap, chain.verb.idx, positions[0].end))
        except Refusal as error:
            refusal = refusal or error
            continue
        if chain.subject.tag_ == "WP":
            return _question_drafts(plan, positions[0], by)
        if by != "drop":
            with_agent += _drafts_with_agent(plan, positions)
        if by != "keep":
            without_agent.append(_draft(plan, None))
    if refusal is not None and not with_agent and not without_agent:
        raise refusal
    return [*with_agent[:1], *without_agent, *with_agent[1:]]


def _drafts_with_agent(plan: _PassivePlan, positions: list[Token]) -> Iterator[Draft]:
    for position in positions:
        yield _draft(plan, position)
    if plan.promotion.adverb is None and positions[0].i == plan.promotion.anchor.i and _manner_adverbs(plan.chain):
        yield _draft(plan, positions[0], adverb_last=True)


def _draft(plan: _PassivePlan, position: Token | None, *, adverb_last: bool = False) -> Draft:
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
    tail = f" {_by_phrase(subject)}" if position is not None else ""
    adverbs = _manner_adverbs(chain)
    if adverb_last:
        patches.append(cut(adverbs[0].idx, adverbs[-1].end, text))
        tail = f" {' '.join(adverb.text for adverb in adverbs)}{tail}"
        adverbs = []
    if promotion.adverb is not None:
        patches.append(cut(promotion.adverb.idx, promotion.adverb.end, text))
    patches += _verb_patches(plan, new_subject, adverbs)
    if tail:
        offset = (position or chain.verb).end
        patches.append(Patch(offset, offset, tail))
    return make_draft(plan.sentence, patches, promotion.reason)


def _question_drafts(plan: _PassivePlan, position: Token, by: str) -> list[Draft]:
    """ "Who broke it?" becomes "Who was it broken by?" and "By whom was it broken?"."""
    refuse_if(by == "drop", "no-subject")
    following = plan.promotion.phrase.last if position.nbor() in plan.promotion.phrase else position
    refuse_if(plan.promotion.extra or following.nbor().text != "?" or position.i - plan.chain.verb.i > 4, "heavy")
    chain, promotion, text = plan.chain, plan.promotion, plan.sentence.text
    moved = as_subject(promotion.phrase)
    patches = [*promotion.extra, cut(*promotion.gap, text)]
    verb_patches = _verb_patches(plan, moved, [])
    if len(chain.words) == 1:
        be, _, participle_text = verb_patches[-1].new.partition(" ")
        refuse_if(not participle_text, "unclear")
        patches.append(verb_patches[-1]._replace(new=f"{be} {moved} {participle_text}"))
    else:
        offset = chain.first.end
        patches += [*verb_patches, Patch(offset, offset, f" {moved}")]
    end = position.end
    drafts = [make_draft(plan.sentence, [*patches, Patch(end, end, " by")], "the subject is asked for")]
    if chain.subject.lower_ == "who":
        start = chain.subject.idx
        first = Patch(start, chain.subject.end, "By whom" if chain.subject.text[0].isupper() else "by whom")
        drafts.append(make_draft(plan.sentence, [*patches, first], "the subject is asked for, in the formal way"))
    return drafts


def _by_phrase(subject: NounPhrase) -> str:
    words = as_object(subject)
    first, _, rest = words.partition(" ")
    if first in {"only", "even", "just", "mainly", "mostly"} and rest:
        return f"{first} by {rest}"
    return f"by {words}"


def _manner_adverbs(chain: VerbChain) -> list[Token]:
    """Return the adverbs of manner right before the verb; after an auxiliary they precede the participle."""
    verb = chain.verb
    if len(chain.words) == 1:
        return []
    start = max(chain.words[-2].i, chain.subject.i, chain.negation.i if chain.negation is not None else 0)
    adverbs = [adverb for adverb in chain.midfield if adverb.i > start]
    if any(adverb.tag_ not in {"RB", "RBS", "RBR"} or adverb.lower_ in _MEDIAL_ADVERBS for adverb in adverbs):
        return []
    return adverbs if adverbs and adverbs[-1].i == verb.i - 1 and adverbs[0].i == verb.i - len(adverbs) else []


def _verb_patches(plan: _PassivePlan, subject: str, manner: list[Token]) -> list[Patch]:
    """Return the patches of the verbs; the last one replaces the lexical verb."""
    chain, agrees, verb = plan.chain, plan.agrees, plan.chain.verb
    lemma = verb_lemma(verb)
    new_form = require(participle(lemma, verb.lower_), "no-passive")
    if plan.promotion.adverb is not None:
        new_form = f"{plan.promotion.adverb.text} {new_form}"
    patches: list[Patch] = []
    adverbs: Sequence[Token] = manner
    if len(chain.words) == 1:
        be = finite_form("be", is_past=_is_past(verb, lemma), subject=agrees) or ""
        adverbs = () if any(adverb.is_punct for adverb in chain.midfield) else chain.midfield
    elif chain.has_do:
        be = finite_form("be", is_past=full_first_auxiliary(chain) == "did", subject=agrees) or ""
        return [*auxiliary_patches(chain, be, subject, agrees), replace(verb, new_form)]
    else:
        # The auxiliary decides, not the tag: "has … read" may be tagged as an infinitive.
        is_perfect = full_auxiliary(chain.words[-2], verb.tag_) in FORMS_OF_HAVE
        be = "being" if verb.tag_ == "VBG" else "been" if is_perfect else "be"
        patches = auxiliary_patches(chain, full_first_auxiliary(chain), subject, agrees)
    if adverbs:
        return [*patches, insert_before(adverbs[0], be), replace(verb, new_form)]
    return [*patches, replace(verb, f"{be} {new_form}")]


def _is_past(verb: Token, lemma: str) -> bool:
    """Whether a finite verb is in the past; "put" and "read" are so more often than not, unless a habit is meant."""
    if verb.tag_ not in {"VBD", "VBN"} and (verb.tag_ not in {"VBP", "VB"} or verb.lower_ != past_form(lemma)):
        return False
    return verb.lower_ != lemma or not any(
        child.lower_ in _HABIT_ADVERBS or (child.dep_ == "advcl" and child.tag_ in {"VBZ", "VBP"})
        for child in verb.children
    )
