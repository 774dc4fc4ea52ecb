"""Write the declared sets, options and skip codes of the builders into docs/reference/building.md.

Run it from the project after a builder has changed; a test fails if the page is out of date:

    python tools/describe_builders.py
"""

from __future__ import annotations

import re
from pathlib import Path

from litotes.building.base import COMMON_SKIPS, Builder, list_builders, load_builder
from litotes.rewrites.options import options_of
from litotes.suites.kinds import suite_kind

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/building.md"
_BLOCK = re.compile(r"^<!-- ([\w ]+): made by (\S+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def described(page: str) -> str:
    """Return the page with tables of the current builders."""
    return _BLOCK.sub(lambda block: f"<!-- {block[1]}: made by {block[2]} -->\n{_block(block[1])}<!-- end -->", page)


def _block(name: str) -> str:
    if name == "builders":
        builders = map(load_builder, list_builders())
        return _table(("builder", "what it makes"), [(f"[{one.name}](#{one.name})", one.summary) for one in builders])
    if name == "common skips":
        return _skips(COMMON_SKIPS)
    return _about(load_builder(name))


def _about(builder: Builder) -> str:
    result = ""
    if len(builder.sets) > 1:
        rows = [(f"`{set_}`", ", ".join(suite_kind(kind).roles)) for set_, kind in builder.sets.items()]
        result += _table(("set", "sentences"), rows)
    rows = [
        (f"`{name}`", one.values.replace("|", ", "), "none" if one.default is None else _word(one.default))
        for name, one in options_of(builder).items()
    ]
    result += _table(("option", "values", "if none is given"), rows)
    return result + _skips({code: why for code, why in builder.skips.items() if code not in COMMON_SKIPS})


def _skips(skips: dict[str, str]) -> str:
    return _table(("left out as", "why"), [(f"`{code}`", why) for code, why in skips.items()])


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in cells) + "\n"


def main() -> None:
    PAGE.write_text(described(PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
