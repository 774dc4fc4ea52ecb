"""`onnx:FOLDER` or `onnx:FILE`: ONNX models through onnxruntime and tokenizers, without torch."""

from __future__ import annotations

import hashlib
import mmap
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError, require_packages, shorten
from litotes.core.files import expand_user, is_file, read_json, sha256_file
from litotes.core.model_folders.files import is_inside, open_tokenizer_file
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import ModelName, parse_options

Pooling = Literal["mean", "cls", "max"]

_OLD_POOLINGS: dict[str, Pooling] = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
_DEFAULT_LENGTH = 512
_EXTERNAL_LOCATION = re.compile(rb"\n\x08location\x12([\x01-\x7f])")
"""A reference to a file of weights: the key “location”, the length of the file name and the file name."""


def find_files(name: ModelName, tokenizer: str | None) -> tuple[Path, Path]:
    """Return the model file and the tokenizer file for a name."""
    if name.revision is not None:
        hint = f"leave out @{shorten(name.revision)}"
        raise UsageError("L102", f"{shorten(name.rest)}: a folder has no revisions", hint=hint)
    model = _model_file(expand_user(name.rest))
    candidates = [expand_user(tokenizer)] if tokenizer else [folder / "tokenizer.json" for folder in _folders(model)]
    path = next((candidate for candidate in candidates if is_file(candidate)), None)
    if path is None:
        message = f"{shorten(str(candidates[0]), 200)}: no such tokenizer file"
        raise LitotesError("L304", message, hint="name one by onnx:…?tokenizer=PATH/tokenizer.json")
    return model, path


def _model_file(path: Path) -> Path:
    if is_file(path):
        return path
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise LitotesError("L301", f"{shorten(str(path), 200)}: no such file or folder", hint="check the path")
    for model in (path / "model.onnx", path / "onnx" / "model.onnx"):
        if is_file(model):
            return model
    present = sorted(model.relative_to(path).as_posix() for model in (*path.glob("*.onnx"), *path.glob("onnx/*.onnx")))
    hint = f"it has {', '.join(present)}: name the file" if present else "check the path"
    raise LitotesError("L302", f"{path}: has no model.onnx", hint=hint)


def _folders(model: Path) -> list[Path]:
    """Return the folders of a model's other files; on the hub, ONNX files are in a subfolder."""
    return [model.parent, model.parent.parent] if model.parent.name == "onnx" else [model.parent]


def hash_model(model: Path) -> str:
    """Return the sha256 of the model file, together with its external weights if it has any."""
    external = [model.parent / name for name in _external_files(model)]
    if not external:
        return sha256_file(model)
    digest = hashlib.sha256()
    for path in (model, *external):
        digest.update(f"{path.name}\0{sha256_file(path)}\0".encode())
    return digest.hexdigest()


def _external_files(model: Path) -> list[str]:
    """Return the names of files with weights next to a model; a model file itself is limited to 2 GB."""
    names: set[str] = set()
    if not model.stat().st_size:  # cannot be mapped; onnxruntime reports it
        return []
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for match in _EXTERNAL_LOCATION.finditer(content):
            name = content[match.end() : match.end() + match.group(1)[0]].decode("utf-8", "replace")
            if is_file(model.parent / name):
                if not is_inside(name):
                    message = f"{model}: its weights are in “{shorten(name, 60)}”, outside its folder"
                    raise LitotesError("L311", message, hint="fetch the model again")
                names.add(name)
    return sorted(names)


def published_pooling(model: Path) -> Pooling | None:
    """Return the pooling that a sentence-transformers folder declares, if it is supported."""
    for folder in _folders(model):
        path = folder / "1_Pooling" / "config.json"
        if path.exists():
            # A layer after the pooling is not in the ONNX model, so that the vectors would be wrong.
            return None if any(folder.glob("*[0-9]_Dense")) else _pooling_of(read_json(path))
    return None


