"""Quantifier negation: “A girl is singing.” → “There is no girl singing.”"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import default_lexicon
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.nouns import classify_noun
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.existentials import NegatableSubject, can_be_absent, negate_or_affirm, read_subject
from litotes.rewrites.en.grammar.noun_phrases import without_sentence_capital
from litotes.rewrites.patches import Patch, delete, end_of, insert_before, patched, replace, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_NEGATIVE = NOT_TOKENS | word_set("never no nobody nothing nowhere none neither nor hardly scarcely rarely seldom only")
_FINITE_BE = frozenset({"is", "are", "was", "were", "'s", "’s", "'re", "’re"})
_POSTURES = word_set("sit stand lie kneel lean hang wait wear hold watch look carry ride stare pose float sleep rest")
_ACTIVITY_FILES = frozenset({32, 33, 34, 35, 36, 38, 39})
"""WordNet's files of verbs of saying, contest, eating, touch, making, motion and seeing."""
_STATES = word_set("have know own need want like love hate believe think mean see hear contain include seem be")
_PLACES = word_set(
    """
    in on at under near behind beside inside by over above below among between outside around against across along
    upon atop beneath underneath within next
    """
)
_SCENE: frozenset[str] = frozenset({"person", "animal", "thing", "stuff", "place"})
_SCENES = word_set(
    """
    middle side edge corner back yard field pool park street water snow grass air beach distance table floor wall
    ground roof bed shelf
    """
)
_NO_SCENE = word_set("time moment way fact order process position love hurry mood need trouble charge danger")
_SENTENCE_ADVERBS = word_set(
    """
    also probably maybe perhaps even too still already certainly definitely obviously always usually often sometimes
    therefore however finally
    """
)
_ONLY_UNDER_NO = word_set("any ever yet anyone anybody anything anywhere but except nor only either")
_GENERAL = word_set("mean suppose require call know consider make use expect allow")
"""Participles of what is so in general: “A fork is used to eat”."""
_PARTS_OF_SPEAKING = word_set("part thing goal way reason problem example idea point question aim plan step issue")
_MODALS = word_set("can could")
_ENDS_CLAUSE = frozenset({"advcl", "ccomp", "parataxis"})


@rule(
    "quantifier_negation",
    effect="opposite",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-clause": "it has no subject and finite verb",
        "several-sentences": "it holds more than one sentence",
        "question": "it asks",
        "negated": "it is negated already",
        "name": "the subject is a name: there is no such thing as “no Tom”",
        "pronoun": "the subject is a pronoun",
        "possessive": "the subject is somebody's",
        "quantifier": "the subject has a quantifier or an adjective after which “no” makes no sense",
        "bare": "the subject has no determiner: it is meant in general, or is not counted",
        "generic": "it says what is so in general",
        "definite": "what the subject names is known: to say that there is none would be odd",
        "coordinated": "the subject is a coordination",
        "modal": "the verb says what may, should or will be",
        "predicate": "the predicate cannot follow “there is no …”",
        "complex": "another clause depends on it",
        "unclear": "the parse does not show what belongs together",
    },
)
def quantifier_negation(sentence: Sentence) -> Iterator[Outcome]:
    """“A girl is singing.” → “There is no girl singing.”; existentials both ways.

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("quantifier_negation", "Two boys are throwing stones into the lake.")[0].text
    'There are no boys throwing stones into the lake.'
    >>> rewrite("quantifier_negation", "There is no key in the drawer.")[0].text
    'There is a key in the drawer.'
    """
    if len(sentence.spans) > 1:
        yield Skip("several-sentences")
        return
    if "?" in sentence.text:
        yield Skip("question")
        return
    clause = _last_clause(sentence.roots[0])
    group = verb_group(clause)
    if group.subject is None or not group.is_finite or group.is_inverted or group.subject.i > clause.i:
        yield Skip("no-clause")
        return
    if clause.i != sentence.roots[0].i and _contrasts(sentence.roots[0], clause):
        yield Skip("complex")
        return
    if group.subject.dep_ == "expl" and group.subject.lower_ == "there":
        yield from _existential(group)
        return
    yield from _denied(group)


def _existential(group: VerbGroup) -> Iterator[Outcome]:
    head = next(
        (child for child in group.verb.children if child.dep_ in {"attr", "nsubj"} and child.i > group.verb.i), None
    )
    following = group.verb.nbor() if group.verb.i + 1 < len(group.verb.doc) else group.verb
    if head is None and following.lower_ == "no" and following.head.tag_ in {"NN", "NNS"}:
        head = following.head
    if head is None:
        yield Skip("predicate")
        return
    yield from negate_or_affirm(group, head)


