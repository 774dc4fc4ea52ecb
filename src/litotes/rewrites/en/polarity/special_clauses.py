"""Negate questions, imperatives, “let's”, existentials and quantified subjects."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.base import word_set
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_contracted, uses_contractions, with_not
from litotes.languages.en.pronouns import INDEFINITE_ARTICLES
from litotes.languages.en.quantifiers import AMOUNTS, ANY_PRONOUNS, SOME_PRONOUNS, UNIVERSAL_PRONOUNS
from litotes.languages.en.syntax.tags import FINITE_TAGS, LINKED_CLAUSE_DEPS, QUESTION_TAGS, SUBJECT_DEPS, WH_TAGS
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Refusal, Skip, refuse_if, require
from litotes.rewrites.en.polarity.polarity_change import (
    FOCUS_ADVERBS,
    ChangeOrSkip,
    ContractionStyle,
    PolarityChange,
    VerbForms,
    adverbs_before,
    negative_items,
    not_patches,
)
from litotes.rewrites.en.polarity.polarity_items import has_positive_item, scope, to_negative
from litotes.rewrites.patches import Patch, insert_after, insert_before, replace

_UNNEGATABLE_WORDS = frozenset({"where", "when", "whom", "whose"})
_COMPLEMENT_DEPS = frozenset({"acomp", "attr"})
_VAGUE_VERBS = word_set("think mean call say do happen like")


def is_question(group: VerbGroup) -> bool:
    """Whether the text ends like a question."""
    return bool(group.verb.doc.text.rstrip(" \"'”’)").endswith("?"))


def starts_with_question_word(group: VerbGroup) -> bool:
    """Whether a question or exclamation begins with its question word: “Where the heck is he”, “What a day it was”."""
    verb, subject = group.verb, group.subject
    is_root = verb.dep_ == "ROOT"
    if is_root and subject is not None and subject.lower_ == "what" and verb.lemma_ in {"happen", "be"}:
        return verb.lemma_ == "happen"
    start = start_of_sentence(verb)
    if (start.tag_ == "WP$" or start.lower_ == "how") and is_question(group):
        return True
    if not is_root:
        return False
    first = group.first.i
    for child in verb.lefts:
        if child.tag_ in QUESTION_TAGS and child.i < first and child.dep_ not in {"nsubj", "nsubjpass", "mark"}:
            return True
    return False


def start_of_sentence(token: Token) -> Token:
    """Return the first word of the sentence that contains a word."""
    doc = token.doc
    return doc.tokens[token.sent.start]


def negate_question(group: VerbGroup, style: ContractionStyle) -> PolarityChange:
    """Negate a question: “Is that not true?”, “Isn't that true?”; other inversions are skipped."""
    if not group.takes_not_directly or group.subject is None or group.first.lower_ in {"need", "dare"}:
        raise Refusal("inversion")
    doc = group.verb.doc
    refuse_if(not is_question(group), "inversion")
    if any(child.dep_ == "cc" and child.lower_ == "or" for token in group.verb.subtree for child in token.children):
        raise Refusal("not-sure", "a question with alternatives has no negation")
    # “Has anyone not called?” is another question
    refuse_if(group.subject.lower_ in ANY_PRONOUNS or group.subject.left_edge.lower_ == "any", "quantifier")
    refuse_if(_has_no_answer(group, group.subject), "wh-question")
    first = group.first
    short = with_not(full_form(first, group.verb), doc)
    last = _end_of_subject(group.subject)
    items = negative_items(group, last)
    if style == "contract" and short is not None and not is_contracted(first):
        return PolarityChange((replace(first, cased_like(first.text, short)), *items), "question")
    if group.is_copula and not any(child.i > last.i and not child.is_punct for child in group.verb.rights):
        last = group.subject  # the parser took the complement for a part of the subject: "Was the dog at home?"
    return PolarityChange((insert_after(last, "not"), *items), "question")


