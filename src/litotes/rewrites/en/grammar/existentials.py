"""Existential sentences, “There is a man …”: their negation, and the subjects that they can take."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from litotes.languages.base import capitalised, word_set
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.negation import NEGATIVE_ADVERBS, NOT
from litotes.languages.en.nouns import NounClass, classify_noun, classify_word
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Draft, Outcome, Refusal, refuse_if, require
from litotes.rewrites.en.grammar.agreement import conjunction, conjuncts
from litotes.rewrites.en.grammar.noun_phrases import NounPhrase, agreement, noun_phrase
from litotes.rewrites.patches import Patch, delete, insert_before, patched, replace, replace_span

INDEFINITE = word_set("a an some another one")
_DEFINITE = word_set("the")
COUNTED = word_set("several many numerous various multiple")
_NOT_NEGATED = word_list("not negated")
_MEASURES = word_set("lot lots couple number plenty dozen dozens handful bunch hundreds thousands")
"""Measure nouns: “a lot of dogs” is negated as “no dogs”."""
_UNIQUE = word_list("unique")
"""Adjectives that cannot follow “no”: “no first man”."""
_KNOWN = word_list("known")
"""Nouns whose referent is known whenever it is named, because it is unique or a relative."""
SOMEBODY = {"someone": "no one", "somebody": "nobody", "something": "nothing"}
NOBODY = {"nobody": "somebody", "nothing": "something", "noone": "someone"}
VISIBLE_KINDS: frozenset[NounClass] = frozenset({"person", "animal", "thing", "stuff"})
VISIBLE_KINDS_GROUPS = word_list("visible kinds groups")
_EXISTENTIAL_MEASURES = (_MEASURES - {"hundreds", "thousands"}) | {"ton", "tons", "load", "loads"}
_MASS = word_list("mass")
_FIXED = word_set("longer such more less other better way-out telling denying knowing")
_NEGATIONS = NOT | NEGATIVE_ADVERBS
_ONLY_UNDER_NO = word_set("any ever yet anyone anybody anything anywhere but except nor")
"""Words that need the negation of “no”."""
_ONLY_WITHOUT_NO = word_set("already too well also everywhere only")
_APPROXIMATORS = word_set("only just also even almost about but")
_QUANTITIES = word_set("enough much only few other little fewer")
_COUNTING = word_set("all each both one two some many most including like")
_PLAIN_AUXILIARIES = frozenset({"will", "'ll", "’ll", "would", "has", "have", "had", "been", "'s", "’s"})


@dataclass(frozen=True)
class NegatableSubject:
    """A subject whose determiners can be replaced by “no”."""

    phrase: NounPhrase
    noun: Token
    """The noun that is negated."""
    start: int
    """The index of the first token after the determiners."""
    is_plural: bool
    is_definite: bool
    is_bare: bool
    articles: tuple[Token, ...] = ()
    """The articles of further nouns: “a man and a woman” → “no man and woman”."""
    has_another: bool = False
    """Whether “another” becomes “no other”."""
    pronoun: str | None = None
    """The replacement of a pronoun: “someone” → “no one”."""

    @property
    def noun_class(self) -> NounClass | None:
        """The semantic class of the noun."""
        return classify_noun(self.noun)

    @property
    def relative(self) -> str:
        """The pronoun of its relative clauses."""
        if self.pronoun is not None:
            return "who" if self.pronoun.endswith(("one", "body")) else "that"
        return "who" if self.noun_class == "person" else "that"


def read_subject(head: Token) -> NegatableSubject:
    """Return the subject headed by a noun; refuse if “no” cannot precede it."""
    pronoun = _opposite_pronoun(head)
    fault = _noun_fault(head) if pronoun is None else ""
    refuse_if(fault, fault)
    phrase = require(noun_phrase(head), "unclear")
    refuse_if(any(token.is_punct and token.text in ',;:()"“”' for token in phrase.tokens), "unclear")
    nouns = conjuncts(head) if verb_is_plural(head) else [head]
    if pronoun is not None and len(nouns) == 1:
        return NegatableSubject(phrase, head, head.i, False, False, False, pronoun=pronoun)
    if len(nouns) > 1:
        return _joined_subject(phrase, nouns)
    return _simple_subject(phrase, head)


def _opposite_pronoun(head: Token) -> str | None:
    """Return the pronoun of the opposite polarity: “someone” → “no one”."""
    if head.left_edge.i == head.i:
        return SOMEBODY.get(head.lower_) or NOBODY.get(head.lower_)
    is_no_one = head.lower_ == "one" and head.left_edge.lower_ == "no" and head.i == head.left_edge.i + 1
    return "someone" if is_no_one else None


def _noun_fault(head: Token) -> str:
    """Return the skip code if a noun or its modifiers cannot follow “no”, otherwise ""."""
    if head.tag_ in {"NNP", "NNPS"}:
        return "name"
    if head.pos_ == "PRON" or head.tag_ not in {"NN", "NNS"} or not head.text.replace("-", "").isalpha():
        return "pronoun"
    if head.text.isupper() and len(head.text) > 3:
        return "unclear"
    if head.lower_ in {"percent", "%"} or len(head.text) < 2:
        return "quantifier"
    for child in head.children:
        if child.i > head.i:
            break
        if child.dep_ == "poss" or child.tag_ == "PRP$":
            return "possessive"
        if child.lower_ == "little" and head.tag_ == "NN" and child.i == head.left_edge.i:
            return "quantifier"
        if child.lower_ in _NOT_NEGATED or child.tag_ in {"JJS", "RBS"} or child.lower_ in _UNIQUE:
            return "quantifier"
    return ""


def _simple_subject(phrase: NounPhrase, head: Token) -> NegatableSubject:
    doc, at = head.doc, phrase.first.i
    is_measure = head.lower_ in _MEASURES and head.next_word == "of"
    if is_measure and doc[at].lower_ in {"a", "lots", "dozens", "hundreds", "thousands", "plenty"}:
        return _counted_subject(phrase, head)
    is_definite = has_another = False
    while at < head.i and is_determiner(doc[at], head):
        is_definite = is_definite or doc[at].lower_ in _DEFINITE
        has_another = has_another or doc[at].lower_ == "another"
        at += 1
    # “a good many people”
    refuse_if(any(token.lower_ in COUNTED or token.tag_ == "CD" for token in doc[at : head.i]), "quantifier")
    # “only three people”, “one or more”, “not many”
    refuse_if(doc[at].pos_ in {"ADV", "CCONJ", "ADP", "PUNCT"} or doc[at].lower_ in {"more", "or", "not"}, "quantifier")
    refuse_if(head.lower_ in {"one", "ones", "other", "others", "rest", "lot", "number", "plenty"}, "pronoun")
    is_bare = at == phrase.first.i
    agreed = agreement(phrase)
    is_plural = agreed.plural if agreed is not None else head.head.tag_ == "VBP" or _are(head)
    if len(conjuncts(head)) > 1 and not verb_is_plural(head):
        is_plural = False  # “a dog with a collar and a tag is …”
    refuse_if(is_bare and _may_be_name(head), "name")
    refuse_if(is_bare and not (is_plural or classify_noun(head) == "stuff" or _is_mass(head)), "bare")
    return NegatableSubject(phrase, head, at, is_plural, is_definite, is_bare, has_another=has_another)


def _may_be_name(head: Token) -> bool:
    """Return whether a capitalised word is unknown to the lexicon: “Simmons refused.”"""
    return head.text[:1].isupper() and classify_noun(head) is None


def _is_mass(head: Token) -> bool:
    return head.lower_ in {"paper", "wood", "music", "traffic", "grass", "snow", "rain", "smoke", "hair", "furniture"}


def verb_is_plural(head: Token) -> bool:
    """Return whether the verb is not singular: “a dog with a collar and a tag is” has no coordinated subject."""
    words = (head.head, *(child for child in head.head.children if child.dep_ in {"aux", "auxpass"}))
    return not any(word.lower_ in {"is", "was", "has", "'s", "’s"} or word.tag_ == "VBZ" for word in words)


def _are(head: Token) -> bool:
    return any(
        child.dep_ in {"aux", "auxpass"} and child.lower_ in {"are", "were", "have"} for child in head.head.children
    )


def is_determiner(token: Token, noun: Token) -> bool:
    """Return whether a word before a noun is replaced by “no”: an article, a number or “several”."""
    if token.tag_ == "CD":
        if token.head != noun and token.head.tag_ != "CD":
            return False  # “a 7 year gap”
        return token.dep_ in {"nummod", "compound", "det", "nmod", "punct"}
    if token.text == "-":  # twenty-three
        return token.i > 0 and token.nbor(-1).tag_ == "CD" and token.nbor().tag_ == "CD"
    if token.dep_ == "det":
        return token.lower_ in INDEFINITE or token.lower_ in _DEFINITE
    return token.lower_ in COUNTED


def _counted_subject(phrase: NounPhrase, head: Token) -> NegatableSubject:
    """“A lot of people” → “no people”."""
    of = next((child for child in head.children if child.dep_ == "prep" and child.lower_ == "of"), None)
    noun = of.child("pobj") if of is not None else None
    if (
        of is None
        or noun is None
        or noun.tag_ not in {"NN", "NNS"}
        or of.i > head.i + 1
        or _noun_fault(noun)
        or noun.i < of.i
        or of.nbor().dep_ == "det"
    ):
        raise Refusal("quantifier")
    return NegatableSubject(phrase, noun, of.i + 1, noun.tag_ == "NNS", is_definite=False, is_bare=False)


def _joined_subject(phrase: NounPhrase, nouns: list[Token]) -> NegatableSubject:
    """“A man and a woman” → “no man and woman”: singular nouns with an article each, or plurals without."""
    refuse_if(len(nouns) != 2 or conjunction(nouns[0]) != "and", "coordinated")
    second = require(noun_phrase(nouns[1]), "coordinated")
    refuse_if(_noun_fault(nouns[1]) or nouns[0].tag_ != nouns[1].tag_, "coordinated")
    first = phrase.first
    if nouns[0].tag_ == "NNS":
        refuse_if({first.dep_, second.first.dep_} & {"det", "nummod"}, "coordinated")
        return NegatableSubject(phrase, nouns[0], first.i, True, False, True)
    articles = INDEFINITE | _DEFINITE
    refuse_if(any(word.dep_ != "det" or word.lower_ not in articles for word in (first, second.first)), "coordinated")
    return NegatableSubject(phrase, nouns[0], first.i + 1, False, first.lower_ in _DEFINITE, False, (second.first,))


def can_be_absent(subject: NegatableSubject) -> bool:
    """Return whether a definite subject may be absent from a scene: the man, the dog, the ball, but not the sun."""
    if subject.noun.lemma_.lower() in _KNOWN:
        return False
    return subject.noun_class in VISIBLE_KINDS or subject.noun.lemma_.lower() in VISIBLE_KINDS_GROUPS


def negate_or_affirm(group: VerbGroup, head: Token) -> Iterator[Outcome]:
    """Yield the existential with “no” instead of its determiner, or with a determiner instead of “no”."""
    refuse_if(any(child.dep_ == "neg" or child.lower_ in _NEGATIONS for child in group.verb.children), "negated")
    refuse_if(any(word.lower_ not in _PLAIN_AUXILIARIES for word in group.auxiliaries), "modal")
    phrase = require(noun_phrase(head), "unclear")
    refuse_if(phrase.first.i < group.verb.i, "unclear")
    refuse_if(has_word(head.doc[phrase.last.i + 1 :], _ONLY_WITHOUT_NO) or _continues_counting(phrase), "complex")
    refuse_if(phrase.first.nbor(-1).lower_ in {"almost", "nearly", "practically"}, "quantifier")
    if phrase.first.lower_ == "no" and len(phrase) > 1:
        yield from _affirmed(group, phrase, head)
        return
    yield Draft(patched(head.doc.text, [_with_no(phrase, head)]), reason="there is none")


def _with_no(phrase: NounPhrase, head: Token) -> Patch:
    doc, first = head.doc, phrase.first
    if first.i == head.i and (head.lower_ in SOMEBODY or head.lower_ in NOBODY):
        refuse_if(head.lower_ in NOBODY and _is_polar(phrase), "complex")
        return replace(head, SOMEBODY.get(head.lower_) or NOBODY[head.lower_])
    if head.tag_ not in {"NN", "NNS"} or head.has_child("conj"):
        raise Refusal("coordinated" if head.tag_ in {"NN", "NNS"} else "pronoun")
    refuse_if(first.nbor(-1).lower_ in _APPROXIMATORS, "quantifier")
    if head.lower_ in _EXISTENTIAL_MEASURES or head.lower_ == "thing":
        return _replace_measure(first, head)
    at = first.i
    while at < head.i and doc[at].lower_ != "the" and is_determiner(doc[at], head):
        at += 1
    if at == first.i:
        return _before_bare(first, head)
    refuse_if(has_word(doc[at : head.i], {"many", "few"}), "quantifier")  # “a great many books”
    plural = head.head.lower_ in {"are", "were"}
    if doc[at].lower_ in {"or", "more", "and"} or (head.tag_ == "NN" and plural and first.lower_ in {"a", "an"}):
        raise Refusal("quantifier")
    return replace_span(first, doc[at - 1], "no other" if first.lower_ == "another" else "no")


def _replace_measure(first: Token, head: Token) -> Patch:
    """“a lot of people” → “no people”, “one thing” → “nothing”."""
    doc = head.doc
    if head.lower_ == "thing":
        alone = head.i == first.i + 1 and is_determiner(first, head) and first.lower_ != "the"
        refuse_if(not alone, "quantifier")
        return replace_span(first, head, "nothing")
    if head.i + 2 >= len(doc) or doc[head.i + 1].lower_ != "of" or not (first.lower_ == "a" or first.i == head.i):
        raise Refusal("quantifier")
    of = doc[head.i + 1]
    counted = of.nbor()
    loose = counted.dep_ in {"det", "poss"} or counted.pos_ in {"PRON", "DET"} or counted.is_punct
    refuse_if(loose, "quantifier")
    return replace_span(first, of, "no")


def _before_bare(first: Token, head: Token) -> Patch:
    plain = first.i == head.i or first.dep_ in {"amod", "compound"}
    refuse_if(not plain or first.tag_ in {"JJR", "JJS"} or first.lower_ in _QUANTITIES, "quantifier")
    refuse_if(head.tag_ == "NN" and head.lower_ not in _MASS, "bare")
    return insert_before(first, "no")


def _continues_counting(phrase: NounPhrase) -> bool:
    """Return whether the phrase continues to count, which “no” does not allow: “three doors, all of them red”."""
    tokens = list(phrase.tokens)
    return any(one.text == "," and two.lower_ in _COUNTING for one, two in itertools.pairwise(tokens))


def _is_polar(phrase: NounPhrase) -> bool:
    """Return whether the phrase needs the negation: “any”, “nothing like”, “…, not even …”."""
    after = phrase.head.doc[phrase.first.i :]
    if has_word(after, _ONLY_UNDER_NO) or phrase.head.doc.text.find(" at all", phrase.start) > 0:
        return True
    follows = [(one.lower_, two.lower_) for one, two in itertools.pairwise(after)]
    return ("nothing", "like") in follows or (",", "not") in follows


def _affirmed(group: VerbGroup, phrase: NounPhrase, head: Token) -> Iterator[Outcome]:
    text, no = head.doc.text, phrase.first
    after = no.nbor()
    if after.lower_ == "one" and head.i == after.i:
        yield Draft(patched(text, [replace_span(no, after, "someone")]), reason="there is one")
        return
    refuse_if(after.lower_ in _FIXED or after.lower_ == "one" or head.tag_ not in {"NN", "NNS"}, "quantifier")
    refuse_if(_is_polar(phrase), "complex")
    head = _real_head(no, head)
    if head.tag_ == "NNS":
        patch = replace(no, "some")
    elif head.lower_ in _MASS or classify_noun(head) == "stuff":
        patch = delete(no)
    else:
        patch = replace(no, indefinite_article(text[after.idx :]))
    yield Draft(patched(text, [patch]), reason="there is one")
    plain = _without_there(group, phrase, head, patch)
    if plain is not None:
        yield Draft(plain, reason="there is one, without “there”")


def _real_head(no: Token, head: Token) -> Token:
    """Return “man” in “no man sprinkling cheese” if the parser took “cheese” for the head."""
    for token in head.doc[no.i + 2 : head.i]:
        before = token.nbor(-1)
        if token.tag_ == "VBN" and before.tag_ in {"NN", "NNS"}:
            return before
        noun_class = classify_word(before.lower_, before.lemma_)
        if token.lower_.endswith("ing") and noun_class in {"person", "animal", "thing"}:
            return before
    return head


def _without_there(group: VerbGroup, phrase: NounPhrase, head: Token, patch: Patch) -> str | None:
    """Replace a denied existential by a plain clause: “A man is singing.”"""
    acting = next((child for child in head.children if child.dep_ == "acl" and child.tag_ in {"VBG", "VBN"}), None)
    there = group.subject
    if acting is None or there is None or group.auxiliaries or there.i + 1 != group.verb.i:
        return None
    start = acting.left_edge.i
    if start <= head.i:
        return None
    text, verb = head.doc.text, group.verb
    if verb.text.startswith(("'", "’")):
        return None
    noun = patched(text[: head.doc[start - 1].end], [patch])[phrase.first.idx :]
    rest = text[head.doc[start].idx :]
    opening = text[: there.idx]
    done = f"{opening}{noun} {verb.text} {rest}"
    return capitalised(done) if not opening.strip() else done
