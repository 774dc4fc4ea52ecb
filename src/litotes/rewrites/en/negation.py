"""The rule `negation`: negate the main clause, or remove its negation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.tags import RELATIVE_CLAUSE_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.verbs import APPEARANCE_VERBS, COMMON_STATE_VERBS
from litotes.languages.tree import Token, has_word
from litotes.rewrites.base import Draft, Outcome, Refusal, Sentence, Skip, refuse_if, require, rule
from litotes.rewrites.en.grammar.clauses import is_contrasted, is_subordinate, is_verb, main_verbs, spliced_clause
from litotes.rewrites.en.polarity.polarity_change import ContractionStyle, negative_items
from litotes.rewrites.en.polarity.polarity_items import scope, to_positive
from litotes.rewrites.en.polarity.remove import is_negative
from litotes.rewrites.en.polarity.special_clauses import is_imperative, is_linked_command
from litotes.rewrites.en.polarity.toggle import (
    POLARITY_SKIPS,
    Toggle,
    apply_toggle,
    toggle_clause,
    toggle_fragment,
    toggle_tag,
)
from litotes.rewrites.patches import replace

_FIXED_POLARITY = re.compile(
    r"\bso (?:do|does|did|am|is|are|was|were|have|has|can|will|would) (?:i|you|he|she|it|we|they)\b"
    r"|^\W*not (?:to mention|really\b)|^\W*how \w+ .*!\W*$"
    r"|\b(?:could|couldn't|can't|could not) care less\b",
    re.IGNORECASE,
)
"""Phrases without an opposite polarity: “And so do I”, “Not to mention …”, “How kind she is!”."""
_MISSING_APOSTROPHE = re.compile(
    r"\b(?=[ithswy])(?:"  # checking the first letter first is faster
    r"(?:im|ive|theres|thats|hes|shes|youre|theyre|whats|itll|youd|theyd)\b"
    r"|its (?:an?|the|not|so|just|very|really|all|been|too|like|\w+ing|\w+ly|(?:good|bad|great) (?:how|to|that))\b"
    r"|^its (?!own\b)\w+ (?:to|that|how)\b)",
    re.IGNORECASE,
)
_FIXED_POLARITY_PIECES = ("so ", "not ", "how ", "care less")
_MISSING_APOSTROPHE_PIECES = ("im", "ive", "eres", "hats", "hes", "oure", "eyre", "itll", "oud", "eyd", "its")
"""Every text that matches the pattern contains one of these; searching them first is faster."""
_THE_MORE = re.compile(r"\W*the (?:more|less|\w+er)\b[^,]*, (?:the )?(?:more|less|\w+er)\b", re.IGNORECASE)
_MAX_WORDS_OUTSIDE = 5
"""Words outside the sentence that is negated: enough for “Oh my God.”, not for a second statement."""
_MAX_TOKENS_OF_TWO_CLAUSES = 16
"""Two short sentences of which one is negated express one thought."""
_STATE_VERBS = COMMON_STATE_VERBS | {"believe", "trust", "live", "work", "enjoy", "admire"}
"""Verbs of lasting states: “I've always liked it” is idiomatic, “I've always seen it” is not."""
_COMPLEMENT_DEPS = frozenset({"ccomp", "xcomp", "acomp"})
_CLAUSE_DEPS = _COMPLEMENT_DEPS | RELATIVE_CLAUSE_DEPS | {"conj", "advcl", "attr", "dobj"}


@rule("negation", effect="opposite", needs=("parse", "inflection"), skips=POLARITY_SKIPS)
def negation(
    sentence: Sentence, *, contractions: ContractionStyle = "keep", always_never: bool = False
) -> Iterator[Outcome]:
    """Negate the main clause, or remove its negation."""
    _check_text(sentence)
    doc = sentence.doc
    verbs = main_verbs(sentence)
    starts_with_not = doc.tokens[0].lower_ == "not"
    refuse_if(starts_with_not and len(verbs) > 1, "several-sentences")
    if not verbs or starts_with_not:
        yield _draft(sentence, toggle_fragment(sentence, contractions=contractions))
        return
    verb = require(_clause_to_toggle(sentence, verbs), "several-sentences")
    main = verb_group(verb)
    refuse_if(is_contrasted(verb) or is_subordinate(verb) or is_linked_command(main), "coordination")
    if always_never:
        yield from _always_never(sentence, main)
    for group in _ranked_clauses(main):
        for toggle in toggle_clause(sentence, group, contractions=contractions):
            yield toggle if isinstance(toggle, Skip) else _draft(sentence, toggle)


def _check_text(sentence: Sentence) -> None:
    text = sentence.text
    lower = text.lower()
    if _may_contain(lower, _MISSING_APOSTROPHE_PIECES) and _MISSING_APOSTROPHE.search(text):
        raise Refusal("not-sure", "an apostrophe is missing, so that the verb is unknown")
    if _THE_MORE.match(text) or (_may_contain(lower, _FIXED_POLARITY_PIECES) and _FIXED_POLARITY.search(text)):
        raise Refusal("correlative")
    lowers = sentence.doc.lowers
    refuse_if("so" in lowers and _is_echoed(sentence.doc.tokens), "correlative")
    if ("n't" in lower or "n’t" in lower) and any(word.endswith(("n't", "n’t")) and len(word) > 3 for word in lowers):
        raise Refusal("not-sure", "the parser did not split a contraction")


def _is_echoed(tokens: list[Token]) -> bool:
    """Whether another clause says the same of somebody else: “…, and so did Mary”."""
    return any(
        so.lower_ == "so"
        and (verb.tag_ == "MD" or verb.lemma_ in {"do", "be", "have"})
        and subject.tag_ in {"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "DT"}
        and (so.i == 0 or tokens[so.i - 1].lower_ in {"and", ",", ";", ".", "-"})
        for so, verb, subject in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _may_contain(lower: str, pieces: tuple[str, ...]) -> bool:
    """Whether a lower-case text contains one of the pieces; True if it is not ASCII, where offsets may differ."""
    if not lower.isascii():
        return True
    for piece in pieces:  # noqa: SIM110  (faster than any())
        if piece in lower:
            return True
    return False


def _always_never(sentence: Sentence, main: VerbGroup) -> Iterator[Draft]:
    """Replace “always” and “never” by each other: they are further apart than “always” and “not always”."""
    for child in main.verb.children:
        if child.lower_ == "always":
            items = negative_items(main, child)
        elif child.lower_ == "never" and not _is_single_event(main, child):
            items = tuple(to_positive(scope(main.verb, child)))
        else:
            continue
        new = "never" if child.lower_ == "always" else "always"
        patches = (replace(child, cased_like(child.text, new)), *items, *toggle_tag(sentence, main))
        yield _draft(sentence, Toggle(patches, f"{child.lower_} → {new}"))


def _is_single_event(group: VerbGroup, never: Token) -> bool:
    """Whether “always” cannot replace “never”: “I've never been to Rome”, “Never mind”."""
    following = never.next_word
    if following in {"mind", "ever", "even", "once", "again", "before", "yet"}:
        return True
    if not any(
        auxiliary.lemma_ == "have" or auxiliary.lower_ in {"'ve", "’ve", "'s", "’s"} for auxiliary in group.auxiliaries
    ):
        return False
    been_to = group.is_copula and has_word(group.verb.rights, {"to"})
    return been_to or (group.verb.lemma_ not in _STATE_VERBS and not group.is_copula)


