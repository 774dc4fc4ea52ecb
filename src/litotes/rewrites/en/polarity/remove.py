"""Remove a negation from a clause: not, n't, never, no and similar words, and the “do” that came with it."""

from __future__ import annotations

from collections.abc import Iterator

from litotes.languages.base import word_set
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import without_not
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import NEGATIVE_ADVERBS, NOT_TOKENS
from litotes.languages.en.syntax.tags import PLAIN_SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.en.verbs import FINITE_DO
from litotes.languages.tree import Token, cached_on_doc, has_word
from litotes.rewrites.base import Refusal, Skip, refuse_if
from litotes.rewrites.en.polarity.coordination import coordinated_verbs, or_to_and
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
from litotes.rewrites.en.polarity.polarity_change import (
    ChangeOrSkip,
    PolarityChange,
    VerbForms,
    inflect_all,
    is_third_singular,
)
from litotes.rewrites.en.polarity.polarity_items import delete_anymore, delete_at_all, scope, to_positive
from litotes.rewrites.patches import Patch, delete, replace, replace_span

_NEGATIVE_WORDS = NOT_TOKENS | NEGATIVE_ADVERBS | frozenset(POSITIVE_WORDS) | {"no", "nor", "neither", "noone"}
_LOCAL_NEGATORS = frozenset({"no", "one", *POSITIVE_WORDS})
"""Negative words that may be in a sentence without negating it."""
POLARITY_ITEMS = word_set("anymore ever whatsoever either anything anyone anybody")
_POLARITY_ITEM_PARTS = POLARITY_ITEMS | {"all", "that", "bit"}
_TOTAL = frozenset({"true", "false", "sure", "untruthful", "wrong"})
"""Adjectives that are intensified by “totally”."""


def remove_negation(group: VerbGroup, forms: VerbForms) -> Iterator[ChangeOrSkip]:
    """Yield the ways to remove the negation of a clause, best first; nothing if it has none."""
    for change in _removals(group, forms):
        yield Skip("polarity-item") if _leaves_polarity_item(group, change) else change


def _leaves_polarity_item(group: VerbGroup, change: PolarityChange) -> bool:
    """Whether a word that needs the negation would be left over: “at all”, “anymore”, “all that good”."""
    if _POLARITY_ITEM_PARTS.isdisjoint(group.verb.doc.lowers):
        return False
    start = min((patch.start for patch in change.patches), default=0)
    for token in group.verb.doc.tokens[group.first.i + 1 : group.verb.sent.end]:
        if token.lower_ in NOT_TOKENS and token.idx > start and not _is_patched(token, change):
            return False  # another negation, which what follows may need
        is_item = token.lower_ in POLARITY_ITEMS or (token.lower_ == "all" and token.nbor(-1).lower_ == "at")
        is_item = is_item or (token.lower_ == "that" and token.nbor(-1).lower_ == "all" and token.dep_ == "advmod")
        is_item = is_item or (token.lower_ == "bit" and token.nbor(-1).lower_ == "one")
        if is_item and not _is_patched(token, change):
            return True
    return False


def _is_patched(token: Token, change: PolarityChange) -> bool:
    return any(patch.start <= token.idx < patch.end for patch in change.patches)


def _removals(group: VerbGroup, forms: VerbForms) -> Iterator[PolarityChange]:
    negation = group.negation
    first, subject = group.first, group.subject
    if first.lower_ == "must" and subject is not None and subject.dep_ == "expl":
        raise Refusal("not-sure", "“there must be” is a conclusion or a demand, which differ in their negation")
    if first.lower_ in {"need", "dare"} and group.auxiliaries and group.negation is None:
        raise Refusal("not-sure", f"“{first.text}” before a bare verb needs a negation")  # “No one need know.”
    if negation is not None:
        yield from _remove_not(group, negation, forms)
        return
    never = _negative_adverb(group)
    if never is not None:
        yield _remove_adverb(group, never)
        return
    longer = _no_longer(group)
    if longer is not None:
        yield PolarityChange((Patch(longer.nbor(-1).idx, longer.end, "still"),), "no longer → still")
        return
    for token in _possible_negators(group):
        is_negator = token.lower_ not in _LOCAL_NEGATORS or _negates_clause(token, group)
        change = remove_negative_word(token) if is_negator else None
        if change is not None:
            rest = [other for other in scope(group.verb, group.first) if other is not token]
            refuse_if(has_word(rest, {"ever"}), "not-sure", "“ever” needs the negation")
            patched_starts = {patch.start for patch in change.patches}
            items = tuple(patch for patch in to_positive(rest) if patch.start not in patched_starts)
            yield change._replace(patches=(*change.patches, *items))
            return


