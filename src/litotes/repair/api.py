"""Public function for repairs: fine-tune an encoder on negation and antonyms, and evaluate the result."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litotes.audit.corpus import open_corpus
from litotes.building.pipeline.settings import versions
from litotes.core.errors import UsageError
from litotes.core.files import ensure_utf8, ensure_writable, expand_user, to_json, write_atomic
from litotes.core.locks import lock_folder
from litotes.core.parallel.engine import ParallelEngine, choose_engine, usable_cores
from litotes.core.paths import cache_folder
from litotes.core.progress import Progress
from litotes.core.versions import current_versions, installed_version
from litotes.corpora.base import Problems
from litotes.corpora.nli import read_nli
from litotes.corpora.read import read_corpus, single_sentences
from litotes.corpora.remote import check_network
from litotes.languages.base import get_language
from litotes.models.access import Access
from litotes.models.base import Encoder
from litotes.models.encoders import load_encoder
from litotes.models.loading import load_model
from litotes.models.names import parse_name
from litotes.repair.adapter import learn_adapter, select_adapter_examples
from litotes.repair.base_model import BaseModel, find_base_model, load_sentence_transformer
from litotes.repair.evaluation import EvaluationData, measure_changes
from litotes.repair.examples.base import TrainingData, sample_sentences, split_test, write_text
from litotes.repair.examples.generation import TEXT_ONLY, ExampleSources, generate_examples
from litotes.repair.general_quality import evaluation_sentences
from litotes.repair.holdout import Holdout, build_holdout, measure_leakage
from litotes.repair.model_card import model_card, write_result
from litotes.repair.result import OWN_TEXT, RepairResult
from litotes.repair.settings import AdapterSettings, RepairSettings
from litotes.repair.validation import select_examples
from litotes.training.checkpoints import (
    CHECKPOINTS,
    TRAINING_FILE,
    check_claim,
    claim,
    dependency_key,
    is_finished,
    read_training_file,
)

if TYPE_CHECKING:
    from litotes.audit.corpus import Corpus
    from litotes.corpora.nli import NliPair
    from litotes.suites.base import Suite

Files = str | Path | Sequence[str | Path]


def repair_model(
    model: str,
    texts: Iterable[str] | None = None,
    *,
    out: str | Path,
    sources: Files | None = None,
    general: Files = (),
    nli: Files = (),
    sts: str | Path | None = None,
    paraphrases: str | Path | None = None,
    suites: Sequence[str | Suite] | None = None,
    settings: RepairSettings | AdapterSettings | None = None,
    fresh: bool = False,
    workers: int | None = None,
    engine: ParallelEngine | str | None = None,
    progress: Progress | None = None,
    access: Access | None = None,
    on_message: Callable[[str], None] = lambda message: None,
) -> RepairResult:
    """Fine-tune a sentence encoder on negation and antonyms while keeping its general quality.

    Training examples are generated from the text by rewriting its sentences. Sentences and antonym pairs of the
    evaluation data (`suites`, `sts`, `paraphrases`) are held out, unless `settings.include_reported` is set. An
    interrupted call resumes when it is repeated; a finished one returns the stored result.

    Args:
        model: Name or folder of the encoder.
        texts: Sentences to learn from; or use `sources`.
        out: Folder for the repaired model.
        sources: Files, folders, globs, URLs or `hf:` datasets to learn from, as `litotes build` reads them.
        general: Files with more general sentences, whose vectors should not change.
        nli: Files with NLI pairs to learn from.
        sts: Sentence pairs with human scores, to evaluate on.
        paraphrases: Paraphrase pairs, to evaluate on.
        suites: Suites to evaluate on, by name or loaded; by default the built-in ones.
        settings: `RepairSettings` fine-tune the model; `AdapterSettings` learn a map over its vectors instead.
        fresh: Start again, whatever the folder contains.
        workers: Number of processes.
        engine: Where sentences are rewritten: serial, processes, ray or ray:ADDRESS; by default this machine.
        progress: Progress display.
        access: What may be loaded and run while loading the model.
        on_message: Called with one line of text about each stage.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        # Batches are planned in advance, and general sentences are compared with all others of their batch.
        raise UsageError("L102", "a repair runs in a single process", hint="start it without a distributed launcher")
    settings, access = settings or RepairSettings(), access or Access()
    where = choose_engine(engine, workers, default_workers=usable_cores())
    folder = expand_user(out)
    ensure_utf8(folder)
    for files in (sources or (), general, nli):
        check_network(files, may_use_network=access.may_use_network)
    corpus = open_corpus(texts, sources, format=settings.format, columns=settings.columns, split=settings.split)
    evaluation_suites = _encoder_suites(suites)
    _check_not_original(folder, expand_user(parse_name(model).rest))
    base = find_base_model(model, access) if isinstance(settings, RepairSettings) else None
    if base is not None:
        _check_not_original(folder, base.folder)
    inputs = _Inputs(
        model=model,
        base=base,
        corpus=corpus,
        general=tuple(_read_general(general, on_message)),
        nli=tuple(read_nli(_paths(nli))) if nli else (),
        holdout=build_holdout(evaluation_suites, evaluation_sentences(sts, paraphrases)),
        settings=settings,
    )
    depends_on = inputs.depends_on(access)
    key = dependency_key(depends_on)
    run = _Run(folder, key, depends_on, workers or usable_cores(), where, progress or Progress(), access, on_message)
    ensure_writable(folder)
    with lock_folder(folder):
        check_claim(folder, key, depends_on, fresh=fresh)
        if base is not None and not is_finished(folder, key):
            load_sentence_transformer(base, access)  # raises before any work if the model cannot be trained
        data, own_text, holdout = _generate(inputs, run)
        claim(folder, key, depends_on, fresh=fresh)
        on_message(_describe_examples(data))
        on_message(_describe_general(data, only_own_text=not inputs.general))
        leakage = measure_leakage(
            holdout,
            data.held_out,
            ((example.texts, example.antonym_pair) for example in (*data.training, *data.validation)),
        )
        sha256, steps, examples, n_validation = _train(inputs, data, run)
        on_message("comparing the original with the repaired model")
        result = RepairResult(
            folder=folder,
            method="adapter" if base is None else "training",
            base=model,
            sha256=sha256,
            settings=settings.to_dict(),
            examples=examples,
            n_validation=n_validation,
            steps=steps,
            changes=measure_changes(
                load_encoder(model, access),
                _load_repaired(folder, model, access, is_adapter=base is None),
                EvaluationData(
                    suites=evaluation_suites,
                    sts=None if sts is None else expand_user(sts),
                    paraphrases=None if paraphrases is None else expand_user(paraphrases),
                    own_text=own_text,
                ),
                cache=cache_folder(),
                workers=workers,
                progress=run.progress,
                warn=on_message,
            ),
            leakage=tuple(leakage),
            versions=_versions(),
        )
        write_atomic(folder / "README.md", model_card(result))
        write_result(result)
        return result


