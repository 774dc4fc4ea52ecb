"""Adding a negation to a clause: after an auxiliary, by “do”, in imperatives, existentials, questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_short, uses_contractions, with_not
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.amounts import negate_existential, negate_quantified_subject
from litotes.rewrites.en.polarity.coordination import conjunctions_of, coordinated_verbs, has_contrast
from litotes.rewrites.en.polarity.do_support import (
    ONE_FORM,
    ContractionStyle,
    VerbForms,
    do_form,
    finite_tag,
    inflect_all,
    is_third_singular,
)
from litotes.rewrites.en.polarity.polarity_change import (
    FOCUS_ADVERBS,
    ChangeOrSkip,
    PolarityChange,
    adverbs_after,
    adverbs_before,
    negative_items,
    not_patches,
)
from litotes.rewrites.en.polarity.sentence_types import (
    is_lets,
    is_question,
    negate_imperative,
    negate_lets,
    negate_question,
    start_of_sentence,
    starts_with_question_word,
)
from litotes.rewrites.patches import Patch, delete, insert_after, insert_before, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_BEFORE_NOT = frozenset(
    "probably certainly definitely obviously clearly apparently likely possibly surely perhaps maybe presumably"
    " evidently undoubtedly also just simply therefore thus however"
    " unfortunately sadly luckily instead otherwise"
    " deliberately intentionally".split()
)
"""Adverbs that stay outside of the negation: “he is probably not here”."""
_FOCUS_OF_TIME = FOCUS_ADVERBS | {"sometimes", "occasionally", "ever"}
_PERSONS = frozenset({"i", "you", "he", "she", "we", "they"})
_MAY_BE_SUBJECT = _PERSONS | {"it", "that", "this", "these", "those"}
_POINTERS = frozenset({"here", "there"})
_NO_PREDICATE = frozenset({"and", "or", "but", "kind", "sort", "kinda", "sorta"})
_INSTEAD = {"still": "no longer", "sometimes": "never", "occasionally": "never"}
"""Adverbs whose denial is another adverb."""
_STATES = frozenset("want need like love hate think feel know seem hope wish mean".split())
_STRONG = frozenset({"really", "very", "totally", "absolutely", "completely"})
_RATHER = frozenset({"rather", "pretty", "quite"})
_DEGREES = _STRONG | _RATHER
_BEHIND_THERE = frozenset("exist seem appear remain use need happen tend have ought be get follow arise result".split())
_OF_POINTING = frozenset("go come be".split())
_WISHING = frozenset("god lord heaven heavens allah goodness fortune devil jesus christ".split())
"""“God bless you”, “Heaven forbid”: with a verb that does not agree they wish."""
_FRAMES = frozenset("thing problem point fact truth chance chances odds".split())


def add_negation(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool = False
) -> Iterable[ChangeOrSkip]:
    """The ways to negate the clause of a group, best first."""
    subject = group.subject
    if is_lets(group.verb):
        return [negate_lets(group.verb)]
    if has_contrast(group):
        return [Skip("correlative")]
    is_expletive = subject is not None and subject.dep_ == "expl"
    if not is_expletive and group.is_inverted:
        return [negate_question(group, style)]
    if is_expletive and group.is_copula:
        return negate_existential(group, style)
    if group.is_finite:
        return _finite(group, style, forms, at_word=at_word)
    if subject is None and group.verb.tag_ == "VB" and not group.auxiliaries:
        return [negate_imperative(group, style, forms)]
    return [_nonfinite(group)]


def _finite(group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool) -> Iterable[ChangeOrSkip]:
    doubt = _doubt_about_clause(group)
    if doubt is not None:
        return [doubt]
    quantified = None if at_word else negate_quantified_subject(group)
    if isinstance(quantified, Skip):
        return [quantified]
    turns = _after_auxiliary(group, style) if group.takes_not_directly else _with_do(group, style, forms)
    return turns if quantified is None else [quantified, *turns]


def _doubt_about_clause(group: VerbGroup) -> Skip | None:
    """Why a clause with a tense is not negated, if there is a reason."""
    if group.first.lower_ == "be" or _is_shown(group):
        return Skip("not-a-clause")
    if _is_presented(group):
        return Skip("inversion")
    if starts_with_question_word(group):
        return Skip("wh-question")
    if _is_hidden_question(group):
        return Skip("inversion")
    if group.subject is None and group.verb.dep_ == "ROOT" and not group.first.is_sent_start:
        return Skip("not-a-clause")
    return None


def _is_shown(group: VerbGroup) -> bool:
    """“Here is the key”, “There he goes”: pointed at, so that there is nothing to deny."""
    first, subject = group.first, group.subject
    if first.doc.lowers.isdisjoint(_POINTERS):
        return False
    before = first.nbor(-1) if first.i else first
    if before.lower_ == "here" and before.head is group.verb:
        return True
    start = start_of_sentence(group.verb)
    return (
        start.lower_ in _POINTERS
        and start.dep_ == "advmod"
        and group.verb.lemma_ in _OF_POINTING
        and subject is not None
        and subject.tag_ == "PRP"
        and subject.i == start.i + 1
    )


def _is_presented(group: VerbGroup) -> bool:
    """“There goes the bus”, “There lived a king”: only a few verbs can be denied by “do” behind “there”."""
    subject = group.subject
    if subject is None or subject.dep_ != "expl" or subject.lower_ != "there":
        return False
    return not group.takes_not_directly and group.verb.lemma_ not in _BEHIND_THERE


def _is_hidden_question(group: VerbGroup) -> bool:
    """Whether a subject stands behind the verb, though the parser took it for something else."""
    first, subject = group.first, group.subject
    if subject is None and first.is_sent_start and group.auxiliaries and is_question(group):
        return True
    following = first.nbor() if first.i + 1 < len(first.doc) else None
    if following is None or following.lower_ not in _MAY_BE_SUBJECT:
        return False
    if following.dep_ == "dobj" and subject is not None and subject.tag_ == "PRP" and subject.i < first.i:
        return False  # “You like it, don't you?”
    return is_question(group) or (bool(group.auxiliaries) and following.lower_ in _PERSONS)


def _after_auxiliary(group: VerbGroup, style: ContractionStyle) -> Iterable[ChangeOrSkip]:
    first = group.first
    anchor = _where_not_goes(group)
    near = adverbs_after(group, first.i + 1)
    doubt = _doubt_about_not(group, anchor, near)
    if doubt is not None:
        return [doubt]
    instead = list(_other_adverb(group, near, style)) if near else []
    if instead and "still" not in instead[0].reason:
        return instead
    items = negative_items(group, anchor)
    if anchor is not first:
        return [*instead, PolarityChange((insert_after(anchor, "not"), *items), f"not after {anchor.lower_}")]
    reason = f"not after {full_form(first, group.verb)}"
    nots = not_patches(group, style)
    return [*instead, *(PolarityChange((patch, *items), reason) for patch in nots), *_of_degree(group, nots)]


def _where_not_goes(group: VerbGroup) -> Token:
    """The word after which “not” stands: the first auxiliary, or an adverb that stays outside of the negation."""
    first = anchor = group.first
    for following in islice(first.doc.tokens, first.i + 1, None):
        lower = following.lower_
        if lower not in _BEFORE_NOT or following.tag_ != "RB":
            is_rather = lower in {"rather", "better"} and full_form(first, group.verb) in {"would", "had"}
            return following if is_rather else anchor
        if lower == "also" and first.lower_ in {"can", "could", "may"}:
            break  # "can also not" allows what "cannot also" forbids
        anchor = following
    return anchor


def _doubt_about_not(group: VerbGroup, anchor: Token, near: list[Token]) -> Skip | None:
    """Why “not” is not put after an auxiliary with some adverbs behind it, if there is a reason."""
    if _is_frame(group) or _has_last(group):
        return Skip("set-phrase")
    following = anchor.nbor().lower_ if anchor.i + 1 < len(anchor.doc) else ""
    if following in _NO_PREDICATE:
        return Skip("not-a-clause")
    is_focused = following in FOCUS_ADVERBS or any(one.lower_ == "ever" or one.lower_ in FOCUS_ADVERBS for one in near)
    return Skip("focus") if is_focused else None


def _other_adverb(group: VerbGroup, between: list[Token], style: ContractionStyle) -> Iterator[PolarityChange]:
    """“still” → “no longer”, “sometimes” → “never”, “already” → “not yet”."""
    first = group.first
    for adverb in between:
        if adverb.lower_ in _INSTEAD and adverb is between[-1]:
            new = _INSTEAD[adverb.lower_]
            yield PolarityChange((replace(adverb, new), *negative_items(group, adverb)), f"{adverb.lower_} → {new}")
        elif adverb.lower_ == "already":
            short = with_not(full_form(first, group.verb), first.doc) if style == "contract" else None
            verb = (replace(first, (" " if is_short(first) else "") + cased_like(first.text, short)),) if short else ()
            patches = (*verb, replace(adverb, "yet" if short else "not yet"))
            yield PolarityChange((*patches, *negative_items(group, adverb)), "already → not yet")


def _is_frame(group: VerbGroup) -> bool:
    """“Thing is, …”, “The chances are that …”, “It's a little …”: denied is what comes after, if anything."""
    first, subject, tokens = group.first, group.subject, group.first.doc.tokens
    little = first.i + 2
    if little < len(tokens) and tokens[little - 1].lower_ == "a" and tokens[little].lower_ in {"little", "bit"}:
        return True
    if subject is None or subject.lower_ not in _FRAMES or not group.is_copula:
        return False
    return any(child.dep_ in {"ccomp", "advcl"} and child.i > first.i for child in group.verb.children)


