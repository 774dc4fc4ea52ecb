"""The two arguments of a verb that may change places, and why they may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.nouns import Kind, kind_of
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.rewrites.base import Skip
from litotes.rewrites.en.grammar.noun_phrases import (
    REFLEXIVES,
    NounPhrase,
    conjuncts,
    is_reflexive_or_reciprocal,
    may_be_bound,
    noun_phrase,
)

if TYPE_CHECKING:
    from litotes.languages.tree import Token


GIVEN_NAMES = word_set(
    """
    aaron abigail adam adele agnes alan albert alex alexander alfred alice alison allison amanda amy andrea andrew
    andy angela ann anna anne annie anthony arthur ashley barbara barry beatrice becky ben benjamin bernard bert
    beth betty bill billy bob bobby brad brandon brenda brian bruce carl carla carlos carol caroline catherine cathy
    cecil charles charlie charlotte chloe chris christina christine christopher cindy claire clara claude colin
    connie craig cynthia dan daniel danny dave david dawn dean deborah debra dennis derek diana diane dick don
    donald donna doris dorothy doug douglas duncan dylan ed eddie edgar edith edward edwin eileen elaine eleanor
    elena eli elizabeth ellen elmer elsie emily emma eric erica erik ernest esther ethan eugene eva evan eve evelyn
    felix fiona florence frances francis frank fred freda freddie frederick gabriel gary george gerald gina glen
    glenn gloria gordon grace graham greg gregory gwen hannah harold harriet harry hazel heather hector helen henry
    herbert hilda holly howard hugh ian ida imogen ingrid irene iris isaac isabel isabella ivan jack jackie jacob
    jake james jamie jan jane janet janice jason jay jean jeff jeffrey jenna jennifer jenny jeremy jerry jesse
    jessica jill jim jimmy joan joanna joe joel john johnny jon jonathan jordan joseph josh joshua joyce juan judith
    judy julia julian julie karen karl kate katherine kathleen kathy katie keith kelly ken kenneth kevin kim kumiko
    kyle lance larry laura lauren laurie lawrence layla leah lee leo leon leonard leroy leslie lester lewis liam
    lillian lilly lily linda lisa liz lloyd lois lola lorraine louis louise lucas lucy luis luke lydia lynn mabel
    maggie marcus margaret maria marian marie marilyn marion marjorie mark marlene martha martin marvin mary mateo
    matilda matt matthew maurice max megan melissa mia michael michelle miguel mike mildred molly monica morgan
    muriel nancy naomi natalie nathan ned neil nicholas nick nicole nigel nina noah noel nora norma norman oliver
    olivia omar oscar owen pam pamela patricia patrick paul paula pauline pedro peggy penelope percy peter phil
    philip phillip phoebe phyllis rachel ralph ray raymond rebecca ricardo richard rick ricky rita robert roberta
    robin rodney roger roland ron ronald rosa rosemary roy ruby rupert russell ruth ryan sally sam samantha sami
    samuel sandra sara sarah scott sean sergio seth shane sharon sheila shirley sid sidney simon skura sonia sophia
    sophie stan stanley stella stephanie stephen steve steven stuart sue susan suzanne sylvia taro ted teresa terry
    thelma theodore theresa thomas tim timothy tina todd tom tommy tony tracy trevor ursula vanessa vera vernon
    veronica vicky victor victoria vincent viola violet virginia vivian walter wanda warren wayne wendy wesley
    wilfred william willie winston yoko yuri ziri zoe
    """
)
TITLES = word_set(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord professor prof. captain uncle aunt president king queen"
)

SYMMETRIC = word_set(
    """
    meet marry resemble equal divorce date wed hug kiss embrace cuddle fight match join encounter accompany rival face
    parallel adjoin touch contact mirror complement neighbor neighbour friend befriend agree argue chat quarrel differ
    collide play compete live dance wrestle spar debate mate separate unite combine correspond cooperate collaborate
    share exchange swap
    """
)
"""If one does it to the other, so does the other: to change places would change nothing."""

SYMMETRIC_ADJECTIVES = word_set(
    """
    similar equal related married engaged identical close next near same different friendly alike equivalent parallel
    adjacent unlike comparable familiar connected attached
    """
)

BETWEEN_PARTIES = word_set(
    """
    accuse advise alert allow answer apologize ask assure attack authorize beat beg blame bribe challenge charge
    convince criticize criticise defeat defend defy denounce encourage fire forgive forbid help hire inform
    instruct insult interview invite lobby notify obey order outbid outvote oppose pay permit persuade praise
    press pressure promise promote question reassure rebuke remind reprimand request rescue reward ridicule sack
    scold serve sue summon support suspect telephone thank threaten urge warn
    """
)
"""What people and companies do to each other: whoever has a name and does it can have it done to them."""

NOT_SWAPPED = word_set(
    """
    have get be become include involve cost own wear contain lack keep lose play name elect appoint bear mean
    consist comprise represent number make do use excuse bless say bet owe marry father mother sire rent sell
    employ raise breastfeed adopt deliver conceive think assume imagine suppose guess wonder hope agree decide swear
    assemble gather surround outnumber divide ride drive eat drink cook fry boil peel
    plant stand sit socialize socialise obtain
    """
)
"""Whose object is no second actor: “I have a friend”, “She wears a ring”, “They named him Tom”."""

CAUSING = word_set("make let help have see hear watch feel notice want need expect like get")
"""“made her cry”, “saw him leave”, “wants them to stay”: the object is the subject of another verb."""

OF_ONE_KNOWN = word_set("want need expect seek find have")
"""Whose indefinite object need not be: “She wants a daughter”."""

OF_BOTH = word_set(
    """
    chase watch follow see hear love like hate kick hit push kill hurt find approach tease eye sniff ignore avoid bite
    attack scare frighten startle lead surprise miss know smell trust notice fear pull lick touch injure save rescue
    need protect defend disturb wake annoy bother
    """
)
"""What people do to animals, and animals to people."""
OF_BOTH_PREPOSITIONS = {("look", "at"), ("stare", "at"), ("run", "after"), ("jump", "over"), ("run", "from"),
                        ("jump", "on"), ("run", "to"), ("run", "towards"), ("walk", "towards"), ("walk", "behind"),
                        ("run", "behind"), ("go", "after"), ("listen", "to")}  # fmt: skip

OF_THINGS = word_set(
    """
    hit follow block replace precede cause affect influence beat exceed outweigh crush support threaten destroy damage
    shake outlast outnumber
    """
)
"""What one thing does to another that the other can do as well."""

PREPOSITIONS = word_set("to at for after about from over behind towards toward past of")
OF_OR_ABOUT = word_set(
    """
    think dream hear speak talk complain worry know care write forget ask read lie brag wonder sing learn
    """
)
"""Verbs that take “of” or “about” and what is talked or thought of."""
TAKING = word_set("take get buy borrow steal receive learn hear hide keep win inherit want")
"""Verbs that take something from somebody."""
IN_PHRASE = word_set("of in from on with at behind near next who that")
"""Prepositions that stay with the noun before them; others may belong to the verb."""
ADJECTIVE_PREPOSITIONS = word_set("of at to than about for")


_LONGEST = 8
"""Words of an argument."""
_NOT_MOVED = word_set(
    """
    any anyone anybody anything either each every neither none another other others both such whose not only even being
    """
)
_NOT_AS_SUBJECT = word_set("what who whom which that this it these those there one")
_BABIES = word_set("baby infant newborn toddler")
_CALLED = word_set(
    "mom mum dad mommy daddy mother father grandma grandpa god nobody somebody everybody everyone someone"
)
_PERSONS = {1: word_set("i me my mine myself we us our ours"), 2: word_set("you your yours")}
_THIRD = word_set("his her hers its their theirs he she they him them it")


@dataclass(frozen=True)
class Arguments:
    """A verb with two arguments of like kind."""

    group: VerbGroup
    subject: NounPhrase
    other: NounPhrase
    case: str
    """“object” of a verb or “subject” of an infinitive: both have the form of objects."""


def arguments(verb: Token) -> Arguments | Skip | None:
    """The two arguments of a verb, or why they stay where they are; None where it has no two."""
    group = verb_group(verb)
    if group.subject is None or group.subject.dep_ not in {"nsubj", "nsubjpass"} or not _is_finite(group):
        return None
    passive = group.subject.dep_ == "nsubjpass" or group.is_passive
    found = next(_agents(verb) if passive else _others(verb), None)
    if found is None:
        return Skip("kind") if "dobj" in [one.dep_ for one in verb.children] else None
    head, link = found
    if head.lower_ in _NOT_AS_SUBJECT or group.subject.lower_ in _NOT_AS_SUBJECT or head.i < verb.i:
        return Skip("kind")
    refusal = _verb_refusal(verb, link)
    if refusal is not None:
        return refusal
    subject, other = noun_phrase(group.subject), noun_phrase(head)
    if subject is None or other is None or len(subject) > _LONGEST or len(other) > _LONGEST:
        return Skip("unclear")
    if sum(token.lemma_ == verb.lemma_ and token.pos_ == "VERB" for token in verb.doc) > 1:
        return Skip("alike")  # “She may not remember me, but I remember her.”
    if _goes_on(head, other):
        return Skip("unclear")
    refusal = _kind_refusal(verb, link, subject, other) or _binding_refusal(verb, subject, other)
    return refusal or Arguments(group, subject, other, "object")


def _goes_on(head: Token, phrase: NounPhrase) -> bool:
    """Whether the words after an argument may belong to it: “her fingers”, “them both”, “I tell you what”."""
    if phrase.last.i + 1 >= len(head.doc):
        return False
    following = phrase.last.nbor()
    if head.lower_ == "her" and following.lower_ == "back":
        return True
    if following.pos_ == "INTJ" or following.lower_ in {"both", "all", "each"}:
        return True
    if head.head.lemma_ == "tell" and following.lower_ == "what" and head.lower_ == "you":
        return True
    return (head.lower_ == "her" or head.tag_ == "NN") and following.pos_ in {"NOUN", "ADJ", "PROPN"}


def _is_finite(group: VerbGroup) -> bool:
    """Whether the clause has a verb that agrees with its subject; “They love” may be tagged as an infinitive."""
    if group.is_finite:
        return True
    plain = group.verb.tag_ == "VB" and not group.auxiliaries and group.verb.dep_ in {"ROOT", "ccomp"}
    return plain and group.subject is not None and group.subject.lower_ in {"i", "you", "we", "they"}


def _agents(verb: Token) -> Iterator[tuple[Token, Token | None]]:
    """“was chased by her”; where something else is an object too, it is not clear who did what to whom."""
    if any(one.dep_ in {"dobj", "dative"} for one in verb.children):
        return
    by = next((one for one in verb.children if one.dep_ == "agent"), None)
    if by is not None:
        yield from ((noun, by) for noun in by.children if noun.dep_ == "pobj")


def _others(verb: Token) -> Iterator[tuple[Token, Token | None]]:
    """The second arguments that a verb may have, the likeliest first, each with its preposition or adjective."""
    children = verb.children
    first_of = {one.dep_: one for one in reversed(children)}
    receiver = first_of.get("dative")
    if receiver is not None:
        # “gave her a book”, “gave a book to her”
        noun = (
            next((one for one in receiver.children if one.dep_ == "pobj"), None) if receiver.pos_ == "ADP" else receiver
        )
        if noun is not None:
            yield noun, receiver if noun is not receiver else None
            return
    thing = first_of.get("dobj")
    if thing is not None and _may_act(thing):
        if kind_of(thing) in {"thing", "group"}:
            yield from _of_prepositions(verb, first_of.get("acomp"), thing)  # “bought a book for her”
        yield thing, None
        return
    # “I've got someone coming” is no getting.
    if thing is None and verb.lemma_ in CAUSING and not (verb.lemma_ == "get" and verb.tag_ == "VBN"):
        yield from _of_infinitive(children)
    yield from _of_prepositions(verb, first_of.get("acomp"), thing)


def _may_act(thing: Token) -> bool:
    return thing.pos_ in {"PRON", "PROPN"} or kind_of(thing) in {"person", "animal", "group", "thing"}


def _of_infinitive(children: list[Token]) -> Iterator[tuple[Token, Token | None]]:
    """“saw her leave”, “wants her to leave”."""
    clause = next((one for one in children if one.dep_ == "ccomp" and one.tag_ in {"VB", "VBG"}), None)
    if clause is None or any(one.tag_ in {"VBZ", "VBP", "VBD", "MD"} or one.dep_ == "mark" for one in clause.children):
        return
    group = verb_group(clause)
    if group.subject is not None and group.subject.i < clause.i:
        yield group.subject, None


def _of_prepositions(verb: Token, adjective: Token | None, thing: Token | None) -> Iterator[tuple[Token, Token | None]]:
    """“is waiting for her”, “is taller than her”, “bought a ring for her”."""
    if adjective is not None:
        for one in adjective.children:
            if one.dep_ == "prep" and one.lower_ in ADJECTIVE_PREPOSITIONS and one.i > adjective.i:
                yield from ((noun, adjective) for noun in one.children if noun.dep_ == "pobj")
        return
    allowed = PREPOSITIONS if thing is None else frozenset({"for", "to", "from"})
    place = (verb if thing is None else thing).i + 1
    for one in verb.children if thing is None else [*verb.children, *thing.children]:
        if one.i != place or one.dep_ != "prep" or one.lower_ not in allowed:
            continue
        if one.lower_ in {"of", "about"} and verb.lemma_ not in OF_OR_ABOUT:
            continue
        if one.lower_ == "from" and thing is not None and verb.lemma_ not in TAKING:
            continue
        yield from ((noun, one) for noun in one.children if noun.dep_ == "pobj")


def _verb_refusal(verb: Token, link: Token | None) -> Skip | None:
    lemma = verb.lemma_
    if lemma in SYMMETRIC:
        return Skip("symmetric")
    if link is not None and link.pos_ == "ADJ":
        return Skip("symmetric") if link.lower_ in SYMMETRIC_ADJECTIVES else None
    deps = {one.dep_ for one in verb.children}
    if lemma in NOT_SWAPPED and not (lemma in CAUSING and "ccomp" in deps and "dobj" not in deps):
        return Skip("verb")
    wanted = next((one for one in verb.children if one.dep_ == "dobj"), None)
    if wanted is not None and (wanted.lower_ == "birth" or (lemma in OF_ONE_KNOWN and _is_indefinite(wanted))):
        return Skip("verb")
    if verb.text[:1] in "'’" or not deps.isdisjoint({"oprd", "attr"}):
        return Skip("verb")
    if verb.dep_ == "advcl" and lemma == "ask":
        return Skip("verb")  # “if you ask me”
    if any(one.dep_ == "ccomp" and verb_group(one).subject is None for one in verb.children):
        return Skip("unclear")
    return None


def _is_indefinite(noun: Token) -> bool:
    return any(one.lower_ in {"a", "an"} for one in noun.children)


def _kind_refusal(verb: Token, link: Token | None, subject: NounPhrase, other: NounPhrase) -> Skip | None:
    """Why the two are not of like kind."""
    for phrase in (subject, other):
        if is_reflexive_or_reciprocal(phrase):
            return Skip("bound")
        refusal = _phrase_refusal(phrase)
        if refusal is not None:
            return refusal
    lemma = verb.lemma_
    kinds = _party(subject, lemma), _party(other, lemma)
    if kinds == ("person", "person"):
        babies = any(phrase.head.lower_ in _BABIES for phrase in (subject, other))
        return Skip("kind") if babies and lemma not in OF_BOTH else None
    if set(kinds) <= {"person", "animal"}:
        both = lemma in OF_BOTH or (link is not None and (lemma, link.lower_) in OF_BOTH_PREPOSITIONS)
        return None if both else Skip("kind")
    if set(kinds) <= {"person", "group"} and lemma in BETWEEN_PARTIES:
        return None
    if kinds == ("thing", "thing"):
        return None if lemma in OF_THINGS else Skip("kind")
    return None if kinds == ("group", "group") and link is None else Skip("kind")


def _phrase_refusal(phrase: NounPhrase) -> Skip | None:
    """Why a phrase cannot stand in the other's place."""
    tokens = list(phrase.tokens)
    if any(token.lower_ in _NOT_MOVED for token in tokens):
        return Skip("alike")
    if any(token.is_punct or token.tag_ == "TO" or (token.text.isupper() and len(token.text) > 2) for token in tokens):
        return Skip("unclear")
    head = phrase.head
    if (len(head.text) < 2 and head.lower_ != "i") or (
        head.tag_ == "PRP" and len(phrase) > 1 and len(conjuncts(head)) < 2
    ):
        return Skip("unclear")
    if any(
        token.tag_ == "PRP" and token.dep_ not in {"conj", "nsubj", "pobj", "dobj"} for token in tokens if token != head
    ):
        return Skip("unclear")
    for child in head.children:
        loose = child.dep_ == "prep" and child.lower_ not in IN_PHRASE
        if loose or (child.dep_ == "relcl" and verb_group(child).subject is None):
            return Skip("unclear")
    if head.lower_ in {"them", "they"} and any(
        token.tag_ == "NNS" and token.i < head.i and kind_of(token) != "person" for token in head.doc
    ):
        return Skip("kind")  # “ignore the obstacles, and they …”
    bare = len(phrase) == 1 and head.tag_ == "NN" and head.pos_ == "NOUN" and head.lower_ not in _CALLED
    return Skip("kind") if bare else None


