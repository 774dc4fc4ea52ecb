"""`litotes cache`: list or clear the vector cache."""

from __future__ import annotations

from typing import Annotated

import typer

from litotes.cli.error_handling import put


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove the listed entries.")] = False,
    model: Annotated[str | None, typer.Option(help="Only the entries of this model.")] = None,
) -> None:
    """Show or clear the vector cache."""
    from litotes.core.paths import cache_folder
    from litotes.core.registry import unknown_name
    from litotes.evaluation.vector_cache import clear_cache, list_cache

    folder = cache_folder()
    entries = list_cache(folder)
    shown = [entry for entry in entries if model is None or entry.name == model]
    if model is not None and entries and not shown:
        raise unknown_name("model in the cache", model, sorted({entry.name for entry in entries}))
    if clear:
        clear_cache(shown)
    for entry in shown:
        put(f"{entry.size / 1e6:9.1f} MB  {entry.rows:>10,} rows  {entry.name}")
    total = sum(entry.size for entry in shown) / 1e6
    put(f"{total:9.1f} MB  {'removed from' if clear else 'in'} {folder}")
