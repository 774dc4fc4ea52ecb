"""`litotes rewrite`: one English sentence in, edits whose effect on the meaning is known out."""

from __future__ import annotations

import contextlib
import json
import re
import stat
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple

import typer

from litotes.cli.error_handling import put, say
from litotes.rewrites.apply import rewrite_chunk
from litotes.rewrites.base import Edit, Edits, WordChange
from litotes.rewrites.gates import load_gates
from litotes.rewrites.registry import load_rewrite
from litotes.speedups.spacy_import import import_minimal_spacy

if TYPE_CHECKING:
    from litotes.rewrites.base import Rule


_STANDARD_INPUT = "-"


def rewrite(  # noqa: PLR0917  (a command's options)
    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", help="What is done to the sentence. None: lists the rules.")
    ] = None,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="Sentences. None: a sentence a line from standard input."),
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="A sentence a line; - is standard input.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the rule; again for more.")
    ] = None,
    edits: Annotated[int | None, typer.Option(min=1, help="At most so many a sentence. None: all.")] = None,
    gate: Annotated[
        list[str] | None, typer.Option(metavar="reparse", help="What each edit must pass; again for more.")
    ] = None,
    language_tool: Annotated[
        str | None, typer.Option(metavar="URL", help="A LanguageTool server that each edit must pass.")
    ] = None,
    pipeline: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another English pipeline of spaCy's to parse with.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON line a sentence and nothing else.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there instead of printing.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the rules, or all about RULE.")] = False,
) -> None:
    """Rewrite English sentences: negation, antonyms, passive, …"""
    from litotes.rewrites.registry import load_rewrite

    if rule is None or list_:
        _list(load_rewrite(rule) if rule is not None else None, json_)
        return

    pass
    from litotes.cli.options import named_options

    # What can be wrong is found before anything heavy is imported: a typo is told at once.
    job = Job(
        rule,
        options=named_options(load_rewrite(rule), option or [], see=f"litotes rewrite --list {rule}"),
        gates=_gates(gate or [], language_tool, pipeline),
        pipeline=pipeline,
        edits=edits,
        width=None if json_ else _width(),
    )
    with contextlib.ExitStack() as stack:
        sentences = _sentences(stack, texts or [], from_)
        if out is None:
            _rewrite(job, sentences, workers, put)
        else:
            from litotes.core.files import atomic_writer

            with atomic_writer(out) as write:
                count, done = _rewrite(job, sentences, workers, lambda line: write(f"{line}\n"))
            say(f"wrote {out}: {count:,} sentences, {done:,} of them rewritten")


def _gates(names: list[str], language_tool: str | None, pipeline: str | None) -> tuple[str, ...]:
    from litotes.core.errors import UsageError
    from litotes.rewrites.gates import load_gate

    if language_tool is not None and "://" not in language_tool:
        raise UsageError("L102", f"--language-tool {language_tool}: is no address", hint="http://localhost:8081, say")
    chosen = tuple(dict.fromkeys(names + ([] if language_tool is None else [language_tool])))
    for name in chosen:
        load_gate(name, pipeline)
    return chosen


def _rewrite(job: Job, sentences: Iterator[str], workers: int, write: Callable[[str], None]) -> tuple[int, int]:
    """Print each sentence with its edits; gives how many sentences there were, and how many were rewritten."""
    from functools import partial

    pass
    from litotes.core.parallel import map_ordered

    count = rewritten = 0
    results = map_ordered(partial(lines_of, job), sentences, workers=workers)
    try:
        for lines in results:
            if count and job.width is not None:
                write("")
            write(lines.text)
            count += 1
            rewritten += lines.rewritten
    finally:
        results.close()
    return count, rewritten


def _sentences(stack: contextlib.ExitStack, texts: list[str], file: str | None) -> Iterator[str]:
    from litotes.core.errors import UsageError
    from litotes.core.files import numbered_lines

    if texts and file is not None:
        raise UsageError("L102", "sentences and --from were given", hint="give one of the two")
    if texts:
        return iter(texts)
    if file is None and sys.stdin.isatty():
        raise UsageError("L102", "there is no sentence", hint="give one, or --from FILE")
    if file is None or file == _STANDARD_INPUT:
        return (line for _, line in numbered_lines(sys.stdin.buffer, "standard input"))
    stream = stack.enter_context(_opened(Path(file)))
    return (line for _, line in numbered_lines(stream, str(file)))


def _opened(path: Path) -> BinaryIO:
    from litotes.core.files import check_is_file

    with contextlib.suppress(OSError, ValueError):
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):  # what a shell gives for <(…); it is read once
            return path.open("rb")
    check_is_file(path)
    return path.open("rb")


def _list(rule: Rule | None, as_json: bool) -> None:
    import json

    from litotes.core.errors import LitotesError
    from litotes.rewrites.registry import list_rewrites, load_rewrite

    if rule is not None:
        put(json.dumps(_described(rule), indent=2) if as_json else _all_about(rule))
        return
    described: list[dict[str, Any]] = []
    for name in list_rewrites():
        try:
            known = load_rewrite(name)
        except LitotesError as error:  # of another package, and broken: the others can still be used
            say(f"litotes: warning: {error}")
            continue
        described.append(_described(known))
        if not as_json:
            put(_in_columns(known.name, 20, f"{known.effect:<10} {known.summary}", inner=11))
    if as_json:
        put(json.dumps(described, indent=2))
    else:
        put("\nlitotes rewrite --list RULE shows a rule's options and why it skips.")


def _described(rule: Rule) -> dict[str, Any]:
    from litotes.rewrites.options import options_of

    return {
        "name": rule.name,
        "effect": rule.effect,
        "needs": list(rule.needs),
        "summary": rule.summary,
        "options": {
            name: {"values": option.values, "default": option.default} for name, option in options_of(rule).items()
        },
        "skips": dict(rule.skips),
    }


def _all_about(rule: Rule) -> str:
    from litotes.cli.options import option_lines

    options = option_lines(rule)
    lines = [_in_columns(rule.name, len(rule.name) + 1, f"({rule.effect}) {rule.summary}")]
    if options:
        lines += ["", "options, by --option NAME=VALUE:"]
        wide = max(len(name) for name, _ in options)
        lines += [_in_columns(f"  {name}", wide + 3, text) for name, text in options]
    lines += ["", "skips:"]
    wide = max(map(len, rule.skips))
    lines += [_in_columns(f"  {code}", wide + 3, meaning) for code, meaning in rule.skips.items()]
    return "\n".join(lines)


def _in_columns(name: str, wide: int, text: str, *, inner: int = 0) -> str:
    import textwrap

    first = f"{name:<{wide}} "
    rest = " " * (len(first) + inner)
    return textwrap.fill(text, max(_width(), wide + 30), initial_indent=first, subsequent_indent=rest)


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((80, 24)).columns


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
        import_minimal_spacy()
    gates = load_gates(job.gates, job.pipeline)
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


def _change(change: WordChange) -> str:
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
