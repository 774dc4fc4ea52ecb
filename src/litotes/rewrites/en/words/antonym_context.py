"""The context that decides between opposites: an old man is opposed to a young one, an old car to a new one.

The conditions of the table of opposites, each true or false of a word in its sentence; “!” before one denies it:

attr, pred, cmp       an adjective before its noun, in the predicate, in a form with -er or -est
person, thing, animal, food, concrete
                      what an adjective describes; the subject of a verb
artifact, body, propn what an adjective describes
plural, det, def, poss, mass
                      the noun that an adjective stands before, or the noun itself: with an article, a definite one
noun:a;b              the word that an adjective describes, the object of a verb
subj:a;b              the subject of a verb
obj, oper, oanimal, oart, oconc
                      a verb has an object; that is a person, an animal, a made thing, something that can be touched
to, ing, that, acomp, attr, dative, prep, prep:a;b, npadvmod, advmod
                      what follows a verb or adjective
bare                  a verb with no object and no complement
passive, past, perf, prog, imp, conj
                      the form of a verb; conj: it is joined to another
neg, inv, npi, tag    the clause is negated, has its subject behind the verb, an “any” or a question tag behind
mod:a;b               an adjective has one of these adverbs before it
do, late, inf         the verb of an adverb has “do”; an adverb follows the subject; a noun has an infinitive
verb, mod, end        an adverb belongs to a verb, to an adjective or adverb, or stands behind its verb
pobj:a;b              a noun follows one of these prepositions
head:a;b              the word that an adverb belongs to
asked                 the user asks for this part of speech
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.rewrites.en.words.replacement import Content, is_attributive

if TYPE_CHECKING:
    from litotes.languages.en.lexicon.antonyms import Usual
    from litotes.languages.tree import Token


PERSONAL = frozenset(
    """i you he she we they me him her us them who whom someone somebody anyone anybody everyone everybody nobody
    myself yourself himself herself ourselves themselves people u""".split()
)
NO_PERSON = frozenset("it this that these those something anything everything nothing which what itself".split())
_LEXFILES = {5: "animal", 6: "artifact", 8: "body", 13: "food", 15: "place", 17: "object", 18: "person", 20: "plant"}


def kind_of(token: Token | None) -> str:
    """person, animal, food, artifact … by the lexicon; "" where it is none of them."""
    if token is None:
        return ""
    lower = token.lower_
    if lower in PERSONAL:
        return "person"
    if lower in NO_PERSON:
        return "thing"
    if lower in {"one", "ones"} or token.pos_ == "PRON":
        return ""
    if token.pos_ == "PROPN":
        # A name without an article is mostly someone's.
        return "" if any(child.dep_ == "det" for child in token.children) else "person"
    return _kind_of_noun(token.lemma_.lower())


@lru_cache(maxsize=16_384)
def _kind_of_noun(lemma: str) -> str:
    senses = default_lexicon().senses(lemma, "n")
    return _LEXFILES.get(senses[0].synset.lexfile, "thing") if senses else "thing"


_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_CONCRETE = frozenset({"animal", "artifact", "food", "object", "person", "plant"})
_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_NEGATIVE_POLARITY = frozenset(
    """any anyone anybody anything anywhere anymore ever either yet until till again before""".split()
)
_DETERMINERS = frozenset({"det"})
_NOBODY = frozenset({"nobody", "nothing", "none", "neither", "no-one"})
_BADLY = ["badly", "heavily", "severely", "gravely"]
_DEGREES = ["more", "most", "very", "too", "so"]
_CLAUSES = frozenset({"xcomp", "ccomp"})
_WITH_VERB = frozenset({"to", "ing", "acomp"})
_WITH_NO_VERB = frozenset({"dative", "acomp", "oprd", "attr"})
_MODIFIED = frozenset({"ADJ", "ADV"})


class Context:
    """What stands around one word."""

    def __init__(self, content: Content, *, asked: bool = False) -> None:
        self.token = content.token
        self.pos = content.pos
        self.asked = asked
        self.children = content.token.children

    def first(self, rows: tuple[Usual, ...]) -> Usual | None:
        """The first row whose conditions hold."""
        for row in rows:
            if self.holds(row.conditions):
                return row
        return None

    def holds(self, conditions: tuple[str, ...]) -> bool:
        """Whether all conditions of a row hold."""
        for one in conditions:
            wanted, test, words = _condition(one)
            if bool(test(self, words) if words else test(self)) != wanted:
                return False
        return True

    def is_free(self, conditions: tuple[str, ...]) -> bool:
        """Whether nothing around the word speaks against another one in its place, under a row's conditions."""
        if self.pos == "v":
            return self._is_free_verb(conditions)
        if self.pos != "a":
            return True
        if self._mod(_BADLY):
            return False
        # In “short stay nurse” it is not the nurse who is short.
        token = self.token
        return not (
            conditions and is_attributive(token) and token.head.i > token.i + 1 and token.nbor(1).dep_ == "compound"
        )

    def _is_free_verb(self, allowed: tuple[str, ...]) -> bool:
        """Whether a verb has no complement that the row does not speak of: another verb might not take it."""
        # What was built cannot be unbuilt by a word.
        verb = self.token
        if verb.dep_ == "acl" and verb.tag_ == "VBN":
            return False
        for child in self.children:
            dep, follows = child.dep_, child.i > verb.i
            if (dep == "xcomp" and _WITH_VERB.isdisjoint(allowed)) or (dep in _WITH_NO_VERB and dep not in allowed):
                return False
            if follows and (dep in _SUBJECTS or (dep == "ccomp" and "that" not in allowed)):
                return False  # “…”, continued the man
            if dep == "advmod" and not follows and child.lower_ in _DEGREES:
                return False  # “more accepting” is an adjective
        return True

    # What the word describes, acts on or belongs to.

    def described(self) -> Token | None:
        """What an adjective is said of, the subject of a verb, a noun itself."""
        token = self.token
        if self.pos == "n":
            return token
        if self.pos == "a" and token.dep_ in {"amod", "nmod", "compound"}:
            return token.head
        if self.pos == "a":
            # Joined adjectives describe what the first one does.
            while token.dep_ == "conj" and token.head.pos_ == "ADJ":
                token = token.head
            if token.dep_ == "amod":
                return token.head
            if token.dep_ in {"oprd", "ccomp", "xcomp"} and (found := _child(token, _SUBJECTS)) is not None:
                return found
            verb = token if token.pos_ in {"VERB", "AUX"} else token.head
        else:
            verb = token
        found = _child(verb, _SUBJECTS)
        if found is None and verb.dep_ == "conj":
            found = _child(verb.head, _SUBJECTS)
        return verb.head if found is None and verb.dep_ in {"acl", "relcl"} else found

    def _object(self) -> Token | None:
        for child in self.children:
            if child.dep_ in {"dobj", "nsubjpass"}:
                return child
            if child.dep_ == "ccomp" and child.pos_ in {"NOUN", "PROPN"} and child.i > self.token.i:
                return None
        if self.token.dep_ == "acl" and self.token.tag_ == "VBN":
            return self.token.head
        return None

    def _person(self) -> bool:
        return kind_of(self.described()) == "person"

    def _animal(self) -> bool:
        return kind_of(self.described()) == "animal"

    def _food(self) -> bool:
        return kind_of(self.described()) == "food"

    def _body(self) -> bool:
        return kind_of(self.described()) == "body"

    def _thing(self) -> bool:
        return kind_of(self.described()) != "person"

    def _concrete(self) -> bool:
        return kind_of(self.described()) in _CONCRETE

    def _plural(self) -> bool:
        noun = self.described()
        return noun is not None and noun.tag_ in {"NNS", "NNPS"}

    def _mass(self) -> bool:
        return self.token.tag_ == "NN" and not self._det()

    def _det(self) -> bool:
        noun = self.described()
        return noun is not None and any(child.dep_ in {"det", "poss"} for child in noun.children)

    def _def(self) -> bool:
        noun = self.described()
        return noun is not None and any(
            child.dep_ == "poss" or (child.dep_ == "det" and child.lower_ in _DEFINITE) for child in noun.children
        )

    def _artifact(self) -> bool:
        return kind_of(self.described()) == "artifact"

    def _poss(self) -> bool:
        noun = self.described()
        return noun is not None and any(child.dep_ == "poss" for child in noun.children)

    def _propn(self) -> bool:
        noun = self.described()
        return noun is not None and noun.pos_ == "PROPN"

    def _noun(self, words: list[str]) -> bool:
        noun = self._object() if self.pos == "v" else self.described()
        return noun is not None and (noun.lemma_.lower() in words or noun.lower_ in words)

    def _subj(self, words: list[str]) -> bool:
        noun = self.described()
        return noun is not None and noun.lemma_.lower() in words

    def _obj(self) -> bool:
        return self._object() is not None

    def _oper(self) -> bool:
        return kind_of(self._object()) == "person"

    def _oanimal(self) -> bool:
        return kind_of(self._object()) == "animal"

    def _oart(self) -> bool:
        return kind_of(self._object()) == "artifact"

    def _oconc(self) -> bool:
        return kind_of(self._object()) in _CONCRETE

    # What follows it.

    def _to(self) -> bool:
        return any(
            child.dep_ in _CLAUSES and child.tag_ == "VB" and any(one.lower_ == "to" for one in child.children)
            for child in self.children
        )

    def _ing(self) -> bool:
        return any(child.dep_ in _CLAUSES and child.tag_ == "VBG" and _starts_clause(child) for child in self.children)

    def _that(self) -> bool:
        return any(
            child.dep_ == "ccomp" and child.i > self.token.i and _child(child, _SUBJECTS) is not None
            for child in self.children
        )

    def _xcomp(self) -> bool:
        return any(child.dep_ in {"xcomp", "ccomp"} for child in self.children)

    def _acomp(self) -> bool:
        return any(child.dep_ in {"acomp", "oprd"} for child in self.children)

    def _dative(self) -> bool:
        return any(child.dep_ == "dative" for child in self.children)

    def _prep(self, words: list[str] | None = None) -> bool:
        return any(
            child.dep_ in {"prep", "prt"} and child.i > self.token.i and (words is None or child.lower_ in words)
            for child in self.children
        )

    def _pobj(self, words: list[str]) -> bool:
        return self.token.dep_ == "pobj" and self.token.head.lower_ in words

    def _npadvmod(self) -> bool:
        return any(child.dep_ == "npadvmod" for child in self.children)

    def _advmod(self) -> bool:
        return any(child.dep_ == "advmod" and child.i > self.token.i for child in self.children)

    def _bare(self) -> bool:
        return self._object() is None and not any(
            child.dep_ in {"prep", "xcomp", "ccomp", "acomp", "attr", "oprd", "dative", "npadvmod"}
            and child.i > self.token.i
            for child in self.children
        )

    # Its form and place.

    def _attr(self) -> bool:
        if self.pos == "v":
            return any(child.dep_ == "attr" for child in self.children)
        return is_attributive(self.token)

    def _pred(self) -> bool:
        return not is_attributive(self.token)

    def _cmp(self) -> bool:
        return self.token.tag_ in {"JJR", "JJS"}

    def _passive(self) -> bool:
        return any(child.dep_ == "auxpass" for child in self.children)

    def _past(self) -> bool:
        return self.token.tag_ in {"VBD", "VBN"}

    def _imp(self) -> bool:
        return self.token.tag_ == "VB" and _child(self.token, _SUBJECTS | {"aux"}) is None

    def _neg(self) -> bool:
        verb = self.token.head if self.pos in {"a", "r"} else self.token
        return any(
            child.dep_ == "neg"
            or (child.dep_ in _SUBJECTS and (child.lower_ in _NOBODY or _child(child, _DETERMINERS, "no") is not None))
            for child in verb.children
        )

    def _head(self, words: list[str]) -> bool:
        return self.token.head.lemma_ in words

    def _perf(self) -> bool:
        verb = self.token.head if self.pos in {"a", "r"} else self.token
        return any(child.dep_ == "aux" and child.lemma_ in {"have", "'ve", "’ve"} for child in verb.children)

    def _prog(self) -> bool:
        return self.token.tag_ == "VBG" and any(child.lemma_ == "be" for child in self.children)

    def _conj(self) -> bool:
        return self.token.dep_ == "conj" or any(child.dep_ == "conj" for child in self.children)

    def _do(self) -> bool:
        verb = self.token.head if self.pos in {"a", "r"} else self.token
        return any(child.dep_ == "aux" and child.lemma_ == "do" for child in verb.children)

    def _inf(self) -> bool:
        return any(child.dep_ == "acl" and child.tag_ == "VB" for child in self.children)

    def _late(self) -> bool:
        """Whether an adverb stands behind the subject of its verb: “still” before it means “all the same”."""
        subject = _child(self.token.head, _SUBJECTS)
        return subject is None or subject.i < self.token.i

    def _verb(self) -> bool:
        return self.token.dep_ == "advmod" and self.token.head.pos_ in {"VERB", "AUX"}

    def _inv(self) -> bool:
        """Whether the subject follows: “cried Tommy”."""
        return any(child.dep_ in _SUBJECTS and child.i > self.token.i for child in self.children)

    def _npi(self) -> bool:
        """Whether a word that needs a negation follows: “never … anyone”."""
        doc = self.token.doc
        return any(doc[place].lower_ in _NEGATIVE_POLARITY for place in range(self.token.i + 1, len(doc)))

    def _tag(self) -> bool:
        """Whether a question tag follows, which would have to turn round too; its mark may be missing."""
        words = [token for token in self.token.doc if not token.is_punct]
        return len(words) > 4 and words[-1].pos_ == "PRON" and words[-2].pos_ in {"AUX", "PART"}

    def _mod(self, words: list[str] | None = None) -> bool:
        if words is not None:
            for child in self.children:
                if child.dep_ == "advmod" and child.i < self.token.i and child.lower_ in words:
                    return True
            return False
        return self.token.dep_ == "advmod" and self.token.head.pos_ in _MODIFIED and self.token.i < self.token.head.i

    def _end(self) -> bool:
        return self.token.i > self.token.head.i

    def _asked(self) -> bool:
        return self.asked