def _load_repaired(folder: Path, model: str, access: Access, *, is_adapter: bool) -> Encoder:
    """Load the repaired model, or the adapter over the model that the user named."""
    if not is_adapter:
        return load_encoder(str(folder), access)
    adapted = load_model(f"adapter:{folder}", **access.to_dict(), base=model)
    assert isinstance(adapted, Encoder)  # noqa: S101
    return adapted


@dataclass(frozen=True)
class _Inputs:
    """Everything that the repaired weights depend on."""

    model: str
    base: BaseModel | None
    """The model to fine-tune; None for an adapter."""
    corpus: Corpus
    general: tuple[str, ...]
    nli: tuple[NliPair, ...]
    holdout: Holdout
    settings: RepairSettings | AdapterSettings

    def depends_on(self, access: Access) -> dict[str, Any]:
        """Return the inputs as JSON-compatible values: what the training folder records and is identified by."""
        settings = self.settings
        identity = self.base.sha256 if self.base is not None else load_encoder(self.model, access).fingerprint.key()
        nli = [[pair.premise, pair.hypothesis, pair.label] for pair in self.nli]
        return {
            "base": identity,
            "method": "adapter" if self.base is None else "training",
            "text": self.corpus.key(),
            "general": len(self.general) and dependency_key({"general": self.general}),
            "nli": len(nli) and dependency_key({"nli": nli}),
            "held out": None if settings.include_reported else dependency_key(self.holdout.to_dict()),
            "settings": settings.to_dict(),
            "versions": _versions(),
        }


@dataclass(frozen=True)
class _Run:
    """Where and how a repair runs."""

    folder: Path
    key: str
    depends_on: Mapping[str, Any]
    workers: int
    engine: ParallelEngine
    progress: Progress
    access: Access
    on_message: Callable[[str], None]


def _generate(inputs: _Inputs, run: _Run) -> tuple[TrainingData, list[str], Holdout]:
    """Return the training data, the sentences held out for the evaluation, and the complete holdout."""
    settings, problems = inputs.settings, Problems()
    origin = ", ".join(str(source["name"]) for source in inputs.corpus.files)
    sentences, own_text = split_test(sample_sentences(inputs.corpus.records(problems), settings.limit, seed=0))
    if problems.count:
        run.on_message(problems.summary())
    get_language().check_language(sentences, origin)
    holdout = inputs.holdout.with_sentences(OWN_TEXT, own_text)
    text = write_text(sentences, cache_folder(), origin)

    def on_wait() -> None:
        run.on_message("waiting for another repair that generates the same examples")

    # Repairs with several seeds may start at the same time: one generates the examples, the others read them.
    with lock_folder(text.parent, on_wait=on_wait):
        data = generate_examples(
            text,
            Holdout({}, {}).with_sentences(OWN_TEXT, own_text) if settings.include_reported else holdout,
            general=inputs.general,
            nli=inputs.nli,
            # A map over vectors cannot learn word order, and learns little from quadruples.
            sources=TEXT_ONLY if inputs.base is None else ExampleSources(lexicon=settings.lexicon),
            rewrite_limit=settings.rewrite_limit,
            origin=origin,
            engine=run.engine,
            progress=run.progress,
        )
    return data, own_text, holdout


