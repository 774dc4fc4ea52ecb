"""The context of a word: the features that the conditions in the table of synonyms test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from litotes.languages.base import by_word, word_set
from litotes.languages.en.lexicon.synonyms import Condition
from litotes.languages.en.negation import NOT
from litotes.languages.en.nouns import noun_supersense
from litotes.languages.en.pronouns import PERSON_PRONOUNS, PERSONAL_PRONOUNS, REFLEXIVE_PERSONS, THING_PRONOUNS
from litotes.languages.en.syntax import tags
from litotes.languages.tree import Token

_CLASS_OF_WORD = {
    **dict.fromkeys(PERSON_PRONOUNS - PERSONAL_PRONOUNS - {"whom"}, "person"),
    **by_word(person="people folk child kid baby team family crowd couple police"),
    **dict.fromkeys(THING_PRONOUNS - {"these", "those"}, "it"),
}
"""Pronouns, and nouns for people, by lemma."""
_CLASS_OF_NOUN = {name: name for name in ("person", "animal", "food", "plant", "object", "group", "time", "location")}
_CLASS_OF_NOUN["thing"] = "object"
"""The most general nouns, which have no supersense in the lexicon."""
_THINGS = frozenset({"artifact", "object", "food", "plant", "body", "substance", "shape"})
_GROUPS = {
    "thing": _THINGS,
    "physical": _THINGS | {"animal", "person", "location", "group"},
    "animate": frozenset({"person", "animal", "name"}),
    "person": frozenset({"person", "name"}),
    "human": frozenset({"person"}),
}
"""Names in conditions that mean several classes of words."""
_PERSONS = PERSONAL_PRONOUNS | (REFLEXIVE_PERSONS - {"themselves"})
_OPENING_PUNCTUATION = frozenset({'"', "“", "'", "‘", "(", "*"})
_NON_DEGREE_ADVERBS = frozenset(
    {"not", "n't", "also", "still", "just", "only", "now", "already", "always", "never", "even"}
)
_COMPLEMENTS = tags.PREDICATIVE_DEPS | tags.CLAUSAL_COMPLEMENT_DEPS | {"dobj", "dative", "nsubjpass", "auxpass", "prt"}
_NEGATORS = NOT | word_set("never nobody nothing no without hardly nor")

_DEPENDENT_VERB_DEPS = tags.CLAUSAL_COMPLEMENT_DEPS | {"conj", "advcl", "aux"}
_GERUND_DEPS = tags.CLAUSAL_COMPLEMENT_DEPS | {"dobj", "pcomp", "advcl", "acl"}

Feature = Callable[["Token"], "Iterable[Token | str]"]
"""Returns the tokens, or words, in the context of a token that have a certain relation to it."""


def condition_test(condition: Condition) -> Callable[[Token], bool]:
    """Return a test of whether a condition of the table holds for a token."""
    feature, is_negated = _FEATURES[condition.feature], condition.negated
    if not condition.values:

        def is_present(token: Token) -> bool:
            for _ in feature(token):
                return not is_negated
            return is_negated

        return is_present

    describe: Callable[[Token | str], str]
    if condition.by_kind:
        values = frozenset(name for value in condition.values for name in _GROUPS.get(value, {value}))
        describe = _semantic_class
    else:
        values, describe = condition.values, _word

    def has_value(token: Token) -> bool:
        for related in feature(token):
            if describe(related) in values:
                return not is_negated
        return is_negated

    return has_value


def _word(related: Token | str) -> str:
    if isinstance(related, str):
        return related
    return related.lemma_.lower() if related.tag_[:2] in {"NN", "VB"} else related.lower_


def _semantic_class(related: Token | str) -> str:
    """Return the class of a noun or pronoun: “name”, “it” or the supersense of its first sense in the lexicon."""
    if isinstance(related, str):
        return related
    if related.lower_ in _PERSONS:
        return "person"
    lemma = related.lemma_.lower()
    if lemma in _CLASS_OF_WORD:
        return _CLASS_OF_WORD[lemma]
    if related.tag_ in tags.PROPER_NOUN_TAGS or related.pos_ == "PROPN":
        return "name"
    return _CLASS_OF_NOUN.get(lemma) or noun_supersense(related) or ""


def subject_of(verb: Token) -> Token | None:
    """Return the subject of a verb, in its own clause or in the clause above."""
    for _ in range(4):
        subject = verb.child("nsubj", "nsubjpass")
        if subject is not None:
            return verb.head if subject.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl" else subject
        if verb.dep_ == "acl" and verb.tag_ == "VBG":
            return verb.head
        if verb.dep_ not in _DEPENDENT_VERB_DEPS:
            return None
        verb = verb.head
    return None


def _object_of(verb: Token) -> Token | None:
    """Return the object of a verb, or the subject of a passive."""
    noun = verb.child("dobj", "attr")
    if noun is not None:
        return verb.head if noun.tag_ in {"WDT", "WP"} and verb.dep_ == "relcl" else noun
    is_participle = verb.tag_ == "VBN" and verb.dep_ == "acl"
    passive_subjects = [child for child in verb.children if child.dep_ == "nsubjpass"]
    return passive_subjects[-1] if passive_subjects else verb.head if is_participle else None


def _noun_of(adjective: Token) -> Token | None:
    if adjective.dep_ in tags.ATTRIBUTE_DEPS:
        return adjective.head
    if adjective.dep_ == "conj" and adjective.head.dep_ in {"amod", "acomp"}:
        return _noun_of(adjective.head)
    if adjective.dep_ in {"acomp", "advmod", "ccomp", "oprd"}:
        return subject_of(adjective.head)
    return None


def _optional(token: Token | None) -> tuple[Token, ...]:
    return () if token is None else (token,)


def _if(test: Callable[[Token], bool]) -> Feature:
    """Return the feature that is the token itself if a test holds."""
    return lambda token: (token,) if test(token) else ()


def _children(*deps: str) -> Feature:
    return lambda token: [child for child in token.children if child.dep_ in deps]


def _infinitive(token: Token) -> Iterator[Token]:
    """Yield the "to" of an infinitive that follows."""
    for child in token.rights:
        if child.dep_ in {"xcomp", "ccomp", "advcl"} and child.tag_ == "VB":
            yield from (word for word in child.lefts if word.lower_ == "to")


def _bare_infinitive(token: Token) -> Iterator[Token]:
    for child in token.rights:
        is_infinitive = child.dep_ in {"xcomp", "ccomp"} and child.tag_ == "VB"
        if is_infinitive and not any(word.dep_ == "aux" for word in child.lefts):
            yield child


def _gerund(token: Token) -> list[Token]:
    return [child for child in token.rights if child.dep_ in _GERUND_DEPS and child.tag_ == "VBG"]


def _finite_clause(token: Token) -> Iterator[Token]:
    for child in token.children:
        if child.dep_ == "ccomp" and (
            child.tag_ in tags.FINITE_TAGS
            or any(word.dep_ in tags.AUXILIARY_DEPS and word.tag_ in tags.FINITE_TAGS for word in child.lefts)
        ):
            yield child


def _passive(token: Token) -> Iterator[Token]:
    if token.tag_ == "VBN":
        if token.dep_ in {"acl", "amod"}:
            yield token
        yield from (child for child in token.lefts if child.dep_ == "auxpass")


def _is_intransitive(token: Token) -> bool:
    if token.has_child(*_COMPLEMENTS):
        return False
    return token.tag_ != "VBN" or any(child.dep_ == "aux" and child.lemma_ == "have" for child in token.lefts)


def _is_progressive(token: Token) -> bool:
    """Return whether a verb is progressive, or modifies a noun like one: "is sitting", "a man sitting there"."""
    if token.tag_ != "VBG":
        return False
    if token.dep_ == "acl" or any(child.dep_ == "aux" and child.lemma_ == "be" for child in token.lefts):
        return True
    return token.dep_ == "conj" and _is_progressive(token.head)


def _is_imperative(token: Token) -> bool:
    return token.tag_ == "VB" and not any(child.dep_ == "aux" for child in token.lefts)


def _is_attributive(token: Token) -> bool:
    # "a big and heavy box": the second adjective depends on the first one.
    first = token.head if token.dep_ == "conj" else token
    return first.dep_ in tags.ATTRIBUTE_DEPS and first.head.i > token.i


def _is_predicative(token: Token) -> bool:
    return token.dep_ in {"acomp", "oprd"} or (token.dep_ == "conj" and token.head.dep_ == "acomp")


def _is_ungraded(token: Token) -> bool:
    """Return whether an adjective is in the positive, without "very", "too", "as … as" or "enough"."""
    return token.tag_[-1:] not in {"R", "S"} and not any(
        child.dep_ == "advmod" and child.lower_ not in _NON_DEGREE_ADVERBS for child in token.children
    )


def _is_last(token: Token) -> bool:
    return token.next is None or token.nbor(1).is_punct


def _is_first(token: Token) -> bool:
    return token.is_sent_start or token.i == 0 or token.nbor(-1).text in _OPENING_PUNCTUATION


def _following(token: Token) -> list[Token]:
    return token.doc.tokens[token.i + 1 : token.i + 2]


def _preceding(token: Token, n_tokens: int = 1) -> list[Token]:
    return token.doc.tokens[max(0, token.i - n_tokens) : token.i]


def _governing_verb(token: Token) -> Iterator[Token]:
    if token.dep_ in {"dobj", "nsubjpass", "attr"}:
        yield token.head
    elif token.dep_ == "pobj":
        yield token.head.head


def _prepositional_objects(token: Token) -> Iterator[Token]:
    for child in token.rights:
        if child.dep_ in {"prep", "prt"}:
            yield from (word for word in child.rights if word.dep_ == "pobj")


def _object_determiners(token: Token) -> list[Token]:
    noun = _object_of(token)
    return [] if noun is None else [child for child in noun.lefts if child.dep_ in {"det", "poss", "nummod"}]


_FEATURES: dict[str, Feature] = {
    # of verbs
    "obj": lambda token: _optional(_object_of(token)),
    "subj": lambda token: _optional(subject_of(token)),
    "to": _infinitive,
    "bare": _bare_infinitive,
    "ing": _gerund,
    "that": _finite_clause,
    "acomp": _children("acomp", "oprd"),
    "dative": _children("dative"),
    "passive": _passive,
    "intr": _if(_is_intransitive),
    "prog": _if(_is_progressive),
    "neg": _children("neg"),
    "imper": _if(_is_imperative),
    "aux": _children("aux", "auxpass"),
    "objdet": _object_determiners,
    # of adjectives
    "head": lambda token: _optional(_noun_of(token)),
    "attr": _if(_is_attributive),
    "pred": _if(_is_predicative),
    "plain": _if(_is_ungraded),
    # of nouns
    "det": _children("det"),
    "poss": _children("poss"),
    "num": _children("nummod"),
    "cpd": _children("compound", "nmod"),
    "adj": _children("amod"),
    "verb": _governing_verb,
    "under": lambda token: (token.head,) if token.dep_ == "pobj" else (),
    "pl": _if(lambda token: token.tag_ == "NNS"),
    "sg": _if(lambda token: token.tag_ == "NN"),
    # of any word
    "prep": _children("prep", "agent"),
    "prt": _children("prt"),
    "adv": _children("advmod", "npadvmod"),
    "rel": _children(*tags.RELATIVE_CLAUSE_DEPS),
    "conj": _children("conj"),
    "pobj": _prepositional_objects,
    "tag": lambda token: (token.tag_,),
    "dep": lambda token: (token.dep_,),
    "mods": lambda token: (token.head,),
    "headtag": lambda token: (token.head.tag_[:2],),
    "headform": lambda token: (token.head.tag_,),
    "headlast": lambda token: _if(_is_last)(token.head),
    "headnext": lambda token: [word.lower_ for word in _following(token.head)],
    "pluralhead": _if(lambda token: token.head.tag_ == "NNS"),
    "before": _if(lambda token: token.head.i > token.i),
    "touching": _if(lambda token: token.head.i == token.i + 1),
    # of the sentence around it
    "next": lambda token: [word.lower_ for word in _following(token)],
    "nexttag": lambda token: [word.tag_ for word in _following(token)],
    "nextnum": lambda token: [word for word in _following(token) if word.like_num],
    "prev": lambda token: [word.lower_ for word in _preceding(token)],
    "prevtag": lambda token: [word.tag_ for word in _preceding(token)],
    "saidall": lambda token: [word for word in _preceding(token, 4) if word.lower_ == "all"],
    "last": _if(_is_last),
    "first": _if(_is_first),
    "negated": lambda token: [word for word in token.doc.tokens if word.lower_ in _NEGATORS],
    "question": lambda token: ("?",) if token.doc[-1].text == "?" else (),
}
"""The features by the names that the conditions use."""
