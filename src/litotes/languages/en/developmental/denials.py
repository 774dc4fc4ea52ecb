"""Negated verbs of a text, with their markers, auxiliaries and subject."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from litotes.languages.en.modifiers import LIMITING_ADVERBS
from litotes.languages.en.negation import DENYING_PRONOUNS, VERB_NEGATORS
from litotes.languages.en.quantifiers import LARGE_AMOUNTS
from litotes.languages.en.syntax.tags import AUXILIARY_DEPS, SUBJECT_DEPS, VERB_TAGS
from litotes.languages.tree import Doc, Token, cached_on_doc, has_word

Words = tuple["Token", ...]

_WEAKENING = LIMITING_ADVERBS | {"solely", "always", "necessarily", "all", "every"}
"""Words after a marker that are negated instead of the verb: "does not just want"."""
_FRONTED = frozenset({"longer", "once", "ever", "yet"})
"""Words that form a negative adverb with "no" or "not": "no longer", "not once"."""
_OBJECTS = frozenset({"dobj", "attr", "dative"})
_ADVERBS = frozenset({"RB", "RBR"})


class Denial(NamedTuple):
    """A negated verb."""

    verb: Token
    markers: Words
    auxiliaries: Words
    subject: Token | None
    position: Literal["verb", "subject", "object"]
    """The position of the negation: "does not know", "nobody knows", "knows nothing"."""

    @property
    def words(self) -> Words:
        """The markers, the auxiliaries and the verb, in the order of the text."""
        return in_text_order(*self.markers, *self.auxiliaries, self.verb)

    @property
    def is_question(self) -> bool:
        """Whether the clause is a question, which denies nothing: "Don't you know?", but not "Never did I know"."""
        if self.subject is None or self.subject.tag_ == "EX":
            return False
        first = self.auxiliaries[0] if self.auxiliaries else self.verb
        return first.i < self.subject.i < self.verb.i and not any(token.i < first.i for token in self.markers)

    @property
    def is_of_nobody(self) -> bool:
        """Whether the subject is a negative pronoun for a person, not "no" with a noun."""
        return self.position == "subject" and self.markers[-1].lower_ in (DENYING_PRONOUNS - {"nothing"}) | {"one"}

    def has_auxiliary(self, *lemmas: str) -> Token | None:
        """Return the auxiliary with one of these lemmas, or None."""
        return next((token for token in self.auxiliaries if token.lemma_ in lemmas or token.lower_ in lemmas), None)


def in_text_order(*words: Token) -> Words:
    """Return the words in the order of the text, each once."""
    return tuple(sorted(dict.fromkeys(words), key=lambda token: token.i))


def following(token: Token, n_words: int = 1) -> list[str]:
    """Return the next words in lower case; fewer at the end of the text."""
    return [word.lower_ for word in token.doc.tokens[token.i + 1 : token.i + 1 + n_words]]


@cached_on_doc
def denials(doc: Doc) -> list[Denial]:
    """Return the negated verbs of a text in order."""
    return [denial for verb in doc if verb.tag_ in VERB_TAGS for denial in _denials_of(verb) if not denial.is_question]


def _denials_of(verb: Token) -> Iterator[Denial]:
    if verb.dep_ in AUXILIARY_DEPS:
        return
    auxiliaries = _auxiliaries(verb)
    subject = subject_of(verb)
    by_verb = verb_markers(verb)
    by_subject = denying(subject) if subject is not None else ()
    if by_verb and by_subject:
        return  # "nobody did not" means that everybody did
    if by_verb:
        if not is_weakened(by_verb[-1]):
            yield Denial(verb, by_verb, auxiliaries, subject, "verb")
        return
    if by_subject:
        yield Denial(verb, by_subject, auxiliaries, subject, "subject")
        return
    if verb.dep_ == "conj" and not auxiliaries and subject is not None and subject.head is not verb:
        shared = _shared_denial(verb)
        if shared is not None:
            yield shared
            return
    for child in verb.rights:
        if child.dep_ in _OBJECTS and (by_object := denying(child)):
            yield Denial(verb, by_object, auxiliaries, subject, "object")
            return


def _auxiliaries(verb: Token) -> Words:
    return tuple(token for token in verb.lefts if token.dep_ in AUXILIARY_DEPS)


def _shared_denial(verb: Token) -> Denial | None:
    """Return the negation that a verb shares with the verb before "or": "does not know or care"."""
    first = verb.head
    joined = any(token.dep_ == "cc" and token.lower_ in {"or", "nor"} for token in first.rights)
    markers = verb_markers(first)
    if not joined or not markers or is_weakened(markers[-1]) or verb.tag_ not in {"VB", "VBP"}:
        return None
    auxiliaries = _auxiliaries(first)
    return Denial(verb, markers, auxiliaries, subject_of(first), "verb") if auxiliaries else None


def subject_of(verb: Token) -> Token | None:
    """Return the subject of a verb, or of the verb that governs or precedes it."""
    own = verb.child(*SUBJECT_DEPS)
    if own is None and verb.dep_ in {"conj", "xcomp"} and verb.head is not verb and verb.head.i < verb.i:
        return subject_of(verb.head)
    return own


def verb_markers(verb: Token) -> Words:
    """Return the words that negate a verb: not, n't, never, no longer, nor; none for a double negation."""
    markers: list[Words] = []
    for child in verb.children:
        if child.i > verb.i and child.lower_ not in VERB_NEGATORS:
            continue
        if child.dep_ in {"neg", "advmod", "cc", "preconj", "det"} and child.lower_ in VERB_NEGATORS:
            # "is not", and with adverbs between, "is certainly not"
            if child.i < verb.i or all(token.tag_ in _ADVERBS for token in verb.doc.tokens[verb.i + 1 : child.i]):
                markers.append((child,))
        elif child.lower_ in _FRONTED and (marker := _first_marker(child)) is not None:
            markers.append((marker, child))
        elif child.lower_ in {"nor", "neither"} and child.i < verb.i and _denies_clause(verb, child):
            markers.append((child,))
    return markers[0] if len(markers) == 1 else ()


