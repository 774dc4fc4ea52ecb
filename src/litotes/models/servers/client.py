"""Asking a server that speaks the OpenAI protocol: JSON there and back, its errors in one line, the key in none."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litotes.core.errors import LitotesError, UsageError, one_line
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
from litotes.models.names import ScorerName, shorten

SCHEMES = ("openai", "chat")
"""The kinds of models whose names may have an address."""
DEFAULT_ADDRESS = "https://api.openai.com/v1"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_SENDABLE = re.compile(r"[!#-%'-;=?-\[\]-~]+")
"""Visible ASCII without what JSON or HTML would write in another way, so that an echo is found as it stands."""
_SOME_KEY = re.compile(r"\bsk-[\w*.-]{3,}")
_ENDPOINTS = ("/embeddings", "/chat/completions")


class Key:
    """An API key: the server sees it, and nobody else.

    >>> key = Key("OPENAI_API_KEY", "sk-secret")
    >>> key, key.scrub("wrong key sk-secret")
    (Key(OPENAI_API_KEY), 'wrong key …')
    """

    __slots__ = ("_value", "variable")

    def __init__(self, variable: str, value: str) -> None:
        self.variable = variable
        self._value = value

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def headers(self) -> Mapping[str, str]:
        """What is sent along with a request."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def scrub(self, text: str) -> str:
        """The text without the key, and without parts of keys that a server shows in its own way."""
        return _SOME_KEY.sub("…", text.replace(self._value, "…") if self._value else text)


@dataclass(frozen=True)
class ServedModel:
    """A model behind a server."""

    model: str
    address: ServerAddress
    key: Key


def served_model(name: ScorerName, access: Access, key: str | None) -> ServedModel:
    """The model, its server and the key; raises for whatever can be told without asking the server."""
    address = _address(name)
    if not (access.may_use_network or address.is_loopback):
        raise LitotesError(
            "L309",
            f"{address}: is not on this machine, and the network may not be used",
            hint="leave out --offline, or name a server on this machine",
        )
    return ServedModel(name.rest, address, _key(key, address))


def server_of_the_environment(name: ScorerName) -> str:
    """The address that a name without one means here; "" for one that names its own, or another kind of model."""
    if name.scheme not in SCHEMES or name.revision is not None:
        return ""
    try:
        return str(_address(name))
    except UsageError:  # told when it is loaded
        return ""


def _address(name: ScorerName) -> ServerAddress:
    if "://" in name.rest:
        hint = f"{name.scheme}:MODEL@http://…"
        raise UsageError("L102", "no model stands before the server's address", hint=hint)
    text = name.revision or os.environ.get(ADDRESS_VARIABLE, "").strip() or DEFAULT_ADDRESS
    if not text.lower().startswith(("http://", "https://")):
        where = f"what stands after the @ in {name.scheme}:{name.rest}@…" if name.revision else ADDRESS_VARIABLE
        hint = f"write {name.scheme}:MODEL@http://HOST:PORT/v1"
        raise UsageError("L102", f"{where} is no address that begins with http:// or https://", hint=hint)
    text = text.rstrip("/")
    for endpoint in _ENDPOINTS:
        text = text.removesuffix(endpoint)
    return parse_address(text)


def _key(variable: str | None, address: ServerAddress) -> Key:
    """The key from the environment; the usual one goes out encrypted or not at all, any other by name alone."""
    if variable is None:
        value = os.environ.get(KEY_VARIABLE, "").strip()
        if not value and str(address) == DEFAULT_ADDRESS:
            raise UsageError("L102", f"{address}: needs a key", hint=f"set the environment variable {KEY_VARIABLE}")
        if address.scheme == "http" and not address.is_loopback:
            value = ""
        return Key(KEY_VARIABLE, _checked(value, KEY_VARIABLE))
    # What was given may be the key itself: it is never shown unless it names a variable that is there.
    value = os.environ.get(variable, "").strip() if _VARIABLE.fullmatch(variable) else ""
    if not value:
        raise UsageError(
            "L102",
            "?key= does not name an environment variable that is set",
            hint="write the variable's name there, never the key itself",
        )
    return Key(variable, _checked(value, variable))


def _checked(value: str, variable: str) -> str:
    """The key, if it can be sent: the error of whoever sends a wrong one would show it."""
    if value and not _SENDABLE.fullmatch(value):
        raise UsageError("L102", f"the environment variable {variable} holds signs that no key has")
    return value


DEFAULT_TIMEOUT = 60
CAN_CHANGE = "the model is behind a server ({address}) and can change there without notice"
_SHOWN = 200
"""How much of a server's own words is shown."""
_NEVER_PASSES = ("insufficient_quota", "billing_hard_limit_reached")
"""Errors that come as a rate limit and that no waiting ends."""
_LATER = "start again later; what was computed is kept"


class RefusedByServer(LitotesError):
    """The server understood and said no."""

    status = 0
    about = ""
    """Its words and the parameter that it names, in small letters."""


class _Refusal(RequestFailed):
    def __init__(self, reason: str, status: int, about: str, **more: Any) -> None:
        super().__init__(reason, **more)
        self.status = status
        self.about = about


