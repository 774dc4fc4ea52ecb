"""The rule `active`: put a passive clause with a by-phrase into the active."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litotes.languages.base import capitalised
from litotes.languages.en import valency
from litotes.languages.en.function_words import PLACE_PREPOSITIONS
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.nouns import CLOTHES, SCENE_NOUNS, noun_supersense
from litotes.languages.en.syntax.tags import WH_TAGS
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, change_each, refuse_if, require, rule
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.en.grammar.noun_phrases import (
    NounPhrase,
    agreement,
    as_object,
    as_subject,
    is_pronoun,
    noun_phrase,
)
from litotes.rewrites.en.voice.by_phrase import check_agent
from litotes.rewrites.en.voice.verbs import (
    VOICE_SKIPS,
    VerbChain,
    auxiliary_patches,
    check_quotation,
    clause_verbs,
    cut,
    finite_form,
    full_first_auxiliary,
    has_initial_capital,
    make_draft,
    participle,
    past_form,
    read_chain,
    verb_lemma,
)
from litotes.rewrites.patches import Patch, insert_after, insert_before, replace

_SKIPS = VOICE_SKIPS | {
    "not-passive": "the clause is not passive",
    "no-agent": "the sentence does not name an agent",
    "not-agent": "its “by” expresses time, place or manner",
    "polarity": "a word like “any” would lose the negation that it needs",
    "bound": "the subject refers to itself",
    "adverb": "an adverb turns the participle into an adjective",
}


@dataclass(frozen=True)
class _PassiveClause:
    """The parts of a passive clause."""

    chain: VerbChain
    be: Token
    """The "be" or "get" of the passive."""
    subject: NounPhrase
    by: Token
    agent: NounPhrase
    agrees: VerbAgreement | None


@rule("active", effect="same", needs=("parse", "lexicon", "inflection"), skips=_SKIPS)
def active(sentence: Sentence) -> Iterator[Outcome]:
    """Put a passive clause with a by-phrase into the active: “He was attacked by them.” → “They attacked him.”"""
    refuse_if(" by " not in sentence.text, "no-agent")
    return change_each(clause_verbs(sentence), lambda verb: _clause(sentence, verb))


def _clause(sentence: Sentence, verb: Token) -> Iterator[Draft]:
    refuse_if(not verb.is_verbal, "no-clause")
    clause = _read(verb)
    check_agent(clause.chain, clause.subject, clause.by, clause.agent)
    edges = (clause.subject.start, clause.subject.end, clause.by.idx, clause.agent.end)
    check_quotation(sentence, (*edges, clause.chain.verb.idx))
    for position, preposition, reason in _object_positions(clause):
        yield _draft(sentence, clause, position, preposition, reason)
    adverb = clause.chain.verb.nbor()
    if adverb.dep_ == "advmod" and adverb.lower_.endswith("ly") and clause.subject.first.tag_ not in WH_TAGS:
        yield _draft(sentence, clause, clause.chain.verb.end, "", "the adverb before the verb", adverb=adverb)


def _read(verb: Token) -> _PassiveClause:
    chain = _chain(verb)
    be = require(chain.words[-2] if len(chain.words) > 1 else None, "not-passive")
    refuse_if(verb_lemma(be) not in {"be", "get"} or chain.verb.tag_ not in {"VBN", "VBD", "JJ"}, "not-passive")
    by = _find_by(chain)
    subject = noun_phrase(chain.subject)
    agent = _agent_phrase(chain, by)
    if subject is None or agent is None:
        raise Refusal("unclear")
    return _PassiveClause(chain, be, subject, by, agent, agreement(agent))


def _chain(verb: Token) -> VerbChain:
    """Return the verbs; "was surprised" too, which the parser takes for a copula with an adjective."""
    chain = read_chain(verb)
    if chain.verb.lemma_ != "be":
        return chain
    for child in chain.verb.rights:
        if child.dep_ not in {"acomp", "attr"} or child.tag_ not in {"VBN", "JJ"}:
            continue
        if any(grandchild.lower_ == "by" and grandchild.dep_ in {"agent", "prep"} for grandchild in child.rights):
            return VerbChain(chain.top, (*chain.words, child), chain.negation, chain.subject)
    raise Refusal("not-passive")


def _find_by(chain: VerbChain) -> Token:
    """Return the "by" of a passive clause; the parser may have attached it to another word of the clause."""
    verb = chain.verb
    attached = [token for token in verb.rights if token.lower_ == "by" and token.dep_ in {"agent", "prep"}]
    if len(attached) > 1:
        agents = [token for token in attached if token.dep_ == "agent"]
        attached = agents if len(agents) == 1 else []
        refuse_if(not attached, "unclear")
    if attached:
        return attached[0]
    loose = [
        token
        for token in verb.doc[verb.i + 1 : chain.top.right_edge.i + 1]
        if token.lower_ == "by" and token.dep_ in {"agent", "prep"} and _is_attached_nearby(token, verb)
    ]
    refuse_if(len(loose) != 1, "no-agent" if not loose else "unclear")
    return loose[0]


def _is_attached_nearby(by: Token, verb: Token) -> bool:
    """Whether "by" depends on the end of a phrase or infinitive of the verb, and names a living being."""
    head = by.head
    if head.i < verb.i or head.dep_ not in {"pobj", "xcomp", "advcl", "dobj", "prep", "oprd"}:
        return False
    noun = by.child("pobj")
    if noun is None or not (noun.tag_ == "PRP" or noun_supersense(noun) in {"person", "animal"}):
        return False
    return all(token.dep_ not in {"relcl", "acl"} for token in (head, *head.ancestors) if token.i > verb.i)


def _agent_phrase(chain: VerbChain, by: Token) -> NounPhrase | None:
    """Return the noun phrase after "by" without phrases that say where the action takes place."""
    noun = by.child("pobj")
    if noun is None or noun.i < by.i:
        raise Refusal("not-agent" if by.has_child("pcomp") else "unclear")
    settings = [child for child in noun.rights if _is_setting(chain, noun, child)][:1]
    phrase = noun_phrase(noun, leave=settings)
    if phrase is None or phrase.first.i != by.i + 1:
        return None
    return _with_clothes(phrase) if not settings else phrase


def _with_clothes(phrase: NounPhrase) -> NounPhrase:
    """Add what a person wears, whatever word the parser attaches it to: "by a boy in a helmet"."""
    following = phrase.last.next
    if following is None or following.lower_ != "in" or phrase.head.tag_ == "PRP":
        return phrase
    clothing = following.child("pobj")
    if clothing is None or clothing.lemma_.lower() not in CLOTHES:
        return phrase
    return NounPhrase(phrase.head, phrase.first, clothing.right_edge)


def _is_setting(chain: VerbChain, noun: Token, child: Token) -> bool:
    """Whether a phrase on the agent belongs to the verb: a place, a time, a tool or a purpose."""
    if child.dep_ in {"acl", "relcl"}:
        return child.tag_ == "VB" and child.left_edge.lower_ == "to"  # a purpose
    if child.dep_ != "prep":
        return False
    location = child.child("pobj")
    if location is None or any(grandchild.tag_ == "PRP$" for grandchild in location.lefts):
        return False
    if child.lower_ == "with":
        return (
            noun.tag_ == "PRP" or noun.lower_ in {"someone", "somebody"} or verb_lemma(chain.verb) in valency.TOOL_VERBS
        )
    if child.lower_ in {"into", "onto", "through", "across", "during", "since", "until", "after", "before", "to"}:
        return True
    return child.lower_ in PLACE_PREPOSITIONS | {"along"} and (
        location.lower_ in SCENE_NOUNS or noun_supersense(location) in {"location", "object"} or location.tag_ == "CD"
    )


def _object_positions(clause: _PassiveClause) -> Iterator[tuple[int, str, str]]:
    """Yield the offset for the object, the preposition before it and the reason; best first."""
    verb = clause.chain.verb
    particle = verb.next if verb.next is not None and verb.next.dep_ == "prt" else None
    stranded = _stranded_preposition(clause)
    if stranded is not None:
        yield stranded.end, "", "the subject as object of the preposition"
        return
    if particle is not None and particle.lower_ == "on" and verb_lemma(verb) not in valency.SEPARABLE_ON_VERBS:
        yield particle.end, "", "the subject as object of the preposition"  # "hit on her"
        return
    if particle is not None and not is_pronoun(clause.subject):
        yield particle.end, "", "the subject as object"
        yield verb.end, "", "the subject as object, before the particle"
        return
    yield verb.end, "", "the subject as object"
    receiver = next((child for child in verb.rights if child.dep_ in {"dative", "prep"} and child.lower_ == "to"), None)
    if receiver is None and verb_lemma(verb) in valency.GIVING_VERBS:
        obj = next((child for child in verb.rights if child.dep_ == "dobj" and child.i < clause.by.i), None)
        if obj is not None and obj.left_edge.i == verb.i + 1:
            yield obj.right_edge.end, "to ", "the receiver after the thing"


def _stranded_preposition(clause: _PassiveClause) -> Token | None:
    """Return a preposition without a complement: "was laughed at by everyone"."""
    before = clause.by.nbor(-1)
    if before.i <= clause.chain.verb.i or before.tag_ not in {"IN", "RP", "TO"} or before.dep_ == "prt":
        return None
    return None if before.has_child("pobj", "pcomp") else before


def _draft(
    sentence: Sentence,
    clause: _PassiveClause,
    position: int,
    preposition: str,
    reason: str,
    *,
    adverb: Token | None = None,
) -> Draft:
    chain, text = clause.chain, sentence.text
    new_subject = as_subject(clause.agent)
    patches = [cut(clause.by.idx, clause.agent.end, text)]
    patches += _verb_patches(clause, new_subject)
    if clause.subject.first.tag_ not in WH_TAGS:
        shown = capitalised(new_subject) if has_initial_capital(clause.subject.first) else new_subject
        patches.append(Patch(clause.subject.start, clause.subject.end, shown))
        patches.append(Patch(position, position, f" {preposition}{as_object(clause.subject)}"))
    if adverb is not None:
        patches += [cut(adverb.idx, adverb.end, text), insert_before(chain.verb, adverb.text)]
    patches += _without_to(chain)
    return make_draft(sentence, patches, reason)


def _without_to(chain: VerbChain) -> list[Patch]:
    """Return the patch that deletes the "to" of "was made to go"."""
    if verb_lemma(chain.verb) not in valency.BARE_INFINITIVE_AFTER_OBJECT:
        return []
    for child in chain.verb.rights:
        if child.dep_ in {"xcomp", "advcl", "ccomp"} and child.tag_ == "VB":
            to = next((left for left in child.lefts if left.lower_ == "to"), None)
            if to is not None and to.i == child.i - 1:
                return [cut(to.idx, to.end, to.doc.text)]
    return []


def _agreement(clause: _PassiveClause) -> VerbAgreement:
    """Return the agreement of the new subject; if it is unknown, only pasts and modals are possible."""
    if clause.agrees is not None:
        return clause.agrees
    first = full_first_auxiliary(clause.chain)
    if clause.chain.first.tag_ == "MD" or first in {"had", "did", "got"}:
        return VerbAgreement(3, False)
    if first in {"was", "were"} and clause.be.i == clause.chain.first.i:
        return VerbAgreement(3, False)
    raise Refusal("agreement")


def _verb_patches(clause: _PassiveClause, subject: str) -> list[Patch]:
    """Return the patches of the verbs; "What was broken by Tom?" becomes "What did Tom break?"."""
    chain, be, agrees = clause.chain, clause.be, _agreement(clause)
    verb = chain.verb
    lemma = verb_lemma(verb)
    asks_for_object = clause.subject.first.tag_ in WH_TAGS
    refuse_if(asks_for_object and (chain.negation is not None or chain.midfield), "unclear")
    if be.i != chain.first.i:
        patches = auxiliary_patches(chain, full_first_auxiliary(chain), subject, agrees)
        patches += [cut(be.idx, be.end, be.doc.text), replace(verb, _verb_form(lemma, be, verb))]
        return [*patches, insert_after(chain.first, subject)] if asks_for_object else patches
    is_past = be.tag_ == "VBD"
    if asks_for_object or chain.negation is not None or chain.is_inverted:
        auxiliary = finite_form("do", is_past=is_past, subject=agrees) or ""
        words = f"{auxiliary} {subject}" if asks_for_object else auxiliary
        return [*_do_patches(chain, words), replace(verb, lemma)]
    form = (past_form(lemma) if is_past else finite_form(lemma, is_past=False, subject=agrees)) or ""
    refuse_if(not form, "unclear")
    return [cut(be.idx, be.end, be.doc.text), replace(verb, form)]


def _verb_form(lemma: str, be: Token, verb: Token) -> str:
    """Return the verb in the form that the passive "be" has."""
    if be.tag_ not in {"VBG", "VBN"}:
        return lemma
    return require(inflect(lemma, "VBG") if be.tag_ == "VBG" else participle(lemma, verb.lower_), "unclear")


def _do_patches(chain: VerbChain, words: str) -> list[Patch]:
    """Put "do" in the place of "be"; if "be" was contracted, "not" is contracted with "do": "I'm not", "they don't"."""
    token, negation = chain.first, chain.negation
    if token.text[0] not in "'’":
        shown = capitalised(words) if token.text[0].isupper() else words
        return [replace(token, shown)]
    if negation is not None and negation.i == token.i + 1:
        return [Patch(token.idx, negation.end, f" {words}n{token.text[0]}t")]
    return [replace(token, f" {words}")]
