"""`litotes suites`: list the suites, or statistics of their sentences."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from litotes.cli.error_handling import put, warn
from litotes.cli.options import SuiteOptions

if TYPE_CHECKING:
    from litotes.suites.statistics import RoleStatistics, SuiteStatistics


def suites(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|PATH]...",
            help="With --stats: suites, families, folders, or files of sentence pairs (STS-B, SICK, CSV, TSV, JSON "
            "lines). Default: the built-in suites.",
        ),
    ] = None,
    *,
    stats: Annotated[
        bool, typer.Option("--stats", help="Show the lexical overlap and the length of the sentences.")
    ] = False,
    data: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="The official file of a published suite.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --stats: a column with sentences of a file of pairs; give two."),
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE", help="With --stats: count the word pieces of this model's tokenizer instead of words."
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="With --stats: print one JSON document.")] = False,
) -> None:
    """List the suites and whether their data is available."""
    from litotes.core.errors import UsageError

    if stats:
        figures = _statistics(names or [], data or [], column or [], tokenizer)
        put(json.dumps([suite.to_dict() for suite in figures], indent=2) if json_ else _tables(figures, tokenizer))
        return
    options = {"--data": data, "--column": column, "--tokenizer": tokenizer, "--json": json_}
    given = [*(names or ())][:1] + [option for option, value in options.items() if value]
    if given:
        raise UsageError("L102", f"{given[0]}: needs --stats", hint="litotes suites --help lists the options")
    _list()


def _statistics(
    names: Sequence[str], data: Sequence[str], columns: Sequence[str], tokenizer: str | None
) -> list[SuiteStatistics]:
    """Return the statistics of suites, then those of files of pairs."""
    from litotes.core.errors import UsageError
    from litotes.corpora.pairs import is_pair_file, read_pairs
    from litotes.suites.statistics import pair_statistics, suite_statistics

    files = [name for name in names if is_pair_file(name)]
    if columns and (len(columns) != 2 or not files):
        raise UsageError("L102", "--column: name the two columns of a file of sentence pairs")
    pairs = {
        name: [(record.text, record.second_text or "") for record in read_pairs(name, warn, columns=columns)]
        for name in files
    }
    named = [name for name in names if name not in files]
    suites = SuiteOptions(suite=tuple(named), data=tuple(data)).load() if named or data or not files else []
    tokenize = None
    if tokenizer is not None:
        from litotes.models.word_pieces import load_word_pieces

        tokenize = load_word_pieces(tokenizer)
    return [
        *(suite_statistics(suite, tokenize) for suite in suites),
        *(pair_statistics(Path(name).name, pairs[name], tokenize) for name in files),
    ]


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


_HEADINGS = ("pairs", "ROUGE-1", "ROUGE-2", "ROUGE-L", "Lev.")


def _tables(figures: Sequence[SuiteStatistics], tokenizer: str | None) -> str:
    return "\n\n".join(_table(suite, "words" if tokenizer is None else "pieces") for suite in figures)


def _table(suite: SuiteStatistics, unit: str) -> str:
    caption = f"{suite.suite}: {suite.items:,} items; each role compared with {suite.anchor}"
    rows = [
        ("role", *_HEADINGS, unit),
        (suite.anchor, "", "", "", "", "", f"{suite.anchor_words:.1f}"),
        *((role.role, *_cells(role)) for role in suite.roles),
        ("mean", *_cells(suite.mean())),
    ]
    first = max(len(row[0]) for row in rows)
    lines = ["  ".join([row[0].ljust(first), *(cell.rjust(7) for cell in row[1:])]).rstrip() for row in rows]
    if suite.same_negations is not None:
        lines += ["", f"the two negations are the same sentence in {100 * suite.same_negations:.1f} % of the items"]
    return "\n".join([caption, "", *lines])


def _cells(role: RoleStatistics) -> tuple[str, ...]:
    rouge = (f"{100 * share:.1f}" for share in (role.rouge_1, role.rouge_2, role.rouge_l))
    return (f"{role.pairs:,}", *rouge, f"{role.levenshtein:.2f}", f"{role.words:.1f}")