def _last_clause(root: Token) -> Token:
    """Of coordinated clauses the last one: “Kids are dancing and there is no man looking.”"""
    clause = root
    if verb_group(root).subject is None:
        return root
    while True:
        following = _joined_clause(clause)
        if following is None or following.i < clause.i:
            return clause
        clause = following


def _joined_clause(clause: Token) -> Token | None:
    """The clause joined to one, with a subject of its own."""
    for child in clause.children:
        if child.dep_ == "conj" and any(one.dep_ in {"nsubj", "nsubjpass", "expl"} for one in child.children):
            return child
    return None


def _contrasts(first: Token, last: Token) -> bool:
    """“There is no bus, but there is a train”: with “no train” the “but” would make no sense."""
    words = {token.lower_ for token in first.doc[: last.i]}
    return "but" in words and not words.isdisjoint(NOT_TOKENS | {"no", "nobody", "nothing"})


def _denied(group: VerbGroup) -> Iterator[Outcome]:
    head = group.subject
    subject = read_subject(head) if head is not None else Skip("no-clause")
    refusal = subject if isinstance(subject, Skip) else _clause_refusal(group, subject)
    if isinstance(subject, Skip) or refusal is not None:
        yield refusal or Skip("no-clause")
        return
    predicate = _predicate(group, subject)
    if isinstance(predicate, Skip):
        yield predicate
        return
    text = subject.noun.doc.text
    for verb in _be(group, subject):
        new = patched(text, [_opening(subject, verb), *(delete(token) for token in subject.joined), *predicate])
        yield Draft(new, reason="there is none" if subject.word is None else "somebody or nobody")


def _opening(subject: NegatableSubject, verb: str) -> Patch:
    """“There is no …” in the place of the determiners."""
    text, first = subject.noun.doc.text, start_of(subject.phrase.first)
    there = "There" if first == _first_letter(text) else "there"
    if subject.word is not None:
        return Patch(first, end_of(subject.noun), f"{there} {verb} {subject.word}")
    kept = subject.noun.doc[subject.after]
    opening = f"{there} {verb} no {'other ' if subject.other else ''}"
    if subject.bare and there == "There":
        # A capital that was only the sentence's own goes: “Dogs are …” → “There are no dogs …”
        return Patch(first, end_of(kept), opening + _inside(kept))
    return Patch(first, start_of(kept), opening)


def _inside(token: Token) -> str:
    """A first word without the capital of its sentence: “Dogs”, but not “British”."""
    title = token.i + 1 < len(token.doc) and token.nbor().text[:1].isupper()
    return str(token.text) if title or _is_written_large(token.lemma_.lower()) else without_sentence_capital(token)


@lru_cache(maxsize=4_096)
def _is_written_large(word: str) -> bool:
    senses = default_lexicon().senses(word, "a") or default_lexicon().senses(word, "n")
    return bool(senses) and senses[0].word[:1].isupper()


def _first_letter(text: str) -> int:
    return next((place for place, sign in enumerate(text) if sign.isalnum()), 0)


def _clause_refusal(group: VerbGroup, subject: NegatableSubject) -> Skip | None:
    verb = group.verb
    polar = _ONLY_UNDER_NO if subject.word is not None else frozenset({"only"})
    if not polar.isdisjoint(verb.doc.lowers) and any(token.lower_ in polar for token in verb.subtree):
        return Skip("complex")
    for child in verb.children:
        if child.dep_ == "neg" or (
            child.lower_ in _NEGATIVE and child.dep_ in {"neg", "advmod", "preconj", "cc", "det"}
        ):
            return Skip("negated")
        if child.dep_ in {"dobj", "attr", "pobj"} and any(one.lower_ == "no" for one in child.children):
            return Skip("negated")
        if child.dep_ == "advmod" and child.lower_ in _SENTENCE_ADVERBS:
            return Skip("complex")
        if child.dep_ == "ccomp" and child.i > verb.i and child.right_edge.i > child.i:
            continue  # “There are no people who think that …”
        if child.dep_ in _ENDS_CLAUSE and any(one.dep_ in {"mark", "nsubj", "nsubjpass"} for one in child.children):
            return Skip("complex")
        if (child.dep_ == "advcl" and child.i < verb.i) or child.dep_ == "mark" or child.tag_ == "WRB":
            return Skip("complex")
    if group.first.tag_ == "MD" and (group.first.lower_ not in _MODALS or subject.kind in {"other", None}):
        return Skip("modal")
    return None


