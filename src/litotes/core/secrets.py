"""Keys and passwords: told from other text, so that none is kept, shown or sent where it does not belong."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from litotes.core.errors import UsageError

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_SECRET_OPTION = re.compile(r"(.*[_-])?(key|token|secret|password|passwd|credential)", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/@]+@")
_IN_NAME = re.compile(r"://[^?]*@")
"""In the name of a model also one with a slash; other text may have an address such as http://host/@someone."""
_KEY = re.compile(r"\bsk-(?:[A-Za-z0-9_]+-){0,3}[A-Za-z0-9_]{12,}|\bhf_[A-Za-z0-9]{24,}")
"""What the keys of the best known servers look like; names of models have shorter parts."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_SHORTEST_SECRET = 6
_SHORTEST_KEY = 12
"""What is shorter may stand in a name by chance."""
_HINT = "leave it out; keys are read from the environment"


def without_secrets(text: str) -> str:
    """The text without the values of environment variables that are called keys or the like, and without passwords.

    >>> without_secrets("GET http://ann:pass@host/v1 failed")
    'GET http://…@host/v1 failed'
    """
    for _, value in _secrets(_SHORTEST_SECRET):
        text = text.replace(value, "…")
    return _IN_ADDRESS.sub("…@", text)


def refuse_secrets(text: str, what: str, *, is_name: bool = False) -> None:
    """Raise if a key or a password stands in the text; what it is, is not shown.

    >>> refuse_secrets("openai:model@http://ann:pass@host/v1", "a name")
    Traceback (most recent call last):
    litotes.core.errors.UsageError: [L102] a name has an address with a name or a password in it; leave it out; keys \
are read from the environment
    """
    if (_IN_NAME if is_name else _IN_ADDRESS).search(text):
        raise UsageError("L102", f"{what} has an address with a name or a password in it", hint=_HINT)
    if _KEY.search(text):
        raise UsageError("L102", f"{what} has a key in it", hint=_HINT)
    for variable, value in _secrets(_SHORTEST_KEY):
        # A path or an address is no key, whatever the variable is called.
        if value in text and not value.startswith(("/", "~", ".")) and "://" not in value:
            raise UsageError("L102", f"{what} has in it what the environment variable {variable} holds", hint=_HINT)


def refuse_secret_option(name: str, value: str) -> None:
    """Raise if an option that is called key or the like holds anything but the name of an environment variable.

    >>> refuse_secret_option("key", "LAB_API_KEY")
    >>> refuse_secret_option("max_tokens", "64")
    """
    if _SECRET_OPTION.fullmatch(name) and not (value in os.environ or _VARIABLE.fullmatch(value)):
        raise UsageError(
            "L102",
            f"?{name}= does not name an environment variable that is set",
            hint="write the variable's name there, never the key itself",
        )


def _secrets(shortest: int) -> Iterator[tuple[str, str]]:
    """The environment variables that are called keys or the like, with what they hold."""
    for variable, value in os.environ.items():
        if _SECRET_NAME.search(variable) and len(value) >= shortest:
            yield variable, value
