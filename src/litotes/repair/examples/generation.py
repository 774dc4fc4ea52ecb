"""Lessons from plain text, made by our own rewrites.

Quadruples come from the builder of SemAntoNeg's questions; the rest from the rewrites of the audit: synonyms, passives
and contractions against negations, antonyms and swapped arguments. NLI pairs join in where they are given.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from litotes.audit.variants import make_variants
from litotes.building.api import build_suite
from litotes.building.audit_variants import RELATIONS
from litotes.building.pipeline.settings import BuildSettings, versions
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json_lines, sha256_file
from litotes.core.progress import Progress
from litotes.corpora.base import Record
from litotes.corpora.nli import NliPair
from litotes.repair.examples.base import QUADRUPLE, Lesson, Lessons
from litotes.repair.examples.lexicon import LEXICON, lexicon_lessons
from litotes.repair.examples.prefix import framed
from litotes.repair.examples.rewording import reworded
from litotes.repair.examples.structure import structure_lessons
from litotes.repair.holdout import HeldOut, differing_words, pair_key, sentence_key
from litotes.training.checkpoints import key_of

_DEV_SHARE = 12
"""One antonym pair, and one sentence, in so many is not learned: whether training gains anything is seen on those."""
_QUADRUPLES = {"negation": "any", "pos": "all", "frames": "all"}


@dataclass(frozen=True)
class Mix:
    """Which lessons there are beside the quadruples and variants of the text."""

    lexicon: bool = True
    """Quadruples of the lexicon's own antonyms and synonyms."""
    reworded: bool = True
    """Quadruples of reported pairs with a synonym."""
    framed: bool = True
    """Quadruples inside other sentences."""
    structure: bool = True
    """Word order and embedded clauses."""


WHOLE = Mix()
BARE = Mix(lexicon=False, reworded=False, framed=False, structure=False)


def make_lessons(
    text: Path,
    work: Path,
    held: HeldOut,
    *,
    general: Sequence[str] = (),
    nli: Sequence[NliPair] = (),
    mix: Mix = WHOLE,
    rewritten: int | None = 20_000,
    origin: str = "",
    workers: int = 1,
    progress: Progress | None = None,
) -> Lessons:
    """The lessons of a text file, a sentence a line; what was made before in `work` is read, not made again.

    `general` are further ordinary sentences, `mix` says which lessons there are beside those of the rewrites;
    `rewritten` of how many sentences other variants than quadruples are made, `origin` what people call the text.
    """
    found = [
        *_quadruples(text, work / f"quadruples-{key_of(versions())[:8]}", workers, progress),
        *_variants(
            text, work / "variants", structure=mix.structure, limit=rewritten, workers=workers, progress=progress
        ),
        *_of_nli(nli),
        *(lexicon_lessons(_words(text, general)) if mix.lexicon else ()),
    ]
    kept_out: Counter[tuple[str, str]] = Counter()
    lessons: list[Lesson] = []
    reported: list[Lesson] = []
    left_out = 0
    for lesson in found:
        reasons = [*held.reasons(lesson.texts, lesson.pair)]
        if not reasons:
            lessons.append(lesson)
            continue
        left_out += 1
        kept_out.update(reasons)
        if lesson.kind == QUADRUPLE and reasons[0][0] == "pair":
            reported.append(lesson)
    pairs_held = frozenset(pair for some in held.pairs.values() for pair in some)
    more = reworded(reported if mix.reworded else (), pairs_held, workers=workers, progress=progress)
    lessons += [lesson for lesson in more if held.reason(lesson.texts, lesson.pair) is None]
    said = [*framed(lesson for lesson in lessons if lesson.mates and lesson.kind != LEXICON)] if mix.framed else []
    lessons += [lesson for lesson in said if held.reason(lesson.texts, lesson.pair) is None]
    pairs = _watched_pairs(lessons)
    # A watched pair or sentence may not come back in another kind of lesson either.
    seen = {one.anchor for one in lessons if not one.mates and one.pair not in pairs and _is_drawn(one.anchor)}
    learned = tuple(one for one in lessons if one.pair not in pairs and seen.isdisjoint(one.texts))
    of_text = [one for one in lessons if one.kind != LEXICON]
    watched = tuple(one for one in of_text if (one.pair in pairs if one.mates else one.anchor in seen))
    # In an order that is not the file's: the first of them are the ones that are watched.
    ordinary = sorted(dict.fromkeys((*_lines(text), *general)), key=lambda one: hashlib.sha256(one.encode()).digest())
    if not (of_text and learned):
        left = f"{left_out:,} were kept out because they are reported on; " if left_out else ""
        raise LitotesError(
            "L204",
            f"{origin or text.name}: gives no lesson on negation or antonyms ({left}{len(ordinary):,} sentences read)",
            hint="give more text: whole English sentences, one a line",
        )
    plain = tuple(one for one in ordinary if held.reason([one], "") is None)
    if not plain:
        hint = "give more text, or ordinary sentences by --general"
        raise LitotesError("L204", f"{origin or text.name}: all of its sentences are reported on", hint=hint)
    return Lessons(learned, watched, plain, kept_out, left_out)


