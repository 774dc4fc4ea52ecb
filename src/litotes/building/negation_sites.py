"""Negation at a word of a sentence: where a verb or adjective can be negated, and its negation.

`negation_site` finds the verb whose clause is negated; `negated_word` puts “not” before the word, as in HEROS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from litotes.building.pipeline.generate import first_edits
from litotes.languages.en.function_words import UNTIL_CONJUNCTIONS
from litotes.languages.en.modifiers import ADVERBS_BEFORE_NOT, ATTRIBUTIVE_DEGREES_AFTER_NOT, DEGREES_AFTER_NOT
from litotes.languages.en.negation import NEGATIVE_SUBJECTS
from litotes.languages.en.pronouns import ARTICLES, POSSESSIVE_DETERMINERS
from litotes.languages.en.syntax.verb_groups import is_be, verb_group
from litotes.languages.en.verbs import APPEARANCE_VERBS, HEDGING_VERBS
from litotes.languages.tree import Token
from litotes.rewrites.base import Sentence
from litotes.rewrites.en.grammar.clauses import is_verb, predicate_of
from litotes.rewrites.en.polarity.polarity_items import scope, to_negative
from litotes.rewrites.en.polarity.remove import is_negative
from litotes.rewrites.en.polarity.special_clauses import negate_quantified_subject
from litotes.rewrites.patches import insert_before, patched
from litotes.suites.lexical_overlap import common_prefix

_CLAUSES = frozenset({"ccomp", "relcl", "advcl", "conj", "parataxis"})
_INFINITIVES = frozenset({"xcomp", "advcl", "acl", "relcl", "ccomp"})
_COMPLEMENTS = frozenset({"acomp", "oprd"})
_SEMI_AUXILIARIES = frozenset({"go", "have", "need", "want", "tend"})
_NEEDS = frozenset({"have", "need"})
"""Verbs whose infinitive cannot be negated on its own: “has not to start” is not English."""
_OPINION_VERBS = frozenset("make find consider think call keep".split())
_COMPARING_VERBS = (APPEARANCE_VERBS - {"appear"}) | {"be"}
_OBJECTS = frozenset({"attr", "dobj"})
_JUDGING_VERBS = frozenset("find consider think believe deem".split())
"""Verbs with an adjective that takes “not”: “I find it not useful”, but hardly “It makes me not happy”."""
_LINKING_VERBS = frozenset({"appear", "remain", "seem"})
"""Verbs other than “be” with an adjective that takes “not”: “It seems not fair”, but hardly “It looks not fair”."""
_TIME_LIMITS = UNTIL_CONJUNCTIONS | {"before", "once", "since"}
"""Conjunctions of clauses that are rarely negated: “before the summer does not start”."""
_NOT_NEGATED = HEDGING_VERBS | {"wish"}
"""Verbs that are rarely negated: “I guess …”."""
_EITHER = re.compile(r"\b(?:either|neither)\b.*\bn?or\b", re.IGNORECASE)
_NT = re.compile(r"n['’]t\b")
_BRACKETS = re.compile(r"\([^()]*\)")
MAX_EDITS = 3
"""Edits of a rule that are checked for a suitable one."""


class NegationSite(NamedTuple):
    """The verb that has to be negated to negate a word, or the place of “not” before the word."""

    predicate: Token
    rank: int
    """How natural the negation is: 0 in the main clause, 1 in another, 2 at an infinitive; plus 1 if attributive."""
    before: Token | None = None
    """The token before which “not” is put; None if the clause of the verb is negated."""


def negation_site(token: Token, pos: str) -> NegationSite | None:
    """Return where a verb (v) or adjective (a) can be negated; None where “not” would negate something else.

    An adjective must be in the predicate: in a subject or after a preposition it cannot be negated naturally.
    """
    verb = token if pos == "v" else _predicate(token)
    # “angry at him”, “thin as a rail”: the words form a unit
    has_complement = pos == "a" and token.i + 1 < len(token.doc) and _has_complement(token, token.nbor())
    if verb is None or not is_verb(verb) or has_complement:
        return None
    group = verb_group(verb)
    attributive = token.dep_ == "amod"
    if group.is_finite or (verb.tag_ == "VB" and verb.dep_ == "ROOT"):
        if verb.dep_ == "ROOT":
            return NegationSite(verb, attributive)
        return NegationSite(verb, 1 + attributive) if verb.dep_ in _CLAUSES else None
    if verb.dep_ == "xcomp" and verb.head.lemma_ in _SEMI_AUXILIARIES and verb.head.i < verb.i:
        above = negation_site(verb.head, "v")  # “is not going to start”, “does not have to start”
        return above and above._replace(rank=above.rank + attributive)
    if verb_group(verb.head).negation is not None or verb.head.lower_ in NEGATIVE_SUBJECTS | {"able", "about"}:
        return None  # “does not try not to …”, “able not to …”
    is_infinitive = verb.tag_ == "VB" and any(auxiliary.lower_ == "to" for auxiliary in group.auxiliaries)
    return NegationSite(verb, 2 + attributive) if is_infinitive and verb.dep_ in _INFINITIVES else None


def negated_at(sentence: Sentence, verb: Token, negations: Iterable[str]) -> str | None:
    """Return the first of several negations of a sentence that negates this verb."""
    return next((text for text in negations if _is_at(sentence, verb, text)), None)


def _has_complement(adjective: Token, following: Token) -> bool:
    is_comparison = any(child.lower_ == "as" for child in adjective.lefts)
    return following.lower_ == "at" or (following.lower_ == "as" and not is_comparison)


def _predicate(adjective: Token) -> Token | None:
    """Return the verb of the predicate that contains an adjective."""
    if adjective.dep_ in _COMPLEMENTS:
        # “how absurd it is” cannot be negated
        return adjective.head if adjective.i > adjective.head.i else None
    noun = adjective.head
    # “It makes me happy.”
    if adjective.dep_ == "ccomp" and noun.lemma_ in _OPINION_VERBS and noun.i < adjective.i and not is_verb(adjective):
        return noun
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ in _OBJECTS and noun.head.i < adjective.i:
        return noun.head
    # “It sounds like a good plan.”
    if adjective.dep_ == "amod" and adjective.i < noun.i and noun.dep_ == "pobj" and noun.head.lower_ == "like":
        verb = noun.head.head
        return verb if verb.lemma_ in _COMPARING_VERBS and noun.head.i == verb.i + 1 else None
    return None


def _is_at(sentence: Sentence, verb: Token, edited: str) -> bool:
    """Return whether an edit is at a verb: at its auxiliaries, adverbs, or the article of its object."""
    text = sentence.text
    same = common_prefix(text, edited)
    changed = next((token for token in sentence.doc if token.idx + len(token.text) > same), None)
    if changed is None or _changes_another(sentence, verb, edited, same):
        return False
    first = verb_group(verb).first
    if changed.i < first.i:
        before = sentence.doc[changed.i : first.i]
        return changed.lower_ in NEGATIVE_SUBJECTS or all(
            token.dep_ == "advmod" and token.head.i == verb.i for token in before
        )
    if changed.i <= verb.i + 1:
        # “They have not good friends” is archaic.
        is_archaic = changed.i > verb.i and not is_be(verb) and edited.startswith("not ", same)
        return not is_archaic
    if changed.head.i == verb.i:
        between = sentence.doc[verb.i + 1 : changed.i]
        return not is_verb(changed) and all(token.dep_ in {"advmod", "neg", "det"} for token in between)
    return changed.dep_ in {"det", "advmod"} and changed.head.head.i == verb.i and changed.head.dep_ in _OBJECTS


def _changes_another(sentence: Sentence, verb: Token, edited: str, same: int) -> bool:
    """Return whether an edit changes a later verb as well."""
    text = sentence.text
    end = common_prefix(text[same:][::-1], edited[same:][::-1])
    changed = (
        token
        for token in sentence.doc
        if token.i > verb.i and same <= token.idx and token.idx + len(token.text) <= len(text) - end
    )
    return any(is_verb(token) for token in changed)


def word_site(token: Token, pos: str) -> NegationSite | None:
    """Return where “not” negates a verb (v) or adjective (a) itself, as in section 2.2.6 of the HEROS paper.

    “not” is put before an adjective, or before the noun phrase after “be” that contains it; a verb gets an auxiliary
    and “not”. None if the result would not be English: “a not safe road”, “looks not safe”, “would be not safe”.
    """
    clause = predicate_of(token)
    if clause is None or any(child.dep_ == "mark" and child.lower_ in _TIME_LIMITS for child in clause.lefts):
        return None
    if pos == "v":
        return _site_of_verb(token)
    if token.dep_ == "conj":
        return _site_of_conjunct(token)
    verb = _predicate(token)
    if token.dep_ == "amod" and (verb is None or not is_be(verb)):
        return _site_in_noun_phrase(token)
    site = negation_site(token, pos)
    if verb is None or site is None or is_negative(verb_group(verb)):
        return site  # a negation is removed
    before = _start_of_adjective(token) if token.dep_ != "amod" else _start_of_noun_phrase(token)
    has_conjunct = any(child.dep_ == "conj" for child in token.children)
    if before is None or has_conjunct or not (_takes_not(verb, token) and _can_follow(before, verb)):
        return None
    return site._replace(before=before)


def main_negation(sentence: Sentence) -> str | None:
    """Return the sentence with the negation of its main verb added or removed."""
    root = sentence.roots[0]
    if _EITHER.search(sentence.text):
        return None
    negated = negated_at(sentence, root, _texts("negation", sentence))
    if (
        negated is None
        and root.lemma_ not in _NOT_NEGATED
        and sum(token.lower_ == root.lower_ for token in sentence.doc) == 1
    ):
        negated = negated_at(sentence, root, _texts("negation_at", sentence, word=root.text))
    return negated


def negated_word(sentence: Sentence, word: Token, site: NegationSite, main: str) -> str | None:
    """Return the sentence with the word negated; `main` is the negation of its main verb."""
    before = site.before
    if before is None:
        negated = negated_at(sentence, site.predicate, _texts("negation_at", sentence, word=word.text))
        # “is not going to start” negates the verb above
        return main if negated is None and negated_at(sentence, site.predicate, [main]) else negated
    negated = patched(sentence.text, [insert_before(before, "not"), *to_negative(scope(site.predicate, before))])
    return main if _NT.sub(" not", main) == negated else negated


def _site_of_verb(verb: Token) -> NegationSite | None:
    site = negation_site(verb, "v")
    if site is None or site.predicate.i == verb.i or verb.head.lemma_ == "go":
        return site
    # “They tend not to stay”, but hardly “They need not to stay”
    is_negatable = verb.head.lemma_ not in _NEEDS and not is_negative(verb_group(verb.head))
    return NegationSite(verb, 2) if is_negatable else None


def _site_of_conjunct(adjective: Token) -> NegationSite | None:
    """Return the site of “The room is warm but not dry.”"""
    first, start = adjective.head, _start_of_adjective(adjective)
    verb = _predicate(first)
    if verb is None or start is None or first.dep_ == "amod" or start.previous_word not in {"and", "but"}:
        return None
    site = negation_site(first, "a")
    is_last = not any(child.dep_ == "conj" for child in adjective.children)
    if site is None or not is_last or is_negative(verb_group(verb)) or not verb_group(verb).is_finite:
        return None
    return site._replace(rank=site.rank + 1, before=start)


def _site_in_noun_phrase(adjective: Token) -> NegationSite | None:
    """Return the site of “She gave a not very clear answer.”"""
    start, verb = _start_of_adjective(adjective), predicate_of(adjective)
    if start is None or verb is None or start.lower_ not in ATTRIBUTIVE_DEGREES_AFTER_NOT:
        return None
    has_article = start.previous_word in ARTICLES
    return NegationSite(verb, 3, start) if has_article and adjective.nbor().i == adjective.head.i else None


def _start_of_adjective(adjective: Token) -> Token | None:
    """Return the adjective or the first of the adverbs of degree before it that “not” can precede."""
    start, tokens = adjective, adjective.doc.tokens
    while start.i:
        before = tokens[start.i - 1]
        if before.lower_ in DEGREES_AFTER_NOT:
            start = before
        elif before.pos_ != "ADV" or before.lower_ in ADVERBS_BEFORE_NOT:
            break
        else:
            return None
    return start


def _start_of_noun_phrase(adjective: Token) -> Token | None:
    """Return the first token of the noun phrase after “be” that contains an adjective: “is a good idea”."""
    start, adjective_start = adjective.head.left_edge, _start_of_adjective(adjective)
    if adjective_start is None:
        return None
    has_determiner = start.lower_ in ARTICLES | POSSESSIVE_DETERMINERS and start.i == adjective_start.i - 1
    return start if has_determiner or start.i == adjective_start.i else None


def _takes_not(verb: Token, adjective: Token) -> bool:
    """Return whether an adjective in the predicate of this verb can be negated on its own."""
    group = verb_group(verb)
    if not group.is_finite or negate_quantified_subject(group) is not None:
        return False
    if is_be(verb):
        is_existential = group.subject is not None and group.subject.dep_ == "expl"
        return not (group.auxiliaries or group.is_inverted or is_existential)
    if adjective.dep_ in {"ccomp", "oprd"}:
        return verb.lemma_ in _JUDGING_VERBS
    return verb.lemma_ in _LINKING_VERBS


def _can_follow(start: Token, verb: Token) -> bool:
    """Return whether “not” can be put before a phrase that is separated from the verb: “is (or was) not illegal”."""
    if verb.lemma_ in _JUDGING_VERBS:
        return True
    between = _BRACKETS.sub(" ", verb.doc.text[verb.end : start.idx])
    return all(word.lower() in ADVERBS_BEFORE_NOT for word in between.split())


def _texts(rule: str, sentence: Sentence, **options: str) -> list[str]:
    return [edit.text for edit in first_edits(rule, sentence, MAX_EDITS, **options)]