@lru_cache(maxsize=1024)
def _condition(text: str) -> tuple[bool, Callable[..., bool], list[str]]:
    """What a condition must be, the test that it names, and the test's words."""
    name, _, words = text.removeprefix("!").partition(":")
    test = getattr(Context, f"_{name}", None)
    if test is None:
        raise ValueError(f"no such condition: {text}")
    return text[0] != "!", test, words.split(";") if words else []


def tells_sense(content: Content) -> bool:
    """Whether what stands around an adjective tells that it is meant in a common sense: a noun behind it, a degree.

    Of “it” and “he” anything may be said.
    """
    token = content.token
    if token.tag_ != "JJ" or any(child.lower_ in {"too", "so", "as", "enough", "very"} for child in token.children):
        return True
    return is_attributive(token) and token.head.pos_ == "NOUN"


def describes_noun(content: Content) -> bool:
    """Whether a word tells something of a noun, and not of “it”, “he” or “something”."""
    noun = Context(content).described()
    return noun is not None and noun.pos_ == "NOUN" and noun.lower_ not in PERSONAL | NO_PERSON


def has_that_clause(adjective: Token) -> bool:
    """Whether an adjective is said of what a clause tells: “It is possible that he knows”."""
    return any(
        child.dep_ == "ccomp" and child.i > adjective.i and child is not adjective
        for head in (adjective, adjective.head)
        for child in head.children
    )


def _child(token: Token, deps: frozenset[str], lower: str | None = None) -> Token | None:
    for one in token.children:
        if one.dep_ in deps and lower in (None, one.lower_):
            return one
    return None


def _starts_clause(gerund: Token) -> bool:
    return not any(child.dep_ in {"aux", "auxpass"} for child in gerund.children)