def _has_no_answer(group: VerbGroup, subject: Token) -> bool:
    """Whether the question is about a place, time or manner, so that nothing would answer its negation."""
    words_before = group.verb.doc.tokens[max(0, group.first.i - 4) : group.first.i]
    question_word = next((token for token in words_before if token.tag_ in WH_TAGS), None)
    if question_word is None:
        return False
    if question_word.i != group.first.i - 1:  # "how many …", "what time …", "who in the world …"
        return True
    if group.is_copula and question_word.lower_ not in {"where", "when", "how"}:
        deps = _COMPLEMENT_DEPS | {"advmod", "prep"} if question_word.lower_ == "why" else _COMPLEMENT_DEPS
        return not any(child.dep_ in deps and child.i > subject.i for child in group.verb.children)
    if question_word.lower_ == "how":
        return group.first.lower_ not in {"can", "could"}
    return question_word.lower_ in _UNNEGATABLE_WORDS or (
        question_word.lower_ in {"what", "who"} and group.verb.lemma_ in _VAGUE_VERBS
    )


def _end_of_subject(subject: Token) -> Token:
    """Return the last word of a subject; a participle after it is rather the verb: “Was it written …?”"""
    participle = next(
        (child for child in subject.children if child.dep_ in {"acl", "relcl"} and child.i > subject.i), None
    )
    return subject.right_edge if participle is None else participle.left_edge.nbor(-1)


_VERBS_WITHOUT_SUBJECT = word_list("verbs without subject")
"""Verbs that without a subject are not imperatives: an “I” or “it” is omitted."""
_ATTENTION_VERBS = word_set("wait see look listen imagine watch")
_OPENING_VERBS = word_list("opening verbs")
"""Verbs that call for attention: “Come on, …”, “Look, …”, “Trust me, …”."""
_BARE_TAGS = frozenset({"VB", "VBP"})
_CLAUSE_DEPS = LINKED_CLAUSE_DEPS | {"dep"}
_BREAKS = frozenset({",", ";", ":", "-", "–", "—", "...", "…"})


def negate_imperative(group: VerbGroup, style: ContractionStyle, forms: VerbForms) -> PolarityChange:
    """Put “do not” before the verb of an imperative."""
    verb = group.verb
    base = require(forms.verb(verb, "VB"), "unknown-verb")
    # a title: "Release 2.0"
    refuse_if(verb.next is not None and verb.next.like_num and verb.nbor().text[0].isdigit(), "not-a-clause")
    refuse_if(any(child.tag_ == "WRB" for child in verb.lefts), "wh-question")  # "Why come here?"
    words_before = [token for token in verb.sent if token.i < verb.i]
    # more likely a verb that the parser detached from its clause
    if any(token.tag_ in FINITE_TAGS | {"PRP"} for token in words_before) and not any(
        token.is_punct for token in words_before
    ):
        raise Refusal("not-a-clause")
    if verb.lemma_ in _VERBS_WITHOUT_SUBJECT or (verb.lemma_ in _ATTENTION_VERBS and verb.has_child("ccomp")):
        raise Refusal("not-a-clause")
    contract = style == "contract" or (style == "keep" and uses_contractions(verb.doc))
    do_not = (with_not("do", verb.doc) or "do not") if contract else "do not"
    start = verb
    for adverb in reversed(adverbs_before(group)):
        if adverb.lower_ in {"just", "please", "now", "then"}:
            break
        refuse_if(adverb.lower_ in FOCUS_ADVERBS | {"never"}, "focus")
        start = adverb
    is_capitalised = start.text[:1].isupper()
    word = base if start is verb else start.lower_ if is_capitalised else start.text
    return PolarityChange(
        (replace(start, f"{cased_like('X' if is_capitalised else 'x', do_not)} {word}"), *negative_items(group, verb)),
        "imperative",
    )


def is_lets(verb: Token) -> bool:
    """Whether a verb is the “let” of “let's”."""
    if verb.tag_ != "VB" or verb.lower_ not in {"let", "lets"}:
        return False
    return verb.lower_ == "lets" or (verb.next_word in {"'s", "’s", "us"})


def negate_lets(verb: Token) -> PolarityChange:
    """“Let's not go”, with the words that change in the proposal."""
    us = verb if verb.lower_ == "lets" else verb.nbor()
    items = to_negative(_proposal(verb, us)) if has_positive_item(verb.doc) else ()
    return PolarityChange((insert_after(us, "not"), *items), "let's not")


def _proposal(let: Token, us: Token) -> list[Token]:
    """Return the words of the proposal after “let's”, which the parser attaches to another verb than “let”."""
    verbs = [child for child in let.rights if child.dep_ in {"ccomp", "xcomp"}]
    return [*scope(let, us), *(token for verb in verbs for token in scope(verb, us))]


