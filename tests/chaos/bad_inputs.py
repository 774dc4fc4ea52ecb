"""Damaged files of every format, odd paths and wrong options, for every command that reads them."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import re
import shutil
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.chaos.sandbox import MAX_SECONDS, Outcome, Sandbox
from tests.chaos.tally import Case
from tests.chaos.world import World

_RUN = "run overlap:words --workers 1 --no-report --out out/r"
_MODEL = "--suite {w}/few-items --workers 1 --no-report --out out/r"
_REPAIR = (
    "repair {w}/my-model --from {w}/plain.txt --steps 1 --batch-size 4 --limit 20 --suite {w}/few-items --out out/m"
)
_SENTENCES = ("plain.txt", "SICK.txt", "stsb-en-dev.csv", "reviews/one.csv", "en_ewt-ud-dev.conllu", "plain.txt.bz2")
_SENTENCES += ("wsj/wsj_0001.mrg", "snli.jsonl", "train.jsonl.gz", "mnli_train_part.tsv", "novels")
SLOTS: dict[str, tuple[str, ...]] = {
    f"{_RUN} --data semantoneg={{bad}}": ("SemAntoNeg_v1.0.json",),
    f"{_RUN} --data heros={{bad}}": ("heros.tsv",),
    f"{_RUN} --suite {{bad}}": ("few-items",),
    f"{_RUN} --suite {{w}}/few-items --sts {{bad}}": ("stsb-en-dev.csv", "SICK.txt", "snli.jsonl"),
    f"run --models {{bad}} {_MODEL}": ("models.toml",),
    f"run lm:{{w}}/my-language-model --prompt {{bad}} {_MODEL}": ("own.toml",),
    f"run {{bad}} {_MODEL}": ("my-model", "bert"),
    **{
        f"run {scheme}:{{bad}} {_MODEL}": sources
        for scheme, sources in {
            "hf": ("bert",),
            "nli": ("my-nli-model",),
            "cross": ("cross",),
            "onnx": ("folder",),
            "lm": ("my-language-model",),
            "glove": ("glove.840B.300d.txt", "glove.840B.300d.zip", "crawl-300d-2M-subword.bin", "vectors.npz"),
            "sif": ("glove.840B.300d.txt",),
            "pmeans": ("crawl-300d-2M-subword.bin",),
            "sent2vec": ("sent2vec", "wiki_bigrams.bin"),
            "skipthought": ("skipthought",),
            "infersent": ("infersent",),
            "adapter": ("adapter",),
            "model2vec": ("my-model",),
            "wordllama": ("my-model",),
        }.items()
    },
    f"run infersent:{{bad}}?vectors={{w}}/glove.840B.300d.txt --allow-pickle {_MODEL}": ("infersent1.pkl",),
    "audit overlap:words --from {bad} --workers 1 --out out/a": ("plain.txt",),
    "audit glove:{w}/glove.840B.300d.txt --limit 20 --from {bad} --workers 1 --out out/a": _SENTENCES,
    "build semantoneg --from {bad} --out out/s --skipped out/skipped.jsonl": _SENTENCES,
    "build heros --from {bad} --split --out out/s": _SENTENCES,
    "build triplets --from {bad} --strict --out out/s": _SENTENCES,
    "build developmental --from {bad} --out out/s --option dev_size=30": ("snli.jsonl", "train.jsonl.gz"),
    "build developmental --leakage {w}/snli.jsonl --leakage {bad}": ("test.jsonl",),
    "build --apply-review {bad} --out out/s": ("reviewed",),
    "classify --from {bad} --out out/c.jsonl": ("snli.jsonl", "train.jsonl.gz", "mnli_train_part.tsv", "devneg"),
    "rewrite negation --from {bad} --out out/e.txt": ("plain.txt",),
    "rewrite antonym --json --from {bad}": ("english.txt",),
    "suites --stats {bad}": ("few-items", "stsb-en-dev.csv", "SICK.txt", "snli.jsonl"),
    "suites --stats {w}/few-items --tokenizer {bad}": ("bert", "folder/tokenizer.json"),
    "report {bad} --out out/r.html --out out/r.md --out out/r.csv": ("runs",),
    "report {bad} --out out/p --paper semantoneg --formats md": ("runs",),
    "review {bad} --status": ("reviewed", "few-items"),
    "review {reviewed} --import {bad}": ("verdicts.jsonl",),
    "review {reviewed} --format label-studio --import {bad}": ("tasks.json",),
    "review {reviewed} --gold {bad} --status": ("gold.jsonl",),
    "review {bad} --export out/v.jsonl": ("reviewed",),
    f"{_REPAIR} --nli {{bad}}": ("snli_dev.jsonl",),
    f"{_REPAIR} --sts {{bad}} --method adapter": ("stsb-en-dev.csv",),
    f"{_REPAIR} --paraphrases {{bad}} --method adapter": ("stsb-en-dev.csv",),
    f"{_REPAIR} --general {{bad}} --method adapter": _SENTENCES,
    "experiment developmental 1 --plan {bad} --data {w}/devneg --out out/x": ("plan.toml",),
    "experiment developmental 1 --preset smoke --categories R,EX --base {w}/my-model --data {bad} --out out/x": (
        "devneg",
    ),
    "train nli --base {w}/my-model --preset smoke --epochs 1 --examples 32 --out out/m --data {bad}": ("train.jsonl",),
    "train infersent --dim 8 --hidden 8 --epochs 1 --examples 32 --out out/m --data {bad}": ("train.jsonl",),
    "train skipthought --dim 8 --words 8 --epochs 1 --samples 4 --min-count 1 --out out/m --from {bad}": (
        "english.txt",
    ),
    "train sent2vec --dim 8 --epochs 1 --bucket 50 --min-count 1 --out out/m --from {bad}": ("english.txt",),
    **{
        f"{command} --config {{bad}}": ("settings.toml",)
        for command in (
            _RUN,
            "audit",
            "repair",
            "report",
            "build semantoneg",
            "classify",
            "review",
            "suites",
            "models",
            "fetch semantoneg",
            "cache",
            "doctor",
            "rewrite negation It",
            "experiment developmental 1",
            "train nli",
        )
    },
}
"""Commands → the files or folders of the world that are damaged for them, as `{bad}`."""

TEXTS = (
    "nan", "-1", "inf", "1e400", "0", "9" * 400, "-0.0", "", " ", "\x1b[2J", "\x7f", "🦑" * 60, "../../x", "a" * 5000,
    "/dev/zero", "/proc/self/mem", "=1+1", "{}", "[", "a=b", "=", "a:b", "\udcff", "%s%n", "<script>alert(1)</script>",
    "ราคาไม่แพง", "ليس سيئا", "1,2,3", "..", "~", "~nobody/x", "st:", "hf:?", "glove:?=", "onnx:a?b=c&d",
)  # fmt: skip
"""Words that are unlikely as names and numbers."""
_OUTPUTS = ("--out", "--export", "--skipped", "--folder")
_BAD_OUTPUTS = (
    "",
    "/proc/x",
    "/dev/null/x",
    "out",
    "out/..",
    "out/a\nb",
    "out/" + "x" * 300,
    "out/\udcff",
    "out/" * 2000,
)
_ADDRESSES = ("--url", "--language-tool")
"""Options that are not tried, because they would use the network."""


def bad_file(world: World, random: Random) -> Case:
    """Run a command with a damaged file."""
    command, sources = random.choice(list(SLOTS.items()))
    with world.sandbox() as box:
        bad = _copy(world.files / random.choice(sources), box.folder / "in")
        file = random.choice([path for path in sorted(bad.rglob("*")) if path.is_file()]) if bad.is_dir() else bad
        damage = random.choice(DAMAGES)
        file.write_bytes(_recompressed(file, lambda content: damage(content, random)))
        return _run(world, box, command, bad, f"{damage.__name__} {file.name}")


def bad_path(world: World, random: Random) -> Case:
    """Run a command with a path that leads to no readable file."""
    command, sources = random.choice(list(SLOTS.items()))
    with world.sandbox() as box:
        bad = _copy(world.files / random.choice(sources), box.folder / "in")
        make = random.choice(PATHS)
        if bad.is_dir() and random.random() < 0.7:  # a file in it
            inside = random.choice([path for path in sorted(bad.rglob("*")) if path.is_file()])
            inside.unlink()
            make(inside)
        else:
            shutil.rmtree(bad) if bad.is_dir() else bad.unlink()
            bad = make(bad) or bad
        return _run(world, box, command, bad, f"{make.__name__} {bad.name}", may_wait=make is pipe_without_writer)


def bad_option(world: World, random: Random) -> Case:
    """Run a command with a value that is unlikely for one of its options."""
    options = command_options()
    command = random.choice(sorted(options))
    case = Case()
    with world.sandbox() as box:
        option = random.choice(options[command])
        value = random.choice(_BAD_OUTPUTS if option in _OUTPUTS else TEXTS)
        words = [*command.format(w=world.files).split(), option, value]
        _add(case, box.run(*words), words)
    return case


def _run(world: World, box: Sandbox, command: str, bad: Path, what: str, *, may_wait: bool = False) -> Case:
    case = Case()
    reviewed = ""
    if "{reviewed}" in command:
        reviewed = str(_copy(world.files / "reviewed", box.out))
    elif command.startswith(("review", "build --apply")):  # it may write into the folder of the suite
        shutil.move(bad, box.out)
        bad = box.out / bad.name
    before = _state(world.files)
    words = [word.format(w=world.files, bad=bad, reviewed=reviewed) for word in command.split()]
    outcome = _add(case, box.run(*words, max_seconds=8 if may_wait else MAX_SECONDS), [*words, f"({what})"])
    if outcome.is_late and not (may_wait and "wait" in outcome.output):
        case.problems.append(f"still running after {outcome.seconds:.0f} s")
    after = _state(world.files)
    for path, (size, time) in before.items():
        if after.get(path) != (size, time):
            case.bytes_lost += size
            case.problems.append(f"the input {path} was changed")
    if left := [str(path) for path in (box.folder / "tmp").rglob("*") if path.is_file()]:
        case.problems.append(f"temporary files left: {left}")
    return case


def _add(case: Case, outcome: Outcome, words: list[str]) -> Outcome:
    case.add(outcome)
    if case.problems:
        case.problems[-1] = f"litotes {' '.join(word[:200] for word in words)!r}: {case.problems[-1]}"
    return outcome


def _copy(path: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return Path(shutil.copytree(path, folder / path.name) if path.is_dir() else shutil.copy(path, folder / path.name))


def _state(folder: Path) -> dict[Path, tuple[int, int]]:
    return {
        path: (status.st_size, status.st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and (status := path.stat())
    }


@cache
def command_options() -> dict[str, list[str]]:
    """Return the beginning of a valid command → its options that take a value."""
    from litotes.cli.main import COMMANDS, LazyCommand

    starts = {
        "run": _RUN,
        "audit": "audit overlap:words --from {w}/plain.txt --limit 5 --out out/a",
        "repair": "repair {w}/my-model --from {w}/english.txt --steps 1 --suite {w}/few-items --out out/m",
        "report": "report {w}/runs --out out/r.md",
        "build": "build semantoneg --from {w}/sentences.txt --out out/s",
        "classify": "classify --from {w}/test.jsonl --out out/c.jsonl",
        "review": "review {w}/few-items --status",
        "rewrite": "rewrite negation --out out/e.txt",
        "fetch": "fetch semantoneg --offline",
        "experiment": "experiment developmental 1 --plan {w}/nothing.toml --out out/x",
    }
    options: dict[str, list[str]] = {}
    for name in COMMANDS:
        loaded: Any = LazyCommand(name).load()
        for start, command in getattr(loaded, "commands", {"": loaded}).items():
            line = f"{starts.get(name, name)} {start}".strip()
            takers = [
                parameter.opts[0]
                for parameter in command.params
                if parameter.param_type_name == "option" and not parameter.is_flag
            ]
            options[line] = [option for option in takers if option not in _ADDRESSES]
    return options


# Damage to the content of a file

Damage = Callable[[bytes, Random], bytes]
_SCRIPTS = (
    "🦑🏳️‍🌈",
    "не плохо",
    "不坏。",
    "ليس سيئا",
    "ไม่แพง",
    "לא רע",
    "A\u0301\u0302" * 50,
    "\u202eabc",
    "\ufeff",
    "\u2028",
    "\x1b[31m",
)
_VALUES = (
    None, True, -1, 0.5, 10**300, 1e308, float("nan"), float("inf"), "", "x" * 10_000, [], [[]], {}, {"a": {}},
    "\ud800", "<script>alert(1)</script>", "=1+1", "\x1b[2J",
)  # fmt: skip


def emptied(content: bytes, random: Random) -> bytes:
    return random.choice((b"", b"\n", b"   \n\n", b"\xef\xbb\xbf", b"{}", b"[]", b"null"))


def truncated(content: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def flipped(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice((1, 3, 50)) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def with_inserted_bytes(content: bytes, random: Random) -> bytes:
    inserted = (
        b"\x00",
        b"\x00" * 100,
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\r",
        b"\r\n\r\n",
        b"\t\t\t",
        b'"',
        b"\\",
        b"{",
        b")",
    )
    at = random.randint(0, len(content))
    return content[:at] + random.choice(inserted) + content[at:]


def with_inserted_text(content: bytes, random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(_SCRIPTS).encode() + content[at:]


def in_another_encoding(content: bytes, random: Random) -> bytes:
    return content.decode("utf-8", "replace").encode(random.choice(("utf-16", "utf-32", "cp500")), "replace")


def with_lines_changed(content: bytes, random: Random) -> bytes:
    lines = content.split(b"\n")
    how = random.randrange(5)
    if how == 0:
        random.shuffle(lines)
    elif how == 1:
        lines = lines * 3
    elif how == 2:
        lines = [line[: len(line) // 2] for line in lines]
    elif how == 3:
        lines.pop(0)
    else:
        lines[random.randrange(len(lines))] = b""
    return b"\n".join(lines)


def with_columns_changed(content: bytes, random: Random) -> bytes:
    sign = random.choice((b"\t", b",", b" ", b":", b"="))
    return content.replace(sign, random.choice((b"", sign * 2, b"\n", b"|")), random.choice((1, 5, -1)))


def with_numbers_changed(content: bytes, random: Random) -> bytes:
    number = random.choice(
        (b"nan", b"inf", b"-1", b"1e999", b"9" * 400, b"0", b"true", b'"1"', b"4294967296", b"1e-400")
    )
    return re.sub(rb"-?\d+(\.\d+)?", number, content, count=random.choice((1, 3, 0)))


def with_large_counts(content: bytes, random: Random) -> bytes:
    """Replace bytes near the beginning, where binary formats have their sizes, by those of large numbers."""
    at = random.randrange(0, 64, 4)
    number = random.choice((b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff" * 8, b"\x00\x00\x00\x00\x01\x00\x00\x00"))
    return content[:at] + number + content[at + len(number) :]


def with_values_changed(content: bytes, random: Random) -> bytes:
    """Replace a value of a JSON document, or of one of the lines."""
    lines = [content] if content.lstrip().startswith(b"[") else content.split(b"\n")
    position = random.randrange(len(lines))
    try:
        document = json.loads(lines[position])
    except ValueError:
        return flipped(content, random)
    lines[position] = json.dumps(_with_another_value(document, random)).encode()
    return b"\n".join(lines)


def _with_another_value(value: Any, random: Random) -> Any:
    if not isinstance(value, (dict, list)) or not value or random.random() < 0.2:
        return random.choice(_VALUES)
    key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if isinstance(value, dict) and random.random() < 0.2:
        return {name: inner for name, inner in value.items() if name != key}
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[key] = _with_another_value(value[key], random)
    return changed


def nested(content: bytes, random: Random) -> bytes:
    sign, end = random.choice(
        ((b"[", b"]"), (b"{", b"}"), (b'{"a":', b"}"), (b"(", b")"), (b"a.", b" = 1"), (b"[[", b"]]"))
    )
    deep = sign * 100_000 + random.choice((b"", end * 100_000))
    return random.choice((deep, content + b"\n" + deep, deep + b"\n" + content))


def with_a_long_line(content: bytes, random: Random) -> bytes:
    line = random.choice((b"a" * (2 << 20), b"a " * (1 << 20), b'{"text": "' + b"x" * (3 << 20) + b'"}'))
    return random.choice((line, content + line, line + content))


def with_a_long_sentence(content: bytes, random: Random) -> bytes:
    words = ("not", "the", "soup", "is", "hot", ",", "and", "nobody", "who", "(", "🦑")
    return content + " ".join(random.choice(words) for _ in range(10_000)).encode() + b".\n"


def random_bytes(content: bytes, random: Random) -> bytes:
    return random.randbytes(random.choice((1, 100, 10_000)))


DAMAGES: tuple[Damage, ...] = (
    emptied,
    truncated,
    flipped,
    with_inserted_bytes,
    with_inserted_text,
    in_another_encoding,
    with_lines_changed,
    with_columns_changed,
    with_numbers_changed,
    with_large_counts,
    with_values_changed,
    with_values_changed,  # twice as often: it reaches furthest
    nested,
    with_a_long_line,
    with_a_long_sentence,
    random_bytes,
)


def _recompressed(file: Path, damage: Callable[[bytes], bytes]) -> bytes:
    """Return the damaged content of a file; a compressed one is damaged inside or outside."""
    content = file.read_bytes()
    packages = {".gz": gzip, ".bz2": bz2}
    if file.suffix in packages and len(content) % 2:
        package: Any = packages[file.suffix]
        return bytes(package.compress(damage(package.decompress(content))))
    return damage(content)


# Paths that lead to no readable file


def missing(path: Path) -> None:
    """Leave it out."""


def empty_folder(path: Path) -> None:
    path.mkdir()


def pipe_without_writer(path: Path) -> None:
    os.mkfifo(path)


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_nothing(path: Path) -> None:
    path.symlink_to("/dev/null")


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def folder_of_itself(path: Path) -> None:
    path.mkdir()
    (path / "again").symlink_to(path)


def sparse_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)


def local_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def long_name(path: Path) -> Path:
    return path.with_name("x" * 300)


def strange_name(path: Path) -> Path:
    strange = path.with_name("a\nb\x1b[2J\udcff 🦑?*[x]" + path.suffix)
    strange.write_bytes(b"The soup is not hot.\n")
    return strange


PATHS: tuple[Callable[[Path], Path | None], ...] = (
    missing,
    empty_folder,
    pipe_without_writer,
    link_to_zeros,
    link_to_nothing,
    link_to_itself,
    folder_of_itself,
    sparse_file,
    local_socket,
    long_name,
    strange_name,
)
