"""The naturalness of rewritten sentences, by word counts of the corpus or by a language model."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from litotes.building.pipeline.collocations import Collocations
from litotes.building.pipeline.select import ScoreFunction, SentencePairs
from litotes.core.errors import LitotesError, UsageError, shorten
from litotes.core.files import expand_user, read_json
from litotes.core.model_folders.checks import check_folder
from litotes.core.model_folders.files import hash_weights
from litotes.models.access import Access
from litotes.models.hub import find_model
from litotes.models.names import parse_name
from litotes.models.transformers.torch_model import choose_device, loading, position_limit, require_torch

CORPUS = "corpus"


@dataclass(frozen=True)
class Naturalness:
    """A score of candidates, and the counts of the corpus that it needs."""

    score: ScoreFunction
    counts: Collocations | None
    """To be filled while the corpus is read."""
    description: Any
    """The score in suite.json."""
    packages: tuple[str, ...] = ()
    """Packages whose versions the score depends on."""


def load_naturalness(name: str) -> Naturalness:
    """Return the score with this name: "corpus" for word counts, else a language model by name or folder."""
    if name == CORPUS:
        counts = Collocations()
        return Naturalness(lambda pairs: [counts.naturalness(before, after) for before, after in pairs], counts, CORPUS)
    model = load_language_model(name)
    return Naturalness(model.naturalness, None, model.describe(), ("torch", "transformers"))


ModelKind: TypeAlias = Literal["causal", "masked"]
Ids: TypeAlias = tuple[int, ...]

_MAX_BATCH_TOKENS = 2_048
"""Tokens of a batch, including padding."""
_DEFAULT_LENGTH = 512
_UNLIMITED = 1_000_000


class _TokenisedText(NamedTuple):
    """Token ids of a text, with the index of the word that each belongs to."""

    ids: Ids
    words: tuple[int | None, ...]


class _Query(NamedTuple):
    """The input of the model, and the tokens whose probabilities are needed at some positions."""

    ids: Ids
    positions: tuple[int, ...]
    targets: Ids


class LanguageModel:
    """A language model of transformers that scores rewritten sentences."""

    def __init__(self, name: str, kind: ModelKind, model: Any, tokenizer: Any, *, sha256: str = "") -> None:
        self.name = name
        self.kind: ModelKind = kind
        self.sha256 = sha256
        self._model = model
        self._tokenizer = tokenizer
        self._special_ids = frozenset(tokenizer.all_special_ids)
        self._max_length = _max_length(model, tokenizer)
        self._model_inputs = frozenset(inspect.signature(model.forward).parameters)

    def describe(self) -> dict[str, str]:
        """Return what the scores depend on, independent of the machine."""
        return {"model": self.name, "kind": self.kind, "sha256": self.sha256}

    def naturalness(self, pairs: SentencePairs) -> list[float]:
        """Return how much more likely the tokens of each rewrite are than those of its original; 0: equal.

        The unit is powers of ten per token. A causal model gives the mean over all tokens of a text, a masked model the
        mean over the tokens that differ and their neighbours, masked one by one.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        try:
            tokenised = dict(zip(texts, self._tokenise(texts), strict=True))
            token_pairs = [(tokenised[before], tokenised[after]) for before, after in pairs]
            scores = self._causal(token_pairs) if self.kind == "causal" else self._masked(token_pairs)
        except LitotesError:
            raise
        except Exception as error:  # a model's code may raise anything
            reason = shorten((str(error).strip().splitlines() or ["no reason given"])[0], 200)
            raise LitotesError("L311", f"{self.name}: cannot be run ({type(error).__name__}: {reason})") from error
        if not all(map(math.isfinite, scores)):
            raise LitotesError("L308", f"{self.name}: returns NaN or infinite probabilities", hint="use another model")
        return scores

    def _causal(self, pairs: Sequence[tuple[_TokenisedText, _TokenisedText]]) -> list[float]:
        queries = {
            text: _Query(text.ids, tuple(range(len(text.ids) - 1)), text.ids[1:]) for pair in pairs for text in pair
        }
        means = dict(zip(queries, map(_mean, self._log_probabilities(list(queries.values()))), strict=True))
        return [means[after] - means[before] for before, after in pairs]

    def _masked(self, pairs: Sequence[tuple[_TokenisedText, _TokenisedText]]) -> list[float]:
        """Return differences in pseudo-log-likelihood at the tokens that differ."""
        positions = [(self._differing(before, after), self._differing(after, before)) for before, after in pairs]
        queries = {
            (text, position): self._masked_query(text, position)
            for pair, pair_positions in zip(pairs, positions, strict=True)
            for text, text_positions in zip(pair, pair_positions, strict=True)
            for position in text_positions
        }
        logs = dict(zip(queries, (log for (log,) in self._log_probabilities(list(queries.values()))), strict=True))
        means = (
            [
                _mean([logs[text, position] for position in text_positions])
                for text, text_positions in zip(pair, pair_positions, strict=True)
            ]
            for pair, pair_positions in zip(pairs, positions, strict=True)
        )
        return [after - before for before, after in means]

    def _differing(self, text: _TokenisedText, reference: _TokenisedText) -> list[int]:
        """Return the positions of tokens that are not in the reference, and of their neighbours."""
        matcher = SequenceMatcher(a=text.ids, b=reference.ids, autojunk=False)
        changed = [(start, end) for operation, start, end, _, _ in matcher.get_opcodes() if operation != "equal"]
        near = {position for start, end in changed for position in range(start - 1, end + 1)}
        return [
            position for position, token in enumerate(text.ids) if position in near and token not in self._special_ids
        ]

    def _masked_query(self, text: _TokenisedText, position: int) -> _Query:
        """Mask a token and the rest of its word, from which the token could be guessed."""
        ids, words = text
        end = position + 1
        while end < len(ids) and words[end] is not None and words[end] == words[position]:
            end += 1
        mask = (int(self._tokenizer.mask_token_id),) * (end - position)
        return _Query(ids[:position] + mask + ids[end:], (position,), (ids[position],))

    def _tokenise(self, texts: list[str]) -> list[_TokenisedText]:
        if not texts:
            return []
        encoding = self._tokenizer(texts, truncation=True, max_length=self._max_length)
        ids = [tuple(row) for row in encoding["input_ids"]]
        if self.kind == "causal":
            return [_TokenisedText(self._with_start_token(row), ()) for row in ids]
        # Slow tokenizers do not know word boundaries; each token counts as a word.
        words = [
            encoding.word_ids(index) if self._tokenizer.is_fast else range(len(row)) for index, row in enumerate(ids)
        ]
        return [_TokenisedText(row, tuple(numbers)) for row, numbers in zip(ids, words, strict=True)]

    def _with_start_token(self, ids: Ids) -> Ids:
        """Prepend a start token, without which the first word has no probability."""
        start = self._tokenizer.bos_token_id
        start = self._tokenizer.eos_token_id if start is None else start
        return ids if start is None or ids[:1] == (start,) else (start, *ids)[: self._max_length]

    def _log_probabilities(self, queries: Sequence[_Query]) -> list[list[float]]:
        """Return the decimal logarithms of the probabilities of each query's targets."""
        import torch

        results: list[list[float]] = [[] for _ in queries]
        device = next(self._model.parameters()).device
        padding = self._tokenizer.pad_token_id or 0
        for batch in _batches([len(query.ids) for query in queries]):
            width = max(len(queries[index].ids) for index in batch)
            ids = [[*queries[index].ids, *[padding] * (width - len(queries[index].ids))] for index in batch]
            mask = [[1] * len(queries[index].ids) + [0] * (width - len(queries[index].ids)) for index in batch]
            inputs = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
            with torch.inference_mode():
                logits = self._model(
                    **{key: value.to(device) for key, value in inputs.items() if key in self._model_inputs}
                ).logits
                for row, index in enumerate(batch):
                    query = queries[index]
                    logs = torch.log_softmax(logits[row, list(query.positions)].double(), dim=-1)
                    target_logs = logs[range(len(query.targets)), list(query.targets)] / math.log(10)
                    results[index] = target_logs.tolist()
        return results


