"""The by-phrase of a passive clause: where it can be placed, and whether it names an agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from litotes.languages.base import word_set
from litotes.languages.en import valency
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.negation import NEGATIVE_INDEFINITES
from litotes.languages.en.nouns import MASS_SUPERSENSES, MEASURE_NOUNS, noun_supersense
from litotes.languages.en.quantifiers import ANY_PRONOUNS
from litotes.languages.en.syntax.tags import LINKED_CLAUSE_DEPS, NOMINAL_TAGS, PLAIN_SUBJECT_DEPS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Refusal, refuse_if
from litotes.rewrites.en.grammar.agreement import conjuncts
from litotes.rewrites.en.grammar.noun_phrases import (
    OBJECT_FORMS,
    REFLEXIVES,
    NounPhrase,
    is_pronoun,
    may_be_bound,
)
from litotes.rewrites.en.voice.objects import Promotion
from litotes.rewrites.en.voice.verbs import VerbChain, verb_lemma

PartOrder: TypeAlias = Literal["before", "after"]
"""Whether a part of the clause precedes or follows the by-phrase."""

_DIRECTIONS = word_list("directions")
_NOT_MANNER = word_list("not manner")
_CONTROL_PREPOSITIONS = word_set("instead rather without by before after in while besides despite upon through")
_PLACE_PREPOSITIONS = word_set("in on at inside upon between beside behind above along over around against under")
_TIME_PREPOSITIONS = word_set("since until till during before after within throughout ago despite because besides")
_SUBJECT_ADVERBS = word_set("alone solo single-handedly singlehandedly")
_COMPARISONS = word_set("than like unlike as")
_CONTINUATIONS = frozenset({"and", "or", "which", "who", "whose"})
"""Words that after a by-phrase would be read as a part of it."""
_GOAL_PREPOSITIONS = word_set("to into onto toward towards from off out as of through across down up")
"""Prepositions of phrases that are close to the verb."""
_PREDICATE_DEPS = frozenset({"prt", "oprd", "acomp", "dative"})
_CLAUSE_DEPS = LINKED_CLAUSE_DEPS | word_set("punct cc relcl intj npadvmod")
_RESULT_VERBS = word_set("keep leave hold")
"""Verbs that say in which state something remains: "was held in place by"."""
_UNEXPECTED_DEPS = word_set("neg aux mark appos dobj pobj attr nsubj nmod pcomp")
_PLACES = word_list("places")
_NATURAL_FORCES = word_set("river lake sea fire ocean stream tree wall fence")
_FORCE_VERBS = word_list("force verbs")
"""What rivers and fires do."""
_MANNER_NOUNS = word_list("manner nouns")
"""Nouns that express manner or time after "by", if they are bare or times."""
_MEASURE_NOUNS = word_list("measure nouns")
_ADJECTIVAL_ADVERBS = word_set("much well very so too best better less more most")
"""Adverbs of participles that are almost adjectives: "He is well liked by all"."""
_FOCUS_ADVERBS = word_set("only even mainly mostly partly largely solely merely simply just")
"""Adverbs that belong to the by-phrase, or may do so."""
_PRONOUN_ENDINGS = ("one", "body", "thing")
_MAX_TOKENS = 14
_LOOSE_DEPS = word_set("dep nmod compound appos npadvmod")
_FOODS = word_set("fish chicken shrimp salmon")
_BREAKS = frozenset({",", ";", ":", "(", "—", "–", "--"})
_ANY = ANY_PRONOUNS | {"any", "either"}
_QUANTIFIED = word_list("quantified")


def by_phrase_positions(chain: VerbChain, promotion: Promotion, subject: NounPhrase) -> list[Token]:
    """Return the tokens that the by-phrase can follow, best first."""
    _check_dependents(chain)
    _check_references(chain, promotion)
    position = promotion.anchor
    following: Token | None = None
    first_part: Token | None = None
    for part in _parts(chain, promotion):
        if _order(chain, part, subject) == "after":
            following = part
            break
        position = part.right_edge
        first_part = first_part or part
    _check_end(position, promotion)
    if following is not None and following.dep_ == "prep" and following.right_edge.i - following.left_edge.i < 8:
        positions = [position, following.right_edge]
        # A phrase after a relative clause would be read as a part of it.
        return positions[::-1] if any(child.dep_ in {"relcl", "acl"} for child in subject.head.rights) else positions
    if first_part is not None and first_part.dep_ == "prep":
        return [position, promotion.anchor]
    return [position]


def _check_end(position: Token, promotion: Promotion) -> None:
    """Refuse if the words after a by-phrase would be read as a part of it."""
    following = position.i + 1
    if promotion.phrase.first.i <= following <= promotion.phrase.last.i:
        following = promotion.phrase.last.i + 1
    refuse_if(following < len(position.doc) and position.doc[following].lower_ in _CONTINUATIONS, "coordination")


def _parts(chain: VerbChain, promotion: Promotion) -> list[Token]:
    """Return the dependents of the verbs, and the detached modifiers, after the anchor and the gap."""
    start, phrase = promotion.anchor.i, promotion.phrase
    parts: dict[int, Token] = {part.i: part for part in promotion.left}
    for part in _right_dependents(chain):
        if part in phrase or part.i <= start:
            continue
        if not part.left_edge.i <= phrase.head.i <= part.right_edge.i:
            parts[part.i] = part
            continue
        # A small clause contains the object; its other words are parts too: "made it clear [that …]".
        for child in (part, *part.rights):
            if child.i > start and child not in phrase:
                parts[child.i] = child
    return sorted(parts.values(), key=lambda part: int(part.left_edge.i))


def _right_dependents(chain: VerbChain) -> Iterator[Token]:
    yield from chain.verb.rights
    if chain.top.i != chain.verb.i:
        yield from (child for child in chain.top.rights if child.i > chain.verb.i)
    # A small clause that ends before the anchor can have words after it.
    for child in chain.verb.rights:
        if child.dep_ in {"oprd", "ccomp"} and child.pos_ in {"ADJ", "NOUN", "PROPN"}:
            yield from child.rights


def _order(chain: VerbChain, part: Token, subject: NounPhrase) -> PartOrder:
    dep = part.dep_
    lemma = verb_lemma(chain.verb)
    if lemma in _RESULT_VERBS and dep not in _CLAUSE_DEPS and part.right_edge.i - part.left_edge.i < 4:
        return "before"
    if dep == "prep":
        return _order_of_preposition(chain, part, subject)
    if dep == "advmod":
        return _order_of_adverb(lemma, part)
    if dep in _PREDICATE_DEPS or part.tag_ in {"JJ", "JJR"} or (dep == "npadvmod" and part.lower_ == "way"):
        return "before" if part.right_edge.i - part.left_edge.i < 7 else "after"
    if part.tag_ == "VB" and lemma in valency.EXPERIENCE_VERBS and lemma not in valency.INFINITIVE_AFTER_OBJECT:
        raise Refusal("control")
    # "It amused her to see it": "it" refers to what follows
    refuse_if(dep in {"xcomp", "ccomp"} and subject.text.lower() == "it", "control")
    if (
        dep == "npadvmod"
        and part.left_edge.i == part.i
        and part.tag_ == "NN"
        and part.lemma_.lower() not in MEASURE_NOUNS
    ):
        raise Refusal("unclear")
    refuse_if(dep == "relcl" and part.left_edge.lower_ != "that" and part.left_edge.tag_ != "WRB", "unclear")
    if dep in _UNEXPECTED_DEPS or (dep == "ccomp" and part.tag_ in {"VBZ", "VBP", "VBD"} and not _has_subject(part)):
        raise Refusal("unclear")
    return "after"


def _order_of_preposition(chain: VerbChain, part: Token, subject: NounPhrase) -> PartOrder:
    noun = _complement_of(part)
    _check_preposition(chain, part, noun)
    word = part.lower_
    length = part.right_edge.i - part.left_edge.i + 1
    if length > 8 or word in _TIME_PREPOSITIONS or noun.lemma_.lower() in MEASURE_NOUNS or noun.tag_ == "CD":
        return "after"
    if may_be_bound(NounPhrase(noun, noun.left_edge, noun.right_edge), subject):
        refuse_if(subject.head.lower_ in {"i", "you", "we"}, "bound")
        return "after"
    if length > 4 and is_pronoun(subject):
        return "after"
    return "before" if _is_close(verb_lemma(chain.verb), word, noun) else "after"


def _complement_of(preposition: Token) -> Token:
    """Return what follows a preposition, or two: "out of the goal"."""
    for child in preposition.children:
        if child.dep_ in {"pobj", "pcomp"}:
            return child
    for child in preposition.children:
        if child.dep_ == "prep":
            return _complement_of(child)
    raise Refusal("unclear")  # "What did you do it for?"


def _check_preposition(chain: VerbChain, preposition: Token, noun: Token) -> None:
    word = preposition.lower_
    refuse_if(word in {"than", "like", "unlike"}, "comparison")
    refuse_if(word == "about" and verb_lemma(chain.verb) not in valency.TELLING_VERBS, "attachment")
    refuse_if(noun.dep_ == "pcomp" and noun.tag_.startswith("VB") and word in _CONTROL_PREPOSITIONS, "control")
    if preposition.right_edge.i - preposition.i > 8 and any(
        token.dep_ == "cc" or token.text == "," for token in preposition.subtree
    ):
        raise Refusal("heavy")


def _is_close(lemma: str, word: str, noun: Token) -> bool:
    """Whether a phrase is so close to the verb that the by-phrase follows it."""
    if word == "for":
        return noun.tag_ == "PRP" or noun_supersense(noun) == "person"
    if word == "with":
        return lemma in valency.TOOL_VERBS and not noun.has_child("det", "poss")
    if word in _PLACE_PREPOSITIONS:
        return lemma in valency.PUTTING_VERBS
    return word in _GOAL_PREPOSITIONS or word == "about"


def _order_of_adverb(lemma: str, part: Token) -> PartOrder:
    word = part.lower_
    if word in {"here", "there"}:
        return "before" if lemma in valency.PUTTING_VERBS else "after"
    refuse_if(word in _SUBJECT_ADVERBS, "adverb")
    refuse_if(has_word(part.subtree, _COMPARISONS), "comparison")
    # "instead of …ing"
    refuse_if(any(token.dep_ == "pcomp" and token.tag_ == "VBG" for token in part.subtree), "control")
    if part.left_edge.i != part.right_edge.i:
        return "before" if word == "much" else "after"
    return "before" if word in _DIRECTIONS or (word.endswith("ly") and word not in _NOT_MANNER) else "after"


def _check_dependents(chain: VerbChain) -> None:
    """Refuse if anything in the sentence depends on the old subject."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            dep = child.dep_
            refuse_if(dep == "conj" and not _has_subject(child), "coordination")
            if dep == "advcl":
                _check_adverbial(child)
            elif dep == "prep" and child.i < chain.subject.i:
                refuse_if(_has_gerund(child), "control")
            elif dep in {"dep", "parataxis"} and child.i > verb.i and child.is_verbal:
                # A question tag, two sentences in one, or a second verb.
                raise Refusal("tag" if child.has_child("nsubj") else "coordination")