def _pooling_of(config: dict[str, Any]) -> Pooling | None:
    if config.get("pooling_mode") in get_args(Pooling):
        return cast(Pooling, config["pooling_mode"])
    active = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    return _OLD_POOLINGS.get(active[0]) if len(active) == 1 else None


def published_max_length(model: Path) -> int:
    """Return the maximum number of tokens in the published settings."""
    for folder in _folders(model):
        for name, key in (
            ("sentence_bert_config.json", "max_seq_length"),
            ("tokenizer_config.json", "model_max_length"),
        ):
            path = folder / name
            length = read_json(path).get(key) if path.exists() else None
            if isinstance(length, int) and 0 < length <= _DEFAULT_LENGTH:
                return length
    return _DEFAULT_LENGTH


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_INPUT_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(float)": np.float32}
_OUTPUT_TYPES = ("tensor(float)", "tensor(float16)", "tensor(double)")
_SENTENCE_DIMENSIONS, _TOKEN_DIMENSIONS = 2, 3
"""The number of dimensions of outputs with one vector per sentence and per token."""


@dataclass(frozen=True)
class OnnxOptions:
    """Options in a name such as `onnx:model.onnx?output=461&tokenizer=tokenizer.json`.

    Args:
        output: The name of the output with the vectors.
        tokenizer: The tokenizer file; default: tokenizer.json next to the model.
        pooling: How vectors of tokens become the vector of a sentence; default: as published.
        max_length: The maximum number of tokens; default: as published.
        prompt: The text before each sentence.
    """

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
        self._inputs = {entry.name: _INPUT_TYPES[entry.type] for entry in session.get_inputs()}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text after truncation."""
        return [len(encoding.ids) for encoding in self._encodings(texts)]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, computed as one batch."""
        encodings = self._encodings(texts)
        longest = max(len(encoding.ids) for encoding in encodings)
        mask = _padded([encoding.attention_mask for encoding in encodings], longest, 0)
        features = {
            "input_ids": _padded([encoding.ids for encoding in encodings], longest, self._pad_id()),
            "attention_mask": mask,
            "token_type_ids": _padded([encoding.type_ids for encoding in encodings], longest, 0),
        }
        feed = {name: features[name].astype(kind) for name, kind in self._inputs.items()}
        try:
            (output,) = self._session.run([self._output], feed)
        except Exception as error:  # onnxruntime has many exception types, none of them public
            raise LitotesError(
                "L311",
                f"{self.name}: failed on {len(texts)} sentences of up to {longest} tokens ({type(error).__name__})",
                hint="does the tokenizer fit the model? a smaller ?max_length= may help",
            ) from error
        pooled = output if self._pooling is None else _pool(output.astype(np.float32), mask, self._pooling)
        return np.ascontiguousarray(pooled, dtype=np.float32)

    def _encodings(self, texts: Sequence[str]) -> list[Any]:
        try:
            encodings: list[Any] = self._tokenizer.encode_batch([self._prompt + text for text in texts])
        except Exception as error:  # for example, lone surrogates
            first = shorten(texts[0], 60) if texts else ""
            message = f"{self.name}: its tokenizer failed on {len(texts)} texts starting with “{first}”"
            raise LitotesError("L311", message) from error
        return encodings

    def _pad_id(self) -> int:
        for token in ("[PAD]", "<pad>"):
            if (number := self._tokenizer.token_to_id(token)) is not None:
                return int(number)
        return 0


def _padded(rows: Sequence[Sequence[int]], length: int, padding: int) -> NDArray[np.int64]:
    out = np.full((len(rows), length), padding, dtype=np.int64)
    for index, row in enumerate(rows):
        out[index, : len(row)] = row
    return out


def _pool(tokens: NDArray[Any], mask: NDArray[np.int64], pooling: Pooling) -> NDArray[Any]:
    """Return one vector per sentence from the vectors of its tokens, without padding."""
    if pooling == "cls":
        return tokens[:, 0]
    inside = mask[:, :, None].astype(bool)
    if pooling == "max":
        highest: NDArray[Any] = np.where(inside, tokens, -np.inf).max(axis=1)
        return highest
    mean: NDArray[Any] = np.where(inside, tokens, 0.0).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return mean


