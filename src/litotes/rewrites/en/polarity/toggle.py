"""Toggle the polarity of a clause or a fragment: add or remove its negation, with all the words that change along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from litotes.languages.base import word_set
from litotes.languages.en.function_words import CAUSAL_CONJUNCTIONS, UNTIL_CONJUNCTIONS
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.morphology.contractions import full_form, is_contracted, with_not
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import NEGATIVE_INDEFINITES
from litotes.languages.en.nouns import MASS_IN_PRAISE, MASS_NOUNS
from litotes.languages.en.pronouns import ARTICLES, INDEFINITE_ARTICLES
from litotes.languages.en.quantifiers import UNIVERSAL_DETERMINERS
from litotes.languages.en.syntax.question_tags import QuestionTag, question_tag_of
from litotes.languages.en.syntax.verb_groups import VerbGroup, verb_group
from litotes.languages.en.verbs import NEG_RAISING_VERBS
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token, cached_on_doc, has_word
from litotes.rewrites.base import Refusal, Sentence, Skip, refuse_if
from litotes.rewrites.en.grammar.clauses import is_verb, predicate_of
from litotes.rewrites.en.polarity.add import add_negation
from litotes.rewrites.en.polarity.negative_words import delete_words
from litotes.rewrites.en.polarity.polarity_change import (
    FOCUS_ADVERBS,
    ChangeOrSkip,
    ContractionStyle,
    PolarityChange,
    VerbForms,
    WordSwap,
    base_form,
)
from litotes.rewrites.en.polarity.polarity_items import delete_at_all, ends_clause, has_positive_item, to_negative
from litotes.rewrites.en.polarity.remove import POLARITY_ITEMS, is_negative, remove_negation
from litotes.rewrites.en.polarity.special_clauses import is_linked_command, negate_quantified_subject
from litotes.rewrites.patches import Patch, delete, insert_after, insert_before, patched, replace

POLARITY_SKIPS = {
    "several-sentences": "the text has several sentences, and negating one does not negate the whole",
    "not-a-clause": "no clause was found that could be negated",
    "negative-word": "a negative word cannot be removed or replaced on its own",
    "focus": "“not” would negate one adverb (only, even, almost) and not the clause",
    "quantifier": "“not” would not negate the amount in the subject",
    "inversion": "the verb precedes the subject, and the sentence is not a question",
    "wh-question": "a question about a place, time or manner has no negation",
    "coordination": "another verb or clause depends on this one and does not fit its negation",
    "polarity-item": "words that need the negation (at all, ever, any) would be left over",
    "correlative": "“not” belongs to a “but”, “nor” or “until”",
    "set-phrase": "the negation is part of a set phrase",
    "unknown-verb": "the dictionary does not know the form of the verb",
    "not-sure": "the sentence is ambiguous",
}
"""Skip codes of the rules that toggle polarity."""
_HOPING_WORDS = word_set("hope guess suppose fear presume afraid")
"""They take “not” as an answer and are not negated themselves: “I hope not”, but “I don't think so”."""
_OPINION_WORDS = _HOPING_WORDS | NEG_RAISING_VERBS | {"say", "seem", "appear", "assume"}
_OPPOSITE_ANSWER = {"so": "not", "not": "so"}
_PLAIN_FORMS = VerbForms()
"""Forms without a replaced word."""


class Toggle(NamedTuple):
    """Patches that toggle the polarity of a clause; a replaced word is among them."""

    patches: tuple[Patch, ...]
    reason: str
    is_local: bool = False
    """Whether “not” is put before a word because the text has no verb to negate."""


