"""Adding a negation to a clause: after an auxiliary, by “do”, in imperatives, existentials, questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from litotes.language.casing import cased_like
from litotes.language.contractions import full_form, is_short, uses_contractions, with_not
from litotes.language.verb_group import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.patches import Patch, delete, end_of, insert_after, insert_before, join_after, replace
from litotes.rewrites.polarity_forms import Forms, Style, conjuncts, do_form, finite_tag, reformed
from litotes.rewrites.polarity_items import scope, to_negative

if TYPE_CHECKING:
    from spacy.tokens import Token


class Turn(NamedTuple):
    """Patches that turn a clause round, and how."""

    patches: tuple[Patch, ...]
    reason: str


Turned: TypeAlias = "Turn | Skip"

_BEFORE_NOT = frozenset(
    "probably certainly definitely obviously clearly apparently likely possibly surely perhaps maybe presumably"
    " evidently undoubtedly also just simply currently now therefore thus however then actually honestly literally"
    " unfortunately sadly luckily instead otherwise"
    " deliberately intentionally".split()
)
"""Adverbs that stay outside of the negation: “he is probably not here”."""
_FOCUS = frozenset("only merely solely even almost nearly finally eventually suddenly once alone soon hence".split())
"""Adverbs that “not” would attach to, so that the clause itself is not denied: “not only”, “not even”."""
_INSTEAD = {"still": "no longer", "sometimes": "never", "occasionally": "never"}
"""Adverbs whose denial is another adverb."""
_STRONG = frozenset({"really", "very", "totally", "absolutely", "completely"})
_NO_QUESTION = frozenset({"how", "where", "when", "whom", "whose"})


def added(group: VerbGroup, style: Style, forms: Forms, *, at_word: bool = False) -> Iterator[Turned]:
    """The ways to negate the clause of a group, best first."""
    if _is_lets(group.verb):
        yield _after_lets(group.verb)
    elif group.is_inverted and not (group.subject is not None and group.subject.dep_ == "expl"):
        yield _inverted(group, style)
    elif group.subject is not None and group.subject.dep_ == "expl" and group.is_copula:
        yield from _existential(group, style)
    elif group.is_finite:
        yield from _finite(group, style, forms, at_word=at_word)
    elif group.subject is None and group.verb.tag_ == "VB" and not group.auxiliaries:
        yield _imperative(group, style)
    else:
        yield _nonfinite(group)


def _finite(group: VerbGroup, style: Style, forms: Forms, *, at_word: bool) -> Iterator[Turned]:
    quantified = None if at_word else _quantified_subject(group)
    if isinstance(quantified, Skip):
        yield quantified
        return
    if quantified is not None:
        yield quantified
    if group.takes_not_directly:
        yield from _after_auxiliary(group, style)
    else:
        yield from _with_do(group, style, forms)


def _after_auxiliary(group: VerbGroup, style: Style) -> Iterator[Turned]:
    first = group.first
    between = _adverbs(group, first.i + 1)
    for adverb in between:
        if adverb.lower_ in _INSTEAD and adverb is between[-1]:
            new = _INSTEAD[adverb.lower_]
            yield Turn((replace(adverb, new), *_items(group, adverb)), f"{adverb.lower_} → {new}")
            if adverb.lower_ != "still":
                return
        if adverb.lower_ == "already":
            yield Turn((replace(adverb, "not yet"), *_items(group, adverb)), "already → not yet")
            return
        if adverb.lower_ in _FOCUS:
            yield Skip("focus")
            return
    anchor = first
    for adverb in between:
        if adverb.lower_ not in _BEFORE_NOT or adverb.lower_ == "still":
            break
        anchor = adverb
    following = anchor.nbor().lower_ if anchor.i + 1 < len(anchor.doc) else ""
    if following in {"rather", "better"} and full_form(first, group.verb) in {"would", "had"}:
        anchor = anchor.nbor()
    items = tuple(_items(group, anchor))
    if anchor is not first:
        yield Turn((insert_after(anchor, "not"), *items), f"not after {anchor.lower_}")
        return
    for patches in _not_after(group, style):
        yield Turn((*patches, *items), f"not after {full_form(first, group.verb)}")
    yield from _of_degree(group, style)


def _of_degree(group: VerbGroup, style: Style) -> Iterator[Turned]:
    """“It's really bad” is denied more plainly by “It's not bad at all”, “rather bad” by “not that bad”."""
    complement = next((child for child in group.verb.children if child.dep_ in {"acomp", "attr"}), None)
    degree = complement.left_edge if complement is not None else None
    if complement is None or degree is None or group.first.i + 1 >= len(group.verb.doc):
        return
    following = group.first.nbor()
    strong = following if following.lower_ in _STRONG and following.i < complement.i else None
    for patches in _not_after(group, style):
        if strong is not None:
            end = complement if complement.dep_ == "acomp" else complement.right_edge
            yield Turn((*patches, delete(strong), insert_after(end, "at all")), f"{strong.lower_} → not … at all")
        elif degree.lower_ in {"rather", "pretty", "quite"} and degree.i < complement.i:
            yield Turn((*patches, replace(degree, "that")), f"{degree.lower_} → not that")


def _not_after(group: VerbGroup, style: Style) -> Iterator[tuple[Patch, ...]]:
    """“not” right after the first auxiliary, in the style that is asked for."""
    first = group.first
    full = full_form(first, group.verb)
    short = with_not(full, first.doc)
    contracted = is_short(first)
    plain = (join_after(first, "not") if first.lower_ == "can" else insert_after(first, "not"),)
    if style == "contract":
        if short is not None:
            blank = " " if contracted else ""
            yield (replace(first, blank + cased_like(first.text if not contracted else "x", short)),)
        elif full == "am" and not contracted and group.subject is not None and group.subject.text == "I":
            yield (Patch(end_of(group.subject), end_of(first), "'m not"),) if group.subject.i == first.i - 1 else plain
        else:
            yield plain
    elif style == "expand" and contracted:
        yield (replace(first, f" {full} not" if full != "can" else " cannot"),)
    elif contracted and first.lower_.replace("’", "'") in {"'ll", "'d", "'ve"} and short is not None:
        # "I'll not" and "I'd not" are no longer said; what keeps the contraction is "won't" and "wouldn't".
        yield (replace(first, f" {short}"),)
        yield plain
    elif contracted and full == "has" and short is not None:
        yield (replace(first, f" {short}"),)
        yield plain
    else:
        yield plain


def _with_do(group: VerbGroup, style: Style, forms: Forms) -> Iterator[Turned]:
    verb = group.verb
    if verb.lower_ == "got" and verb.i + 1 < len(verb.doc) and verb.nbor().lower_ in {"ta", "to"}:
        yield Skip("not-sure", "“got to” has no negation of its own")
        return
    tag = finite_tag(group)
    before = _adverbs_before(group)
    for adverb in before:
        if adverb.lower_ in _INSTEAD:
            new = _INSTEAD[adverb.lower_]
            yield Turn(
                (replace(adverb, cased_like(adverb.text, new)), *_items(group, verb)), f"{adverb.lower_} → {new}"
            )
            return
        if adverb.lower_ in _FOCUS:
            yield Skip("focus")
            return
    joined = conjuncts(verb)
    if joined and any(child.dep_ == "cc" and child.lower_ in {"but", "yet"} for child in verb.children):
        yield Skip("coordination")
        return
    base = forms.verb(verb, "VB")
    others = reformed(joined, forms, tag, "VB") if tag != "VBP" else []
    if base is None or others is None:
        yield Skip("unknown-verb", f"“{verb.text}” is no form of a verb that the dictionary knows")
        return
    do = do_form(tag)
    short = with_not(do, verb.doc) or f"{do} not"
    contracts = style == "contract" or (style == "keep" and uses_contractions(verb.doc))
    inside = [adverb for adverb in before if adverb.lower_ not in _BEFORE_NOT]
    for do_not in (short, f"{do} not") if contracts else (f"{do} not", short):
        patches = _do_patches(verb, before, inside, do_not, base)
        yield Turn((*patches, *others, *_items(group, verb)), f"{do_not} before {base}")
        if style != "keep":
            return


def _do_patches(verb: Token, before: list[Token], inside: list[Token], do_not: str, base: str) -> tuple[Patch, ...]:
    """“do not” before the verb and the adverbs that it reaches."""
    already = next((adverb for adverb in before if adverb.lower_ == "already"), None)
    if already is not None:
        return (replace(already, f"{do_not} yet"), replace(verb, base))
    if not inside or inside[-1].i != verb.i - 1:
        return (replace(verb, f"{cased_like(verb.text, do_not)} {base}"),)
    start = _first_of_run(inside)
    if start.text[:1].isupper():
        return (replace(start, f"{cased_like(start.text, do_not)} {start.lower_}"), replace(verb, base))
    return (insert_before(start, do_not), replace(verb, base))


def _inverted(group: VerbGroup, style: Style) -> Turned:
    """A question: “Is that not true?”, “Isn't that true?”; other inversions are left alone."""
    if not group.takes_not_directly or group.subject is None:
        return Skip("inversion")
    doc = group.verb.doc
    if not doc.text.rstrip(" \"'”’)").endswith("?"):
        return Skip("inversion")
    start = doc[max(0, group.first.i - 4) : group.first.i]
    asking = next((token for token in start if token.tag_ in {"WRB", "WP", "WDT", "WP$"}), None)
    if asking is not None:
        complement = any(
            child.dep_ in {"acomp", "attr", "prep"} and child.i > group.subject.i for child in group.verb.children
        )
        if group.is_copula and not complement:
            return Skip("wh-question")
        direct = asking.i == group.first.i - 1
        if asking.lower_ in _NO_QUESTION and not (asking.lower_ == "how" and direct and group.first.tag_ == "MD"):
            return Skip("wh-question")
    first = group.first
    short = with_not(full_form(first, group.verb), doc)
    items = tuple(_items(group, group.subject.doc[max(group.subject.right_edge.i, group.subject.i)]))
    if style == "contract" and short is not None and not is_short(first):
        return Turn((replace(first, cased_like(first.text, short)), *items), "question")
    last = group.subject.right_edge
    return Turn((insert_after(last, "not"), *items), "question")


