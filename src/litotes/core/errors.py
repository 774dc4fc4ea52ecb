"""Errors for people: a code, what is wrong and where, what to do; never a traceback."""

from __future__ import annotations

import re

CODES = {
    "L101": "a name that is not known",
    "L102": "an option or an argument that is wrong",
    "L103": "an optional part is not installed",
    "L201": "a data file is missing",
    "L202": "a path is not the kind of file that is needed",
    "L203": "a data file has the wrong shape",
    "L204": "a data file is empty",
    "L205": "an id stands twice",
    "L206": "a suite's items do not match its sha256",
    "L207": "a text is not UTF-8",
    "L208": "a line is too long",
    "L301": "a model cannot be found",
    "L302": "a model has no weights",
    "L303": "a model's weights are damaged",
    "L304": "a model has no tokenizer",
    "L305": "a model has only pickled weights",
    "L306": "a model wants to run code of its own",
    "L307": "a model's weights are not the published ones",
    "L308": "a model gave numbers that cannot be compared",
    "L309": "a model is not on this machine, and the network may not be used",
    "L310": "a model's output needs a pooling or a name",
    "L311": "a model cannot be loaded or run",
    "L401": "a file or folder cannot be written",
    "L402": "the disk is full",
    "L403": "the vector cache cannot be used",
    "L501": "a download or a call to a server failed",
    "L502": "a download is not the published file",
    "L901": "Litotes itself is wrong",
    "L902": "a worker process ended before its work was done",
}


_BREAK = re.compile(r"\s*[\t\n\v\f\r\x85\u2028\u2029]\s*")


def one_line(text: str) -> str:
    """The text on one line; what a terminal would obey instead of showing is written as its number.

    >>> one_line("two\\nlines and \\x1b[2J")
    'two lines and \\\\x1b[2J'
    """
    flat = _BREAK.sub(" ", text).strip()
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in flat)


class LitotesError(Exception):
    """One line for people, with its code.

    >>> print(LitotesError("L201", "items.jsonl: no such file", hint="check the path"))
    [L201] items.jsonl: no such file; check the path
    """

    exit_code = 1

    def __init__(self, code: str, message: str, *, hint: str = "", passing: bool = False) -> None:
        if code not in CODES:
            raise ValueError(f"unknown error code {code}")
        self.code = code
        self.passing = passing  # the same may go well later, with nothing changed here: a network that is down
        self.message = one_line(message)
        self.hint = one_line(hint)
        super().__init__(f"[{code}] {self.message}" + (f"; {self.hint}" if hint else ""))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.message, self.hint, self.passing))


class UsageError(LitotesError):
    """The command or call itself is wrong: exit code 2."""

    exit_code = 2


def _rebuild(kind: type[LitotesError], code: str, message: str, hint: str, passing: bool) -> LitotesError:
    return kind(code, message, hint=hint, passing=passing)


def missing_package(package: str, extra: str) -> LitotesError:
    """The error for a part that is not installed, with the command that brings it."""
    return LitotesError("L103", f"{package} is not installed", hint=f"pip install 'litotes[{extra}]' brings it")
