"""Argument swap: the two arguments of a verb are exchanged, so that the roles of agent and patient change."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.base import capitalised, word_set
from litotes.languages.en import pronouns, verbs
from litotes.languages.en.modifiers import SYMMETRIC_ADJECTIVES
from litotes.languages.en.nouns import FAMILY_NAMES, GIVEN_NAMES, HONORIFICS, NounClass, classify_noun
from litotes.languages.en.quantifiers import ANY_PRONOUNS
from litotes.languages.en.syntax.question_tags import question_tag
from litotes.languages.en.syntax.tags import FINITE_TAGS, LINKED_CLAUSE_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, WordChange, change_each, refuse_if, rule
from litotes.rewrites.en.grammar.agreement import VerbAgreement, conjuncts
from litotes.rewrites.en.grammar.noun_phrases import (
    REFLEXIVES,
    NounPhrase,
    agreement,
    as_object,
    as_subject,
    is_reflexive_or_reciprocal,
    may_be_bound,
    noun_phrase,
)
from litotes.rewrites.en.voice.verbs import (
    agreeing_auxiliary,
    contracted_auxiliary,
    finite_form,
    full_auxiliary,
    verb_lemma,
)
from litotes.rewrites.patches import Patch, patched, replace

_MAX_ARGUMENT_WORDS = 8
_ANIMATE_PREPOSITIONAL_VERBS = frozenset(
    "look at, stare at, run after, jump over, run from, jump on, run to, run towards, walk towards, walk behind, "
    "run behind, go after, listen to".split(", ")
)
"""Like ANIMATE_VERBS, with a preposition."""
_ARGUMENT_PREPOSITIONS = word_set("to at for after about from over behind towards toward past of")
_PREPOSITIONS_AFTER_OBJECT = frozenset({"for", "to", "from"})
_PREPOSITIONS_AFTER_ADJECTIVE = word_set("of at to than about for")
_ATTACHED_PREPOSITIONS = word_set("of in from on with at behind near next who that")
"""Prepositions that belong to the noun before them; others may belong to the verb."""
_FIXED_WORDS = ANY_PRONOUNS | word_list("fixed words")
"""Words whose meaning depends on the position of their phrase."""
_NON_SUBJECTS = pronouns.RELATIVE_PRONOUNS | pronouns.IMPERSONAL_PRONOUNS | {"what", "there", "one"}
_BABIES = word_set("baby infant newborn toddler")
_WITHOUT_ARTICLE = FAMILY_NAMES | word_set("mommy daddy god nobody somebody everybody everyone someone")
"""Singular nouns that need no article."""
_FIRST_PERSON = pronouns.FIRST_PERSON_PRONOUNS | word_set("my mine myself our ours")
_SECOND_PERSON = word_set("you your yours")
_THIRD_PERSON = pronouns.THIRD_SINGULAR_PRONOUNS | word_set("they him them his her hers its their theirs")
_CLAUSES = LINKED_CLAUSE_DEPS - {"parataxis"}
_THIRD_SINGULAR = VerbAgreement(3, False)
_ODD_AUXILIARIES = frozenset({"ai", "gon", "got", "to", "m", "s", "re", "ve", "ll", "d"})
"""“ain't”, “gonna”, and contractions without their apostrophe."""

_Argument = tuple["Token", "Token | None"]
"""The head of an argument, and the preposition or adjective that governs it."""


@rule(
    "argument_swap",
    effect="different",
    needs=("parse", "lexicon", "inflection"),
    skips={
        "no-arguments": "no verb has a subject and a second argument",
        "kind": "the two arguments are of different kinds, so the swapped sentence would make no sense",
        "symmetric": "the verb is symmetric, so the swapped sentence would mean the same",
        "verb": "the object of the verb cannot act",
        "bound": "a pronoun refers to one of the arguments",
        "alike": "one of the arguments depends on the other, or cannot replace it",
        "agreement": "the verb cannot be made to agree with its new subject",
        "tag": "the question tag agrees with the subject",
        "unclear": "the parse does not show which words belong together",
    },
)
def argument_swap(sentence: Sentence) -> Iterator[Outcome]:
    """Swap the two arguments of a verb: “Tom encouraged Ann to leave.” → “Ann encouraged Tom to leave.”

    >>> from litotes.rewrites.apply import rewrite
    >>> rewrite("argument_swap", "She sees the dogs, but the dogs chase him.")[0].text
    'The dogs see her, but the dogs chase him.'
    """
    refuse_if(sentence.is_question and question_tag(sentence.text) is not None, "tag")
    embedded = [token for token in sentence.doc.tokens if token.dep_ in _CLAUSES and token.is_verbal]
    is_empty = True
    for outcome in change_each([*sentence.roots, *embedded], _swap):
        is_empty = False
        yield outcome
    refuse_if(is_empty, "no-arguments")