def _party(phrase: NounPhrase, lemma: str) -> Kind | None:
    """The kind of a phrase; a name that nobody knows is somebody's if the verb is one between people or companies."""
    kind = _kind(phrase)
    head = phrase.head
    if kind is None and lemma in BETWEEN_PARTIES and head.tag_ == "NNP" and len(conjuncts(head)) == 1:
        return "person"
    return kind


def _kind(phrase: NounPhrase) -> Kind | None:
    """The kind of all that a phrase names."""
    kinds = {_kind_of_noun(noun) for noun in conjuncts(phrase.head) if noun.i <= phrase.last.i}
    return kinds.pop() if len(kinds) == 1 else None


def _kind_of_noun(noun: Token) -> Kind | None:
    if noun.lower_ in {"they", "them", "'em"}:
        return "person"
    if noun.tag_ in {"NNP", "NNPS"} or (noun.pos_ == "PROPN"):
        names = [noun.lower_, *(child.lower_ for child in noun.children if child.dep_ == "compound")]
        known = any(name in TITLES for name in names[1:]) or names[0] in GIVEN_NAMES or names[-1] in GIVEN_NAMES
        return (
            "person"
            if known or noun.lower_ in {"mom", "dad", "mum", "mother", "father", "grandma", "grandpa"}
            else None
        )
    return kind_of(noun)


