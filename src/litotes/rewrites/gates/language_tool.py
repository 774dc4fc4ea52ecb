"""A gate that asks a LanguageTool server: what it finds wrong in an edit and not in the original is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from litotes._version import __version__
from litotes.core.errors import LitotesError, UsageError
from litotes.rewrites.base import Skip
from litotes.rewrites.gates.text import Candidate

MATTERS_OF_TASTE = frozenset(
    {
        "CREATIVE_WRITING",
        "GENDER_NEUTRALITY",
        "PLAIN_ENGLISH",
        "REDUNDANCY",
        "REPETITIONS",
        "REPETITIONS_STYLE",
        "STYLE",
        "TYPOGRAPHY",
        "WIKIPEDIA",
    }
)
"""Categories of LanguageTool that say how to write better, not what is wrong."""

_SPELLING = "TYPOS"
_MOST_BYTES = 8_000_000
_REMEMBERED = 1_024


class Match(NamedTuple):
    """What LanguageTool finds at one place."""

    rule: str
    category: str
    offset: int
    length: int
    message: str


class LanguageTool:
    """A LanguageTool server by its address, as a gate: `LanguageTool("http://localhost:8081")`."""

    codes: Mapping[str, str] = {"language-tool": "LanguageTool finds an error in it that the original does not have"}

    def __init__(
        self,
        address: str,
        *,
        language: str = "en-US",
        timeout: float = 10.0,
        ignored: Collection[str] = MATTERS_OF_TASTE,
    ) -> None:
        """`ignored` holds the ids of the categories and rules that do not count."""
        self._url = f"{_base(address)}/v2/check"
        self._language = language
        self._timeout = timeout
        self._ignored = frozenset(ignored)
        self._opener = _opener()
        # The original of several edits, and an edit that several rules make, is asked for once.
        self._found = lru_cache(maxsize=_REMEMBERED)(self._ask)

    def check(self, text: str) -> tuple[Match, ...]:
        """What the server finds in a text, without what is ignored."""
        return tuple(
            match
            for match in self._found(text)
            if match.rule not in self._ignored and match.category not in self._ignored
        )

    def refusals(self, candidates: Sequence[Candidate]) -> list[Skip | None]:
        """For each candidate the first error that its original does not have."""
        return [self._refusal(candidate) for candidate in candidates]

    def _refusal(self, candidate: Candidate) -> Skip | None:
        after = self.check(candidate.edit.text)
        if candidate.edit.rule == "typo":  # a spelling error is what it is for
            after = tuple(match for match in after if match.category != _SPELLING)
        if not after:
            return None
        left = Counter((match.category, match.rule) for match in self.check(candidate.text))
        for match in after:
            if not left[match.category, match.rule]:
                return Skip("language-tool", f"{match.rule}: {match.message}")
            left[match.category, match.rule] -= 1
        return None

    def _ask(self, text: str) -> tuple[Match, ...]:
        form = urlencode({"language": self._language, "text": text}, errors="replace").encode("ascii")
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        request = Request(self._url, data=form, headers=headers)  # noqa: S310  (the address is checked: http or https)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                body = response.read(_MOST_BYTES + 1)
        except HTTPError as error:
            error.close()
            raise self._failed(f"answers {error.code} {error.reason}") from error
        except (URLError, TimeoutError, HTTPException, OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise self._failed(f"cannot be reached ({str(reason) or type(reason).__name__})") from error
        if len(body) > _MOST_BYTES:
            raise self._failed("sends more than an answer can be")
        try:
            return tuple(_match(entry) for entry in json.loads(body)["matches"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._failed("does not answer as LanguageTool does") from error

    def _failed(self, what: str) -> LitotesError:
        return LitotesError(
            "L501", f"the LanguageTool server {self._url} {what}", hint="start it, check its address, or do without it"
        )


def _match(entry: Any) -> Match:
    rule = entry["rule"]
    return Match(
        rule=str(rule["id"]),
        category=str(rule.get("category", {}).get("id", "")),
        offset=int(entry["offset"]),
        length=int(entry["length"]),
        message=str(entry.get("message", "")),
    )


def _base(address: str) -> str:
    """The address without what the protocol adds to it."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and parts.hostname and not parts.query and not parts.fragment
        _ = parts.port
    except ValueError:
        usable = None
    if not usable or not address.isascii() or any(sign.isspace() for sign in address):
        raise UsageError(
            "L102", f'"{address}" is no address of a LanguageTool server', hint="such as http://localhost:8081"
        )
    return address.rstrip("/").removesuffix("/check").removesuffix("/v2").rstrip("/")


def _opener() -> OpenerDirector:
    # Not build_opener: that one also opens file, ftp and data addresses, and follows a server wherever it points.
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(), HTTPErrorProcessor(), HTTPDefaultErrorHandler()):
        opener.add_handler(handler)
    opener.addheaders = [("User-Agent", f"litotes/{__version__}")]
    return opener
