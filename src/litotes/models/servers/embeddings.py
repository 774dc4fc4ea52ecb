"""`openai:` — embeddings of a server that speaks the OpenAI protocol."""

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
from litotes.models.names import ScorerName, parse_options
from litotes.models.servers.client import CAN_CHANGE, DEFAULT_TIMEOUT, OpenAIClient, served_model

MOST_CHARACTERS = 128_000
"""No request holds more, unless one text alone does."""
_TRIAL = "The door is open."
"""What a server is asked when it is loaded, to see what it answers with."""

Encoding = Literal["float", "base64"]


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `openai:MODEL@http://HOST:PORT/v1?dimensions=256&batch=64`."""

    dimensions: int | None = None
    """How many numbers the server is to give a text; None: as many as it likes."""
    batch: int = 32
    """How many texts go into one request."""
    encoding: Encoding = "float"
    prompt: str = ""
    """Stands before every text."""
    key: str | None = None
    """The environment variable that holds the key."""
    timeout: int = DEFAULT_TIMEOUT


class ServerEncoder(Encoder):
    """Texts go to a server, vectors come back; as many requests at once as there are workers."""

    def __init__(
        self, name: str, fingerprint: Fingerprint, *, client: OpenAIClient, options: Options, width: int
    ) -> None:
        super().__init__(name, fingerprint)
        self._client = client
        self._options = options
        self._width = width

    @property
    def batch_tokens(self) -> int:
        """How many texts of usual length go into a request: its length counts only where a text is longer."""
        return min(self._options.batch, MOST_CHARACTERS)

    def stop(self) -> None:
        """Wait for no answer any longer than must be."""
        self._client.stop()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """For how many texts of usual length each counts, so that the engine's batches are the requests."""
        usual = MOST_CHARACTERS // self.batch_tokens
        return [max(1, -(-(len(self._options.prompt) + len(text)) // usual)) for text in texts]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector a text."""
        prompted = [self._options.prompt + text for text in texts]
        found = [self._request(group) for group in _groups(prompted, self._options.batch)]
        return np.concatenate(found) if found else np.empty((0, self._width), dtype=np.float32)

    def notes(self, texts: Sequence[str]) -> list[str]:
        """That nobody can say whether the server's model is still the same."""
        return [CAN_CHANGE.format(address=self._client.address)]

    def _request(self, texts: Sequence[str]) -> Vectors:
        vectors = read_vectors(_ask(self._client, texts, self._options), len(texts), self._client)
        if vectors.shape[1] != self._width:
            raise self._client.wrong(f"gave vectors of {vectors.shape[1]:,} numbers, before that of {self._width:,}")
        return vectors


def _groups(texts: Sequence[str], most: int) -> Iterator[list[str]]:
    """The texts in as few requests as the limits allow, in their order."""
    group: list[str] = []
    characters = 0
    for text in texts:
        if group and (len(group) == most or characters + len(text) > MOST_CHARACTERS):
            yield group
            group, characters = [], 0
        group.append(text)
        characters += len(text)
    if group:
        yield group


def _ask(client: OpenAIClient, texts: Sequence[str], options: Options) -> dict[str, Any]:
    request: dict[str, Any] = {"input": list(texts), "encoding_format": options.encoding}
    if options.dimensions is not None:
        request["dimensions"] = options.dimensions
    return client.ask("embeddings", request)


def read_vectors(answer: Mapping[str, Any], count: int, client: OpenAIClient) -> Vectors:
    """The vectors of an answer in the order of the texts, or one line that says what is wrong with it."""
    data = answer.get("data")
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise client.wrong('gave an answer without a list of vectors ("data")')
    if len(data) != count:
        raise client.wrong(f"gave {len(data):,} vectors for {count:,} texts")
    rows: list[Vectors | None] = [None] * count
    for entry in data:
        place = entry.get("index")
        if type(place) is not int or not 0 <= place < count:
            raise client.wrong(f"gave a vector without the place of its text (index {place!r:.20})")
        if rows[place] is not None:
            raise client.wrong(f"gave two vectors for the text at place {place}")
        rows[place] = _vector(entry.get("embedding"), place, client)
    found = [row for row in rows if row is not None]
    if len(widths := sorted({len(row) for row in found})) > 1:
        raise client.wrong(f"gave vectors of different lengths ({', '.join(map(str, widths))})")
    return np.stack(found)


def _vector(embedding: Any, place: int, client: OpenAIClient) -> Vectors:
    try:
        if isinstance(embedding, str):
            numbers = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        else:
            numbers = np.asarray(embedding)
    except (ValueError, binascii.Error):  # no base64, or lists in the list
        numbers = np.empty(0)
    # Nulls and texts make arrays of other kinds, which numpy would turn into numbers without a word.
    if numbers.dtype.kind not in "fi" or numbers.ndim != 1 or not len(numbers):
        raise client.wrong(f"gave no list of numbers as the vector of the text at place {place}")
    with np.errstate(over="ignore"):
        row: Vectors = numbers.astype(np.float32)
    if not np.isfinite(row).all():
        raise client.wrong(f"gave NaN or infinite numbers for the text at place {place}")
    return row


def load(
    name: ScorerName, access: Access, given: Mapping[str, Any], *, retry: RetryPolicy | None = None
) -> ServerEncoder:
    """The model behind a server, which is asked once to see what it answers with."""
    options = parse_options(Options, given, scheme=name.scheme)
    client = OpenAIClient(served_model(name, access, options.key), timeout=options.timeout, retry=retry)
    answer = _ask(client, [options.prompt + _TRIAL], options)
    width = read_vectors(answer, 1, client).shape[1]
    if options.dimensions not in (None, width):
        raise client.wrong(f"gave vectors of {width:,} numbers where {options.dimensions:,} were asked for")
    dimensions = "" if options.dimensions is None else f" dimensions={options.dimensions}"
    fingerprint = Fingerprint(
        backend="openai",
        # Nothing tells whether the weights are the same; this is all that is known of them.
        weights=f"{client.address} {client.model}{dimensions}",
        config=f"served as {client.says_of_itself(answer) or '(not said)'}, {width} numbers",
        dtype=f"float32 sent as {options.encoding}",
        prompt=options.prompt,
    )
    return ServerEncoder(name.text, fingerprint, client=client, options=options, width=width)