def _swap(verb: Token) -> Iterator[Draft]:
    arguments = _find_arguments(verb)
    if arguments is None:
        return
    group, subject, second = arguments
    text = verb.doc.text
    refuse_if(subject.start < second.end and second.start < subject.end, "unclear")
    refuse_if(subject.text.lower() == second.text.lower(), "alike")
    old, new = agreement(subject), agreement(second)
    new_subject, new_second = as_subject(second), as_object(subject)
    before = text[: subject.start].rstrip(" \"'“‘([")
    if text[subject.start].isupper() and (not before or before[-1] in ".!?…"):
        new_subject = capitalised(new_subject)
    if old is None or new is None or not _agrees(group, old):
        raise Refusal("agreement")
    patches = [Patch(subject.start, subject.end, new_subject), Patch(second.start, second.end, new_second)]
    for coordinated in (group, *_coordinated_groups(group)):
        patches += _agreement_patches(coordinated, old, new, new_subject)
    changes = tuple(
        WordChange(text[patch.start : patch.end], patch.new)
        for patch in sorted(patches)
        if text[patch.start : patch.end] != patch.new
    )
    yield Draft(patched(text, patches), changes, f"“{subject.text}” and “{second.text}” change places")


def _coordinated_groups(group: VerbGroup) -> Iterator[VerbGroup]:
    for verb in group.verb.conjuncts:
        coordinated = verb_group(verb)
        if verb.i > group.verb.i and coordinated.subject is None and coordinated.is_finite:
            yield coordinated


def _agrees(group: VerbGroup, subject: VerbAgreement) -> bool:
    """Return whether the verb agrees with its current subject; otherwise the sentence or its parse is wrong."""
    verb = group.first
    if verb.tag_ == "MD" or verb.text[:1] in "'’":
        return True
    lower = verb.lower_
    is_third_singular = subject.person == 3 and not subject.plural
    if lower in verbs.FULL_AUXILIARIES - {"had", "did"}:
        return agreeing_auxiliary(lower, subject) == lower
    if verb.tag_ == "VBZ":
        return is_third_singular
    return not (verb.tag_ in {"VBP", "VB"} and is_third_singular and group.is_finite)


def _agreement_patches(group: VerbGroup, old: VerbAgreement, new: VerbAgreement, new_subject: str) -> list[Patch]:
    verb = group.first
    refuse_if(verb.lower_ in _ODD_AUXILIARIES, "agreement")
    is_short = verb.text[:1] in "'’"
    form: str | None
    if group.auxiliaries:
        following = group.auxiliaries[1] if len(group.auxiliaries) > 1 else group.verb
        form = agreeing_auxiliary(full_auxiliary(verb, following.tag_), new)
    elif is_short or verb.lower_ in verbs.FULL_FINITE_BE:
        form = agreeing_auxiliary(full_auxiliary(verb, ""), new)
    elif verb.tag_ in {"VBP", "VB"} and verb_lemma(verb) != verb.lower_:
        raise Refusal("agreement")  # “forgot”, tagged as a present form
    elif verb.tag_ in {"VBZ", "VBP", "VB"}:
        form = finite_form(verb_lemma(verb), is_past=False, subject=new)
    elif verb.lower_ == verb.lemma_ and old != _THIRD_SINGULAR and new == _THIRD_SINGULAR:
        raise Refusal("agreement")  # “let”, “put”: could be the present
    else:
        return []
    # a verb that the dictionary does not know
    refuse_if(form is not None and verb.tag_ == "VBZ" and form == verb.lower_ and new != _THIRD_SINGULAR, "agreement")
    if form is None or (form == "am" and verb.next_word in {"n't", "n’t"}):
        raise Refusal("agreement")
    if is_short:
        form = (
            contracted_auxiliary(form, verb.text[0])
            if new_subject.lower() in pronouns.PERSONAL_SUBJECTS
            else f" {form}"
        )
    elif form == verb.lower_ or verb.tag_ == "MD":
        return []
    elif verb.text[:1].isupper():
        form = form.capitalize()
    return [replace(verb, form)]


