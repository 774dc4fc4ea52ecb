"""Reasons why a clause cannot be put into the passive, whatever its object."""

from __future__ import annotations

from itertools import pairwise

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import is_known
from litotes.languages.en.modals import CONTRACTED_WOULD, MODAL_STEMS, MODALS
from litotes.languages.en.negation import NEGATIVE_SUBJECTS, NO_ONE
from litotes.languages.en.nouns import MEASURE_NOUNS
from litotes.languages.en.pronouns import PLAIN_FORM_PRONOUNS, SPEAKERS
from litotes.languages.en.quantifiers import ANY_PERSON, ANY_WORDS, SOME_PERSON
from litotes.languages.en.valency import NO_PASSIVE_VERBS, PREPOSITIONAL_VERBS
from litotes.languages.en.verbs import CONTRACTED_BE, FINITE_DO, FORMS_OF_BE
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import refuse_if
from litotes.rewrites.en.grammar.noun_phrases import OBJECT_FORMS
from litotes.rewrites.en.voice.verbs import VerbChain, participle, verb_lemma

POLARITY_ITEMS = ANY_WORDS | {"anymore", "either", "ever", "much", "neither", "nor"}
"""Words that need a negation or a question."""
_SUBJECT_ADVERBS = word_set("so only both all each together alone either neither nor rather better merely")
_MODALS = MODALS | MODAL_STEMS | {"ought"}
_HESITATIONS = frozenset({"uh", "um", "uh-huh", "huh", "hm", "hmm"})
_OBJECT_DEPS = frozenset({"dobj", "dative", "ccomp", "xcomp", "prep"})
_WORDS_BEFORE_SUBJECT = FINITE_DO | {"n't", "n’t", "didn’t", "don’t"}
_REQUEST_SUBJECTS = SPEAKERS | ANY_PERSON | SOME_PERSON | {"you"}
_NEGATIVE_WORDS = NEGATIVE_SUBJECTS | NO_ONE | {"few", "hardly", "never"}
_BARE_INFINITIVE_VERBS = word_set("let make see hear watch help have notice feel")
_GERUND_SUBJECTS = word_list("gerund subjects")
_OBJECT_FORMS = frozenset(OBJECT_FORMS.values()) - {"her"}


def check_clause(chain: VerbChain) -> None:
    """Refuse clauses that cannot be put into the passive, whatever their object."""
    verb, subject, words = chain.verb, chain.subject, chain.words
    refuse_if(subject.dep_ == "nsubjpass" or any(word.dep_ == "auxpass" for word in words), "is-passive")
    lemma = verb_lemma(verb)
    if lemma in NO_PASSIVE_VERBS:
        refuse_if(lemma not in PREPOSITIONAL_VERBS and lemma not in {"leave", "lose"}, "no-passive")
    else:
        refuse_if(not is_known(lemma, "v"), "no-passive")
    refuse_if(not verb.has_child(*_OBJECT_DEPS), "no-object")
    # "has been being eaten"
    refuse_if(verb.tag_ == "VBG" and len(words) > 2 and words[-2].lower_ in {"be", "been"}, "tense")
    refuse_if(chain.is_inverted and chain.first.tag_ == "MD" and subject.lower_ in _REQUEST_SUBJECTS, "request")
    is_bare = chain.top.dep_ == "ccomp" and len(words) == 1 and verb.tag_ == "VBP"
    refuse_if(is_bare and verb_lemma(chain.top.head) in _BARE_INFINITIVE_VERBS, "not-finite")
    refuse_if(_is_misread_verb(chain), "unclear")
    refuse_if(subject.tag_ in {"WDT", "EX"}, "no-subject")
    refuse_if(_is_misread_subject(chain), "unclear")
    midfield = [token.lower_ for token in chain.midfield]
    refuse_if(not _SUBJECT_ADVERBS.isdisjoint(midfield), "adverb")
    # "No women ever …" would leave "ever" without its negation.
    first = subject.left_edge
    is_negative = subject.lower_ in _NEGATIVE_WORDS or first.lower_ in _NEGATIVE_WORDS
    refuse_if(is_negative and not POLARITY_ITEMS.isdisjoint(midfield), "polarity")
    refuse_if(_has_broken_midfield(chain) or _hesitates(chain), "unclear")
    is_partial = first.lower_ in {"not", "both", "either", "neither"} and first.lower_ != subject.lower_
    refuse_if(is_partial or first.previous_word in {"only", "not"}, "scope")


