"""`negation`: the main clause turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.syntax.question_tags import tag_start
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.rewrites.base import Draft, Outcome, Sentence, Skip, rule
from litotes.rewrites.en.grammar.clauses import is_contrasted, is_subordinate, is_verb, main_verbs, spliced_clause
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.fragments import toggle_fragment
from litotes.rewrites.en.polarity.polarity_change import negative_items
from litotes.rewrites.en.polarity.polarity_items import scope, to_positive
from litotes.rewrites.en.polarity.remove import is_negative
from litotes.rewrites.en.polarity.sentence_types import is_imperative, is_linked_command
from litotes.rewrites.en.polarity.toggle import POLARITY_SKIPS, Toggle, apply_toggle, toggle_clause, toggle_tag
from litotes.rewrites.patches import replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_ECHO = re.compile(
    r"\bso (?:do|does|did|am|is|are|was|were|have|has|can|will|would) (?:i|you|he|she|it|we|they)\b"
    r"|^\W*not (?:to mention|really\b)|^\W*how \w+ .*!\W*$"
    r"|\b(?:could|couldn't|can't|could not) care less\b",
    re.IGNORECASE,
)
"""“And so do I”, “Not to mention …”, “How kind she is!”: said in words that have no other polarity."""
_MISSING = re.compile(
    r"\b(?=[ithswy])(?:"  # a look at the first letter spares the others at most places
    r"(?:im|ive|theres|thats|hes|shes|youre|theyre|whats|itll|youd|theyd)\b"
    r"|its (?:an?|the|not|so|just|very|really|all|been|too|like|\w+ing|\w+ly|(?:good|bad|great) (?:how|to|that))\b"
    r"|^its (?!own\b)\w+ (?:to|that|how)\b)",
    re.IGNORECASE,
)
_OF_ECHO = ("so ", "not ", "how ", "care less")
_OF_MISSING = ("im", "ive", "eres", "hats", "hes", "oure", "eyre", "itll", "oud", "eyd", "its")
"""Of which one is in every text that the pattern finds: quicker looked for, and mostly not there."""
_THE_MORE = re.compile(r"\W*the (?:more|less|\w+er)\b[^,]*, (?:the )?(?:more|less|\w+er)\b", re.IGNORECASE)
_CHATTER = 5
"""Words outside of the sentence that is turned round: “Oh my God.” may stand beside it, a second thought may not."""
_SHORT = 16
"""Tokens: two short sentences of which one is negated make one thought."""
_SEEMING = frozenset("sound look seem feel appear".split())
_LASTING = frozenset("like love hate know want believe trust think feel live work need enjoy hope admire".split())
"""Verbs of what lasts: “I've always liked it” is said, “I've always seen it” is not."""
_COMPLEMENTS = frozenset({"ccomp", "xcomp", "acomp"})
_ANY = frozenset({"ccomp", "xcomp", "conj", "advcl", "acl", "relcl", "attr", "dobj", "acomp"})


@rule("negation", effect="opposite", needs=("parse", "inflection"), skips=POLARITY_SKIPS)
def negation(
    sentence: Sentence, *, contractions: ContractionStyle = "keep", always_never: bool = False
) -> Iterator[Outcome]:
    """Negate the main verb, or take its negation away where it has one."""
    doubt = _doubt(sentence)
    if doubt is not None:
        yield doubt
        return
    doc = sentence.doc
    heads = main_verbs(sentence)
    opens_with_not = doc.tokens[0].lower_ == "not"
    if opens_with_not and len(heads) > 1:
        yield Skip("several-sentences")
        return
    if not heads or opens_with_not:
        for toggle in toggle_fragment(sentence, contractions=contractions):
            yield toggle if isinstance(toggle, Skip) else _draft(sentence, toggle)
        return
    head = _to_be_turned(sentence, heads)
    if head is None:
        yield Skip("several-sentences")
        return
    main = verb_group(head)
    if is_contrasted(head) or is_subordinate(head) or is_linked_command(main):
        yield Skip("coordination")
        return
    if always_never:
        yield from _always_never(sentence, main)
    for group in _in_order(main):
        for toggle in toggle_clause(sentence, group, contractions=contractions):
            yield toggle if isinstance(toggle, Skip) else _draft(sentence, toggle)


def _doubt(sentence: Sentence) -> Skip | None:
    """Why a text is left alone whatever its clauses are, if there is a reason."""
    text = sentence.text
    lower = text.lower()
    if _may_hold(lower, _OF_MISSING) and _MISSING.search(text):
        return Skip("not-sure", "an apostrophe is missing, so that it is not known which word is the verb")
    if _THE_MORE.match(text) or (_may_hold(lower, _OF_ECHO) and _ECHO.search(text)):
        return Skip("correlative")
    lowers = sentence.doc.lowers
    if "so" in lowers and _is_echoed(sentence.doc.tokens):
        return Skip("correlative")
    if ("n't" in lower or "n’t" in lower) and any(word.endswith(("n't", "n’t")) and len(word) > 3 for word in lowers):
        return Skip("not-sure", "the parser did not take a contraction apart")
    return None


def _is_echoed(tokens: list[Token]) -> bool:
    """“…, and so did Mary”: what holds of another leans on the clause."""
    return any(
        so.lower_ == "so"
        and (verb.tag_ == "MD" or verb.lemma_ in {"do", "be", "have"})
        and other.tag_ in {"NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "DT"}
        and (so.i == 0 or tokens[so.i - 1].lower_ in {"and", ",", ";", ".", "-"})
        for so, verb, other in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _may_hold(lower: str, pieces: tuple[str, ...]) -> bool:
    """Whether a text in small letters has one of the pieces; or signs whose sizes are not that simple."""
    if not lower.isascii():
        return True
    for piece in pieces:  # noqa: SIM110  (the quickest way)
        if piece in lower:
            return True
    return False


def _always_never(sentence: Sentence, main: VerbGroup) -> Iterator[Draft]:
    """“He always lies” ↔ “He never lies”: further apart than “not always”."""
    for child in main.verb.children:
        if child.lower_ == "always":
            items = negative_items(main, child)
        elif child.lower_ == "never" and not _happens_once(main, child):
            items = tuple(to_positive(scope(main.verb, child)))
        else:
            continue
        new = "never" if child.lower_ == "always" else "always"
        patches = (replace(child, cased_like(child.text, new)), *items, *toggle_tag(sentence, main))
        yield _draft(sentence, Toggle(patches, f"{child.lower_} → {new}"))


def _happens_once(group: VerbGroup, never: Token) -> bool:
    """“I've never been to Rome”, “Never mind”: where “never” goes, “always” does not."""
    following = never.nbor().lower_ if never.i + 1 < len(never.doc) else ""
    if following in {"mind", "ever", "even", "once", "again", "before", "yet"}:
        return True
    if not any(one.lemma_ == "have" or one.lower_ in {"'ve", "’ve", "'s", "’s"} for one in group.auxiliaries):
        return False
    been_to = group.is_copula and any(child.lower_ == "to" for child in group.verb.rights)
    return been_to or (group.verb.lemma_ not in _LASTING and not group.is_copula)


