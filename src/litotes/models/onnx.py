"""`onnx:` — ONNX models through onnxruntime and tokenizers, without torch."""

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import expand_user, is_file, read_json, sha256_file
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import ScorerName, parse_options, shorten

Pooling = Literal["mean", "cls", "max"]

_OLD_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
_USUAL_LENGTH = 512
_OUTSIDE = re.compile(rb"\n\x08location\x12([\x01-\x7f])")
"""How a model names a file of weights: the key “location”, then the length of the name and the name."""


def find_files(name: ScorerName, tokenizer: str | None) -> tuple[Path, Path]:
    """The model file and the tokenizer file that a scorer's name means."""
    if name.revision is not None:
        hint = f"leave out @{shorten(name.revision)}"
        raise UsageError("L102", f"{shorten(name.rest)}: a folder has no revisions", hint=hint)
    model = _model_file(expand_user(name.rest))
    places = [expand_user(tokenizer)] if tokenizer else [place / "tokenizer.json" for place in _places(model)]
    found = next((place for place in places if is_file(place)), None)
    if found is None:
        raise LitotesError(
            "L304",
            f"{shorten(str(places[0]), 200)}: no such tokenizer file",
            hint="name one by onnx:…?tokenizer=PATH/tokenizer.json",
        )
    return model, found


def _model_file(path: Path) -> Path:
    if is_file(path):
        return path
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise LitotesError("L301", f"{shorten(str(path), 200)}: no such file or folder", hint="check the path")
    for place in (path / "model.onnx", path / "onnx" / "model.onnx"):
        if is_file(place):
            return place
    others = sorted(found.relative_to(path).as_posix() for found in (*path.glob("*.onnx"), *path.glob("onnx/*.onnx")))
    hint = f"it has {', '.join(others)}: name the file" if others else "check the path"
    raise LitotesError("L302", f"{path}: has no model.onnx", hint=hint)


def _places(model: Path) -> list[Path]:
    """Where a model's other files are; the hub's models keep ONNX in a folder of its own."""
    return [model.parent, model.parent.parent] if model.parent.name == "onnx" else [model.parent]


