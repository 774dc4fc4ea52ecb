"""Add a negation to a clause: after an auxiliary, with “do”, in imperatives, existentials and questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from litotes.languages.base import word_set
from litotes.languages.en.modifiers import OCCASIONAL_ADVERBS
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.contractions import full_form, is_contracted, uses_contractions, with_not
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import IMPERSONAL_PRONOUNS, PERSONAL_SUBJECTS
from litotes.languages.en.syntax.verb_groups import VerbGroup
from litotes.languages.en.verbs import COMMON_STATE_VERBS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token
from litotes.rewrites.base import Refusal, Skip, refuse_if
from litotes.rewrites.en.polarity.coordination import conjunctions_of, coordinated_verbs, has_contrast
from litotes.rewrites.en.polarity.polarity_change import (
    FOCUS_ADVERBS,
    INVARIANT_VERBS,
    ContractionStyle,
    PolarityChange,
    VerbForms,
    adverbs_after,
    adverbs_before,
    do_form,
    finite_tag,
    inflect_all,
    is_third_singular,
    negative_items,
    not_patches,
)
from litotes.rewrites.en.polarity.special_clauses import (
    is_lets,
    is_question,
    negate_existential,
    negate_imperative,
    negate_lets,
    negate_quantified_subject,
    negate_question,
    start_of_sentence,
    starts_with_question_word,
)
from litotes.rewrites.patches import Patch, delete, insert_after, insert_before, replace

_ADVERBS_BEFORE_NOT = word_list("adverbs before not")
"""Adverbs outside the scope of the negation: “he is probably not here”."""
_FOCUS_OR_TIME = FOCUS_ADVERBS | OCCASIONAL_ADVERBS | {"ever"}
_POSSIBLE_SUBJECTS = PERSONAL_SUBJECTS | IMPERSONAL_PRONOUNS
_POINTERS = frozenset({"here", "there"})
_NOT_PREDICATES = frozenset({"and", "or", "but", "kind", "sort", "kinda", "sorta"})
_NEGATIVE_COUNTERPARTS = {"still": "no longer", "sometimes": "never", "occasionally": "never"}
"""Adverbs that are negated by another adverb."""
_STATE_VERBS = COMMON_STATE_VERBS | {"mean", "seem", "wish"}
_STRONG_DEGREE = frozenset({"really", "very", "totally", "absolutely", "completely"})
_MODERATE_DEGREE = frozenset({"rather", "pretty", "quite"})
_DEGREES = _STRONG_DEGREE | _MODERATE_DEGREE
_VERBS_AFTER_THERE = word_set("exist seem appear remain use need happen tend have ought be get follow arise result")
_POINTING_VERBS = word_set("go come be")
_SUBJECTS_OF_WISHES = word_set("god lord heaven heavens allah goodness fortune devil jesus christ")
"""Subjects of blessings if the verb does not agree: “God bless you”, “Heaven forbid”."""
_FRAME_SUBJECTS = word_set("thing problem point fact truth chance chances odds")


def add_negation(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool = False
) -> Iterable[PolarityChange]:
    """Return the ways to negate the clause of a verb group, best first."""
    subject = group.subject
    if is_lets(group.verb):
        return [negate_lets(group.verb)]
    refuse_if(has_contrast(group), "correlative")
    is_expletive = subject is not None and subject.dep_ == "expl"
    if not is_expletive and group.is_inverted:
        return [negate_question(group, style)]
    if is_expletive and group.is_copula:
        return negate_existential(group, style)
    if group.is_finite:
        return _negate_finite(group, style, forms, at_word=at_word)
    if subject is None and group.verb.tag_ == "VB" and not group.auxiliaries:
        return [negate_imperative(group, style, forms)]
    return [_negate_nonfinite(group)]


def _negate_finite(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Iterator[PolarityChange]:
    refuse_if(group.first.lower_ == "be" or _is_pointing(group), "not-a-clause")
    refuse_if(_is_presentational(group), "inversion")
    refuse_if(starts_with_question_word(group), "wh-question")
    refuse_if(_is_hidden_question(group), "inversion")
    if group.subject is None and group.verb.dep_ == "ROOT" and not group.first.is_sent_start:
        raise Refusal("not-a-clause")
    quantified = None if at_word else negate_quantified_subject(group)
    if isinstance(quantified, Skip):
        raise Refusal(*quantified)
    if quantified is not None:
        yield quantified
    yield from _negate_auxiliary(group, style) if group.takes_not_directly else _negate_with_do(group, style, forms)


def _is_pointing(group: VerbGroup) -> bool:
    """Whether the sentence points at something, which cannot be denied: “Here is the key”, “There he goes”."""
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
        and group.verb.lemma_ in _POINTING_VERBS
        and subject is not None
        and subject.tag_ == "PRP"
        and subject.i == start.i + 1
    )


def _is_presentational(group: VerbGroup) -> bool:
    """Whether “there” precedes a verb that “do” cannot negate: “There goes the bus”, “There lived a king”."""
    subject = group.subject
    if subject is None or subject.dep_ != "expl" or subject.lower_ != "there":
        return False
    return not group.takes_not_directly and group.verb.lemma_ not in _VERBS_AFTER_THERE


def _is_hidden_question(group: VerbGroup) -> bool:
    """Whether a subject follows the verb, although the parser takes it for something else."""
    first, subject = group.first, group.subject
    if subject is None and first.is_sent_start and group.auxiliaries and is_question(group):
        return True
    following = first.next
    if following is None or following.lower_ not in _POSSIBLE_SUBJECTS:
        return False
    if following.dep_ == "dobj" and subject is not None and subject.tag_ == "PRP" and subject.i < first.i:
        return False  # “You like it, don't you?”
    return is_question(group) or (bool(group.auxiliaries) and following.lower_ in PERSONAL_SUBJECTS)


def _negate_auxiliary(group: VerbGroup, style: ContractionStyle) -> Iterable[PolarityChange]:
    first = group.first
    anchor = _anchor_of_not(group)
    adverbs = adverbs_after(group, first.i + 1)
    _check_not(group, anchor, adverbs)
    replaced = list(_replaced_adverb(group, adverbs, style)) if adverbs else []
    if replaced and "still" not in replaced[0].reason:
        return replaced
    items = negative_items(group, anchor)
    if anchor is not first:
        return [*replaced, PolarityChange((insert_after(anchor, "not"), *items), f"not after {anchor.lower_}")]
    reason = f"not after {full_form(first, group.verb)}"
    nots = not_patches(group, style)
    return [*replaced, *(PolarityChange((patch, *items), reason) for patch in nots), *_degree_changes(group, nots)]


def _anchor_of_not(group: VerbGroup) -> Token:
    """Return the token that “not” follows: the first auxiliary, or an adverb outside the negation."""
    first = anchor = group.first
    for following in islice(first.doc.tokens, first.i + 1, None):
        lower = following.lower_
        if lower not in _ADVERBS_BEFORE_NOT or following.tag_ != "RB":
            is_rather = lower in {"rather", "better"} and full_form(first, group.verb) in {"would", "had"}
            return following if is_rather else anchor
        if lower == "also" and first.lower_ in {"can", "could", "may"}:
            break  # "can also not" allows what "cannot also" forbids
        anchor = following
    return anchor


def _check_not(group: VerbGroup, anchor: Token, adverbs: list[Token]) -> None:
    """Refuse if “not” cannot follow an auxiliary and its adverbs."""
    refuse_if(_is_frame(group) or _has_at_last(group), "set-phrase")
    following = anchor.next_word
    refuse_if(following in _NOT_PREDICATES, "not-a-clause")
    is_focused = following in FOCUS_ADVERBS or any(
        adverb.lower_ == "ever" or adverb.lower_ in FOCUS_ADVERBS for adverb in adverbs
    )
    refuse_if(is_focused, "focus")


def _replaced_adverb(group: VerbGroup, adverbs: list[Token], style: ContractionStyle) -> Iterator[PolarityChange]:
    """Yield “no longer” for “still”, “never” for “sometimes”, “not yet” for “already”."""
    first = group.first
    for adverb in adverbs:
        if adverb.lower_ in _NEGATIVE_COUNTERPARTS and adverb is adverbs[-1]:
            new = _NEGATIVE_COUNTERPARTS[adverb.lower_]
            yield PolarityChange((replace(adverb, new), *negative_items(group, adverb)), f"{adverb.lower_} → {new}")
        elif adverb.lower_ == "already":
            short = with_not(full_form(first, group.verb), first.doc) if style == "contract" else None
            patches = [replace(adverb, "yet" if short else "not yet")]
            if short:
                patches.insert(0, replace(first, (" " if is_contracted(first) else "") + cased_like(first.text, short)))
            yield PolarityChange((*patches, *negative_items(group, adverb)), "already → not yet")


def _is_frame(group: VerbGroup) -> bool:
    """Whether the clause only frames another statement: “Thing is, …”, “It's a little …”."""
    first, subject, tokens = group.first, group.subject, group.first.doc.tokens
    index = first.i + 2
    if index < len(tokens) and tokens[index - 1].lower_ == "a" and tokens[index].lower_ in {"little", "bit"}:
        return True
    if subject is None or subject.lower_ not in _FRAME_SUBJECTS or not group.is_copula:
        return False
    return any(child.dep_ in {"ccomp", "advcl"} and child.i > first.i for child in group.verb.children)


