"""Parts of an experiment: each has a key of all it depends on, and a small file once it is done.

A part whose file is there is never run again; another plan's parts have other keys and lie beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from litotes.core.errors import LitotesError
from litotes.core.files import is_file, read_json, to_json, write_atomic

_SHORT = 12


@dataclass(frozen=True)
class Part:
    """One training, or one evaluation."""

    what: Literal["training", "evaluation"]
    name: str
    """Where it stands in the experiment, as a path: `minilm/seed-0/epoch-2`."""
    depends_on: Mapping[str, Any]

    @property
    def key(self) -> str:
        """One sha256 for all that the part depends on.

        >>> Part("training", "a", {"seed": 0, "data": "x"}).key == Part("training", "b", {"data": "x", "seed": 0}).key
        True
        """
        ordered = [self.what, {name: self.depends_on[name] for name in sorted(self.depends_on)}]
        return hashlib.sha256(to_json(ordered).encode()).hexdigest()

    @property
    def place(self) -> str:
        """Its name with enough of the key that no other part has the same."""
        return f"{self.name}-{self.key[:_SHORT]}"


class Done:
    """The files of finished parts, below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def outcome(self, part: Part) -> dict[str, Any] | None:
        """What came of a part; None if it is not done, or its file cannot be trusted."""
        path = self._path(part)
        if not is_file(path):
            return None
        try:
            kept = read_json(path)
        except LitotesError:  # half a file of another program, or none of ours
            return None
        outcome = kept.get("outcome")
        return outcome if kept.get("key") == part.key and isinstance(outcome, dict) else None

    def keep(self, part: Part, outcome: Mapping[str, Any]) -> None:
        """Say that a part is done."""
        content = {
            "part": part.name,
            "what": part.what,
            "key": part.key,
            "depends_on": dict(part.depends_on),
            "outcome": dict(outcome),
        }
        write_atomic(self._path(part), to_json(content, indent=2) + "\n")

    def _path(self, part: Part) -> Path:
        return self._folder / f"{part.place}.{part.what}.json"