def toggle_word(
    sentence: Sentence,
    word: Token,
    *,
    contractions: ContractionStyle = "keep",
    swap: WordSwap | None = None,
    clause_is_done: bool = False,
) -> Iterator[Toggle | Skip]:
    """Yield the ways to toggle the clause of a word, or the word alone, best first.

    `swap` is a word to be replaced at the same time. With `clause_is_done` only the word itself is negated.
    """
    predicate = predicate_of(word)
    group = None if predicate is None else verb_group(predicate)
    start = _start_of_phrase(word)
    preceding_not = start.previous if start.previous_word == "not" else None
    if preceding_not is not None and (group is None or group.negation is not preceding_not):
        yield _finish(PolarityChange((delete(preceding_not),), "without not"), VerbForms(swap), None)
        return
    if group is not None:
        if not clause_is_done:
            yield from toggle_clause(sentence, group, contractions=contractions, swap=swap, at_word=True)
        if is_negative(group):
            return
    if word.pos_ in {"ADJ", "ADV"}:
        yield _finish(
            PolarityChange((_not_before(start),), "not before the word"), VerbForms(swap), None, is_local=True
        )


def toggle_clause(
    sentence: Sentence,
    group: VerbGroup,
    *,
    contractions: ContractionStyle = "keep",
    swap: WordSwap | None = None,
    at_word: bool = False,
) -> Sequence[Toggle | Skip]:
    """Return the ways to remove the negation of a clause, or to add one if it has none."""
    if at_word and negate_quantified_subject(group) is None:
        at_word = False  # without effect here, and rules share the cached result
    return _clause_toggles(sentence, group, contractions, VerbForms(swap), at_word=at_word)


