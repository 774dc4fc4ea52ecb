"""Fragments: sentences without a verb, such as “Yeah, good.”"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.morphology.articles import article
from litotes.languages.en.morphology.contractions import with_not
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.nouns import MASS_IN_PRAISE, MASS_NOUNS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.en.grammar.clauses import is_verb
from litotes.rewrites.en.polarity.do_support import ContractionStyle
from litotes.rewrites.en.polarity.polarity_change import FOCUS_ADVERBS
from litotes.rewrites.en.polarity.polarity_items import delete_at_all, has_positive_item, to_negative
from litotes.rewrites.en.polarity.remove import POLARITY_ITEMS
from litotes.rewrites.en.polarity.toggle import Toggle
from litotes.rewrites.patches import Patch, delete, insert_after, insert_before, replace

if TYPE_CHECKING:
    from litotes.languages.tree import Token

_NO_FRAGMENT = frozenset("no nothing never nobody none how what such so but".split())
"""Words that make a fragment something else than a description: an exclamation, an answer, a contrast."""
_WITH_NOT = frozenset("only until till since unless merely because just".split())
_AFTER_NOT = frozenset("to even yet once that if when so at long too again".split())
_LEAST = frozenset("soul chance word single thing clue bit peep sound penny hope".split())
"""“Not a soul was there”: of the least there is, only “not” is said."""
"""After a “not” that opens a text: it belongs to this word, and the rest cannot stand alone."""
_THINGS_IN_ING = frozenset(
    "building painting drawing wedding meeting feeling thing king ring wing string evening morning ceiling saying"
    " clothing earring writing beginning ending opening".split()
)
_OF_OWNER = frozenset({"'s", "’s"})
_AMOUNTS = frozenset("all every each some any no many few both most".split())
_GREETED = frozenset("night day morning evening afternoon luck bye year birthday christmas weekend grief god".split())
"""“Good luck”, “Happy birthday”: wishes are not denied."""


def toggle_fragment(sentence: Sentence, *, contractions: ContractionStyle = "keep") -> Iterator[Toggle | Skip]:
    """The ways to turn round a sentence that has no verb."""
    short = _short_copula(sentence)
    if short is not None:
        yield _after_short(short, contractions)
        return
    negators = [token for token in sentence.doc if token.lower_ == "not"]
    first_is_not = sentence.doc[0].lower_ == "not"
    fronted = _fronted(sentence) if first_is_not else None
    if fronted is not None:
        yield fronted
        return
    if any(token.head.pos_ in {"VERB", "AUX"} for token in negators) and not first_is_not:
        yield Skip("not-a-clause")
        return
    if (len(negators) == 1 or first_is_not) and negators[0].i + 1 < len(sentence.doc) and negators[0].nbor().is_alpha:
        yield _positive(negators[0])
        return
    if len(sentence.roots) != 1 or negators:
        yield Skip("not-a-clause")
        return
    root = sentence.roots[0]
    asked = sentence.is_question and root.pos_ != "ADJ"
    if asked or any(token.lower_ in _NO_FRAGMENT or token.dep_ in {"conj", "ccomp"} for token in root.subtree):
        yield Skip("not-a-clause")
    elif root.pos_ == "ADJ" and root.tag_ == "JJ":
        yield Toggle((_not(root.left_edge if _is_plain(root) else root),), "not before the word")
    elif root.tag_ == "NN" and _is_judgement(root):
        yield _judged_otherwise(root)
    else:
        yield Skip("not-a-clause")


def _judged_otherwise(root: Token) -> Toggle | Skip:
    """“Good idea.” → “Not a good idea.”, “Bad news.” → “Not bad news.”"""
    first = root.left_edge
    is_mass = root.lower_ in MASS_NOUNS or root.lower_ in MASS_IN_PRAISE
    if first.lower_ in {"a", "an"} or (is_mass and first.pos_ == "ADJ"):
        return Toggle((_not(first),), "not before the words")
    if first.pos_ == "ADJ" and not first.is_sent_start:
        return Toggle((insert_before(first, f"not {article(first.text)}"),), "not a")
    if first.pos_ == "ADJ":
        return Toggle((replace(first, f"Not {article(first.text)} {first.lower_}"),), "not a")
    return Skip("not-a-clause")


def _fronted(sentence: Sentence) -> Skip | None:
    """“Not only is he late, …”, “Not until noon did he wake up”, “Not to worry”: the rest cannot stand alone."""
    following = sentence.doc[1].lower_ if len(sentence.doc) > 1 else ""
    if following in _WITH_NOT:
        return Skip("correlative")
    if following in _AFTER_NOT or (following == "a" and len(sentence.doc) > 2 and sentence.doc[2].lower_ in _LEAST):
        return Skip("set-phrase")
    is_inverted = any(is_verb(root) and verb_group(root).is_inverted for root in sentence.roots)
    return Skip("inversion") if is_inverted and not sentence.is_question else None


def _short_copula(sentence: Sentence) -> Token | None:
    """The “'s” that the parser took for a possessive: “Something's wrong.”, “Tom's late.”, “The dog's barking.”"""
    if sentence.doc.lowers.isdisjoint(_OF_OWNER):
        return None
    for token in sentence.doc[1:-1]:
        if token.lower_ in _OF_OWNER and token.tag_ == "POS" and token.nbor().lower_ != "not":
            kinds = (_is_predicate, _owns_nothing, _is_doing)
            return token if any(is_one(token) for is_one in kinds) else None
    return None


def _is_predicate(short: Token) -> bool:
    """Whether a word follows that stands in no noun phrase with the owner: “Something's wrong.”, “Tom's a doctor.”"""
    following = short.nbor()
    if following.lower_ in {"a", "an", "the"} or (following.tag_ == "IN" and short.head.dep_ == "ROOT"):
        return True
    return following.pos_ in {"ADJ", "ADV"} and following.head.pos_ not in {"NOUN", "PROPN"}


def _owns_nothing(short: Token) -> bool:
    """Whether no noun follows that could be owned: “Tom's late.”, “My brother's here.”"""
    owner = short.head
    if owner.dep_ != "ROOT" or owner.i != short.i - 1:
        return False
    rest = [token for token in short.doc.tokens[short.i + 1 :] if not token.is_punct]
    return bool(rest) and all(token.pos_ in {"ADJ", "ADV"} and token.is_alpha for token in rest)


def _is_doing(short: Token) -> bool:
    """Whether what is owned is rather what is done: “The dog's barking.”, not “Tom's painting of a dog.”"""
    done = short.nbor()
    if done.dep_ != "ROOT" or done.lower_ in _THINGS_IN_ING or not short.doc.text.rstrip().endswith((".", "!")):
        return False
    rest = [token for token in short.doc.tokens[done.i + 1 :] if not token.is_punct]
    return not rest and done.lower_.endswith("ing") and has_form(done.lower_, "VBG")


def _after_short(short: Token, style: ContractionStyle) -> Toggle | Skip:
    """“not” after an “'s” that stands for “is”, in the style that is asked for."""
    if short.nbor().lower_ in FOCUS_ADVERBS | {"still", "already", "just", "never", "ever"}:
        return Skip("focus")
    owner = short.nbor(-1)
    if owner.lower_.startswith(("every", "some", "any", "no")) or owner.left_edge.lower_ in _AMOUNTS:
        return Skip("quantifier")  # “Everybody's in bed.”
    items = to_negative(short.doc.tokens[short.i + 1 :]) if has_positive_item(short.doc) else ()
    if style == "contract":
        put = replace(short, f" {with_not('is', short.doc)}")
    else:
        put = replace(short, " is not") if style == "expand" else insert_after(short, "not")
    return Toggle((put, *items), "not after is")


