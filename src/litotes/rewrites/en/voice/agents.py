"""By-phrases: those that name who does something, and those that tell the time, the place or the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.nouns import CLOTHES, SCENE_NOUNS, noun_supersense
from litotes.languages.en.valency import TELLING_VERBS, TOOL_VERBS
from litotes.rewrites.en.grammar.agreement import conjuncts
from litotes.rewrites.en.grammar.noun_phrases import REFLEXIVES, NounPhrase, noun_phrase
from litotes.rewrites.en.voice.chain import Chain, Refusal
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
_NATURE = word_set("river lake sea fire ocean stream tree wall fence")
_ACTING = word_set(
    """
    destroy flood kill damage swallow carry sweep wash hit burn surround cover consume separate divide protect shade
    block enclose feed hide drown shelter bound border
    """
)
"""What rivers and fires do."""
_WAYS = word_set(
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
"""Nouns that after "by", bare or as times, tell how or when."""
_MEASURES = word_set(
    "end time deadline o'clock percent % year month week day dozen hundred thousand pound hour kilo ton"
)
_ADJECTIVAL = word_set("much well very so too best better less more most")
"""Adverbs of participles that are half adjectives: "He is well liked by all"."""
_FOCUS = word_set("only even mainly mostly partly largely solely merely simply just")
"""Adverbs that belong to the by-phrase, or may do so."""
_STUFF = frozenset(
    {
        "act",
        "artifact",
        "attribute",
        "cognition",
        "communication",
        "feeling",
        "food",
        "phenomenon",
        "process",
        "state",
        "substance",
    }
)
"""Lexicographer files of nouns that stand without an article, and of what is played or eaten."""
_ONES = ("one", "body", "thing")
_LONGEST = 14
_ANY = word_set("any anyone anything anybody either")
_QUANTIFIED = word_set(
    """
    all every each both many some several few most everyone everybody everything someone something
    """
)


def by_of(chain: Chain) -> Token:
    """The "by" of a passive clause; the parser may have hung it on another word of the clause."""
    verb = chain.verb
    direct = [one for one in verb.rights if one.lower_ == "by" and one.dep_ in {"agent", "prep"}]
    if len(direct) > 1:
        agents = [one for one in direct if one.dep_ == "agent"]
        direct = agents if len(agents) == 1 else []
        if not direct:
            raise Refusal("unclear")
    if direct:
        return direct[0]
    loose = [
        one
        for one in verb.doc[verb.i + 1 : chain.top.right_edge.i + 1]
        if one.lower_ == "by" and one.dep_ in {"agent", "prep"} and _hangs_near(one, verb)
    ]
    if len(loose) != 1:
        raise Refusal("no-agent" if not loose else "unclear")
    return loose[0]


def _hangs_near(by: Token, verb: Token) -> bool:
    """Whether "by" hangs on the end of a phrase or infinitive of the verb, and names a living being."""
    head = by.head
    if head.i < verb.i or head.dep_ not in {"pobj", "xcomp", "advcl", "dobj", "prep", "oprd"}:
        return False
    noun = next((child for child in by.children if child.dep_ == "pobj"), None)
    if noun is None or not (noun.tag_ == "PRP" or noun_supersense(noun) in {"person", "animal"}):
        return False
    return all(one.dep_ not in {"relcl", "acl"} for one in (head, *head.ancestors) if one.i > verb.i)


def agent_phrase(chain: Chain, by: Token) -> NounPhrase | None:
    """The noun after "by", without the phrases that tell where all happens."""
    noun = next((child for child in by.children if child.dep_ == "pobj"), None)
    if noun is None or noun.i < by.i:
        raise Refusal("not-agent" if any(child.dep_ == "pcomp" for child in by.children) else "unclear")
    left = [child for child in noun.rights if _is_scene(chain, noun, child)][:1]
    phrase = noun_phrase(noun, leave=left)
    if phrase is None or phrase.first.i != by.i + 1:
        return None
    return _with_clothes(phrase) if not left else phrase


def _with_clothes(phrase: NounPhrase) -> NounPhrase:
    """What somebody is dressed in belongs to them, whatever the parser hangs it on: "by a boy in a helmet"."""
    doc, place = phrase.head.doc, phrase.last.i + 1
    if place == len(doc) or doc[place].lower_ != "in" or phrase.head.tag_ == "PRP":
        return phrase
    worn = next((child for child in doc[place].children if child.dep_ == "pobj"), None)
    if worn is None or worn.lemma_.lower() not in CLOTHES:
        return phrase
    return NounPhrase(phrase.head, phrase.first, worn.right_edge)


def _is_scene(chain: Chain, noun: Token, child: Token) -> bool:
    if child.dep_ in {"acl", "relcl"}:
        return child.tag_ == "VB" and child.left_edge.lower_ == "to"  # what it is done for
    if child.dep_ != "prep":
        return False
    place = next((one for one in child.children if one.dep_ == "pobj"), None)
    if place is None or any(one.tag_ == "PRP$" for one in place.lefts):
        return False
    if child.lower_ == "with":
        return noun.tag_ == "PRP" or noun.lower_ in {"someone", "somebody"} or verb_lemma(chain.verb) in TOOL_VERBS
    if child.lower_ in {"into", "onto", "through", "across", "during", "since", "until", "after", "before", "to"}:
        return True
    return child.lower_ in {"in", "on", "at", "near", "outside", "along"} and (
        place.lower_ in SCENE_NOUNS or noun_supersense(place) in {"location", "object"} or place.tag_ == "CD"
    )


def check_agent(chain: Chain, subject: NounPhrase, by: Token, agent: NounPhrase) -> None:
    """Refuse by-phrases that name no agent, and clauses that cannot be turned round."""
    if _is_no_agent(agent, verb_lemma(chain.verb)):
        raise Refusal("not-agent")
    _check_verb(chain, by)
    _check_moved(subject, agent)
    _check_scope(chain, subject, agent)
    _check_company(chain, by)
    _check_following(chain, subject, agent)


def _is_no_agent(agent: NounPhrase, lemma: str) -> bool:
    head = agent.head
    lower = head.lemma_.lower()
    if head.tag_ not in {"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "WP"} or head.lower_ in REFLEXIVES:
        return True
    is_bare = len(agent) == 1 and head.tag_ in {"NN", "NNP"}
    if lower in _WAYS and (is_bare or _tells_time(head)):
        return True
    if lemma == "know" and head.tag_ in {"NN", "NNS"} and noun_supersense(head) not in {"person", "group"}:
        return True  # "A tree is known by its fruit"
    return lower in _PLACES and not (lower in _NATURE and lemma in _ACTING)


def _tells_time(head: Token) -> bool:
    """Whether a noun of the list tells time or measure though it has words of its own: "by the end of May"."""
    return head.lower_ in _MEASURES or any(child.tag_ == "CD" for child in head.children)


def _check_verb(chain: Chain, by: Token) -> None:
    if not is_known(verb_lemma(chain.verb), "v"):
        raise Refusal("unclear")
    for token in chain.midfield:
        if token.lower_ in _ADJECTIVAL or token.lower_ in _FOCUS:
            raise Refusal("adverb")
        if token.is_punct:
            raise Refusal("heavy")
    if by.nbor(-1).lower_ in _FOCUS:
        raise Refusal("adverb")
    if any(child.dep_ in {"dep", "nmod", "compound", "appos", "npadvmod"} for child in chain.top.lefts):
        raise Refusal("unclear")


def _check_moved(subject: NounPhrase, agent: NounPhrase) -> None:
    for one in (subject, agent):
        if len(one) > _LONGEST or any(token.text in {",", ";", ":", "(", "—", "–", "--"} for token in one.tokens):
            raise Refusal("heavy")
        if any(token.dep_ == "cc" and token.lower_ in {"but", "yet"} for token in one.tokens):
            raise Refusal("coordination")
        if any(noun.tag_[:2] not in {"NN", "PR", "CD", "DT"} for noun in conjuncts(one.head)[1:]):
            raise Refusal("coordination")
    head = subject.head
    if head.tag_ in {"EX", "WRB"}:
        raise Refusal("no-subject")
    if head.tag_ == "WDT":
        raise Refusal("unclear")
    if len(subject) == 1 and _may_be_name(head):
        raise Refusal("unclear")


def _may_be_name(head: Token) -> bool:
    """Whether a capital at the start of a sentence may be that of a name which the parser takes for a noun."""
    if head.tag_ != "NN" or not head.text[:1].isupper() or head.lower_.endswith(_ONES):
        return False
    return noun_supersense(head) not in _STUFF and head.lower_ not in {"fish", "chicken", "shrimp", "salmon"}


def _check_scope(chain: Chain, subject: NounPhrase, agent: NounPhrase) -> None:
    if any(token.lower_ in _ANY for token in agent.tokens):
        raise Refusal("polarity")
    if any(token.lower_ in {"ever", "yet", "any"} for token in chain.midfield) and chain.negation is None:
        raise Refusal("polarity")
    if chain.negation is None:
        return
    if any(token.lower_ in _QUANTIFIED or token.tag_ == "CD" for token in subject.tokens):
        raise Refusal("scope")
    if any(token.lower_ in {"no", "nobody", "none", "nothing"} for token in agent.tokens):
        raise Refusal("scope")


def _check_company(chain: Chain, by: Token) -> None:
    """That no other verb leans on the subject that leaves its place."""
    for verb in {chain.top, chain.verb}:
        for child in verb.children:
            _check_neighbour(verb, child)
    if chain.verb.dep_ == "conj" and chain.top.i != chain.verb.i:
        raise Refusal("coordination")
    if any(token.dep_ == "cc" and token.head.i == chain.verb.i for token in by.doc[chain.verb.i : by.i]):
        raise Refusal("coordination")


def _check_neighbour(verb: Token, child: Token) -> None:
    has_subject = any(one.dep_ in {"nsubj", "nsubjpass", "expl"} for one in child.children)
    if child.dep_ == "conj" and not has_subject:
        raise Refusal("coordination")
    if child.dep_ == "advcl" and not has_subject and child.tag_ != "VB":
        raise Refusal("control")
    if child.dep_ == "prep" and any(one.dep_ == "pcomp" and one.tag_ == "VBG" for one in child.children):
        raise Refusal("control")
    if child.dep_ in {"dep", "parataxis"} and child.pos_ in {"VERB", "AUX"} and child.i > verb.i:
        raise Refusal("tag" if has_subject else "coordination")


def _check_following(chain: Chain, subject: NounPhrase, agent: NounPhrase) -> None:
    """That what follows the agent does not lose what it belongs to."""
    doc, place = agent.head.doc, agent.last.i + 1
    if place < len(doc) and doc[place].text == ",":
        place += 1
    if place == len(doc):
        return
    following = doc[place]
    if following.tag_ == "POS" or any(token.lower_ in REFLEXIVES for token in agent.tokens):
        raise Refusal("unclear")
    if following.tag_ in {"WDT", "WP", "WP$"} and chain.verb.lemma_ not in TELLING_VERBS:
        raise Refusal("heavy")
    if following.lower_ == "that" and verb_lemma(chain.verb) not in TELLING_VERBS:
        raise Refusal("heavy")
    if subject.text.lower() == "it" and any(one.dep_ == "ccomp" for one in chain.verb.rights):
        raise Refusal("unclear")  # "It was reported by them that …"
