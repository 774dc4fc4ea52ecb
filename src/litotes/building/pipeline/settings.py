"""The settings of a build, and the versions that its output depends on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from litotes.core.errors import UsageError
from litotes.core.settings import PositiveInt, Seed
from litotes.core.versions import installed_version
from litotes.corpora.settings import ReadSettings


class BuildSettings(ReadSettings, frozen=True, kw_only=True):
    """How a suite is built from a corpus."""

    options: Annotated[dict[str, Any], Meta(description="Options of the builder.", extra={"option": False})] = (
        msgspec.field(default_factory=dict)
    )
    strict: Annotated[bool, Meta(description="Stop at the first line that cannot be read.")] = False
    seed: Seed = 0
    limit: Annotated[
        PositiveInt | None, Meta(description="Maximum number of originals per set, drawn by the seed.")
    ] = None
    per_group: Annotated[
        PositiveInt | None, Meta(description="Maximum number of originals per word or antonym pair.")
    ] = None
    balance: Annotated[
        bool, Meta(description="With --limit: draw from all groups in turn, so that none dominates.")
    ] = False
    naturalness: Annotated[
        str,
        Meta(
            description="Score of candidates: corpus (its word counts) or a language model by name or folder.",
            extra={"metavar": "MODEL"},
        ),
    ] = "corpus"
    min_naturalness: Annotated[
        float | None,
        Meta(
            description="Leave out candidates that are less natural; 0: at least as natural as the original.",
            extra={"metavar": "NUMBER"},
        ),
    ] = None
    language_tool: Annotated[
        str | None, Meta(description="LanguageTool server that must accept every sentence.", extra={"metavar": "URL"})
    ] = None
    name: Annotated[str, Meta(description="Name of the suite. Default: the builder's name.")] = ""
    licence: Annotated[str, Meta(description="Licence of the corpus, recorded in suite.json.")] = ""
    prefilter: Annotated[bool, Meta(extra={"option": False})] = True
    """Drop unsuitable sentences before they are parsed; turned off only to compare the two ways."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name != self.name.strip() or not self.name.isprintable():
            raise UsageError("L102", f'name="{self.name}": is not a valid name', hint="use letters, digits and hyphens")

    def recorded(self) -> dict[str, Any]:
        """Return the settings that suite.json records; names and paths of this machine are left out."""
        names = ("format", "columns", "split", "seed", "limit", "per_group", "balance", "min_naturalness")
        values = {name: getattr(self, name) for name in names}
        return {**values, "columns": list(self.columns), "language_tool": self.language_tool is not None}


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions that generated sentences depend on, with those of further packages."""
    from litotes._version import __version__
    from litotes.languages.en.lexicon.wordnet import lexicon_version
    from litotes.languages.en.parser import FROM_REGISTRY, OFFICIAL

    numbers = {"litotes": __version__}
    # The parser's model has two names; the first that is installed is used.
    model = OFFICIAL if installed_version(OFFICIAL) is not None else FROM_REGISTRY
    for package in ("spacy", model, "lemminflect", *packages):
        if (number := installed_version(package)) is not None:
            numbers[package] = number
    # The bundled WordNet is versioned with Litotes.
    if (wordnet := lexicon_version()) is not None:
        numbers["wordnet"] = wordnet
    return numbers