def _find_arguments(verb: Token) -> tuple[VerbGroup, NounPhrase, NounPhrase] | None:
    """Return the two arguments of a verb, or None if it does not have two; refuse if they cannot be exchanged."""
    group = verb_group(verb)
    if group.subject is None or group.subject.dep_ not in {"nsubj", "nsubjpass"} or not _is_finite(group):
        return None
    is_passive = group.subject.dep_ == "nsubjpass" or group.is_passive
    argument = next(_agents(verb) if is_passive else _second_arguments(verb), None)
    if argument is None:
        refuse_if(verb.has_child("dobj"), "kind")
        return None
    head, link = argument
    refuse_if(head.lower_ in _NON_SUBJECTS or group.subject.lower_ in _NON_SUBJECTS or head.i < verb.i, "kind")
    _check_verb(verb, link)
    subject, second = noun_phrase(group.subject), noun_phrase(head)
    if subject is None or second is None or len(subject) > _MAX_ARGUMENT_WORDS or len(second) > _MAX_ARGUMENT_WORDS:
        raise Refusal("unclear")
    # “She may not remember me, but I remember her.”
    refuse_if(sum(token.lemma_ == verb.lemma_ and token.pos_ == "VERB" for token in verb.doc) > 1, "alike")
    refuse_if(_may_continue(head, second), "unclear")
    _check_kinds(verb, link, subject, second)
    _check_binding(verb, subject, second)
    return group, subject, second


def _may_continue(head: Token, phrase: NounPhrase) -> bool:
    """Return whether the words after an argument may belong to it: “her fingers”, “them both”, “I tell you what”."""
    if phrase.last.i + 1 >= len(head.doc):
        return False
    following = phrase.last.nbor()
    if following.pos_ == "INTJ" or following.lower_ in {"both", "all", "each"}:
        return True
    if head.head.lemma_ == "tell" and following.lower_ == "what" and head.lower_ == "you":
        return True
    is_nominal = following.pos_ in {"NOUN", "ADJ", "PROPN"}
    return (head.lower_ == "her" and (is_nominal or following.lower_ == "back")) or (head.tag_ == "NN" and is_nominal)


def _is_finite(group: VerbGroup) -> bool:
    """Return whether the verb agrees with its subject; “They love” may be tagged as an infinitive."""
    if group.is_finite:
        return True
    is_bare = group.verb.tag_ == "VB" and not group.auxiliaries and group.verb.dep_ in {"ROOT", "ccomp"}
    return is_bare and group.subject is not None and group.subject.lower_ in pronouns.PLAIN_FORM_PRONOUNS


def _agents(verb: Token) -> Iterator[_Argument]:
    """Yield the agent of a passive (“was chased by her”) that has no object."""
    if verb.has_child("dobj", "dative"):
        return
    by = verb.child("agent")
    if by is not None:
        yield from ((noun, by) for noun in by.children if noun.dep_ == "pobj")


def _second_arguments(verb: Token) -> Iterator[_Argument]:
    first_by_dep = {child.dep_: child for child in reversed(verb.children)}
    recipient = first_by_dep.get("dative")
    if recipient is not None:
        # “gave her a book”, “gave a book to her”
        if recipient.pos_ != "ADP":
            yield recipient, None
            return
        noun = recipient.child("pobj")
        if noun is not None:
            yield noun, recipient
            return
    direct, adjective = first_by_dep.get("dobj"), first_by_dep.get("acomp")
    kind = classify_noun(direct) if direct is not None else None
    if direct is not None and (direct.pos_ in {"PRON", "PROPN"} or kind in {"person", "animal", "group", "thing"}):
        if kind in {"thing", "group"}:
            yield from _prepositional_objects(verb, adjective, direct)  # “bought a book for her”
        yield direct, None
        return
    # “I've got someone coming” does not mean that someone was caused to come.
    if direct is None and verb.lemma_ in verbs.CAUSATIVE_VERBS and not (verb.lemma_ == "get" and verb.tag_ == "VBN"):
        yield from _infinitive_subjects(verb)
    yield from _prepositional_objects(verb, adjective, direct)


