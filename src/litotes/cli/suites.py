"""`litotes suites`: what can be asked."""

from __future__ import annotations

from litotes.cli.guard import put


def suites() -> None:
    """List the suites, and whether their data is on this machine."""
    from litotes.suites.loading import BUILT_IN, list_suites, load_suite
    from litotes.suites.sources import SOURCES, find_data

    for name in list_suites():
        if name in BUILT_IN:
            suite = load_suite(name)
            state = f"built in, {len(suite.items):,} items, {suite.groups():,} {suite.kind.group_word}s"
        elif name in SOURCES and find_data(name) is None:
            state = f"published; litotes fetch {name} brings it ({SOURCES[name].licence})"
        else:
            state = str(find_data(name)) if name in SOURCES else "from another package"
        put(f"{name:<18} {state}")