def _be(group: VerbGroup, subject: NegatableSubject) -> tuple[str, ...]:
    """“is”, “are”, “was” or “were” after “there”, the better one first."""
    now, then = ("are", "were") if subject.plural else ("is", "was")
    if group.first.tag_ != "VBD":
        return (now,)
    if not _needs_relative(group) or group.first.lower_ == "had":
        return (then,)
    # After “In the 1980s, …” only the past will do.
    return (then, now) if subject.plural or subject.phrase.start > _first_letter(subject.noun.doc.text) else (now, then)


def _needs_relative(group: VerbGroup) -> bool:
    """Whether the predicate can only follow as “who …”."""
    verb = group.verb
    if verb.lower_ == "being":
        return False
    if group.is_copula:
        return any(child.dep_ == "acomp" for child in verb.children)
    if group.is_passive:
        return len(group.auxiliaries) != 2 or group.auxiliaries[1].lower_ != "being"
    if len(group.auxiliaries) != 1 or verb.tag_ != "VBG" or group.first.lower_ not in _FINITE_BE:
        return True
    # “is going to …” is no going.
    return verb.lower_ in {"going", "gonna"} and any(child.dep_ == "xcomp" for child in verb.children)


def _predicate(group: VerbGroup, subject: NegatableSubject) -> list[Patch] | Skip:
    """What is to be changed in the predicate, or why it does not fit."""
    joined = _joined_participles(group.verb)
    if isinstance(joined, Skip):
        return joined
    if group.is_copula and group.verb.lower_ != "being":
        return _after_copula(group, subject)
    relative = _needs_relative(group)
    if subject.definite and (relative or not can_be_absent(subject)):
        return Skip("definite")
    if not relative:
        # “An important part is getting them to talk” is no progressive.
        gerund = subject.noun.lower_ in _PARTS_OF_SPEAKING
        return Skip("predicate") if gerund else [_without(group.first), *joined]
    if subject.bare and not subject.plural:
        return Skip("bare")
    if _is_general(group, subject):
        return Skip("generic")
    if not group.auxiliaries and group.verb.tag_ in {"VBZ", "VBP"}:
        return _in_present(group, subject)
    return _relative(group, subject)


def _is_general(group: VerbGroup, subject: NegatableSubject) -> bool:
    """Whether it is rather told of all such things than of one: “Tickets cost money”, “A fork is used to eat”."""
    verb = group.verb
    if subject.bare:
        past = group.first.tag_ == "VBD" and (group.auxiliaries or verb.lower_ != verb.lemma_)
        return not past
    if group.is_passive and group.first.tag_ in {"VBZ", "VBP"}:
        return verb.lemma_ in _GENERAL or (not subject.plural and subject.kind in {"other", None})
    return False


def _without(be: Token) -> Patch:
    """Without the form of “be”; a contracted one leaves the blank after it."""
    return Patch(start_of(be), end_of(be), "") if be.text[:1] in "'’" else delete(be)


def _joined_participles(verb: Token) -> list[Patch] | Skip:
    """Coordinated participles lose their “is” too: “is sitting and is reading” → “sitting and reading”."""
    found = []
    progressive = verb.tag_ == "VBG"
    for joined in verb.conjuncts:
        if joined.i < verb.i:
            continue
        group = verb_group(joined)
        before = group.first.nbor(-1)
        if group.is_finite and not (before.dep_ in {"cc", "punct"} or before.pos_ == "ADV"):
            return Skip("unclear")  # a subject of its own that the parser has not seen
        if any(child.dep_ == "neg" for child in joined.children) or group.first.tag_ == "MD":
            return Skip("complex")
        if group.auxiliaries and group.first.lower_ in _FINITE_BE:
            found.append(delete(group.first))
        elif progressive and group.is_finite:
            return Skip("complex")  # “is wearing a hat and has a bag”
    return found


def _after_copula(group: VerbGroup, subject: NegatableSubject) -> list[Patch] | Skip:
    """“A man is in the room” → “no man in the room”; “A man is ill” → “no man who is ill”."""
    verb = group.verb
    after = next((child for child in verb.children if child.i > verb.i and child.dep_ in _COMPLEMENTS), None)
    if after is None or group.auxiliaries:
        return Skip("predicate")
    if after.dep_ == "prep" and _is_place(after):
        if subject.definite and not can_be_absent(subject):
            return Skip("definite")
        return [_without(verb), *_second_scene(verb)]
    if after.dep_ == "acomp" and not subject.definite:
        if subject.bare or (verb.tag_ in {"VBZ", "VBP"} and not _is_scene(verb, after, subject)):
            return Skip("generic")
        return _relative(group, subject)
    return Skip("definite" if subject.definite else "predicate")


_COMPLEMENTS = frozenset({"prep", "acomp", "attr", "advmod", "xcomp", "ccomp", "conj"})


