"""The rule `quantifier_negation`: the negation of a subject by “there is no …”."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from litotes.languages.base import word_set
from litotes.languages.en.function_words import PLACE_PREPOSITIONS
from litotes.languages.en.lexicon.wordnet import default_lexicon, is_known
from litotes.languages.en.modals import ABILITY_MODALS
from litotes.languages.en.modifiers import COMMON_FREQUENCY_ADVERBS
from litotes.languages.en.morphology.casing import has_capital
from litotes.languages.en.morphology.inflection import inflect
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.nouns import classify_noun
from litotes.languages.en.quantifiers import ANY_WORDS
from litotes.languages.en.syntax.tags import PLAIN_SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.verbs import FULL_FINITE_BE
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, refuse_if, require, rule
from litotes.rewrites.en.grammar.existentials import (
    VISIBLE_KINDS,
    NegatableSubject,
    can_be_absent,
    negate_or_affirm,
    read_subject,
)
from litotes.rewrites.en.grammar.noun_phrases import without_sentence_capital
from litotes.rewrites.patches import Patch, delete, insert_before, patched, replace

_NEGATIVE_WORDS = NOT_TOKENS | word_list("negative words")
_FINITE_BE = FULL_FINITE_BE - {"am"} | {"'s", "’s", "'re", "’re"}
_POSTURE_VERBS = word_list("posture verbs")
_ACTIVITY_FILES = frozenset({32, 33, 34, 35, 36, 38, 39})
"""WordNet's files of verbs of communication, contest, eating, touch, creation, motion and perception."""
_STATE_VERBS = word_set("have know own need want like love hate believe think mean see hear contain include seem be")
_PLACE_PREPOSITIONS = PLACE_PREPOSITIONS | word_list("place prepositions")
_SCENE_CLASSES = VISIBLE_KINDS | {"place"}
_SCENE_NOUNS = word_list("scene nouns")
_NOT_SCENES = word_set("time moment way fact order process position love hurry mood need trouble charge danger")
_SENTENCE_ADVERBS = COMMON_FREQUENCY_ADVERBS | word_list("sentence adverbs")
_NEGATIVE_POLARITY_WORDS = ANY_WORDS | word_set("ever yet but except nor only either")
_GENERAL_VERBS = word_set("mean suppose require call know consider make use expect allow")
"""Participles of general statements: “A fork is used to eat”."""
_ABSTRACT_SUBJECTS = word_set("part thing goal way reason problem example idea point question aim plan step issue")
_CLAUSE_DEPS = frozenset({"advcl", "ccomp", "parataxis"})


@rule(
    "quantifier_negation",
    effect="opposite",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-clause": "the sentence has no subject and finite verb",
        "several-sentences": "the text has several sentences",
        "question": "the sentence is a question",
        "negated": "the sentence is already negated",
        "name": "the subject is a name, which cannot follow “no”",
        "pronoun": "the subject is a pronoun",
        "possessive": "the subject has a possessive",
        "quantifier": "the subject has a quantifier or an adjective that cannot follow “no”",
        "bare": "the subject has no determiner: it is generic or not countable",
        "generic": "the sentence is a general statement",
        "definite": "the subject is known, so that its existence cannot be denied",
        "coordinated": "the subject is a coordination",
        "modal": "the verb is modal: may, should, will",
        "predicate": "the predicate cannot follow “there is no …”",
        "complex": "another clause depends on this one",
        "unclear": "the parse does not show what belongs together",
    },
)
def quantifier_negation(sentence: Sentence) -> Iterator[Outcome]:
    """Negate a subject, “A girl is singing.” → “There is no girl singing.”, or toggle an existential.

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("quantifier_negation", "Two boys are throwing stones into the lake.")[0].text
    'There are no boys throwing stones into the lake.'
    >>> rewrite("quantifier_negation", "There is no key in the drawer.")[0].text
    'There is a key in the drawer.'
    """
    refuse_if(len(sentence.spans) > 1, "several-sentences")
    refuse_if("?" in sentence.text, "question")
    clause = _last_clause(sentence.roots[0])
    group = verb_group(clause)
    if group.subject is None or not group.is_finite or group.is_inverted or group.subject.i > clause.i:
        raise Refusal("no-clause")
    refuse_if(clause.i != sentence.roots[0].i and _contrasts(sentence.roots[0], clause), "complex")
    if group.subject.dep_ == "expl" and group.subject.lower_ == "there":
        yield from _toggle_existential(group)
    else:
        yield from _deny_subject(group, group.subject)