def _clause_to_toggle(sentence: Sentence, verbs: list[Token]) -> Token | None:
    """Return the verb of the clause whose negation negates the text: the only one, or the only negative one of two."""
    if len(verbs) == 1:
        if len(sentence.spans) > 1 and _words_outside(sentence, verbs[0]) > _MAX_WORDS_OUTSIDE:
            return None
        spliced = spliced_clause(verbs[0])
        if spliced is None:
            return verbs[0]
        verbs = [verbs[0], spliced]
    negative = [verb for verb in verbs if is_negative(verb_group(verb))]
    if _are_contrasted(sentence, verbs, negative) or any(is_imperative(verb_group(verb)) for verb in negative):
        return None  # “Don't worry. Be happy.”
    is_short = len(sentence) <= _MAX_TOKENS_OF_TWO_CLAUSES
    return negative[0] if is_short and len(verbs) == 2 and len(negative) == 1 else None


def _words_outside(sentence: Sentence, verb: Token) -> int:
    other_sentences = [span for span in sentence.spans if not span.start <= verb.i < span.end]
    return sum(token.is_alpha for span in other_sentences for token in span)


def _are_contrasted(sentence: Sentence, verbs: list[Token], negative: list[Token]) -> bool:
    """Whether “but” precedes the negative clause; without its negation “but” would make no sense."""
    if "but" not in sentence.doc.lowers or not negative:
        return False
    start = min(verb.i for verb in verbs)
    return has_word(sentence.doc.tokens[start : negative[0].i], {"but"})


def _ranked_clauses(main: VerbGroup) -> list[VerbGroup]:
    """Return the clauses, best first: the main clause unless its complement is negated (“I know it is not true”)."""
    if NOT_TOKENS.isdisjoint(main.verb.doc.lowers):
        return [main]
    complements = [verb_group(token) for token in _embedded_verbs(main.verb, _COMPLEMENT_DEPS)]
    embedded = [verb_group(token) for token in _embedded_verbs(main.verb, _CLAUSE_DEPS)]
    if main.verb.lemma_ in APPEARANCE_VERBS:
        complements += [verb_group(token) for token in _embedded_verbs(main.verb, frozenset({"advcl"}))]
    negated = [group for group in complements if group.negation is not None]
    if is_negative(main):
        negated = []
    other_negated = [group for group in embedded if group.negation is not None and group not in negated]
    return [*negated, main, *other_negated]


def _embedded_verbs(verb: Token, deps: frozenset[str]) -> list[Token]:
    verbs = []
    for child in verb.children:
        if child.dep_ in deps and child.idx < tag_start(verb.doc):
            verbs += [child] if is_verb(child) else []
            verbs += _embedded_verbs(child, deps)
    return verbs


def _draft(sentence: Sentence, toggle: Toggle) -> Draft:
    return Draft(apply_toggle(sentence, toggle), reason=toggle.reason)