def _has_at_last(group: VerbGroup) -> bool:
    """Whether “at last” says that something expected has happened."""
    return "last" in group.verb.doc.lowers and any(
        token.lower_ == "last" and token.previous_word == "at" for token in group.verb.subtree
    )


def _degree_changes(group: VerbGroup, patches_of_not: list[Patch]) -> Iterator[PolarityChange]:
    """Yield “It's not bad at all” for “It's really bad”, and “not that bad” for “rather bad”."""
    if group.verb.doc.lowers.isdisjoint(_DEGREES):
        return
    complement = group.verb.child("acomp", "attr")
    if complement is None or group.first.i + 1 >= len(group.verb.doc):
        return
    following, degree = group.first.nbor(), complement.left_edge
    strong = following if following.lower_ in _STRONG_DEGREE and following.i < complement.i else None
    for patch in patches_of_not:
        if strong is not None:
            at_all = insert_after(complement if complement.dep_ == "acomp" else complement.right_edge, "at all")
            yield PolarityChange((patch, delete(strong), at_all), f"{strong.lower_} → not … at all")
        elif degree.lower_ in _MODERATE_DEGREE and degree.i < complement.i:
            yield PolarityChange((patch, replace(degree, "that")), f"{degree.lower_} → not that")


def _negate_with_do(group: VerbGroup, style: ContractionStyle, forms: VerbForms) -> Iterable[PolarityChange]:
    verb = group.first  # “gets” in “gets lost” cannot be followed by “not”
    adverbs = adverbs_before(group)
    tag = finite_tag(group)
    _check_verb(group, adverbs)
    _check_form(group, tag)
    conjuncts = coordinated_verbs(group.verb, tag)
    if conjuncts is None:
        raise Refusal("coordination", "it is not clear which other verbs would have to change")
    refuse_if(conjuncts and _are_contrasted([verb, *conjuncts]), "coordination")
    if verb.lower_ == "ought":
        return [PolarityChange((insert_after(verb, "not"), *negative_items(group, verb)), "not after ought")]
    if verb.lemma_ == "do" and not any(child.dep_ in {"dobj", "advmod", "prep"} for child in verb.rights):
        return [PolarityChange((insert_after(verb, "not"),), "not after do")]  # "I did."
    replaced = next((adverb for adverb in adverbs if adverb.lower_ in _NEGATIVE_COUNTERPARTS), None)
    if replaced is not None:
        new = cased_like(replaced.text, _NEGATIVE_COUNTERPARTS[replaced.lower_])
        patches = (replace(replaced, new), *negative_items(group, verb))
        return [PolarityChange(patches, f"{replaced.lower_} → {new.lower()}")]
    base = forms.verb(verb, "VB")
    conjunct_patches = inflect_all(conjuncts, forms, "VB") if tag != "VBP" else []
    if base is None or conjunct_patches is None:
        raise Refusal("unknown-verb", f"the dictionary does not know the verb form “{verb.text}”")
    adverbs += _both(verb)
    negated_adverbs = [
        adverb for adverb in adverbs if adverb.lower_ not in _ADVERBS_BEFORE_NOT or _is_recent(adverb, group)
    ]
    further_patches = (*conjunct_patches, *negative_items(group, verb))
    return [
        PolarityChange(
            (*_do_patches(verb, adverbs, negated_adverbs, do_not, base), *further_patches), f"{do_not} before {base}"
        )
        for do_not in _do_not_forms(verb, tag, style)
    ]


