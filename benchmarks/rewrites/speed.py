"""Speed and memory of rewriting: relative to parsing, from a cold start, and with two workers.

python benchmarks/rewrites/speed.py [--million]
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from samples import CORPORA, sample

if TYPE_CHECKING:
    from litotes.rewrites.base import Rule, Sentence

T = TypeVar("T")
R = TypeVar("R")
COMMAND = Path(sys.executable).with_name("litotes")


# Rules, relative to the parser


class RuleTimes(NamedTuple):
    """The time of parsing and of rewriting, in milliseconds per sentence."""

    parsing: float
    """spaCy alone."""
    steps: dict[str, float]
    """Converting spaCy's parse, and each rule."""

    @property
    def total(self) -> float:
        """The time of all steps."""
        return sum(self.steps.values())

    @property
    def ratio(self) -> float:
        """The time of all steps relative to parsing."""
        return self.total / self.parsing


def against_parsing(
    names: Iterable[str] = (), *, limit: int | None = None, sentences: int = 100, seed: int = 71, rounds: int = 5
) -> RuleTimes:
    """Measure parsing and each rule in alternating rounds, and return the medians.

    With a limit of 1, each rule stops at its first edit.
    """
    from litotes.languages.en.parser import load_pipeline
    from litotes.languages.tree import from_spacy
    from litotes.rewrites.apply import apply_rule
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.registry import list_rewrites
    from litotes.speedups.spacy_import import import_minimal_spacy

    import_minimal_spacy()
    rules = _warmed(tuple(names or list_rewrites()))
    texts = [sentence.text for corpus in CORPORA for sentence in sample(corpus, sentences, seed=seed)]
    random.Random(seed).shuffle(texts)
    times_by_step: dict[str, list[float]] = {}

    def timed(step: str, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        start = time.process_time()
        # As in a stream, garbage is collected after each chunk.
        results = [work(item) for item in items]
        gc.collect(0)
        times_by_step.setdefault(step, []).append(1000 * (time.process_time() - start) / len(results))
        return results

    def applied(rule: Rule) -> Callable[[Sentence], object]:
        return lambda sentence: apply_rule(rule, sentence, limit=limit)

    for part in (texts[start::rounds] for start in range(rounds)):
        parsed = timed("parsing", lambda doc: doc, load_pipeline().pipe(part, batch_size=128))
        read = timed("(converting)", lambda doc: Sentence(from_spacy(doc)), parsed)
        for rule in rules:
            timed(rule.name, applied(rule), read)
    medians = {step: statistics.median(times) for step, times in times_by_step.items()}
    return RuleTimes(medians.pop("parsing"), medians)


@lru_cache(maxsize=1)
def _warmed(names: tuple[str, ...]) -> list[Rule]:
    """Return the rules after running them on other sentences, so that their tables and caches are filled."""
    from litotes.languages.en.parser import parse_all
    from litotes.rewrites.apply import apply_rule
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.registry import load_rewrite

    rules = [load_rewrite(name) for name in names]
    for doc in parse_all([sentence.text for corpus in CORPORA for sentence in sample(corpus, 1_000, seed=72)]):
        for rule in rules:
            apply_rule(rule, Sentence(doc))
    return rules


# The command


def cold_start(*, runs: int = 5) -> list[float]:
    """Return the seconds that the command takes for one short sentence; the files are in the page cache."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run([COMMAND, "rewrite", "negation", "I am glad."], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times[1:]


class Workers(NamedTuple):
    """The seconds for one file with one worker and with two."""

    one: list[float]
    two: list[float]

    @property
    def gain(self) -> float:
        """The speed-up by the second worker."""
        return statistics.median(self.one) / statistics.median(self.two)


def workers(*, lines: int = 10_000, rounds: int = 3) -> Workers:
    """Measure the command, including its start, on a file of real sentences with one and two workers in turn."""
    times = Workers([], [])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.txt"
        path.write_text("".join(itertools.islice(_shuffled(), lines)), "utf-8")
        outputs = set()
        for _ in range(rounds):
            for n_workers, seconds in ((1, times.one), (2, times.two)):
                start = time.perf_counter()
                process = subprocess.run(
                    [COMMAND, "rewrite", "negation", "--from", path, "--json", "--workers", str(n_workers)],
                    check=True,
                    capture_output=True,
                )
                seconds.append(time.perf_counter() - start)
                outputs.add(hash(process.stdout))
        if len(outputs) > 1:
            raise SystemExit("the output depends on the number of workers")
    return times


def _shuffled() -> Iterator[str]:
    texts = [text for _, text in CORPORA["tatoeba"]()]
    random.Random(5).shuffle(texts)
    return (f"{text}\n" for text in texts)


class PeakMemory(NamedTuple):
    """The peak memory of the command, in MB."""

    lines: int
    peak: float


def memory(lines: int) -> PeakMemory:
    """Measure the command on a number of lines from a pipe."""
    with tempfile.TemporaryFile() as report:
        process = subprocess.Popen(
            [sys.executable, "-c", _MEASURED, COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=report,
        )
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            for text in _endless(lines):
                pipe.write(text.encode())
        process.wait()
        report.seek(0)
        log = report.read().decode()
        if process.returncode:
            raise SystemExit(f"the command failed over {lines:,} lines: {log}")
        return PeakMemory(lines, json.loads(log.splitlines()[-1]) / 1024)


_MEASURED = """
import json, resource, subprocess, sys
subprocess.run([sys.argv[1], "rewrite", "negation", "--json"], check=True)
print(json.dumps(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
"""


def _endless(lines: int) -> Iterator[str]:
    """Yield real sentences in random order, and a sentence with a new name in every tenth line."""
    texts = list(_shuffled())
    draw = random.Random(9)
    for number in range(lines):
        if number % 10:
            yield texts[draw.randrange(len(texts))]
        else:
            name = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=8)).capitalize()
            yield f"{name} is not at home.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rules", nargs="*", metavar="RULE", help="measure only the time of these rules (default: all rules)"
    )
    parser.add_argument("--million", action="store_true", help="also measure memory for a million lines (half an hour)")
    arguments = parser.parse_args()
    # Each measurement has its own sentences, so that no word is cached already.
    for title, limit, seed in (("the first edit of each rule", 1, 71), ("all edits of each rule", None, 73)):
        share = against_parsing(arguments.rules or (), limit=limit, seed=seed)
        print(title)
        for step, milliseconds in share.steps.items():
            print(f"  {step:<20} {milliseconds:7.3f} ms per sentence  {milliseconds / share.parsing:6.1%} of parsing")
        print(f"  {'all rules':<20} {share.total:7.3f} ms; parsing {share.parsing:.3f} ms: {share.ratio:.1%}")
    if arguments.rules is not None:
        return
    times = cold_start()
    print(f"cold start: {statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})")
    result = workers()
    print(f"10,000 sentences: one worker {min(result.one):.1f} s, two {min(result.two):.1f} s: {result.gain:.2f} times")
    for lines in (10_000, 100_000, *([1_000_000] if arguments.million else [])):
        print(f"{lines:>9,} lines: at most {memory(lines).peak:.0f} MB")


if __name__ == "__main__":
    main()
