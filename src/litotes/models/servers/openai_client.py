"""A client for servers with the OpenAI protocol, with readable errors that never contain the API key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litotes.core.errors import LitotesError, UsageError, shorten, single_line
from litotes.core.http import (
    MAX_RETRY_AFTER,
    HttpClient,
    HttpResponse,
    RequestFailed,
    RetryPolicy,
    ServerAddress,
    ServerUnreachable,
    parse_address,
    retry_after_seconds,
)
from litotes.models.access import Access
from litotes.models.names import SERVER_SCHEMES, ModelName

DEFAULT_ADDRESS = "https://api.openai.com/v1"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_VALID_KEY = re.compile(r"[!#-%'-;=?-\[\]-~]+")
"""Visible ASCII without characters that JSON or HTML escape, so that an echo of the key can be recognised."""
_KEY_PATTERN = re.compile(r"\bsk-[\w*.-]{3,}")
_ENDPOINTS = ("/embeddings", "/chat/completions")


class ApiKey:
    """An API key that is sent to the server and never shown.

    >>> key = ApiKey("OPENAI_API_KEY", "sk-secret")
    >>> key, key.scrub("wrong key sk-secret")
    (ApiKey(OPENAI_API_KEY), 'wrong key …')
    """

    __slots__ = ("_value", "variable")

    def __init__(self, variable: str, value: str) -> None:
        self.variable = variable
        self._value = value

    def __repr__(self) -> str:
        return f"ApiKey({self.variable})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def headers(self) -> Mapping[str, str]:
        """Return the headers of requests."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def scrub(self, text: str) -> str:
        """Return a text without the key and without the abbreviated keys that servers show."""
        return _KEY_PATTERN.sub("…", text.replace(self._value, "…") if self._value else text)


@dataclass(frozen=True)
class ServedModel:
    """A model behind a server."""

    model: str
    address: ServerAddress
    key: ApiKey


def served_model(name: ModelName, access: Access, key: str | None) -> ServedModel:
    """Return the model, its server and the key; raise for mistakes that need no request to be noticed."""
    address = _address(name)
    if not (access.may_use_network or address.is_loopback):
        hint = "leave out --offline, or name a server on this machine"
        raise LitotesError("L309", f"{address}: is not on this machine, and the network may not be used", hint=hint)
    return ServedModel(name.rest, address, _key(key, address, is_received=name.is_received))


def server_address(name: ModelName) -> str:
    """Return the default address for a name without one; "" if it has one or is not a model behind a server."""
    if name.scheme not in SERVER_SCHEMES or name.revision is not None:
        return ""
    try:
        return str(_address(name))
    except UsageError:  # reported when the model is loaded
        return ""


def _default_address() -> str:
    return os.environ.get(ADDRESS_VARIABLE, "").strip().rstrip("/") or DEFAULT_ADDRESS


def _address(name: ModelName) -> ServerAddress:
    if "://" in name.rest:
        hint = f"{name.scheme}:MODEL@http://…"
        raise UsageError("L102", "the name of the model is missing before the server's address", hint=hint)
    text = name.revision or _default_address()
    if not text.lower().startswith(("http://", "https://")):
        source = f"the text after the @ in {name.scheme}:{name.rest}@…" if name.revision else ADDRESS_VARIABLE
        hint = f"write {name.scheme}:MODEL@http://HOST:PORT/v1"
        raise UsageError("L102", f"{source} is not an address that begins with http:// or https://", hint=hint)
    text = text.rstrip("/")
    for endpoint in _ENDPOINTS:
        text = text.removesuffix(endpoint)
    return parse_address(text)


