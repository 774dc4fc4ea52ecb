"""`onnx:` — ONNX models through onnxruntime and tokenizers, without torch."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from litotes.core.errors import LitotesError, UsageError, missing_package
from litotes.core.files import check_is_file, read_json, sha256_file
from litotes.scorers.access import Access
from litotes.scorers.base import Encoder, Fingerprint, Vectors
from litotes.scorers.names import ScorerName, parse_options

Pooling = Literal["mean", "cls", "max"]


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `onnx:model.onnx?output=461&tokenizer=tokenizer.json`."""

    output: str | None = None
    tokenizer: str | None = None
    pooling: Pooling | None = None
    max_length: int = 512
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
        (found,) = self._session.run([self._output], feed)
        pooled = found if self._pooling is None else _pool(found, mask, self._pooling)
        return np.ascontiguousarray(pooled, dtype=np.float32)

    def _encodings(self, texts: Sequence[str]) -> list[Any]:
        encodings: list[Any] = self._tokenizer.encode_batch([self._prompt + text for text in texts])
        return encodings

    def _pad_id(self) -> int:
        for token in ("[PAD]", "<pad>"):
            if (number := self._tokenizer.token_to_id(token)) is not None:
                return int(number)
        return 0


_NUMBERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


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
        return np.where(inside, tokens, -np.inf).max(axis=1)
    summed: NDArray[Any] = np.where(inside, tokens, 0.0).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return summed


def load(name: ScorerName, access: Access, given: Mapping[str, Any]) -> OnnxEncoder:
    """The model in a folder (model.onnx and tokenizer.json) or in a file with a named output."""
    options = parse_options(Options, given, scheme=name.scheme)
    for package in ("onnxruntime", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, "onnx")
    model, tokenizer_file = _files(Path(name.rest).expanduser(), options)
    session = _session(model)
    unknown = [one.name for one in session.get_inputs() if one.name not in _MADE]
    if unknown:
        raise LitotesError("L311", f'{model}: wants an input "{unknown[0]}"; {", ".join(_MADE)} can be made')
    output, pooling = _output(session, model, options)
    fingerprint = Fingerprint(
        backend="onnxruntime/cpu",
        weights=sha256_file(model),
        config=sha256_file(tokenizer_file),
        pooling=pooling or f"output {output}",
        dtype="as stored",
        max_length=options.max_length,
        prompt=options.prompt,
    )
    return OnnxEncoder(
        name.text,
        fingerprint,
        session=session,
        tokenizer=_tokenizer(tokenizer_file, options.max_length),
        output=output,
        pooling=pooling,
        prompt=options.prompt,
    )


_MADE = ("input_ids", "attention_mask", "token_type_ids")


def _files(path: Path, options: Options) -> tuple[Path, Path]:
    folder = path if path.is_dir() else path.parent
    if path.is_dir():
        found = [place for place in (path / "model.onnx", path / "onnx" / "model.onnx") if place.exists()]
        if not found:
            raise LitotesError("L302", f"{path}: has no model.onnx")
        model = found[0]
    else:
        check_is_file(path)
        model = path
    tokenizer = Path(options.tokenizer).expanduser() if options.tokenizer else folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise LitotesError(
            "L304",
            f"{tokenizer}: no such tokenizer file",
            hint="name one by onnx:…?tokenizer=PATH/tokenizer.json",
        )
    return model, tokenizer


def _session(model: Path) -> Any:
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    # One thread a call: the engine calls from as many threads as there are workers.
    settings.intra_op_num_threads = 1
    settings.inter_op_num_threads = 1
    settings.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise LitotesError(
            "L303", f"{model}: is no ONNX model or is cut short ({type(error).__name__})"
        ) from error


def _tokenizer(path: Path, max_length: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise LitotesError("L304", f"{path}: is no tokenizer ({type(error).__name__})") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    return tokenizer


def _output(session: Any, model: Path, options: Options) -> tuple[str, Pooling | None]:
    """The output to read and how to pool it; sentence vectors need no pooling."""
    ranks = {one.name: len(one.shape) for one in session.get_outputs()}
    if options.output is not None and options.output not in ranks:
        raise UsageError("L310", f'{model}: has no output "{options.output}"; it has {", ".join(ranks)}')
    if options.output is None and len(ranks) > 1:
        known = [
            name for name in ("sentence_embedding", "last_hidden_state", "token_embeddings") if name in ranks
        ]
        if not known:
            raise UsageError(
                "L310",
                f"{model}: has several outputs ({', '.join(ranks)})",
                hint="name one by onnx:…?output=NAME",
            )
        output = known[0]
    else:
        output = options.output or next(iter(ranks))
    if ranks[output] == 2:
        return output, None
    if ranks[output] != 3:
        raise LitotesError("L310", f'{model}: output "{output}" holds neither sentences nor tokens')
    pooling = options.pooling or _published_pooling(model)
    if pooling is None:
        raise UsageError(
            "L310",
            f'{model}: output "{output}" holds a vector a token',
            hint="say how to pool them, by onnx:…?pooling=mean (or cls, max)",
        )
    return output, pooling


def _published_pooling(model: Path) -> Pooling | None:
    """What a sentence-transformers folder says of itself."""
    for folder in (model.parent, model.parent.parent):
        path = folder / "1_Pooling" / "config.json"
        if path.exists():
            config = read_json(path)
            modes: dict[Pooling, str] = {
                "mean": "pooling_mode_mean_tokens",
                "cls": "pooling_mode_cls_token",
                "max": "pooling_mode_max_tokens",
            }
            chosen = [
                mode for mode, key in modes.items() if config.get(key) or config.get("pooling_mode") == mode
            ]
            return chosen[0] if len(chosen) == 1 else None
    return None