def hash_model(model: Path) -> str:
    """The sha256 of the model file; if it keeps weights outside itself, one sha256 for all of it."""
    outside = [model.parent / name for name in _outside_files(model)]
    if not outside:
        return sha256_file(model)
    digest = hashlib.sha256()
    for path in (model, *outside):
        digest.update(f"{path.name}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()


def _outside_files(model: Path) -> list[str]:
    """The files beside a model that hold its weights; large models do so, for a file may not be over 2 GB."""
    names: set[str] = set()
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for match in _OUTSIDE.finditer(content):
            name = content[match.end() : match.end() + match.group(1)[0]].decode("utf-8", "replace")
            if is_file(model.parent / name):
                names.add(name)
    return sorted(names)


def published_pooling(model: Path) -> Pooling | None:
    """What a sentence-transformers folder says of itself, if that is one of the poolings that we have."""
    for folder in _places(model):
        path = folder / "1_Pooling" / "config.json"
        if path.exists():
            # A layer behind the pooling is no part of the ONNX model: without it the vectors are others.
            return None if any(folder.glob("*[0-9]_Dense")) else _pooling_of(read_json(path))
    return None


def _pooling_of(config: dict[str, Any]) -> Pooling | None:
    named = config.get("pooling_mode")
    for pooling in get_args(Pooling):
        if named == pooling:
            found: Pooling = pooling
            return found
    chosen = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    return _OLD_POOLINGS.get(chosen[0]) if len(chosen) == 1 else None


def published_max_length(model: Path) -> int:
    """How many tokens the model was published to read."""
    for folder in _places(model):
        for name, key in (
            ("sentence_bert_config.json", "max_seq_length"),
            ("tokenizer_config.json", "model_max_length"),
        ):
            path = folder / name
            length = read_json(path).get(key) if path.exists() else None
            if isinstance(length, int) and 0 < length <= _USUAL_LENGTH:
                return length
    return _USUAL_LENGTH


_MADE = ("input_ids", "attention_mask", "token_type_ids")
_NUMBERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float)": np.float32}
_VECTORS = ("tensor(float)", "tensor(float16)", "tensor(double)")
_SENTENCES, _TOKENS = 2, 3
"""How many dimensions an output has that holds a vector a sentence, a vector a token."""


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `onnx:model.onnx?output=461&tokenizer=tokenizer.json`."""

    output: str | None = None
    tokenizer: str | None = None
    pooling: Pooling | None = None
    max_length: int | None = None
    prompt: str = ""


class OnnxEncoder(Encoder):
    """An onnxruntime session and a fast tokenizer."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        *,
        session: Any,
        tokenizer: Any,
        output: str,
        pooling: Pooling | None,
        prompt: str,
    ) -> None:
        super().__init__(name, fingerprint)
        self._session = session
        self._tokenizer = tokenizer
        self._output = output
        self._pooling = pooling
        self._prompt = prompt
        self._inputs = {one.name: _NUMBERS[one.type] for one in session.get_inputs()}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has after truncation."""
        return [len(encoding.ids) for encoding in self._encodings(texts)]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector a text, as one batch."""
        encodings = self._encodings(texts)
        longest = max(len(encoding.ids) for encoding in encodings)
        mask = _padded([encoding.attention_mask for encoding in encodings], longest, 0)
        made = {
            "input_ids": _padded([encoding.ids for encoding in encodings], longest, self._pad_id()),
            "attention_mask": mask,
            "token_type_ids": _padded([encoding.type_ids for encoding in encodings], longest, 0),
        }
        feed = {name: made[name].astype(kind) for name, kind in self._inputs.items()}
        try:
            (found,) = self._session.run([self._output], feed)
        except Exception as error:  # onnxruntime has a dozen kinds, none of them public
            raise LitotesError(
                "L311",
                f"{self.name}: fails on {len(texts)} sentences of up to {longest} tokens ({type(error).__name__})",
                hint="does the tokenizer fit the model? a smaller ?max_length= may help",
            ) from error
        pooled = found if self._pooling is None else _pool(found.astype(np.float32), mask, self._pooling)
        return np.ascontiguousarray(pooled, dtype=np.float32)

    def _encodings(self, texts: Sequence[str]) -> list[Any]:
        try:
            encodings: list[Any] = self._tokenizer.encode_batch([self._prompt + text for text in texts])
        except Exception as error:  # half a character, for one, cannot be handed over
            first = shorten(texts[0], 60) if texts else ""
            raise LitotesError(
                "L311", f"{self.name}: its tokenizer fails on {len(texts)} texts, “{first}” the first"
            ) from error
        return encodings

    def _pad_id(self) -> int:
        for token in ("[PAD]", "<pad>"):
            if (number := self._tokenizer.token_to_id(token)) is not None:
                return int(number)
        return 0


def _padded(rows: Sequence[Sequence[int]], longest: int, filler: int) -> NDArray[np.int64]:
    out = np.full((len(rows), longest), filler, dtype=np.int64)
    for place, row in enumerate(rows):
        out[place, : len(row)] = row
    return out


