"""The five sets of sentence triplets (Zhu, Li and de Melo, 2018, §2.2) from any text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from litotes.building.base import Candidate, Found, Subject, builder, each_sentence
from litotes.building.clean_text import has_cursing, words
from litotes.building.detokenise import detokenised, has_loose_marks
from litotes.building.distance import is_mutual, token_distance
from litotes.building.triplet_sets import Set, Synonym, arguments, clauses, detection, reordered, variants
from litotes.language.question_tags import tag_of
from litotes.language.spelling import is_word
from litotes.language.verb_group import verb_group
from litotes.rewrites.base import Sentence, Skip
from litotes.rewrites.polarity.toggles import Style

if TYPE_CHECKING:
    from litotes.corpora.base import Record
    from litotes.language.tree import Token

SETS: tuple[Set, ...] = get_args(Set)
_SAME = frozenset({"entailment", "1", "paraphrase"})
_SURE = 4.5
"""Of five, the mean of what people gave: at most two of ten took a point off."""


def _units(record: Record, options: Mapping[str, Any]) -> Iterable[Record]:
    """The sentences of a pair, and the pair itself where it says the same twice."""
    if options["detokenise"]:
        other = None if record.other is None else detokenised(record.other)
        record = replace(record, text=detokenised(record.text), other=other)
    if record.other is not None and options["only"] in {"all", "fixed-point-reorder"}:
        yield record
    if options["only"] != "fixed-point-reorder":
        yield from each_sentence(record, options)


def _filter(record: Record, options: Mapping[str, Any]) -> str | None:
    if not options["shortest"] <= words(record.text) <= options["longest"]:
        return "length"
    if "?" in record.text:
        return "question"
    if has_loose_marks(record.text):
        return "marks"
    if has_cursing(record.text):
        return "cursing"
    return None if record.other is None else _pair_refusal(record, record.other, options)


def _pair_refusal(record: Record, other: str, options: Mapping[str, Any]) -> str | None:
    if not _says_the_same(record, options["relatedness"]):
        return "not-the-same"
    if has_loose_marks(other) or '"' in record.text + other or "“" in record.text + other:
        return "marks"
    if has_cursing(other):
        return "cursing"
    if record.text.strip(" .!").lower() == other.strip(" .!").lower():
        return "equal"
    near = 1 - token_distance(record.text, other)
    if not (near >= options["alike"] if options["structure"] == "alike" else near <= options["apart"]):
        return "structure"
    # Entailment goes one way, and a label alone is often given to what is merely near.
    if options["mutual"] and record.label and not is_mutual(record.text, other, sure=(record.score or 0) >= _SURE):
        return "one-sided"
    return None


def _says_the_same(record: Record, least: float) -> bool:
    """By its label and its relatedness, as far as the corpus has them; a plain file of pairs is one of paraphrases."""
    if record.label and record.label not in _SAME:
        return False
    return record.score is None or record.score >= least


def _is_whole(sentence: Sentence) -> bool:
    """Whether it has a finite verb with a subject, no question tag, and known words only."""
    root = sentence.roots[0]
    group = verb_group(root)
    if root.pos_ not in {"VERB", "AUX"} or not group.is_finite or group.subject is None:
        return False
    return tag_of(sentence.doc) is None and all(_is_known(token) for token in sentence.doc)


def _is_known(token: Token) -> bool:
    lower = token.lower_
    if not lower.isalpha() or token.text[0].isupper():
        return True
    # The parser makes “wo” and “ca” of “won't” and “can't”.
    return lower in {"a", "wo", "ca"} or (len(lower) > 1 and is_word(lower))


@builder(
    "triplets",
    sets={name: name for name in SETS},
    skips={
        "length": "it has fewer words than --option shortest, or more than longest",
        "question": "it asks: a question and its negation ask the same",
        "marks": "its quotes or brackets do not come in pairs, or it has signs that a plain sentence has not",
        "cursing": "it curses or insults",
        "not-the-same": "the two sentences of the pair do not surely say the same",
        "equal": "the two sentences of the pair are the same but for case or the full stop",
        "structure": "the two sentences of the pair are not built alike (or too much so, with structure=apart)",
        "one-sided": "one sentence of the pair seems to say more than the other",
        "several": "it is more than one sentence",
        "grammar": "it is no whole sentence of known words",
        "no-set": "no set has use for it: no synonym and negation, no quantifier, no clause, no passive and swap",
        "no-inversion": "it cannot be inverted around a pivot",
    },
    filter=_filter,
    units=_units,
)
def triplets(
    subject: Subject,
    *,
    only: Literal["all"] | Set = "all",
    detokenise: bool = True,
    shortest: int = 4,
    longest: int = 30,
    synonym: Synonym = "main",
    quantifier: Literal["a", "all"] = "a",
    relatedness: float = 4.0,
    structure: Literal["alike", "apart"] = "alike",
    alike: float = 0.15,
    apart: float = 0.5,
    mutual: bool = True,
    contractions: Style = "keep",
) -> Iterator[Found]:
    """Negation detection, negation variants, clause relatedness, argument sensitivity, fixed-point reorder."""
    sentence = subject.sentence
    if len(sentence.spans) != 1:
        yield Skip("several")
        return
    if not _is_whole(sentence):
        yield Skip("grammar")
        return
    if subject.record.other is not None:
        yield reordered(sentence, subject.record.other) or Skip("no-inversion")
        return
    makers: dict[Set, Callable[[], Iterator[Candidate]]] = {
        "negation-detection": lambda: detection(sentence, synonym, contractions),
        "negation-variants": lambda: variants(sentence, quantifier, contractions),
        "clause-relatedness": lambda: clauses(sentence, contractions),
        "argument-sensitivity": lambda: arguments(sentence),
    }
    made = False
    for name, make in makers.items():
        if only in {"all", name}:
            for candidate in make():
                made = True
                yield candidate
    if not made:
        yield Skip("no-set")