def _toggle_existential(group: VerbGroup) -> Iterator[Outcome]:
    head = next(
        (child for child in group.verb.children if child.dep_ in {"attr", "nsubj"} and child.i > group.verb.i), None
    )
    following = group.verb.next or group.verb
    if head is None and following.lower_ == "no" and following.head.tag_ in {"NN", "NNS"}:
        head = following.head
    if head is None:
        raise Refusal("predicate")
    yield from negate_or_affirm(group, head)


def _last_clause(root: Token) -> Token:
    """Return the last of coordinated clauses: “Kids are dancing and a man is looking.”"""
    clause = root
    if verb_group(root).subject is None:
        return root
    while True:
        following = _next_clause(clause)
        if following is None or following.i < clause.i:
            return clause
        clause = following


def _next_clause(clause: Token) -> Token | None:
    """Return the clause that is coordinated with a clause and has a subject of its own."""
    return next((verb for verb in clause.children if verb.dep_ == "conj" and verb.has_child(*PLAIN_SUBJECT_DEPS)), None)


def _contrasts(first: Token, last: Token) -> bool:
    """Whether “but” would make no sense: “There is no bus, but there is a train” with “no train”."""
    words = {token.lower_ for token in first.doc[: last.i]}
    return "but" in words and not words.isdisjoint(NOT_TOKENS | {"no", "nobody", "nothing"})


def _deny_subject(group: VerbGroup, head: Token) -> Iterator[Outcome]:
    subject = read_subject(head)
    _check_clause(group, subject)
    predicate = _predicate_patches(group, subject)
    text = subject.noun.doc.text
    for verb in _forms_of_be(group, subject):
        new = patched(
            text, [_existential_patch(subject, verb), *(delete(token) for token in subject.articles), *predicate]
        )
        yield Draft(new, reason="there is none" if subject.pronoun is None else "somebody or nobody")


def _existential_patch(subject: NegatableSubject, verb: str) -> Patch:
    """Return the patch that puts “There is no …” in the place of the determiners."""
    text, first = subject.noun.doc.text, subject.phrase.first.idx
    there = "There" if first == _first_letter(text) else "there"
    if subject.pronoun is not None:
        return Patch(first, subject.noun.end, f"{there} {verb} {subject.pronoun}")
    first_word = subject.noun.doc[subject.start]
    opening = f"{there} {verb} no {'other ' if subject.has_another else ''}"
    if subject.is_bare and there == "There":
        # The initial capital of the sentence is removed: “Dogs are …” → “There are no dogs …”
        return Patch(first, first_word.end, opening + _without_initial_capital(first_word))
    return Patch(first, first_word.idx, opening)


def _without_initial_capital(token: Token) -> str:
    """Return a first word without the capital of the sentence: “dogs”, but “British”."""
    is_in_title = token.next is not None and token.next.text[:1].isupper()
    lemma = token.lemma_.lower()
    keeps_capital = is_in_title or has_capital(lemma, "a" if is_known(lemma, "a") else "n")
    return token.text if keeps_capital else without_sentence_capital(token)


def _first_letter(text: str) -> int:
    return next((index for index, character in enumerate(text) if character.isalnum()), 0)


def _check_clause(group: VerbGroup, subject: NegatableSubject) -> None:
    verb = group.verb
    polarity_words = _NEGATIVE_POLARITY_WORDS if subject.pronoun is not None else frozenset({"only"})
    refuse_if(not polarity_words.isdisjoint(verb.doc.lowers) and has_word(verb.subtree, polarity_words), "complex")
    for child in verb.children:
        if child.dep_ == "neg" or (
            child.lower_ in _NEGATIVE_WORDS and child.dep_ in {"neg", "advmod", "preconj", "cc", "det"}
        ):
            raise Refusal("negated")
        refuse_if(child.dep_ in {"dobj", "attr", "pobj"} and has_word(child.children, {"no"}), "negated")
        refuse_if(child.dep_ == "advmod" and child.lower_ in _SENTENCE_ADVERBS, "complex")
        if child.dep_ == "ccomp" and child.i > verb.i and child.right_edge.i > child.i:
            continue  # “There are no people who think that …”
        refuse_if(child.dep_ in _CLAUSE_DEPS and child.has_child("mark", "nsubj", "nsubjpass"), "complex")
        if (child.dep_ == "advcl" and child.i < verb.i) or child.dep_ == "mark" or child.tag_ == "WRB":
            raise Refusal("complex")
    if group.first.tag_ == "MD" and (group.first.lower_ not in ABILITY_MODALS or subject.noun_class in {"other", None}):
        raise Refusal("modal")


