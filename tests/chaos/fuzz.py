"""Run atheris on the functions of fuzz_targets.py: python -m tests.chaos.fuzz --minutes 10."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    """Fuzz each target in a process of its own, because atheris never returns."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for all targets together; default: 10")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("target", nargs="?", help="default: all of them, one after the other")
    options = parser.parse_args()
    if options.target:
        fuzz(options.target, seconds=60 * options.minutes, seed=options.seed)
    from tests.chaos.fuzz_targets import TARGETS

    failed = []
    for name in TARGETS:
        print(f"{name}:", flush=True)
        share = str(options.minutes / len(TARGETS))
        command = [sys.executable, "-m", "tests.chaos.fuzz", name, "--minutes", share, "--seed", str(options.seed)]
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "nothing failed")
    return int(bool(failed))


def fuzz(name: str, *, seconds: float, seed: int) -> None:
    """Run atheris on a target; this ends the process."""
    import atheris

    with atheris.instrument_imports(include=["litotes"]):  # it counts only what is imported here
        from tests.chaos.fuzz_targets import TARGETS, check
    from tests.chaos.example_bytes import example_bytes

    folder = Path(tempfile.mkdtemp(prefix="litotes-fuzz-"))
    os.environ["LITOTES_CACHE"] = str(folder / "cache")
    seeds = folder / "seeds"
    seeds.mkdir()
    for number, data in enumerate(example_bytes(name)):
        (seeds / str(number)).write_bytes(data)
    arguments = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed}", "-rss_limit_mb=2048", "-timeout=30"]
    arguments += ["-max_len=20000", "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *arguments, str(seeds)], lambda data: check(TARGETS[name], data, folder / "case"))
    atheris.Fuzz()


if __name__ == "__main__":
    raise SystemExit(main())
