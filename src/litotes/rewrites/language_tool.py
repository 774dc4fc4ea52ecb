"""A gate that asks a LanguageTool server: an edit is rejected if it has an error that its original does not have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import httpx

from litotes._version import __version__
from litotes.core.errors import LitotesError, UsageError
from litotes.rewrites.base import Skip
from litotes.rewrites.gates import EditCandidate

STYLE_CATEGORIES = frozenset(
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
"""Categories of LanguageTool that suggest better style rather than report errors."""

_SPELLING = "TYPOS"
_MAX_BYTES = 8_000_000
_CACHED_TEXTS = 1_024


class LanguageToolMatch(NamedTuple):
    """An error that LanguageTool reports."""

    rule: str
    category: str
    offset: int
    length: int
    message: str


class LanguageTool:
    """The gate of a LanguageTool server: `LanguageTool("http://localhost:8081")`."""

    codes: Mapping[str, str] = {"language-tool": "LanguageTool reports an error that the original does not have"}

    def __init__(
        self,
        address: str,
        *,
        language: str = "en-US",
        timeout: float = 10.0,
        ignored: Collection[str] = STYLE_CATEGORIES,
    ) -> None:
        """`ignored` contains the ids of LanguageTool categories and rules to ignore."""
        self._url = f"{_base(address)}/v2/check"
        self._language = language
        self._ignored = frozenset(ignored)
        # The server is the user's own choice: it is not followed to other addresses.
        self._client = httpx.Client(
            timeout=timeout,
            follow_redirects=False,
            headers={"User-Agent": f"litotes/{__version__}", "Accept": "application/json"},
        )
        self._matches = lru_cache(maxsize=_CACHED_TEXTS)(self._request)

    def check(self, text: str) -> tuple[LanguageToolMatch, ...]:
        """Return the errors in a text, without the ignored ones."""
        return tuple(
            match
            for match in self._matches(text)
            if match.rule not in self._ignored and match.category not in self._ignored
        )

    def refusals(self, candidates: Sequence[EditCandidate]) -> list[Skip | None]:
        """Return for each candidate the first error that its original does not have, or None."""
        return [self._refusal(candidate) for candidate in candidates]

    def _refusal(self, candidate: EditCandidate) -> Skip | None:
        after = self.check(candidate.edit.text)
        if candidate.edit.rule == "typo":  # which makes spelling errors on purpose
            after = tuple(match for match in after if match.category != _SPELLING)
        if not after:
            return None
        left = Counter((match.category, match.rule) for match in self.check(candidate.text))
        for match in after:
            if not left[match.category, match.rule]:
                return Skip("language-tool", f"{match.rule}: {match.message}")
            left[match.category, match.rule] -= 1
        return None

    def _request(self, text: str) -> tuple[LanguageToolMatch, ...]:
        form = urlencode({"language": self._language, "text": text}, errors="replace").encode("ascii")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = bytearray()
        try:
            with self._client.stream("POST", self._url, content=form, headers=headers) as response:
                if not response.is_success:
                    raise self._failed(f"answers {response.status_code} {response.reason_phrase}")
                for part in response.iter_bytes():
                    body += part
                    if len(body) > _MAX_BYTES:
                        raise self._failed("sends a response that is too large")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise self._failed(f"cannot be reached ({str(error) or type(error).__name__})") from error
        try:
            return tuple(_match(entry) for entry in json.loads(body)["matches"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._failed("does not answer as LanguageTool does") from error

    def _failed(self, what: str) -> LitotesError:
        return LitotesError(
            "L501",
            f"the LanguageTool server {self._url} {what}",
            hint="start it, check its address, or leave out this gate",
        )


def _match(entry: Any) -> LanguageToolMatch:
    rule = entry["rule"]
    return LanguageToolMatch(
        rule=str(rule["id"]),
        category=str(rule.get("category", {}).get("id", "")),
        offset=int(entry["offset"]),
        length=int(entry["length"]),
        message=str(entry.get("message", "")),
    )


def _base(address: str) -> str:
    """Return the address of the server without the path of its API."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and parts.hostname and not parts.query and not parts.fragment
        _ = parts.port
    except ValueError:
        usable = None
    if not usable or not address.isascii() or any(sign.isspace() for sign in address):
        raise UsageError(
            "L102", f'"{address}" is not an address of a LanguageTool server', hint="for example http://localhost:8081"
        )
    return address.rstrip("/").removesuffix("/check").removesuffix("/v2").rstrip("/")