def _existential(group: VerbGroup, style: Style) -> Iterator[Turned]:
    """“There is no man” first, then “There is not a man”; of an amount (“much time”) only “not” can be said."""
    thing = next(
        (child for child in group.verb.children if child.dep_ in {"attr", "dobj"} and child.i > group.verb.i), None
    )
    question = group.is_inverted
    if thing is not None and not question:
        no = _no_instead(thing)
        if no is not None:
            yield Turn((*no, *_items(group, thing)), "there is no")
    anchor = group.subject if question and group.subject is not None else group.first
    items = tuple(_items(group, anchor))
    if question:
        yield Turn((insert_after(anchor, "not"), *items), "question")
        return
    for patches in _not_after(group, style):
        yield Turn((*patches, *items), "there is not")


def _no_instead(thing: Token) -> tuple[Patch, ...] | None:
    if thing.lower_ in {"something", "somebody"}:
        return (replace(thing, thing.lower_.replace("some", "no")),)
    if thing.lower_ == "someone":
        return (replace(thing, "no one"),)
    determiner = next(
        (child for child in thing.children if child.dep_ in {"det", "nummod", "amod"} and child.i < thing.i), None
    )
    if determiner is None:
        plain = thing.tag_ in {"NNS", "NN"} and thing.left_edge.i == thing.i
        return (insert_before(thing, "no"),) if plain else None
    if determiner.lower_ in {"a", "an", "some", "any"} and determiner.i == thing.left_edge.i:
        return (replace(determiner, "no"),)
    if determiner.dep_ == "amod" and determiner.lower_ not in {
        "many",
        "much",
        "enough",
        "more",
        "few",
        "little",
        "several",
    }:
        return (insert_before(thing.left_edge, "no"),) if thing.left_edge.pos_ == "ADJ" else None
    return None