def _do_not_forms(verb: Token, tag: str, style: ContractionStyle) -> list[str]:
    """Return “do not” or “don't” for the tag of a verb; to keep a style, also the other one."""
    do = do_form(tag)
    full = f"{do} not"
    contracted = with_not(do, verb.doc) or full
    if style == "keep":
        return [contracted, full] if uses_contractions(verb.doc) else [full, contracted]
    return [contracted if style == "contract" else full]


def _check_verb(group: VerbGroup, adverbs: list[Token]) -> None:
    """Refuse if “do” cannot precede a verb and its adverbs."""
    verb, subject = group.first, group.subject
    following = verb.next_word
    refuse_if(verb.lower_ == "got" and following in {"ta", "to"}, "not-sure", "“got to” cannot be negated")
    if subject is None and not verb.is_sent_start:
        raise Refusal("not-a-clause")
    # “God knows”
    refuse_if(subject is not None and subject.lower_ in _SUBJECTS_OF_WISHES and verb.lemma_ == "know", "set-phrase")
    if following == "yet" or (verb.i and verb.nbor(-1).tag_ == "POS"):
        raise Refusal("not-sure", "“have yet to”, or an “'s” that may be “has” or “is”")
    if verb.doc.lowers.isdisjoint(_FOCUS_OR_TIME):
        return
    adverb_words = {adverb.lower_ for adverb in adverbs}
    words_before = adverb_words | {child.lower_ for child in group.verb.lefts if child.i < verb.i}
    is_replaced = not _NEGATIVE_COUNTERPARTS.keys().isdisjoint(adverb_words)
    refuse_if(not (is_replaced or words_before.isdisjoint(_FOCUS_OR_TIME)), "focus")