def is_linked_command(group: VerbGroup) -> bool:
    """Whether an imperative and another clause depend on each other.

    “Don't worry, be happy.”, “Be careful, or you'll fall.”: they make no sense if one half is negated.
    """
    verb = group.verb
    if not is_imperative(group):
        for child in verb.children:
            if child.tag_ in _BARE_TAGS and child.dep_ in _CLAUSE_DEPS and _precedes_statement(verb, child):
                return True
        return False
    linked_verbs = [*verb.children, verb.head] if verb.dep_ in _CLAUSE_DEPS else verb.children
    return any(_is_linked_to(linked_verb, verb) for linked_verb in linked_verbs)


def is_imperative(group: VerbGroup) -> bool:
    """Whether a verb group is an imperative, with or without “do not”."""
    verb = group.verb
    if group.subject is not None or verb.dep_ == "conj" or verb.tag_ not in _BARE_TAGS:
        return False
    if verb.tag_ == "VBP" and not group.first.is_sent_start:
        return False
    return not group.auxiliaries or group.first.lower_ == "do"


def _precedes_statement(verb: Token, command: Token) -> bool:
    """Whether a command before a clause is more than a call for attention: “Don't worry, I'll help you.”"""
    if command.i > verb.i or command.lemma_ in _OPENING_VERBS or command.lemma_ in _VERBS_WITHOUT_SUBJECT:
        return False
    group = verb_group(command)
    return group.first.is_sent_start and is_imperative(group) and _is_linked_to(verb, command)


def _is_linked_to(linked_verb: Token, verb: Token) -> bool:
    lower, upper = (linked_verb, verb) if linked_verb.head.i == verb.i else (verb, linked_verb)
    if lower.dep_ not in _CLAUSE_DEPS or not linked_verb.is_verbal:
        return False
    if any(child.dep_ == "mark" or child.tag_ in {"WRB", "WP", "TO"} for child in lower.lefts):
        return False  # “If you can, come.”, “Go when you are ready.”
    first, last = sorted((linked_verb.i, verb.i))
    is_finite = any(child.dep_ in SUBJECT_DEPS for child in linked_verb.lefts) and verb_group(linked_verb).is_finite
    if any(child.dep_ == "cc" for child in upper.rights):
        return is_finite
    if not any(token.text in _BREAKS for token in verb.doc.tokens[first:last]):
        return False
    if linked_verb.i < verb.i and linked_verb.lemma_ in _OPENING_VERBS:
        return False
    return is_finite or linked_verb.tag_ in _BARE_TAGS


_NEGATIVE_COUNTERPARTS = {"someone": "no one", "somebody": "nobody", "something": "nothing", "some": "none"}
_AMOUNT_NOUNS = frozenset({"number", "couple", "range", "variety", "bunch"})
_SCARCE = frozenset({"few", "little", "neither", "either", "none", "half", "part"})
_QUANTITIES = AMOUNTS | {"enough", "more", "several"}
_LIMITERS = frozenset({"only", "just", "even"})
_EXCEPTIONS = frozenset({"but", "except"})
_EVERY = frozenset({"every", "all", "many"})
_QUANTIFYING_WORDS = (
    ANY_PRONOUNS
    | {"any"}
    | _NEGATIVE_COUNTERPARTS.keys()
    | _SCARCE
    | _LIMITERS
    | _EXCEPTIONS
    | UNIVERSAL_PRONOUNS
    | _EVERY
)
"""Every text with a quantified subject contains one of them; most texts contain none."""


def negate_existential(group: VerbGroup, style: ContractionStyle) -> Iterator[PolarityChange]:
    """Negate an existential with “no”, then with “not a”; amounts (“much time”) allow only “not”."""
    following = group.verb.next_word
    refuse_if(_is_amount(group) or following in {"only", "just", "almost", "nearly"}, "quantifier")
    if group.first.lower_ == "must":
        raise Refusal("not-sure", "“there must be” is a conclusion or a demand, which differ in their negation")
    noun = next((child for child in group.verb.rights if child.dep_ in {"attr", "dobj"}), None)
    is_question = group.is_inverted
    if noun is not None and not is_question:
        no = _no_patches(noun)
        if no is not None:
            yield PolarityChange((*no, *negative_items(group, noun)), "there is no")
    anchor = group.subject if is_question and group.subject is not None else group.first
    items = negative_items(group, anchor)
    if is_question:
        yield PolarityChange((insert_after(anchor, "not"), *items), "question")
        return
    for patch in not_patches(group, style):
        yield PolarityChange((patch, *items), "there is not")


