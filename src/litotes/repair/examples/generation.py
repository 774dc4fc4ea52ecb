"""Generate training examples from plain text with our own rewrites.

Quadruples come from the SemAntoNeg builder. The other examples contrast paraphrases (synonyms, passives, contractions)
with negations, antonyms and swapped arguments. NLI pairs can be added.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from litotes.audit.variants import make_variants
from litotes.building.api import build_suite
from litotes.building.audit_variants import RELATIONS
from litotes.building.pipeline.settings import BuildSettings, versions
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json_lines, sha256_file
from litotes.core.parallel.engine import SERIAL, ParallelEngine
from litotes.core.progress import Progress
from litotes.corpora.base import Record
from litotes.corpora.nli import NliPair
from litotes.languages.base import get_language
from litotes.repair.examples.base import QUADRUPLE, TrainingData, TrainingExample
from litotes.repair.examples.derived import reworded, structure_examples
from litotes.repair.examples.lexicon import LEXICON, lexicon_examples
from litotes.repair.holdout import Holdout, differing_words, pair_key, sentence_key
from litotes.training.checkpoints import dependency_key

_VALIDATION_SHARE = 12
"""One antonym pair, and one sentence, in this many is used for validation."""
_QUADRUPLE_OPTIONS = {"negation": "any", "pos": "all", "frames": "all", "antonyms": "best"}


@dataclass(frozen=True)
class ExampleSources:
    """Which examples are generated in addition to the quadruples and variants of the text."""

    lexicon: bool = True
    """Quadruples from the antonyms and synonyms of the lexicon."""
    reworded: bool = True
    """Quadruples of held-out antonym pairs with a synonym for one word."""
    prefixed: bool = True
    """Quadruples after a prefix such as "I think"."""
    structure: bool = True
    """Word order, embedded clauses, and two ways to negate."""


ALL_SOURCES = ExampleSources()
TEXT_ONLY = ExampleSources(lexicon=False, reworded=False, prefixed=False, structure=False)


def generate_examples(
    text: Path,
    holdout: Holdout,
    *,
    general: Sequence[str] = (),
    nli: Sequence[NliPair] = (),
    sources: ExampleSources = ALL_SOURCES,
    rewrite_limit: int | None = 20_000,
    origin: str = "",
    engine: ParallelEngine = SERIAL,
    progress: Progress | None = None,
) -> TrainingData:
    """Return the training data for a text file with one sentence per line.

    Args:
        text: The file; generated quadruples and variants are cached next to it.
        holdout: Sentences and antonym pairs that may not be used.
        general: General sentences in addition to those of the text.
        nli: NLI pairs to learn from.
        sources: Which examples to generate in addition to those of the text.
        rewrite_limit: Maximum number of sentences to rewrite by rules other than quadruple.
        origin: Name of the text in messages.
        engine: Where sentences are rewritten.
        progress: Progress display.
    """
    candidates = [
        *_quadruples(text, text.parent / f"quadruples-{dependency_key(versions())[:8]}", engine, progress),
        *_variant_examples(
            text, text.parent / "variants", limit=rewrite_limit, sources=sources, engine=engine, progress=progress
        ),
        *_nli_examples(nli),
        *(lexicon_examples(_words(text, general)) if sources.lexicon else ()),
    ]
    examples: list[TrainingExample] = []
    dropped: list[tuple[TrainingExample, str]] = []
    held_out: Counter[tuple[str, str]] = Counter()
    for example in candidates:
        if reasons := [*holdout.reasons(example.texts, example.antonym_pair)]:
            held_out.update(reasons)
            dropped.append((example, reasons[0][0]))
        else:
            examples.append(example)
    if sources.reworded:
        # The words of a held-out antonym pair can still be learned, from a pair with a synonym.
        quadruples = [example for example, reason in dropped if example.kind == QUADRUPLE and reason == "pair"]
        pairs = frozenset(pair for pairs in holdout.pairs.values() for pair in pairs)
        examples += _allowed(reworded(quadruples, pairs, engine=engine, progress=progress), holdout)
    if sources.prefixed:
        quadruples = [example for example in examples if example.is_quadruple and example.kind != LEXICON]
        examples += _allowed(prefixed(quadruples), holdout)
    training, validation = _split_validation(examples)
    # In hash order instead of file order, because the first sentences are used for validation.
    sentences = sorted(
        dict.fromkeys((*_lines(text), *general)), key=lambda line: hashlib.sha256(line.encode()).digest()
    )
    name = origin or text.name
    if not training or all(example.kind == LEXICON for example in examples):
        reason = f"{len(dropped):,} were held out for the evaluation; " if dropped else ""
        message = f"{name}: gives no training example ({reason}{len(sentences):,} sentences read)"
        raise LitotesError("L204", message, hint="give more text: complete English sentences, one per line")
    allowed = tuple(sentence for sentence in sentences if holdout.reason([sentence], "") is None)
    if not allowed:
        hint = "give more text, or general sentences with --general"
        raise LitotesError("L204", f"{name}: all of its sentences are held out for the evaluation", hint=hint)
    return TrainingData(training, validation, allowed, held_out, len(dropped))


def _allowed(examples: Iterable[TrainingExample], holdout: Holdout) -> list[TrainingExample]:
    return [example for example in examples if holdout.reason(example.texts, example.antonym_pair) is None]


def _split_validation(
    examples: Sequence[TrainingExample],
) -> tuple[tuple[TrainingExample, ...], tuple[TrainingExample, ...]]:
    """Split into training and validation examples that share no antonym pair and no validation sentence."""
    pairs = _validation_pairs(examples)
    anchors = {
        example.anchor
        for example in examples
        if not example.is_quadruple and example.antonym_pair not in pairs and _is_selected(example.anchor)
    }
    training = tuple(
        example for example in examples if example.antonym_pair not in pairs and anchors.isdisjoint(example.texts)
    )
    validation = tuple(
        example
        for example in examples
        if example.kind != LEXICON
        and (example.antonym_pair in pairs if example.is_quadruple else example.anchor in anchors)
    )
    return training, validation


def _quadruples(
    text: Path, folder: Path, engine: ParallelEngine, progress: Progress | None
) -> Iterator[TrainingExample]:
    """Yield every quadruple once; a suite contains it as four questions."""
    if not is_file(folder / "suite.json"):
        try:
            settings = BuildSettings(options=_QUADRUPLE_OPTIONS)
            build_suite("semantoneg", text, folder, settings, engine=engine, progress=progress)
        except LitotesError as error:
            if error.code != "L204":
                raise
            return  # the text has no quadruples; other examples may suffice
    seen: set[frozenset[str]] = set()
    for _, item in read_json_lines(folder / "items.jsonl"):
        texts = item["sentences"]
        key = frozenset(texts.values())
        if key not in seen:
            seen.add(key)
            word, _, antonym = item["group"].partition("/")
            yield TrainingExample(
                QUADRUPLE,
                anchor=texts["input"],
                positive=texts["both"],
                negative=texts["antonym"],
                second_negative=texts["polarity"],
                antonym_pair=pair_key(word, antonym),
                is_quadruple=True,
            )


def _variant_examples(
    text: Path,
    store: Path,
    *,
    limit: int | None,
    sources: ExampleSources,
    engine: ParallelEngine,
    progress: Progress | None,
) -> Iterator[TrainingExample]:
    """Yield the examples from the audit's variants of each sentence."""
    records = (Record(f"{text.name}:{number}", line) for number, line in enumerate(_lines(text), 1))
    key = {"sha256": sha256_file(text)}
    try:
        variants = make_variants(records, store=store, key=key, limit=limit, seed=0, engine=engine, progress=progress)
    except LitotesError as error:
        if error.code != "L204":
            raise
        return  # no sentence can be rewritten; other examples may suffice
    with closing(variants):
        by_sentence: dict[int, dict[str, str]] = defaultdict(dict)
        for index, rule, variant in variants.pairs():
            by_sentence[index][rule] = variant
        sentences = variants.sentences
        for index, by_rule in by_sentence.items():
            yield from contrast_variants(sentences[index], by_rule)
        if sources.structure:
            with_variants = ((sentences[index], by_rule) for index, by_rule in by_sentence.items())
            yield from structure_examples(with_variants, engine=engine, progress=progress)