def _has_last(group: VerbGroup) -> bool:
    """Whether “at last” says that what was awaited has come."""
    return "last" in group.verb.doc.lowers and any(
        token.lower_ == "last" and token.i and token.nbor(-1).lower_ == "at" for token in group.verb.subtree
    )


def _of_degree(group: VerbGroup, nots: list[Patch]) -> Iterator[ChangeOrSkip]:
    """“It's really bad” is denied more plainly by “It's not bad at all”, “rather bad” by “not that bad”."""
    if group.verb.doc.lowers.isdisjoint(_DEGREES):
        return
    complement = next((child for child in group.verb.children if child.dep_ in {"acomp", "attr"}), None)
    if complement is None or group.first.i + 1 >= len(group.verb.doc):
        return
    following, degree = group.first.nbor(), complement.left_edge
    strong = following if following.lower_ in _STRONG and following.i < complement.i else None
    for patch in nots:
        if strong is not None:
            end = complement if complement.dep_ == "acomp" else complement.right_edge
            yield PolarityChange(
                (patch, delete(strong), insert_after(end, "at all")), f"{strong.lower_} → not … at all"
            )
        elif degree.lower_ in _RATHER and degree.i < complement.i:
            yield PolarityChange((patch, replace(degree, "that")), f"{degree.lower_} → not that")


