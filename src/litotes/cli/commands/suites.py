"""`litotes suites`: what can be asked, and what it looks like in figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put
from litotes.cli.options import SuiteOptions

if TYPE_CHECKING:
    from litotes.suites.statistics import RoleStatistics, SuiteStatistics


def suites(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|PATH]...", help="With --stats: suites, families, folders. None: the built-in ones."
        ),
    ] = None,
    stats: Annotated[
        bool, typer.Option("--stats", help="Show how much the sentences overlap and how long they are.")
    ] = False,
    data: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="The official file of a published suite.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="With --stats: print one JSON document.")] = False,
) -> None:
    """List the suites and whether their data is available."""
    from litotes.core.errors import UsageError

    if stats:
        from litotes.suites.statistics import suite_statistics

        found = [
            suite_statistics(suite) for suite in SuiteOptions(suite=tuple(names or ()), data=tuple(data or ())).load()
        ]
        put(json.dumps([one.to_dict() for one in found], indent=2) if json_ else _table(found))
    elif names or data or json_:
        what = names[0] if names else "--data" if data else "--json"
        raise UsageError("L102", f"{what}: is for --stats", hint="add that; litotes suites --help shows what there is")
    else:
        _list()


def _list() -> None:
    from litotes.suites.loading import BUILT_IN, FAMILIES, list_suites, load_suite
    from litotes.suites.official_files import OFFICIAL_FILES, find_data

    width = max(map(len, [*list_suites(), *FAMILIES]))
    for name in list_suites():
        if name in BUILT_IN:
            suite = load_suite(name)
            state = f"built in, {len(suite.items):,} items, {suite.count_groups():,} {suite.kind.group_word}s"
        elif name in OFFICIAL_FILES and find_data(name) is None:
            known = OFFICIAL_FILES[name]
            how = f"litotes fetch {name} brings it" if known.url else f"give {known.data_path} by --data {name}=PATH"
            state = f"published; {how} ({known.licence})"
        else:
            state = str(find_data(name)) if name in OFFICIAL_FILES else "from another package"
        put(f"{name:<{width}}  {state}")
    for name, members in FAMILIES.items():
        put(f"{name:<{width}}  the {len(members)} suites {members[0]} … {members[-1]}")


_HEADINGS = ("pairs", "ROUGE-1", "ROUGE-2", "ROUGE-L", "Lev.", "words")


def _table(found: Sequence[SuiteStatistics]) -> str:
    return "\n\n".join(map(_lines, found))


def _lines(one: SuiteStatistics) -> str:
    caption = f"{one.suite}: {one.items:,} items; each role beside {one.anchor}"
    rows = [
        ("role", *_HEADINGS),
        (one.anchor, "", "", "", "", "", f"{one.anchor_words:.1f}"),
        *((role.role, *_cells(role)) for role in one.roles),
        ("mean", *_cells(one.mean())),
    ]
    first = max(len(row[0]) for row in rows)
    lines = ["  ".join([row[0].ljust(first), *(cell.rjust(7) for cell in row[1:])]).rstrip() for row in rows]
    return "\n".join([caption, "", *lines])


def _cells(role: RoleStatistics) -> tuple[str, ...]:
    rouge = (f"{100 * share:.1f}" for share in (role.rouge_1, role.rouge_2, role.rouge_l))
    return (f"{role.pairs:,}", *rouge, f"{role.levenshtein:.2f}", f"{role.words:.1f}")