def contrast_variants(sentence: str, variants: Mapping[str, str]) -> Iterator[TrainingExample]:
    """Yield one example per paraphrase of a sentence, with the variants that mean something else as negatives.

    >>> variants = {"passive": "Tom was seen by Ann.", "argument_swap": "Tom saw Ann."}
    >>> for example in contrast_variants("Ann saw Tom.", variants):
    ...     print(example.kind, "|", example.positive, "|", example.negative)
    passive | Tom was seen by Ann. | Tom saw Ann.
    """
    words = differing_words(sentence, variants["antonym"]) if "antonym" in variants else None
    # An antonym whose pair cannot be identified might belong to a held-out pair.
    negatives = [
        rule
        for rule in variants
        if RELATIONS[rule] in {"opposite", "different"} and (rule != "antonym" or words is not None)
    ]
    if not negatives:
        return
    pair = pair_key(*words) if words is not None else ""
    for rule, relation in RELATIONS.items():
        # A negated antonym is part of a quadruple already.
        if relation not in {"same", "noise"} or rule not in variants or rule == "negated_antonym":
            continue
        first, *more = negatives
        second = variants[more[0]] if more else ""
        yield TrainingExample(rule, sentence, variants[rule], variants[first], second, pair)


def _nli_examples(pairs: Sequence[NliPair]) -> Iterator[TrainingExample]:
    """Yield one example for each premise with an entailed and a contradicted hypothesis."""
    by_premise: dict[str, dict[str, str]] = defaultdict(dict)
    for pair in pairs:
        by_premise[pair.premise].setdefault(pair.label, pair.hypothesis)
    for premise, hypotheses in by_premise.items():
        if "entailment" in hypotheses and "contradiction" in hypotheses:
            yield TrainingExample("nli", premise, hypotheses["entailment"], hypotheses["contradiction"])