def _is_scene(verb: Token, adjective: Token, subject: NegatableSubject) -> bool:
    """Whether an adjective says how somebody is now rather than what such people are like."""
    place = any(child.dep_ == "prep" and _is_place(child) for word in (verb, adjective) for child in word.children)
    place = place or any(child.dep_ in {"prep", "acl"} for child in subject.noun.children)
    return place and subject.kind in {"person", "animal", "thing"}


def _is_place(preposition: Token) -> bool:
    if preposition.lower_ not in _PLACES:
        return False
    noun = next((child for child in preposition.children if child.dep_ == "pobj"), None)
    if noun is None or noun.lower_ in _NO_SCENE:
        return noun is None and preposition.lower_ == "next"
    if noun.tag_ in {"NNP", "NNPS"}:
        return True
    if noun.lower_ in {"front", "top"}:
        return True
    return any(child.dep_ in {"det", "poss"} for child in noun.children) and (
        classify_noun(noun) in _SCENE or noun.lower_ in _SCENES
    )


def _second_scene(verb: Token) -> list[Patch]:
    """“is on a rock and is standing” → “on a rock standing”."""
    joined = next((child for child in verb.children if child.dep_ == "conj" and child.tag_ == "VBG"), None)
    if joined is None:
        return []
    word = next((child for child in verb.children if child.dep_ == "cc" and child.i < joined.i), None)
    found = [delete(one) for one in joined.children if one.dep_ == "aux" and one.lower_ in _FINITE_BE]
    if word is not None and found:
        found.append(delete(word))
    return found


def _in_present(group: VerbGroup, subject: NegatableSubject) -> list[Patch] | Skip:
    """The simple present: participles of what is seen to happen, else “who …”."""
    verb = group.verb
    if subject.joined:
        return Skip("coordinated")
    if verb.lemma_ == "have":
        return _with(group, subject)
    if _is_activity(verb.lemma_) and not subject.plural:
        if not _happens_once(verb):
            return Skip("generic")
        verbs = [verb, *(one for one in verb.conjuncts if one.i > verb.i and one.tag_ in {"VBZ", "VBP"})]
        forms = [(one, inflect(one.lemma_, "VBG")) for one in verbs]
        return [replace(one, form) for one, form in forms if form is not None]
    if subject.plural and not subject.bare:
        return _relative(group, subject)
    return Skip("generic")


def _with(group: VerbGroup, subject: NegatableSubject) -> list[Patch] | Skip:
    """“A girl has red shoes” → “no girl with red shoes”."""
    verb = group.verb
    owned = next((child for child in verb.children if child.dep_ == "dobj"), None)
    if (
        owned is None
        or subject.kind not in {"person", "animal"}
        or any(one.dep_ in {"conj", "xcomp"} for one in verb.children)
    ):
        return Skip("predicate")
    if classify_noun(owned) not in {"thing", "stuff", "animal"} or subject.bare:
        return Skip("generic")
    return [replace(verb, "with")]


def _relative(group: VerbGroup, subject: NegatableSubject) -> list[Patch] | Skip:
    """“A student passed” → “no student who passed”."""
    if subject.joined or any(token.dep_ == "relcl" for token in subject.phrase.tokens):
        return Skip("predicate")
    if subject.phrase.last.i >= group.verb.i or any(token.lower_ == "being" for token in subject.phrase.tokens):
        return Skip("unclear")  # “Someone being mad is better than …”
    if not subject.plural and any(child.dep_ == "conj" for child in subject.noun.children):
        return Skip("coordinated")
    following = subject.phrase.last.nbor()
    if following.is_punct or not (following == group.first or following.dep_ in {"advmod", "aux", "auxpass"}):
        return Skip("unclear")
    if following.text[:1] in "'’":
        return Skip("unclear")
    return [insert_before(following, subject.relative)]


@lru_cache(maxsize=8_192)
def _is_activity(lemma: str) -> bool:
    """Whether a verb names what can be seen to go on."""
    if lemma in _STATES:
        return False
    if lemma in _POSTURES:
        return True
    senses = default_lexicon().senses(lemma, "v")
    return bool(senses) and senses[0].synset.lexfile in _ACTIVITY_FILES


def _happens_once(verb: Token) -> bool:
    """Whether the simple present tells of one scene: an object or a place with an article; “A dog barks” is general."""
    for child in verb.children:
        nouns = [child] if child.dep_ == "dobj" else [one for one in child.children if one.dep_ == "pobj"]
        for noun in nouns:
            if any(one.dep_ in {"det", "nummod", "poss"} for one in noun.children) or noun.tag_ == "NNP":
                return True
    return False