def load_language_model(name: str) -> LanguageModel:
    """Load a causal or masked language model by name or folder, from this machine if possible, else from the hub.

    Only safetensors are read, and no code of the model is run.
    """
    require_torch("transformers")
    parsed = parse_name(name)
    if parsed.options:
        raise UsageError(
            "L102", f'"{shorten(name)}": a language model has no options', hint="remove the ? and what follows it"
        )
    # The scheme hf does not require the files of a sentence encoder.
    parsed = replace(parsed, scheme="hf")
    access = Access()
    folder = find_model(parsed, access)
    check_folder(folder, access)
    kind = _model_kind(folder)
    with loading(folder, access):
        from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

        common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(folder, **common)
        auto_class: Any = AutoModelForCausalLM if kind == "causal" else AutoModelForMaskedLM
        model = auto_class.from_pretrained(folder, use_safetensors=True, **common)
    if kind == "masked" and tokenizer.mask_token_id is None:
        raise LitotesError("L304", f"{folder}: its tokenizer has no mask token", hint="use another model")
    # Results do not contain paths of this machine.
    is_local = folder == expand_user(parsed.rest)
    revision = f"@{parsed.revision}" if parsed.revision else ""
    label = folder.resolve().name if is_local else parsed.rest + revision
    return LanguageModel(label, kind, model.to(choose_device("auto")).eval(), tokenizer, sha256=hash_weights(folder))


def _model_kind(folder: Path) -> ModelKind:
    """Return the kind of a model by the class in its config."""
    from transformers.models.auto import modeling_auto

    config_file = folder / "config.json"
    if not config_file.is_file():
        raise LitotesError("L302", f"{folder}: has no config.json", hint="use a causal or masked language model")
    config = read_json(config_file)
    architectures = [str(name) for name in config.get("architectures") or ()]
    mappings: dict[ModelKind, Any] = {
        "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    }
    for kind, mapping in mappings.items():
        known = {name for value in mapping.values() for name in ([value] if isinstance(value, str) else value)}
        if known & set(architectures) and not config.get("is_encoder_decoder"):
            return kind
    architecture = f"is a {architectures[0]}" if architectures else "does not declare an architecture"
    raise LitotesError(
        "L311",
        f"{folder}: {architecture}, not a causal or masked language model",
        hint="use one, or --naturalness corpus",
    )


def _max_length(model: Any, tokenizer: Any) -> int:
    declared = int(tokenizer.model_max_length) if tokenizer.model_max_length < _UNLIMITED else None
    lengths = [length for length in (declared, position_limit(model)) if length is not None]
    return min(lengths, default=_DEFAULT_LENGTH)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield batches of indexes; rows of similar length are together, so that there is little padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > _MAX_BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _mean(logs: Sequence[float]) -> float:
    return sum(logs) / len(logs) if logs else 0.0