def _is_amount(group: VerbGroup) -> bool:
    """Whether the clause is like “There are a number of …”: neither “no number” nor “not a number” negates it."""
    return any(
        child.lower_ in _AMOUNT_NOUNS or child.left_edge.nbor().lower_ == "few"
        for child in group.verb.children
        if child.dep_ == "attr" and child.left_edge.i + 1 < len(child.doc)
    )


def _no_patches(noun: Token) -> tuple[Patch, ...] | None:
    """Return the patches that put “no” before a noun, or None if it cannot take “no”."""
    if noun.lower_ in SOME_PRONOUNS - {"someone"}:
        return (replace(noun, noun.lower_.replace("some", "no")),)
    if noun.lower_ == "someone":
        return (replace(noun, "no one"),)
    determiner = next(
        (child for child in noun.children if child.dep_ in {"det", "nummod", "amod"} and child.i < noun.i), None
    )
    if determiner is None:
        is_bare = noun.tag_ in {"NNS", "NN"} and noun.left_edge.i == noun.i
        return (insert_before(noun, "no"),) if is_bare else None
    if noun.lower_ in {"lot", "bit", "little", "deal"} and determiner.i == noun.i - 1:
        return None
    if determiner.lower_ in INDEFINITE_ARTICLES | {"some", "any"} and determiner.i == noun.left_edge.i:
        return (replace(determiner, "no"),)
    if determiner.dep_ == "amod" and determiner.lower_ not in _QUANTITIES:
        return (insert_before(noun.left_edge, "no"),) if noun.left_edge.pos_ == "ADJ" else None
    return None


def negate_quantified_subject(group: VerbGroup) -> ChangeOrSkip | None:
    """Negate “Everyone likes it” as “Not everyone likes it”, “Someone came” as “No one came”."""
    subject = group.subject
    if subject is None or group.is_inverted or _QUANTIFYING_WORDS.isdisjoint(subject.doc.lowers):
        return None
    return _negate_amount(subject, group)


def _negate_amount(subject: Token, group: VerbGroup) -> ChangeOrSkip | None:
    lower = subject.lower_
    first = subject.left_edge
    if first.lower_ in _LIMITERS:
        return Skip("focus")
    # The negation of “Anybody knows it” is “Nobody” or “Not just anybody”, never “not”.
    is_any = lower in ANY_PRONOUNS or (first.lower_ == "any" and first.head.i == subject.i)
    excepted = has_word(subject.rights, _EXCEPTIONS)  # “All but one came.”
    if is_any or excepted or (lower in _NEGATIVE_COUNTERPARTS and group.first.lower_ in {"must", "may", "might"}):
        return Skip("quantifier")
    if lower in UNIVERSAL_PRONOUNS or (
        first.lower_ in _EVERY and first.head.i == subject.i and first.dep_ in {"det", "amod", "predet"}
    ):
        if first.previous_word in {"almost", "nearly", "not", "so", "how", "as", "too"}:
            return Skip("quantifier")
        return _replaced(group, first, f"not {first.lower_}", "not every")
    if lower == "some" and subject.next_word == "of":
        return _replaced(group, subject, "none", "some of → none of")
    if lower in SOME_PRONOUNS and first.i == subject.i:
        new = "no one" if lower == "someone" else lower.replace("some", "no")
        return _replaced(group, subject, new, f"{lower} → {new}")
    if first.lower_ == "some" and first.dep_ == "det" and first.head.i == subject.i and subject.tag_ in {"NNS", "NN"}:
        return _replaced(group, first, "no", "some → no")
    return Skip("quantifier") if lower in _SCARCE or first.lower_ in _SCARCE else None


def _replaced(group: VerbGroup, token: Token, new: str, reason: str) -> PolarityChange:
    return PolarityChange((replace(token, cased_like(token.text, new)), *negative_items(group, group.first)), reason)
