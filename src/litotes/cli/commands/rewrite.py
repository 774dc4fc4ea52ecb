"""`litotes rewrite`: apply a rewrite rule to English sentences."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import stat
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple

import typer
from msgspec import Meta

from litotes.cli.error_handling import put, say, warn
from litotes.cli.options import EngineName, LocalWorkers
from litotes.core.errors import LitotesError, UsageError
from litotes.core.settings import PositiveInt, Settings
from litotes.rewrites.apply import rewrite_chunk
from litotes.rewrites.base import Edit, Edits, WordChange
from litotes.rewrites.gates import load_gate, load_gates
from litotes.rewrites.registry import list_rewrites, load_rewrite
from litotes.speedups.spacy_import import import_minimal_spacy

if TYPE_CHECKING:
    from litotes.core.parallel.engine import ParallelEngine
    from litotes.rewrites.base import Rule


_STANDARD_INPUT = "-"


class RewriteOptions(Settings, frozen=True, kw_only=True):
    """How sentences are rewritten and checked."""

    option: Annotated[
        tuple[str, ...], Meta(description="An option of the rule; repeatable.", extra={"metavar": "NAME=VALUE"})
    ] = ()
    edits: Annotated[PositiveInt | None, Meta(description="Maximum number of edits per sentence. Default: all.")] = None
    gate: Annotated[
        tuple[str, ...], Meta(description="A check that each edit must pass; repeatable.", extra={"metavar": "reparse"})
    ] = ()
    language_tool: Annotated[
        str | None, Meta(description="A LanguageTool server that must accept each edit.", extra={"metavar": "URL"})
    ] = None
    pipeline: Annotated[
        str | None, Meta(description="Another English spaCy pipeline for parsing.", extra={"metavar": "NAME"})
    ] = None

    def gates(self) -> tuple[str, ...]:
        """Return the names of the gates; raise an error if one of them cannot be loaded."""
        if self.language_tool is not None and "://" not in self.language_tool:
            raise UsageError("L102", "--language-tool: is not an address", hint="http://localhost:8081, for example")
        gates = tuple(dict.fromkeys((*self.gate, *([] if self.language_tool is None else [self.language_tool]))))
        for name in gates:
            load_gate(name, self.pipeline)
        return gates


def rewrite(
    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", help="The rule to apply. Default: list the rules.")
    ] = None,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="Sentences. Default: one per line from standard input."),
    ] = None,
    *,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="File with one sentence per line; - for standard input."),
    ] = None,
    options: RewriteOptions,
    workers: LocalWorkers = None,
    engine: EngineName = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON line per sentence and nothing else.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Output file. Default: standard output.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the rules, or describe RULE.")] = False,
) -> None:
    """Rewrite English sentences: negation, antonyms, passive, …"""
    if rule is None or list_:
        _list(load_rewrite(rule) if rule is not None else None, json_)
        return
    from litotes.cli.options import named_options
    from litotes.core.parallel.engine import choose_engine

    # Mistakes are reported before anything slow is imported.
    job = RewriteJob(
        rule,
        options=named_options(load_rewrite(rule), list(options.option), see=f"litotes rewrite --list {rule}"),
        gates=options.gates(),
        pipeline=options.pipeline,
        max_edits=options.edits,
        width=None if json_ else _width(),
    )
    where = choose_engine(engine, workers)
    with contextlib.ExitStack() as stack:
        sentences = _sentences(stack, texts or [], from_)
        if out is None:
            _rewrite(job, sentences, where, put)
        else:
            from litotes.core.files import atomic_writer

            with atomic_writer(out) as write:
                n_sentences, n_rewritten = _rewrite(job, sentences, where, lambda line: write(f"{line}\n"))
            say(f"wrote {out}: {n_sentences:,} sentences, {n_rewritten:,} of them rewritten")


def _rewrite(
    job: RewriteJob, sentences: Iterator[str], engine: ParallelEngine, write: Callable[[str], None]
) -> tuple[int, int]:
    """Write each sentence with its edits; return the number of sentences and of those that were rewritten."""
    from litotes.core.parallel.engine import map_ordered

    n_sentences = n_rewritten = 0
    outputs = map_ordered(partial(format_sentences, job), sentences, engine=engine)
    try:
        for output in outputs:
            if n_sentences and job.width is not None:
                write("")
            write(output.text)
            n_sentences += 1
            n_rewritten += output.is_rewritten
    finally:
        outputs.close()
    return n_sentences, n_rewritten


def _sentences(stack: contextlib.ExitStack, texts: list[str], file: str | None) -> Iterator[str]:
    from litotes.core.files import numbered_lines

    if texts and file is not None:
        raise UsageError("L102", "TEXT and --from cannot be combined", hint="use one of them")
    if texts:
        return iter(texts)
    if file is None and sys.stdin.isatty():
        raise UsageError("L102", "the sentence is missing", hint="name one, or add --from FILE")
    if file is None or file == _STANDARD_INPUT:
        return (line for _, line in numbered_lines(sys.stdin.buffer, "standard input"))
    stream = stack.enter_context(_open(Path(file)))
    return (line for _, line in numbered_lines(stream, str(file)))


def _open(path: Path) -> BinaryIO:
    from litotes.core.files import check_is_file
    from litotes.corpora.streams import reporting_pipe

    with contextlib.suppress(OSError, ValueError):
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):  # such as <(…) in a shell; it can be read only once
            with reporting_pipe(path, str(path)):
                return path.open("rb")
    check_is_file(path)
    return path.open("rb")


def _list(rule: Rule | None, as_json: bool) -> None:
    if rule is not None:
        put(json.dumps(_rule_document(rule), indent=2) if as_json else _rule_text(rule))
        return
    documents: list[dict[str, Any]] = []
    for name in list_rewrites():
        try:
            known = load_rewrite(name)
        except LitotesError as error:  # a broken rule of another package must not hide the others
            warn(str(error))
            continue
        documents.append(_rule_document(known))
        if not as_json:
            put(_in_columns(known.name, 20, f"{known.effect:<10} {known.summary}", inner=11))
    if as_json:
        put(json.dumps(documents, indent=2))
    else:
        put("\nlitotes rewrite --list RULE shows the options of a rule and why it skips.")


def _rule_document(rule: Rule) -> dict[str, Any]:
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


def _rule_text(rule: Rule) -> str:
    from litotes.cli.options import option_lines

    options = option_lines(rule)
    lines = [_in_columns(rule.name, len(rule.name) + 1, f"({rule.effect}) {rule.summary}")]
    if options:
        lines += ["", "options, as --option NAME=VALUE:"]
        width = max(len(name) for name, _ in options)
        lines += [_in_columns(f"  {name}", width + 3, text) for name, text in options]
    lines += ["", "skips:"]
    width = max(map(len, rule.skips))
    lines += [_in_columns(f"  {code}", width + 3, meaning) for code, meaning in rule.skips.items()]
    return "\n".join(lines)


def _in_columns(name: str, width: int, text: str, *, inner: int = 0) -> str:
    first = f"{name:<{width}} "
    rest = " " * (len(first) + inner)
    return textwrap.fill(text, max(_width(), width + 30), initial_indent=first, subsequent_indent=rest)


def _width() -> int:
    return shutil.get_terminal_size((80, 24)).columns


# Control characters, which a terminal would execute, and characters that change the direction of text.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class RewriteJob(NamedTuple):
    """How each sentence is rewritten and printed; it is sent to worker processes."""

    rule: str
    options: Mapping[str, Any]
    gates: tuple[str, ...]
    pipeline: str | None
    max_edits: int | None
    width: int | None
    """Width of the terminal; None for JSON."""


class FormattedSentence(NamedTuple):
    """The output for one sentence."""

    text: str
    is_rewritten: bool


def format_sentences(job: RewriteJob, texts: Sequence[str]) -> list[FormattedSentence]:
    """Rewrite sentences and return the output for each."""
    if job.pipeline is None:
        import_minimal_spacy()
    gates = load_gates(job.gates, job.pipeline)
    outputs: list[FormattedSentence] = []
    for text, edits in zip(
        texts, rewrite_chunk(load_rewrite(job.rule), job.options, gates, job.pipeline, texts), strict=True
    ):
        shown = Edits(edits[: job.max_edits], edits.skips)
        output = _as_json(text, shown) if job.width is None else _as_block(text, shown, job.width)
        outputs.append(FormattedSentence(output, bool(shown)))
    return outputs


def _as_json(text: str, edits: Edits) -> str:
    skips = [{"code": skip.code, "reason": skip.reason} for skip in edits.skips]
    # ASCII, so that the output does not depend on the encoding of the terminal.
    return json.dumps({"text": text, "edits": [edit.to_dict() for edit in edits], "skips": skips})


def _as_block(text: str, edits: Edits, width: int) -> str:
    lines = [_filled(text, width)]
    for number, edit in enumerate(edits, 1):
        lines.append(_filled(edit.text, width, f"{number:>3}  "))
        lines.append(_filled(_description(edit), width, " " * 5))
    if not edits:
        lines += [_filled(f"{skip.code}: {skip.reason}", width, "  -  ") for skip in edits.skips]
    return "\n".join(lines)


def _description(edit: Edit) -> str:
    parts = [edit.effect, ", ".join(map(_change, edit.words)), edit.reason]
    return f"({'; '.join(filter(None, parts))})"


def _change(change: WordChange) -> str:
    if not change.old:
        return f"+ {change.new}"
    return f"{change.old} → {change.new}" if change.new else f"− {change.old}"


def _filled(text: str, width: int, first: str = "") -> str:
    visible = _CONTROL.sub(lambda character: character.group().encode("unicode_escape", "surrogatepass").decode(), text)
    rest = " " * len(first)
    shown = textwrap.fill(
        visible, max(width, 20), initial_indent=first, subsequent_indent=rest or "  ", break_on_hyphens=False
    )
    return shown or first.rstrip()