def _binding_refusal(verb: Token, subject: NounPhrase, other: NounPhrase) -> Skip | None:
    """Why pronouns would come to stand before or without what they point to."""
    for one, two in ((subject, other), (other, subject)):
        third = any(token.lower_ in _THIRD for token in one.tokens if len(one) > 1)
        if third and (may_be_bound(one, two) or one is other):
            return Skip("bound")
    inside = {token.i for phrase in (subject, other) for token in phrase.tokens}
    near = {token.lower_ for token in verb.subtree if token.i not in inside and _is_near(token, verb)}
    if not near.isdisjoint(REFLEXIVES) or "own" in near or not near.isdisjoint(_THIRD - {"it", "its"}):
        return Skip("bound")
    for phrase in (subject, other):
        person = next((words for words in _PERSONS.values() if phrase.head.lower_ in words), None)
        if person is not None and not near.isdisjoint(person):
            return Skip("bound")
    return None


def _is_near(token: Token, verb: Token) -> bool:
    """Whether a word stands in the clause of the verb itself, or in an infinitive under it."""
    while token.i != verb.i:
        if token.dep_ in {"ccomp", "advcl", "relcl", "conj"} and verb_group(token).subject is not None:
            group = verb_group(token)
            if group.is_finite:
                return False
        token = token.head
    return True