def _with_do(group: VerbGroup, style: ContractionStyle, forms: VerbForms) -> Iterable[ChangeOrSkip]:
    verb = group.first  # the “gets” of “gets lost” is no auxiliary that takes “not”
    before = adverbs_before(group)
    tag = finite_tag(group)
    doubt = _doubt(group, before) or _doubt_about_form(group, tag)
    if doubt is not None:
        return [doubt]
    joined = coordinated_verbs(group.verb, tag)
    if joined is None:
        return [Skip("coordination", "it is not clear which words are verbs that would have to change too")]
    if joined and _leans_on_first([verb, *joined]):
        return [Skip("coordination")]
    if verb.lower_ == "ought":
        return [PolarityChange((insert_after(verb, "not"), *negative_items(group, verb)), "not after ought")]
    if verb.lemma_ == "do" and not any(child.dep_ in {"dobj", "advmod", "prep"} for child in verb.rights):
        return [PolarityChange((insert_after(verb, "not"),), "not after do")]  # "I did."
    instead = next((adverb for adverb in before if adverb.lower_ in _INSTEAD), None) if before else None
    if instead is not None:
        new = cased_like(instead.text, _INSTEAD[instead.lower_])
        patches = (replace(instead, new), *negative_items(group, verb))
        return [PolarityChange(patches, f"{instead.lower_} → {new.lower()}")]
    base = forms.verb(verb, "VB")
    others = inflect_all(joined, forms, "VB") if tag != "VBP" else []
    if base is None or others is None:
        return [Skip("unknown-verb", f"“{verb.text}” is no form of a verb that the dictionary knows")]
    before += _both(verb)
    inside = [adverb for adverb in before if adverb.lower_ not in _BEFORE_NOT or _is_recent(adverb, group)]
    along = (*others, *negative_items(group, verb))
    return [
        PolarityChange((*_do_patches(verb, before, inside, do_not, base), *along), f"{do_not} before {base}")
        for do_not in _do_not(verb, tag, style)
    ]


def _do_not(verb: Token, tag: str, style: ContractionStyle) -> list[str]:
    """“do not” in the form of a verb's tag and in the style that is asked for; to keep a style, the other one too."""
    do = do_form(tag)
    plain = f"{do} not"
    short = with_not(do, verb.doc) or plain
    if style == "keep":
        return [short, plain] if uses_contractions(verb.doc) else [plain, short]
    return [short if style == "contract" else plain]


