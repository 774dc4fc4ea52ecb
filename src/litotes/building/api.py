"""What users call: a suite from raw text, in one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from litotes.building.pipeline.engine import Built, build
from litotes.building.pipeline.settings import Plan
from litotes.core.files import expand_user
from litotes.core.progress import Progress


def build_suite(
    builder: str,
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    options: Mapping[str, Any] | None = None,
    format: str | None = None,
    columns: Sequence[str] = (),
    split: bool = False,
    strict: bool = False,
    seed: int = 0,
    limit: int | None = None,
    per_group: int | None = None,
    balance: bool = False,
    naturalness: str = "corpus",
    min_naturalness: float | None = None,
    language_tool: str | None = None,
    name: str = "",
    licence: str = "",
    workers: int = 1,
    fresh: bool = False,
    official: bool = False,
    skipped: str | Path | None = None,
    progress: Progress | None = None,
) -> Built:
    """Build a suite, or the several of a builder, from a corpus into a folder.

    `sources` are files, folders, globs, `hf:` datasets or `builtin`; `options` are the builder's own. A build that was
    interrupted goes on when it is called again; the same corpus and settings always give the same bytes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     corpus = Path(folder) / "notes.txt"
    ...     _ = corpus.write_text("The kettle is not hot.\\nWe sat down.\\nThe door isn't open today.\\n")
    ...     built = build_suite("semantoneg", corpus, Path(folder) / "suite")
    >>> built.read, built.units[""], built.items[""]
    (3, 2, 8)
    """
    named = [sources] if isinstance(sources, (str, Path)) else list(sources)
    plan = Plan(
        builder=builder,
        sources=tuple(map(str, named)),
        options=dict(options or {}),
        format=format,
        columns=(columns,) if isinstance(columns, str) else tuple(columns),
        split=split,
        strict=strict,
        seed=seed,
        limit=limit,
        per_group=per_group,
        balance=balance,
        naturalness=naturalness,
        min_naturalness=min_naturalness,
        language_tool=language_tool,
        name=name,
        licence=licence,
    )
    return build(
        plan,
        expand_user(out),
        workers=workers,
        fresh=fresh,
        official=official,
        skipped=None if skipped is None else expand_user(skipped),
        progress=progress,
    )
