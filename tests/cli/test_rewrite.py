"""The command `litotes rewrite`: output, streams and errors."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from litotes.rewrites.registry import list_rewrites

Run = Callable[..., Any]
COMMAND = Path(sys.executable).with_name("litotes")
SUBJECTS = ("The cook", "My sister", "A neighbour", "The old clock", "Nobody here", "Our team")
ENDS = ("is tired.", "slept well.", "can swim.", "was not late.", "has found the key.", "likes tea.", "Hm!")
SENTENCES = [f"{subject} {end}" for subject in SUBJECTS for end in ENDS]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "sentences.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


# Sentences on the command line


def test_rewrites_a_sentence(run_litotes: Run) -> None:
    out = run_litotes("rewrite", "negation", "I am glad.").succeeded().out
    assert out.splitlines()[:2] == ["I am glad.", "  1  I am not glad."]
    assert "opposite" in out and "+ not" in out


def test_rewrites_several_sentences_and_explains_skips(run_here: Run) -> None:
    out = run_here("rewrite", "negation", "It rained.", "Hello!", "", "--edits", "1").succeeded().out
    rained, hello, empty = out.split("\n\n", 2)
    assert rained.splitlines()[:2] == ["It rained.", "  1  It did not rain."]
    assert not re.search(r"^  2", out, re.MULTILINE)
    assert re.fullmatch(r"Hello!\n  -  [a-z-]+: [^\n]+", hello)
    assert empty.splitlines()[-1] == "  -  empty: the text contains no word"


def test_all_edits_are_shown_unless_limited(run_here: Run) -> None:
    every = lines(run_here("rewrite", "negation", "It rained.", "--json").succeeded().out)[0]["edits"]
    assert [edit["text"] for edit in every] == ["It did not rain.", "It didn't rain."]
    one = lines(run_here("rewrite", "negation", "It rained.", "--json", "--edits", "1").succeeded().out)[0]["edits"]
    assert one == every[:1]


def test_output_fits_eighty_columns(run_here: Run) -> None:
    long = "The woman who lives across the street " + "and sings in the evening " * 6 + "is glad."
    done = run_here("rewrite", "negation", long, "--json").succeeded()
    [result] = lines(done.out)
    out = run_here("rewrite", "negation", long).succeeded().out
    assert max(map(len, out.splitlines())) <= 80
    assert result["edits"], "the sentence should have an edit to show"
    assert result["edits"][0]["text"] in " ".join(out.split())


def test_control_characters_are_escaped(run_here: Run) -> None:
    out = run_here("rewrite", "negation", "I am \x1b[31mglad.\x07\r\n").succeeded().out
    assert "\x1b" not in out and "\x07" not in out and "\r" not in out
    assert r"\x1b[31m" in out


def test_json_is_one_ascii_line_per_sentence(run_here: Run) -> None:
    texts = ["The café is open. ☕", "x", "I'm «glad»."]
    done = run_here("rewrite", "negation", *texts, "--json").succeeded()
    assert done.out.isascii()
    result = lines(done.out)
    assert [line["text"] for line in result] == texts
    for line in result:
        assert set(line) == {"text", "edits", "skips"}
        assert line["edits"] or line["skips"]
        for edit in line["edits"]:
            assert set(edit) == {"text", "rule", "effect", "words", "reason"}
            assert (edit["rule"], edit["effect"]) == ("negation", "opposite")
            assert edit["words"] and all(len(change) == 2 for change in edit["words"])
        assert all(set(skip) == {"code", "reason"} and skip["reason"] for skip in line["skips"])


def test_rule_options_are_parsed(run_here: Run) -> None:
    command = ("rewrite", "negation", "That is bad.", "--json", "--edits", "1", "--option")
    result = {
        style: lines(run_here(*command, f"contractions={style}").succeeded().out)[0]["edits"][0]["text"]
        for style in ("contract", "expand")
    }
    assert result == {"contract": "That isn't bad.", "expand": "That is not bad."}


def test_lone_surrogate_is_an_error(run_here: Run) -> None:
    done = run_here("rewrite", "negation", os.fsdecode(b"It is \xff."), "It is late.", "--json").succeeded()
    first, second = lines(done.out)
    assert [skip["code"] for skip in first["skips"]] == ["not-text"]
    assert second["edits"]


# Lists


def imported(*command: str) -> set[str]:
    """Return the modules that a Python command imports."""
    done = subprocess.run([sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True)
    return set(re.findall(r"import time: .*\| +(\S+)$", done.stderr, re.MULTILINE))


@pytest.mark.parametrize("arguments", [["--help"], [], ["--list"], ["--list", "negation"]])
def test_lists_and_help_import_nothing_heavy(arguments: list[str]) -> None:
    result = imported(str(COMMAND), "rewrite", *arguments)
    assert "litotes" in result
    assert not result & {"spacy", "numpy", "torch", "thinc", "lemminflect", "codespell_lib", "rich"}


def test_a_rewrite_does_not_import_torch() -> None:
    result = imported(str(COMMAND), "rewrite", "negation", "I am glad.")
    # spaCy looks for torch, but no part of torch is imported.
    assert "spacy.tokens" in result and not any(name.startswith(("torch.", "spacy.cli")) for name in result)


def test_the_listing_has_every_rule(run_litotes: Run) -> None:
    out = run_litotes("rewrite", "--list").succeeded().out
    assert max(map(len, out.splitlines())) <= 80
    for name in list_rewrites():
        assert re.search(rf"^{name} +(same|opposite|different) +[A-Z“]", out, re.MULTILINE), name
    assert run_litotes("rewrite").succeeded().out == out


def test_a_rule_is_described(run_here: Run) -> None:
    out = run_here("rewrite", "--list", "negation").succeeded().out
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"^  contractions +keep\|contract\|expand \(default: keep\)$", out, re.MULTILINE)
    assert re.search(r"^  empty +the text contains no word$", out, re.MULTILINE)


def test_lists_are_printed_as_json(run_here: Run) -> None:
    every = json.loads(run_here("rewrite", "--list", "--json").succeeded().out)
    assert [rule["name"] for rule in every] == list_rewrites()
    one = json.loads(run_here("rewrite", "negation", "--list", "--json").succeeded().out)
    assert one == every[0]
    assert one["options"]["contractions"] == {"values": "keep|contract|expand", "default": "keep"}


# Streams


def test_output_starts_after_the_first_line(run_here: Run, write: Run) -> None:
    path = write("\ufeffI am glad.\r\n\r\n   \nIt rained.\n\nWe won.")
    result = lines(run_here("rewrite", "negation", "--from", path, "--json").succeeded().out)
    assert [line["text"] for line in result] == ["I am glad.", "", "   ", "It rained.", "", "We won."]
    assert [[skip["code"] for skip in line["skips"]] for line in result if not line["edits"]] == [["empty"]] * 3
    assert [line["edits"][0]["text"] for line in result if line["edits"]] == [
        "I am not glad.",
        "It did not rain.",
        "We did not win.",
    ]


def test_output_does_not_depend_on_the_number_of_workers(run_litotes: Run, write: Run) -> None:
    path = write("\n".join(f"{sentence} {number}" for number in range(4) for sentence in [*SENTENCES, ""]))
    one, two, three = (
        run_litotes("rewrite", "negation", "--from", path, "--workers", workers, "--json").succeeded().out
        for workers in (1, 2, 3)
    )
    assert one == two == three
    assert [line["text"] for line in lines(one)] == path.read_text().split("\n")


@pytest.mark.parametrize("arguments", [[], ["--from", "-"], ["--from", "/dev/stdin"]])
def test_reads_standard_input(litotes: Any, arguments: list[str]) -> None:
    process = litotes.start("rewrite", "negation", "--json", *arguments, stdin=subprocess.PIPE)
    out, err = process.communicate("I am glad.\nIt rained.\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert [line["text"] for line in lines(out)] == ["I am glad.", "It rained."]


def test_empty_input_gives_empty_output(run_litotes: Run, write: Run) -> None:
    assert run_litotes("rewrite", "negation", "--json").succeeded().out == ""
    assert run_litotes("rewrite", "negation", "--from", write(""), "--workers", "2").succeeded().out == ""


def test_works_in_a_shell_pipe(litotes: Any) -> None:
    """Sentences come from `--from <(…)`."""
    path = litotes.folder / "pipe"
    os.mkfifo(path)
    process = litotes.start("rewrite", "negation", "--json", "--from", path)
    path.write_text("I am glad.\n")
    done = litotes.finish(process).succeeded()
    assert [line["text"] for line in lines(done.out)] == ["I am glad."]


@pytest.mark.parametrize("workers", [1, 2])
def test_output_starts_before_the_input_ends(litotes: Any, workers: int) -> None:
    command = ("rewrite", "negation", "--json", "--workers", workers)
    process = litotes.start(*command, stdin=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("I am glad.\n" * 200)
    process.stdin.flush()
    # This would block if all of the input were read first.
    assert json.loads(process.stdout.readline())["edits"][0]["text"] == "I am not glad."
    process.stdin.close()
    assert len(process.stdout.read().splitlines()) == 199
    assert process.wait(20) == 0


def test_a_terminal_without_sentences_gets_a_usage_error(litotes: Any) -> None:
    ours, theirs = pty.openpty()
    try:
        done = litotes.run("rewrite", "negation", stdin=theirs, timeout=20)
    finally:
        os.close(ours)
        os.close(theirs)
    done.refused(2, "L102", "the sentence is missing; name one, or add --from FILE")


# Output files


def test_the_output_is_written_atomically(run_litotes: Run, run_here: Run, write: Run, tmp_path: Path) -> None:
    path = write("\n".join(SENTENCES))
    shown = run_here("rewrite", "negation", "--from", path, "--json").succeeded()
    out = tmp_path / "new" / "edits.jsonl"
    done = run_litotes("rewrite", "negation", "--from", path, "--json", "--out", out).succeeded()
    assert (done.out, done.new_files) == ("", [out])
    assert out.read_text("utf-8") == shown.out
    rewritten = sum(bool(line["edits"]) for line in lines(shown.out))
    assert 0 < rewritten < len(SENTENCES)
    assert f"wrote {out}: {len(SENTENCES)} sentences, {rewritten} of them rewritten" in done.err
    assert run_here("rewrite", "negation", "--from", path, "--out", out).succeeded().new_files == []
    assert out.read_text("utf-8") == run_here("rewrite", "negation", "--from", path).succeeded().out


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_leaves_only_the_old_file(run_litotes: Run, write: Run, tmp_path: Path, workers: int) -> None:
    path = write(b"I am glad.\n" * 300 + b"I am \xff glad.\n")
    out = tmp_path / "edits.jsonl"
    command = ("rewrite", "negation", "--from", path, "--workers", workers, "--json", "--out", out)
    run_litotes(*command).refused(1, "L207", "sentences.txt:301: is not UTF-8 text")
    out.write_text("old")
    run_litotes(*command).refused(1, "L207")
    assert out.read_text() == "old"


def test_unwritable_out_is_reported(run_litotes: Run, tmp_path: Path, held_to_permissions: tuple[str, ...]) -> None:
    (tmp_path / "folder").mkdir()
    command = ("rewrite", "negation", "I am glad.", "--out")
    run_litotes(*command, "folder").refused(1, "L401", "folder: cannot be written (Is a directory)")
    (tmp_path / "file").write_text("")
    run_litotes(*command, "file/below").refused(1, "L401", "file/below: cannot be written")
    (tmp_path / "locked").mkdir(mode=0o555)
    done = run_litotes(*command, "locked/edits", before=held_to_permissions)
    done.refused(1, "L401", "locked/edits: cannot be written (Permission denied)")


def test_out_on_a_full_disk_is_reported(run_litotes: Run, write: Run, small_disk: Path, fill: Run) -> None:
    fill(small_disk, leave=20_000)
    path = write("I am glad.\n" * 500)
    done = run_litotes("rewrite", "negation", "--from", path, "--json", "--out", small_disk / "edits")
    done.refused(1, "L402", "edits: the disk is full")
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


def test_standard_output_on_a_full_disk_is_an_error(run_litotes: Run) -> None:
    with Path("/dev/full").open("w") as full:
        done = run_litotes("rewrite", "negation", "I am glad.", stdout=full)
        done.refused(1, "L402", "standard output: the disk is full")


# Wrong input

WRONG: dict[str, tuple[list[str], int, str, str]] = {
    "a rule that is not there": (["negatoin", "x"], 2, "L101", 'unknown rewrite "negatoin"; did you mean negation'),
    "a rule that is not there, in the list": (["--list", "x"], 2, "L101", 'unknown rewrite "x"'),
    "an option that is not there": (
        ["negation", "x", "--option", "contraction=keep"],
        2,
        "L101",
        'unknown option of negation "contraction"; did you mean contractions',
    ),
    "a value that is not there": (
        ["negation", "x", "--option", "contractions=maybe"],
        2,
        "L102",
        "contractions=maybe is not one of keep|contract|expand",
    ),
    "an option without a value": (
        ["negation", "x", "--option", "never"],
        2,
        "L102",
        "--option never: must be NAME=VALUE; litotes rewrite --list negation lists the options",
    ),
    "an option twice": (
        ["negation", "x", "--option", "never=yes", "--option", "never=no"],
        2,
        "L102",
        "never is given twice",
    ),
    "sentences and a file": (["negation", "x", "--from", "y"], 2, "L102", "TEXT and --from cannot be combined"),
    "a gate that is not there": (["negation", "x", "--gate", "repass"], 2, "L101", 'unknown gate "repass"'),
    "an address that is none": (["negation", "x", "--language-tool", "localhost"], 2, "L102", "localhost"),
    "no workers": (["negation", "x", "--workers", "0"], 2, "L102", "--workers"),
    "no edits": (["negation", "x", "--edits", "0"], 2, "L102", "--edits"),
    "a file that is not there": (["negation", "--from", "gone.txt"], 1, "L201", "gone.txt: no such file"),
    "a name too long for a file": (["negation", "--from", "a" * 300], 1, "L201", "File name too long"),
    "an empty folder": (["negation", "--from", "home"], 1, "L201", "home: no corpus file in the folder"),
    "a pipeline that is not there": (
        ["negation", "x", "--pipeline", "en_no_such"],
        1,
        "L301",
        'no spaCy pipeline is called "en_no_such"',
    ),
}


@pytest.mark.parametrize(("arguments", "code", "error", "message"), WRONG.values(), ids=WRONG.keys())
def test_wrong_input_is_a_single_line(run_here: Run, arguments: list[str], code: int, error: str, message: str) -> None:
    run_here("rewrite", *arguments).refused(code, error, message)


def test_unreadable_file_is_reported(run_litotes: Run, write: Run, held_to_permissions: tuple[str, ...]) -> None:
    path = write("I am glad.\n")
    path.chmod(0)
    done = run_litotes("rewrite", "negation", "--from", path, before=held_to_permissions)
    done.refused(1, "L201", "sentences.txt: cannot be read (permission denied)")


BAD_LINES = {
    "not UTF-8": (b"I am \xe9 glad.\n", "L207", "is not UTF-8 text", "save it as UTF-8"),
    "half of UTF-16": (b"\x00I\x00 \xff\xfe\n", "L207", "is not UTF-8 text", ""),
    "ten megabytes": (b"glad " * 2_000_000, "L208", "the line is longer than 1,048,576 bytes", ""),
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("bad", "error", "message", "hint"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_line_is_reported_with_its_number_after_the_lines_before_it(
    run_here: Run, write: Run, workers: int, bad: bytes, error: str, message: str, hint: str
) -> None:
    path = write(b"I am glad.\n\n" * 5 + bad + b"\nIt rained.\n")
    done = run_here("rewrite", "negation", "--from", path, "--json", "--workers", workers)
    assert done.code == 1
    assert [line["text"] for line in lines(done.out)] == ["I am glad.", ""] * 5
    [complaint] = done.err.splitlines()
    assert complaint.startswith(f"litotes: [{error}] {path}:11: {message}") and hint in complaint


def test_corpora_give_the_ids_of_their_sentences(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.csv").write_text('id,said\n1,"I am glad."\n2,\n')
    (tmp_path / "notes" / "b.jsonl").write_text('{"said": "It rained. It is late."}\n')
    (tmp_path / "c.txt").write_text("He slept.\n")
    done = run_here("rewrite", "negation", "--from", "notes", "--column", "said", "--split", "--json")
    assert [(line["id"], line["text"]) for line in lines(done.out)] == [
        ("a.csv:2", "I am glad."),
        ("b.jsonl:1", "It rained."),
        ("b.jsonl:1.2", "It is late."),
    ]
    assert "1 line skipped: 1 empty; a.csv:3 (empty)" in done.err
    both = lines(run_here("rewrite", "negation", "--from", "c.txt", "--from", "c*.txt", "--json").succeeded().out)
    assert [(line["id"], line["edits"][0]["text"]) for line in both] == [("c.txt:1", "He did not sleep.")]


def test_a_long_line_is_skipped_without_an_error(run_here: Run, write: Run) -> None:
    path = write("I am glad.\n" + "very " * 200_000 + "glad.\n" + "I am glad.\n")
    result = lines(run_here("rewrite", "negation", "--from", path, "--json").succeeded().out)
    assert [[skip["code"] for skip in line["skips"]] for line in result] == [[], ["too-long"], []]


@pytest.mark.parametrize("workers", [1, 2])
def test_missing_spacy_is_reported(litotes: Any, tmp_path: Path, workers: int) -> None:
    folder = tmp_path / "without"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['spacy'] = None\n")
    litotes.plugins.append(folder)
    done = litotes.run("rewrite", "negation", "I am glad.", "--workers", workers)
    done.failed(1, "L103", "spaCy is not installed; install it with: pip install 'litotes[english]'")
    litotes.run("rewrite", "--list", "negation").succeeded()


# Gates


class _Server(BaseHTTPRequestHandler):
    """A LanguageTool server that reports only the word “glad”."""

    asked: list[str] = []  # noqa: RUF012  (of the class, to be looked at)

    def do_POST(self) -> None:
        import urllib.parse

        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        text = urllib.parse.parse_qs(body)["text"][0]
        self.asked.append(text)
        matches = []
        if "not glad" in text:
            rule = {"id": "NOT_GLAD", "category": {"id": "GRAMMAR", "name": "Grammar"}}
            matches.append({"message": "wrong", "offset": 0, "length": 1, "rule": rule})
        answer = json.dumps({"matches": matches}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def language_tool() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_language_tool_server_is_queried(run_litotes: Run, language_tool: str, workers: int) -> None:
    command = ("rewrite", "negation", "I am glad.", "I am sad.", "--json", "--workers", workers)
    glad, sad = lines(run_litotes(*command, "--language-tool", language_tool).succeeded().out)
    assert (glad["edits"], [skip["code"] for skip in glad["skips"]]) == ([], ["language-tool"])
    assert sad["edits"][0]["text"] == "I am not sad."
    assert "I am not sad." in _Server.asked


def test_a_language_tool_server_that_is_down(run_litotes: Run) -> None:
    done = run_litotes("rewrite", "negation", "I am glad.", "--language-tool", "http://127.0.0.1:9")
    assert done.code == 1 and done.out == ""
    [complaint] = done.err.splitlines()
    assert "127.0.0.1:9" in complaint


@pytest.mark.parametrize("workers", [1, 2])
def test_edits_are_parsed_again(run_litotes: Run, workers: int) -> None:
    command = ("rewrite", "negation", "I am glad.", "It rained.", "--json", "--workers", workers)
    done = run_litotes(*command, "--gate", "reparse").succeeded()
    assert [line["edits"][0]["text"] for line in lines(done.out)] == ["I am not glad.", "It did not rain."]


# Plugin rules

SHOUT = '''
from litotes.rewrites.base import Draft, Skip, rule
from litotes.rewrites.patches import changes

@rule("shout", effect="same", skips={"loud": "it is loud already"})
def shout(sentence, *, sign: str = "!"):
    """Say it louder."""
    if sign in sentence.text:
        yield Skip("loud")
        return
    text = sentence.text.rstrip(".") + sign
    yield Draft(text, changes(sentence.text, text), "louder")
'''


@pytest.fixture
def shout(litotes: Any, tmp_path: Path) -> Any:
    folder = tmp_path / "plugin"
    (folder / "litotes_shout-1.0.dist-info").mkdir(parents=True)
    (folder / "litotes_shout.py").write_text(SHOUT)
    (folder / "litotes_shout-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: litotes-shout\nVersion: 1.0\n"
    )
    (folder / "litotes_shout-1.0.dist-info" / "entry_points.txt").write_text(
        "[litotes.rewrites]\nshout = litotes_shout:shout\nbroken = litotes_shout:nothing\n"
    )
    litotes.plugins.append(folder)
    return litotes


@pytest.mark.parametrize("workers", [1, 2])
def test_plugin_rule_is_used(shout: Any, workers: int) -> None:
    command = ("rewrite", "shout", "I am glad.", "No!!", "--json", "--workers", workers, "--option", "sign=!!")
    glad, loud = lines(shout.run(*command).succeeded().out)
    assert glad["edits"][0] == {
        "text": "I am glad!!",
        "rule": "shout",
        "effect": "same",
        "words": [[".", "! !"]],
        "reason": "louder",
    }
    assert loud["skips"] == [{"code": "loud", "reason": "it is loud already"}]


def test_broken_plugin_rule_does_not_break_the_list(shout: Any) -> None:
    done = shout.run("rewrite", "--list").warned("[L103]", '"broken"')
    assert re.search(r"^shout +same +Say it louder\.$", done.out, re.MULTILINE)


# Signals and closed streams


def children_of(process: int) -> set[int]:
    result = Path(f"/proc/{process}/task/{process}/children")
    return {int(number) for number in result.read_text().split()} if result.exists() else set()


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except FileNotFoundError:
        return False


def at_work(litotes: Any, write: Run, workers: int, *more: object) -> tuple[subprocess.Popen[str], set[int]]:
    """Return the command in the middle of a long file, and its workers."""
    path = write("\n".join(f"{sentence} {number}" for number in range(500) for sentence in SENTENCES))
    process = litotes.start("rewrite", "negation", "--from", path, "--json", "--workers", workers, *more)
    assert process.stdout is not None
    if not more:
        for _ in range(20):
            assert process.stdout.readline()
    else:
        time.sleep(2.5)
    assert process.poll() is None
    result = children_of(process.pid)
    assert len(result) == (workers if workers > 1 else 0)
    return process, result


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_signal_ends_command_and_workers(
    litotes: Any, write: Run, workers: int, number: int, code: int, word: str
) -> None:
    process, result = at_work(litotes, write, workers)
    began = time.monotonic()
    process.send_signal(number)
    done = litotes.finish(process, timeout=10)
    assert time.monotonic() - began < 3
    assert (done.code, done.err.splitlines()) == (code, [f"litotes: {word}"])
    assert not any(is_running(worker) for worker in result)
    # The output consists of complete lines; part of the first was read above.
    assert not done.out or done.out.endswith("\n")
    assert all(json.loads(line) for line in done.out.splitlines()[1:])


def test_a_signal_leaves_no_partial_file(litotes: Any, write: Run) -> None:
    process, _ = at_work(litotes, write, 2, "--out", litotes.folder / "edits.jsonl")
    before = {path.name for path in litotes.folder.iterdir() if not path.name.endswith(".tmp")}
    process.send_signal(signal.SIGTERM)
    assert litotes.finish(process, timeout=10).code == 143
    assert {path.name for path in litotes.folder.iterdir()} == before
    assert "edits.jsonl" not in before


def test_no_worker_outlives_a_killed_command(litotes: Any, write: Run) -> None:
    process, result = at_work(litotes, write, 2)
    process.kill()
    process.communicate()
    until = time.monotonic() + 5
    while any(is_running(worker) for worker in result) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(is_running(worker) for worker in result)


def test_killed_worker_is_reported_in_a_single_line(litotes: Any, write: Run) -> None:
    process, result = at_work(litotes, write, 2)
    os.kill(min(result), signal.SIGKILL)
    done = litotes.finish(process, timeout=30)
    assert done.code == 1
    [complaint] = done.err.splitlines()
    assert complaint.startswith("litotes: [L902] a worker process was killed by SIGKILL before its work was done; ")
    assert not any(is_running(worker) for worker in result)


@pytest.mark.parametrize("workers", [1, 2])
def test_head_may_stop_reading(litotes: Any, write: Run, workers: int) -> None:
    path = write("\n".join(SENTENCES * 200))
    head = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process = litotes.start("rewrite", "negation", "--from", path, "--json", "--workers", workers, stdout=head.stdin)
    assert head.stdin is not None
    head.stdin.close()
    head.stdin = None
    assert json.loads(head.communicate(timeout=60)[0])["text"] == SENTENCES[0]
    done = litotes.finish(process, timeout=20)
    assert (done.code, done.err) == (0, "")


def test_closed_streams_are_not_an_error(litotes: Any, write: Run) -> None:
    closed = ("bash", "-c", 'exec "$@" <&- >&- 2>&-', "closed")
    out = litotes.folder / "edits.jsonl"
    command = ("rewrite", "negation", "--from", write("I am glad.\n"), "--workers", 2, "--json", "--out", out)
    assert litotes.run(*command, before=closed).code == 0
    assert lines(out.read_text())[0]["edits"]
