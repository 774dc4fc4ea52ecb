"""The published file of a suite, brought to this machine."""

from __future__ import annotations

from pathlib import Path

from litotes.core.download import Progress, download, has_sha256
from litotes.core.errors import LitotesError
from litotes.core.paths import data_folders
from litotes.suites.sources import source


def fetch(
    name: str,
    *,
    folder: Path | None = None,
    url: str | None = None,
    offline: bool = False,
    progress: Progress | None = None,
) -> Path:
    """The published file of a suite, in the data folder; a mirror may bring it, its sha256 stays the same."""
    wanted = source(name)
    if not wanted.url:
        # Without a sha256 nothing that came could be told from something else.
        raise LitotesError(
            "L501", f"{name}: Litotes knows no address and no sha256 of {wanted.file}", hint=wanted.how_to_get
        )
    target = (folder or data_folders()[0]) / wanted.file
    if not offline:
        return download(url or wanted.url, target, sha256=wanted.sha256, progress=progress)
    if has_sha256(target, wanted.sha256):
        return target
    raise LitotesError(
        "L501",
        f"{wanted.url}: was not downloaded",
        hint=f"offline was asked: leave that out, or bring the file to {target} by other means",
    )
