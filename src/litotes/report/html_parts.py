"""What every page of ours is made with: its files, the policy that keeps it to itself, its data."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files


def asset(name: str, package: str = "litotes.report") -> str:
    """A file of a page, as text."""
    return (files(package) / "assets" / name).read_text("utf-8")


def content_security_policy(style: str, script: str) -> str:
    """Nothing is loaded from anywhere, and no script or style runs but the two that are ours."""
    return (
        f"default-src 'none'; style-src '{_hash_source(style)}'; script-src '{_hash_source(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def script_json(data: object) -> str:
    """Data as JSON that is safe inside a script element.

    >>> script_json({"text": "</script>"})
    '{"text":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # All five stand only inside JSON strings; escaped, no sentence can end the element or start a comment.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