def _forms_of_be(group: VerbGroup, subject: NegatableSubject) -> tuple[str, ...]:
    """Return the forms of “be” after “there”, the better one first."""
    present, past = ("are", "were") if subject.is_plural else ("is", "was")
    if group.first.tag_ != "VBD":
        return (present,)
    if not _needs_relative_clause(group) or group.first.lower_ == "had":
        return (past,)
    # After “In the 1980s, …” only the past is possible.
    is_past_likely = subject.is_plural or subject.phrase.start > _first_letter(subject.noun.doc.text)
    return (past, present) if is_past_likely else (present, past)


def _needs_relative_clause(group: VerbGroup) -> bool:
    """Whether the predicate needs a relative clause: “who …”."""
    verb = group.verb
    if verb.lower_ == "being":
        return False
    if group.is_copula:
        return verb.has_child("acomp")
    if group.is_passive:
        return len(group.auxiliaries) != 2 or group.auxiliaries[1].lower_ != "being"
    if len(group.auxiliaries) != 1 or verb.tag_ != "VBG" or group.first.lower_ not in _FINITE_BE:
        return True
    # “is going to …” is a future tense.
    return verb.lower_ in {"going", "gonna"} and verb.has_child("xcomp")


def _predicate_patches(group: VerbGroup, subject: NegatableSubject) -> list[Patch]:
    participles = _participle_patches(group.verb)
    if group.is_copula and group.verb.lower_ != "being":
        return _copula_patches(group, subject)
    needs_relative = _needs_relative_clause(group)
    refuse_if(subject.is_definite and (needs_relative or not can_be_absent(subject)), "definite")
    if not needs_relative:
        # “An important part is getting them to talk” is not a progressive.
        refuse_if(subject.noun.lower_ in _ABSTRACT_SUBJECTS, "predicate")
        return [_delete_be(group.first), *participles]
    refuse_if(subject.is_bare and not subject.is_plural, "bare")
    refuse_if(_is_general(group, subject), "generic")
    if not group.auxiliaries and group.verb.tag_ in {"VBZ", "VBP"}:
        return _present_patches(group, subject)
    return _relative_patches(group, subject)


def _is_general(group: VerbGroup, subject: NegatableSubject) -> bool:
    """Whether the sentence is about all such things: “Tickets cost money”, “A fork is used to eat”."""
    verb = group.verb
    if subject.is_bare:
        is_past = group.first.tag_ == "VBD" and (group.auxiliaries or verb.lower_ != verb.lemma_)
        return not is_past
    if group.is_passive and group.first.tag_ in {"VBZ", "VBP"}:
        return verb.lemma_ in _GENERAL_VERBS or (not subject.is_plural and subject.noun_class in {"other", None})
    return False


def _delete_be(be: Token) -> Patch:
    """Return the patch that deletes a form of “be”; a contracted one leaves the space after it."""
    return replace(be, "") if be.text[:1] in "'’" else delete(be)


def _participle_patches(verb: Token) -> list[Patch]:
    """Coordinated participles lose their “is” too: “is sitting and is reading” → “sitting and reading”."""
    patches = []
    is_progressive = verb.tag_ == "VBG"
    for conjunct in verb.conjuncts:
        if conjunct.i < verb.i:
            continue
        group = verb_group(conjunct)
        before = group.first.nbor(-1)
        # a subject that the parser has missed
        refuse_if(group.is_finite and not (before.dep_ in {"cc", "punct"} or before.pos_ == "ADV"), "unclear")
        refuse_if(conjunct.has_child("neg") or group.first.tag_ == "MD", "complex")
        if group.auxiliaries and group.first.lower_ in _FINITE_BE:
            patches.append(delete(group.first))
        elif is_progressive and group.is_finite:
            raise Refusal("complex")  # “is wearing a hat and has a bag”
    return patches


def _copula_patches(group: VerbGroup, subject: NegatableSubject) -> list[Patch]:
    """“A man is in the room” → “no man in the room”; “A man is ill” → “no man who is ill”."""
    verb = group.verb
    complement = next((child for child in verb.children if child.i > verb.i and child.dep_ in _COMPLEMENT_DEPS), None)
    if complement is None or group.auxiliaries:
        raise Refusal("predicate")
    if complement.dep_ == "prep" and _is_location(complement):
        refuse_if(subject.is_definite and not can_be_absent(subject), "definite")
        return [_delete_be(verb), *_second_predicate_patches(verb)]
    if complement.dep_ == "acomp" and not subject.is_definite:
        if subject.is_bare or (verb.tag_ in {"VBZ", "VBP"} and not _is_scene(verb, complement, subject)):
            raise Refusal("generic")
        return _relative_patches(group, subject)
    raise Refusal("definite" if subject.is_definite else "predicate")