def _is_misread_verb(chain: VerbChain) -> bool:
    verb, words = chain.verb, chain.words
    if verb.text.isupper() or verb.lower_ in _MODALS or not _is_well_formed(words):
        return True
    if verb.tag_ == "VBZ" and chain.subject.tag_ == "PRP" and chain.subject.lower_ in PLAIN_FORM_PRONOUNS:
        return True
    if verb.tag_ == "VBG" and (len(words) == 1 or words[-2].lower_ not in FORMS_OF_BE):
        return True
    if chain.is_inverted:
        return not any(token.text == "?" for token in chain.top.doc[chain.top.i : chain.top.right_edge.i + 1])
    first = chain.subject.left_edge
    return bool(first.i) and first.nbor(-1).lower_ in {"how", "dare"}  # "How I miss you!", "How dare they …"


def _is_well_formed(words: tuple[Token, ...]) -> bool:
    """Whether each verb has the form that the verb before it requires; "is make" is not well-formed."""
    for word, following in pairwise(words):
        tag = following.tag_
        if word.lower_ in CONTRACTED_WOULD:
            if tag not in {"VB", "VBN", "VBD"}:
                return False
        elif word.tag_ == "MD" or word.lower_ in FINITE_DO | {"to", "na"}:
            if tag not in {"VB", "VBP"} and following.lower_ not in {"have", "be"}:
                return False
        elif word.lemma_ == "be" or word.lower_ in CONTRACTED_BE:
            if tag not in {"VBG", "VBN", "VBD"}:
                return False
        elif word.lemma_ == "have" and word.dep_ == "aux" and tag not in {"VBN", "VBD"}:
            return following.lower_ == participle(verb_lemma(following))  # "has … read"
    return True


def _is_misread_subject(chain: VerbChain) -> bool:
    subject = chain.subject
    if subject.i > chain.verb.i or _cannot_be_subject(subject) or _follows_verb(chain):
        return True
    if chain.verb.tag_ == "VBG" and subject.lemma_.lower() in _GERUND_SUBJECTS:  # "His hobby is playing the guitar"
        return True
    if subject.tag_ in {"WP", "WRB"} and not _is_question_subject(chain):
        return True
    return any(child.tag_ in {"WDT", "WP$"} for child in subject.lefts) or any(
        _is_misread_before(child, subject) for child in chain.top.lefts
    )


def _cannot_be_subject(subject: Token) -> bool:
    """Whether a token cannot be a subject: "me", "nice", "’ve", "10/10"."""
    if subject.is_verbal or subject.text[0] in "'’":
        return True
    if subject.tag_.startswith(("JJ", "RB", "UH")) and subject.left_edge.i == subject.i:
        return True
    return ("/" in subject.text and subject.text[0].isdigit()) or subject.lower_ in _OBJECT_FORMS


def _follows_verb(chain: VerbChain) -> bool:
    """Whether a verb right before the subject makes it an object: "Seeing this makes me happy"."""
    first = chain.subject.left_edge
    if first.i == 0 or chain.is_inverted or chain.top.dep_ == "ccomp":
        return False
    before = first.nbor(-1)
    return before.tag_ in {"VBG", "VB", "MD"} or before.lower_ in _WORDS_BEFORE_SUBJECT


def _is_misread_before(child: Token, subject: Token) -> bool:
    """Whether a token before the verb is attached to it in a way that is impossible in a clause."""
    if child.dep_ in {"dep", "nmod", "compound", "appos", "attr"}:
        return True
    if child.dep_ == "intj" and child.lower_ in {"boy", "man", "girl", "god"}:
        return True  # "Boy scouts know the place"
    return child.dep_ == "npadvmod" and child.i < subject.i and child.lemma_.lower() not in MEASURE_NOUNS


def _is_question_subject(chain: VerbChain) -> bool:
    """Whether the subject is the "who" or "what" of a question."""
    subject = chain.subject
    if subject.lower_ not in {"who", "what"} or chain.top.dep_ != "ROOT" or subject.right_edge.i != subject.i:
        return False
    return chain.first.tag_ != "MD" and chain.negation is None and chain.top.right_edge.text == "?"


def _has_broken_midfield(chain: VerbChain) -> bool:
    """Whether anything but adverbs precedes the verb, or a comma without a second one."""
    marks = [token.text for token in chain.midfield if token.is_punct]
    if len(marks) % 2 or any(mark != "," for mark in marks):
        return True
    own = {word.i for word in chain.words}
    return any(not _is_adverbial(token, own) for token in chain.midfield)


def _hesitates(chain: VerbChain) -> bool:
    """Whether the speaker hesitates in the clause: "down to the uh"."""
    clause = chain.top.doc.tokens[chain.subject.left_edge.i : chain.top.right_edge.i + 1]
    return has_word(clause, _HESITATIONS)


def _is_adverbial(token: Token, verbs: set[int]) -> bool:
    if token.is_punct or token.pos_ == "ADV" or token.dep_ in {"advmod", "neg", "npadvmod", "prep", "pobj", "intj"}:
        return True
    while token.head.i != token.i and token.head.i not in verbs:
        token = token.head
    return token.dep_ in {"advmod", "prep", "npadvmod"}
