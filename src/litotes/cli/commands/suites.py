"""`litotes suites`: list the suites, or statistics of their sentences."""

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
            metavar="[NAME|PATH]...", help="With --stats: suites, families or folders. Default: the built-in ones."
        ),
    ] = None,
    stats: Annotated[
        bool, typer.Option("--stats", help="Show the lexical overlap and the length of the sentences.")
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

        options = SuiteOptions(suite=tuple(names or ()), data=tuple(data or ()))
        figures = [suite_statistics(suite) for suite in options.load()]
        put(json.dumps([suite.to_dict() for suite in figures], indent=2) if json_ else _tables(figures))
    elif names or data or json_:
        argument = names[0] if names else "--data" if data else "--json"
        raise UsageError("L102", f"{argument}: needs --stats", hint="litotes suites --help lists the options")
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
            use_data = f"give {known.data_path} by --data {name}=PATH"
            how = f"download it with litotes fetch {name}" if known.url else use_data
            state = f"published; {how} ({known.licence})"
        else:
            state = str(find_data(name)) if name in OFFICIAL_FILES else "from another package"
        put(f"{name:<{width}}  {state}")
    for name, members in FAMILIES.items():
        put(f"{name:<{width}}  the {len(members)} suites {members[0]} … {members[-1]}")


_HEADINGS = ("pairs", "ROUGE-1", "ROUGE-2", "ROUGE-L", "Lev.", "words")


def _tables(figures: Sequence[SuiteStatistics]) -> str:
    return "\n\n".join(map(_table, figures))


def _table(suite: SuiteStatistics) -> str:
    caption = f"{suite.suite}: {suite.items:,} items; each role compared with {suite.anchor}"
    rows = [
        ("role", *_HEADINGS),
        (suite.anchor, "", "", "", "", "", f"{suite.anchor_words:.1f}"),
        *((role.role, *_cells(role)) for role in suite.roles),
        ("mean", *_cells(suite.mean())),
    ]
    first = max(len(row[0]) for row in rows)
    lines = ["  ".join([row[0].ljust(first), *(cell.rjust(7) for cell in row[1:])]).rstrip() for row in rows]
    return "\n".join([caption, "", *lines])


def _cells(role: RoleStatistics) -> tuple[str, ...]:
    rouge = (f"{100 * share:.1f}" for share in (role.rouge_1, role.rouge_2, role.rouge_l))
    return (f"{role.pairs:,}", *rouge, f"{role.levenshtein:.2f}", f"{role.words:.1f}")
