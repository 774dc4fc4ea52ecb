"""By-phrases: those that name an agent, and those that express time, place or manner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.negation import NEGATIVE_INDEFINITES
from litotes.languages.en.nouns import CLOTHES, MASS_SUPERSENSES, SCENE_NOUNS, noun_supersense
from litotes.languages.en.prepositions import PLACE_PREPOSITIONS
from litotes.languages.en.quantifiers import ANY_PRONOUNS
from litotes.languages.en.syntax.tags import NOMINAL_TAGS
from litotes.languages.en.valency import TELLING_VERBS, TOOL_VERBS
from litotes.rewrites.en.grammar.agreement import conjuncts
from litotes.rewrites.en.grammar.noun_phrases import REFLEXIVES, NounPhrase, noun_phrase
from litotes.rewrites.en.voice.verb_chain import Refusal, VerbChain
from litotes.rewrites.en.voice.verb_forms import verb_lemma

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_PLACES = word_set(
    """
    river lake sea window door road roadside fire fireplace bed bedside side wall gate pool beach shore ocean coast
    entrance curb kerb seaside lakeside riverside sidewalk highway station bridge pond stream canal table desk
    counter tree fence stove sink
    """
)
_NATURAL_FORCES = word_set("river lake sea fire ocean stream tree wall fence")
_FORCE_VERBS = word_set(
    """
    destroy flood kill damage swallow carry sweep wash hit burn surround cover consume separate divide protect shade
    block enclose feed hide drown shelter bound border
    """
)
"""What rivers and fires do."""
_MANNER_NOUNS = word_set(
    """
    hand accident mistake chance car bus train plane boat ship mail email e-mail phone post far force law default
    name nature then now tomorrow today noon midnight night day morning evening heart fax telephone horse bike
    bicycle foot air land sea rail taxi truck ferry definition design virtue means way surprise order rote memory
    sight lot proxy degrees turns itself themselves himself herself yourself myself ourselves weight height length
    size percent % o'clock storm age birth marriage blood profession trade popular demand request request-only
    credit cash cheque check monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december week month year end deadline time dawn dusk dozen
    hundred thousand
    """
)
"""Nouns that express manner or time after "by", if they are bare or times."""
_MEASURE_NOUNS = word_set(
    "end time deadline o'clock percent % year month week day dozen hundred thousand pound hour kilo ton"
)
_ADJECTIVAL_ADVERBS = word_set("much well very so too best better less more most")
"""Adverbs of participles that are almost adjectives: "He is well liked by all"."""
_FOCUS_ADVERBS = word_set("only even mainly mostly partly largely solely merely simply just")
"""Adverbs that belong to the by-phrase, or may do so."""
_PRONOUN_ENDINGS = ("one", "body", "thing")
_MAX_TOKENS = 14
_BREAKS = frozenset({",", ";", ":", "(", "—", "–", "--"})
_ANY = ANY_PRONOUNS | {"any", "either"}
_QUANTIFIED = word_set(
    """
    all every each both many some several few most everyone everybody everything someone something
    """
)


def find_by(chain: VerbChain) -> Token:
    """Return the "by" of a passive clause; the parser may have attached it to another word of the clause."""
    verb = chain.verb
    attached = [token for token in verb.rights if token.lower_ == "by" and token.dep_ in {"agent", "prep"}]
    if len(attached) > 1:
        agents = [token for token in attached if token.dep_ == "agent"]
        attached = agents if len(agents) == 1 else []
        if not attached:
            raise Refusal("unclear")
    if attached:
        return attached[0]
    loose = [
        token
        for token in verb.doc[verb.i + 1 : chain.top.right_edge.i + 1]
        if token.lower_ == "by" and token.dep_ in {"agent", "prep"} and _is_attached_nearby(token, verb)
    ]
    if len(loose) != 1:
        raise Refusal("no-agent" if not loose else "unclear")
    return loose[0]


def _is_attached_nearby(by: Token, verb: Token) -> bool:
    """Whether "by" depends on the end of a phrase or infinitive of the verb, and names a living being."""
    head = by.head
    if head.i < verb.i or head.dep_ not in {"pobj", "xcomp", "advcl", "dobj", "prep", "oprd"}:
        return False
    noun = next((child for child in by.children if child.dep_ == "pobj"), None)
    if noun is None or not (noun.tag_ == "PRP" or noun_supersense(noun) in {"person", "animal"}):
        return False
    return all(token.dep_ not in {"relcl", "acl"} for token in (head, *head.ancestors) if token.i > verb.i)


def agent_phrase(chain: VerbChain, by: Token) -> NounPhrase | None:
    """Return the noun phrase after "by" without phrases that say where the action takes place."""
    noun = next((child for child in by.children if child.dep_ == "pobj"), None)
    if noun is None or noun.i < by.i:
        raise Refusal("not-agent" if any(child.dep_ == "pcomp" for child in by.children) else "unclear")
    settings = [child for child in noun.rights if _is_setting(chain, noun, child)][:1]
    phrase = noun_phrase(noun, leave=settings)
    if phrase is None or phrase.first.i != by.i + 1:
        return None
    return _with_clothes(phrase) if not settings else phrase


def _with_clothes(phrase: NounPhrase) -> NounPhrase:
    """Add what a person wears, whatever word the parser attaches it to: "by a boy in a helmet"."""
    doc, index = phrase.head.doc, phrase.last.i + 1
    if index == len(doc) or doc[index].lower_ != "in" or phrase.head.tag_ == "PRP":
        return phrase
    clothing = next((child for child in doc[index].children if child.dep_ == "pobj"), None)
    if clothing is None or clothing.lemma_.lower() not in CLOTHES:
        return phrase
    return NounPhrase(phrase.head, phrase.first, clothing.right_edge)


def _is_setting(chain: VerbChain, noun: Token, child: Token) -> bool:
    """Whether a phrase on the agent belongs to the verb: a place, a time, a tool or a purpose."""
    if child.dep_ in {"acl", "relcl"}:
        return child.tag_ == "VB" and child.left_edge.lower_ == "to"  # a purpose
    if child.dep_ != "prep":
        return False
    location = next((grandchild for grandchild in child.children if grandchild.dep_ == "pobj"), None)
    if location is None or any(grandchild.tag_ == "PRP$" for grandchild in location.lefts):
        return False
    if child.lower_ == "with":
        return noun.tag_ == "PRP" or noun.lower_ in {"someone", "somebody"} or verb_lemma(chain.verb) in TOOL_VERBS
    if child.lower_ in {"into", "onto", "through", "across", "during", "since", "until", "after", "before", "to"}:
        return True
    return child.lower_ in PLACE_PREPOSITIONS | {"along"} and (
        location.lower_ in SCENE_NOUNS or noun_supersense(location) in {"location", "object"} or location.tag_ == "CD"
    )


def check_agent(chain: VerbChain, subject: NounPhrase, by: Token, agent: NounPhrase) -> None:
    """Refuse by-phrases that do not name an agent, and clauses that have no active form."""
    if _is_not_agent(agent, verb_lemma(chain.verb)):
        raise Refusal("not-agent")
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
    if lower in _MANNER_NOUNS and (is_bare or _measures_time(head)):
        return True
    if lemma == "know" and head.tag_ in {"NN", "NNS"} and noun_supersense(head) not in {"person", "group"}:
        return True  # "A tree is known by its fruit"
    return lower in _PLACES and not (lower in _NATURAL_FORCES and lemma in _FORCE_VERBS)


def _measures_time(head: Token) -> bool:
    """Whether a noun expresses time or measure although it has modifiers: "by the end of May"."""
    return head.lower_ in _MEASURE_NOUNS or any(child.tag_ == "CD" for child in head.children)


def _check_verb(chain: VerbChain, by: Token) -> None:
    if not is_known(verb_lemma(chain.verb), "v"):
        raise Refusal("unclear")
    for token in chain.midfield:
        if token.lower_ in _ADJECTIVAL_ADVERBS or token.lower_ in _FOCUS_ADVERBS:
            raise Refusal("adverb")
        if token.is_punct:
            raise Refusal("heavy")
    if by.nbor(-1).lower_ in _FOCUS_ADVERBS:
        raise Refusal("adverb")
    if any(child.dep_ in {"dep", "nmod", "compound", "appos", "npadvmod"} for child in chain.top.lefts):
        raise Refusal("unclear")


def _check_phrases(subject: NounPhrase, agent: NounPhrase) -> None:
    for phrase in (subject, agent):
        if len(phrase) > _MAX_TOKENS or any(
            token.text in {",", ";", ":", "(", "—", "–", "--"} for token in phrase.tokens
        ):
            raise Refusal("heavy")
        if any(token.dep_ == "cc" and token.lower_ in {"but", "yet"} for token in phrase.tokens):
            raise Refusal("coordination")
        if any(noun.tag_[:2] not in {"NN", "PR", "CD", "DT"} for noun in conjuncts(phrase.head)[1:]):
            raise Refusal("coordination")
    head = subject.head
    if head.tag_ in {"EX", "WRB"}:
        raise Refusal("no-subject")
    if head.tag_ == "WDT":
        raise Refusal("unclear")
    if len(subject) == 1 and _may_be_name(head):
        raise Refusal("unclear")


def _may_be_name(head: Token) -> bool:
    """Whether a capital at the start of a sentence may be that of a name that the parser takes for a noun."""
    if head.tag_ != "NN" or not head.text[:1].isupper() or head.lower_.endswith(_PRONOUN_ENDINGS):
        return False
    return noun_supersense(head) not in MASS_SUPERSENSES | {"artifact"} and head.lower_ not in {
        "fish",
        "chicken",
        "shrimp",
        "salmon",
    }


def _check_scope(chain: VerbChain, subject: NounPhrase, agent: NounPhrase) -> None:
    if any(token.lower_ in _ANY for token in agent.tokens):
        raise Refusal("polarity")
    if any(token.lower_ in {"ever", "yet", "any"} for token in chain.midfield) and chain.negation is None:
        raise Refusal("polarity")
    if chain.negation is None:
        return
    if any(token.lower_ in _QUANTIFIED or token.tag_ == "CD" for token in subject.tokens):
        raise Refusal("scope")
    if any(token.lower_ in NEGATIVE_INDEFINITES | {"no"} for token in agent.tokens):
        raise Refusal("scope")


def _check_dependent_verbs(chain: VerbChain, by: Token) -> None:
    """Refuse if another verb depends on the subject, which moves."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            _check_child(verb, child)
    if chain.verb.dep_ == "conj" and chain.top.i != chain.verb.i:
        raise Refusal("coordination")
    if any(token.dep_ == "cc" and token.head.i == chain.verb.i for token in by.doc[chain.verb.i : by.i]):
        raise Refusal("coordination")


