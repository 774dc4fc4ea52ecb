"""The context that decides between antonyms: the antonym of an old man is a young man, that of an old car a new car.

The conditions in the table of antonyms, each true or false of a word in its sentence; “!” negates a condition:

attr, pred, cmp       an adjective before its noun, in the predicate, in the comparative or superlative
person, thing, animal, food, concrete
                      the noun that an adjective describes; the subject of a verb
artifact, body, propn the noun that an adjective describes
plural, det, def, poss, mass
                      the noun that an adjective describes, or the noun itself: plural, with a determiner, definite,
                      with a possessive, without a determiner
noun:a;b              the noun that an adjective describes, or the object of a verb, is one of these words
subj:a;b              the subject of a verb is one of these words
obj, oper, oanimal, oart, oconc
                      a verb has an object; the object is a person, an animal, an artifact, a concrete thing
to, ing, that, acomp, attr, dative, prep, prep:a;b, npadvmod, advmod
                      the complements of a verb or an adjective
clause                a clause follows an adjective: “It is true that …”, “It is hard to …”
bare                  a verb without object and complement
passive, past, perf, prog, imp, conj
                      the form of a verb; conj: it is coordinated
neg, inv, npi, tag    the clause is negated, is inverted, contains “any” or a similar word, has a question tag
mod:a;b               an adjective is modified by one of these adverbs
do, late, inf         the verb of an adverb has “do”; an adverb follows the subject; a noun has an infinitive
verb, mod, end        an adverb modifies a verb; an adverb modifies an adjective or adverb; an adverb follows its verb
pobj:a;b              a noun follows one of these prepositions
head:a;b              the word that an adverb modifies is one of these words
asked                 the user chose the word or its part of speech
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property, lru_cache

from litotes.languages.en.function_words import UNTIL_CONJUNCTIONS
from litotes.languages.en.lexicon.antonyms import Usual
from litotes.languages.en.negation import NEGATIVE_PRONOUNS
from litotes.languages.en.nouns import noun_supersense
from litotes.languages.en.pronouns import DEFINITE_DETERMINERS, PERSON_PRONOUNS, REFLEXIVE_PERSONS, THING_PRONOUNS
from litotes.languages.en.quantifiers import ANY_WORDS
from litotes.languages.en.syntax import tags
from litotes.languages.tree import Token, has_word
from litotes.rewrites.en.words.content_words import ContentWord, is_attributive

_PERSONS = PERSON_PRONOUNS | REFLEXIVE_PERSONS | {"people", "u"}
_THINGS = THING_PRONOUNS | {"itself"}
_CONCRETE = frozenset({"animal", "artifact", "food", "object", "person", "plant"})
_SUBJECTS = tags.SUBJECT_DEPS - {"csubjpass"}
_COMPLEMENTS = tags.PREDICATIVE_DEPS | tags.CLAUSAL_COMPLEMENT_DEPS | {"prep", "dative", "npadvmod"}
_NON_CLAUSAL_COMPLEMENTS = tags.PREDICATIVE_DEPS | {"dative"}
_NEGATIVE_SUBJECTS = NEGATIVE_PRONOUNS | {"no-one"}
_POLARITY_ITEMS = ANY_WORDS | UNTIL_CONJUNCTIONS | {"anymore", "ever", "either", "yet", "again", "before"}
_SEVERELY = frozenset({"badly", "heavily", "severely", "gravely"})
_DEGREES = frozenset({"more", "most", "very", "too", "so"})


def _supersense(token: Token | None) -> str:
    """Return the supersense of a noun or pronoun, such as person, animal or artifact; "" if it is open."""
    if token is None:
        return ""
    lower = token.lower_
    if lower in _PERSONS:
        return "person"
    if lower in _THINGS:
        return "thing"
    if lower in {"one", "ones"} or token.pos_ == "PRON":
        return ""
    if token.pos_ == "PROPN":
        # A name without an article is usually a person's.
        return "" if token.has_child("det") else "person"
    return noun_supersense(token) or "thing"


class AntonymContext:
    """The context of one word, and the conditions that hold in it."""

    def __init__(self, word: ContentWord, *, is_chosen: bool = False) -> None:
        self.token = word.token
        self.pos = word.pos
        self.is_chosen = is_chosen
        """Whether the user chose the word or its part of speech."""
        self.children = word.token.children

    def first_match(self, rows: Iterable[Usual]) -> Usual | None:
        """Return the first row of the table whose conditions hold."""
        return next((row for row in rows if self.satisfies(row.conditions)), None)

    def satisfies(self, conditions: Iterable[str]) -> bool:
        """Return whether all conditions hold."""
        for condition in conditions:
            expected, test, words = _parsed_condition(condition)
            if test(self, words) != expected:
                return False
        return True

    def permits(self, conditions: tuple[str, ...]) -> bool:
        """Return whether nothing in the context rules out antonyms that hold under these conditions."""
        if self.pos == "v":
            return self._permits_verb(conditions)
        if self.pos != "a":
            return True
        if self.has_modifier(_SEVERELY):
            return False
        # In “short stay nurse” it is not the nurse who is short.
        token = self.token
        is_of_compound = token.head.i > token.i + 1 and token.nbor(1).dep_ == "compound"
        return not (conditions and is_attributive(token) and is_of_compound)

    def _permits_verb(self, conditions: tuple[str, ...]) -> bool:
        """Return whether the conditions cover all complements of a verb; its antonym might not take others."""
        verb = self.token
        if verb.dep_ == "acl" and verb.tag_ == "VBN":
            return False  # a thing that was built
        for child in self.children:
            dep, follows = child.dep_, child.i > verb.i
            if dep == "xcomp" and not {"to", "ing", "acomp"} & set(conditions):
                return False
            if dep in _NON_CLAUSAL_COMPLEMENTS and dep not in conditions:
                return False
            if follows and (dep in _SUBJECTS or (dep == "ccomp" and "that" not in conditions)):
                return False  # “…”, continued the man
            if dep == "advmod" and not follows and child.lower_ in _DEGREES:
                return False  # “more accepting” is an adjective
        return True

    @cached_property
    def noun(self) -> Token | None:
        """The noun that an adjective describes, the subject of a verb, or the noun itself."""
        token = self.token
        if self.pos == "n":
            return token
        if self.pos == "a":
            if token.dep_ in tags.ATTRIBUTE_DEPS:
                return token.head
            # Coordinated adjectives describe the same noun.
            while token.dep_ == "conj" and token.head.pos_ == "ADJ":
                token = token.head
            if token.dep_ == "amod":
                return token.head
            if token.dep_ in {"oprd", "ccomp", "xcomp"} and (subject := token.child(*_SUBJECTS)) is not None:
                return subject
            verb = token if token.is_verbal else token.head
        else:
            verb = token
        subject = verb.child(*_SUBJECTS)
        if subject is None and verb.dep_ == "conj":
            subject = verb.head.child(*_SUBJECTS)
        return verb.head if subject is None and verb.dep_ in tags.RELATIVE_CLAUSE_DEPS else subject

    @cached_property
    def object(self) -> Token | None:
        """The object of a verb, or the subject of a passive."""
        for child in self.children:
            if child.dep_ in {"dobj", "nsubjpass"}:
                return child
            if child.dep_ == "ccomp" and child.pos_ in {"NOUN", "PROPN"} and child.i > self.token.i:
                return None
        if self.token.dep_ == "acl" and self.token.tag_ == "VBN":
            return self.token.head
        return None

    @property
    def clause_verb(self) -> Token:
        """The verb itself, or the verb that an adjective or adverb belongs to."""
        return self.token.head if self.pos in {"a", "r"} else self.token

    def has_later_child(self, deps: Collection[str], words: Collection[str] | None = None) -> bool:
        """Return whether a dependent with one of these labels, and one of these words, follows the word."""
        return any(
            child.dep_ in deps and child.i > self.token.i and (words is None or child.lower_ in words)
            for child in self.children
        )

    def noun_has(self, *deps: str, words: Collection[str] | None = None) -> bool:
        """Return whether the described noun has a dependent with one of these labels, and one of these words."""
        noun = self.noun
        return noun is not None and any(
            child.dep_ in deps and (words is None or child.lower_ in words) for child in noun.children
        )

    def has_modifier(self, words: Collection[str]) -> bool:
        """Return whether one of these adverbs modifies the word."""
        return any(
            child.dep_ == "advmod" and child.i < self.token.i and child.lower_ in words for child in self.children
        )


Words = frozenset[str]


def _noun_is(*supersenses: str) -> Callable[[AntonymContext, Words], bool]:
    return lambda context, _: _supersense(context.noun) in supersenses


def _object_is(*supersenses: str) -> Callable[[AntonymContext, Words], bool]:
    return lambda context, _: _supersense(context.object) in supersenses


def _is_among(noun: Token | None, words: Words) -> bool:
    return noun is not None and (noun.lemma_.lower() in words or noun.lower_ in words)


def _has_infinitive(context: AntonymContext, _: Words) -> bool:
    return any(
        child.dep_ in {"xcomp", "ccomp"} and child.tag_ == "VB" and has_word(child.children, {"to"})
        for child in context.children
    )


def _has_gerund(context: AntonymContext, _: Words) -> bool:
    return any(
        child.dep_ in {"xcomp", "ccomp"} and child.tag_ == "VBG" and not child.has_child(*tags.AUXILIARY_DEPS)
        for child in context.children
    )


def _has_clause(context: AntonymContext, _: Words) -> bool:
    return any(
        child.dep_ == "ccomp" and child.i > context.token.i and child.has_child(*_SUBJECTS)
        for child in context.children
    )


def _is_negated(context: AntonymContext, _: Words) -> bool:
    children = context.clause_verb.children
    subjects = [child for child in children if child.dep_ in _SUBJECTS]
    determiners = [word for subject in subjects for word in subject.children if word.dep_ == "det"]
    return (
        any(child.dep_ == "neg" for child in children)
        or has_word(subjects, _NEGATIVE_SUBJECTS)
        or has_word(determiners, {"no"})
    )


def _is_modified(context: AntonymContext, words: Words) -> bool:
    if words:
        return context.has_modifier(words)
    head = context.token.head
    return context.token.dep_ == "advmod" and head.pos_ in {"ADJ", "ADV"} and context.token.i < head.i


def _follows_subject(context: AntonymContext, _: Words) -> bool:
    """Return whether an adverb follows the subject of its verb: “still” before it means “nevertheless”."""
    subject = context.token.head.child(*_SUBJECTS)
    return subject is None or subject.i < context.token.i


def _precedes_question_tag(context: AntonymContext, _: Words) -> bool:
    """Return whether a question tag follows, which would have to change too; its question mark may be missing."""
    words = [token for token in context.token.doc if not token.is_punct]
    return len(words) > 4 and words[-1].pos_ == "PRON" and words[-2].pos_ in {"AUX", "PART"}


def _is_attr(context: AntonymContext, _: Words) -> bool:
    return context.token.has_child("attr") if context.pos == "v" else is_attributive(context.token)


def _has_aux(lemmas: Collection[str]) -> Callable[[AntonymContext, Words], bool]:
    return lambda context, _: any(
        child.dep_ == "aux" and child.lemma_ in lemmas for child in context.clause_verb.children
    )


CONDITIONS: dict[str, Callable[[AntonymContext, Words], bool]] = {
    # the described noun, the subject, the object
    "person": _noun_is("person"),
    "animal": _noun_is("animal"),
    "food": _noun_is("food"),
    "body": _noun_is("body"),
    "artifact": _noun_is("artifact"),
    "concrete": _noun_is(*_CONCRETE),
    "thing": lambda context, _: _supersense(context.noun) != "person",
    "propn": lambda context, _: context.noun is not None and context.noun.pos_ == "PROPN",
    "plural": lambda context, _: context.noun is not None and context.noun.tag_ in tags.PLURAL_NOUN_TAGS,
    "det": lambda context, _: context.noun_has("det", "poss"),
    "def": lambda context, _: context.noun_has("poss") or context.noun_has("det", words=DEFINITE_DETERMINERS),
    "poss": lambda context, _: context.noun_has("poss"),
    "mass": lambda context, _: context.token.tag_ == "NN" and not context.noun_has("det", "poss"),
    "noun": lambda context, words: _is_among(context.object if context.pos == "v" else context.noun, words),
    "subj": lambda context, words: context.noun is not None and context.noun.lemma_.lower() in words,
    "obj": lambda context, _: context.object is not None,
    "oper": _object_is("person"),
    "oanimal": _object_is("animal"),
    "oart": _object_is("artifact"),
    "oconc": _object_is(*_CONCRETE),
    # complements
    "to": _has_infinitive,
    "ing": _has_gerund,
    "that": _has_clause,
    "clause": lambda context, _: any(
        child.dep_ in {"ccomp", "xcomp", "csubj"} and child.i > context.token.i
        for head in (context.token, context.token.head)
        for child in head.children
    ),
    "xcomp": lambda context, _: context.token.has_child("xcomp", "ccomp"),
    "acomp": lambda context, _: context.token.has_child("acomp", "oprd"),
    "dative": lambda context, _: context.token.has_child("dative"),
    "npadvmod": lambda context, _: context.token.has_child("npadvmod"),
    "prep": lambda context, words: context.has_later_child({"prep", "prt"}, words or None),
    "advmod": lambda context, _: context.has_later_child({"advmod"}),
    "bare": lambda context, _: context.object is None and not context.has_later_child(_COMPLEMENTS),
    "inf": lambda context, _: any(child.dep_ == "acl" and child.tag_ == "VB" for child in context.children),
    # form
    "cmp": lambda context, _: context.token.tag_ in {"JJR", "JJS"},
    "passive": lambda context, _: context.token.has_child("auxpass"),
    "past": lambda context, _: context.token.tag_ in {"VBD", "VBN"},
    "perf": _has_aux({"have", "'ve", "’ve"}),
    "prog": lambda context, _: context.token.tag_ == "VBG" and any(child.lemma_ == "be" for child in context.children),
    "imp": lambda context, _: context.token.tag_ == "VB" and not context.token.has_child(*_SUBJECTS, "aux"),
    "do": _has_aux({"do"}),
    # position
    "attr": _is_attr,
    "pred": lambda context, _: not is_attributive(context.token),
    "conj": lambda context, _: context.token.dep_ == "conj" or context.token.has_child("conj"),
    "neg": _is_negated,
    "inv": lambda context, _: context.has_later_child(_SUBJECTS),
    "npi": lambda context, _: has_word(context.token.doc[context.token.i + 1 :], _POLARITY_ITEMS),
    "tag": _precedes_question_tag,
    "late": _follows_subject,
    "verb": lambda context, _: context.token.dep_ == "advmod" and context.token.head.is_verbal,
    "mod": _is_modified,
    "end": lambda context, _: context.token.i > context.token.head.i,
    "pobj": lambda context, words: context.token.dep_ == "pobj" and context.token.head.lower_ in words,
    "head": lambda context, words: context.token.head.lemma_ in words,
    "asked": lambda context, _: context.is_chosen,
}
"""The tests by the names of the conditions; the second argument are the words after the colon."""


@lru_cache(maxsize=1024)
def _parsed_condition(text: str) -> tuple[bool, Callable[[AntonymContext, Words], bool], Words]:
    name, _, words = text.removeprefix("!").partition(":")
    if name not in CONDITIONS:
        raise ValueError(f"no such condition: {text}")
    return text[0] != "!", CONDITIONS[name], frozenset(words.split(";") if words else ())


def has_clear_sense(word: ContentWord) -> bool:
    """Return whether an adjective has one of its common senses, because it is graded or precedes a noun.

    The predicate of “it” or “he” may have any sense.
    """
    token = word.token
    if token.tag_ != "JJ" or has_word(token.children, {"too", "so", "as", "enough", "very"}):
        return True
    return is_attributive(token) and token.head.pos_ == "NOUN"


def describes_noun(word: ContentWord) -> bool:
    """Return whether a word describes a noun, and not “it”, “he” or “something”."""
    noun = AntonymContext(word).noun
    return noun is not None and noun.pos_ == "NOUN" and noun.lower_ not in _PERSONS | _THINGS


def has_that_clause(adjective: Token) -> bool:
    """Return whether the subject of an adjective is a clause: “It is possible that he knows”."""
    return any(
        child.dep_ == "ccomp" and child.i > adjective.i and child is not adjective
        for head in (adjective, adjective.head)
        for child in head.children
    )