def _key(variable: str | None, address: ServerAddress, *, is_received: bool) -> ApiKey:
    """Return the key from the environment, which is sent only with encryption or to this machine.

    The server of a name from a file gets no key, unless it is the user's default server.
    """
    is_safe = address.scheme == "https" or address.is_loopback
    if variable is None:
        value = os.environ.get(KEY_VARIABLE, "").strip()
        if not value and str(address) == DEFAULT_ADDRESS:
            raise UsageError("L102", f"{address}: needs a key", hint=f"set the environment variable {KEY_VARIABLE}")
        if not is_safe or (is_received and str(address) != _default_address()):
            value = ""
        return ApiKey(KEY_VARIABLE, _check_key(value, KEY_VARIABLE))
    if is_received:
        raise UsageError("L102", "a file may not name a key (?key=)", hint="name the model on the command line")
    if not is_safe:
        hint = "use https, a server on this machine, or an SSH tunnel to it"
        raise UsageError("L102", f"{address}: is not encrypted, so no key is sent to it (?key=)", hint=hint)
    # The option may be the key itself, so it is not shown unless it is the name of an existing variable.
    value = os.environ.get(variable, "").strip() if _VARIABLE_NAME.fullmatch(variable) else ""
    if not value:
        hint = "write the name of the variable, never the key itself"
        raise UsageError("L102", "?key= is not the name of an environment variable that is set", hint=hint)
    return ApiKey(variable, _check_key(value, variable))


def _check_key(value: str, variable: str) -> str:
    """Return the key; raise if it is invalid, because an error of the HTTP library would show it."""
    if value and not _VALID_KEY.fullmatch(value):
        raise UsageError("L102", f"the environment variable {variable} contains characters that keys do not have")
    return value


DEFAULT_TIMEOUT = 60
CAN_CHANGE = "the model is behind a server ({address}) and can change there without notice"
_MAX_SHOWN = 200
"""The maximum length of a server's own message in ours."""
_PERMANENT = ("insufficient_quota", "billing_hard_limit_reached")
"""Errors with the status of a rate limit that do not end by waiting."""
_RETRY_HINT = "run it again later; results so far are cached"


class ServerRefused(LitotesError):
    """The server answered a request with an error; `details` are its message and parameter in lower case."""

    status = 0
    details = ""


class _Refusal(RequestFailed):
    def __init__(self, reason: str, status: int, details: str, **options: Any) -> None:
        super().__init__(reason, **options)
        self.status = status
        self.details = details