def _quadruples(text: Path, folder: Path, workers: int, progress: Progress | None) -> Iterator[Lesson]:
    """Every quadruple once: the four questions that a suite makes of it are one lesson."""
    if not is_file(folder / "suite.json"):
        try:
            settings = BuildSettings(options=_QUADRUPLES)
            build_suite("semantoneg", text, folder, settings, workers=workers, progress=progress)
        except LitotesError as error:
            if error.code != "L204":
                raise
            return  # no quadruple in this text: other lessons may do
    seen: set[frozenset[str]] = set()
    for _, item in read_json_lines(folder / "items.jsonl"):
        texts = item["sentences"]
        key = frozenset(texts.values())
        if key not in seen:
            seen.add(key)
            word, _, opposite = item["group"].partition("/")
            yield Lesson(
                QUADRUPLE,
                texts["input"],
                texts["both"],
                texts["antonym"],
                texts["polarity"],
                pair_key(word, opposite),
                mates=True,
            )


def _variants(
    text: Path, store: Path, *, structure: bool, limit: int | None, workers: int, progress: Progress | None
) -> Iterator[Lesson]:
    records = (Record(f"{text.name}:{number}", line) for number, line in enumerate(_lines(text), 1))
    try:
        variants = make_variants(
            records,
            store=store,
            key={"sha256": sha256_file(text)},
            limit=limit,
            seed=0,
            workers=workers,
            progress=progress,
        )
    except LitotesError as error:
        if error.code != "L204":
            raise
        return  # nothing can be rewritten: other lessons may do
    with closing(variants):
        made: dict[int, dict[str, str]] = defaultdict(dict)
        for place, rule, variant in variants.pairs():
            made[place][rule] = variant
        sentences = variants.sentences
        for place, by_rule in made.items():
            yield from lessons_of(sentences[place], by_rule)
        with_variants = ((sentences[place], by_rule) for place, by_rule in made.items() if structure)
        yield from structure_lessons(with_variants, workers=workers, progress=progress)


def lessons_of(sentence: str, variants: Mapping[str, str]) -> Iterator[Lesson]:
    """Each variant that says the same against those that do not.

    >>> for one in lessons_of("Ann saw Tom.", {"passive": "Tom was seen by Ann.", "argument_swap": "Tom saw Ann."}):
    ...     print(one.kind, "|", one.same, "|", one.opposite)
    passive | Tom was seen by Ann. | Tom saw Ann.
    """
    words = differing_words(sentence, variants["antonym"]) if "antonym" in variants else None
    # An antonym whose pair cannot be told might be of one that is held out.
    against = [
        rule
        for rule in variants
        if RELATIONS[rule] in {"opposite", "different"} and (rule != "antonym" or words is not None)
    ]
    if not against:
        return
    pair = pair_key(*words) if words is not None else ""
    for rule, relation in RELATIONS.items():
        # Of quadruples there are enough; a negated antonym is one of their four.
        if relation not in {"same", "noise"} or rule not in variants or rule == "negated_antonym":
            continue
        first, *more = against
        yield Lesson(rule, sentence, variants[rule], variants[first], variants[more[0]] if more else "", pair)


def _of_nli(pairs: Sequence[NliPair]) -> Iterator[Lesson]:
    """Of each premise what follows from it against what contradicts it."""
    by_premise: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in pairs:
        by_premise[pair.premise].setdefault(pair.label, pair.hypothesis)
    for premise, labels in by_premise.items():
        if "entailment" in labels and "contradiction" in labels:
            yield Lesson("nli", premise, labels["entailment"], labels["contradiction"])


def _words(text: Path, more: Iterable[str]) -> set[str]:
    return {word for line in (*_lines(text), *more) for word in sentence_key(line).split()}


def _watched_pairs(lessons: Sequence[Lesson]) -> set[str]:
    """One antonym pair in twelve, told by its own letters: the same pairs whatever the rest of the text."""
    pairs = sorted({lesson.pair for lesson in lessons if lesson.mates and lesson.kind != LEXICON})
    return {pair for pair in pairs if _is_drawn(pair)} or set(pairs[: 1 if len(pairs) > 1 else 0])


def _is_drawn(text: str) -> bool:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[0] % _DEV_SHARE == 0


def _lines(text: Path) -> Iterator[str]:
    with text.open(encoding="utf-8") as file:
        for line in file:
            if one := line.strip():
                yield one
