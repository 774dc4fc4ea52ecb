"""The LanguageTool gate: it rejects an edit with an error that the original does not have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from litotes.core.errors import LitotesError
from litotes.core.http import HttpClient, HttpResponse, RequestFailed, RetryPolicy, ServerAddress, parse_address
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
"""Categories of LanguageTool that suggest better style; they are not errors."""

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
    """A gate that asks a LanguageTool server: `LanguageTool("http://localhost:8081")`."""

    codes: Mapping[str, str] = {"language-tool": "LanguageTool reports an error that the original does not have"}

    def __init__(
        self,
        address: str,
        *,
        language: str = "en-US",
        timeout: float = 10.0,
        ignored: Collection[str] = STYLE_CATEGORIES,
    ) -> None:
        """Store the settings. `ignored` contains ids of LanguageTool categories and rules."""
        self._language = language
        self._ignored = frozenset(ignored)
        self._http = HttpClient(
            _server_address(address), timeout=timeout, retry=RetryPolicy(max_attempts=1), max_bytes=_MAX_BYTES
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
        matches = self.check(candidate.edit.text)
        if candidate.edit.rule == "typo":  # it makes spelling errors on purpose
            matches = tuple(match for match in matches if match.category != _SPELLING)
        if not matches:
            return None
        known = Counter((match.category, match.rule) for match in self.check(candidate.text))
        for match in matches:
            if not known[match.category, match.rule]:
                return Skip("language-tool", f"{match.rule}: {match.message}")
            known[match.category, match.rule] -= 1
        return None

    def _request(self, text: str) -> tuple[LanguageToolMatch, ...]:
        form = urlencode({"language": self._language, "text": text}, errors="replace").encode("ascii")
        try:
            return self._http.post("v2/check", form, _matches, content_type="application/x-www-form-urlencoded")
        except RequestFailed as failure:
            raise LitotesError(
                "L501",
                f"the LanguageTool server {self._http.address} {failure}",
                hint="start it, check its address, or leave out this gate",
            ) from failure


def _matches(response: HttpResponse) -> tuple[LanguageToolMatch, ...]:
    if response.status != 200:
        raise RequestFailed(f"answered {response.phrase}")
    try:
        return tuple(_match(entry) for entry in json.loads(response.body)["matches"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RequestFailed("does not answer as LanguageTool does") from error


def _match(entry: Any) -> LanguageToolMatch:
    rule = entry["rule"]
    return LanguageToolMatch(
        rule=str(rule["id"]),
        category=str(rule.get("category", {}).get("id", "")),
        offset=int(entry["offset"]),
        length=int(entry["length"]),
        message=str(entry.get("message", "")),
    )


def _server_address(text: str) -> ServerAddress:
    return parse_address(text.rstrip("/").removesuffix("/check").removesuffix("/v2"), "a LanguageTool server")
