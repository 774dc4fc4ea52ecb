"""Benchmark the report of all kinds of encoders: file size, and time until it is usable in headless Chromium.

    make bench-report
    python benchmarks/report.py RUNS
    python benchmarks/report.py --data semantoneg=SemAntoNeg_v1.0.json --infersent FOLDER --keep FOLDER

RUNS is a folder that `litotes run` wrote. Without it the available encoders of benchmarks/sweep.py run first.
`litotes report` writes the report. It is usable when its load event has ended and the first items have been drawn.
Each width is opened several times in the same browser; the median and the maximum are printed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sweep import LITOTES, add_options, chosen_models, command_of

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for tests.chromium

from tests.chromium import missing_parts, started

WIDTHS = {1280: "desktop", 390: "phone"}
REPEATS = 7
TIMEOUT = 30

WATCH = (
    "addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => { globalThis.usable = "
    "document.querySelector('#entries li') ? performance.now() : -1 })))"
)
"""A timer set in the first frame after the load event fires when that frame has been drawn."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs="?", help="a folder of runs; default: run the encoders first")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="a folder for runs and report; default: a temporary one"
    )
    add_options(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="litotes-report-") as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        runs = args.runs or run_encoders(folder, args)
        page = write_report(runs, folder)
        measure(page, Path(temporary) / "profile")


def run_encoders(folder: Path, args: argparse.Namespace) -> Path:
    """Run the available encoders and return the folder."""
    models = chosen_models(args)
    started_at = time.perf_counter()
    command = [*command_of(folder, models, args), "--out", str(folder / "runs")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{len(models)} encoders run in {time.perf_counter() - started_at:.0f} s: ", end="")
    print(", ".join(label for label, *_ in models))
    return folder / "runs"


def write_report(runs: Path, folder: Path) -> Path:
    """Write the report with `litotes report` and return its path."""
    page = folder / "report.html"
    started_at = time.perf_counter()
    subprocess.run([str(LITOTES), "report", str(runs), "--out", str(page)], check=True, stdout=subprocess.DEVNULL)
    results = len(list(runs.glob("*/*/result.json")))
    models = len({path.parent.parent for path in runs.glob("*/*/result.json")})
    print(f"report of {models} models, {results} runs: {page.stat().st_size / 1e6:.2f} MB, ", end="")
    print(f"written in {time.perf_counter() - started_at:.1f} s")
    return page


def measure(page: Path, profile: Path) -> None:
    """Print the time until the page is usable at each width."""
    if missing := missing_parts():
        sys.exit(f"not installed: {', '.join(missing)}")
    driver = started(profile)
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        print(f"{'':14}{'load event':>12}{'usable':>10}{'longest':>10}   s")
        for width, name in WIDTHS.items():
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            loads, usable = zip(*(seconds(driver, page) for _ in range(REPEATS)), strict=True)
            figures = (statistics.median(loads), statistics.median(usable), max(usable))
            print(f"{width} px {name:<7}{figures[0]:>12.2f}{figures[1]:>10.2f}{figures[2]:>10.2f}")
    finally:
        driver.quit()


def seconds(driver: Any, page: Path) -> tuple[float, float]:
    """Return the seconds until the load event has ended and until the page is usable."""
    driver.get("about:blank")
    driver.get(page.resolve().as_uri())
    end = time.monotonic() + TIMEOUT
    while (usable := driver.execute_script("return globalThis.usable ?? 0")) == 0:
        if time.monotonic() > end:
            sys.exit(f"{page}: not drawn within {TIMEOUT} s")
        time.sleep(0.02)
    if usable < 0:
        sys.exit(f"{page}: shows no items")
    load = driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
    return load / 1000, usable / 1000


if __name__ == "__main__":
    main()
