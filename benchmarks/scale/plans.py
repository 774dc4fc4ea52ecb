"""Plans against measured jobs at three sizes.

python benchmarks/scale/plans.py [CORPUS] [--builder NAME | --audit MODEL] [--lines N …]
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from functools import partial
from pathlib import Path

from litotes.audit.settings import AuditSettings
from litotes.building.pipeline.settings import BuildSettings
from litotes.planning.api import audit_sample, build_sample, plan_audit, plan_build
from litotes.planning.measure import measure_samples

TATOEBA = Path(__file__).resolve().parents[3] / "shared/data/tatoeba/english.txt"


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("corpus", nargs="?", type=Path, default=TATOEBA)
    options.add_argument("--builder", default="semantoneg")
    options.add_argument("--audit", metavar="MODEL")
    options.add_argument("--lines", type=int, nargs="+")
    arguments = options.parse_args()
    sizes = arguments.lines or ([4_000, 8_000, 16_000] if arguments.audit else [17_000, 34_000, 69_000])
    if arguments.audit:
        plan_job = partial(plan_audit, arguments.audit)
        job = partial(audit_sample, arguments.audit, AuditSettings(), None)
    else:
        plan_job = partial(plan_build, arguments.builder)
        job = partial(build_sample, arguments.builder, BuildSettings())
    print(f"{'':<18}{'planned':>12}{'measured':>12}{'ratio':>8}")
    for n_lines in sizes:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            part = folder / "part.txt"
            with arguments.corpus.open(encoding="utf-8") as file:
                part.write_text("".join(itertools.islice(file, n_lines)), "utf-8")
            plan = plan_job(part)
            (folder / "real").mkdir()
            (real,) = measure_samples(job, [[str(part)]], folder / "real")
        processor = 3600 * (plan.worker_hours + plan.driver_hours)
        rows = {
            "records": (plan.records, real.records),
            "processor, s": (processor, real.worker_seconds + real.driver_seconds - plan.startup_seconds),
            "worker, MB": (plan.worker_memory / 1e6, real.worker_memory / 1e6),
            "driver, MB": (plan.driver_memory / 1e6, real.driver_memory / 1e6),
            "disk, MB": (plan.peak_disk / 1e6, real.peak_disk / 1e6),
            "output, MB": (plan.output / 1e6, real.output / 1e6),
        }
        for name, (planned, measured) in rows.items():
            digits = 0 if name == "records" else 1
            print(f"{name:<18}{planned:>12,.{digits}f}{measured:>12,.{digits}f}{planned / measured:>8.2f}", flush=True)
        print()


if __name__ == "__main__":
    main()
