"""Denials about entities: nobody has them (possession), they do not exist (existence), a noun is wrong (labeling).

Possession: "She has no car", "It isn't mine". Existence: "There was nobody", "No such bird exists".
Labeling: "That wasn't a wolf", "These aren't coats".
"""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.en.developmental.attitudes import STATES_OF_MIND
from litotes.languages.en.developmental.denials import (
    Denial,
    Words,
    denials,
    denying,
    following,
    in_text_order,
    is_amount,
    is_weakened,
    verb_markers,
)
from litotes.languages.en.modals import POSSIBILITY_MODALS
from litotes.languages.en.pronouns import POSSESSIVE_PRONOUNS
from litotes.languages.en.quantifiers import ANY_PRONOUNS, LARGE_AMOUNTS, SOME_PRONOUNS, UNIVERSAL_PRONOUNS
from litotes.languages.en.syntax.tags import NOUN_TAGS, PLURAL_NOUN_TAGS
from litotes.languages.en.syntax.verb_groups import is_be
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Doc, Token, has_word

# Possession

_OWNING = frozenset({"have", "own", "possess"})
_ACTIVITIES = word_list("activities")
_RELATIONS = word_list("relations")
_NOT_POSSESSIONS = STATES_OF_MIND | _ACTIVITIES | _RELATIONS
"""Objects of "have" that nobody owns."""


