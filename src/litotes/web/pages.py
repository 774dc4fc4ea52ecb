"""HTML pages from Jinja2 templates: autoescape, a content security policy, and JSON inside a script element."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from litotes._version import __version__

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_BASE = "litotes.web"


def clean(text: object) -> str:
    """Return the text with lone surrogates replaced, so that it can be written as UTF-8."""
    return _LONE_SURROGATE.sub("\ufffd", str(text))


def read_asset(package: str, name: str) -> str:
    """Return a file of a package's folder `assets`."""
    return (files(package) / "assets" / name).read_text("utf-8")


@cache
def template_environment(package: str) -> Environment:
    """Return the environment that loads the templates of a package and of `litotes.web`."""
    return Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(_BASE)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render_standalone(
    environment: Environment,
    template: str,
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: object,
    **values: Any,
) -> str:
    """Return a page that holds its style sheets, scripts and data, loads nothing and executes no other script."""
    style, script = "".join([read_asset(_BASE, "base.css"), *styles]), "".join(scripts)
    page = environment.get_template(template).render(
        policy=content_security_policy(style, script),
        version=__version__,
        # The project's own files, not data: they must not be escaped inside their elements.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=script_json(data),
        **values,
    )
    return clean(page)


def content_security_policy(style: str, script: str) -> Markup:
    """Return the policy of a page that loads nothing and allows exactly one style sheet and one script."""
    return Markup("default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'").format(
        _hash_source(style), _hash_source(script)
    )


def _hash_source(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def script_json(data: object) -> Markup:
    """Return data as JSON that is safe inside a script element.

    >>> print(script_json({"text": "</script>"}))
    {"text":"\\u003c/script\\u003e"}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # These five occur only inside JSON strings; escaped, no sentence can end the element or start a comment.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704
