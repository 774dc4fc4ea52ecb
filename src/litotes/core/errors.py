"""Errors that are shown as one line: a code, what is wrong and where, and what to do."""

from __future__ import annotations

import importlib.util
import re

ERROR_CODES = {
    "L101": "an unknown name",
    "L102": "a wrong option or argument",
    "L103": "an optional package is not installed",
    "L201": "a data file is missing",
    "L202": "a path is a folder or special file instead of a file",
    "L203": "a data file has the wrong format",
    "L204": "a data file is empty",
    "L205": "an id occurs twice",
    "L206": "the items of a suite do not match its sha256",
    "L207": "a text is not UTF-8",
    "L208": "a line is too long",
    "L209": "a file is too large",
    "L301": "a model was not found",
    "L302": "a model has no weights",
    "L303": "the weights of a model are damaged",
    "L304": "a model has no tokenizer",
    "L305": "a model has only pickled weights, which are not loaded",
    "L306": "a model requires remote code, which is not run",
    "L307": "the weights of a model are not the published ones",
    "L308": "a model returned unusable numbers",
    "L309": "something is not on this machine and the network may not be used",
    "L310": "the output or pooling of a model is ambiguous",
    "L311": "a model cannot be loaded or run",
    "L401": "a file or folder cannot be written",
    "L402": "the disk is full",
    "L403": "the vector cache cannot be used",
    "L501": "a download or a request to a server failed",
    "L502": "a download is not the published file",
    "L503": "a Ray cluster cannot be used",
    "L901": "an internal error of Litotes",
    "L902": "a worker process died",
}


_BREAK = re.compile(r"\s*[\t\n\v\f\r\x85\u2028\u2029]\s*")


def single_line(text: str) -> str:
    """Return the text on one line, with control characters escaped.

    >>> single_line("two\\nlines and \\x1b[2J")
    'two lines and \\\\x1b[2J'
    """
    flat = _BREAK.sub(" ", text).strip()
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in flat)


def shorten(text: str, max_length: int = 80) -> str:
    """Return the text, truncated if it is too long for a line of a message.

    >>> shorten("abcdef", max_length=4)
    'abc…'
    """
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


_URL_CREDENTIALS = re.compile(r"(:/{1,2})(?:[^\s/@\"“”]+|[^\s/\"“”]*:[^\s\"“”]*)@")
"""The user name and password in an address; a password may contain slashes."""


def mask_credentials(text: str) -> str:
    """Return the text without the user names and passwords in addresses.

    >>> mask_credentials("GET http://ann:pa/ss@host/v1 failed, org/model@main")
    'GET http://…@host/v1 failed, org/model@main'
    """
    return _URL_CREDENTIALS.sub(r"\1…@", text) if "@" in text else text


class LitotesError(Exception):
    """An error with a code, a message and a hint, shown without a traceback.

    >>> print(LitotesError("L201", "items.jsonl: no such file", hint="check the path"))
    [L201] items.jsonl: no such file; check the path
    """

    exit_code = 1
    is_retryable: bool
    """Whether the same operation may succeed later, for example when the network is back."""

    def __init__(self, code: str, message: str, *, hint: str = "", is_retryable: bool = False) -> None:
        if code not in ERROR_CODES:
            raise ValueError(f"unknown error code {code}")
        self.code = code
        self.is_retryable = is_retryable
        self.message = single_line(mask_credentials(message))
        self.hint = single_line(mask_credentials(hint))
        super().__init__(f"[{code}] {self.message}" + (f"; {self.hint}" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.message, self.hint, self.is_retryable))


class UsageError(LitotesError):
    """A wrong command, option or argument; exit code 2."""

    exit_code = 2


def _rebuild(kind: type[LitotesError], code: str, message: str, hint: str, is_retryable: bool) -> LitotesError:
    return kind(code, message, hint=hint, is_retryable=is_retryable)


def missing_package(package: str, extra: str) -> LitotesError:
    """Return the error for a package that is not installed, with the command that installs it."""
    return LitotesError("L103", f"{package} is not installed", hint=f"install it with: pip install 'litotes[{extra}]'")


def require_packages(extra: str, *packages: str) -> None:
    """Raise, with the command that installs it, if one of the packages of an extra is not installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise missing_package(package, extra)