def _infinitive_subjects(verb: Token) -> Iterator[_Argument]:
    """Yield the subject of an infinitive: “saw her leave”, “wants her to leave”."""
    clause = next((child for child in verb.children if child.dep_ == "ccomp" and child.tag_ in {"VB", "VBG"}), None)
    if clause is None or any(child.tag_ in FINITE_TAGS or child.dep_ == "mark" for child in clause.children):
        return
    subject = verb_group(clause).subject
    if subject is not None and subject.i < clause.i:
        yield subject, None


def _prepositional_objects(verb: Token, adjective: Token | None, direct: Token | None) -> Iterator[_Argument]:
    """Yield the objects of prepositions: “is waiting for her”, “is taller than her”, “bought a ring for her”."""
    if adjective is not None:
        for child in adjective.children:
            if child.dep_ == "prep" and child.lower_ in _PREPOSITIONS_AFTER_ADJECTIVE and child.i > adjective.i:
                yield from ((noun, adjective) for noun in child.children if noun.dep_ == "pobj")
        return
    allowed = _ARGUMENT_PREPOSITIONS if direct is None else _PREPOSITIONS_AFTER_OBJECT
    index = (verb if direct is None else direct).i + 1
    for child in verb.children if direct is None else [*verb.children, *direct.children]:
        if child.i != index or child.dep_ != "prep" or child.lower_ not in allowed:
            continue
        if child.lower_ in {"of", "about"} and verb.lemma_ not in verbs.TOPIC_VERBS:
            continue
        if child.lower_ == "from" and direct is not None and verb.lemma_ not in verbs.ACQUISITION_VERBS:
            continue
        yield from ((noun, child) for noun in child.children if noun.dep_ == "pobj")


def _check_verb(verb: Token, link: Token | None) -> None:
    lemma = verb.lemma_
    refuse_if(lemma in verbs.SYMMETRIC_VERBS, "symmetric")
    if link is not None and link.pos_ == "ADJ":
        refuse_if(link.lower_ in SYMMETRIC_ADJECTIVES, "symmetric")
        return
    deps = {child.dep_ for child in verb.children}
    is_causative = lemma in verbs.CAUSATIVE_VERBS and "ccomp" in deps and "dobj" not in deps
    refuse_if(lemma in verbs.NON_AGENT_OBJECT_VERBS and not is_causative, "verb")
    direct = verb.child("dobj")
    words = [direct.lower_, *(child.lower_ for child in direct.children)] if direct is not None else [""]
    if words[0] == "birth" or (
        lemma in verbs.INTENSIONAL_VERBS and not pronouns.INDEFINITE_ARTICLES.isdisjoint(words[1:])
    ):
        raise Refusal("verb")
    refuse_if(verb.text[:1] in "'’" or not deps.isdisjoint({"oprd", "attr"}), "verb")
    refuse_if(verb.dep_ == "advcl" and lemma == "ask", "verb")  # “if you ask me”
    if any(child.dep_ == "ccomp" and verb_group(child).subject is None for child in verb.children):
        raise Refusal("unclear")


def _check_kinds(verb: Token, link: Token | None, subject: NounPhrase, second: NounPhrase) -> None:
    for phrase in (subject, second):
        refuse_if(is_reflexive_or_reciprocal(phrase), "bound")
        _check_phrase(phrase)
    lemma = verb.lemma_
    kinds = [_kind_for_verb(subject, lemma), _kind_for_verb(second, lemma)]
    if kinds == ["person", "person"]:
        has_baby = any(phrase.head.lower_ in _BABIES for phrase in (subject, second))
        is_possible = not has_baby or lemma in verbs.ANIMATE_VERBS
    elif set(kinds) <= {"person", "animal"}:
        is_animate_phrase = link is not None and f"{lemma} {link.lower_}" in _ANIMATE_PREPOSITIONAL_VERBS
        is_possible = lemma in verbs.ANIMATE_VERBS or is_animate_phrase
    elif set(kinds) <= {"person", "group"} and lemma in verbs.SOCIAL_VERBS:
        is_possible = True
    elif kinds == ["thing", "thing"]:
        is_possible = lemma in verbs.INANIMATE_VERBS
    else:
        is_possible = kinds == ["group", "group"] and link is None
    refuse_if(not is_possible, "kind")