def _check_references(chain: VerbChain, promotion: Promotion) -> None:
    tokens = chain.top.doc.tokens
    refuse_if(has_word(tokens[chain.top.left_edge.i : chain.subject.i], REFLEXIVES), "bound")
    predicate = tokens[chain.verb.i : chain.top.right_edge.i + 1]
    refuse_if(sum(token.lower_ == "as" for token in predicate) > 1, "comparison")
    subject = OBJECT_FORMS.get(chain.subject.lower_)
    verbs = {chain.top.i, chain.verb.i}
    for token in predicate[1:]:
        word = token.lower_
        is_subject = word == subject and token.head.head is chain.verb
        refuse_if(word in REFLEXIVES or word == "own" or is_subject, "bound")
        is_of_verb = token.head.i in verbs or token.head.head.i in verbs
        refuse_if(word in {"like", "unlike"} and token.tag_ == "IN" and is_of_verb, "comparison")
        refuse_if(word == "than" or (word == "as" and has_word(promotion.phrase.tokens, {"same"})), "comparison")
        refuse_if(word == "by" and token.head.i in verbs, "attachment")  # two by-phrases


def _has_subject(clause: Token) -> bool:
    return clause.has_child(*PLAIN_SUBJECT_DEPS, "csubj")


def _has_gerund(preposition: Token) -> bool:
    return any(child.dep_ == "pcomp" and child.tag_ == "VBG" for child in preposition.children)