def _check_child(verb: Token, child: Token) -> None:
    has_subject = any(grandchild.dep_ in {"nsubj", "nsubjpass", "expl"} for grandchild in child.children)
    if child.dep_ == "conj" and not has_subject:
        raise Refusal("coordination")
    if child.dep_ == "advcl" and not has_subject and child.tag_ != "VB":
        raise Refusal("control")
    if child.dep_ == "prep" and any(
        grandchild.dep_ == "pcomp" and grandchild.tag_ == "VBG" for grandchild in child.children
    ):
        raise Refusal("control")
    if child.dep_ in {"dep", "parataxis"} and child.pos_ in {"VERB", "AUX"} and child.i > verb.i:
        raise Refusal("tag" if has_subject else "coordination")


def _check_following(chain: VerbChain, subject: NounPhrase, agent: NounPhrase) -> None:
    """Refuse if the words after the agent would lose their connection to it."""
    doc, index = agent.head.doc, agent.last.i + 1
    if index < len(doc) and doc[index].text == ",":
        index += 1
    if index == len(doc):
        return
    following = doc[index]
    if following.tag_ == "POS" or any(token.lower_ in REFLEXIVES for token in agent.tokens):
        raise Refusal("unclear")
    if following.tag_ in {"WDT", "WP", "WP$"} and chain.verb.lemma_ not in TELLING_VERBS:
        raise Refusal("heavy")
    if following.lower_ == "that" and verb_lemma(chain.verb) not in TELLING_VERBS:
        raise Refusal("heavy")
    if subject.text.lower() == "it" and any(child.dep_ == "ccomp" for child in chain.verb.rights):
        raise Refusal("unclear")  # "It was reported by them that …"