def _negative_adverb(group: VerbGroup) -> Token | None:
    adverbs = (child for child in group.verb.children if child.lower_ in NEGATIVE_ADVERBS)
    return next((adverb for adverb in adverbs if adverb.dep_ in {"neg", "advmod"}), None)


def _no_longer(group: VerbGroup) -> Token | None:
    longer = (child for child in group.verb.children if child.lower_ == "longer" and child.i)
    return next((word for word in longer if word.nbor(-1).lower_ == "no"), None)


def is_negative(group: VerbGroup) -> bool:
    """Whether a clause has a negation of its own."""
    if group.negation is not None:
        return True
    return not _NEGATIVE_WORDS.isdisjoint(group.verb.doc.lowers) and _has_negative_word(group)


@cached_on_doc
def _has_negative_word(group: VerbGroup) -> bool:
    if _negative_adverb(group) is not None or _no_longer(group) is not None:
        return True
    following = group.first.next_word
    if following == "no":
        return True
    return any(
        token.lower_ in _NEGATIVE_WORDS and (token.lower_ not in _LOCAL_NEGATORS or _negates_clause(token, group))
        for token in (*_possible_negators(group), *_adverb_children(group))
    )


def _remove_not(group: VerbGroup, negation: Token, forms: VerbForms) -> Iterator[PolarityChange]:
    tokens_in_scope = scope(group.verb, negation)
    following = negation.next_word
    _check_not(group, negation, tokens_in_scope)
    _check_verb(group)
    shared = tuple(to_positive(tokens_in_scope))
    if _is_semi_modal(group, negation):
        yield _with_to(group, negation, shared)
    else:
        yield from _strong_removals(group, negation, forms, shared)
        if following in {"yet", "even", "exactly", "necessarily", "quite"}:
            instead = "already" if following == "yet" else ""
            patches = _verb_patches(group, negation.nbor(), negation, forms, instead=instead)
            reason = f"without not {following}"
            if patches is None:
                raise Refusal("unknown-verb")
            yield PolarityChange((*patches, *shared), reason)
        else:
            yield from _plain_removals(group, negation, forms, shared)


def _check_not(group: VerbGroup, negation: Token, tokens_in_scope: list[Token]) -> None:
    """Refuse if a “not” cannot be removed because of the words it belongs to."""
    following = negation.next_word
    refuse_if(negation.previous_word == "or", "correlative")
    refuse_if(following in FOCUSED_BY_NOT, "focus")
    refuse_if(depends_on_not(negation) or is_corrected(group, tokens_in_scope), "correlative")
    refuse_if(group.is_inverted and not negation.doc.text.rstrip(" \"'”’)").endswith("?"), "inversion")
    refuse_if(is_set_phrase(group), "set-phrase")
    refuse_if(is_of_absence(group), "polarity-item")


def _check_verb(group: VerbGroup) -> None:
    """Refuse if the verb forms without “not” are unknown."""
    first = group.first
    refuse_if(first.lower_ == "ai", "not-sure", "“ain't” may be short for several verbs")
    if first.lower_ not in FINITE_DO or not group.auxiliaries:
        return
    bare = _bare_verb(group)
    refuse_if(bare.tag_ not in {"VB", "VBP"}, "not-sure", f"“{group.verb.text}” does not fit “{first.text}”")
    refuse_if(first.lower_ != "do" and coordinated_verbs(bare, "VB") is None, "coordination")


def _is_semi_modal(group: VerbGroup, negation: Token) -> bool:
    """Whether “need” or “dare” precedes a bare verb, which is possible only with “not” or in questions."""
    first = group.first
    if first.lower_ not in {"need", "dare", "dared"} or negation.i != first.i + 1:
        return False
    following = next((token for token in first.doc.tokens[negation.i + 1 :] if token.tag_ != "RB"), first)
    return following.tag_ in {"VB", "VBP"}


