"""What users call: a sentence encoder that minds negation, from plain text, with the proof beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from litotes.audit.corpus import open_corpus
from litotes.audit.settings import load_encoder
from litotes.building.pipeline.settings import versions
from litotes.core.errors import UsageError
from litotes.core.files import ensure_writable, expand_user
from litotes.core.locks import lock_folder
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.base import Problems
from litotes.corpora.nli import read_nli
from litotes.corpora.read import read_corpus, single_sentences
from litotes.languages.en.detection import check_english
from litotes.models.access import Access
from litotes.models.names import parse_name
from litotes.repair.adapter import AdapterSettings
from litotes.repair.base_model import find_base, load_model
from litotes.repair.examples.base import Lessons, apart, sample, write_text
from litotes.repair.examples.generation import BARE, Mix, make_lessons
from litotes.repair.holdout import HeldOut, hold_out, leakage
from litotes.repair.result import OWN_TEXT, Outcome
from litotes.repair.settings import RepairSettings
from litotes.training.checkpoints import check_claim, claim, is_finished, key_of

if TYPE_CHECKING:
    from litotes.suites.base import Suite

METHODS = ("training", "adapter")
LIMIT = 100_000
REWRITTEN = 20_000
Files = str | Path | Sequence[str | Path]


def repair_model(
    model: str,
    texts: Iterable[str] | None = None,
    *,
    out: str | Path,
    sources: Files | None = None,
    method: Literal["training", "adapter"] = "training",
    general: Files = (),
    nli: Files = (),
    sts: str | Path | None = None,
    paraphrases: str | Path | None = None,
    suites: Sequence[str | Suite] | None = None,
    data: Mapping[str, str | Path] | None = None,
    settings: RepairSettings | None = None,
    adapter: AdapterSettings | None = None,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    limit: int | None = LIMIT,
    rewritten: int | None = REWRITTEN,
    lexicon: bool = True,
    include_reported: bool = False,
    workers: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    access: Access | None = None,
    told: Callable[[str], None] = lambda message: None,
) -> Outcome:
    """Make a sentence encoder mind negation and antonyms, and leave the rest of it as it was.

    The lessons are made from `texts` (sentences) or `sources` (files, as `litotes build` reads them) by our rewrites;
    `nli` files add theirs, and with `lexicon` the lexicon its antonyms in plain frames. Ordinary sentences of the text,
    and those of the `general` files, hold the model where it is: `settings.keep` says how firmly. What is reported on
    afterwards (`suites`, by default the built-in ones; the official files of `data`; `sts` and `paraphrases`) is kept
    out of the lessons, sentences and antonym pairs, unless `include_reported` says otherwise. A call that was
    interrupted goes on; an equal call returns what is there.
    """
    from litotes.evaluation.encoding import usable_cores

    if method not in METHODS:
        raise UsageError("L102", f'method="{method}": is training or adapter')
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        # What makes up each step is planned beforehand, and ordinary sentences are held to all others of their step.
        raise UsageError(
            "L102", "a repair runs in one process, and was started in several", hint="start it without a launcher"
        )
    access, settings, adapter = access or Access(), settings or RepairSettings(), adapter or AdapterSettings()
    bar, cores, folder = progress or Progress(), workers or usable_cores(), expand_user(out)
    corpus = open_corpus(texts, sources, format=format, columns=columns, split=split)
    reported = _suites(suites, data)
    _check_apart(folder, expand_user(parse_name(model).rest))
    base = find_base(model, access) if method == "training" else None
    if base is not None:
        _check_apart(folder, base.folder)
    identity = base.sha256 if base is not None else load_encoder(model, access).fingerprint.key()
    plain = [*_sentences(general, told)]
    pairs = [*read_nli(_named(nli))] if nli else []
    held = hold_out(reported, _other_reported(sts, paraphrases))
    depends_on = {
        "base": identity,
        "method": method,
        "text": corpus.key(),
        "general": len(plain) and key_of({"general": plain}),
        "nli": len(pairs) and key_of({"nli": [[one.premise, one.hypothesis, one.label] for one in pairs]}),
        "held out": None if include_reported else _key_of_held(held),
        "settings": settings.to_dict() if method == "training" else adapter.to_dict(),
        "limits": [limit, rewritten, lexicon],
        "versions": _versions(),
    }
    key = key_of(depends_on)
    ensure_writable(folder)
    with lock_folder(folder):
        check_claim(folder, key, depends_on, fresh=fresh)
        if base is not None and not is_finished(folder, key):
            load_model(base, access)  # whether it can be trained is found out before anything else is done
        problems, origin = Problems(), ", ".join(str(one["name"]) for one in corpus.described)
        learned, unseen = apart(sample(corpus.records(problems), limit, seed=0))
        _tell(problems, told)
        check_english(learned, origin)
        held = held.with_sentences(OWN_TEXT, unseen)
        text = write_text(learned, cache_folder(), origin)
        # Repairs with several seeds may start at once: one makes the lessons, the others read what it made.
        with lock_folder(
            text.parent, on_wait=lambda: told("waiting for another repair, which is making these lessons")
        ):
            lessons = make_lessons(
                text,
                text.parent,
                HeldOut({}, {}).with_sentences(OWN_TEXT, unseen) if include_reported else held,
                general=plain,
                nli=pairs,
                # An adapter learns little from quadruples and nothing of word order: it has no more than the vectors.
                mix=Mix(lexicon=lexicon) if method == "training" else BARE,
                rewritten=rewritten,
                origin=origin,
                workers=cores,
                progress=bar,
            )
        claim(folder, key, depends_on, fresh=fresh)
        told(_lessons_told(lessons))
        told(_ordinary_told(lessons, of_text_alone=not plain))
        leaks = leakage(held, lessons.kept_out, ((one.texts, one.pair) for one in (*lessons.learned, *lessons.watched)))
        from litotes.repair.train_and_report import Job, finish

        job = Job(
            model=model,
            base=base,
            folder=folder,
            key=key,
            depends_on=depends_on,
            lessons=lessons,
            unseen=tuple(unseen),
            leakage=tuple(leaks),
            settings=settings,
            adapter=adapter,
            versions=_versions(),
        )
        return finish(
            job, reported, sts=sts, paraphrases=paraphrases, workers=workers, progress=bar, access=access, told=told
        )


def _check_apart(out: Path, model: Path) -> None:
    """Raise if the repaired model would go where the original is."""
    if out.resolve() == model.resolve():
        hint = "take another --out: a repair leaves the original as it is"
        raise UsageError("L102", f"{out}: is the model's own folder, or would be taken for it", hint=hint)


def _suites(suites: Sequence[str | Suite] | None, data: Mapping[str, str | Path] | None) -> list[Suite]:
    """What is reported on: every suite that an encoder can answer."""
    from litotes.suites.loading import BUILT_IN, load_suites
    from litotes.suites.nli import asks_for_labels

    files = dict(data or {})
    found: dict[str, Suite] = {}
    for one in [*(BUILT_IN if suites is None else suites), *files]:
        loaded = load_suites(one, path=files.get(one)) if isinstance(one, str) else [one]
        answered = [suite for suite in loaded if not asks_for_labels(suite)]
        if suites is not None and not answered:
            name = one if isinstance(one, str) else one.name
            raise UsageError("L102", f"{name}: asks for labels, which an encoder does not give")
        found.update({suite.name: suite for suite in answered})
    return list(found.values())


def _other_reported(sts: str | Path | None, paraphrases: str | Path | None) -> dict[str, list[str]]:
    from litotes.repair.general_quality import reported_sentences

    return reported_sentences(sts, paraphrases)


def _sentences(files: Files, told: Callable[[str], None]) -> Iterable[str]:
    named, problems = _named(files), Problems()
    for record in single_sentences(read_corpus(named, problems=problems)) if named else ():
        if text := " ".join(record.text.split()):
            yield text
    _tell(problems, told)


def _tell(problems: Problems, told: Callable[[str], None]) -> None:
    if problems.count:
        told(problems.summary())


def _named(files: Files) -> list[str]:
    return [str(files)] if isinstance(files, (str, Path)) else [str(one) for one in files]


def _lessons_told(lessons: Lessons) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in lessons.kinds().items())
    return f"{len(lessons.learned):,} lessons ({kinds}); {lessons.left_out:,} kept out because they are reported on"


def _ordinary_told(lessons: Lessons, *, of_text_alone: bool) -> str:
    # What is forgotten is mostly of kinds that are not among these (docs/reference/repair.md).
    more = ", of this text alone: --general adds other kinds that must stay as they are" if of_text_alone else ""
    return f"{len(lessons.ordinary):,} ordinary sentences hold the model where it is{more}"


def _key_of_held(held: HeldOut) -> str:
    return key_of(
        {
            "sentences": {where: sorted(found) for where, found in held.sentences.items()},
            "pairs": {where: sorted(found) for where, found in held.pairs.items()},
        }
    )


def _versions() -> dict[str, Any]:
    """Of all that changes how a repair goes."""
    wanted = ("litotes", "torch", "transformers", "tokenizers", "sentence-transformers", "numpy")
    found = {name: number for name, number in current_versions().items() if name in wanted}
    return {**found, **versions(), "accelerate": installed_version("accelerate") or ""}
