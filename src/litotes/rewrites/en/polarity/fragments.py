"""Toggle the polarity of fragments: sentences without a verb, such as “Yeah, good.”"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised
from litotes.languages.en.conjunctions import CAUSAL_CONJUNCTIONS, UNTIL_CONJUNCTIONS
from litotes.languages.en.morphology.articles import indefinite_article
from litotes.languages.en.morphology.contractions import with_not
from litotes.languages.en.morphology.inflection import has_form
from litotes.languages.en.negation import NEGATIVE_INDEFINITES
from litotes.languages.en.nouns import MASS_IN_PRAISE, MASS_NOUNS
from litotes.languages.en.pronouns import ARTICLES, INDEFINITE_ARTICLES
from litotes.languages.en.quantifiers import UNIVERSAL_DETERMINERS
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

_NOT_DESCRIPTIONS = NEGATIVE_INDEFINITES | {"no", "never", "how", "what", "such", "so", "but"}
"""Words of fragments that are not descriptions: exclamations, answers, contrasts."""
_CORRELATIVES = UNTIL_CONJUNCTIONS | CAUSAL_CONJUNCTIONS | {"only", "unless", "merely", "just"}
_AFTER_NOT = frozenset("to even yet once that if when so at long too again".split())
"""Words after an initial “not” that belong to it; the rest cannot be a sentence."""
_MINIMAL_NOUNS = frozenset("soul chance word single thing clue bit peep sound penny hope".split())
"""Nouns of minimal amounts, which take “not”: “Not a soul was there”."""
_NOUNS_IN_ING = frozenset(
    "building painting drawing wedding meeting feeling thing king ring wing string evening morning ceiling saying"
    " clothing earring writing beginning ending opening".split()
)
_POSSESSIVE_ENDINGS = frozenset({"'s", "’s"})
_QUANTIFIERS = UNIVERSAL_DETERMINERS | {"some", "any", "no", "many", "few", "most"}
_GREETINGS = frozenset("night day morning evening afternoon luck bye year birthday christmas weekend grief god".split())
"""Nouns of wishes, which are not negated: “Good luck”, “Happy birthday”."""


def toggle_fragment(sentence: Sentence, *, contractions: ContractionStyle = "keep") -> Iterator[Toggle | Skip]:
    """Yield the ways to toggle a sentence that has no verb."""
    copula = _contracted_copula(sentence)
    if copula is not None:
        yield _negate_contracted(copula, contractions)
        return
    nots = [token for token in sentence.doc if token.lower_ == "not"]
    is_initial = sentence.doc[0].lower_ == "not"
    skip = _skip_of_initial_not(sentence) if is_initial else None
    if skip is not None:
        yield skip
        return
    if any(token.head.pos_ in {"VERB", "AUX"} for token in nots) and not is_initial:
        yield Skip("not-a-clause")
        return
    if (len(nots) == 1 or is_initial) and nots[0].i + 1 < len(sentence.doc) and nots[0].nbor().is_alpha:
        yield _remove_not(nots[0])
        return
    if len(sentence.roots) != 1 or nots:
        yield Skip("not-a-clause")
        return
    root = sentence.roots[0]
    is_question = sentence.is_question and root.pos_ != "ADJ"
    if is_question or any(
        token.lower_ in _NOT_DESCRIPTIONS or token.dep_ in {"conj", "ccomp"} for token in root.subtree
    ):
        yield Skip("not-a-clause")
    elif root.pos_ == "ADJ" and root.tag_ == "JJ":
        yield Toggle((_put_not_before(root.left_edge if _has_only_adverbs(root) else root),), "not before the word")
    elif root.tag_ == "NN" and _is_judgement(root):
        yield _negate_judgement(root)
    else:
        yield Skip("not-a-clause")


def _negate_judgement(root: Token) -> Toggle | Skip:
    """“Good idea.” becomes “Not a good idea.”, “Bad news.” becomes “Not bad news.”"""
    first = root.left_edge
    is_mass = root.lower_ in MASS_NOUNS or root.lower_ in MASS_IN_PRAISE
    if first.lower_ in INDEFINITE_ARTICLES or (is_mass and first.pos_ == "ADJ"):
        return Toggle((_put_not_before(first),), "not before the words")
    if first.pos_ == "ADJ" and not first.is_sent_start:
        return Toggle((insert_before(first, f"not {indefinite_article(first.text)}"),), "not a")
    if first.pos_ == "ADJ":
        return Toggle((replace(first, f"Not {indefinite_article(first.text)} {first.lower_}"),), "not a")
    return Skip("not-a-clause")


def _skip_of_initial_not(sentence: Sentence) -> Skip | None:
    """Return the reason why an initial “not” is needed: “Not only is he late, …”, “Not until noon did he wake up”."""
    following = sentence.doc[1].lower_ if len(sentence.doc) > 1 else ""
    if following in _CORRELATIVES:
        return Skip("correlative")
    if following in _AFTER_NOT or (
        following == "a" and len(sentence.doc) > 2 and sentence.doc[2].lower_ in _MINIMAL_NOUNS
    ):
        return Skip("set-phrase")
    is_inverted = any(is_verb(root) and verb_group(root).is_inverted for root in sentence.roots)
    return Skip("inversion") if is_inverted and not sentence.is_question else None


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


def _negate_contracted(copula: Token, style: ContractionStyle) -> Toggle | Skip:
    """Put “not” after an “'s” that means “is”, in the given style."""
    if copula.nbor().lower_ in FOCUS_ADVERBS | {"still", "already", "just", "never", "ever"}:
        return Skip("focus")
    owner = copula.nbor(-1)
    if owner.lower_.startswith(("every", "some", "any", "no")) or owner.left_edge.lower_ in _QUANTIFIERS:
        return Skip("quantifier")  # “Everybody's in bed.”
    items = to_negative(copula.doc.tokens[copula.i + 1 :]) if has_positive_item(copula.doc) else ()
    if style == "contract":
        patch = replace(copula, f" {with_not('is', copula.doc)}")
    else:
        patch = replace(copula, " is not") if style == "expand" else insert_after(copula, "not")
    return Toggle((patch, *items), "not after is")


def _is_judgement(root: Token) -> bool:
    """Whether a noun is short praise or blame: “Good idea.”, not “UNLIMITED POWER” or “Best day ever”."""
    if root.lower_ in _GREETINGS or any(token.lower_ in {"ol", "ol'", "old", "same"} for token in root.lefts):
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


def _remove_not(negator: Token) -> Toggle | Skip:
    """Remove the “not” of a fragment and the “at all” that belongs to it."""
    at_all = delete_at_all(negator)
    following = [token for token in negator.doc.tokens[negator.i + 1 :] if at_all is None or token.idx < at_all.start]
    if any(token.lower_ in POLARITY_ITEMS for token in following):
        return Skip("polarity-item")
    return Toggle((_delete_not(negator),) if at_all is None else (_delete_not(negator), at_all), "without not")


def _delete_not(negator: Token) -> Patch:
    patch = delete(negator)
    following = negator.nbor()
    if negator.text[:1].isupper():
        return Patch(patch.start, following.idx + len(following.text), capitalised(following.text))
    return patch