def _with_to(group: VerbGroup, negation: Token, items: tuple[Patch, ...]) -> PolarityChange:
    """“He need not know” becomes “He needs to know”."""
    first, subject = group.first, group.subject
    if subject is None or group.is_inverted or has_word(group.auxiliaries, {"have"}):
        raise Refusal("not-sure", f"“{first.text}” has no such form without “not”")
    form = f"{first.lower_}s" if first.lower_ != "dared" and is_third_singular(subject) else first.lower_
    return PolarityChange((replace_span(first, negation, f"{form} to"), *items), f"{first.lower_} not → {form} to")


def _plain_removals(
    group: VerbGroup, negation: Token, forms: VerbForms, shared: tuple[Patch, ...]
) -> Iterator[PolarityChange]:
    """Yield the clause without “not”, then variants with “do” and with “everything” for “anything”."""
    tokens_in_scope = scope(group.verb, negation)
    anymore = delete_anymore(tokens_in_scope)
    deletions = [patch for patch in (anymore, delete_at_all(negation)) if patch is not None]
    further_patches = (*shared, *_and_patches(group), *deletions)
    patches = _verb_patches(group, negation, negation, forms, instead="still" if anymore is not None else "")
    if patches is None:
        raise Refusal("unknown-verb")
    reason = f"without {negation.lower_}"
    yield PolarityChange((*patches, *further_patches), reason)
    if any(patch.new == "something" for patch in shared):
        everything = tuple(
            patch._replace(new="everything") if patch.new == "something" else patch for patch in further_patches
        )
        yield PolarityChange((*patches, *everything), f"{reason}, anything → everything")
    if _has_do(group) and not group.is_inverted:
        joined = negation.idx == group.first.end
        patch_of_not = replace(negation, "") if joined else delete(negation)
        yield PolarityChange((patch_of_not, *further_patches), f"{reason}, with {group.first.lower_}")
    if negation.i + 2 < len(negation.doc) and negation.nbor().lower_ == "sure" and negation.nbor(2).lower_ == "if":
        yield PolarityChange((*patches, delete(negation.nbor(2)), *further_patches), "not sure if → sure")


def _and_patches(group: VerbGroup) -> tuple[Patch, ...]:
    """“cannot read or write” becomes “can read and write”; verbs with “do” are handled with their forms."""
    if "or" not in group.verb.doc.lowers or group.is_inverted or _has_do(group):
        return ()
    tag = group.verb.tag_
    conjuncts = coordinated_verbs(group.verb, tag)
    are_verbs = conjuncts and all(has_form(verb.lower_, tag) for verb in conjuncts)
    return or_to_and([group.verb, *conjuncts]) if conjuncts and are_verbs else ()


def _verb_patches(
    group: VerbGroup, last: Token, negation: Token, forms: VerbForms, *, instead: str = ""
) -> tuple[Patch, ...] | None:
    """Return the patches that delete “not” (up to `last`) and the “do” that it needed; None if a form is unknown."""
    first = group.first
    if _has_do(group) and not group.is_inverted:
        return _patches_without_do(group, last, negation, forms, instead)
    if negation.idx == first.end and negation.lower_ != "not":  # n't is joined to its verb
        whole = Patch(first.idx, last.end, f"{without_not(first)} {instead}".strip())
        return (whole,)
    if negation.lower_ == "not" and negation.idx == first.end:  # cannot
        return (Patch(negation.idx, last.end, f" {instead}" if instead else ""),)
    return (replace_span(negation, last, instead) if instead else delete_words(negation, last),)


def _patches_without_do(
    group: VerbGroup, last: Token, negation: Token, forms: VerbForms, instead: str
) -> tuple[Patch, ...] | None:
    """“does not like” becomes “likes”; imperatives lose only “do not”."""
    do, verb = group.first, _bare_verb(group)
    tag = {"does": "VBZ", "did": "VBD"}.get(do.lower_, "VB")
    form = forms.verb(verb, tag) if verb.lemma_ != "be" else "be" if tag == "VB" else None
    conjuncts = coordinated_verbs(verb, "VB") or []
    conjunct_patches = inflect_all(conjuncts, forms, tag) if tag in {"VBZ", "VBD"} else []
    if form is None or conjunct_patches is None:
        return None
    start, end = do.idx, last.end
    between = negation.doc.text[end : verb.idx]
    and_patches = or_to_and([verb, *conjuncts]) if conjuncts else ()
    if between.strip():
        # An adverb or another word in between stays, and the verb after it carries the tense.
        deletion = Patch(start, end + (len(between) - len(between.lstrip())), f"{instead} " if instead else "")
        patches: tuple[Patch, ...] = (deletion, replace(verb, form))
    else:
        words = f"{instead} {form}".strip()
        patches = (Patch(start, verb.end, cased_like(do.text, words)),)
    return (*patches, *conjunct_patches, *and_patches)


