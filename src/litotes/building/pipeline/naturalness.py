"""How natural rewritten sentences are: by the corpus's own counts, or by a language model."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from litotes.building.pipeline.select import Score
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import expand_user, read_json
from litotes.models.access import Access
from litotes.models.hub import find_model
from litotes.models.model_folder import check_folder, hash_weights
from litotes.models.names import parse_name, shorten
from litotes.models.transformers.torch_model import choose_device, loading, need_torch, position_limit

CORPUS = "corpus"


@dataclass(frozen=True)
class Naturalness:
    """How candidates are scored, and what is done with each sentence of the corpus for it."""

    score: Score
    see: Callable[[str], None]
    described: Any
    """As suite.json has it."""
    packages: tuple[str, ...] = field(default=())
    """Whose versions it depends on."""


def load_naturalness(name: str) -> Naturalness:
    """“corpus” for its own counts, or a language model by its name or folder."""
    if name == CORPUS:
        from litotes.building.pipeline.collocations import Collocations

        counts = Collocations()
        return Naturalness(
            lambda pairs: [counts.naturalness(before, after) for before, after in pairs], counts.add, CORPUS
        )
    pass

    model = load_language_model(name)
    return Naturalness(model.naturalness, lambda _: None, model.described(), ("torch", "transformers"))


Kind: TypeAlias = Literal["causal", "masked"]
Ids: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[str, str]

_TOKENS_AT_ONCE = 2_048
"""A batch, padding and all."""
_USUAL_LENGTH = 512
_NO_LIMIT = 1_000_000


class _Text(NamedTuple):
    """A text as its tokens, and the number of the word that each belongs to."""

    ids: Ids
    words: tuple[int | None, ...]


class _Row(NamedTuple):
    """What a model is to read, and the places whose tokens are to be told the probability of."""

    read: Ids
    places: tuple[int, ...]
    wanted: Ids


class LanguageModel:
    """A language model of transformers, and what it says of rewritten sentences."""

    def __init__(self, name: str, kind: Kind, model: Any, tokenizer: Any, *, sha256: str = "") -> None:
        self.name = name
        self.kind: Kind = kind
        self.sha256 = sha256
        self._model = model
        self._tokenizer = tokenizer
        self._special = frozenset(tokenizer.all_special_ids)
        self._longest = _longest(model, tokenizer)
        self._takes = frozenset(inspect.signature(model.forward).parameters)

    def described(self) -> dict[str, str]:
        """What its numbers depend on, whatever the machine."""
        return {"model": self.name, "kind": self.kind, "sha256": self.sha256}

    def naturalness(self, pairs: Sequence[Pair]) -> list[float]:
        """For each original and its rewrite how much likelier its tokens are, in powers of ten; 0: as likely.

        A causal model gives the mean over all tokens of each text. A masked one looks at the tokens that differ and at
        their neighbours, each masked in its turn.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        try:
            read = dict(zip(texts, self._read(texts), strict=True))
            wanted = [(read[before], read[after]) for before, after in pairs]
            found = self._causal(wanted) if self.kind == "causal" else self._masked(wanted)
        except LitotesError:
            raise
        except Exception as error:  # the model's own code raises what it likes
            reason = shorten((str(error).strip().splitlines() or ["no reason given"])[0], 200)
            raise LitotesError("L311", f"{self.name}: cannot be run ({type(error).__name__}: {reason})") from error
        if not all(map(math.isfinite, found)):
            raise LitotesError(
                "L308", f"{self.name}: gives probabilities that are no numbers", hint="name another model"
            )
        return found

    def _causal(self, pairs: Sequence[tuple[_Text, _Text]]) -> list[float]:
        rows = {text: _Row(text.ids, tuple(range(len(text.ids) - 1)), text.ids[1:]) for pair in pairs for text in pair}
        means = dict(zip(rows, map(_mean, self._logs(list(rows.values()))), strict=True))
        return [means[after] - means[before] for before, after in pairs]

    def _masked(self, pairs: Sequence[tuple[_Text, _Text]]) -> list[float]:
        """The pseudo-log-likelihood of what differs; a token is masked along with those that end its word."""
        places = [(self._differing(before, after), self._differing(after, before)) for before, after in pairs]
        asked = {
            (text, place): self._masked_at(text, place)
            for pair, both in zip(pairs, places, strict=True)
            for text, some in zip(pair, both, strict=True)
            for place in some
        }
        logs = dict(zip(asked, (log for (log,) in self._logs(list(asked.values()))), strict=True))
        means = (
            [_mean([logs[text, place] for place in some]) for text, some in zip(pair, both, strict=True)]
            for pair, both in zip(pairs, places, strict=True)
        )
        return [after - before for before, after in means]

    def _differing(self, text: _Text, other: _Text) -> list[int]:
        """The places of the tokens that the other text has not, and of their neighbours; none of special tokens."""
        matcher = SequenceMatcher(a=text.ids, b=other.ids, autojunk=False)
        changed = [(start, end) for what, start, end, _, _ in matcher.get_opcodes() if what != "equal"]
        near = {place for start, end in changed for place in range(start - 1, end + 1)}
        return [place for place, token in enumerate(text.ids) if place in near and token not in self._special]

    def _masked_at(self, text: _Text, place: int) -> _Row:
        """The text with a gap; the rest of a word would give away its beginning, so that is masked too."""
        ids, words = text
        end = place + 1
        while end < len(ids) and words[end] is not None and words[end] == words[place]:
            end += 1
        gap = (int(self._tokenizer.mask_token_id),) * (end - place)
        return _Row(ids[:place] + gap + ids[end:], (place,), (ids[place],))

    def _read(self, texts: list[str]) -> list[_Text]:
        """The tokens of each text; those of a causal model begin with one that stands for the beginning."""
        if not texts:
            return []
        found = self._tokenizer(texts, truncation=True, max_length=self._longest)
        ids = [tuple(one) for one in found["input_ids"]]
        if self.kind == "causal":
            return [_Text(self._begun(one), ()) for one in ids]
        # A tokenizer that knows of no words takes each token for one.
        words = [found.word_ids(place) if self._tokenizer.is_fast else range(len(one)) for place, one in enumerate(ids)]
        return [_Text(one, tuple(numbers)) for one, numbers in zip(ids, words, strict=True)]

    def _begun(self, ids: Ids) -> Ids:
        first = self._tokenizer.bos_token_id
        first = self._tokenizer.eos_token_id if first is None else first
        # Without any such token the first word goes unjudged.
        return ids if first is None or ids[:1] == (first,) else (first, *ids)[: self._longest]

    def _logs(self, rows: Sequence[_Row]) -> list[list[float]]:
        """For each row the logarithms (base ten) of the probabilities that are wanted."""
        import torch

        found: list[list[float]] = [[] for _ in rows]
        device = next(self._model.parameters()).device
        padding = self._tokenizer.pad_token_id or 0
        for some in _batches([len(row.read) for row in rows]):
            width = max(len(rows[number].read) for number in some)
            read = [[*rows[number].read, *[padding] * (width - len(rows[number].read))] for number in some]
            mask = [[1] * len(rows[number].read) + [0] * (width - len(rows[number].read)) for number in some]
            features = {"input_ids": torch.tensor(read), "attention_mask": torch.tensor(mask)}
            with torch.inference_mode():
                logits = self._model(
                    **{key: value.to(device) for key, value in features.items() if key in self._takes}
                ).logits
                for line, number in enumerate(some):
                    row = rows[number]
                    logs = torch.log_softmax(logits[line, list(row.places)].double(), dim=-1)
                    told = logs[range(len(row.wanted)), list(row.wanted)] / math.log(10)
                    found[number] = told.tolist()
        return found