class OpenAIClient:
    """One model behind one server."""

    def __init__(
        self, served: ServedModel, *, timeout: float = DEFAULT_TIMEOUT, retry: RetryPolicy | None = None
    ) -> None:
        self.address = str(served.address)
        self.model = served.model
        self._key = served.key
        self._unencrypted = served.address.scheme == "http" and not served.address.is_loopback
        self._http = HttpClient(served.address, timeout=timeout, headers=served.key.headers(), retry=retry)

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The server's answer to a request for the model, a JSON object that is no error."""
        body = json.dumps({"model": self.model, **request}).encode()
        try:
            return self._http.post(path, body, self._read)
        except RequestFailed as failure:
            raise self._told(failure) from failure

    def stop(self) -> None:
        """Wait for no answer any longer than must be."""
        self._http.stop()

    def wrong(self, what: str, hint: str = "") -> LitotesError:
        """The error for an answer that holds no usable numbers."""
        return LitotesError("L308", f"{self.address}: {self._shown(self.model)} {what}", hint=hint)

    def says_of_itself(self, answer: Mapping[str, Any]) -> str:
        """What the server calls the model, which need not be what it was asked for."""
        said = answer.get("model")
        return self._shown(said) if isinstance(said, str) else ""

    def _shown(self, text: str) -> str:
        # Scrubbed while it is whole: half a key would not be found.
        return shorten(one_line(self._key.scrub(text)[: 4 * _SHOWN]), _SHOWN)

    def _read(self, answer: HttpResponse) -> dict[str, Any]:
        if answer.status != 200:
            raise self._refusal(answer)
        if not answer.body.strip():
            raise RequestFailed("sent an empty answer", is_retryable=True)
        found = _parsed(answer.body)
        if found is None and answer.body.lstrip()[:1] == b"<":
            raise RequestFailed(f"sent a page instead of JSON: {self._shown(answer.body.decode('utf-8', 'replace'))}")
        if found is None:
            # An answer whose length was not told may have been cut.
            raise RequestFailed(
                f"sent a response that is not JSON: {self._shown(answer.body.decode('utf-8', 'replace'))}",
                is_retryable=True,
            )
        if not isinstance(found, dict):
            raise RequestFailed("sent JSON that is not an object")
        if found.get("error") or found.get("object") == "error":
            raise _Refusal(f"answered with an error{self._words(found)}", 200, _about(found))
        return found

    def _refusal(self, answer: HttpResponse) -> RequestFailed:
        if 300 <= answer.status < 400:
            target = self._shown(str(answer.headers.get("Location", "another address")))
            return RequestFailed(f"redirects to {target}, which is not followed")
        found = _parsed(answer.body)
        about = _about(found)
        is_retryable = answer.is_retryable and not any(word in about for word in _NEVER_PASSES)
        words = self._words(found) if found is not None else ""
        retry_after = retry_after_seconds(answer.headers) if is_retryable else 0
        if retry_after > MAX_RETRY_AFTER:
            words = f" and asks for a pause of {retry_after:,.0f} s" + words
        reason = f"answered {answer.phrase}{words}"
        return _Refusal(reason, answer.status, about, is_retryable=is_retryable, retry_after=retry_after)

    def _words(self, found: Any) -> str:
        said = self._shown(_message(found))
        return f": {said}" if said else ""

    def _told(self, failure: RequestFailed) -> LitotesError:
        tried = f", the last of {failure.attempts} attempts" if failure.attempts > 1 else ""
        message = f"{self.address} {failure}{tried}"
        if not isinstance(failure, _Refusal):
            hint = _LATER if failure.is_retryable else "check the address"
            if isinstance(failure, ServerUnreachable):
                hint = f"check the address and that the server is up{'; what was computed is kept' if tried else ''}"
            return LitotesError("L501", message, hint=hint, is_retryable=failure.is_retryable)
        hint = _LATER if failure.is_retryable else self._advice(failure.status)
        refused = RefusedByServer("L501", message, hint=hint, is_retryable=failure.is_retryable)
        refused.status, refused.about = failure.status, failure.about
        return refused

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            if self._key:
                return f"check the key in the environment variable {self._key.variable}"
            named = "name the environment variable that holds the key by ?key="
            return (
                f"{named} (without encryption no other key is sent)"
                if self._unencrypted
                else (f"set {KEY_VARIABLE}, or {named}")
            )
        if status in (404, 405):
            return "check the model's name, and the address, which mostly ends in /v1"
        return "are the sentences too long for the model, or the requests too large? ?batch= makes them smaller"


def _parsed(body: bytes) -> Any:
    """What the JSON says; None if it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(found: Any) -> str:
    """The server's own words, wherever its make puts them.

    >>> [_message(one) for one in ({"error": {"message": "no"}}, {"error": "no"}, {"detail": "no"}, ["no"])]
    ['no', 'no', 'no', '']
    """
    if not isinstance(found, dict):
        return ""
    for key in ("error", "message", "detail"):
        value = found.get(key)
        if isinstance(value, dict):
            value = value.get("message")
        elif isinstance(value, list):  # FastAPI's list of what is wrong with a request
            value = json.dumps(value)
        if isinstance(value, str) and value:
            return value
    return ""


def _about(found: Any) -> str:
    error = found.get("error") if isinstance(found, dict) else None
    parts = [error.get(key) for key in ("param", "code", "type")] if isinstance(error, dict) else []
    return " ".join([_message(found), *(part for part in parts if isinstance(part, str))]).lower()
