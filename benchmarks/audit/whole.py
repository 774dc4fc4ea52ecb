"""A complete audit by its command, without and with a cache: time, memory, and whether the output is identical.

python benchmarks/audit/whole.py FILE [MODEL] [--out DIR] [-- OPTION …]      (default: all-MiniLM-L6-v2)

FILE contains one sentence per line; options after `--` are passed to `litotes audit`. The cache is in a temporary
folder, as is the audit unless --out is given. Memory is the peak of the largest process; the estimate that the command
prints is shown as well.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def audited(file: Path, model: str, options: list[str], cache: Path, out: Path) -> str:
    """Print a line about a run; return the SHA-256 hash of its output."""
    command = [sys.executable, "-m", "litotes", "audit", model, "--from", str(file), "--out", str(out)]
    before = time.perf_counter()
    child = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
    )
    _, output = child.communicate()
    seconds = time.perf_counter() - before
    if child.returncode:
        raise SystemExit(output)
    for line in output.splitlines():
        if "memory" in line:
            print(line)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # the maximum of all runs so far
    digest = hashlib.sha256((out / "audit.json").read_bytes()).hexdigest()
    print(f"{seconds // 60:.0f} min {seconds % 60:.0f} s, largest process {peak:,.0f} MB", flush=True)
    return digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("model", nargs="?", default="all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path)
    own = sys.argv[1:]
    cut = own.index("--") if "--" in own else len(own)
    arguments, options = parser.parse_args(own[:cut]), own[cut + 1 :]
    with tempfile.TemporaryDirectory() as name:
        cache, out = Path(name) / "cache", arguments.out or Path(name) / "audit"
        first = audited(arguments.file, arguments.model, options, cache, out)
        again = audited(arguments.file, arguments.model, options, cache, out)
        print("the same audit.json" if first == again else "ANOTHER audit.json")


if __name__ == "__main__":
    main()