class OpenAIClient:
    """A client for one model behind a server."""

    def __init__(
        self, served: ServedModel, *, timeout: float = DEFAULT_TIMEOUT, retry: RetryPolicy | None = None
    ) -> None:
        self.address = str(served.address)
        self.model = served.model
        self._key = served.key
        self._unencrypted = served.address.scheme == "http" and not served.address.is_loopback
        self._http = HttpClient(served.address, timeout=timeout, headers=served.key.headers(), retry=retry)

    def post(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request for the model and return the JSON object of the answer."""
        body = json.dumps({"model": self.model, **request}).encode()
        try:
            return self._http.post(path, body, self._read)
        except RequestFailed as failure:
            raise self._describe(failure) from failure

    def stop(self) -> None:
        """Cancel requests and pauses in progress."""
        self._http.stop()

    def invalid_answer(self, problem: str, hint: str = "") -> LitotesError:
        """Return the error for an answer without usable content."""
        return LitotesError("L308", f"{self.address}: {self._excerpt(self.model)} {problem}", hint=hint)

    def served_name(self, answer: Mapping[str, Any]) -> str:
        """Return the name of the model in an answer, which may differ from the requested name."""
        name = answer.get("model")
        return self._excerpt(name) if isinstance(name, str) else ""

    def _excerpt(self, text: str) -> str:
        # Scrub before shortening: half a key would not be recognised.
        return shorten(single_line(self._key.scrub(text)[: 4 * _MAX_SHOWN]), _MAX_SHOWN)

    def _read(self, answer: HttpResponse) -> dict[str, Any]:
        if answer.status != 200:
            raise self._refusal(answer)
        if not answer.body.strip():
            raise RequestFailed("sent an empty answer", is_retryable=True)
        content = _parse_json(answer.body)
        if content is None and answer.body.lstrip()[:1] == b"<":
            raise RequestFailed(f"sent a page instead of JSON: {self._excerpt(answer.body.decode('utf-8', 'replace'))}")
        if content is None:
            # An answer without a length may have been truncated.
            raise RequestFailed(
                f"sent a response that is not JSON: {self._excerpt(answer.body.decode('utf-8', 'replace'))}",
                is_retryable=True,
            )
        if not isinstance(content, dict):
            raise RequestFailed("sent JSON that is not an object")
        if content.get("error") or content.get("object") == "error":
            raise _Refusal(f"answered with an error{self._quote(content)}", 200, _details(content))
        return content

    def _refusal(self, answer: HttpResponse) -> RequestFailed:
        if 300 <= answer.status < 400:
            target = self._excerpt(str(answer.headers.get("Location", "another address")))
            return RequestFailed(f"redirects to {target}, which is not followed")
        content = _parse_json(answer.body)
        details = _details(content)
        is_retryable = answer.is_retryable and not any(word in details for word in _PERMANENT)
        quote = self._quote(content) if content is not None else ""
        retry_after = retry_after_seconds(answer.headers) if is_retryable else 0
        if retry_after > MAX_RETRY_AFTER:
            quote = f" and asks for a pause of {retry_after:,.0f} s" + quote
        reason = f"answered {answer.phrase}{quote}"
        return _Refusal(reason, answer.status, details, is_retryable=is_retryable, retry_after=retry_after)

    def _quote(self, content: Any) -> str:
        message = self._excerpt(_message(content))
        return f": {message}" if message else ""

    def _describe(self, failure: RequestFailed) -> LitotesError:
        attempts = f", the last of {failure.attempts} attempts" if failure.attempts > 1 else ""
        message = f"{self.address} {failure}{attempts}"
        if not isinstance(failure, _Refusal):
            hint = _RETRY_HINT if failure.is_retryable else "check the address"
            if isinstance(failure, ServerUnreachable):
                hint = f"check the address and that the server is up{'; results so far are cached' if attempts else ''}"
            return LitotesError("L501", message, hint=hint, is_retryable=failure.is_retryable)
        hint = _RETRY_HINT if failure.is_retryable else self._advice(failure.status)
        refused = ServerRefused("L501", message, hint=hint, is_retryable=failure.is_retryable)
        refused.status, refused.details = failure.status, failure.details
        return refused

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            if self._key:
                return f"check the key in the environment variable {self._key.variable}"
            advice = "name the environment variable with the key: ?key=VARIABLE"
            if self._unencrypted:
                return "without encryption, no key is sent: use https"
            return f"set {KEY_VARIABLE}, or {advice}"
        if status in (404, 405):
            return "check the model's name, and the address, which usually ends in /v1"
        return "if sentences are too long or requests too large, use a smaller ?batch="


def _parse_json(body: bytes) -> Any:
    """Return the content of JSON; None if it is invalid."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(content: Any) -> str:
    """Return the message in an answer, whose place depends on the server.

    >>> [_message(content) for content in ({"error": {"message": "no"}}, {"error": "no"}, {"detail": "no"}, ["no"])]
    ['no', 'no', 'no', '']
    """
    if not isinstance(content, dict):
        return ""
    for key in ("error", "message", "detail"):
        value = content.get(key)
        if isinstance(value, dict):
            value = value.get("message")
        elif isinstance(value, list):  # FastAPI's list of validation errors
            value = json.dumps(value)
        if isinstance(value, str) and value:
            return value
    return ""


def _details(content: Any) -> str:
    error = content.get("error") if isinstance(content, dict) else None
    parts = [error.get(key) for key in ("param", "code", "type")] if isinstance(error, dict) else []
    return " ".join([_message(content), *(part for part in parts if isinstance(part, str))]).lower()
