"""The report of encoders of every kind: how large it is, and how soon it can be used in headless Chromium.

    make bench-report
    python benchmarks/report.py RUNS
    python benchmarks/report.py --data semantoneg=SemAntoNeg_v1.0.json --infersent FOLDER --keep FOLDER

RUNS is a folder that `litotes run` wrote. Without it the encoders of benchmarks/sweep.py that are on this machine run
first. The report is made by `litotes report`. It can be used when its load event has ended and the first view, with
its first items, has been drawn; each width is opened several times in the same browser, and the median and the
longest are shown.
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

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the tests' browser is ours too

from tests.chromium import missing_parts, started

WIDTHS = {1280: "desktop", 390: "phone"}
TIMES = 7
PATIENCE = 30

WATCH = (
    "addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => { globalThis.usable = "
    "document.querySelector('#entries li') ? performance.now() : -1 })))"
)
"""The frame after the load event has been drawn when a timer that it sets ends."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs="?", help="a folder of runs; none: they are made")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where runs and report stay")
    add_options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="litotes-report-") as passing:
        folder = given.keep or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        runs = given.runs or made_runs(folder, given)
        page = written(runs, folder)
        opened(page, Path(passing) / "profile")


def made_runs(folder: Path, given: argparse.Namespace) -> Path:
    """The runs of the encoders that are at hand."""
    models = chosen_models(given)
    started_at = time.perf_counter()
    command = [*command_of(folder, models, given), "--out", str(folder / "runs")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{len(models)} encoders run in {time.perf_counter() - started_at:.0f} s: ", end="")
    print(", ".join(label for label, *_ in models))
    return folder / "runs"


def written(runs: Path, folder: Path) -> Path:
    """The report, by the ordinary command."""
    page = folder / "report.html"
    started_at = time.perf_counter()
    subprocess.run([str(LITOTES), "report", str(runs), "--out", str(page)], check=True, stdout=subprocess.DEVNULL)
    results = len(list(runs.glob("*/*/result.json")))
    models = len({path.parent.parent for path in runs.glob("*/*/result.json")})
    print(f"report of {models} models, {results} runs: {page.stat().st_size / 1e6:.2f} MB, ", end="")
    print(f"written in {time.perf_counter() - started_at:.1f} s")
    return page


def opened(page: Path, profile: Path) -> None:
    """How long it takes at each width until it can be used."""
    if missing := missing_parts():
        sys.exit(f"not installed, so nothing is opened: {', '.join(missing)}")
    driver = started(profile)
    try:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        print(f"{'':14}{'load event':>12}{'usable':>10}{'longest':>10}   s")
        for width, name in WIDTHS.items():
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            loads, usable = zip(*(seconds(driver, page) for _ in range(TIMES)), strict=True)
            figures = (statistics.median(loads), statistics.median(usable), max(usable))
            print(f"{width} px {name:<7}{figures[0]:>12.2f}{figures[1]:>10.2f}{figures[2]:>10.2f}")
    finally:
        driver.quit()


def seconds(driver: Any, page: Path) -> tuple[float, float]:
    """Until the load event has ended, and until the page can be used."""
    driver.get("about:blank")
    driver.get(page.resolve().as_uri())
    end = time.monotonic() + PATIENCE
    while (usable := driver.execute_script("return globalThis.usable ?? 0")) == 0:
        if time.monotonic() > end:
            sys.exit(f"{page}: was not drawn within {PATIENCE} s")
        time.sleep(0.02)
    if usable < 0:
        sys.exit(f"{page}: shows no items")
    load = driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")
    return load / 1000, usable / 1000


if __name__ == "__main__":
    main()