def _quantified_subject(group: VerbGroup) -> Turned | None:
    """“Everyone likes it” is denied by “Not everyone likes it”, “Someone came” by “No one came”."""
    subject = group.subject
    if subject is None or group.is_inverted:
        return None
    lower = subject.lower_
    first = subject.left_edge
    if lower in {"everyone", "everybody", "everything"} or (
        first.lower_ in {"every", "all", "many"}
        and first.head.i == subject.i
        and first.dep_ in {"det", "amod", "predet"}
    ):
        if first.i > 0 and first.nbor(-1).lower_ in {"almost", "nearly", "not", "so", "how", "as", "too"}:
            return Skip("quantifier")
        return Turn(
            (replace(first, cased_like(first.text, f"not {first.lower_}")), *_items(group, group.first)), "not every"
        )
    if lower in {"someone", "somebody", "something"} and first.i == subject.i:
        new = "no one" if lower == "someone" else lower.replace("some", "no")
        return Turn((replace(subject, cased_like(subject.text, new)), *_items(group, group.first)), f"{lower} → {new}")
    if first.lower_ == "some" and first.dep_ == "det" and first.head.i == subject.i and subject.tag_ in {"NNS", "NN"}:
        return Turn((replace(first, cased_like(first.text, "no")), *_items(group, group.first)), "some → no")
    if lower in {"few", "little", "neither", "none", "most", "each", "either"} or first.lower_ in {
        "few",
        "neither",
        "either",
    }:
        return None if lower in {"most", "each"} else Skip("quantifier")
    return None