def _check_adverbial(clause: Token) -> None:
    """Refuse an adverbial clause that shares the subject: "Smiling, he opened it"; purposes ("to let her in") may."""
    if any(child.dep_ in {"mark", "advmod"} and child.lower_ == "like" for child in clause.children):
        raise Refusal("comparison")
    if _has_subject(clause) or (clause.tag_ == "VB" and has_word(clause.children, {"to"})):
        return
    raise Refusal("control")


def check_agent(chain: VerbChain, subject: NounPhrase, by: Token, agent: NounPhrase) -> None:
    """Refuse by-phrases that do not name an agent, and clauses that have no active form."""
    refuse_if(_is_not_agent(agent, verb_lemma(chain.verb)), "not-agent")
    _check_verb(chain, by)
    _check_phrases(subject, agent)
    _check_scope(chain, subject, agent)
    _check_dependent_verbs(chain, by)
    _check_following(chain, subject, agent)


def _is_not_agent(agent: NounPhrase, lemma: str) -> bool:
    head = agent.head
    lower = head.lemma_.lower()
    if head.tag_ not in NOMINAL_TAGS or head.lower_ in REFLEXIVES:
        return True
    is_bare = len(agent) == 1 and head.tag_ in {"NN", "NNP"}
    # “by the end of May”
    measures_time = head.lower_ in _MEASURE_NOUNS or any(child.tag_ == "CD" for child in head.children)
    if lower in _MANNER_NOUNS and (is_bare or measures_time):
        return True
    if lemma == "know" and head.tag_ in {"NN", "NNS"} and noun_supersense(head) not in {"person", "group"}:
        return True  # "A tree is known by its fruit"
    return lower in _PLACES and not (lower in _NATURAL_FORCES and lemma in _FORCE_VERBS)