def _strong_removals(
    group: VerbGroup, negation: Token, forms: VerbForms, shared: tuple[Patch, ...]
) -> Iterator[PolarityChange]:
    """“It's not good at all” becomes “It's really good”, “It's not that good” becomes “It's rather good”."""
    tokens_in_scope = scope(group.verb, negation)
    following = negation.next
    if following is not None and following.lower_ in {"that", "so"} and not _has_do(group):
        patches = _verb_patches(group, following, negation, forms, instead="rather")
        if following.dep_ == "advmod" and following.head.tag_ in {"JJ", "RB"} and patches is not None:
            yield PolarityChange((*patches, *shared), "not that → rather")
        return
    at_all = delete_at_all(negation)
    if at_all is None:
        return
    if following is not None and following.lower_ == "at":
        space = "" if negation.lower_ == "not" else " "  # “isn't at all”
        for word in ("very", "really"):
            yield PolarityChange(
                (replace_span(negation, following.nbor(), space + word), *shared), f"not at all → {word}"
            )
        return
    complement = next((token for token in tokens_in_scope if token.dep_ == "acomp"), None)
    words = ["really"] if complement is None else ["really", "very"]
    if complement is not None and complement.lower_ in _TOTAL:
        words.insert(0, "totally")
    for word in words:
        patches = _verb_patches(group, negation, negation, forms, instead=word)
        if patches is not None:
            yield PolarityChange((*patches, at_all, *shared), f"not … at all → {word}")


def _remove_adverb(group: VerbGroup, never: Token) -> PolarityChange:
    refuse_if(group.is_inverted and not never.doc.text.rstrip().endswith("?"), "inversion")
    refuse_if(never.next_word in {"mind", "ever", "even", "any"}, "set-phrase")
    refuse_if(depends_on_not(never), "correlative")
    patches = tuple(to_positive(scope(group.verb, never)))
    return PolarityChange((delete_words(never, never), *patches), f"without {never.lower_}")


def _has_do(group: VerbGroup) -> bool:
    return bool(group.auxiliaries) and group.first.lower_ in FINITE_DO and _bare_verb(group).tag_ in {"VB", "VBP"}


def _bare_verb(group: VerbGroup) -> Token:
    """Return the verb right after the first auxiliary: “get” in “does not get lost”."""
    return group.auxiliaries[1] if len(group.auxiliaries) > 1 else group.verb


def _negates_clause(token: Token, group: VerbGroup) -> bool:
    """Whether “no” or “nothing” in subject or object negates the clause: not in “a man with no hat”."""
    noun = token.head if token.lower_ == "no" else token
    if token.lower_ == "no" and token.dep_ != "det":
        return False
    if noun.dep_ in PLAIN_SUBJECT_DEPS | {"dobj", "attr", "advmod", "dative"} and noun.head.i == group.verb.i:
        return True
    return token.i == group.first.i + 1 or (noun.dep_ == "dobj" and noun.head.dep_ == "xcomp")


def _possible_negators(group: VerbGroup) -> list[Token]:
    """Return the words that may negate the clause: its subject, the words after the verb, the next word."""
    first = group.first
    following = [first.nbor()] if first.next is not None else []
    return [*_subject_tokens(group), *following, *scope(group.verb, first)]


def _subject_tokens(group: VerbGroup) -> list[Token]:
    subject = group.subject
    if subject is None:
        return []
    nots = [token for token in subject.subtree if token.lower_ in NOT_TOKENS] if group.is_inverted else []
    return [subject, *(child for child in subject.children if child.i < subject.i), *nots]


def _adverb_children(group: VerbGroup) -> list[Token]:
    return [child for child in group.verb.children if child.dep_ in {"advmod", "neg", "preconj", "cc"}]