def _is_judgement(root: Token) -> bool:
    """Whether a noun is short praise or blame: “Good idea.”, not “UNLIMITED POWER” or “Best day ever”."""
    if root.lower_ in _GREETED or any(token.lower_ in {"ol", "ol'", "old", "same"} for token in root.lefts):
        return False
    adjective = any(child.dep_ == "amod" and child.tag_ == "JJ" for child in root.children)
    return adjective and len(root.doc) <= 6 and not any(token.is_upper and len(token) > 1 for token in root.subtree)


def _is_plain(root: Token) -> bool:
    """Whether all that stands before the word belongs to its degree: “very good”."""
    return all(token.dep_ == "advmod" for token in root.doc[root.left_edge.i : root.i])


def _not(start: Token) -> Patch:
    if start.text[:1].isupper() and start.text != "I":
        return replace(start, f"Not {start.lower_}")
    return insert_before(start, "not")


def _positive(negator: Token) -> Toggle | Skip:
    """A fragment without its “not” and the “at all” that went with it."""
    over = delete_at_all(negator)
    rest = [token for token in negator.doc.tokens[negator.i + 1 :] if over is None or token.idx < over.start]
    if any(token.lower_ in POLARITY_ITEMS for token in rest):
        return Skip("polarity-item")
    return Toggle((_without(negator),) if over is None else (_without(negator), over), "without not")


def _without(negator: Token) -> Patch:
    patch = delete(negator)
    following = negator.nbor()
    if negator.text[:1].isupper():
        return Patch(patch.start, following.idx + len(following.text), capitalised(following.text))
    return patch
