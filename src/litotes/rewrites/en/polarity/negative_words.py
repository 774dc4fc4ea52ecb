"""Negative words that are removed or replaced by positive ones: no, nothing, nobody, a “not” without a verb."""

from __future__ import annotations

from litotes.languages.base import capitalised, word_set
from litotes.languages.en.function_words import UNTIL_CONJUNCTIONS
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import without_not
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.nouns import MASS_NOUNS
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.en.verbs import FINITE_DO
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Refusal, refuse_if
from litotes.rewrites.en.polarity.polarity_change import PolarityChange
from litotes.rewrites.en.polarity.polarity_items import delete_at_all
from litotes.rewrites.patches import Patch, delete, replace, replace_span

_DEFINITE_BEFORE_TIME = word_set("the this that his her my their")
_CORRECTIONS = frozenset({"only", "just", "merely", "rather"})
_CORRELATIVES = UNTIL_CONJUNCTIONS | {"nor", "neither"}
_CORRELATIVES_OR_CORRECTIONS = _CORRELATIVES | _CORRECTIONS
_ONLY_NEGATED = frozenset({"seem"})
"""Verbs with “can't” only: “I can't seem to find it”."""
_PERIODS = word_list("periods")


def depends_on_not(negation: Token) -> bool:
    """Whether a later word depends on the negation: “until”, “nor”, “neither did …”, “…, only four”."""
    tokens = negation.doc.tokens
    return not _CORRELATIVES_OR_CORRECTIONS.isdisjoint(negation.doc.lowers) and any(
        token.lower_ in _CORRELATIVES or (token.lower_ in _CORRECTIONS and tokens[token.i - 1].lower_ in {",", "but"})
        for token in tokens[negation.i + 1 :]
    )


def is_set_phrase(group: VerbGroup) -> bool:
    """Whether “not” changes the sense of the verb: “I can't wait”, “I can't help it”, “it can't possibly be”."""
    if group.first.lower_ not in {"ca", "can", "could"}:
        return False
    if group.verb.lemma_ in _ONLY_NEGATED or has_word(group.verb.lefts, {"possibly"}):
        return True
    if group.verb.lemma_ not in {"wait", "help"}:
        return False
    following = group.verb.next
    if following is None or following.is_punct or following.lower_ in {"to", "for", "until", "till", "but", "it"}:
        return True
    return following.tag_ == "VBG"


def is_corrected(group: VerbGroup, tokens_in_scope: list[Token]) -> bool:
    """Whether “but” introduces a correction: “not good but bad”, “does not walk but runs”."""
    if "but" not in group.verb.doc.lowers:
        return False
    return _has_contrasting_verb(group.verb) or any(
        token.lower_ == "but" and token.dep_ == "cc" and token.head.i != group.verb.i and token.head.dep_ != "ROOT"
        for token in tokens_in_scope
    )


def _has_contrasting_verb(verb: Token) -> bool:
    """Whether “but” adds another predicate with the same subject."""
    if not any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return False
    return any(
        child.dep_ == "conj" and not any(left.dep_ in SUBJECT_DEPS for left in child.lefts) for child in verb.rights
    )


def is_of_absence(group: VerbGroup) -> bool:
    """Whether the clause gives the duration of an absence: “I haven't seen him for years”, “in ages”."""
    if group.first.lower_ not in {"have", "has", "had", "'ve", "’ve", "'s", "’s", "'d", "’d"} or not group.auxiliaries:
        return False
    return any(
        child.lower_ in {"for", "in"}
        and any(noun.lower_ in _PERIODS and _is_duration(noun, child) for noun in child.rights)
        for child in group.verb.rights
    )


def _is_duration(time: Token, preposition: Token) -> bool:
    """Whether a time is a duration: “for two years”, “in a long time”, not “in time” or “for the first time”."""
    if has_word(time.lefts, _DEFINITE_BEFORE_TIME):
        return False
    return preposition.lower_ == "for" or time.tag_ == "NNS" or has_word(time.lefts, {"a"})