def _check_phrase(phrase: NounPhrase) -> None:
    tokens, head = phrase.tokens, phrase.head
    refuse_if(has_word(tokens, _FIXED_WORDS), "alike")
    if any(token.is_punct or token.tag_ == "TO" or (token.text.isupper() and len(token.text) > 2) for token in tokens):
        raise Refusal("unclear")
    is_split = head.tag_ == "PRP" and len(phrase) > 1 and len(conjuncts(head)) < 2
    refuse_if(is_split or (len(head.text) < 2 and head.lower_ != "i"), "unclear")
    if any(
        token.tag_ == "PRP" and token.dep_ not in {"conj", "nsubj", "pobj", "dobj"} for token in tokens if token != head
    ):
        raise Refusal("unclear")
    for child in head.children:
        is_loose = child.dep_ == "prep" and child.lower_ not in _ATTACHED_PREPOSITIONS
        if is_loose or (child.dep_ == "relcl" and verb_group(child).subject is None):
            raise Refusal("unclear")
    # “ignore the obstacles, and they …”
    if head.lower_ in {"them", "they"} and any(
        token.tag_ == "NNS" and token.i < head.i and classify_noun(token) != "person" for token in head.doc
    ):
        raise Refusal("kind")
    lacks_article = len(phrase) == 1 and head.tag_ == "NN" and head.pos_ == "NOUN"
    refuse_if(lacks_article and head.lower_ not in _WITHOUT_ARTICLE, "kind")


def _kind_for_verb(phrase: NounPhrase, lemma: str) -> NounClass | None:
    """Return the kind of a phrase; an unknown name is a person's if the verb is an action between people."""
    kinds = {_kind_of_noun(noun) for noun in conjuncts(phrase.head) if noun.i <= phrase.last.i}
    kind = kinds.pop() if len(kinds) == 1 else None
    head = phrase.head
    if kind is None and lemma in verbs.SOCIAL_VERBS and head.tag_ == "NNP" and len(conjuncts(head)) == 1:
        return "person"
    return kind


def _kind_of_noun(noun: Token) -> NounClass | None:
    if noun.lower_ in {"they", "them", "'em"}:
        return "person"
    if noun.tag_ in {"NNP", "NNPS"} or noun.pos_ == "PROPN":
        compounds = [child.lower_ for child in noun.children if child.dep_ == "compound"]
        if any(name in HONORIFICS for name in compounds) or (compounds and compounds[-1] in GIVEN_NAMES):
            return "person"
        return "person" if noun.lower_ in GIVEN_NAMES or noun.lower_ in FAMILY_NAMES else None
    return classify_noun(noun)


def _check_binding(verb: Token, subject: NounPhrase, second: NounPhrase) -> None:
    """Refuse if a pronoun would lose, or precede, the phrase that it refers to."""
    for phrase, other in ((subject, second), (second, subject)):
        has_third_person = len(phrase) > 1 and has_word(phrase.tokens, _THIRD_PERSON)
        refuse_if(has_third_person and (may_be_bound(phrase, other) or phrase is second), "bound")
    inside = {token.i for phrase in (subject, second) for token in phrase.tokens}
    context = {token.lower_ for token in verb.subtree if token.i not in inside and _is_in_clause_of(token, verb)}
    if not context.isdisjoint(REFLEXIVES) or "own" in context or not context.isdisjoint(_THIRD_PERSON - {"it", "its"}):
        raise Refusal("bound")
    for phrase in (subject, second):
        for person in (_FIRST_PERSON, _SECOND_PERSON):
            refuse_if(phrase.head.lower_ in person and not context.isdisjoint(person), "bound")


def _is_in_clause_of(token: Token, verb: Token) -> bool:
    while token.i != verb.i:
        if token.dep_ in _CLAUSES | {"relcl"}:
            group = verb_group(token)
            if group.subject is not None and group.is_finite:
                return False
        token = token.head
    return True