def load(name: ModelName, access: Access, values: Mapping[str, Any]) -> OnnxEncoder:
    """Load the model in a folder (model.onnx and tokenizer.json) or in a file."""
    options = parse_options(OnnxOptions, values, scheme=name.scheme)
    require_packages("onnx", "onnxruntime", "tokenizers")
    model, tokenizer_file = find_files(name, options.tokenizer)
    weights = hash_model(model)
    session = _session(model)
    _check_inputs(session, model)
    output, pooling = _output(session, model, options)
    max_length = options.max_length or published_max_length(model)
    fingerprint = Fingerprint(
        backend="onnxruntime/cpu",
        weights=weights,
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
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read when the library is imported, from version 1.29 on
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    # The engine calls from several threads, so each call uses one.
    settings.intra_op_num_threads = 1
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
    except Exception as error:
        reason = shorten(str(error).partition("\n")[0], 120)
        hint = "fetch the model again"
        raise LitotesError("L303", f"{model}: is truncated or not an ONNX model ({reason})", hint=hint) from error


def _check_inputs(session: Any, model: Path) -> None:
    """Raise if the model needs inputs that tokenizers do not produce."""
    for entry in session.get_inputs():
        if entry.name not in _INPUTS or entry.type not in _INPUT_TYPES:
            message = f'{model}: needs an input "{entry.name}" of {entry.type}; only {", ".join(_INPUTS)} are supported'
            raise LitotesError("L311", message)
        fixed = [size for size in entry.shape if isinstance(size, int)]
        if fixed or len(entry.shape) != _SENTENCE_DIMENSIONS:
            message = f'{model}: its input "{entry.name}" has the fixed shape {entry.shape}'
            raise LitotesError("L311", message, hint="export it with a free batch size and length")


def _tokenizer(path: Path, max_length: int) -> Any:
    tokenizer = open_tokenizer_file(path)
    special = tokenizer.num_special_tokens_to_add(False)
    if max_length <= special:
        message = f"max_length={max_length}: this model's {special} special tokens leave no tokens for words"
        raise UsageError("L102", message)
    tokenizer.enable_truncation(max_length)
    return tokenizer


def _output(session: Any, model: Path, options: OnnxOptions) -> tuple[str, Pooling | None]:
    """Return the name of the output and its pooling, which is None for sentence vectors."""
    output = _choose_output(session, model, options.output)
    kind = len(output.shape)
    if output.type not in _OUTPUT_TYPES or kind not in (_SENTENCE_DIMENSIONS, _TOKEN_DIMENSIONS):
        message = f'{model}: output "{output.name}" ({output.type}, {kind} dimensions) does not contain vectors of text'
        raise UsageError("L310", message, hint="name another by onnx:…?output=NAME")
    if kind == _SENTENCE_DIMENSIONS:
        if options.pooling is not None:
            message = f'{model}: output "{output.name}" has one vector per sentence and needs no pooling'
            raise UsageError("L310", message, hint="leave out ?pooling=")
        return output.name, None
    pooling = options.pooling or published_pooling(model)
    if pooling is None:
        hint = "choose a pooling: onnx:…?pooling=mean (or cls, max)"
        raise UsageError("L310", f'{model}: output "{output.name}" has one vector per token', hint=hint)
    return output.name, pooling


def _choose_output(session: Any, model: Path, name: str | None) -> Any:
    outputs = {output.name: output for output in session.get_outputs()}
    if name is not None:
        if name not in outputs:
            raise UsageError("L310", f'{model}: has no output "{shorten(name)}"', hint=f"it has {', '.join(outputs)}")
        return outputs[name]
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    for candidate in ("sentence_embedding", "last_hidden_state", "token_embeddings"):
        if candidate in outputs:
            return outputs[candidate]
    hint = "name one by onnx:…?output=NAME"
    raise UsageError("L310", f"{model}: has several outputs ({', '.join(outputs)})", hint=hint)
