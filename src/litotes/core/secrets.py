"""Recognition of keys and passwords, which are never stored or shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from litotes.core.errors import UsageError, mask_credentials

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_SECRET_OPTION = re.compile(r"(.*[_-])?(key|token|secret|password|passwd|credential)", re.IGNORECASE)
_URL_CREDENTIALS = re.compile(r"(?<=://)[^\s/@]+@")
_NAME_CREDENTIALS = re.compile(r"://[^?]*@")
"""In model names a password may contain a slash; other text may contain a URL such as http://host/@someone."""
_KEY = re.compile(r"\bsk-(?:[A-Za-z0-9_]+-){0,3}[A-Za-z0-9_]{12,}|\bhf_[A-Za-z0-9]{24,}")
"""The keys of OpenAI, Anthropic and Hugging Face; model names have shorter parts."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_MIN_MASKED_LENGTH = 6
_MIN_REFUSED_LENGTH = 12
"""A shorter value of an environment variable may occur in a name accidentally."""
_HINT = "remove it; keys are read from the environment"


def mask_secrets(text: str) -> str:
    """Return the text without passwords in URLs and without the values of secret environment variables.

    >>> mask_secrets("GET http://ann:pass@host/v1 failed")
    'GET http://…@host/v1 failed'
    """
    for _, value in _secrets(_MIN_MASKED_LENGTH):
        text = text.replace(value, "…")
    return mask_credentials(text)


def refuse_secrets(text: str, what: str, *, is_name: bool = False) -> None:
    """Raise an error, which does not show the secret, if the text contains a key or a password.

    >>> refuse_secrets("openai:model@http://ann:pass@host/v1", "a name")
    Traceback (most recent call last):
    litotes.core.errors.UsageError: [L102] a name contains a user name or a password; remove it; keys are read \
from the environment
    """
    if (_NAME_CREDENTIALS if is_name else _URL_CREDENTIALS).search(text):
        raise UsageError("L102", f"{what} contains a user name or a password", hint=_HINT)
    if _KEY.search(text):
        raise UsageError("L102", f"{what} contains a key", hint=_HINT)
    for variable, value in _secrets(_MIN_REFUSED_LENGTH):
        # Paths and addresses are not keys, whatever the name of the variable.
        if value in text and not value.startswith(("/", "~", ".")) and "://" not in value:
            raise UsageError("L102", f"{what} contains the value of the environment variable {variable}", hint=_HINT)


def is_secret_option(name: str) -> bool:
    """Return whether an option is for a key or a password.

    >>> is_secret_option("key"), is_secret_option("max_tokens")
    (True, False)
    """
    return _SECRET_OPTION.fullmatch(name) is not None


def refuse_secret_option(name: str, value: str) -> None:
    """Raise an error if an option for a key has a value other than the name of an environment variable.

    >>> refuse_secret_option("key", "LAB_API_KEY")
    >>> refuse_secret_option("max_tokens", "64")
    """
    if is_secret_option(name) and not (value in os.environ or _VARIABLE.fullmatch(value)):
        raise UsageError(
            "L102",
            f"?{name}= does not name an environment variable that is set",
            hint="use the name of the variable, never the key itself",
        )


def _secrets(min_length: int) -> Iterator[tuple[str, str]]:
    """Yield the environment variables whose names suggest a secret, with their values."""
    for variable, value in os.environ.items():
        if _SECRET_NAME.search(variable) and len(value) >= min_length:
            yield variable, value