def _words(text: Path, general: Iterable[str]) -> set[str]:
    return {word for line in (*_lines(text), *general) for word in sentence_key(line).split()}


def _validation_pairs(examples: Sequence[TrainingExample]) -> set[str]:
    """Return the antonym pairs for validation, selected by hash so that they do not depend on the rest of the text."""
    pairs = sorted({example.antonym_pair for example in examples if example.is_quadruple and example.kind != LEXICON})
    return {pair for pair in pairs if _is_selected(pair)} or set(pairs[: 1 if len(pairs) > 1 else 0])


def _is_selected(text: str) -> bool:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[0] % _VALIDATION_SHARE == 0


def _lines(text: Path) -> Iterator[str]:
    with text.open(encoding="utf-8") as file:
        for line in file:
            if stripped := line.strip():
                yield stripped


def prefixed(quadruples: Iterable[TrainingExample]) -> Iterator[TrainingExample]:
    """Yield about every second quadruple, if possible, with the same prefix before its four sentences.

    Without them a model takes the "No" of "No, it is possible" as a negation of what follows.
    """
    language = get_language()
    for example in quadruples:
        digest = hashlib.sha256(example.anchor.encode("utf-8", "surrogatepass")).digest()
        if digest[1] % 2 and (texts := language.add_prefix(example.texts, digest[2])):
            anchor, positive, negative, second_negative = texts
            yield replace(example, anchor=anchor, positive=positive, negative=negative, second_negative=second_negative)
