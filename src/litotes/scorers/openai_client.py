"""Asking a server that speaks the OpenAI protocol: JSON there and back, its errors in one line, the key in none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from litotes.core.errors import LitotesError, one_line
from litotes.core.http import LONGEST_WISH, Answer, Failure, Pauses, Server, Unreachable, wished_pause
from litotes.scorers.names import shorten
from litotes.scorers.openai_names import KEY_VARIABLE, ServedModel

DEFAULT_TIMEOUT = 60
CAN_CHANGE = "the model is behind a server ({address}) and can change there without notice"
_SHOWN = 200
"""How much of a server's own words is shown."""
_PASSING = (408, 409, 425, 429)
_NEVER_PASSES = ("insufficient_quota", "billing_hard_limit_reached")
"""Errors that come as a rate limit and that no waiting ends."""
_LATER = "start again later; what was computed is kept"


class RefusedByServer(LitotesError):
    """The server understood and said no."""

    status = 0
    about = ""
    """Its words and the parameter that it names, in small letters."""


class _Refusal(Failure):
    def __init__(self, reason: str, status: int, about: str, **more: Any) -> None:
        super().__init__(reason, **more)
        self.status = status
        self.about = about


class OpenAIClient:
    """One model behind one server."""

    def __init__(self, served: ServedModel, *, timeout: float = DEFAULT_TIMEOUT, pauses: Pauses | None = None) -> None:
        self.address = str(served.address)
        self.model = served.model
        self._key = served.key
        self._unencrypted = served.address.scheme == "http" and not served.address.is_loopback
        self._server = Server(served.address, timeout=timeout, headers=served.key.headers(), pauses=pauses)

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The server's answer to a request for the model, a JSON object that is no error."""
        body = json.dumps({"model": self.model, **request}).encode()
        try:
            return self._server.post(path, body, self._read)
        except Failure as failure:
            raise self._told(failure) from failure

    def stop(self) -> None:
        """Wait for no answer any longer than must be."""
        self._server.stop()

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

    def _read(self, answer: Answer) -> dict[str, Any]:
        if answer.status != 200:
            raise self._refusal(answer)
        if not answer.body.strip():
            raise Failure("sends an empty answer", passing=True)
        found = _parsed(answer.body)
        if found is None and answer.body.lstrip()[:1] == b"<":
            raise Failure(f"sends a page instead of JSON: {self._shown(answer.body.decode('utf-8', 'replace'))}")
        if found is None:
            # An answer whose length was not told may have been cut.
            raise Failure(f"sends no JSON: {self._shown(answer.body.decode('utf-8', 'replace'))}", passing=True)
        if not isinstance(found, dict):
            raise Failure("sends JSON that is no object")
        if found.get("error") or found.get("object") == "error":
            raise _Refusal(f"answers with an error{self._words(found)}", 200, _about(found))
        return found

    def _refusal(self, answer: Answer) -> Failure:
        if 300 <= answer.status < 400:
            target = self._shown(str(answer.headers.get("Location", "another address")))
            return Failure(f"redirects to {target}, which is not followed")
        found = _parsed(answer.body)
        about = _about(found)
        passing = answer.status in _PASSING or (answer.status >= 500 and answer.status != 501)
        if any(word in about for word in _NEVER_PASSES):
            passing = False
        words = self._words(found) if found is not None else ""
        wish = wished_pause(answer.headers) if passing else 0
        if wish > LONGEST_WISH:
            words = f" and asks for a pause of {wish:,.0f} s" + words
        return _Refusal(f"answers {answer.phrase}{words}", answer.status, about, passing=passing, wish=wish)

    def _words(self, found: Any) -> str:
        said = self._shown(_message(found))
        return f": {said}" if said else ""

    def _told(self, failure: Failure) -> LitotesError:
        tried = f", the last of {failure.attempts} attempts" if failure.attempts > 1 else ""
        message = f"{self.address} {failure}{tried}"
        if not isinstance(failure, _Refusal):
            hint = _LATER if failure.passing else "check the address"
            if isinstance(failure, Unreachable):
                hint = f"check the address and that the server is up{'; what was computed is kept' if tried else ''}"
            return LitotesError("L501", message, hint=hint, passing=failure.passing)
        hint = _LATER if failure.passing else self._advice(failure.status)
        refused = RefusedByServer("L501", message, hint=hint, passing=failure.passing)
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