def _train(inputs: _Inputs, data: TrainingData, run: _Run) -> tuple[str, int, dict[str, int], int]:
    """Train; return the hash of the weights, the selected step, the examples by kind, and the size of validation."""
    if isinstance(inputs.settings, RepairSettings):
        counts, n_validation = data.count_by_kind(), sum(map(len, select_examples(data.validation)))
    else:
        training, validation = select_adapter_examples(data, inputs.settings)
        counts = dict(Counter(example.kind for example in training).most_common())
        n_validation = len(validation)
    account = read_training_file(run.folder)
    if account is None or not is_finished(run.folder, run.key):
        account = {"key": run.key, "depends_on": dict(run.depends_on), **_learn(inputs, data, run)}
        write_atomic(run.folder / TRAINING_FILE, to_json(account, indent=2) + "\n")
    shutil.rmtree(run.folder / CHECKPOINTS, ignore_errors=True)  # left if the process was killed just before this
    return str(account["sha256"]), int(account["steps"]), counts, n_validation


def _learn(inputs: _Inputs, data: TrainingData, run: _Run) -> dict[str, Any]:
    """Train into the folder, and return what its training.json records about the weights."""
    settings = inputs.settings
    if isinstance(settings, RepairSettings):
        from litotes.repair.trainer import fine_tune

        assert inputs.base is not None  # noqa: S101  (set for these settings)
        return fine_tune(inputs.base, data, settings, run.folder, progress=run.progress, access=run.access)
    encoder = load_encoder(inputs.model, run.access)
    adapter = learn_adapter(
        encoder, data, settings=settings, cache=cache_folder(), workers=run.workers, progress=run.progress
    )
    adapter.save(run.folder)
    return {"sha256": adapter.sha256, "steps": adapter.steps}


def _check_not_original(out: Path, model: Path) -> None:
    """Raise if the repaired model would overwrite the original."""
    if out.resolve() == model.resolve():
        hint = "choose another --out: a repair does not change the original model"
        raise UsageError("L102", f"{out}: is the folder of the original model", hint=hint)


def _encoder_suites(suites: Sequence[str | Suite] | None) -> list[Suite]:
    """Return the suites that an encoder can be evaluated on; raise if one was named that asks for labels."""
    from litotes.suites.loading import BUILT_IN, load_suites
    from litotes.suites.nli import requires_labels

    by_name: dict[str, Suite] = {}
    for entry in BUILT_IN if suites is None else suites:
        loaded = load_suites(entry) if isinstance(entry, str) else [entry]
        usable = [suite for suite in loaded if not requires_labels(suite)]
        if suites is not None and not usable:
            name = entry if isinstance(entry, str) else entry.name
            raise UsageError("L102", f"{name}: asks for labels, which an encoder does not predict")
        by_name.update({suite.name: suite for suite in usable})
    return list(by_name.values())


def _read_general(files: Files, on_message: Callable[[str], None]) -> Iterable[str]:
    paths, problems = _paths(files), Problems()
    for record in single_sentences(read_corpus(paths, problems=problems)) if paths else ():
        if text := " ".join(record.text.split()):
            yield text
    if problems.count:
        on_message(problems.summary())


def _paths(files: Files) -> list[str]:
    return [str(files)] if isinstance(files, (str, Path)) else [str(file) for file in files]


def _describe_examples(data: TrainingData) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in data.count_by_kind().items())
    return f"{len(data.training):,} training examples ({kinds}); {data.n_held_out:,} held out for the evaluation"


def _describe_general(data: TrainingData, *, only_own_text: bool) -> str:
    # A model loses most on kinds of text that are not among these sentences (docs/reference/repair.md).
    advice = "; add other kinds of text with --general" if only_own_text else ""
    return f"{len(data.general):,} general sentences keep the model in place{advice}"


def _versions() -> dict[str, Any]:
    """Return the versions of all packages that the result depends on."""
    packages = ("litotes", "torch", "transformers", "tokenizers", "sentence-transformers", "numpy")
    current = {name: version for name, version in current_versions().items() if name in packages}
    return {**current, **versions(), "accelerate": installed_version("accelerate") or ""}