def _to_be_turned(sentence: Sentence, heads: list[Token]) -> Token | None:
    """The clause whose denial denies the whole text: its only one, or the only one of two that is negated."""
    if len(heads) == 1:
        if len(sentence.spans) > 1 and _words_outside(sentence, heads[0]) > _CHATTER:
            return None
        spliced = spliced_clause(heads[0])
        if spliced is None:
            return heads[0]
        heads = [heads[0], spliced]
    negative = [head for head in heads if is_negative(verb_group(head))]
    if _are_contrasted(sentence, heads, negative) or any(is_imperative(verb_group(head)) for head in negative):
        return None  # “Don't worry. Be happy.”
    short = len(sentence) <= _SHORT
    return negative[0] if short and len(heads) == 2 and len(negative) == 1 else None


def _words_outside(sentence: Sentence, head: Token) -> int:
    """How many words stand in other sentences than that of a word."""
    others = [span for span in sentence.spans if not span.start <= head.i < span.end]
    return sum(token.is_alpha for span in others for token in span)


def _are_contrasted(sentence: Sentence, heads: list[Token], negative: list[Token]) -> bool:
    """Whether “but” stands before the clause that is negated: turned round it says what “but” cannot join."""
    if "but" not in sentence.doc.lowers or not negative:
        return False
    start = min(head.i for head in heads)
    return any(token.lower_ == "but" for token in sentence.doc.tokens[start : negative[0].i])


def _in_order(main: VerbGroup) -> list[VerbGroup]:
    """The clauses, best first: the main one, unless what it is about is negated (“I know it is not true”)."""
    if NOT_TOKENS.isdisjoint(main.verb.doc.lowers):
        return [main]
    complements = [verb_group(token) for token in _inside(main.verb, _COMPLEMENTS)]
    others = [verb_group(token) for token in _inside(main.verb, _ANY)]
    if main.verb.lemma_ in _SEEMING:
        complements += [verb_group(token) for token in _inside(main.verb, frozenset({"advcl"}))]
    negated = [group for group in complements if group.negation is not None]
    if is_negative(main):
        negated = []
    rest = [group for group in others if group.negation is not None and group not in negated]
    return [*negated, main, *rest]


def _inside(verb: Token, relations: frozenset[str]) -> list[Token]:
    """The verbs of the clauses inside a clause, by the relations that lead to them."""
    found = []
    for child in verb.children:
        if child.dep_ in relations and child.idx < tag_start(verb.doc):
            found += [child] if is_verb(child) else []
            found += _inside(child, relations)
    return found


def _draft(sentence: Sentence, toggle: Toggle) -> Draft:
    return Draft(apply_toggle(sentence, toggle), reason=toggle.reason)