def load_language_model(name: str) -> LanguageModel:
    """The causal or masked language model of that name or in that folder: what is on this machine first, then the hub.

    Only safetensors are read, and no code that comes with a model is run.
    """
    need_torch("transformers")
    wanted = parse_name(name)
    if wanted.options:
        raise UsageError(
            "L102", f'"{shorten(name)}": a language model has no options', hint="leave out what follows the ?"
        )
    # By transformers alone: what makes a sentence encoder of it need not be there.
    wanted = replace(wanted, scheme="hf")
    access = Access()
    folder = find_model(wanted, access)
    check_folder(folder, access)
    kind = _kind(folder)
    with loading(folder, access):
        from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

        common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(folder, **common)
        auto: Any = AutoModelForCausalLM if kind == "causal" else AutoModelForMaskedLM
        model = auto.from_pretrained(folder, use_safetensors=True, **common)
    if kind == "masked" and tokenizer.mask_token_id is None:
        raise LitotesError("L304", f"{folder}: its tokenizer has no mask token", hint="name another model")
    # Where a folder is, is this machine's own affair.
    is_local = folder == expand_user(wanted.rest)
    shown = folder.resolve().name if is_local else wanted.rest + (f"@{wanted.revision}" if wanted.revision else "")
    return LanguageModel(shown, kind, model.to(choose_device("auto")).eval(), tokenizer, sha256=hash_weights(folder))


def _kind(folder: Path) -> Kind:
    """What the model was trained as, by the class that its config names."""
    from transformers.models.auto import modeling_auto

    config = folder / "config.json"
    if not config.is_file():
        raise LitotesError("L302", f"{folder}: has no config.json", hint="name a causal or masked language model")
    settings = read_json(config)
    named = [str(one) for one in settings.get("architectures") or ()]
    classes: dict[Kind, Any] = {
        "masked": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        "causal": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    }
    for kind, mapping in classes.items():
        known = {one for value in mapping.values() for one in ([value] if isinstance(value, str) else value)}
        if known & set(named) and not settings.get("is_encoder_decoder"):
            return kind
    what = f"is a {named[0]}" if named else "does not say what it is"
    raise LitotesError(
        "L311", f"{folder}: {what}, not a causal or masked language model", hint="name one, or use the corpus's counts"
    )


def _longest(model: Any, tokenizer: Any) -> int:
    said = int(tokenizer.model_max_length) if tokenizer.model_max_length < _NO_LIMIT else None
    known = [length for length in (said, position_limit(model)) if length is not None]
    return min(known, default=_USUAL_LENGTH)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The numbers of the rows, those of like length together, so that little is padding."""
    some: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if some and (len(some) + 1) * lengths[number] > _TOKENS_AT_ONCE:
            yield some
            some = []
        some.append(number)
    if some:
        yield some


def _mean(logs: Sequence[float]) -> float:
    return sum(logs) / len(logs) if logs else 0.0
