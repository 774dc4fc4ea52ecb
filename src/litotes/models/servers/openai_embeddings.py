"""`openai:MODEL`: embeddings of a server with the OpenAI protocol."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from litotes.core.http import RetryPolicy
from litotes.models.access import Access
from litotes.models.base import Encoder, Fingerprint, Vectors
from litotes.models.names import ModelName, parse_options
from litotes.models.servers.openai_client import CAN_CHANGE, DEFAULT_TIMEOUT, OpenAIClient, served_model

MAX_CHARACTERS = 128_000
"""The maximum number of characters per request, unless a single text is longer."""
_TEST_SENTENCE = "The door is open."
"""Sent when the model is loaded, to check the server's answer."""

Encoding = Literal["float", "base64"]


@dataclass(frozen=True)
class EmbeddingServerOptions:
    """Options in a name such as `openai:MODEL@http://HOST:PORT/v1?dimensions=256&batch=64`.

    Args:
        dimensions: The number of dimensions to request; default: the model's.
        batch: The number of texts per request.
        encoding: How vectors are sent.
        prompt: The text before each sentence.
        key: The name of the environment variable with the API key.
        timeout: Seconds to wait for an answer.
    """

    dimensions: int | None = None
    batch: int = 32
    encoding: Encoding = "float"
    prompt: str = ""
    key: str | None = None
    timeout: int = DEFAULT_TIMEOUT


class ServerEncoder(Encoder):
    """An encoder behind a server; each worker sends one request at a time."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, *, client: OpenAIClient, options: EmbeddingServerOptions, width: int
    ) -> None:
        super().__init__(name, fingerprint)
        self._client = client
        self._options = options
        self._width = width

    @property
    def batch_tokens(self) -> int:
        """The number of texts per request; `lengths` counts long texts as several."""
        return min(self._options.batch, MAX_CHARACTERS)

    def stop(self) -> None:
        """Cancel requests and pauses in progress."""
        self._client.stop()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return as how many texts each counts, so that the engine's batches are the requests."""
        share = MAX_CHARACTERS // self.batch_tokens
        return [max(1, -(-(len(self._options.prompt) + len(text)) // share)) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text."""
        prompted = [self._options.prompt + text for text in texts]
        blocks = [self._request(group) for group in _group(prompted, self._options.batch)]
        return np.concatenate(blocks) if blocks else np.empty((0, self._width), dtype=np.float32)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """Return the note that the server's model may change."""
        return [CAN_CHANGE.format(address=self._client.address)]

    def _request(self, texts: Sequence[str]) -> Vectors:
        vectors = read_vectors(_request_embeddings(self._client, texts, self._options), len(texts), self._client)
        if vectors.shape[1] != self._width:
            raise self._client.invalid_answer(
                f"returned vectors of {vectors.shape[1]:,} dimensions, previously of {self._width:,}"
            )
        return vectors


def _group(texts: Sequence[str], max_texts: int) -> Iterator[list[str]]:
    """Yield the texts of each request, in order."""
    group: list[str] = []
    characters = 0
    for text in texts:
        if group and (len(group) == max_texts or characters + len(text) > MAX_CHARACTERS):
            yield group
            group, characters = [], 0
        group.append(text)
        characters += len(text)
    if group:
        yield group


def _request_embeddings(client: OpenAIClient, texts: Sequence[str], options: EmbeddingServerOptions) -> dict[str, Any]:
    request: dict[str, Any] = {"input": list(texts), "encoding_format": options.encoding}
    if options.dimensions is not None:
        request["dimensions"] = options.dimensions
    return client.post("embeddings", request)


def read_vectors(answer: Mapping[str, Any], count: int, client: OpenAIClient) -> Vectors:
    """Return the vectors of an answer in the order of the texts; raise if it is invalid."""
    data = answer.get("data")
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise client.invalid_answer('returned no list of vectors ("data")')
    if len(data) != count:
        raise client.invalid_answer(f"returned {len(data):,} vectors for {count:,} texts")
    rows: list[Vectors | None] = [None] * count
    for entry in data:
        index = entry.get("index")
        if type(index) is not int or not 0 <= index < count:
            raise client.invalid_answer(f"returned a vector without the index of its text (index {index!r:.20})")
        if rows[index] is not None:
            raise client.invalid_answer(f"returned two vectors for the text with index {index}")
        rows[index] = _read_vector(entry.get("embedding"), index, client)
    vectors = [row for row in rows if row is not None]
    if len(widths := sorted({len(row) for row in vectors})) > 1:
        raise client.invalid_answer(f"returned vectors of different lengths ({', '.join(map(str, widths))})")
    return np.stack(vectors)


def _read_vector(embedding: Any, index: int, client: OpenAIClient) -> Vectors:
    try:
        if isinstance(embedding, str):
            numbers = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        else:
            numbers = np.asarray(embedding)
    except (ValueError, binascii.Error):  # invalid base64, or nested lists
        numbers = np.empty(0)
    # Nulls and strings give arrays of other types, which NumPy would convert silently.
    if numbers.dtype.kind not in "fi" or numbers.ndim != 1 or not len(numbers):
        raise client.invalid_answer(f"returned no list of numbers as the vector of the text with index {index}")
    with np.errstate(over="ignore"):
        row: Vectors = numbers.astype(np.float32)
    if not np.isfinite(row).all():
        raise client.invalid_answer(f"returned NaN or infinite numbers for the text with index {index}")
    return row


def load(
    name: ModelName, access: Access, values: Mapping[str, Any], *, retry: RetryPolicy | None = None
) -> ServerEncoder:
    """Load `openai:MODEL@ADDRESS`, with one request to check the server's answer."""
    options = parse_options(EmbeddingServerOptions, values, scheme=name.scheme)
    client = OpenAIClient(served_model(name, access, options.key), timeout=options.timeout, retry=retry)
    answer = _request_embeddings(client, [options.prompt + _TEST_SENTENCE], options)
    width = read_vectors(answer, 1, client).shape[1]
    if options.dimensions not in (None, width):
        raise client.invalid_answer(f"returned vectors of {width:,} dimensions instead of {options.dimensions:,}")
    dimensions = "" if options.dimensions is None else f" dimensions={options.dimensions}"
    fingerprint = Fingerprint(
        backend="openai",
        # The weights themselves are unknown.
        weights=f"{client.address} {client.model}{dimensions}",
        config=f"served as {client.served_name(answer) or '(unknown)'}, {width} numbers",
        dtype=f"float32 sent as {options.encoding}",
        prompt=options.prompt,
    )
    return ServerEncoder(name.text, fingerprint, client=client, options=options, width=width)
