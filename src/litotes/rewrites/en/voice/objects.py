"""What can become the subject of a passive clause: objects, receivers, complements of prepositions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litotes.languages.base import word_set
from litotes.languages.en import valency
from litotes.languages.en.function_words import PATH_PREPOSITIONS, PLACE_PREPOSITIONS
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.nouns import SCENE_NOUNS, noun_supersense, noun_supersenses
from litotes.languages.en.pronouns import INDEFINITE_ARTICLES
from litotes.languages.en.syntax.tags import FINITE_TAGS, LINKED_CLAUSE_DEPS
from litotes.languages.tree import Token
from litotes.rewrites.base import Refusal, refuse_if, require
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, noun_phrase
from litotes.rewrites.en.voice.verbs import VerbChain, verb_lemma
from litotes.rewrites.patches import Patch, insert_before

_INDEFINITE_DETERMINERS = INDEFINITE_ARTICLES | {"some"}
_GOAL_PREPOSITIONS = PATH_PREPOSITIONS | word_set("off out down against")
_SETTING_PREPOSITIONS = PLACE_PREPOSITIONS | {"along", "by"}
_AFTER_PREDICATE_DEPS = LINKED_CLAUSE_DEPS | word_set("xcomp punct cc npadvmod intj dep")
_PLACE_PREPOSITIONS = word_set("in on inside under over upon against around")


def detached_modifiers(lemma: str, noun: Token) -> Iterator[Token]:
    """Yield what the parser attaches to the object but stays in its place: "put the book [on the table]"."""
    for child in noun.rights:
        if _is_content_clause(lemma, child):
            yield child
            return
        if child.dep_ == "prep" and _belongs_to_verb(lemma, noun, child):
            yield child
            return


def _is_content_clause(lemma: str, child: Token) -> bool:
    """Whether a clause on the object belongs to the verb: "used it [to …]"."""
    if child.dep_ not in {"relcl", "acl"}:
        return False
    first = child.left_edge
    if lemma in valency.TELLING_VERBS and (first.lower_ == "that" or first.tag_ == "WRB"):
        return True
    return lemma == "use" and child.tag_ == "VB" and first.lower_ == "to"


def _belongs_to_verb(lemma: str, noun: Token, preposition: Token) -> bool:
    word = preposition.lower_
    if _goes_with_verb(lemma, word) or is_setting(lemma, noun, preposition):
        return True
    if word in _PLACE_PREPOSITIONS and lemma in valency.PUTTING_VERBS:
        refuse_if(_is_definite(noun), "attachment")
        return True
    if word == "with" and noun.tag_ != "PRP":
        if lemma in valency.TOOL_VERBS:
            return True
        _check_part(noun, preposition)
    return False


def _is_definite(noun: Token) -> bool:
    return any(child.dep_ in {"det", "poss"} and child.lower_ not in _INDEFINITE_DETERMINERS for child in noun.lefts)


def _object_of(preposition: Token) -> Token | None:
    return preposition.child("pobj")


def _goes_with_verb(lemma: str, preposition: str) -> bool:
    """Whether the verb itself requires the preposition, whatever precedes it."""
    if preposition == "to":
        return lemma in valency.PUTTING_VERBS or lemma in valency.GIVING_VERBS or lemma in valency.TO_COMPLEMENT_VERBS
    if preposition == "as":
        return lemma in valency.AS_COMPLEMENT_VERBS
    return (
        preposition in _GOAL_PREPOSITIONS
        or (preposition == "from" and lemma in valency.REMOVAL_VERBS)
        or (preposition in _PLACE_PREPOSITIONS and lemma in valency.PLACING_VERBS)
        or (preposition == "about" and lemma in valency.TELLING_VERBS)
        or (preposition == "of" and lemma in valency.TELLING_OF_VERBS)
    )


def is_setting(lemma: str, noun: Token, preposition: Token) -> bool:
    """Whether a phrase is a setting, "chasing a ball on the grass", or a part that is hit, "on the head"."""
    location = _object_of(preposition)
    if location is None or preposition.lower_ not in _SETTING_PREPOSITIONS:
        return False
    if (
        preposition.lower_ in {"in", "on"}
        and noun_supersense(location) == "body"
        and location.left_edge.lower_ == "the"
    ):
        return True
    if lemma in valency.EXPERIENCE_VERBS or _is_definite(noun):
        return False
    is_scene = location.lower_ == "front" or location.lower_ in SCENE_NOUNS
    return is_scene or noun_supersense(location) in {"location", "object"}


def _check_part(owner: Token, preposition: Token) -> None:
    """Refuse "with" unless it names a part or a companion of the object, not a tool."""
    noun = require(_object_of(preposition), "unclear")
    refuse_if(noun_supersense(noun) == "artifact" and noun_supersense(owner) not in {"person", "animal"}, "attachment")


_ALLOWED_BEFORE_OBJECT = frozenset({"prt", "advmod", "neg", "dative"})


@dataclass(frozen=True)
class Promotion:
    """One way to make a phrase the subject."""

    phrase: NounPhrase
    """The phrase that becomes the subject."""
    anchor: Token
    """The first token that a by-phrase can follow: the verb, its particle, its second object or its predicate."""
    reason: str
    extra: tuple[Patch, ...] = ()
    """Further changes: the "to" of "given to him"."""
    left: tuple[Token, ...] = ()
    """Modifiers of the phrase that stay behind because they belong to the verb."""
    preposition: Token | None = None
    """The "to" that is deleted with the phrase at its old place: "gave a book to him"."""
    adverb: Token | None = None
    """An adverb that moves before the participle: "looked sadly at him", "was sadly looked at"."""

    @property
    def gap(self) -> tuple[int, int]:
        """The characters to delete at its old place."""
        return self.phrase.start if self.preposition is None else self.preposition.idx, self.phrase.end


def promotions(chain: VerbChain) -> list[Promotion]:
    """Return all ways to make an object the subject, best first."""
    verb = chain.verb
    lemma = verb_lemma(verb)
    objects = [child for child in verb.children if child.dep_ == "dobj"]
    datives = [child for child in verb.children if child.dep_ == "dative" and child.i > verb.i]
    refuse_if(len(objects) > 1 or len(datives) > 1, "unclear")
    if not objects:
        return [_without_object(chain, lemma, datives)]
    obj = objects[0]
    if not datives:
        idiom = _prepositional_idiom(verb, lemma, obj)
        return [idiom] if idiom else [_simple_object(chain, lemma, obj)]
    refuse_if(obj.i < verb.i, "unclear")
    if datives[0].tag_ in {"IN", "TO"}:
        return _with_object_first(chain, lemma, obj, datives[0])
    return _with_receiver_first(chain, lemma, datives[0], obj)


def _simple_object(chain: VerbChain, lemma: str, noun: Token) -> Promotion:
    verb = chain.verb
    left = tuple(detached_modifiers(lemma, noun)) if noun.i > verb.i else ()
    phrase = _phrase(noun, left)
    if noun.i > verb.i:
        _check_adjacent(verb, phrase)
    predicate = next((child for child in verb.children if child.i > noun.i and _is_predicate(child)), None)
    anchor = _after_particle(verb, phrase)
    if predicate is not None:
        _check_predicate(lemma, predicate)
        anchor = _predicate_end(predicate)
        # "found her busy writing letters"
        refuse_if(anchor.next is not None and anchor.next.tag_ == "VBG", "heavy")
    elif _may_hide_predicate(lemma, noun):
        raise Refusal("unclear")
    return Promotion(phrase, anchor, "the object as subject", left=left)


def _is_predicate(token: Token) -> bool:
    return token.dep_ in {"oprd", "acomp"} or (token.dep_ == "ccomp" and token.pos_ == "ADJ")


def _without_object(chain: VerbChain, lemma: str, datives: list[Token]) -> Promotion:
    """Promote a receiver, the subject of a small clause or the complement of a preposition."""
    verb = chain.verb
    if datives and datives[0].tag_ not in {"IN", "TO"}:
        phrase = _phrase(datives[0])
        _check_adjacent(verb, phrase)
        return Promotion(phrase, verb, "the receiver as subject")
    for child in verb.children:
        if child.i < verb.i:
            continue
        if child.dep_ in {"ccomp", "xcomp"}:
            return _small_clause(verb, lemma, child)
        if child.dep_ == "prep" and child.lower_ in valency.PREPOSITIONAL_VERBS.get(lemma, ()):
            return _prepositional_object(verb, child)
    raise Refusal("no-object")


def _small_clause(verb: Token, lemma: str, predicate: Token) -> Promotion:
    """Promote an object that is the subject of the next verb: "made him cry", "found it interesting"."""
    subjects = [child for child in predicate.children if child.dep_ in {"nsubj", "nsubjpass"}]
    refuse_if(len(subjects) != 1 or subjects[0].i > predicate.i or predicate.has_child("mark"), "clause-object")
    first_aux = predicate.child("aux", "auxpass")
    is_bare = predicate.tag_ == "VB" or (predicate.tag_ == "VBP" and lemma == "make")
    if (predicate.tag_ in FINITE_TAGS and not is_bare) or (first_aux is not None and first_aux.lower_ != "to"):
        raise Refusal("clause-object")
    phrase = _phrase(subjects[0])
    _check_adjacent(verb, phrase)
    refuse_if(predicate.has_child("neg", "cc", "conj"), "unclear")
    extra: tuple[Patch, ...] = ()
    anchor = verb
    if predicate.tag_ == "VB" and first_aux is not None:
        refuse_if(lemma not in valency.INFINITIVE_AFTER_OBJECT, "no-passive")
    elif is_bare:
        if lemma not in valency.BARE_INFINITIVE_AFTER_OBJECT or predicate.nbor(-1).i != phrase.last.i:
            raise Refusal("no-passive")
        extra = (insert_before(predicate, "to"),)
        end = _predicate_end(predicate)
        anchor = end if end.i - predicate.i < 3 else verb
    elif predicate.tag_ == "VBG":
        refuse_if(lemma not in valency.PARTICIPLE_AFTER_OBJECT, "no-passive")
        length = predicate.right_edge.i - predicate.i
        refuse_if(lemma == "keep" and length > 3, "heavy")
        anchor = predicate.right_edge if length < 2 or lemma == "keep" else verb
    else:
        _check_predicate(lemma, predicate)
        anchor = _predicate_end(predicate)
    return Promotion(phrase, anchor, "the object as subject", extra=extra)


def _predicate_end(predicate: Token) -> Token:
    """Return the last token of a predicate without its clauses: "made it clear that …"."""
    end = predicate
    for child in predicate.rights:
        if child.dep_ == "prep" and child.has_child("pcomp"):
            break  # "called them babies for saying so"
        if child.dep_ in _AFTER_PREDICATE_DEPS:
            break
        end = child.right_edge
    return end


def _check_predicate(lemma: str, predicate: Token) -> None:
    verbs = (
        valency.NOUN_AFTER_OBJECT
        if predicate.pos_ in {"NOUN", "PROPN", "PRON", "NUM"}
        else valency.ADJECTIVE_AFTER_OBJECT
    )
    refuse_if(predicate.pos_ not in {"NOUN", "PROPN", "ADJ", "VERB", "ADV"} or lemma not in verbs, "no-passive")
    if predicate.pos_ == "ADJ" and not (is_known(predicate.lower_, "a") or predicate.tag_ in {"JJR", "JJS"}):
        raise Refusal("unclear")
    # "made me a cake" gives, "made me a star" names
    if (
        lemma == "make"
        and verbs is valency.NOUN_AFTER_OBJECT
        and "person" not in noun_supersenses(predicate.lemma_.lower())
    ):
        raise Refusal("unclear")


def _may_hide_predicate(lemma: str, noun: Token) -> bool:
    """Whether the parser may have joined an object and its predicate: "painted [the wall red]"."""
    modifiers = [child for child in noun.lefts if child.dep_ in {"compound", "nmod", "amod"}]
    if lemma in {"name", "call", "dub", "nickname"} and any(child.dep_ == "compound" for child in modifiers):
        return True
    if lemma in valency.NOUN_AFTER_OBJECT | valency.MAKING_VERBS | valency.GIVING_VERBS | valency.DOUBLE_OBJECT_VERBS:
        if any(child.tag_ in {"NN", "NNS"} and noun.tag_ == "NNP" and noun.text[0].isupper() for child in modifiers):
            return True
        if any(child.tag_ in {"NNP", "PRP"} and child.nbor().tag_ in {"DT", "PRP$", "CD"} for child in modifiers):
            return True
        if any(child.tag_ == "PRP$" and child.lower_ == "her" for child in noun.lefts):
            return lemma in valency.MAKING_VERBS | valency.GIVING_VERBS and noun.tag_ in {"NN", "NNS"}
    if noun.lower_ in {"shut", "open", "closed", "free", "loose", "flat", "dry"} and modifiers:
        return True  # "pushed [the door shut]"
    return lemma in valency.ADJECTIVE_AFTER_OBJECT and is_known(noun.lower_, "a") and bool(modifiers)


def _prepositional_idiom(verb: Token, lemma: str, noun: Token) -> Promotion | None:
    """Promote the complement of an idiom: "take care of her", "she is taken care of"."""
    prepositions = valency.PREPOSITIONAL_IDIOMS.get((lemma, noun.lower_))
    if prepositions is None or noun.i != verb.i + 1:
        return None
    for preposition in (*noun.rights, *verb.rights):
        if preposition.dep_ == "prep" and preposition.lower_ in prepositions and preposition.i == noun.i + 1:
            return _prepositional_object(verb, preposition, idiom=True)
    return None


def _prepositional_object(verb: Token, preposition: Token, *, idiom: bool = False) -> Promotion:
    """Promote a complement and leave the preposition behind: "laughed at him", "he was laughed at"."""
    noun = preposition.child("pobj")
    adverbs = verb.doc.tokens[verb.i + 1 : preposition.i]
    if noun is None or noun.i < preposition.i or (not idiom and any(adverb.dep_ != "advmod" for adverb in adverbs)):
        raise Refusal("no-object")
    left = tuple(child for child in noun.rights if child.dep_ == "prep" and is_setting("", noun, child))
    phrase = _phrase(noun, left)
    refuse_if(phrase.first.i != preposition.i + 1, "unclear")
    refuse_if(adverbs and not idiom and (len(adverbs) > 1 or not adverbs[0].lower_.endswith("ly")), "unclear")
    return Promotion(
        phrase,
        preposition,
        "the object of the preposition as subject",
        left=left,
        adverb=adverbs[0] if adverbs and not idiom else None,
    )


def _with_receiver_first(chain: VerbChain, lemma: str, receiver: Token, noun: Token) -> list[Promotion]:
    """Promote either object of "gave him a book"."""
    verb = chain.verb
    person, goods = _phrase(receiver), _phrase(noun)
    refuse_if(person.first.i != verb.i + 1 or goods.first.i != person.last.i + 1, "unclear")
    refuse_if(any(token.is_punct for token in goods.tokens), "heavy")
    receiver_promotion = Promotion(person, goods.last, "the receiver as subject")
    word = "to" if lemma in valency.GIVING_VERBS else "for" if lemma in valency.MAKING_VERBS else ""
    if not word:
        refuse_if(lemma not in valency.DOUBLE_OBJECT_VERBS, "unclear")
        return [receiver_promotion]
    extra = (Patch(person.start, person.start, f"{word} "),)
    object_promotion = Promotion(goods, person.last, "the thing as subject", extra)
    return [receiver_promotion, object_promotion] if word == "to" else [object_promotion, receiver_promotion]


def _with_object_first(chain: VerbChain, lemma: str, noun: Token, preposition: Token) -> list[Promotion]:
    """Promote either object of "gave a book to him"."""
    goods = _phrase(noun)
    _check_adjacent(chain.verb, goods)
    anchor = _after_particle(chain.verb, goods)
    promotions = [Promotion(goods, anchor, "the thing as subject")]
    receiver = preposition.child("pobj")
    if receiver is not None and lemma in valency.GIVING_VERBS and receiver.i > preposition.i:
        person = noun_phrase(receiver)
        if person is not None and person.first.i == preposition.i + 1 and preposition.i == goods.last.i + 1:
            promotion = Promotion(person, goods.last, "the receiver as subject", preposition=preposition)
            promotions.append(promotion)
    return promotions


def _phrase(noun: Token, left: tuple[Token, ...] = ()) -> NounPhrase:
    return require(noun_phrase(noun, leave=left), "unclear")


def _check_adjacent(verb: Token, phrase: NounPhrase) -> None:
    """Refuse if anything but a particle or an adverb separates a verb from its object."""
    for token in verb.doc.tokens[verb.i + 1 : phrase.first.i]:
        if token.dep_ not in _ALLOWED_BEFORE_OBJECT or (token.dep_ == "advmod" and not token.lower_.endswith("ly")):
            raise Refusal("unclear")


def _after_particle(verb: Token, phrase: NounPhrase) -> Token:
    """Return the particle, wherever it is, or else the verb."""
    particle = next((child for child in verb.rights if child.dep_ == "prt" and child.i <= phrase.last.i + 1), None)
    if particle is None:
        return verb
    lemma = verb_lemma(verb)
    refuse_if(lemma in valency.MOTION_VERBS or not is_known(f"{lemma} {particle.lower_}", "v"), "no-passive")
    return particle