def _first_marker(adverb: Token) -> Token | None:
    return next((token for token in adverb.lefts if token.lower_ in {"no", "not"}), None)


def _denies_clause(verb: Token, marker: Token) -> bool:
    """Return whether the verb or its auxiliary follows the marker directly: "nor did he know"."""
    follows = marker.next
    return follows is not None and (follows is verb or (follows.dep_ in AUXILIARY_DEPS and follows.head is verb))


def denying(noun: Token) -> Words:
    """Return the words that negate a noun phrase: "no" and the noun, or a pronoun such as "nothing"."""
    if noun.lower_ in DENYING_PRONOUNS:
        # "nothing but sand" is not a denial
        return () if has_word(noun.children, {"but", "except", "if"}) else (noun,)
    for child in noun.lefts:
        if child.lower_ == "no" and child.dep_ in {"det", "neg", "amod", "advmod"}:
            # "no-nonsense" is one word, "no-one" is not
            is_joined = noun.doc.tokens[child.i + 1].tag_ == "HYPH" and noun.lower_ != "one"
            return () if is_joined else (child, noun)
        if child.lower_ == "neither" and child.dep_ in {"det", "preconj"}:
            return (child, noun)
    return ()


def is_weakened(marker: Token) -> bool:
    """Return whether the word after a marker is denied instead of the verb: "not only", "not always"."""
    return not _WEAKENING.isdisjoint(following(marker))


_AMOUNTS = LARGE_AMOUNTS | {"enough", "all", "every", "lot", "lots", "more", "most", "exactly", "quite", "as", "too"}


def is_amount(noun: Token) -> bool:
    """Return whether only an amount is denied: "there isn't much milk" leaves some."""
    before = [token.lower_ for token in noun.subtree if token.i <= noun.i]
    if "any" in before or "single" in before:
        return False
    return any(word in _AMOUNTS for word in before) or noun.has_child("nummod")