POSITIVE_WORDS = {"nobody": "somebody", "nothing": "something", "nowhere": "somewhere", "none": "some"}
"""Negative pronoun → its positive counterpart."""
_MASS_AFTER_NO = word_set("damage experience hope love pain paper room sense space time truth")
"""Nouns that are countable elsewhere (“a bad time”), but not after “no”."""
_NO_IDIOMS = word_set("doubt matter wonder way means longer more less need use good problem point thanks end")
"""Words that form a set phrase with “no”."""
_DENIED_AFTER_THERE = frozenset({"problem", "need"})
"""Nouns of answers (“No problem.”) that are denied after “there is”."""
FOCUSED_BY_NOT = frozenset({"only", "because", "until", "unless", "merely", "but"})


def remove_negative_word(token: Token) -> PolarityChange | None:
    """Remove a negative word or replace it by a positive one; None if the word is not negative."""
    lower = token.lower_
    if lower == "no" and token.dep_ == "det":
        return _replace_no(token)
    if lower == "no" and token.next is not None and token.next.pos_ in {"ADJ", "ADV"}:
        is_different = token.nbor().lower_ == "different"
        refuse_if(not is_different, "set-phrase")
        return PolarityChange((delete_words(token, token),), "without no")
    if lower == "nothing" and any(child.tag_ in {"JJR", "RBR"} for child in token.head.children):
        raise Refusal("set-phrase", "“nothing is better” says more than its words")
    refuse_if(lower in POSITIVE_WORDS and token.next_word in {"but", "except"}, "correlative")  # “nothing but”
    if lower in POSITIVE_WORDS:
        return PolarityChange((replace(token, cased_like(token.text, POSITIVE_WORDS[lower])),), f"without {lower}")
    if lower in NOT_TOKENS:
        # Remove a “not” that the parser attached to a word and not to the verb: “something not right”, “to not go”
        refuse_if(token.previous_word in {"but", "or", ",", "-", "–", "—"}, "correlative")
        refuse_if(token.next_word in FOCUSED_BY_NOT, "focus")
        if token.lower_ == "not":
            at_all = delete_at_all(token)
            deletion = delete_words(token, token)
            return PolarityChange((deletion,) if at_all is None else (deletion, at_all), "without not")
        before = token.nbor(-1)
        refuse_if(before.lower_ in FINITE_DO | {"ai"}, "not-sure")
        return PolarityChange((Patch(before.idx, token.end, without_not(before)),), "without n't")
    if lower == "one" and token.previous_word == "no" and token.dep_ in {"nsubj", "nsubjpass", "dobj"}:
        first = token.nbor(-1)
        return PolarityChange((replace_span(first, token, cased_like(first.text, "someone")),), "without no one")
    return None


def _replace_no(no: Token) -> PolarityChange:
    noun = no.head
    refuse_if(depends_on_not(no), "correlative")
    refuse_if(not no.whitespace_ and no.next is not None and no.next.text == "-", "set-phrase")  # no-nonsense
    if noun.lower_ == "one" and noun.i == no.i + 1:
        return PolarityChange((replace_span(no, noun, cased_like(no.text, "someone")),), "without no one")
    if noun.lower_ in _DENIED_AFTER_THERE and _is_after_there(noun):
        return PolarityChange((replace(no, cased_like(no.text, "a")),), "no → a")
    refuse_if(noun.lower_ in _NO_IDIOMS or (no.next_word in _NO_IDIOMS), "set-phrase")
    if noun.tag_ in {"NNS", "NNPS"} or noun.lower_ in MASS_NOUNS or noun.lower_ in _MASS_AFTER_NO:
        new = "some"
    elif noun.tag_ == "NN":
        new = indefinite_article(no.doc.text[no.end :].lstrip())
    else:
        raise Refusal("not-sure", f"“no {noun.text}” is not a simple noun phrase")
    return PolarityChange((replace(no, cased_like(no.text, new)),), f"no → {new}")


def _is_after_there(noun: Token) -> bool:
    """Whether a noun follows “there is”."""
    be = noun.head
    return noun.dep_ == "attr" and be.lemma_ == "be" and any(child.dep_ == "expl" for child in be.lefts)


def delete_words(first: Token, last: Token) -> Patch:
    """Return the patch that deletes tokens; the next word gets the capital if they had it."""
    patch = delete(first, last)
    text = first.doc.text
    if first.text[:1].isupper() and not first.is_upper and patch.end < len(text):
        following = text[patch.end :]
        return patch._replace(end=patch.end + 1, new=capitalised(following[0]))
    return patch
