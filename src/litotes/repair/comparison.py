"""The proof of a repair: the original and the repaired model on the same questions, with paired tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from litotes.audit.blindness import ALL, blind_shares
from litotes.audit.corpus import open_corpus
from litotes.audit.retrieval import Answers, answer
from litotes.audit.settings import QUERIES
from litotes.audit.similarities import measure
from litotes.audit.variants import Variants, make_variants
from litotes.building.audit_variants import RELATIONS
from litotes.core.errors import LitotesError
from litotes.core.progress import Progress
from litotes.corpora.base import Problems
from litotes.evaluation.encoding import choose_workers, encode_sentences, usable_cores
from litotes.evaluation.engine import Engine
from litotes.evaluation.result import RunResult
from litotes.evaluation.vector_cache import VectorCache
from litotes.models.base import Encoder, Scores, Vectors
from litotes.repair.general_quality import paired_change, paraphrase_changes, read_paraphrases, read_scored, sts_change
from litotes.repair.result import OWN_TEXT, Change
from litotes.suites.base import Suite

_BY_ROLE = {"heros": ("synonym", "antonym", "negation_main", "negation_antonym")}
"""Kinds of suites of which mean similarities are shown too: opposites should lie below synonyms, wherever these lie."""


def _ignore(_: str) -> None:
    """What happens to a message that nobody wants."""


def before_after(
    before: Encoder,
    after: Encoder,
    *,
    suites: Sequence[Suite] = (),
    sts: Path | None = None,
    paraphrases: Path | None = None,
    unseen: Sequence[str] = (),
    cache: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    warn: Callable[[str], None] = _ignore,
    seed: int = 0,
) -> tuple[Change, ...]:
    """Every figure of both models, with the interval of the difference and the p-value of a paired test.

    Suites are tested over groups, `sts` and `paraphrases` over pairs. `unseen` are sentences of people's own text that
    are in no lesson: on them blindness is tested over sentences, search over the sentences that are searched for. Text
    of which the rewrites make nothing that can be compared gives no figure.
    """
    bar = progress or Progress()
    scored = None if sts is None else read_scored(sts, warn)
    asked = None if paraphrases is None else read_paraphrases(paraphrases, warn)
    found: list[Change] = []
    engine = Engine(workers=workers, cache=cache, progress=bar, warn=warn)
    for old, new in zip(engine.run(before, suites), engine.run(after, suites), strict=True):
        found += _of_suite(old, new)
    with ExitStack() as stack:
        sides = [_Side(one, _opened(one, cache, warn, stack), workers, bar) for one in (before, after)]
        if scored is not None:
            found.append(sts_change(scored, *(side.vectors for side in sides)))
        if asked is not None:
            found += paraphrase_changes(asked, *(side.vectors for side in sides))
        if unseen:
            found += _own_text(sides, unseen, None if cache is None else cache / "audit", seed)
    return tuple(found)


@dataclass(frozen=True)
class _Side:
    """One of the two models."""

    encoder: Encoder
    cache: VectorCache | None
    workers: int | None
    progress: Progress

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A vector for each of some different texts."""
        workers = choose_workers(self.encoder, self.workers)
        rows, _ = encode_sentences(self.encoder, texts, cache=self.cache, workers=workers, progress=self.progress)
        return rows


def _opened(encoder: Encoder, folder: Path | None, warn: Callable[[str], None], stack: ExitStack) -> VectorCache | None:
    if folder is None:
        return None
    return stack.enter_context(closing(VectorCache(folder, encoder.name, encoder.fingerprint, warn)))


def _of_suite(old: RunResult, new: RunResult) -> Iterator[Change]:
    """Accuracy; of some kinds also how alike the sentences of a role are to the original."""
    name, groups = old.suite.name, [item.group for item in old.items]
    before, after = (np.array([item.credit for item in run.items], dtype=np.float64) for run in (old, new))
    yield paired_change(f"{name}: accuracy", before, after, groups)
    for role in _BY_ROLE.get(old.suite.kind, ()):
        pair = f"original~{role}"
        before, after = (np.array([item.similarities[pair] for item in run.items]) for run in (old, new))
        yield paired_change(f"{name}: similarity of {role.replace('_', ' ')}", before, after, groups, better="")


def _own_text(sides: Sequence[_Side], texts: Sequence[str], store: Path | None, seed: int) -> list[Change]:
    """Blindness and search on sentences of people's own, by the functions of the audit."""
    corpus = open_corpus(texts, None)
    try:
        variants = make_variants(
            corpus.records(Problems()),
            store=store,
            key=corpus.key(),
            limit=None,
            seed=seed,
            workers=sides[0].workers or usable_cores(),
            progress=sides[0].progress,
        )
    except LitotesError as error:
        if error.code not in {"L203", "L204"}:
            raise
        return []  # a small text: what was kept apart of it is not English, or nothing of it can be compared
    with closing(variants):
        old, new = (_ask(side, variants, seed) for side in sides)
        return [*_blindness_changes(old, new), *_search_changes(old.answers, new.answers)]


@dataclass(frozen=True)
class _Asked:
    """What one model makes of the variants."""

    blind: dict[str, tuple[list[str], Scores]]
    """Rewrite that makes opposites, or “all” → the sentences, and of each the share in which the model is blind."""
    answers: Answers


def _ask(side: _Side, variants: Variants, seed: int) -> _Asked:
    found = measure(side.encoder, variants, cache=side.cache, workers=side.workers, progress=side.progress)
    opposites = [rule for rule, relation in RELATIONS.items() if relation == "opposite"]
    shares = {rule: blind_shares(found, rule) for rule in (ALL, *opposites)}
    return _Asked(
        {rule: (list(map(str, places)), share) for rule, (places, share) in shares.items()},
        answer(
            side.encoder,
            variants,
            found,
            queries=QUERIES,
            seed=seed,
            cache=side.cache,
            workers=side.workers,
            progress=side.progress,
        ),
    )


def _blindness_changes(old: _Asked, new: _Asked) -> Iterator[Change]:
    for rule, (sentences, before) in old.blind.items():
        if sentences:
            what = f"{OWN_TEXT}: blindness" + ("" if rule == ALL else f" to {rule}")
            yield paired_change(what, before, new.blind[rule][1], sentences, better="lower")


def _search_changes(old: Answers, new: Answers) -> Iterator[Change]:
    if not len(old.places):
        return
    # Queries for one original are not independent.
    originals = list(map(str, old.places))
    yield paired_change(f"{OWN_TEXT}: original before its opposite", old.paired, new.paired, originals)
    yield paired_change(f"{OWN_TEXT}: MRR", 1 / old.rank, 1 / new.rank, originals)
    yield paired_change(
        f"{OWN_TEXT}: MRR without opposites",
        1 / old.rank_without_opposites,
        1 / new.rank_without_opposites,
        originals,
    )