def _doubt(group: VerbGroup, adverbs: list[Token]) -> Skip | None:
    """Why “do” is not put before a verb and the adverbs before it, if there is a reason."""
    verb, subject = group.first, group.subject
    following = verb.nbor().lower_ if verb.i + 1 < len(verb.doc) else ""
    if verb.lower_ == "got" and following in {"ta", "to"}:
        return Skip("not-sure", "“got to” has no negation of its own")
    if subject is None and not verb.is_sent_start:
        return Skip("not-a-clause")
    if subject is not None and subject.lower_ in _WISHING and verb.lemma_ == "know":
        return Skip("set-phrase")  # “God knows”
    if following == "yet" or (verb.i and verb.nbor(-1).tag_ == "POS"):
        return Skip("not-sure", "“have yet to”, or an “'s” that may be “has” or “is”")
    if verb.doc.lowers.isdisjoint(_FOCUS_OF_TIME):
        return None
    near = {adverb.lower_ for adverb in adverbs}
    before = near | {child.lower_ for child in group.verb.lefts if child.i < verb.i}
    return Skip("focus") if not before.isdisjoint(_FOCUS_OF_TIME) and not near & _INSTEAD.keys() else None


def _doubt_about_form(group: VerbGroup, tag: str) -> Skip | None:
    """Whether a present tense is none, or does not agree."""
    verb, subject = group.first, group.subject
    if tag != "VBP":
        return None
    if subject is not None and subject.pos_ == "PRON" and is_third_singular(subject):
        return Skip("not-sure", f"“{subject.text} {verb.text}” does not agree")
    if subject is not None and subject.lower_ in _WISHING:
        return Skip("set-phrase")
    return Skip("not-sure", f"“{verb.text}” may be present or past") if verb.lower_ in ONE_FORM else None


def _leans_on_first(verbs: list[Token]) -> bool:
    """Whether joined verbs are set off against the first, or not linked at all."""
    linked = conjunctions_of(verbs)
    return not linked or any(link in {"but", "yet"} for link in linked)


def _both(verb: Token) -> list[Token]:
    """The “both” right before a verb, which “not” goes before: “does not both smoke and drink”."""
    before = verb.nbor(-1) if verb.i else verb
    return [before] if before.dep_ == "preconj" and before.lower_ == "both" else []


def _is_recent(adverb: Token, group: VerbGroup) -> bool:
    """Whether “just” is of time (“he just left”), so that it stands behind “not”."""
    return adverb.lower_ == "just" and group.verb.tag_ == "VBD" and group.verb.lemma_ not in _STATES


def _do_patches(verb: Token, before: list[Token], inside: list[Token], do_not: str, base: str) -> tuple[Patch, ...]:
    """“do not” before the verb and the adverbs that it reaches."""
    already = next((adverb for adverb in before if adverb.lower_ == "already"), None)
    if already is not None:
        return (replace(already, f"{do_not} yet"), replace(verb, base))
    if not inside or inside[-1].i != verb.i - 1:
        return (replace(verb, cased_like(verb.text, f"{do_not} {base}")),)
    start = _first_of_run(inside)
    if start.text[:1].isupper():
        return (replace(start, f"{cased_like(start.text, do_not)} {start.lower_}"), replace(verb, base))
    return (insert_before(start, do_not), replace(verb, base))


def _nonfinite(group: VerbGroup) -> ChangeOrSkip:
    """Infinitives and participles: “not to go”, “not going”; the subjunctive: “that he not be”."""
    first = group.first
    if first.tag_ in {"VBN"} and group.subject is None and first.i == 0:
        return Skip("not-a-clause")
    if first.tag_ not in {"VBG", "TO", "VB"}:
        return Skip("not-a-clause")
    if first.tag_ == "VB" and not any(child.dep_ == "mark" for child in group.verb.children):
        return Skip("not-a-clause")
    start = first
    for adverb in reversed(adverbs_before(group)):
        if adverb.lower_ in FOCUS_ADVERBS | {"just"}:
            return Skip("focus")
        start = adverb
    if start.i and not start.nbor(-1).whitespace_ and not start.nbor(-1).is_punct:
        return Skip("not-sure", "the words are run together")  # gotta, wanna
    is_root = group.verb.dep_ == "ROOT"
    if is_root and (not start.is_sent_start or not NOT_TOKENS.isdisjoint(group.verb.doc.lowers)):
        return Skip("not-a-clause")  # “To be or not to be.”
    opened = start.text[:1].isupper() and start.i == start.sent.start
    if opened:
        return PolarityChange((replace(start, f"Not {start.lower_}"), *negative_items(group, first)), "participle")
    return PolarityChange(
        (insert_before(start, "not"), *negative_items(group, first)), "not before a verb without tense"
    )


def _first_of_run(adverbs: list[Token]) -> Token:
    """The first of the adverbs that stand right before the verb without one that stays outside between them."""
    first = adverbs[-1]
    for adverb in reversed(adverbs):
        if adverb.i in {first.i, first.i - 1}:
            first = adverb
    return first