def possession(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that somebody has something."""
    for denial in denials(doc):
        verb = denial.verb
        if _is_having(denial) and _denies_possession(denial):
            yield denial.words
        elif is_be(verb) and denial.position == "verb":
            owner = verb.child("attr", "acomp")
            if owner is not None and owner.lower_ in POSSESSIVE_PRONOUNS - {"his"}:
                yield (*denial.words, owner)


def _is_having(denial: Denial) -> bool:
    verb = denial.verb
    if denial.has_auxiliary("must", "should", "shall", "can", "could", "ca", "to") and verb.lemma_ == "have":
        return False  # "You shouldn't have a dog" does not deny that you have one
    if verb.lemma_ in _OWNING:
        return not verb.has_child("auxpass", "nsubjpass")
    return verb.lower_ in {"got", "gotten"} and denial.has_auxiliary("have", "ai") is not None


def _denies_possession(denial: Denial) -> bool:
    verb = denial.verb
    noun = verb.child("dobj")
    if verb.has_child("ccomp", "xcomp", "oprd"):
        return False  # "didn't have to", "didn't have it mended"
    if "on" in following(verb):
        return False  # "doesn't have a coat on" is about clothes
    if denial.position == "subject" and not denial.is_of_nobody:
        return False
    if noun is None:
        # "the money that they don't have" is a denial; "No, I haven't" and a sentence that breaks off are not.
        breaks_off = not {"to", "a", "any", "the", "been"}.isdisjoint(following(verb))
        return denial.has_auxiliary("do", "does", "did") is not None and not breaks_off
    if denial.position == "verb" and is_amount(noun):
        return False
    return noun.lemma_ not in _NOT_POSSESSIONS and not _is_in_idiom(noun)


def _is_in_idiom(noun: Token) -> bool:
    """Return whether a pronoun begins an idiom: "anything to do with", "nothing against"."""
    if noun.lower_ not in {"nothing", "anything", "much", "something", "thing", "lot"}:
        return False
    words = following(noun, 2)
    return words == ["to", "do"] or words[:1] in (["against"], ["but"], ["on"], ["in"])


# Existence

_ABSENCES = frozenset({"shortage", "lack", "dearth", "scarcity", "absence", "amount"})
"""Nouns whose denial does not deny that something exists: "no shortage of"."""


def existence(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that something exists."""
    for there in doc:
        if there.lower_ == "there" and there.dep_ == "expl" and (words := _denied_existence(there)):
            yield words
    for denial in denials(doc):
        if denial.verb.lemma_ != "exist" or denial.position == "object":
            continue
        if not denial.has_auxiliary("can", "ca", "could", "would", "may", "might", "should"):
            yield denial.words


def _denied_existence(there: Token) -> Words:
    """Return the words that deny the existence in a clause with "there", or nothing."""
    verb = there.head
    copula = _existential_verb(verb)
    noun = _existing_noun(copula, there) if copula is not None else None
    if copula is None or noun is None or noun.lemma_ in _ABSENCES or noun.tag_ == "VBG":
        return ()
    markers = verb_markers(verb) or (verb_markers(copula) if copula is not verb else ())
    by_noun = denying(noun) or _denied_part(noun)
    if _is_question(there, markers):
        return ()
    if markers and not by_noun:
        is_possible = has_word(verb.lefts, POSSIBILITY_MODALS)
        if is_possible or is_weakened(markers[-1]) or is_amount(noun):
            return ()
        return (there, *in_text_order(*markers, copula, noun))
    if by_noun and (not markers or markers[0].lower_ != "never") and not _is_comparison(noun):
        return (there, *in_text_order(copula, *by_noun))
    return ()


def _existential_verb(verb: Token) -> Token | None:
    """Return the verb that states existence: "there is", "there seem to be", "there remains"."""
    if is_be(verb) or verb.lemma_ in {"exist", "remain", "come"}:
        return verb
    return next((token for token in verb.rights if token.dep_ == "xcomp" and is_be(token)), None)


def _existing_noun(copula: Token, there: Token) -> Token | None:
    return next(
        (token for token in copula.children if token.dep_ in {"attr", "dobj", "nsubj"} and token.i > there.i), None
    )


def _denied_part(noun: Token) -> Words:
    """Return "no" and the noun if "no" begins a phrase before the noun: "no more than", "no such car"."""
    for child in noun.lefts:
        marker = next((token for token in child.lefts if token.lower_ == "no"), None)
        if marker is not None and child.dep_ in {"amod", "det", "advmod"}:
            return (marker, noun)
    return ()


def _is_question(there: Token, markers: Words) -> bool:
    """Return whether "there" follows its verb ("Isn't there a way?") for another reason than a fronted "never"."""
    if there.head.i > there.i or has_word(markers, {"never", "nor", "longer"}):
        return False
    return all(token.lower_ != "why" for token in there.head.lefts)  # "Why is there no door?" presupposes the denial


def _is_comparison(noun: Token) -> bool:
    """Return whether "no" belongs to a number or a comparison: "no fewer than ten", "nothing like it"."""
    if "like" in following(noun):
        return True
    before = [token.lower_ for token in noun.subtree if token.i <= noun.i]
    return "than" in before or (noun.has_child("nummod") and noun.lower_ != "one")


# Labeling

_QUANTITIES = LARGE_AMOUNTS | word_list("quantities")
_PRONOUNS = ANY_PRONOUNS | SOME_PRONOUNS | UNIVERSAL_PRONOUNS | {"nothing", "none", "nobody"}
_SENTENCE_NOUNS = word_list("sentence nouns")
"""Predicates of facts, not of things: "That was not the point"."""
_NOT_LABELS = _QUANTITIES | _PRONOUNS | _SENTENCE_NOUNS
_LABELING_MODALS = ("would", "should", "could", "can", "ca", "may", "might", "must", "'d", "to")
"""With these auxiliaries the label may be right at present."""


def labeling(doc: Doc) -> Iterator[Words]:
    """Yield the words that deny that something is what a noun calls it."""
    for denial in denials(doc):
        verb, subject = denial.verb, denial.subject
        if not is_be(verb) or denial.position == "subject" or subject is None or subject.i > verb.i:
            continue
        if subject.dep_ != "nsubj" or subject.lower_ in {"there", "the"}:
            continue
        if denial.has_auxiliary(*_LABELING_MODALS) or verb.has_child("acomp"):
            continue
        noun = next((token for token in verb.rights if token.dep_ == "attr"), None)
        if noun is not None and _is_label(noun) and _is_simple_predicate(verb, noun) and _agrees(denial, noun):
            yield (subject, *denial.words, *(() if noun in denial.markers else (noun,)))


def _is_label(noun: Token) -> bool:
    if noun.tag_ not in NOUN_TAGS or noun.lemma_ in _NOT_LABELS or noun.like_num:
        return False
    if noun.has_child("nummod", "quantmod"):
        return False
    if noun.lemma_ == "number" and has_word(noun.rights, {"of"}):
        return False  # "a number of coats" is an amount, "an even number" is not
    # Somebody who is "not the only doctor" is still a doctor.
    return not has_word(noun.lefts, {"only", "all", "every", "more", "less", "much"})


def _is_simple_predicate(verb: Token, noun: Token) -> bool:
    """Return whether no word between verb and noun, or after the noun, changes the statement."""
    between = verb.doc.tokens[verb.i + 1 : noun.i]
    if any(token.tag_ == ":" or token.lower_ in {"so", "much", "too", "--"} for token in between):
        return False
    return "alone" not in following(noun)


def _agrees(denial: Denial, noun: Token) -> bool:
    """Return whether verb and noun agree if "no" precedes the noun; otherwise the subject is an error for "there"."""
    if denial.position == "verb" or noun.tag_ not in PLURAL_NOUN_TAGS:
        return True
    return denial.verb.lower_ in {"are", "were", "'re"}
