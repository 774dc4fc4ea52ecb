"""Where a word stands: what the table of synonyms may ask about a word's place in its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.synonyms import Condition
from litotes.languages.en.lexicon.wordnet import default_lexicon

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_LEXFILES = dict(
    enumerate(
        "act animal artifact attribute body cognition communication event feeling food group location motive object "
        "person phenomenon plant possession process quantity relation shape state substance time".split(),
        start=4,
    )
)
"""WordNet's files of nouns by number."""
_TOPS = {
    "person": "person",
    "animal": "animal",
    "food": "food",
    "plant": "plant",
    "object": "object",
    "group": "group",
    "thing": "object",
    "time": "time",
    "location": "location",
}
_OWN_KINDS = {
    "people": "person",
    "folk": "person",
    "child": "person",
    "kid": "person",
    "baby": "person",
    "team": "person",
    "family": "person",
    "crowd": "person",
    "couple": "person",
    "police": "person",
    "someone": "person",
    "somebody": "person",
    "everyone": "person",
    "everybody": "person",
    "anyone": "person",
    "anybody": "person",
    "nobody": "person",
    "who": "person",
    "it": "it",
    "that": "it",
    "this": "it",
    "which": "it",
    "what": "it",
    "something": "it",
    "everything": "it",
    "anything": "it",
    "nothing": "it",
}
_PERSONAL = frozenset("i you he she we they me him her us them myself yourself himself herself ourselves".split())
_GROUPS = {
    "thing": frozenset({"artifact", "object", "food", "plant", "body", "substance", "shape"}),
    "physical": frozenset(
        {"artifact", "object", "food", "plant", "body", "substance", "shape", "animal", "person", "location", "group"}
    ),
    "animate": frozenset({"person", "animal", "name"}),
    "person": frozenset({"person", "name"}),
    "human": frozenset({"person"}),
}
_OPENING = frozenset({'"', "“", "'", "‘", "(", "*"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_NOT_DEGREE = frozenset({"not", "n't", "also", "still", "just", "only", "now", "already", "always", "never", "even"})


def check_of(condition: Condition) -> Callable[[Token], bool]:
    """A condition of the table as a check on a word where it stands."""
    feature, negated = _FEATURES[condition.feature], condition.negated
    values = _kinds(condition.values) if condition.by_kind else condition.values
    describe = kind_of if condition.by_kind else _word

    def holds(token: Token) -> bool:
        for found in feature(token):
            if describe(found) in values:
                return not negated
        return negated

    def is_there(token: Token) -> bool:
        for _ in feature(token):
            return not negated
        return negated

    return holds if values else is_there


def _kinds(values: frozenset[str]) -> frozenset[str]:
    return frozenset(kind for value in values for kind in _GROUPS.get(value, {value}))


def _word(found: Token | str) -> str:
    if isinstance(found, str):
        return found
    return found.lemma_.lower() if found.tag_[:2] in {"NN", "VB"} else found.lower_


def kind_of(found: Token | str) -> str:
    """What a noun or pronoun stands for, by the file of WordNet in which its first sense is."""
    if isinstance(found, str):
        return found
    lower = found.lower_
    if lower in _PERSONAL:
        return "person"
    lemma = found.lemma_.lower()
    if lemma in _OWN_KINDS:
        return _OWN_KINDS[lemma]
    if found.tag_ in {"NNP", "NNPS"} or found.pos_ == "PROPN":
        return "name"
    return _noun_kind(lemma)


@lru_cache(maxsize=16_384)
def _noun_kind(lemma: str) -> str:
    if lemma in _TOPS:
        return _TOPS[lemma]
    senses = default_lexicon().senses(lemma, "n")
    return _LEXFILES.get(senses[0].synset.lexfile, "") if senses else ""


def subject_of(verb: Token) -> Token | None:
    """Who does what the verb says, in its own clause or the one that it hangs on."""
    for _ in range(4):
        for child in verb.children:
            if child.dep_ in {"nsubj", "nsubjpass"}:
                if child.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl":
                    return verb.head
                return child
        if verb.dep_ == "acl" and verb.tag_ == "VBG":
            return verb.head
        if verb.dep_ not in {"xcomp", "conj", "advcl", "aux", "ccomp"}:
            return None
        verb = verb.head
    return None


def object_of(verb: Token) -> Token | None:
    """Whom or what the verb's action befalls; the subject of a passive."""
    passive = None
    for child in verb.children:
        if child.dep_ in {"dobj", "attr"}:
            if child.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl":
                return verb.head
            return child
        if child.dep_ == "nsubjpass":
            passive = child
    if passive is None and verb.tag_ == "VBN" and verb.dep_ == "acl":
        return verb.head
    return passive


def noun_of(adjective: Token) -> Token | None:
    """The noun that an adjective says something about."""
    if adjective.dep_ in {"amod", "compound", "nmod"}:
        return adjective.head
    if adjective.dep_ == "conj" and adjective.head.dep_ in {"amod", "acomp"}:
        return noun_of(adjective.head)
    if adjective.dep_ in {"acomp", "advmod", "ccomp", "oprd"}:
        return subject_of(adjective.head)
    return None


def _one(found: Token | None) -> tuple[Token, ...]:
    return () if found is None else (found,)


def _children(*deps: str) -> Callable[[Token], list[Token]]:
    wanted = frozenset(deps)
    return lambda token: [child for child in token.children if child.dep_ in wanted]


def _infinitive(token: Token) -> Iterator[Token]:
    """The infinitive with "to" that follows."""
    for child in token.rights:
        if child.dep_ in {"xcomp", "ccomp", "advcl"} and child.tag_ == "VB":
            yield from (one for one in child.lefts if one.lower_ == "to")


def _bare_infinitive(token: Token) -> Iterator[Token]:
    for child in token.rights:
        if child.dep_ in {"xcomp", "ccomp"} and child.tag_ == "VB" and not any(o.dep_ == "aux" for o in child.lefts):
            yield child


def _gerund(token: Token) -> Iterator[Token]:
    for child in token.rights:
        if child.dep_ in {"xcomp", "ccomp", "dobj", "pcomp", "advcl", "acl"} and child.tag_ == "VBG":
            yield child


def _clause(token: Token) -> Iterator[Token]:
    """The clause with a finite verb that follows."""
    for child in token.children:
        if child.dep_ == "ccomp" and (
            child.tag_ in _FINITE or any(one.dep_ in {"aux", "auxpass"} and one.tag_ in _FINITE for one in child.lefts)
        ):
            yield child


def _is_passive(token: Token) -> Iterator[Token]:
    if token.tag_ == "VBN":
        if token.dep_ in {"acl", "amod"}:
            yield token
        yield from (child for child in token.lefts if child.dep_ == "auxpass")


_COMPLEMENTS = frozenset({"dobj", "xcomp", "ccomp", "acomp", "attr", "dative", "oprd", "nsubjpass", "auxpass", "prt"})


def _intransitive(token: Token) -> Iterator[Token]:
    if any(child.dep_ in _COMPLEMENTS for child in token.children):
        return
    if token.tag_ != "VBN" or any(child.dep_ == "aux" and child.lemma_ == "have" for child in token.lefts):
        yield token


def _progressive(token: Token) -> Iterator[Token]:
    """An -ing form that says what is going on: "is sitting", "a man sitting there"."""
    if token.tag_ == "VBG":
        if token.dep_ == "acl" or any(child.dep_ == "aux" and child.lemma_ == "be" for child in token.lefts):
            yield token
        elif token.dep_ == "conj" and token.head.tag_ == "VBG":
            yield from _progressive(token.head)


def _imperative(token: Token) -> Iterator[Token]:
    if token.tag_ == "VB" and not any(child.dep_ == "aux" for child in token.lefts):
        yield token


def _attributive(token: Token) -> Iterator[Token]:
    # "a big and heavy box": the second adjective hangs on the first.
    first = token.head if token.dep_ == "conj" else token
    if first.dep_ in {"amod", "compound", "nmod"} and first.head.i > token.i:
        yield token


def _predicative(token: Token) -> Iterator[Token]:
    if token.dep_ in {"acomp", "oprd"} or (token.dep_ == "conj" and token.head.dep_ == "acomp"):
        yield token


def _degree_words(token: Token) -> list[Token]:
    return [child for child in token.children if child.dep_ == "advmod" and child.lower_ not in _NOT_DEGREE]


def _is_plain(token: Token) -> Iterator[Token]:
    """In the positive, without "very" or "too", "as … as" or "enough"."""
    if token.tag_[-1:] not in {"R", "S"} and not _degree_words(token):
        yield token


def _next(token: Token) -> list[str]:
    return [one.lower_ for one in token.doc.tokens[token.i + 1 : token.i + 2]]


def _previous(token: Token) -> list[str]:
    return [one.lower_ for one in token.doc.tokens[max(0, token.i - 1) : token.i]]


def _is_last(token: Token) -> Iterator[Token]:
    if token.i + 1 == len(token.doc) or token.nbor(1).is_punct:
        yield token


def _is_first(token: Token) -> Iterator[Token]:
    if token.is_sent_start or token.i == 0 or token.nbor(-1).text in _OPENING:
        yield token


def _governor(token: Token) -> Iterator[Token]:
    """The verb of which a noun is the object, alone or with a preposition."""
    head = token.head
    if token.dep_ == "pobj":
        head = head.head
    if token.dep_ in {"pobj", "dobj", "nsubjpass", "attr"}:
        yield head


def _prepositional_objects(token: Token) -> Iterator[Token]:
    for child in token.rights:
        if child.dep_ in {"prep", "prt"}:
            yield from (one for one in child.rights if one.dep_ == "pobj")


_NEGATIVE = frozenset({"not", "n't", "n’t", "never", "nobody", "nothing", "no", "without", "hardly", "nor"})


def _negators(token: Token) -> list[Token]:
    return [one for one in token.doc.tokens if one.lower_ in _NEGATIVE]


def _preposition_before(token: Token) -> Iterator[Token]:
    if token.dep_ == "pobj":
        yield token.head


_FEATURES: dict[str, Callable[[Token], Iterable[Token | str]]] = {
    # of verbs
    "obj": lambda token: _one(object_of(token)),
    "subj": lambda token: _one(subject_of(token)),
    "to": _infinitive,
    "bare": _bare_infinitive,
    "ing": _gerund,
    "that": _clause,
    "acomp": _children("acomp", "oprd"),
    "dative": _children("dative"),
    "passive": _is_passive,
    "intr": _intransitive,
    "prog": _progressive,
    "neg": _children("neg"),
    "imper": _imperative,
    "aux": _children("aux", "auxpass"),
    # of adjectives
    "head": lambda token: _one(noun_of(token)),
    "attr": _attributive,
    "pred": _predicative,
    "plain": _is_plain,
    # of nouns
    "det": _children("det"),
    "poss": _children("poss"),
    "num": _children("nummod"),
    "cpd": _children("compound", "nmod"),
    "adj": _children("amod"),
    "verb": _governor,
    "under": _preposition_before,
    "pl": lambda token: _one(token if token.tag_ == "NNS" else None),
    "sg": lambda token: _one(token if token.tag_ == "NN" else None),
    # of any word
    "prep": _children("prep", "agent"),
    "adv": _children("advmod", "npadvmod"),
    "rel": _children("relcl", "acl"),
    "conj": _children("conj"),
    "mods": lambda token: _one(token.head),
    "tag": lambda token: (token.tag_,),
    "dep": lambda token: (token.dep_,),
    "headtag": lambda token: (token.head.tag_[:2],),
    "question": lambda token: ("?",) if token.doc[-1].text == "?" else (),
    "nextnum": lambda token: [one for one in token.doc.tokens[token.i + 1 : token.i + 2] if one.like_num],
    "prt": _children("prt"),
    "pobj": _prepositional_objects,
    "negated": _negators,
    "saidall": lambda token: [one for one in token.doc.tokens[max(0, token.i - 4) : token.i] if one.lower_ == "all"],
    "objdet": lambda token: (
        child for one in _one(object_of(token)) for child in one.lefts if child.dep_ in {"det", "poss", "nummod"}
    ),
    "pluralhead": lambda token: _one(token if token.head.tag_ == "NNS" else None),
    "headlast": lambda token: _is_last(token.head),
    "headform": lambda token: (token.head.tag_,),
    "headnext": lambda token: _next(token.head),
    "prevtag": lambda token: [one.tag_ for one in token.doc.tokens[max(0, token.i - 1) : token.i]],
    "nexttag": lambda token: [one.tag_ for one in token.doc.tokens[token.i + 1 : token.i + 2]],
    "before": lambda token: _one(token if token.head.i > token.i else None),
    "touching": lambda token: _one(token if token.head.i == token.i + 1 else None),
    "next": _next,
    "prev": _previous,
    "last": _is_last,
    "first": _is_first,
}