_COMPLEMENT_DEPS = frozenset({"prep", "acomp", "attr", "advmod", "xcomp", "ccomp", "conj"})


def _is_scene(verb: Token, adjective: Token, subject: NegatableSubject) -> bool:
    """Whether an adjective describes a momentary state rather than a general property."""
    has_location = any(
        child.dep_ == "prep" and _is_location(child) for word in (verb, adjective) for child in word.children
    )
    has_location = has_location or subject.noun.has_child("prep", "acl")
    return has_location and subject.noun_class in {"person", "animal", "thing"}


def _is_location(preposition: Token) -> bool:
    if preposition.lower_ not in _PLACE_PREPOSITIONS:
        return False
    noun = preposition.child("pobj")
    if noun is None or noun.lower_ in _NOT_SCENES:
        return noun is None and preposition.lower_ == "next"
    if noun.tag_ in {"NNP", "NNPS"} or noun.lower_ in {"front", "top"}:
        return True
    return noun.has_child("det", "poss") and (classify_noun(noun) in _SCENE_CLASSES or noun.lower_ in _SCENE_NOUNS)


def _second_predicate_patches(verb: Token) -> list[Patch]:
    """“is on a rock and is standing” → “on a rock standing”."""
    conjunct = next((child for child in verb.children if child.dep_ == "conj" and child.tag_ == "VBG"), None)
    if conjunct is None:
        return []
    conjunction = next((child for child in verb.children if child.dep_ == "cc" and child.i < conjunct.i), None)
    patches = [delete(child) for child in conjunct.children if child.dep_ == "aux" and child.lower_ in _FINITE_BE]
    if conjunction is not None and patches:
        patches.append(delete(conjunction))
    return patches


def _present_patches(group: VerbGroup, subject: NegatableSubject) -> list[Patch]:
    """Put the simple present into participles if it describes an event, else into “who …”."""
    verb = group.verb
    refuse_if(subject.articles, "coordinated")
    if verb.lemma_ == "have":
        return _with_patches(group, subject)
    if _is_activity(verb.lemma_) and not subject.is_plural:
        refuse_if(not _is_single_event(verb), "generic")
        verbs = [verb, *(token for token in verb.conjuncts if token.i > verb.i and token.tag_ in {"VBZ", "VBP"})]
        forms = [(token, inflect(token.lemma_, "VBG")) for token in verbs]
        return [replace(token, form) for token, form in forms if form is not None]
    if subject.is_plural and not subject.is_bare:
        return _relative_patches(group, subject)
    raise Refusal("generic")


def _with_patches(group: VerbGroup, subject: NegatableSubject) -> list[Patch]:
    """“A girl has red shoes” → “no girl with red shoes”."""
    verb = group.verb
    possession = require(verb.child("dobj"), "predicate")
    refuse_if(subject.noun_class not in {"person", "animal"} or verb.has_child("conj", "xcomp"), "predicate")
    refuse_if(classify_noun(possession) not in {"thing", "stuff", "animal"} or subject.is_bare, "generic")
    return [replace(verb, "with")]


def _relative_patches(group: VerbGroup, subject: NegatableSubject) -> list[Patch]:
    """“A student passed” → “no student who passed”."""
    refuse_if(subject.articles or any(token.dep_ == "relcl" for token in subject.phrase.tokens), "predicate")
    # “Someone being mad is better than …”
    refuse_if(subject.phrase.last.i >= group.verb.i or has_word(subject.phrase.tokens, {"being"}), "unclear")
    refuse_if(not subject.is_plural and subject.noun.has_child("conj"), "coordinated")
    following = subject.phrase.last.nbor()
    if following.is_punct or not (following == group.first or following.dep_ in {"advmod", "aux", "auxpass"}):
        raise Refusal("unclear")
    refuse_if(following.text[:1] in "'’", "unclear")
    return [insert_before(following, subject.relative)]


@lru_cache(maxsize=8_192)
def _is_activity(lemma: str) -> bool:
    if lemma in _STATE_VERBS:
        return False
    if lemma in _POSTURE_VERBS:
        return True
    senses = default_lexicon().senses(lemma, "v")
    return bool(senses) and senses[0].synset.lexfile in _ACTIVITY_FILES


def _is_single_event(verb: Token) -> bool:
    """Whether an object or a place with a determiner shows that the present is one scene; “A dog barks” is general."""
    for child in verb.children:
        is_object = child.dep_ == "dobj"
        nouns = [child] if is_object else [complement for complement in child.children if complement.dep_ == "pobj"]
        for noun in nouns:
            if noun.has_child("det", "nummod", "poss") or noun.tag_ == "NNP":
                return True
    return False
