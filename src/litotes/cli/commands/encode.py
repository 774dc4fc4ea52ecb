"""`litotes encode`: the vectors of a text, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import AsJson, EncoderName, EngineName, TextSources
from litotes.evaluation.settings import EncodeSettings
from litotes.models.access import Access


def encode(  # noqa: PLR0917  (a command's options)
    settings: EncodeSettings,
    access: Access,
    model: EncoderName = None,
    from_: TextSources = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the vectors.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Overwrite other vectors in the folder.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of workers. Default: one per core.")] = None,
    engine: EngineName = None,
    json_: AsJson = False,
) -> None:
    """Encode a text and write its vectors to a folder."""
    from litotes.core.errors import UsageError

    if not from_ or out is None:
        missing = "no text is given" if not from_ else "no folder is given"
        raise UsageError("L102", missing, hint="add --from FILE" if not from_ else "add --out DIR")

    from litotes.core.progress import terminal_progress
    from litotes.corpora.base import Problems
    from litotes.evaluation.vectors.encode import encode as encode_corpus
    from litotes.evaluation.vectors.folder import MANIFEST
    from litotes.models.hub import DEFAULT_MODEL

    problems = Problems()
    with terminal_progress() as progress:
        folder = encode_corpus(
            model or DEFAULT_MODEL,
            settings=settings,
            sources=from_,
            out=out,
            engine=engine,
            workers=workers,
            fresh=fresh,
            progress=progress,
            access=access,
            problems=problems,
        )
    if problems.count:
        warn(f"[L203] {problems.summary()}")
    manifest = folder.manifest
    if json_:
        import json

        fields = ("model", "rows", "dimensions", "dtype", "part_rows")
        document = {name: getattr(manifest, name) for name in fields}
        document |= {"fingerprint": folder.fingerprint.key(), "parts": len(manifest.parts), "folder": str(folder.path)}
        put(json.dumps(document, indent=2))
    else:
        put(f"{manifest.rows:,} vectors of {manifest.dimensions} numbers in {len(manifest.parts):,} files")
        say(f"wrote {folder.path / MANIFEST}")