def _check_form(group: VerbGroup, tag: str) -> None:
    """Refuse if a present tense is doubtful."""
    verb, subject = group.first, group.subject
    if tag != "VBP":
        return
    if subject is not None and subject.pos_ == "PRON" and is_third_singular(subject):
        raise Refusal("not-sure", f"“{subject.text} {verb.text}” does not agree")
    refuse_if(subject is not None and subject.lower_ in _SUBJECTS_OF_WISHES, "set-phrase")
    refuse_if(verb.lower_ in INVARIANT_VERBS, "not-sure", f"“{verb.text}” may be present or past")


def _are_contrasted(verbs: list[Token]) -> bool:
    linked = conjunctions_of(verbs)
    return not linked or any(link in {"but", "yet"} for link in linked)


def _both(verb: Token) -> list[Token]:
    """Return the “both” right before a verb, which “not” precedes: “does not both smoke and drink”."""
    before = verb.nbor(-1) if verb.i else verb
    return [before] if before.dep_ == "preconj" and before.lower_ == "both" else []


def _is_recent(adverb: Token, group: VerbGroup) -> bool:
    """Whether “just” is temporal (“he just left”), so that it follows “not”."""
    return adverb.lower_ == "just" and group.verb.tag_ == "VBD" and group.verb.lemma_ not in _STATE_VERBS


def _do_patches(
    verb: Token, adverbs: list[Token], negated_adverbs: list[Token], do_not: str, base: str
) -> tuple[Patch, ...]:
    """Return the patches that put “do not” before the verb and the adverbs in its scope."""
    already = next((adverb for adverb in adverbs if adverb.lower_ == "already"), None)
    if already is not None:
        return (replace(already, f"{do_not} yet"), replace(verb, base))
    if not negated_adverbs or negated_adverbs[-1].i != verb.i - 1:
        return (replace(verb, cased_like(verb.text, f"{do_not} {base}")),)
    start = _first_adjacent(negated_adverbs)
    if start.text[:1].isupper():
        return (replace(start, f"{cased_like(start.text, do_not)} {start.lower_}"), replace(verb, base))
    return (insert_before(start, do_not), replace(verb, base))


def _negate_nonfinite(group: VerbGroup) -> PolarityChange:
    """Negate infinitives and participles, “not to go”, “not going”, and the subjunctive, “that he not be”."""
    first = group.first
    refuse_if(first.tag_ not in {"VBG", "TO", "VB"}, "not-a-clause")
    refuse_if(first.tag_ == "VB" and not group.verb.has_child("mark"), "not-a-clause")
    start = first
    for adverb in reversed(adverbs_before(group)):
        refuse_if(adverb.lower_ in FOCUS_ADVERBS | {"just"}, "focus")
        start = adverb
    # gotta, wanna
    if start.i and not start.nbor(-1).whitespace_ and not start.nbor(-1).is_punct:
        raise Refusal("not-sure", "the words are run together")
    is_root = group.verb.dep_ == "ROOT"
    # “To be or not to be.”
    refuse_if(is_root and (not start.is_sent_start or not NOT_TOKENS.isdisjoint(group.verb.doc.lowers)), "not-a-clause")
    is_capitalised = start.text[:1].isupper() and start.i == start.sent.start
    items = negative_items(group, first)
    if is_capitalised:
        return PolarityChange((replace(start, f"Not {start.lower_}"), *items), "participle")
    return PolarityChange((insert_before(start, "not"), *items), "not before a verb without tense")


def _first_adjacent(adverbs: list[Token]) -> Token:
    """Return the first of the adverbs that precede the verb without a gap."""
    first = adverbs[-1]
    for adverb in reversed(adverbs):
        if adverb.i in {first.i, first.i - 1}:
            first = adverb
    return first
