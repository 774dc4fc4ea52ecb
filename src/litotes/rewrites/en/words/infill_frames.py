"""Where a word stands, with which subject, object or clause, and so which other words could stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import has_form
from litotes.rewrites.en.words.infill_words import LIST_OF_NOUN, kind, words

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_AT_A_PLACE = frozenset("in on at near beside behind under outside inside during by around".split())
_IN_PASSIVES = _AT_A_PLACE - {"by"}
_DIRECTION = frozenset("through across toward towards into onto along past up down over".split())
_PREPOSITIONAL = {"about": "about", "for": "for", "at": "at", "to": "to-", "with": "with", "of": "of"}
_PREPOSITIONAL |= {"from": "from", "on": "on"}
# What follows them is part of what is said: no other verb can take its place.
_KEPT_VERBS = frozenset(
    "be have do get let make take go come give put set lay place pour keep leave suppose mean guess bet thank excuse "
    "bless forgive matter seem appear become remain stay cost weigh last contain consist call name bear marry spend "
    "pay use tend stand mind bother gon wan fuck screw damn fucking suck sound happen base locate raise shake cross "
    "dress play_role spread fill turn grow prove hold_on wear owe concern involve".split()
)
_KEPT_OBJECTS = frozenset(
    "time way attention place part care sense chance turn fun lot thing one none some all most more much many few "
    "other same minute hour day week month year mile percent dollar money job weight".split()
)
_DIRECTIONS = frozenset("away back out up down off over home there here together apart forward around along".split())
_KEPT_ADJECTIVES = frozenset(
    "other same own such many much few several last next first second third only main certain various whole entire "
    "able due else sure ok okay fine like worth left right welcome sorry fucking damn bloody more most less least "
    "enough opposite multiple different similar previous current early late recent total final full upper lower inner "
    "outer former latter free gon dear alone supposed favorite favourite usual military little further overall annual "
    "net daily national average numerous local".split()
)
_SAID = words("v", "person") - {"eat", "drink", "read", "sing", "smoke", "jump"}
"""They have no object: what looks like one is the subject of “cried Tom”."""
_TO_PEOPLE = frozenset({"with", "to-"})
_EMPTY_HEADS = frozenset(
    "piece part form side type kind sort way number lot bit set range amount level place point thing one use".split()
)
_BESIDE_NOUNS = frozenset({"compound", "relcl", "acl", "appos", "conj", "nummod"})
_RELATIVE = frozenset({"that", "which", "who", "whom"})
_OF_ADJECTIVES = frozenset({"of", "about", "with", "for"})
_AUXILIARIES, _OWNER, _ARTICLES = frozenset({"aux", "auxpass"}), frozenset({"poss"}), frozenset({"det", "poss"})
_BESIDE_ADJECTIVES = frozenset({"npadvmod", "conj", "cc"})


def frame(token: Token) -> tuple[str, tuple[str, ...]] | None:
    """The part of speech of a word (n, v, a or r) and the names of the lists whose words could stand in its place.

    >>> from litotes.languages.en.parser import parse
    >>> doc = parse("The tall man was carrying a red box in the park.")
    >>> [frame(doc[place]) for place in (1, 2, 4, 6)]
    [('a', ('person',)), ('n', ('person',)), ('v', ('person>thing',)), ('a', ('thing',))]
    """
    tag = token.tag_[:2]
    if tag == "VB":
        names = _verb_frame(token)
        return ("v", names) if names else None
    if tag == "JJ":
        names = _adjective_frame(token)
        return ("a", names) if names and not in_fixed_expression(token) else None
    if tag == "NN":
        name = _noun_frame(token)
        return ("n", (name,)) if name else None
    if tag == "RB" and token.lower_ in words("r", "manner") and token.head.pos_ == "VERB":
        return ("r", ("manner",))
    return None


def _verb_frame(verb: Token) -> tuple[str, ...] | None:
    lemma = verb.lemma_.lower()
    if lemma in _KEPT_VERBS or verb.dep_ in {"aux", "auxpass", "amod", "compound", "prep", "pcomp", "nsubj", "pobj"}:
        return None
    if _is_misread(verb, lemma):
        return None
    parts = _Parts(verb)
    if parts.is_odd:
        return None
    if parts.dative is not None:
        plain = parts.object is not None and parts.dative.lower_ not in {"to", "for"}
        return ("two objects",) if plain and lemma in words("v", "two objects") else None
    if parts.clause is not None:
        return _clause_frame(lemma, parts)
    if parts.object is not None:
        return _object_frame(verb, parts)
    return None if parts.is_passive else _plain_frame(lemma, parts)


def _is_misread(verb: Token, lemma: str) -> bool:
    """Whether the tagger or parser is likely wrong about a verb."""
    if verb.dep_ == "conj" and verb.head.tag_[:2] != "VB":
        return True  # "big and open"
    if verb.tag_ == "VBG" and lemma in {"consider", "regard", "include", "follow"} and verb.dep_ != "ROOT":
        return True  # half a preposition
    # "braid" is no past tense, whatever the tagger says.
    return verb.tag_ in {"VBD", "VBN"} and not has_form(verb.lower_, verb.tag_)


class _Parts:
    """What belongs to a verb."""

    def __init__(self, verb: Token) -> None:
        self.verb = verb
        self.subject: Token | None = None
        self.object: Token | None = None
        self.dative: Token | None = None
        self.clause: Token | None = None
        self.prepositions: list[Token] = []
        self.is_passive = False
        # A bare participle is mostly a past tense that the tagger took for one: "Ignored it."
        self.is_odd = verb.tag_ == "VBN" and verb.dep_ != "acl" and not _has_child(verb.lefts, _AUXILIARIES)
        self.has_direction = False
        for child in verb.children:
            self._add(child)
        self.has_subject = self.subject is not None
        if self.subject is None:
            self.subject = self._borrowed_subject()
        self._find_gap()

    def _add(self, child: Token) -> None:
        dep = child.dep_
        if dep in {"nsubj", "csubj"}:
            self.subject = child
        elif dep == "nsubjpass":
            self.object, self.is_passive = child, True
        elif dep == "dobj":
            self.object = child
        elif dep == "dative":
            self.dative = child
        elif dep in {"ccomp", "xcomp"}:
            self.is_odd |= self.clause is not None
            self.clause = child
        elif dep == "prep":
            self.prepositions.append(child)
            self.is_odd |= not child.children  # stranded: "the man he talked to"
        elif dep == "advmod":
            self.has_direction |= child.lower_ in _DIRECTIONS
            self.is_odd |= child.lower_ in {"so", "how", "well", "hard"} and child.i > self.verb.i
        elif dep == "aux":
            self.is_odd |= child.lower_ in {"would", "'d", "’d"} and self.verb.lemma_ in {"like", "love", "rather"}
        elif dep == "conj":
            # "cutting and eating bread": the object may belong to both.
            self.is_odd |= child.pos_ == "VERB" and child.i < self.verb.i + 4
        elif dep == "agent":
            doer = next((one for one in child.children if one.dep_ == "pobj"), None)
            self.is_odd |= doer is None or kind(doer) not in {"person", "animal", "group"}
        elif dep in {"prt", "oprd", "acomp", "attr", "expl"}:
            self.is_odd = True

    def _borrowed_subject(self) -> Token | None:
        """The subject of an infinitive, a participle or a coordinated verb, which stands elsewhere."""
        head = self.verb.head
        if self.verb.dep_ in {"acl", "relcl"}:
            return head
        if self.verb.dep_ in {"xcomp", "conj", "advcl"} and head.i != self.verb.i:
            return next((child for child in head.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
        return None

    def _find_gap(self) -> None:
        """The object of a relative clause stands before it: "the book (that) he bought"."""
        verb = self.verb
        if verb.dep_ == "acl" and verb.tag_ == "VBN":
            self.object, self.subject, self.is_passive = verb.head, None, True
        if verb.dep_ != "relcl":
            return
        if self.object is not None and self.object.lower_ in _RELATIVE:
            self.object = verb.head
        elif self.subject is not None and self.subject.lower_ in _RELATIVE:
            self.subject = verb.head
        elif any(child.dep_ == "advmod" and child.lower_ in {"where", "when", "why", "how"} for child in verb.lefts):
            return  # "the road where he walked"
        elif verb.lemma_.lower() in words("v", "that"):
            self.is_odd = True  # "the people you claim are rich"
        elif self.subject is not verb.head and self.object is None:
            self.object = verb.head if not self.prepositions and self.clause is None else None
            self.is_odd |= self.object is None

    @property
    def who(self) -> str:
        """Who does it: person, animal or thing; an imperative is said to a person."""
        if self.subject is None:
            return "person"
        found = kind(self.subject)
        if found == "group":
            return "person"
        return found if found in {"person", "animal"} else "thing"


def _clause_frame(lemma: str, parts: _Parts) -> tuple[str, ...] | None:
    clause = parts.clause
    if clause is None or parts.is_passive or parts.who == "thing":
        return None
    name = None
    introduced_by = next((child.lower_ for child in clause.children if child.dep_ in {"mark", "advmod", "aux"}), "")
    if clause.dep_ == "xcomp" and clause.tag_ == "VB" and introduced_by == "to":
        if parts.object is None:
            return _infinitive_frame(lemma, parts)
        name = "whom to"
    elif clause.dep_ == "xcomp" and clause.tag_ == "VBG" and parts.object is None:
        name = "ing"
    elif clause.dep_ == "ccomp" and clause.i > parts.verb.i and parts.object is None:
        if introduced_by in {"whether", "if", "how", "why", "when", "where"}:
            name = "whether"
        elif introduced_by == "that":
            name = "that"
    return (name,) if name and lemma in words("v", name) else None


def _infinitive_frame(lemma: str, parts: _Parts) -> tuple[str, ...] | None:
    if lemma not in words("v", "to") and lemma not in words("v", "to not going on"):
        return None
    return ("to", "to not going on") if parts.verb.tag_ in {"VBZ", "VBP", "VBD"} else ("to",)


def _object_frame(verb: Token, parts: _Parts) -> tuple[str, ...] | None:
    thing = parts.object
    if (
        thing is None
        or verb.lemma_.lower() in _SAID
        or thing.lemma_.lower() in _KEPT_OBJECTS
        or thing.lower_.endswith(("self", "selves"))
    ):
        return None
    allowed = _IN_PASSIVES if parts.is_passive else _AT_A_PLACE
    if parts.has_direction or any(one.lower_ not in allowed for one in parts.prepositions):
        return None
    if not parts.is_passive and thing.i > verb.i and _is_doubtful_object(verb, thing):
        return None
    # Of a name it cannot be told whether it is a person's.
    what = "any" if thing.pos_ == "PROPN" else kind(thing)
    who = "person" if parts.is_passive else parts.who
    if who == "person":
        name = {"animal": "person", "group": "any", "place": "any"}.get(what, what)
        if name == "time":
            return None
        found = f"person>{name}"
        simple = verb.tag_ in {"VBZ", "VBP", "VBD"} and parts.has_subject and name != "body" and not parts.is_passive
        return (found, f"{found} not going on") if simple else (found,)
    if who == "animal":
        return ("animal>living",) if what in {"person", "animal"} else ("animal>thing",) if what == "thing" else None
    return (f"thing>{what}",) if what in {"person", "thing", "idea"} else None


def _is_doubtful_object(verb: Token, noun: Token) -> bool:
    """Whether the parse is likely wrong, or the noun goes with this verb alone."""
    if noun.pos_ in {"ADJ", "ADV", "VERB"}:
        return True  # "eat healthier"
    # "playing flute", "he says, boys": neither a comma nor a bare instrument.
    if noun.lemma_.lower() in words("n", "instrument") and noun.tag_ == "NN" and not noun.lefts:
        return True
    tokens = noun.doc.tokens
    for token in tokens[verb.i + 1 : noun.left_edge.i]:
        if token.is_punct:
            return True
    # "save everybody some trouble", "fly that low"
    place = noun.right_edge.i + 1
    if place >= len(tokens):
        return False
    after = tokens[place]
    if after.pos_ in {"DET", "NOUN", "PRON", "NUM", "PROPN", "ADJ"} or after.lower_ == "that":
        return True
    return after.pos_ == "ADV" and noun.lower_ in {"that", "this"}


def _plain_frame(lemma: str, parts: _Parts) -> tuple[str, ...] | None:
    who = parts.who
    first = parts.prepositions[0].lower_ if parts.prepositions else ""
    if first in _PREPOSITIONAL and lemma in words("v", _PREPOSITIONAL[first]) and who == "person":
        return _preposition_frame(_PREPOSITIONAL[first], parts)
    directed = parts.has_direction or any(one.lower_ in _DIRECTION | {"to", "from"} for one in parts.prepositions)
    name = who
    if directed:
        name = {"person": "motion", "animal": "animal motion"}.get(who, "")
    elif any(one.lower_ not in _AT_A_PLACE for one in parts.prepositions):
        return None
    known = words("v", name) if name else frozenset()
    return (name,) if lemma in known or (not directed and name and lemma in words("v", "motion")) else None


def _preposition_frame(name: str, parts: _Parts) -> tuple[str, ...] | None:
    preposition = parts.prepositions[0]
    noun = next((child for child in preposition.children if child.dep_ == "pobj"), None)
    if preposition.i != parts.verb.i + 1 or (name in _TO_PEOPLE and (noun is None or kind(noun) != "person")):
        return None
    return (name,)


def _adjective_frame(adjective: Token) -> tuple[str, ...] | None:
    if adjective.lower_ in _KEPT_ADJECTIVES:
        return None
    if _has_child(adjective.children, _BESIDE_ADJECTIVES):
        return None  # "nine hours old"
    if not default_lexicon().knows(adjective.lemma_, "a"):
        return None  # the tagger is wrong, or the word is
    head = adjective.head
    if adjective.dep_ == "amod":
        return _attribute_frame(adjective, head)
    if adjective.dep_ != "acomp" or head.lemma_ not in {"be", "look", "seem", "feel", "become", "get"}:
        return None
    subject = next((child for child in head.children if child.dep_ in {"nsubj", "expl"}), None)
    if subject is None or any(child.lower_ in {"being", "by"} for child in (*head.children, *adjective.children)):
        return None  # "is being drunk by": a passive after all
    if subject.lower_ in _RELATIVE and head.dep_ == "relcl":
        subject = head.head
    return _predicate_frame(adjective, subject)


def _attribute_frame(adjective: Token, noun: Token) -> tuple[str, ...] | None:
    if noun.i < adjective.i or noun.tag_[:2] != "NN" or noun.dep_ == "compound" or noun.lemma_.lower() in _EMPTY_HEADS:
        return None
    tokens = noun.doc.tokens
    if adjective.i and tokens[adjective.i - 1].tag_[:2] == "NN":
        return None  # "shade tolerant grass"
    for token in tokens[adjective.i + 1 : noun.i]:
        if token.tag_[:2] == "VB" or token.lower_.endswith("ed"):
            return None  # "weak minded people"
    if noun.i + 1 < len(tokens) and tokens[noun.i + 1].tag_[:2] == "NN":
        return None  # "short stay nurse"
    found = kind(noun)
    return None if found == "any" else ("idea",) if found == "text" else (found,)


def _predicate_frame(adjective: Token, subject: Token) -> tuple[str, ...] | None:
    complements = [
        child
        for child in adjective.rights
        if child.dep_ in {"prep", "xcomp", "ccomp", "advcl"} and child.lower_ not in {"than", "as"}
    ]
    complements += [
        child
        for child in adjective.head.rights
        if child.dep_ in {"xcomp", "ccomp", "csubj"}
        or (
            child.dep_ == "prep"
            and (child.lower_ in _OF_ADJECTIVES or any(one.dep_ == "pcomp" for one in child.rights))
        )
    ]
    found = kind(subject)
    if not complements:
        return None if found == "time" else ("it",) if found in {"any", "text", "idea"} else (found,)
    if len(complements) > 1:
        return None
    complement, is_person, is_it = complements[0], found == "person", subject.lower_ == "it"
    name = None
    if complement.dep_ == "prep" and complement.lower_ in _OF_ADJECTIVES:
        name = complement.lower_ if is_person else "it for" if complement.lower_ == "for" else None
    elif complement.dep_ != "prep":
        marks = {child.lower_ for child in complement.children if child.dep_ in {"aux", "mark"}}
        if "to" in marks:
            name = "it to" if is_it else "to" if is_person else None
        elif is_it and "that" in marks:
            name = "it that"
    return (name,) if name and adjective.lower_ in words("a", name) else None


def _noun_frame(noun: Token) -> str | None:
    if noun.dep_ in {"compound", "npadvmod", "nmod"} or noun.tag_ not in {"NN", "NNS"}:
        return None
    for child in noun.children:
        if child.dep_ in _BESIDE_NOUNS or (child.dep_ == "prep" and child.lower_ not in _AT_A_PLACE):
            return None
    tokens, place = noun.doc.tokens, noun.i
    if place and noun.dep_ == "pobj" and tokens[place - 1].dep_ == "prep":
        return None  # without an article: "at school", "by car"
    before = tokens[place - 1].tag_ if place else ""
    after = tokens[place + 1].tag_ if place + 1 < len(tokens) else ""
    if before in {"NN", "NNP", "VBG"} or after in {"NN", "NNS"}:
        return None  # a compound that the parser does not see
    if noun.dep_ == "dobj" and noun.head.lemma_ in {"make", "take", "do", "give", "pay", "tell", "play", "ask"}:
        return None  # "make plans", "take a taxi": they belong together
    return _noun_list(noun)


def _noun_list(noun: Token) -> str | None:
    listed = LIST_OF_NOUN.get(noun.lemma_.lower())
    if listed in {"food", "drink"}:
        is_counted = any(child.lower_ in {"a", "an", "another", "each", "every"} for child in noun.children)
        return None if is_counted or noun.tag_ != "NN" else listed
    if noun.tag_ == "NN" and not _has_child(noun.children, _ARTICLES):
        return None
    if listed is not None:
        return listed
    found = kind(noun)
    if found == "person":
        return "someone's" if _has_child(noun.children, _OWNER) else "person"
    return found if found == "animal" else None


def _has_child(children: list[Token], deps: frozenset[str]) -> bool:
    for child in children:  # noqa: SIM110  (the quickest way)
        if child.dep_ in deps:
            return True
    return False