def _imperative(group: VerbGroup, style: Style) -> Turned:
    verb = group.verb
    short = style == "contract" or (style == "keep" and uses_contractions(verb.doc))
    do_not = (with_not("do", verb.doc) or "do not") if short else "do not"
    start = verb
    for adverb in reversed(_adverbs_before(group)):
        if adverb.lower_ in {"just", "please", "now", "then"}:
            break
        if adverb.lower_ in _FOCUS | {"never"}:
            return Skip("focus")
        start = adverb
    opened = start.text[:1].isupper()
    word = start.lower_ if opened else start.text
    return Turn(
        (replace(start, f"{cased_like('X' if opened else 'x', do_not)} {word}"), *_items(group, verb)), "imperative"
    )


def _nonfinite(group: VerbGroup) -> Turned:
    """Infinitives and participles: “not to go”, “not going”; the subjunctive: “that he not be”."""
    first = group.first
    if first.tag_ in {"VBN"} and group.subject is None and first.i == 0:
        return Skip("not-a-clause")
    if first.tag_ not in {"VBG", "TO", "VB"}:
        return Skip("not-a-clause")
    start = first
    for adverb in reversed(_adverbs_before(group)):
        start = adverb
    opened = start.text[:1].isupper() and start.i == start.sent.start
    if opened:
        return Turn((replace(start, f"Not {start.lower_}"), *_items(group, first)), "participle")
    return Turn((insert_before(start, "not"), *_items(group, first)), "not before a verb without tense")


def _is_lets(verb: Token) -> bool:
    following = verb.nbor().lower_ if verb.i + 1 < len(verb.doc) else ""
    return (
        verb.lower_ in {"let", "lets"}
        and (following in {"'s", "’s", "us"} or verb.lower_ == "lets")
        and verb.tag_ == "VB"
    )


def _after_lets(verb: Token) -> Turned:
    return Turn((insert_after(verb.nbor(), "not"),), "let's not")


def _items(group: VerbGroup, after: Token) -> Iterator[Patch]:
    return to_negative(scope(group.verb, after))


def _adverbs(group: VerbGroup, start: int) -> list[Token]:
    """The adverbs that follow the first auxiliary without a gap."""
    found = []
    for token in group.verb.doc[start:]:
        if token.tag_ not in {"RB", "RBR"} or token.dep_ not in {"advmod", "neg"} or token.head.i != group.verb.i:
            break
        found.append(token)
    return found


def _adverbs_before(group: VerbGroup) -> list[Token]:
    """The adverbs that stand right before the verb, in order."""
    found: list[Token] = []
    place = group.first.i - 1
    doc = group.verb.doc
    while place >= 0:
        token = doc[place]
        if token.tag_ not in {"RB", "RBR"} or token.dep_ not in {"advmod", "neg"} or token.head.i != group.verb.i:
            if token.tag_ == "RB" and token.dep_ == "advmod" and found and token.head.i == found[0].i:
                found.insert(0, token)  # "very often"
                place -= 1
                continue
            break
        found.insert(0, token)
        place -= 1
    return found


def _first_of_run(adverbs: list[Token]) -> Token:
    """The first of the adverbs that stand right before the verb without one that stays outside between them."""
    first = adverbs[-1]
    for adverb in reversed(adverbs):
        if adverb.i in {first.i, first.i - 1}:
            first = adverb
    return first
