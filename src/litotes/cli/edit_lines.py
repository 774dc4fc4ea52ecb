"""Edits as lines: JSON for programs, blocks for people. Workers write them, so nothing of the terminal is needed."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from litotes.language.spacy_alone import import_spacy_alone
from litotes.rewrites.apply import loaded_gates, rewrite_chunk
from litotes.rewrites.base import Change, Edit, Edits
from litotes.rewrites.rules import load_rewrite

# What a terminal would obey instead of showing, or that would turn the letters around it.
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Job(NamedTuple):
    """What is to be done with each sentence; all of it can be sent to a worker."""

    rule: str
    options: Mapping[str, Any]
    gates: tuple[str, ...]
    pipeline: str | None
    edits: int | None
    """At most so many a sentence."""
    width: int | None
    """Of the terminal; None for JSON."""


class Lines(NamedTuple):
    """What is printed for a sentence."""

    text: str
    rewritten: bool


def lines_of(job: Job, texts: Sequence[str]) -> list[Lines]:
    """What is printed for each of some sentences."""
    if job.pipeline is None:
        import_spacy_alone()
    gates = loaded_gates(job.gates, job.pipeline)
    made = rewrite_chunk(load_rewrite(job.rule), job.options, gates, job.pipeline, texts)
    return [
        Lines(_as_json(text, shown) if job.width is None else _as_block(text, shown, job.width), bool(shown))
        for text, edits in zip(texts, made, strict=True)
        for shown in [Edits(edits[: job.edits], edits.skips)]
    ]


def _as_json(text: str, edits: Edits) -> str:
    skips = [{"code": skip.code, "reason": skip.reason} for skip in edits.skips]
    # In ASCII, so that it is the same JSON whatever encoding the terminal or the pipe has.
    return json.dumps({"text": text, "edits": [edit.to_dict() for edit in edits], "skips": skips})


def _as_block(text: str, edits: Edits, width: int) -> str:
    lines = [_filled(text, width)]
    for number, edit in enumerate(edits, 1):
        lines.append(_filled(edit.text, width, f"{number:>3}  "))
        lines.append(_filled(_about(edit), width, " " * 5))
    if not edits:
        lines += [_filled(f"{skip.code}: {skip.reason}", width, "  -  ") for skip in edits.skips]
    return "\n".join(lines)


def _about(edit: Edit) -> str:
    what = [edit.effect, ", ".join(map(_change, edit.words)), edit.reason]
    return f"({'; '.join(filter(None, what))})"


def _change(change: Change) -> str:
    if not change.old:
        return f"+ {change.new}"
    return f"{change.old} → {change.new}" if change.new else f"− {change.old}"


def _filled(text: str, width: int, first: str = "") -> str:
    visible = _OBEYED.sub(lambda sign: sign.group().encode("unicode_escape", "surrogatepass").decode(), text)
    rest = " " * len(first)
    shown = textwrap.fill(
        visible, max(width, 20), initial_indent=first, subsequent_indent=rest or "  ", break_on_hyphens=False
    )
    return shown or first.rstrip()