@cached_on_doc
def _clause_toggles(
    sentence: Sentence, group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[Toggle | Skip]:
    tag = _own_tag(sentence, group)
    # The changes of a clause are shared by all rules, unless one of its verbs is replaced.
    replaces_verb = forms.swap is not None and forms.swap.token.is_verbal
    changes = _clause_changes(group, style, forms if replaces_verb else _PLAIN_FORMS, at_word=at_word)
    return [_finish(change, forms, tag) for change in changes] or [Skip("negative-word")]


@cached_on_doc
def _clause_changes(
    group: VerbGroup, style: ContractionStyle, forms: VerbForms, *, at_word: bool
) -> Sequence[ChangeOrSkip]:
    changes: list[ChangeOrSkip] = []
    expands = style == "expand" and is_contracted(group.first)
    try:
        refuse_if(is_linked_command(group), "coordination")
        answer = _swap_so_and_not(group)
        if answer is not None:
            return [answer]
        negative = is_negative(group)
        for change in remove_negation(group, forms) if negative else add_negation(group, style, forms, at_word=at_word):
            changes.append(_with_full_verb(change, group) if expands else change)
    except Refusal as refusal:
        changes.append(refusal.skip)
    return changes


def _with_full_verb(change: ChangeOrSkip, group: VerbGroup) -> ChangeOrSkip:
    """Add the full form of a contracted verb to a change, unless the verb is changed already."""
    first = group.first
    if isinstance(change, Skip) or any(patch.start < first.end and first.idx < patch.end for patch in change.patches):
        return change
    return change._replace(patches=(replace(first, f" {full_form(first, group.verb)}"), *change.patches))


def _finish(
    change: ChangeOrSkip, forms: VerbForms, tag: QuestionTag | None, *, is_local: bool = False
) -> Toggle | Skip:
    if isinstance(change, Skip):
        return change
    patches = _without_overlaps(change.patches)
    if forms.swap is not None:
        completed = forms.completed(patches)
        if completed is None or len(_without_overlaps(completed)) < len(completed):
            return Skip("not-sure", "the other word has no suitable form")
        patches = completed
    return Toggle((*patches, *_question_tag_patches(tag)), change.reason, is_local)


def apply_toggle(sentence: Sentence, toggle: Toggle) -> str:
    """Return the text with a toggle applied."""
    return _patched(sentence, toggle.patches)


@cached_on_doc
def _patched(sentence: Sentence, patches: tuple[Patch, ...]) -> str:
    return patched(sentence.text, patches)


def _question_tag_patches(tag: QuestionTag | None) -> tuple[Patch, ...]:
    if tag is None:
        return ()
    verb = Patch(tag.verb_start, tag.verb_end, tag.turned)
    return (verb, Patch(tag.not_start, tag.not_end, "")) if tag.not_end > tag.not_start else (verb,)


def toggle_tag(sentence: Sentence, group: VerbGroup) -> tuple[Patch, ...]:
    """Return the patches that toggle the question tag of a clause."""
    return _question_tag_patches(_own_tag(sentence, group))


def _own_tag(sentence: Sentence, group: VerbGroup) -> QuestionTag | None:
    tag = question_tag_of(sentence.doc)
    if tag is None or not _has_tag(group, tag):
        return None
    if group.verb.lemma_ == "have" and not group.auxiliaries and not is_negative(group):
        return tag.with_do  # “He has a car, hasn't he?”: the negation has “does”, and so has its tag
    return tag


def _without_overlaps(patches: tuple[Patch, ...]) -> tuple[Patch, ...]:
    """Drop patches that overlap with an earlier one: “not yet” takes its “yet” along."""
    if len(patches) == 1:
        return patches
    distinct: list[Patch] = []
    for patch in patches:
        if not any(patch.start < earlier.end and earlier.start < patch.end for earlier in distinct):
            distinct.append(patch)
    return tuple(distinct)


def _has_tag(group: VerbGroup, tag: QuestionTag) -> bool:
    """Whether the tag belongs to this clause: it is right before the tag and has the opposite polarity."""
    return group.verb.idx < tag.start and is_negative(group) != tag.is_negative


def _start_of_phrase(word: Token) -> Token:
    """Return the word, or the first of the adverbs of degree right before it."""
    start, before = word, word.previous
    while before is not None and before.head is word and before.dep_ == "advmod" and before.lower_ != "not":
        start, before = before, before.previous
    return start


def _not_before(start: Token) -> Patch:
    if start.text[:1].isupper() and start.i == start.sent.start:
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


def _swap_so_and_not(group: VerbGroup) -> PolarityChange | None:
    """Toggle “I hope so” and “I hope not”; None for any other clause."""
    if group.verb.doc.lowers.isdisjoint(_OPPOSITE_ANSWER):
        return None
    word = next((candidate for candidate in _opinion_words(group) if candidate.next is not None), None)
    if word is None or word.next_word not in _OPPOSITE_ANSWER:
        return None
    answer = word.nbor()
    lemma = base_form(word) or word.lower_
    if lemma not in (_HOPING_WORDS if answer.lower_ == "so" else _OPINION_WORDS):
        return None
    following = answer.next or answer
    refuse_if(following.lower_ in {"too", "either"}, "set-phrase")
    if not ends_clause(answer) or following.dep_ == "mark":
        return None  # an adverb: “I hope so much …”, “I say so because …”
    new = _OPPOSITE_ANSWER[answer.lower_]
    return PolarityChange((replace(answer, new),), f"{answer.lower_} → {new}")


def _opinion_words(group: VerbGroup) -> list[Token]:
    verb = group.verb
    if group.subject is None or group.is_inverted or (group.negation is not None and group.negation.i < verb.i):
        return []
    return [child for child in verb.rights if child.lower_ == "afraid"] if group.is_copula else [verb]


_NOT_DESCRIPTIONS = NEGATIVE_INDEFINITES | word_set("no never how what such so but")
"""Words of fragments that are not descriptions: exclamations, answers, contrasts."""
_CORRELATIVES = UNTIL_CONJUNCTIONS | CAUSAL_CONJUNCTIONS | {"only", "unless", "merely", "just"}
_AFTER_NOT = word_set("to even yet once that if when so at long too again")
"""Words after an initial “not” that belong to it; the rest cannot be a sentence."""
_MINIMAL_NOUNS = word_set("soul chance word single thing clue bit peep sound penny hope")
"""Nouns of minimal amounts, which take “not”: “Not a soul was there”."""
_NOUNS_IN_ING = word_list("nouns in ing")
_POSSESSIVE_ENDINGS = frozenset({"'s", "’s"})
_QUANTIFIERS = UNIVERSAL_DETERMINERS | word_set("some any no many few most")
_GREETINGS = word_set("night day morning evening afternoon luck bye year birthday christmas weekend grief god")
"""Nouns of greetings, which are not negated: “Good luck”, “Happy birthday”."""


def toggle_fragment(sentence: Sentence, *, contractions: ContractionStyle = "keep") -> Toggle:
    """Return the way to toggle a sentence that has no verb."""
    copula = _contracted_copula(sentence)
    if copula is not None:
        return _negate_contracted(copula, contractions)
    nots = [token for token in sentence.doc if token.lower_ == "not"]
    is_initial = sentence.doc[0].lower_ == "not"
    if is_initial:
        _check_initial_not(sentence)
    refuse_if(any(token.head.is_verbal for token in nots) and not is_initial, "not-a-clause")
    if (len(nots) == 1 or is_initial) and nots[0].next is not None and nots[0].next.is_alpha:
        return _remove_not(nots[0])
    refuse_if(len(sentence.roots) != 1 or nots, "not-a-clause")
    root = sentence.roots[0]
    is_question = sentence.is_question and root.pos_ != "ADJ"
    if is_question or any(
        token.lower_ in _NOT_DESCRIPTIONS or token.dep_ in {"conj", "ccomp"} for token in root.subtree
    ):
        raise Refusal("not-a-clause")
    if root.pos_ == "ADJ" and root.tag_ == "JJ":
        return Toggle((_put_not_before(root.left_edge if _has_only_adverbs(root) else root),), "not before the word")
    refuse_if(root.tag_ != "NN" or not _is_judgement(root), "not-a-clause")
    return _negate_judgement(root)


def _negate_judgement(root: Token) -> Toggle:
    """“Good idea.” becomes “Not a good idea.”, “Bad news.” becomes “Not bad news.”"""
    first = root.left_edge
    is_mass = root.lower_ in MASS_NOUNS or root.lower_ in MASS_IN_PRAISE
    if first.lower_ in INDEFINITE_ARTICLES or (is_mass and first.pos_ == "ADJ"):
        return Toggle((_put_not_before(first),), "not before the words")
    if first.pos_ == "ADJ" and not first.is_sent_start:
        return Toggle((insert_before(first, f"not {indefinite_article(first.text)}"),), "not a")
    if first.pos_ == "ADJ":
        return Toggle((replace(first, f"Not {indefinite_article(first.text)} {first.lower_}"),), "not a")
    raise Refusal("not-a-clause")


def _check_initial_not(sentence: Sentence) -> None:
    """Refuse if an initial “not” is needed: “Not only is he late, …”, “Not until noon did he wake up”."""
    following = sentence.doc[1].lower_ if len(sentence.doc) > 1 else ""
    refuse_if(following in _CORRELATIVES, "correlative")
    if following in _AFTER_NOT or (
        following == "a" and len(sentence.doc) > 2 and sentence.doc[2].lower_ in _MINIMAL_NOUNS
    ):
        raise Refusal("set-phrase")
    is_inverted = any(is_verb(root) and verb_group(root).is_inverted for root in sentence.roots)
    refuse_if(is_inverted and not sentence.is_question, "inversion")


def _contracted_copula(sentence: Sentence) -> Token | None:
    """Return the “'s” that the parser takes for a possessive: “Something's wrong.”, “The dog's barking.”"""
    if sentence.doc.lowers.isdisjoint(_POSSESSIVE_ENDINGS):
        return None
    for token in sentence.doc[1:-1]:
        if token.lower_ in _POSSESSIVE_ENDINGS and token.tag_ == "POS" and token.nbor().lower_ != "not":
            checks = (_precedes_predicate, _has_no_possession, _precedes_participle)
            return token if any(is_copula(token) for is_copula in checks) else None
    return None


def _precedes_predicate(copula: Token) -> bool:
    """Whether the next word is not in a noun phrase with the owner: “Something's wrong.”, “Tom's a doctor.”"""
    following = copula.nbor()
    if following.lower_ in ARTICLES or (following.tag_ == "IN" and copula.head.dep_ == "ROOT"):
        return True
    return following.pos_ in {"ADJ", "ADV"} and following.head.pos_ not in {"NOUN", "PROPN"}


def _has_no_possession(copula: Token) -> bool:
    """Whether no noun follows that could be owned: “Tom's late.”, “My brother's here.”"""
    owner = copula.head
    if owner.dep_ != "ROOT" or owner.i != copula.i - 1:
        return False
    following = [token for token in copula.doc.tokens[copula.i + 1 :] if not token.is_punct]
    return bool(following) and all(token.pos_ in {"ADJ", "ADV"} and token.is_alpha for token in following)


def _precedes_participle(copula: Token) -> bool:
    """Whether the next word is rather a verb: “The dog's barking.”, not “Tom's painting of a dog.”"""
    participle = copula.nbor()
    if (
        participle.dep_ != "ROOT"
        or participle.lower_ in _NOUNS_IN_ING
        or not copula.doc.text.rstrip().endswith((".", "!"))
    ):
        return False
    following = [token for token in copula.doc.tokens[participle.i + 1 :] if not token.is_punct]
    return not following and participle.lower_.endswith("ing") and has_form(participle.lower_, "VBG")


def _negate_contracted(copula: Token, style: ContractionStyle) -> Toggle:
    """Put “not” after an “'s” that means “is”, in the given style."""
    refuse_if(copula.nbor().lower_ in FOCUS_ADVERBS | {"still", "already", "just", "never", "ever"}, "focus")
    owner = copula.nbor(-1)
    # “Everybody's in bed.”
    if owner.lower_.startswith(("every", "some", "any", "no")) or owner.left_edge.lower_ in _QUANTIFIERS:
        raise Refusal("quantifier")
    items = to_negative(copula.doc.tokens[copula.i + 1 :]) if has_positive_item(copula.doc) else ()
    if style == "contract":
        patch = replace(copula, f" {with_not('is', copula.doc)}")
    else:
        patch = replace(copula, " is not") if style == "expand" else insert_after(copula, "not")
    return Toggle((patch, *items), "not after is")


def _is_judgement(root: Token) -> bool:
    """Whether a noun is short praise or blame: “Good idea.”, not “UNLIMITED POWER” or “Best day ever”."""
    if root.lower_ in _GREETINGS or has_word(root.lefts, {"ol", "ol'", "old", "same"}):
        return False
    has_adjective = any(child.dep_ == "amod" and child.tag_ == "JJ" for child in root.children)
    return has_adjective and len(root.doc) <= 6 and not any(token.is_upper and len(token) > 1 for token in root.subtree)


def _has_only_adverbs(root: Token) -> bool:
    """Whether only adverbs of degree precede the word: “very good”."""
    return all(token.dep_ == "advmod" for token in root.doc[root.left_edge.i : root.i])


def _put_not_before(start: Token) -> Patch:
    if start.text[:1].isupper() and start.text != "I":
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


def _remove_not(negator: Token) -> Toggle:
    """Remove the “not” of a fragment and the “at all” that belongs to it."""
    at_all = delete_at_all(negator)
    following = [token for token in negator.doc.tokens[negator.i + 1 :] if at_all is None or token.idx < at_all.start]
    refuse_if(has_word(following, POLARITY_ITEMS), "polarity-item")
    deletion = delete_words(negator, negator)
    return Toggle((deletion,) if at_all is None else (deletion, at_all), "without not")
