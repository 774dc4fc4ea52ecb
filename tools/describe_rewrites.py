"""Write the declared effects, options and skip codes of the rules into docs/reference/rewrites.md.

Run it from the project after a rule has changed; a test fails if the page is out of date:

    python tools/describe_rewrites.py
"""

from __future__ import annotations

import re
from pathlib import Path

from litotes.rewrites.base import COMMON_SKIPS, Rule
from litotes.rewrites.options import options_of
from litotes.rewrites.registry import list_rewrites, load_rewrite

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/rewrites.md"
_BLOCK = re.compile(r"^<!-- ([\w ]+): made by (\S+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def described(page: str) -> str:
    """Return the page with tables of the current rules."""
    return _BLOCK.sub(lambda block: f"<!-- {block[1]}: made by {block[2]} -->\n{_block(block[1])}<!-- end -->", page)


def _block(name: str) -> str:
    if name == "rules":
        return _table(("rule", "effect", "what it does"), [_row(load_rewrite(rewrite)) for rewrite in list_rewrites()])
    if name == "common skips":
        return _table(("skip", "why"), [(f"`{code}`", why) for code, why in COMMON_SKIPS.items()])
    return _about(load_rewrite(name))


def _row(rule: Rule) -> tuple[str, str, str]:
    return f"[{rule.name}](#{rule.name})", rule.effect, rule.summary


def _about(rule: Rule) -> str:
    result = ""
    options = options_of(rule)
    if options:
        rows = [
            (f"`{name}`", one.values.replace("|", ", "), "none" if one.default is None else _word(one.default))
            for name, one in options.items()
        ]
        result += _table(("option", "values", "if none is given"), rows) + "\n"
    own = {code: why for code, why in rule.skips.items() if code not in COMMON_SKIPS}
    negation = {code: why for code, why in load_rewrite("negation").skips.items() if code not in COMMON_SKIPS}
    if rule.name != "negation" and negation.items() <= own.items():
        own = {code: why for code, why in own.items() if code not in negation}
        result += "Skips as [negation](#negation) does, and:\n\n"
    return result + _table(("skip", "why"), [(f"`{code}`", why) for code, why in own.items()])


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