def _pool(tokens: NDArray[Any], mask: NDArray[np.int64], pooling: Pooling) -> NDArray[Any]:
    """One vector a sentence from its tokens' vectors; padding never counts."""
    if pooling == "cls":
        return tokens[:, 0]
    inside = mask[:, :, None].astype(bool)
    if pooling == "max":
        highest: NDArray[Any] = np.where(inside, tokens, -np.inf).max(axis=1)
        return highest
    mean: NDArray[Any] = np.where(inside, tokens, 0.0).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return mean


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> OnnxEncoder:
    """The model in a folder (model.onnx and tokenizer.json) or in a file with a named output."""
    options = parse_options(Options, given, scheme=name.scheme)
    for package in ("onnxruntime", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "onnx")
    model, tokenizer_file = find_files(name, options.tokenizer)
    session = _session(model)
    _check_inputs(session, model)
    output, pooling = _output(session, model, options)
    max_length = options.max_length or published_max_length(model)
    fingerprint = Fingerprint(
        backend="onnxruntime/cpu",
        weights=hash_model(model),
        config=sha256_file(tokenizer_file),
        pooling=f"output {output}" + (f", {pooling}" if pooling else ""),
        dtype="as stored",
        max_length=max_length,
        prompt=options.prompt,
    )
    return OnnxEncoder(
        name.text,
        fingerprint,
        session=session,
        tokenizer=_tokenizer(tokenizer_file, max_length),
        output=output,
        pooling=pooling,
        prompt=options.prompt,
    )


def _session(model: Path) -> Any:
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    # One thread a call: the engine calls from as many threads as there are workers.
    settings.intra_op_num_threads = 1
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
    except Exception as error:
        reason = shorten(str(error).partition("\n")[0], 120)
        raise LitotesError(
            "L303", f"{model}: is no ONNX model or is cut short ({reason})", hint="fetch the model again"
        ) from error


def _check_inputs(session: Any, model: Path) -> None:
    """Raise if the model wants what a tokenizer cannot give."""
    for one in session.get_inputs():
        if one.name not in _MADE or one.type not in _NUMBERS:
            raise LitotesError(
                "L311", f'{model}: wants an input "{one.name}" of {one.type}; {", ".join(_MADE)} can be made'
            )
        fixed = [size for size in one.shape if isinstance(size, int)]
        if fixed or len(one.shape) != _SENTENCES:
            raise LitotesError(
                "L311",
                f'{model}: its input "{one.name}" has the fixed shape {one.shape}',
                hint="export it with a free batch size and length",
            )


def _tokenizer(path: Path, max_length: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise LitotesError(
            "L304", f"{path}: is no tokenizer ({shorten(str(error), 120)})", hint="fetch the model again"
        ) from error
    special = tokenizer.num_special_tokens_to_add(False)
    if max_length <= special:
        raise UsageError(
            "L102", f"max_length={max_length}: this model's {special} special tokens leave no room for words"
        )
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    return tokenizer


def _output(session: Any, model: Path, options: Options) -> tuple[str, Pooling | None]:
    """The output to read and how to pool it; sentence vectors need no pooling."""
    output = _choose_output(session, model, options.output)
    kind = len(output.shape)
    if output.type not in _VECTORS or kind not in (_SENTENCES, _TOKENS):
        raise UsageError(
            "L310",
            f'{model}: output "{output.name}" ({output.type}, {kind} dimensions) holds no vectors of text',
            hint="name another by onnx:…?output=NAME",
        )
    if kind == _SENTENCES:
        if options.pooling is not None:
            raise UsageError(
                "L310",
                f'{model}: output "{output.name}" holds a vector a sentence, there is nothing to pool',
                hint="leave out ?pooling=",
            )
        return output.name, None
    pooling = options.pooling or published_pooling(model)
    if pooling is None:
        raise UsageError(
            "L310",
            f'{model}: output "{output.name}" holds a vector a token',
            hint="say how to pool them, by onnx:…?pooling=mean (or cls, max)",
        )
    return output.name, pooling


def _choose_output(session: Any, model: Path, wanted: str | None) -> Any:
    outputs = {one.name: one for one in session.get_outputs()}
    if wanted is not None:
        if wanted not in outputs:
            raise UsageError("L310", f'{model}: has no output "{shorten(wanted)}"', hint=f"it has {', '.join(outputs)}")
        return outputs[wanted]
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    for name in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
        if name in outputs:
            return outputs[name]
    raise UsageError(
        "L310", f"{model}: has several outputs ({', '.join(outputs)})", hint="name one by onnx:…?output=NAME"
    )
