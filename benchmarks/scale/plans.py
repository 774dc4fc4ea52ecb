"""Plans against measured builds at three sizes.

python benchmarks/scale/plans.py [CORPUS] [--builder NAME] [--lines N …]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from functools import partial
from pathlib import Path

from litotes.building.pipeline.settings import BuildSettings
from litotes.planning.api import build_sample, plan_build
from litotes.planning.measure import measure_samples

TATOEBA = Path(__file__).resolve().parents[3] / "shared/data/tatoeba/english.txt"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=TATOEBA)
    options.add_argument("--builder", default="semantoneg")
    options.add_argument("--lines", type=int, nargs="+", default=[20_000, 40_000, 69_000])
    arguments = options.parse_args()
    print(f"{'':<18}{'planned':>12}{'measured':>12}{'ratio':>8}")
    for n_lines in arguments.lines:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            part = folder / "part.txt"
            with arguments.corpus.open(encoding="utf-8") as file:
                part.write_text("".join(itertools.islice(file, n_lines)), "utf-8")
            plan = plan_build(arguments.builder, part)
            job = partial(build_sample, arguments.builder, BuildSettings())
            (folder / "real").mkdir()
            (real,) = measure_samples(job, [[str(part)]], folder / "real")
        rows = {
            "records": (plan.records, real.records),
            "workers, s": (plan.worker_hours * 3600, real.worker_seconds),
            "driver, s": (plan.driver_hours * 3600, real.driver_seconds),
            "worker, MB": (plan.worker_memory / 1e6, real.worker_memory / 1e6),
            "driver, MB": (plan.driver_memory / 1e6, real.driver_memory / 1e6),
            "disk, MB": (plan.peak_disk / 1e6, real.peak_disk / 1e6),
            "output, MB": (plan.output / 1e6, real.output / 1e6),
        }
        for name, (planned, measured) in rows.items():
            digits = 0 if name == "records" else 1
            print(f"{name:<18}{planned:>12,.{digits}f}{measured:>12,.{digits}f}{planned / measured:>8.2f}")
        print()


if __name__ == "__main__":
    main()
