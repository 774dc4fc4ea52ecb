"""A campaign: cases of every kind in turn until its time is over; each case is repeatable by its name."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import count, cycle
from pathlib import Path
from random import Random

from tests.chaos import attacks, bad_inputs, faults
from tests.chaos.sandbox import import_everything
from tests.chaos.tally import Case, Tally, markdown
from tests.chaos.world import JOBS, QUICK_JOBS, World

Kind = Callable[[World, Random], Case]
FAULTS: dict[str, Kind] = {
    **{f"kill {job}": partial(faults.killed, job=job) for job in ("run", "build", "audit", "repair")},
    "kill other commands": faults.killed,
    "kill review": faults.killed_review,
    "full disk": faults.full_disk,
    "too large files": faults.too_large_files,
    "concurrent commands": faults.concurrent,
}
BAD_INPUTS: dict[str, Kind] = {
    "bad files": bad_inputs.bad_file,
    "bad paths": bad_inputs.bad_path,
    "bad options": bad_inputs.bad_option,
    "malicious models": attacks.malicious_model,
    "hostile texts in pages": attacks.hostile_page,
    "attacks on the server": attacks.attacked_server,
}
KINDS = {**FAULTS, **BAD_INPUTS}
SUMS = {"all faults": list(FAULTS), "all bad inputs and attacks": list(BAD_INPUTS)}
_OFTEN = ("bad files", "bad options", "malicious models")
ORDER = [name for fault in FAULTS for name in (*_OFTEN, fault)] + list(BAD_INPUTS)
SHORT = (
    *("kill run", "kill review", "full disk", "too large files", "concurrent commands"),
    *(("bad files", "bad options") * 4),
    *(("bad paths", "malicious models") * 2),
    *("hostile texts in pages", "attacks on the server"),
)


def plan(seconds: float, kinds: Sequence[str] = ORDER) -> Iterator[tuple[str, int]]:
    """Yield the kinds and numbers of cases until the time is over."""
    end = time.monotonic() + seconds
    for number, kind in enumerate(cycle(kinds)):
        if time.monotonic() > end:
            return
        yield kind, number


def run_case(world: World, kind: str, number: int, *, seed: int, max_silence: float) -> Case:
    """Run a case; an error of the campaign itself is a problem, too."""
    try:
        case = KINDS[kind](world, Random(f"{seed} {kind} {number}"))
    except Exception as error:  # noqa: BLE001
        return Case(problems=[f"{type(error).__name__}: {error}"])
    if kind in BAD_INPUTS:
        case.check_limits(max_silence)
    return case


def run_campaign(
    world: World, cases: Iterable[tuple[str, int]], *, seed: int, max_silence: float
) -> tuple[dict[str, Tally], list[str]]:
    """Run cases; return the sums of each kind and the problems."""
    tallies = {kind: Tally() for kind in KINDS}
    problems = []
    for kind, number in cases:
        case = run_case(world, kind, number, seed=seed, max_silence=max_silence)
        tallies[kind].add(case)
        for problem in case.problems:
            problems.append(f"{kind}:{number}: {problem}")
            print(problems[-1], file=sys.stderr, flush=True)
    return tallies, problems


def main() -> int:
    """Run a campaign from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="default: 30")
    parser.add_argument("--short", action="store_true", help="a few cases of each kind instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only cases of this kind; repeatable")
    parser.add_argument("--case", metavar="KIND:NUMBER", help="repeat a single case of this seed")
    parser.add_argument(
        "--max-silence", type=float, default=10, metavar="SECONDS", help="without a message; default: 10"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the counts and problems")
    options = parser.parse_args()
    # One thread: a fork has no other threads. Nothing of the surroundings but the path of programs counts.
    os.environ.update(OMP_NUM_THREADS="1", HF_HUB_OFFLINE="1", PYTHONDONTWRITEBYTECODE="1", COLUMNS="80")
    sys.dont_write_bytecode = True
    started = time.monotonic()
    import_everything()
    with tempfile.TemporaryDirectory(prefix="litotes-chaos-") as folder:
        world = World(Path(folder).resolve(), QUICK_JOBS if options.short else tuple(JOBS))
        world.make_files()
        if options.case:
            kind, _, number = options.case.rpartition(":")
            case = run_case(world, kind, int(number), seed=options.seed, max_silence=options.max_silence)
            print(*(outcome.output for outcome in case.outcomes), *case.problems, sep="\n")
            return int(bool(case.problems))
        print(f"prepared in {time.monotonic() - started:.0f} s", file=sys.stderr)
        cases = (
            zip(SHORT, count(), strict=False) if options.short else plan(60 * options.minutes, options.kind or ORDER)
        )
        tallies, problems = run_campaign(world, cases, seed=options.seed, max_silence=options.max_silence)
    sums = {name: sum((tallies[kind] for kind in kinds), Tally()) for name, kinds in SUMS.items()}
    print(markdown([(name, tally) for name, tally in {**tallies, **sums}.items() if tally.cases]))
    if options.json:
        rows = {name: asdict(tally) for name, tally in {**tallies, **sums}.items()}
        options.json.write_text(json.dumps({"seed": options.seed, "rows": rows, "problems": problems}))
    return int(bool(problems))
