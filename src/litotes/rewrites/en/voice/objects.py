"""What can become the subject of a passive clause: objects, receivers, what prepositions and predicates belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.nouns import SCENE_NOUNS, noun_supersense, noun_supersenses
from litotes.languages.en.valency import (
    ADJECTIVE_AFTER_OBJECT,
    AS_COMPLEMENT_VERBS,
    BARE_INFINITIVE_AFTER_OBJECT,
    DOUBLE_OBJECT_VERBS,
    EXPERIENCE_VERBS,
    GIVING_VERBS,
    INFINITIVE_AFTER_OBJECT,
    MAKING_VERBS,
    MOTION_VERBS,
    NOUN_AFTER_OBJECT,
    PARTICIPLE_AFTER_OBJECT,
    PLACING_VERBS,
    PREPOSITIONAL_IDIOMS,
    PREPOSITIONAL_VERBS,
    PUTTING_VERBS,
    REMOVAL_VERBS,
    TELLING_OF_VERBS,
    TELLING_VERBS,
    TO_COMPLEMENT_VERBS,
    TOOL_VERBS,
)
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, noun_phrase
from litotes.rewrites.en.voice.chain import Chain, Refusal
from litotes.rewrites.en.voice.verb_forms import verb_lemma
from litotes.rewrites.patches import Patch, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_INDEFINITE = frozenset({"a", "an", "some"})
_LEFT_BEHIND = frozenset({"into", "onto", "toward", "towards", "off", "out", "through", "across", "down", "against"})
_PLACES = frozenset({"in", "on", "inside", "under", "over", "upon", "against", "around"})


def left_behind(lemma: str, thing: Token) -> Iterator[Token]:
    """What the parser hangs on the object and yet stays where it is: "put the book [on the table]"."""
    for child in thing.rights:
        if _is_told(lemma, child):
            yield child
            return
        if child.dep_ == "prep" and _stays(lemma, thing, child):
            yield child
            return


def _is_told(lemma: str, child: Token) -> bool:
    """Whether a clause on the object is what is told, or what it is for: "told him [that …]", "used it [to …]"."""
    if child.dep_ not in {"relcl", "acl"}:
        return False
    first = child.left_edge
    if lemma in TELLING_VERBS and (first.lower_ == "that" or first.tag_ == "WRB"):
        return True
    return lemma == "use" and child.tag_ == "VB" and first.lower_ == "to"


def _stays(lemma: str, thing: Token, preposition: Token) -> bool:
    word = preposition.lower_
    if _goes_with_verb(lemma, word) or is_scene(lemma, thing, preposition):
        return True
    if word in _PLACES and lemma in PUTTING_VERBS:
        if _is_definite(thing):
            raise Refusal("attachment")
        return True
    if word == "with" and thing.tag_ != "PRP":
        if lemma in TOOL_VERBS:
            return True
        _must_be_had(thing, preposition)
    return False


def _is_definite(thing: Token) -> bool:
    return any(child.dep_ in {"det", "poss"} and child.lower_ not in _INDEFINITE for child in thing.lefts)


def _noun_after(preposition: Token) -> Token | None:
    return next((child for child in preposition.children if child.dep_ == "pobj"), None)


def _goes_with_verb(lemma: str, preposition: str) -> bool:
    """Whether the verb itself asks for the preposition, whatever stands before it."""
    if preposition == "to":
        return lemma in PUTTING_VERBS or lemma in GIVING_VERBS or lemma in TO_COMPLEMENT_VERBS
    if preposition == "as":
        return lemma in AS_COMPLEMENT_VERBS
    return (
        preposition in _LEFT_BEHIND
        or (preposition == "from" and lemma in REMOVAL_VERBS)
        or (preposition in _PLACES and lemma in PLACING_VERBS)
        or (preposition == "about" and lemma in TELLING_VERBS)
        or (preposition == "of" and lemma in TELLING_OF_VERBS)
    )


def is_scene(lemma: str, thing: Token, preposition: Token) -> bool:
    """Whether a phrase says where all happens, "chasing a ball on the grass", or where it hits, "on the head"."""
    noun = _noun_after(preposition)
    if noun is None or preposition.lower_ not in {"in", "on", "at", "near", "along", "outside", "by"}:
        return False
    if preposition.lower_ in {"in", "on"} and noun_supersense(noun) == "body" and noun.left_edge.lower_ == "the":
        return True
    if lemma in EXPERIENCE_VERBS or _is_definite(thing):
        return False
    return noun.lower_ == "front" or noun.lower_ in SCENE_NOUNS or noun_supersense(noun) in {"location", "object"}


def _must_be_had(thing: Token, preposition: Token) -> None:
    """That "with" names a part or a companion of the object, not a tool of the verb."""
    noun = _noun_after(preposition)
    if noun is None:
        raise Refusal("unclear")
    if noun_supersense(noun) == "artifact" and noun_supersense(thing) not in {"person", "animal"}:
        raise Refusal("attachment")


_SKIPPED_BETWEEN = frozenset({"prt", "advmod", "neg", "dative"})


@dataclass(frozen=True)
class Promotion:
    """One way of making a subject of what is not one."""

    phrase: NounPhrase
    """What becomes the subject."""
    gap: tuple[int, int]
    """The characters that go from its old place; with them goes the "to" of "to him"."""
    anchor: Token
    """The last word before which no by-phrase can stand: the verb, its particle, its second object, its predicate."""
    reason: str
    extra: tuple[Patch, ...] = ()
    """What else must change: the "to" of "given to him"."""
    left: tuple[Token, ...] = ()
    """Modifiers of the phrase that stay behind, for they say where it goes."""
    adverb: Token | None = None
    """An adverb that goes before the participle: "looked sadly at him" → "was sadly looked at"."""


def promotions(chain: Chain) -> list[Promotion]:
    """All ways, the best first."""
    verb = chain.verb
    lemma = verb_lemma(verb)
    objects = [child for child in verb.children if child.dep_ == "dobj"]
    datives = [child for child in verb.children if child.dep_ == "dative" and child.i > verb.i]
    if len(objects) > 1 or len(datives) > 1:
        raise Refusal("unclear")
    if not objects:
        return [_without_object(chain, lemma, datives)]
    thing = objects[0]
    if not datives:
        idiom = _idiom(verb, lemma, thing)
        return [idiom] if idiom else [_plain(chain, lemma, thing)]
    if thing.i < verb.i:
        raise Refusal("unclear")
    if datives[0].tag_ in {"IN", "TO"}:
        return _thing_first(chain, lemma, thing, datives[0])
    return _receiver_first(chain, lemma, datives[0], thing)


def _plain(chain: Chain, lemma: str, thing: Token) -> Promotion:
    """One object, and what is said of it, if anything."""
    verb = chain.verb
    left = tuple(left_behind(lemma, thing)) if thing.i > verb.i else ()
    phrase = _phrase(thing, left)
    if thing.i > verb.i:
        _must_follow(verb, phrase)
    predicate = next((one for one in verb.children if one.i > thing.i and _is_predicate(one)), None)
    anchor = _after_particle(verb, phrase)
    if predicate is not None:
        _must_be_known(lemma, predicate)
        anchor = _predicate_end(predicate)
        if anchor.i + 1 < len(anchor.doc) and anchor.nbor().tag_ == "VBG":
            raise Refusal("heavy")  # "found her busy writing letters"
    elif _may_hide_predicate(lemma, thing):
        raise Refusal("unclear")
    return Promotion(phrase, (phrase.start, phrase.end), anchor, "the object as subject", left=left)


def _is_predicate(token: Token) -> bool:
    """Whether a token says something of the object before it."""
    return token.dep_ in {"oprd", "acomp"} or (token.dep_ == "ccomp" and token.pos_ == "ADJ")


def _without_object(chain: Chain, lemma: str, datives: list[Token]) -> Promotion:
    verb = chain.verb
    if datives and datives[0].tag_ not in {"IN", "TO"}:
        phrase = _phrase(datives[0])
        _must_follow(verb, phrase)
        return Promotion(phrase, (phrase.start, phrase.end), verb, "the receiver as subject")
    for child in verb.children:
        if child.i < verb.i:
            continue
        if child.dep_ in {"ccomp", "xcomp"}:
            return _small_clause(verb, lemma, child)
        if child.dep_ == "prep" and child.lower_ in PREPOSITIONAL_VERBS.get(lemma, ()):
            return _of_preposition(verb, child)
    raise Refusal("no-object")


def _small_clause(verb: Token, lemma: str, predicate: Token) -> Promotion:
    """An object that is the subject of what follows: "made him cry", "found it interesting"."""
    own = [child for child in predicate.children if child.dep_ in {"nsubj", "nsubjpass"}]
    if len(own) != 1 or own[0].i > predicate.i or any(child.dep_ == "mark" for child in predicate.children):
        raise Refusal("clause-object")
    first_aux = next((one for one in predicate.children if one.dep_ in {"aux", "auxpass"}), None)
    is_bare = predicate.tag_ == "VB" or (predicate.tag_ == "VBP" and lemma == "make")
    if (predicate.tag_ in {"VBZ", "VBP", "VBD", "MD"} and not is_bare) or (
        first_aux is not None and first_aux.lower_ != "to"
    ):
        raise Refusal("clause-object")
    phrase = _phrase(own[0])
    _must_follow(verb, phrase)
    if any(place.dep_ in {"neg", "cc", "conj"} for place in predicate.children):
        raise Refusal("unclear")
    extra: tuple[Patch, ...] = ()
    anchor = verb
    if predicate.tag_ == "VB" and first_aux is not None:
        if lemma not in INFINITIVE_AFTER_OBJECT:
            raise Refusal("no-passive")
    elif is_bare:
        if lemma not in BARE_INFINITIVE_AFTER_OBJECT or predicate.nbor(-1).i != phrase.last.i:
            raise Refusal("no-passive")
        extra = (Patch(start_of(predicate), start_of(predicate), "to "),)
        end = _predicate_end(predicate)
        anchor = end if end.i - predicate.i < 3 else verb
    elif predicate.tag_ == "VBG":
        if lemma not in PARTICIPLE_AFTER_OBJECT:
            raise Refusal("no-passive")
        length = predicate.right_edge.i - predicate.i
        if lemma == "keep" and length > 3:
            raise Refusal("heavy")
        anchor = predicate.right_edge if length < 2 or lemma == "keep" else verb
    else:
        _must_be_known(lemma, predicate)
        anchor = _predicate_end(predicate)
    return Promotion(phrase, (phrase.start, phrase.end), anchor, "the object as subject", extra=extra)


def _predicate_end(predicate: Token) -> Token:
    """The last word of a predicate, its clauses left out: "made it clear that …"."""
    end = predicate
    for child in predicate.rights:
        if child.dep_ == "prep" and any(one.dep_ == "pcomp" for one in child.children):
            break  # "called them babies for saying so"
        if child.dep_ in {"ccomp", "xcomp", "advcl", "punct", "cc", "conj", "npadvmod", "parataxis", "intj", "dep"}:
            break
        end = child.right_edge
    return end


def _must_be_known(lemma: str, predicate: Token) -> None:
    """That a verb may have a predicate of this kind after its object."""
    known = NOUN_AFTER_OBJECT if predicate.pos_ in {"NOUN", "PROPN", "PRON", "NUM"} else ADJECTIVE_AFTER_OBJECT
    if predicate.pos_ not in {"NOUN", "PROPN", "ADJ", "VERB", "ADV"} or lemma not in known:
        raise Refusal("no-passive")
    if predicate.pos_ == "ADJ" and not (is_known(predicate.lower_, "a") or predicate.tag_ in {"JJR", "JJS"}):
        raise Refusal("unclear")
    if lemma == "make" and known is NOUN_AFTER_OBJECT and "person" not in noun_supersenses(predicate.lemma_.lower()):
        raise Refusal("unclear")  # "made me a cake" gives, "made me a star" names


def _may_hide_predicate(lemma: str, thing: Token) -> bool:
    """Whether the parser may have joined an object and its predicate: "painted [the wall red]"."""
    before = [child for child in thing.lefts if child.dep_ in {"compound", "nmod", "amod"}]
    if lemma in {"name", "call", "dub", "nickname"} and any(child.dep_ == "compound" for child in before):
        return True
    if lemma in NOUN_AFTER_OBJECT | MAKING_VERBS | GIVING_VERBS | DOUBLE_OBJECT_VERBS:
        if any(child.tag_ in {"NN", "NNS"} and thing.tag_ == "NNP" and thing.text[0].isupper() for child in before):
            return True
        if any(child.tag_ in {"NNP", "PRP"} and child.nbor().tag_ in {"DT", "PRP$", "CD"} for child in before):
            return True
        if any(child.tag_ == "PRP$" and child.lower_ == "her" for child in thing.lefts):
            return lemma in MAKING_VERBS | GIVING_VERBS and thing.tag_ in {"NN", "NNS"}
    if thing.lower_ in {"shut", "open", "closed", "free", "loose", "flat", "dry"} and before:
        return True  # "pushed [the door shut]"
    return lemma in ADJECTIVE_AFTER_OBJECT and is_known(thing.lower_, "a") and bool(before)


def _idiom(verb: Token, lemma: str, thing: Token) -> Promotion | None:
    """ "take care of her" → "she is taken care of"."""
    prepositions = PREPOSITIONAL_IDIOMS.get((lemma, thing.lower_))
    if prepositions is None or thing.i != verb.i + 1:
        return None
    for preposition in (*thing.rights, *verb.rights):
        if preposition.dep_ == "prep" and preposition.lower_ in prepositions and preposition.i == thing.i + 1:
            return _of_preposition(verb, preposition, idiom=True)
    return None


def _of_preposition(verb: Token, preposition: Token, *, idiom: bool = False) -> Promotion:
    """The preposition stays: "laughed at him" → "he was laughed at"."""
    noun = next((child for child in preposition.children if child.dep_ == "pobj"), None)
    adverbs = [verb.doc[place] for place in range(verb.i + 1, preposition.i)]
    if noun is None or noun.i < preposition.i or (not idiom and any(one.dep_ != "advmod" for one in adverbs)):
        raise Refusal("no-object")
    left = tuple(child for child in noun.rights if child.dep_ == "prep" and is_scene("", noun, child))
    phrase = _phrase(noun, left)
    if phrase.first.i != preposition.i + 1:
        raise Refusal("unclear")
    if adverbs and not idiom and (len(adverbs) > 1 or not adverbs[0].lower_.endswith("ly")):
        raise Refusal("unclear")
    return Promotion(
        phrase,
        (phrase.start, phrase.end),
        preposition,
        "the object of the preposition as subject",
        left=left,
        adverb=adverbs[0] if adverbs and not idiom else None,
    )


def _receiver_first(chain: Chain, lemma: str, receiver: Token, thing: Token) -> list[Promotion]:
    """ "gave him a book"."""
    verb = chain.verb
    person, object_ = _phrase(receiver), _phrase(thing)
    if person.first.i != verb.i + 1 or object_.first.i != person.last.i + 1:
        raise Refusal("unclear")
    if any(token.is_punct for token in object_.tokens):
        raise Refusal("heavy")
    by_person = Promotion(person, (person.start, person.end), object_.last, "the receiver as subject")
    word = "to" if lemma in GIVING_VERBS else "for" if lemma in MAKING_VERBS else ""
    if not word:
        if lemma not in DOUBLE_OBJECT_VERBS:
            raise Refusal("unclear")
        return [by_person]
    by_thing = Promotion(
        object_,
        (object_.start, object_.end),
        person.last,
        "the thing as subject",
        extra=(Patch(person.start, person.start, f"{word} "),),
    )
    return [by_person, by_thing] if word == "to" else [by_thing, by_person]


def _thing_first(chain: Chain, lemma: str, thing: Token, preposition: Token) -> list[Promotion]:
    """ "gave a book to him"."""
    object_ = _phrase(thing)
    _must_follow(chain.verb, object_)
    found = [
        Promotion(object_, (object_.start, object_.end), _after_particle(chain.verb, object_), "the thing as subject")
    ]
    receiver = next((child for child in preposition.children if child.dep_ == "pobj"), None)
    if receiver is not None and lemma in GIVING_VERBS and receiver.i > preposition.i:
        person = noun_phrase(receiver)
        if person is not None and person.first.i == preposition.i + 1 and preposition.i == object_.last.i + 1:
            gap = (start_of(preposition), person.end)
            found.append(Promotion(person, gap, object_.last, "the receiver as subject"))
    return found


def _phrase(noun: Token, left: tuple[Token, ...] = ()) -> NounPhrase:
    phrase = noun_phrase(noun, leave=left)
    if phrase is None:
        raise Refusal("unclear")
    return phrase


def _must_follow(verb: Token, phrase: NounPhrase) -> None:
    """That nothing but a particle or an adverb stands between a verb and its object."""
    doc = verb.doc
    for place in range(verb.i + 1, phrase.first.i):
        token = doc[place]
        if token.dep_ not in _SKIPPED_BETWEEN or (token.dep_ == "advmod" and not token.lower_.endswith("ly")):
            raise Refusal("unclear")


def _after_particle(verb: Token, phrase: NounPhrase) -> Token:
    """The particle, wherever it stands, or the verb."""
    particle = next((one for one in verb.rights if one.dep_ == "prt" and one.i <= phrase.last.i + 1), None)
    if particle is None:
        return verb
    lemma = verb_lemma(verb)
    if lemma in MOTION_VERBS or not is_known(f"{lemma} {particle.lower_}", "v"):
        raise Refusal("no-passive")
    return particle
