"""Denials: every verb of a text that is negated, by whatever word, and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from litotes.languages.en.negation import DENYING_PRONOUNS, VERB_NEGATORS
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.tree import cached_on_doc

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

Words = tuple["Token", ...]

_WEAKENING = frozenset({"only", "just", "merely", "simply", "solely", "always", "necessarily", "all", "every"})
"""Behind a marker: what is denied is a limit, and the rest may well hold ("does not just want")."""
_FRONTED = frozenset({"longer", "once", "ever", "yet"})
"""What "no" and "not" begin an adverb of denial with: "no longer", "not once"."""
_OBJECTS = frozenset({"dobj", "attr", "dative"})
_ADVERBS = frozenset({"RB", "RBR"})
_VERB_TAGS = frozenset({"VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "MD"})


class Denial(NamedTuple):
    """A negated verb."""

    verb: Token
    markers: Words
    auxiliaries: Words
    subject: Token | None
    place: Literal["verb", "subject", "object"]
    """Where the negation stands: "does not know", "nobody knows", "knows nothing"."""

    @property
    def words(self) -> Words:
        """The markers, auxiliaries and the verb, as they follow each other."""
        return tuple(sorted({one.i: one for one in (*self.markers, *self.auxiliaries, self.verb)}.values(), key=_place))

    @property
    def is_question(self) -> bool:
        """Whether it asks ("Don't you know?"), and so denies nothing; "Never did I know" does not ask."""
        if self.subject is None or self.subject.tag_ == "EX":
            return False
        first = self.auxiliaries[0] if self.auxiliaries else self.verb
        return first.i < self.subject.i < self.verb.i and not any(one.i < first.i for one in self.markers)

    @property
    def is_of_nobody(self) -> bool:
        """Whether the subject is "nobody" or the like, and no "no" with a noun of whatever sort."""
        return self.place == "subject" and (self.markers[-1].lower_ in {"nobody", "none", "neither", "noone", "one"})

    def has_auxiliary(self, *lemmas: str) -> Token | None:
        """The auxiliary of one of these lemmas, if there is one."""
        return next((one for one in self.auxiliaries if one.lemma_ in lemmas or one.lower_ in lemmas), None)


def _place(token: Token) -> int:
    return token.i


@cached_on_doc
def denials(doc: Doc) -> list[Denial]:
    """The negated verbs of a text, in order; each once."""
    return [one for token in doc if token.tag_ in _VERB_TAGS for one in _of(token) if not one.is_question]


def _of(verb: Token) -> Iterator[Denial]:
    if verb.dep_ in {"aux", "auxpass"}:
        return
    auxiliaries = tuple(one for one in verb.lefts if one.dep_ in {"aux", "auxpass"})
    subject = subject_of(verb)
    by_verb = verb_markers(verb)
    by_subject = denying(subject) if subject is not None else ()
    if by_verb and by_subject:
        return  # nobody did not: everybody did
    if by_verb:
        if not is_weakened(by_verb[-1]):
            yield Denial(verb, by_verb, auxiliaries, subject, "verb")
        return
    if by_subject:
        yield Denial(verb, by_subject, auxiliaries, subject, "subject")
        return
    if verb.dep_ == "conj" and not auxiliaries and subject is not None and subject.head is not verb:
        shared = _shared(verb)
        if shared is not None:
            yield shared
            return
    for child in verb.rights:
        if child.dep_ in _OBJECTS and (by_object := denying(child)):
            yield Denial(verb, by_object, auxiliaries, subject, "object")
            return


def _shared(verb: Token) -> Denial | None:
    """The negation of the first of two verbs that "or" joins: "does not know or care"."""
    first = verb.head
    joined = any(one.dep_ == "cc" and one.lower_ in {"or", "nor"} for one in first.rights)
    markers = verb_markers(first)
    if not joined or not markers or is_weakened(markers[-1]) or verb.tag_ not in {"VB", "VBP"}:
        return None
    auxiliaries = tuple(one for one in first.lefts if one.dep_ in {"aux", "auxpass"})
    return Denial(verb, markers, auxiliaries, subject_of(first), "verb") if auxiliaries else None


def subject_of(verb: Token) -> Token | None:
    """The subject of a verb, or of the verb that it is joined to, or that it is the infinitive of."""
    own = next((one for one in verb.children if one.dep_ in SUBJECT_DEPS), None)
    if own is None and verb.dep_ in {"conj", "xcomp"} and verb.head is not verb and verb.head.i < verb.i:
        return subject_of(verb.head)
    return own


def verb_markers(verb: Token) -> Words:
    """What negates a verb itself: not, n't, never, no longer, nor; two of them make none."""
    found: list[Words] = []
    for child in verb.children:
        if child.i > verb.i and child.lower_ not in VERB_NEGATORS:
            continue
        if child.dep_ in {"neg", "advmod", "cc", "preconj", "det"} and child.lower_ in VERB_NEGATORS:
            # "is not", and with adverbs between, "is certainly not"
            if child.i < verb.i or all(one.tag_ in _ADVERBS for one in verb.doc.tokens[verb.i + 1 : child.i]):
                found.append((child,))
        elif child.lower_ in _FRONTED and (low := _first_marker(child)) is not None:
            found.append((low, child))
        elif child.lower_ in {"nor", "neither"} and child.i < verb.i and _denies_clause(verb, child):
            found.append((child,))
    return found[0] if len(found) == 1 else ()


def _first_marker(adverb: Token) -> Token | None:
    return next((one for one in adverb.lefts if one.lower_ in {"no", "not"}), None)


def _denies_clause(verb: Token, marker: Token) -> bool:
    """Whether the verb or its auxiliary follows the marker at once: "nor did he know", "neither knows nor"."""
    follows = marker.doc.tokens[marker.i + 1 :][:1]
    return bool(follows) and (follows[0] is verb or (follows[0].dep_ in {"aux", "auxpass"} and follows[0].head is verb))


def denying(noun: Token) -> Words:
    """What denies a noun phrase: "no" before it, or that it is "nothing", "nobody", "none"."""
    if noun.lower_ in DENYING_PRONOUNS:
        # "nothing but sand" is sand
        return () if any(one.lower_ in {"but", "except", "if"} for one in noun.children) else (noun,)
    for child in noun.lefts:
        if child.lower_ == "no" and child.dep_ in {"det", "neg", "amod", "advmod"}:
            # "no-nonsense" is a word of its own, "no-one" is not
            is_joined = noun.doc.tokens[child.i + 1].tag_ == "HYPH" and noun.lower_ != "one"
            return () if is_joined else (child, noun)
        if child.lower_ == "neither" and child.dep_ in {"det", "preconj"}:
            return (child, noun)
    return ()


def is_weakened(marker: Token) -> bool:
    """Whether the word behind a marker takes the denial back: "not only", "not always"."""
    follows = marker.doc.tokens[marker.i + 1 :][:1]
    return bool(follows) and follows[0].lower_ in _WEAKENING


_AMOUNTS = frozenset(
    {"much", "many", "enough", "all", "every", "lot", "lots", "more", "most", "exactly", "quite", "as", "too"}
)


def is_amount(noun: Token) -> bool:
    """Whether an amount is denied, and less may be there: "isn't much milk", "doesn't have three sons"."""
    before = [one.lower_ for one in noun.subtree if one.i <= noun.i]
    if "any" in before or "single" in before:
        return False
    return any(one in _AMOUNTS for one in before) or child_of(noun, "nummod") is not None


def child_of(head: Token, *deps: str) -> Token | None:
    """The first word that hangs on another in one of these ways."""
    return next((one for one in head.children if one.dep_ in deps), None)
