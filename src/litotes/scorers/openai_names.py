"""`MODEL@http://HOST:PORT/v1`: which model of which server is meant, and the key that opens it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from litotes.core.errors import LitotesError, UsageError
from litotes.core.http import Address, parse_address
from litotes.scorers.access import Access
from litotes.scorers.names import ScorerName

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
    address: Address
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


def _address(name: ScorerName) -> Address:
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


def _key(variable: str | None, address: Address) -> Key:
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
