"""Removing a negation from a clause: not, n't, never, no and its kin, and the “do” that came with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import positive_of
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.tree import cached_on_doc
from litotes.rewrites.base import Skip
from litotes.rewrites.en.polarity.coordination import coordinated_verbs, or_to_and
from litotes.rewrites.en.polarity.do_support import VerbForms, inflect_all, is_third_singular
from litotes.rewrites.en.polarity.negative_words import (
    FOCUSED_BY_NOT,
    POSITIVE_WORDS,
    delete_words,
    depends_on_not,
    is_corrected,
    is_of_absence,
    is_set_phrase,
    remove_negative_word,
)
from litotes.rewrites.en.polarity.polarity_change import ChangeOrSkip, PolarityChange
from litotes.rewrites.en.polarity.polarity_items import delete_anymore, delete_at_all, scope, to_positive
from litotes.rewrites.patches import Patch, delete, end_of, replace, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_NEGATIVE_ADVERBS = frozenset({"never", "hardly", "barely", "scarcely", "rarely", "seldom"})
NEGATIVE = NOT_TOKENS | _NEGATIVE_ADVERBS | frozenset(POSITIVE_WORDS) | {"no", "nor", "neither", "noone"}
_IN_PHRASES = frozenset({"no", "one", *POSITIVE_WORDS})
"""Negative words that may stand anywhere in a sentence without denying it."""
POLARITY_ITEMS = frozenset("anymore ever whatsoever either anything anyone anybody".split())
_MAY_NEED_NOT = POLARITY_ITEMS | {"all", "that", "bit"}
_STRONG = {"true": "totally", "false": "totally", "sure": "totally", "untruthful": "totally", "wrong": "totally"}


def remove_negation(group: VerbGroup, forms: VerbForms) -> Iterator[ChangeOrSkip]:
    """The ways to take the negation out of the clause of a group, best first; nothing if it has none."""
    for turn in _removed(group, forms):
        yield Skip("polarity-item") if isinstance(turn, PolarityChange) and _leaves_behind(group, turn) else turn


def _leaves_behind(group: VerbGroup, turn: PolarityChange) -> bool:
    """Whether a word that needs the negation would stay: “at all”, “anymore”, “all that good”."""
    if _MAY_NEED_NOT.isdisjoint(group.verb.doc.lowers):
        return False
    changed = min((patch.start for patch in turn.patches), default=0)
    for token in group.verb.doc.tokens[group.first.i + 1 : group.verb.sent.end]:
        if token.lower_ in NOT_TOKENS and token.idx > changed and not _is_in(token, turn):
            return False  # another negation, which what follows may need
        needy = token.lower_ in POLARITY_ITEMS or (token.lower_ == "all" and token.nbor(-1).lower_ == "at")
        needy = needy or (token.lower_ == "that" and token.nbor(-1).lower_ == "all" and token.dep_ == "advmod")
        needy = needy or (token.lower_ == "bit" and token.nbor(-1).lower_ == "one")
        if needy and not _is_in(token, turn):
            return True
    return False


def _is_in(token: Token, turn: PolarityChange) -> bool:
    return any(patch.start <= token.idx < patch.end for patch in turn.patches)


def _removed(group: VerbGroup, forms: VerbForms) -> Iterator[ChangeOrSkip]:
    negation = group.negation
    doubt = _doubt(group)
    if doubt is not None:
        yield doubt
        return
    if negation is not None:
        yield from _without_not(group, negation, forms)
        return
    never = next(
        (
            child
            for child in group.verb.children
            if child.lower_ in _NEGATIVE_ADVERBS and child.dep_ in {"neg", "advmod"}
        ),
        None,
    )
    if never is not None:
        yield _without_never(group, never)
        return
    longer = next((c for c in group.verb.children if c.lower_ == "longer" and c.i and c.nbor(-1).lower_ == "no"), None)
    if longer is not None:
        yield PolarityChange((Patch(start_of(longer.nbor(-1)), end_of(longer), "still"),), "no longer → still")
        return
    for token in _reach(group):
        turn = remove_negative_word(token) if token.lower_ not in _IN_PHRASES or _denies(token, group) else None
        if isinstance(turn, PolarityChange):
            reach = [other for other in scope(group.verb, group.first) if other.i != token.i]
            if any(other.lower_ == "ever" for other in reach):
                yield Skip("not-sure", "“ever” has no place without the negation")
                return
            taken = {patch.start for patch in turn.patches}
            items = tuple(patch for patch in to_positive(reach) if patch.start not in taken)
            yield turn._replace(patches=(*turn.patches, *items))
            return
        if turn is not None:
            yield turn
            return


def _doubt(group: VerbGroup) -> Skip | None:
    """Why no negation is taken out of a clause, whichever it has, if there is a reason."""
    first, subject = group.first, group.subject
    if first.lower_ == "must" and subject is not None and subject.dep_ == "expl":
        return Skip("not-sure", "“there must be” concludes or demands, and each has another denial")
    if first.lower_ in {"need", "dare"} and group.auxiliaries and group.negation is None:
        return Skip("not-sure", f"“{first.text}” before a bare verb goes with a negation")  # “No one need know.”
    return None


def is_negative(group: VerbGroup) -> bool:
    """Whether a clause has a negation of its own."""
    if group.negation is not None:
        return True
    return not NEGATIVE.isdisjoint(group.verb.doc.lowers) and _has_negative_word(group)


@cached_on_doc
def _has_negative_word(group: VerbGroup) -> bool:
    if any(child.lower_ in _NEGATIVE_ADVERBS and child.dep_ in {"neg", "advmod"} for child in group.verb.children):
        return True
    if any(child.lower_ == "longer" and child.i and child.nbor(-1).lower_ == "no" for child in group.verb.children):
        return True
    following = group.first.nbor().lower_ if group.first.i + 1 < len(group.first.doc) else ""
    if following == "no":  # "is no different"
        return True
    return any(
        token.lower_ in NEGATIVE and (token.lower_ not in _IN_PHRASES or _denies(token, group))
        for token in (*_reach(group), *_adverbials(group))
    )


def _without_not(group: VerbGroup, negation: Token, forms: VerbForms) -> Iterator[ChangeOrSkip]:
    reach = scope(group.verb, negation)
    following = negation.nbor().lower_ if negation.i + 1 < len(negation.doc) else ""
    doubt = _doubt_about_not(group, negation, reach) or _doubt_about_verb(group)
    shared = tuple(to_positive(reach))
    if doubt is not None:
        yield doubt
    elif _is_semi_modal(group, negation):
        yield _with_to(group, negation, shared)
    else:
        yield from _strongly(group, negation, forms, shared)
        if following in {"yet", "even", "exactly", "necessarily", "quite"}:
            instead = "already" if following == "yet" else ""
            patches = _verb_patches(group, negation.nbor(), negation, forms, instead=instead)
            yield (
                Skip("unknown-verb")
                if patches is None
                else PolarityChange((*patches, *shared), f"without not {following}")
            )
        else:
            yield from _plainly(group, negation, forms, shared)


def _doubt_about_not(group: VerbGroup, negation: Token, reach: list[Token]) -> Skip | None:
    """Why a “not” stays, because of what it belongs to."""
    following = negation.nbor().lower_ if negation.i + 1 < len(negation.doc) else ""
    if negation.i and negation.nbor(-1).lower_ == "or":
        return Skip("correlative")
    if following in FOCUSED_BY_NOT:
        return Skip("focus")
    if depends_on_not(negation) or is_corrected(group, reach):
        return Skip("correlative")
    if group.is_inverted and not negation.doc.text.rstrip(" \"'”’)").endswith("?"):
        return Skip("inversion")
    if is_set_phrase(group):
        return Skip("set-phrase")
    return Skip("polarity-item") if is_of_absence(group) else None


def _doubt_about_verb(group: VerbGroup) -> Skip | None:
    """Why a “not” stays, because it cannot be told which forms its verbs would have without it."""
    first = group.first
    if first.lower_ == "ai":
        return Skip("not-sure", "“ain't” may stand for several verbs")
    if first.lower_ not in {"do", "does", "did"} or not group.auxiliaries:
        return None
    bare = _bare_verb(group)
    if bare.tag_ not in {"VB", "VBP"}:
        return Skip("not-sure", f"“{group.verb.text}” does not go with “{first.text}”")
    return Skip("coordination") if first.lower_ != "do" and coordinated_verbs(bare, "VB") is None else None


def _is_semi_modal(group: VerbGroup, negation: Token) -> bool:
    """Whether “need” or “dare” stands before a bare verb, as they do only with “not” or in questions."""
    first = group.first
    if first.lower_ not in {"need", "dare", "dared"} or negation.i != first.i + 1:
        return False
    following = next((token for token in first.doc.tokens[negation.i + 1 :] if token.tag_ != "RB"), first)
    return following.tag_ in {"VB", "VBP"}


def _with_to(group: VerbGroup, negation: Token, items: tuple[Patch, ...]) -> ChangeOrSkip:
    """“He need not know” → “He needs to know”."""
    first, subject = group.first, group.subject
    if subject is None or group.is_inverted or any(one.lower_ == "have" for one in group.auxiliaries):
        return Skip("not-sure", f"“{first.text}” has no such form without “not”")
    form = f"{first.lower_}s" if first.lower_ != "dared" and is_third_singular(subject) else first.lower_
    return PolarityChange((_over(first, negation, f"{form} to"), *items), f"{first.lower_} not → {form} to")


def _plainly(group: VerbGroup, negation: Token, forms: VerbForms, shared: tuple[Patch, ...]) -> Iterator[ChangeOrSkip]:
    """“not” and what came with it taken away; then the same with “do” kept, and with “everything” for “anything”."""
    reach = scope(group.verb, negation)
    longer = delete_anymore(reach)
    others = (*shared, *_linked(group), *(patch for patch in (longer, delete_at_all(negation)) if patch is not None))
    patches = _verb_patches(group, negation, negation, forms, instead="still" if longer is not None else "")
    if patches is None:
        yield Skip("unknown-verb")
        return
    reason = f"without {negation.lower_}"
    yield PolarityChange((*patches, *others), reason)
    if any(patch.new == "something" for patch in shared):
        everything = tuple(patch._replace(new="everything") if patch.new == "something" else patch for patch in others)
        yield PolarityChange((*patches, *everything), f"{reason}, anything → everything")
    if _has_do(group) and not group.is_inverted:
        joined = negation.idx == end_of(group.first)
        kept = Patch(start_of(negation), end_of(negation), "") if joined else delete(negation)
        yield PolarityChange((kept, *others), f"{reason}, {group.first.lower_} kept")
    if negation.i + 2 < len(negation.doc) and negation.nbor().lower_ == "sure" and negation.nbor(2).lower_ == "if":
        yield PolarityChange((*patches, delete(negation.nbor(2)), *others), "not sure if → sure")


def _linked(group: VerbGroup) -> tuple[Patch, ...]:
    """“cannot read or write” → “can read and write”; where “do” goes, its verbs are linked with their forms."""
    if "or" not in group.verb.doc.lowers or group.is_inverted or _has_do(group):
        return ()
    tag = group.verb.tag_
    joined = coordinated_verbs(group.verb, tag)
    are_verbs = joined and all(has_form(verb.lower_, tag) for verb in joined)
    return or_to_and([group.verb, *joined]) if joined and are_verbs else ()


def _verb_patches(
    group: VerbGroup, last: Token, negation: Token, forms: VerbForms, *, instead: str = ""
) -> tuple[Patch, ...] | None:
    """The patches that take “not” (up to `last`) away, with the “do” that it needed; None if a form is not known."""
    first = group.first
    if _has_do(group) and not group.is_inverted:
        return _undone(group, last, negation, forms, instead)
    if negation.idx == end_of(first) and negation.lower_ != "not":  # n't is joined to its verb
        whole = Patch(start_of(first), end_of(last), f"{positive_of(first)} {instead}".strip())
        return (whole,)
    if negation.lower_ == "not" and negation.idx == end_of(first):  # cannot
        return (Patch(start_of(negation), end_of(last), f" {instead}" if instead else ""),)
    return (_over(negation, last, instead) if instead else delete_words(negation, last),)


def _undone(group: VerbGroup, last: Token, negation: Token, forms: VerbForms, instead: str) -> tuple[Patch, ...] | None:
    """“does not like” → “likes”; of an imperative only “do not” goes."""
    do, verb = group.first, _bare_verb(group)
    tag = {"does": "VBZ", "did": "VBD"}.get(do.lower_, "VB")
    form = forms.verb(verb, tag) if verb.lemma_ != "be" else "be" if tag == "VB" else None
    joined = coordinated_verbs(verb, "VB") or []
    others = inflect_all(joined, forms, tag) if tag in {"VBZ", "VBD"} else []
    if form is None or others is None:
        return None
    start, end = start_of(do), end_of(last)
    between = negation.doc.text[end : start_of(verb)]
    linked = or_to_and([verb, *joined]) if joined else ()
    if between.strip():
        # An adverb or the like stands between: it stays, the verb behind it takes the tense.
        gone = Patch(start, end + (len(between) - len(between.lstrip())), f"{instead} " if instead else "")
        patches: tuple[Patch, ...] = (gone, replace(verb, form))
    else:
        word = f"{instead} {form}".strip()
        patches = (Patch(start, end_of(verb), cased_like(do.text, word)),)
    return (*patches, *others, *linked)


def _strongly(group: VerbGroup, negation: Token, forms: VerbForms, shared: tuple[Patch, ...]) -> Iterator[ChangeOrSkip]:
    """“It's not good at all” → “It's really good”; “It's not that good” → “It's rather good”."""
    reach = scope(group.verb, negation)
    following = negation.nbor() if negation.i + 1 < len(negation.doc) else None
    if following is not None and following.lower_ in {"that", "so"} and not _has_do(group):
        patches = _verb_patches(group, following, negation, forms, instead="rather")
        if following.dep_ == "advmod" and following.head.tag_ in {"JJ", "RB"} and patches is not None:
            yield PolarityChange((*patches, *shared), "not that → rather")
        return
    over = delete_at_all(negation)
    if over is None:
        return
    if following is not None and following.lower_ == "at":
        for word in ("very", "really"):
            yield PolarityChange((_over(negation, following.nbor(), word), *shared), f"not at all → {word}")
        return
    complement = next((token for token in reach if token.dep_ == "acomp"), None)
    special = _STRONG.get(complement.lower_) if complement is not None else None
    for word in [word for word in (special, "really", "very" if complement is not None else None) if word]:
        patches = _verb_patches(group, negation, negation, forms, instead=word)
        if patches is not None:
            yield PolarityChange((*patches, over, *shared), f"not … at all → {word}")


def _without_never(group: VerbGroup, never: Token) -> ChangeOrSkip:
    if group.is_inverted and not never.doc.text.rstrip().endswith("?"):
        return Skip("inversion")
    if never.i + 1 < len(never.doc) and never.nbor().lower_ in {"mind", "ever", "even", "any"}:
        return Skip("set-phrase")
    if depends_on_not(never):
        return Skip("correlative")
    patches = tuple(to_positive(scope(group.verb, never)))
    return PolarityChange((delete_words(never, never), *patches), f"without {never.lower_}")


def _has_do(group: VerbGroup) -> bool:
    return (
        bool(group.auxiliaries)
        and group.first.lower_ in {"do", "does", "did"}
        and _bare_verb(group).tag_ in {"VB", "VBP"}
    )


def _bare_verb(group: VerbGroup) -> Token:
    """The verb right behind the first auxiliary: “get” in “does not get lost”."""
    return group.auxiliaries[1] if len(group.auxiliaries) > 1 else group.verb


def _denies(token: Token, group: VerbGroup) -> bool:
    """Whether “no” or “nothing” is of the subject or object, so that it denies the clause: not “a man with no hat”."""
    noun = token.head if token.lower_ == "no" else token
    if token.lower_ == "no" and token.dep_ != "det":
        return False
    if noun.dep_ in {"nsubj", "nsubjpass", "dobj", "attr", "advmod", "dative", "expl"} and noun.head.i == group.verb.i:
        return True
    return token.i == group.first.i + 1 or (noun.dep_ == "dobj" and noun.head.dep_ == "xcomp")


def _reach(group: VerbGroup) -> list[Token]:
    """The words of the clause that may deny it: its subject, what follows the verb, the very next word."""
    first = group.first
    following = [first.nbor()] if first.i + 1 < len(first.doc) else []
    return [*_own_subject(group), *following, *scope(group.verb, first)]


def _own_subject(group: VerbGroup) -> list[Token]:
    subject = group.subject
    if subject is None:
        return []
    inside = [token for token in subject.subtree if token.lower_ in NOT_TOKENS] if group.is_inverted else []
    return [subject, *(child for child in subject.children if child.i < subject.i), *inside]


def _adverbials(group: VerbGroup) -> list[Token]:
    return [child for child in group.verb.children if child.dep_ in {"advmod", "neg", "preconj", "cc"}]


def _over(first: Token, last: Token, new: str) -> Patch:
    return Patch(start_of(first), end_of(last), new)
