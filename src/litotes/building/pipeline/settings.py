"""What a build is asked to do: everything that its result depends on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from litotes.core.errors import UsageError
from litotes.core.versions import installed_version
from litotes.languages.en.lexicon.wordnet import lexicon_version
from litotes.languages.en.parser import FROM_REGISTRY, OFFICIAL


@dataclass(frozen=True)
class Plan:
    """A builder, a corpus and the settings."""

    builder: str
    sources: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of the builder."""
    format: str | None = None
    columns: tuple[str, ...] = ()
    split: bool = False
    strict: bool = False
    seed: int = 0
    limit: int | None = None
    """At most so many candidates a set, drawn by the seed."""
    per_group: int | None = None
    """At most so many of one group: one antonym pair, one word."""
    balance: bool = False
    """Draw in rounds, one of each group a round, so that no group dominates."""
    min_naturalness: float | None = None
    """Against the original: 0 is as natural, below is less. None: whatever there is."""
    naturalness: str = "corpus"
    """“corpus” for its own counts, or a causal or masked language model of transformers by name or folder."""
    language_tool: str | None = None
    """The address of a LanguageTool server that original and rewrites must pass."""
    name: str = ""
    """Of the suite; the builder's own if there is none."""
    licence: str = ""
    """Of the source; the licence files beside it are kept too."""

    def __post_init__(self) -> None:
        if not self.sources:
            raise UsageError("L102", "there is no corpus", hint="give one by --from FILE; builtin is our own")
        for name, number in (("limit", self.limit), ("per_group", self.per_group)):
            if number is not None and number < 1:
                raise UsageError("L102", f"{name}={number}: at least one is needed")
        if self.min_naturalness is not None and not math.isfinite(self.min_naturalness):
            raise UsageError("L102", f"min_naturalness={self.min_naturalness}: a number is needed", hint="such as -1")
        if self.name != self.name.strip() or not self.name.isprintable():
            raise UsageError("L102", f'name="{self.name}": is no name', hint="take letters, figures and hyphens")

    def settings(self) -> dict[str, Any]:
        """As suite.json has them: nothing that only this machine knows."""
        return {
            "format": self.format,
            "columns": list(self.columns),
            "split": self.split,
            "seed": self.seed,
            "limit": self.limit,
            "per_group": self.per_group,
            "balance": self.balance,
            "min_naturalness": self.min_naturalness,
            "language_tool": self.language_tool is not None,
        }


def versions(more: Iterable[str] = ()) -> dict[str, str]:
    """What the sentences of a build depend on."""
    from litotes._version import __version__

    found = {"litotes": __version__}
    # Of the two names of the parser's model the first that is installed is used.
    model = OFFICIAL if installed_version(OFFICIAL) is not None else FROM_REGISTRY
    for package in ("spacy", model, "lemminflect", *more):
        if (number := installed_version(package)) is not None:
            found[package] = number
    # Our own WordNet comes with our version.
    if (wordnet := lexicon_version()) is not None:
        found["wordnet"] = wordnet
    return found
