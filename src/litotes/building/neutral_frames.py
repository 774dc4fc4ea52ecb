"""Neutral frames: sentences in which “not” can be replaced by an opposite because the rest fits both polarities.

“The soup is not cold” and “The soup is hot” have about the same meaning. In “Although the soup is not cold, …”,
“not really cold”, “not cold enough”, “is no longer cold”, “cannot be cold”, “nobody is cold” and “Don't be cold” they
do not: the context fits only one polarity, or is in the scope of the negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.function_words import CONCESSIVE_CONJUNCTIONS, CONTRAST_WORDS, WHILE_CONJUNCTIONS
from litotes.languages.en.modals import MODALS, SEMI_MODALS
from litotes.languages.en.modifiers import (
    ALMOST,
    COMMON_FREQUENCY_ADVERBS,
    LIMITING_ADVERBS,
    MODERATE_DEGREE_ADVERBS,
    POLARITY_TIME_ADVERBS,
)
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.negation import HARDLY, NEGATIVE_SUBJECTS
from litotes.languages.en.quantifiers import (
    ANY_WORDS,
    COMPARATIVE_AMOUNTS,
    LARGE_AMOUNTS,
    SOME_WORDS,
    SUPERLATIVE_AMOUNTS,
    UNIVERSAL_DETERMINERS,
    UNIVERSAL_PRONOUNS,
)
from litotes.languages.en.syntax.question_tags import question_tag_of
from litotes.languages.en.syntax.tags import COMPARISON_TAGS, SUBJECT_DEPS
from litotes.languages.en.verbs import APPEARANCE_VERBS
from litotes.rewrites.base import WordChange
from litotes.rewrites.en.gates import text_fault
from litotes.rewrites.en.grammar.clauses import predicate_of
from litotes.rewrites.en.quadruple import Quadruple
from litotes.rewrites.patches import Patch, delete, patched, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.en.antonym import AntonymCandidate


def quadruples_without_not(sentence: Sentence, antonym: AntonymCandidate) -> Iterator[Quadruple]:
    """Yield the quadruple of a word that is negated by “never”, “hardly”, “no” or “without”, if it is."""
    cue, text = _cue(antonym.target.token), sentence.text
    if cue is None or "at all" in text:
        return
    opposite = patched(text, antonym.patches)
    polarity = patched(text, [_without_negation(cue, antonym.target.token.text)])
    both = patched(text, [_without_negation(cue, antonym.opposite.word), *antonym.patches])
    texts = (opposite, polarity, both)
    if len({text, *texts}) == 4 and not any(text_fault(text, rewritten) for rewritten in texts):
        yield Quadruple(text, *texts, WordChange(antonym.target.token.text, antonym.opposite.word))


def _cue(token: Token) -> Token | None:
    """Return the word that negates a token: next to its verb, before it, or before its noun."""
    verb = token.head
    for child in (*verb.children, *token.children):
        if child.lower_ == "never" or (child.lower_ in HARDLY and child.i < token.i):
            return child
    if token.dep_ == "amod" and verb.dep_ == "attr":
        return next((child for child in verb.lefts if child.lower_ == "no"), None)
    return verb if is_after_without(token) else None


def is_after_without(token: Token) -> bool:
    """Return whether a noun is the object of “without”."""
    return token.dep_ == "pobj" and token.head.lower_ == "without"


def _without_negation(cue: Token, word: str) -> Patch:
    """Return the patch that removes a negation before a word or replaces it by its opposite."""
    lower = cue.lower_
    if lower in HARDLY:
        return delete(cue)
    is_plural = cue.head.tag_ == "NNS"
    if lower == "no" and is_plural:
        return delete(cue)
    new = {"never": "always", "without": "with"}.get(lower) or indefinite_article(word)
    return replace(cue, cased_like(cue.text, new))


_STATIVE_VERBS = APPEARANCE_VERBS | {"be", "taste", "smell"}
"""Verbs of states, unlike “become”: soup that does not become cold may never have been hot."""
_REPORTING_VERBS = frozenset(
    """think believe know say hear guess find tell suppose notice remember see mean hope assume declare claim realize
    realise agree imagine understand learn admit feel suspect show""".split()
)
"""Verbs whose clause can be negated because they do not evaluate it."""
_SCOPE_WORDS = (
    LIMITING_ADVERBS
    | ALMOST
    | MODERATE_DEGREE_ADVERBS
    | COMMON_FREQUENCY_ADVERBS
    | (POLARITY_TIME_ADVERBS - {"ever"})
    | (COMPARATIVE_AMOUNTS - {"fewer"})
    | SUPERLATIVE_AMOUNTS
    | word_set(
        """
        really quite enough again even also too necessarily exactly entirely completely fully wholly totally
        particularly especially exclusively longer sometimes as solely mostly mainly largely partly both sadly luckily
        fortunately unfortunately surprisingly remarkably overly twice altogether easily way far half
        """
    )
)
"""Adverbs of degree, focus and time, which “not” negates instead of the word."""
_QUANTIFIERS = (
    ANY_WORDS
    | SOME_WORDS
    | UNIVERSAL_DETERMINERS
    | UNIVERSAL_PRONOUNS
    | LARGE_AMOUNTS
    | NEGATIVE_SUBJECTS
    | word_set("everywhere nowhere few several most half part parts")
)
_MODALS = (MODALS - {"will", "would"}) | SEMI_MODALS | {"ca"}
"""With modals the two negations differ: “cannot be true” says more than “can be false”."""
_BREAK = re.compile(r" [-–—] |[—;:()]")
"""Interruptions, which fit only one polarity."""
_VERY = frozenset("very so really extremely terribly awfully".split())
_NOT_GRADABLE = frozenset("free right wrong".split())
_GRADABLE_NEGATIVES = frozenset(
    """unhappy unpopular unpleasant unusual unfair unlikely unhealthy unlucky unkind unfriendly impolite impatient
    uncomfortable unreliable inconvenient inexpensive inexperienced unattractive unreasonable unrealistic dishonest
    dissatisfied inefficient ineffective unsafe unhelpful unwise""".split()
)
"""Words with un-, in- and dis- that can be modified by “very”."""
_PERSONAL_ADJECTIVES = frozenset({"ready"})
_CERTAINTY_ADJECTIVES = frozenset("sure unsure certain uncertain clear unclear aware unaware".split())
_TIME_CONJUNCTIONS = WHILE_CONJUNCTIONS | {"after", "before"}
"""They introduce times, which fit both polarities."""
_CONNECTIVES = (
    CONTRAST_WORDS | CONCESSIVE_CONJUNCTIONS | word_set("nor because unless if despite without unlike except instead")
)


def fits_frame(sentence: Sentence, antonym: AntonymCandidate) -> bool:
    """Return whether the context of a word fits both the word and its opposite, negated or not."""
    token = antonym.target.token
    verb = predicate_of(token)
    if _BREAK.search(sentence.text) or _degree_is_odd(antonym):
        return False
    if is_after_without(token):
        context = [other for other in _before_tag(sentence) if other.i != token.head.i]
        is_usable = not is_loose(antonym.target.lemma, antonym.opposite.word)
        return is_usable and not any(_depends_on_polarity(other) for other in context)
    if verb is None or token.tag_ in COMPARISON_TAGS:
        return False
    return (
        not is_loose(antonym.target.lemma, antonym.opposite.word)
        and _is_plain_clause(verb, sentence)
        and _is_plain_predicate(token, verb, antonym.target.pos)
        and not any(_is_in_scope(one) for one in _around(verb) if one.i != token.i)
        and not any(_depends_on_polarity(other) for other in _before_tag(sentence))
    )


def _before_tag(sentence: Sentence) -> list[Token]:
    tag = question_tag_of(sentence.doc)
    return [token for token in sentence.doc if tag is None or token.idx < tag.start]


def _is_in_scope(token: Token) -> bool:
    """Return whether “not” negates an adverb instead of the word: “not so bad that …” is less than “not bad”."""
    if token.lower_ in {"so", "that", "this"}:
        return token.dep_ == "advmod" and not _is_plain_not_so(token)
    return token.lower_ in _SCOPE_WORDS and token.dep_ != "pobj"  # “in a bad way”


def _is_plain_not_so(token: Token) -> bool:
    """Return whether a token is the “so” of “is not so bad” without a clause that depends on it."""
    verb = token.head.head
    is_negated = any(child.dep_ == "neg" for child in verb.children) and verb.lemma_ == "be" and verb.dep_ == "ROOT"
    return is_negated and not any(child.dep_ in {"ccomp", "advcl", "xcomp", "prep"} for child in token.head.rights)


def _depends_on_polarity(token: Token) -> bool:
    """Return whether a token links the clause to context that fits one polarity, or quantifies over it."""
    lower = token.lower_
    if lower in _QUANTIFIERS:
        at_all = lower == "all" and token.i > 0 and token.doc[token.i - 1].lower_ in {"at", "after"}
        no_easy_task = lower == "no" and token.head.dep_ == "attr"
        return not (at_all or no_easy_task or token.dep_ == "intj")
    if lower in _CONNECTIVES and token.i:
        return lower != "so" or token.dep_ != "advmod" or token.head.pos_ not in {"ADJ", "ADV"}
    if token.dep_ == "advcl":
        return not any(child.lower_ in _TIME_CONJUNCTIONS for child in token.lefts) or _is_indirect_question(token)
    if token.dep_ == "parataxis":  # “I know it is not true”, “You know, …”
        return token.lemma_ not in _REPORTING_VERBS or token.i > token.head.i or token.head.dep_ != "ROOT"
    return token.dep_ == "conj" and token.pos_ in {"VERB", "AUX"}


def _is_plain_clause(verb: Token, sentence: Sentence) -> bool:
    """Return whether a verb heads the main clause or a reported one, with a subject and without a modal."""
    tag = question_tag_of(sentence.doc)
    has_subject = any(child.dep_ in SUBJECT_DEPS for child in verb.children)
    if verb.dep_ == "xcomp" and verb.head.lemma_ in {"seem", "appear", "go"}:  # “is not going to be easy”
        return _is_plain_clause(verb.head, sentence)
    if not has_subject or any(child.lower_ in _MODALS for child in verb.lefts):
        return False
    if verb.dep_ == "ROOT" or (
        tag is not None and verb.head.idx >= tag.start
    ):  # the parser may take the tag for the main clause
        return True
    above = verb.head
    is_reported = verb.dep_ == "ccomp" and above.lemma_ in _REPORTING_VERBS and above.dep_ == "ROOT"
    # “I cannot believe that …”, but “I don't think that …” and “You can tell that …”
    is_negated = any(child.dep_ == "neg" for child in above.lefts)
    return is_reported and not (is_negated and any(child.lower_ in _MODALS for child in above.lefts))


def _is_plain_predicate(token: Token, verb: Token, pos: str) -> bool:
    if pos != "a":
        return token.i == verb.i or (pos == "r" and token.head.i == verb.i and token.i > verb.i)
    if token.lower_ in {"enough", "sufficient", "insufficient"} and token.dep_ == "amod":
        return token.head.head.i == verb.i and verb.lemma_ == "have" and token.head.dep_ == "dobj"
    if token.lower_ in _CERTAINTY_ADJECTIVES and any(
        child.dep_ in {"ccomp", "advcl", "xcomp", "pcomp"} for child in token.rights
    ):
        return False
    if token.lower_ in _PERSONAL_ADJECTIVES and not _has_personal_subject(verb):
        return False
    if verb.lemma_ not in _STATIVE_VERBS or (token.lower_ in {"able", "unable"} and verb.tag_ in {"VB", "VBN"}):
        return False
    if token.dep_ == "amod":
        noun = token.head
        if noun.dep_ == "pobj":  # “in a good mood”
            return noun.head.head.i == verb.i and noun.head.lower_ != "with"
        return noun.dep_ == "attr" and noun.head.i == verb.i
    return token.head.i == verb.i and token.dep_ in {"acomp", "attr", "oprd"}


def _is_indirect_question(clause: Token) -> bool:
    """Return whether a time clause is an indirect question: “sure when he left”."""
    first = clause.subtree[0].i
    return first > 0 and clause.doc[first - 1].lower_ in _CERTAINTY_ADJECTIVES


def _has_personal_subject(verb: Token) -> bool:
    subjects = [child for child in verb.children if child.dep_ in SUBJECT_DEPS]
    return bool(subjects) and all(
        subject.pos_ == "PROPN" or (subject.tag_ == "PRP" and subject.lower_ != "it") for subject in subjects
    )


def _degree_is_odd(antonym: AntonymCandidate) -> bool:
    """Return whether “very” modifies a word that is not gradable: “very unsurprised”, “very free”."""
    words = {antonym.target.lemma, antonym.opposite.word}
    if not any(child.lower_ in _VERY for child in antonym.target.token.lefts):
        return False
    return bool(words & _NOT_GRADABLE) or (antonym.opposite.affixal and not words & _GRADABLE_NEGATIVES)


def _around(verb: Token) -> list[Token]:
    """Return the words of a clause without those of embedded clauses."""
    words: list[Token] = []
    for child in verb.children:
        if child.dep_ not in {"ccomp", "advcl", "xcomp", "conj"}:
            words += [token for token in child.subtree if token.dep_ not in {"det", "nsubj", "mark"}]
    return words


def is_loose(word: str, opposite: str) -> bool:
    """Return whether a pair is listed as one with a large middle ground or a narrow use.

    >>> is_loose("huge", "tiny"), is_loose("open", "closed"), is_loose("good", "evil"), is_loose("evil", "good")
    (True, False, True, False)
    """
    lines = _lines()
    return not lines.isdisjoint({word, opposite, f"{word}/{opposite}", f"{opposite}/{word}", f"{word}>{opposite}"})


@lru_cache(maxsize=1)
def _lines() -> frozenset[str]:
    lines = (files("litotes.building") / "data" / "loose_pairs.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
