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
from litotes.core.errors import LitotesError, UsageError
from litotes.core.settings import EngineSetting, PositiveInt, Settings
from litotes.corpora.settings import ParquetSettings, ReadSettings
from litotes.rewrites.apply import rewrite_chunk
from litotes.rewrites.base import Edit, Edits, WordChange
from litotes.rewrites.gates import load_gate, load_gates
from litotes.rewrites.registry import list_rewrites, load_rewrite
from litotes.speedups.spacy_import import import_minimal_spacy

if TYPE_CHECKING:
    from litotes.core.parallel.engine import ParallelEngine
    from litotes.corpora.base import Problems
    from litotes.rewrites.base import Rule


_STANDARD_INPUT = "-"
_BLOCK_SIZE = 128
"""Sentences that are parsed together for an output in Parquet."""


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


class RunOptions(Settings, frozen=True, kw_only=True):
    """Where sentences are rewritten, and how edits are printed."""

    workers: Annotated[
        PositiveInt | None, Meta(description="Number of processes. Default: 1, or all of a Ray cluster.")
    ] = None
    engine: EngineSetting = None
    json: Annotated[bool, Meta(description="Print one JSON line per sentence and nothing else.")] = False


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
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Sentences: a file, a folder, a glob, a URL, - for standard input, hf:NAME or builtin. Repeatable.",
        ),
    ] = None,
    reading: ReadSettings,
    options: RewriteOptions,
    parquet: ParquetSettings,
    run: RunOptions,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Output file, or NAME.parquet for a folder of Parquet files. Default: standard output."
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the rules, or describe RULE.")] = False,
) -> None:
    """Rewrite English sentences: negation, antonyms, passive, …"""
    if rule is None or list_:
        _list(load_rewrite(rule) if rule is not None else None, run.json)
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
        width=None if run.json else _width(),
    )
    where = choose_engine(run.engine, run.workers)
    with contextlib.ExitStack() as stack:
        source = _open_sentences(stack, texts or [], from_ or [], reading, with_ids=out is not None and _is_folder(out))
        if out is None:
            _rewrite(job, source.sentences, where, put)
        elif _is_folder(out):
            _rewrite_to_parquet(out, job, source, where, parquet)
        else:
            from litotes.core.files import atomic_writer

            with atomic_writer(out) as write:
                n_sentences, n_rewritten = _rewrite(job, source.sentences, where, lambda line: write(f"{line}\n"))
            say(f"wrote {out}: {n_sentences:,} sentences, {n_rewritten:,} of them rewritten")
        if source.problems is not None and source.problems.count:
            warn(source.problems.summary())


def _is_folder(out: Path) -> bool:
    from litotes.corpora.partitions import is_partitioned

    return is_partitioned(out)