def _check_verb(chain: VerbChain, by: Token) -> None:
    refuse_if(not is_known(verb_lemma(chain.verb), "v"), "unclear")
    for token in chain.midfield:
        refuse_if(token.lower_ in _ADJECTIVAL_ADVERBS or token.lower_ in _FOCUS_ADVERBS, "adverb")
        refuse_if(token.is_punct, "heavy")
    refuse_if(by.nbor(-1).lower_ in _FOCUS_ADVERBS, "adverb")
    refuse_if(any(child.dep_ in _LOOSE_DEPS for child in chain.top.lefts), "unclear")


def _check_phrases(subject: NounPhrase, agent: NounPhrase) -> None:
    for phrase in (subject, agent):
        refuse_if(len(phrase) > _MAX_TOKENS or any(token.text in _BREAKS for token in phrase.tokens), "heavy")
        refuse_if(any(token.dep_ == "cc" and token.lower_ in {"but", "yet"} for token in phrase.tokens), "coordination")
        if any(noun.tag_[:2] not in {"NN", "PR", "CD", "DT"} for noun in conjuncts(phrase.head)[1:]):
            raise Refusal("coordination")
    head = subject.head
    refuse_if(head.tag_ in {"EX", "WRB"}, "no-subject")
    refuse_if(head.tag_ == "WDT", "unclear")
    refuse_if(len(subject) == 1 and _may_be_name(head), "unclear")


def _may_be_name(head: Token) -> bool:
    """Whether a capital at the start of a sentence may be that of a name that the parser takes for a noun."""
    if head.tag_ != "NN" or not head.text[:1].isupper() or head.lower_.endswith(_PRONOUN_ENDINGS):
        return False
    return noun_supersense(head) not in MASS_SUPERSENSES | {"artifact"} and head.lower_ not in _FOODS


def _check_scope(chain: VerbChain, subject: NounPhrase, agent: NounPhrase) -> None:
    refuse_if(has_word(agent.tokens, _ANY), "polarity")
    if has_word(chain.midfield, {"ever", "yet", "any"}) and chain.negation is None:
        raise Refusal("polarity")
    if chain.negation is None:
        return
    refuse_if(any(token.lower_ in _QUANTIFIED or token.tag_ == "CD" for token in subject.tokens), "scope")
    refuse_if(has_word(agent.tokens, NEGATIVE_INDEFINITES | {"no"}), "scope")


def _check_dependent_verbs(chain: VerbChain, by: Token) -> None:
    """Refuse if another verb depends on the subject, which moves."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            has_subject = child.has_child("nsubj", "nsubjpass", "expl")
            refuse_if(child.dep_ == "conj" and not has_subject, "coordination")
            refuse_if(child.dep_ == "advcl" and not has_subject and child.tag_ != "VB", "control")
            refuse_if(child.dep_ == "prep" and _has_gerund(child), "control")
            if child.dep_ in {"dep", "parataxis"} and child.is_verbal and child.i > verb.i:
                raise Refusal("tag" if has_subject else "coordination")
    refuse_if(chain.verb.dep_ == "conj" and chain.top.i != chain.verb.i, "coordination")
    if any(token.dep_ == "cc" and token.head.i == chain.verb.i for token in by.doc[chain.verb.i : by.i]):
        raise Refusal("coordination")


def _check_following(chain: VerbChain, subject: NounPhrase, agent: NounPhrase) -> None:
    following = agent.last.next
    if following is not None and following.text == ",":
        following = following.next
    if following is None:
        return
    refuse_if(following.tag_ == "POS" or has_word(agent.tokens, REFLEXIVES), "unclear")
    refuse_if(following.tag_ in {"WDT", "WP", "WP$"} and chain.verb.lemma_ not in valency.TELLING_VERBS, "heavy")
    refuse_if(following.lower_ == "that" and verb_lemma(chain.verb) not in valency.TELLING_VERBS, "heavy")
    # "It was reported by them that …"
    refuse_if(subject.text.lower() == "it" and any(child.dep_ == "ccomp" for child in chain.verb.rights), "unclear")