def _rewrite(
    job: RewriteJob, sentences: Iterator[InputSentence], engine: ParallelEngine, write: Callable[[str], None]
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


def _rewrite_to_parquet(
    out: Path, job: RewriteJob, source: OpenedSentences, engine: ParallelEngine, parquet: ParquetSettings
) -> None:
    """Write a folder of Parquet files; a killed command resumes after the last finished part."""
    from litotes.building.pipeline.settings import versions
    from litotes.core.files import expand_user
    from litotes.core.parallel.engine import map_ordered
    from litotes.corpora.partitions import open_partitions

    job = job._replace(width=None)
    settings = {"command": "rewrite", **job.describe(), "corpus": source.description, "versions": versions()}
    n_resumed = n_rewritten = 0

    def count_resumed(row: dict[str, Any]) -> None:
        nonlocal n_resumed, n_rewritten
        n_resumed += 1
        n_rewritten += bool(row["edits"])

    def is_row_of(row: dict[str, Any], sentence: InputSentence) -> bool:
        return (row["id"], row["text"]) == (sentence.id, sentence.text)

    with open_partitions(expand_user(out), edits_schema(), settings, part_rows=parquet.part_rows) as output:
        blocks = output.remaining_blocks(
            source.sentences,
            is_row_of,
            size=_BLOCK_SIZE,
            columns=["id", "text", "edits.list.element.effect"],
            on_row=count_resumed,
        )
        results = map_ordered(partial(format_blocks, job), blocks, engine=engine, chunk_size=1)
        try:
            for block in results:
                for sentence in block:
                    output.write(_row(sentence.text))
                    n_rewritten += sentence.is_rewritten
        finally:
            results.close()
    resumed = f"; {n_resumed:,} were written by an earlier call" if n_resumed else ""
    say(f"wrote {out}: {output.rows:,} sentences, {n_rewritten:,} of them rewritten{resumed}")


def edits_schema() -> Any:
    """Return the columns of Parquet files with edits."""
    from litotes.corpora.remote import require_pyarrow

    pa = require_pyarrow()
    text = pa.string()
    words = pa.list_(pa.struct({"old": text, "new": text}))
    edit = pa.struct({"text": text, "rule": text, "effect": text, "words": words, "reason": text})
    skip = pa.struct({"code": text, "reason": text})
    return pa.schema({"id": text, "text": text, "edits": pa.list_(edit), "skips": pa.list_(skip)})


def _row(line: str) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for edit in row["edits"]:
        edit["words"] = [{"old": old, "new": new} for old, new in edit["words"]]
    return row


class InputSentence(NamedTuple):
    """A sentence to rewrite, with its id if it comes from a corpus."""

    text: str
    id: str = ""


class OpenedSentences(NamedTuple):
    """The sentences to rewrite."""

    sentences: Iterator[InputSentence]
    description: list[dict[str, Any]]
    """Name and sha256 of each file of a corpus."""
    problems: Problems | None = None


def _open_sentences(
    stack: contextlib.ExitStack, texts: list[str], sources: list[str], reading: ReadSettings, *, with_ids: bool
) -> OpenedSentences:
    """Return the sentences: the lines of a text as they are, or the records of a corpus with their ids."""
    if texts and sources:
        raise UsageError("L102", "TEXT and --from cannot be combined", hint="use one of them")
    if texts:
        sentences = (InputSentence(text, f"texts:{n}" if with_ids else "") for n, text in enumerate(texts, 1))
        return OpenedSentences(sentences, [])
    if not sources and sys.stdin.isatty():
        raise UsageError("L102", "the sentence is missing", hint="name one, or add --from FILE")
    sources = sources or [_STANDARD_INPUT]
    from litotes.corpora.base import Problems
    from litotes.corpora.read import describe_sources, read_corpus, single_sentences
    from litotes.corpora.sources import is_plain_text

    if len(sources) == 1 and reading == ReadSettings() and not with_ids and is_plain_text(sources[0]):
        return OpenedSentences(map(InputSentence, _lines(stack, sources[0])), [])

    problems = Problems()
    described = describe_sources(sources, reading.format) if with_ids else []
    description = [{name: source[name] for name in ("name", "bytes", "sha256")} for source in described]
    records = single_sentences(read_corpus(sources, **reading.to_dict(), problems=problems))
    return OpenedSentences((InputSentence(record.text, record.id) for record in records), description, problems)


def _lines(stack: contextlib.ExitStack, name: str) -> Iterator[str]:
    from litotes.core.files import numbered_lines

    if name == _STANDARD_INPUT:
        return (line for _, line in numbered_lines(sys.stdin.buffer, "standard input"))
    stream = stack.enter_context(_open(Path(name)))
    return (line for _, line in numbered_lines(stream, name))


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

    def describe(self) -> dict[str, Any]:
        """Return what the edits depend on."""
        return {
            "rule": self.rule,
            "options": dict(self.options),
            "gates": list(self.gates),
            "pipeline": self.pipeline,
            "edits": self.max_edits,
        }


class FormattedSentence(NamedTuple):
    """The output for one sentence."""

    text: str
    is_rewritten: bool


def format_sentences(job: RewriteJob, sentences: Sequence[InputSentence]) -> list[FormattedSentence]:
    """Rewrite sentences and return the output for each."""
    texts = [sentence.text for sentence in sentences]
    if job.pipeline is None:
        import_minimal_spacy()
    gates = load_gates(job.gates, job.pipeline)
    outputs: list[FormattedSentence] = []
    for sentence, edits in zip(
        sentences, rewrite_chunk(load_rewrite(job.rule), job.options, gates, job.pipeline, texts), strict=True
    ):
        shown = Edits(edits[: job.max_edits], edits.skips)
        output = _as_json(sentence, shown) if job.width is None else _as_block(sentence.text, shown, job.width)
        outputs.append(FormattedSentence(output, bool(shown)))
    return outputs


def format_blocks(job: RewriteJob, blocks: Sequence[Sequence[InputSentence]]) -> list[list[FormattedSentence]]:
    """Rewrite the sentences of each block."""
    return [format_sentences(job, block) for block in blocks]


def _as_json(sentence: InputSentence, edits: Edits) -> str:
    identifier = {"id": sentence.id} if sentence.id else {}
    skips = [{"code": skip.code, "reason": skip.reason} for skip in edits.skips]
    # ASCII, so that the output does not depend on the encoding of the terminal.
    return json.dumps(
        {**identifier, "text": sentence.text, "edits": [edit.to_dict() for edit in edits], "skips": skips}
    )


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
