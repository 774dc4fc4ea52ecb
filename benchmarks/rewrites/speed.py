"""How fast rewriting is: against parsing, from a cold start, with two workers, and how much memory it takes.

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


# Rules against the parser.


class Share(NamedTuple):
    """What rewriting takes of the time of parsing, all in milliseconds a sentence."""

    parsing: float
    """spaCy alone."""
    steps: dict[str, float]
    """Each rule, and before them taking over spaCy's parse, once a sentence."""

    @property
    def together(self) -> float:
        """All steps."""
        return sum(self.steps.values())

    @property
    def ratio(self) -> float:
        """All rules together against the parser."""
        return self.together / self.parsing


def against_parsing(
    names: Iterable[str] = (), *, limit: int | None = None, sentences: int = 100, seed: int = 71, rounds: int = 5
) -> Share:
    """The time of parsing a sentence, and of each rule on it: in turn, round after round, and the median of them.

    With a limit of 1 each rule stops at its first edit.
    """
    from litotes.languages.en.parser import load_pipeline
    from litotes.languages.tree import from_spacy
    from litotes.rewrites.apply import apply_rule
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.registry import list_rewrites
    from litotes.speedups.spacy_import import import_minimal_spacy

    import_minimal_spacy()
    rules = _warmed(tuple(names or list_rewrites()))
    texts = [one.text for corpus in CORPORA for one in sample(corpus, sentences, seed=seed)]
    random.Random(seed).shuffle(texts)
    taken: dict[str, list[float]] = {}

    def timed(step: str, work: Callable[[T], R], things: Iterable[T]) -> list[R]:
        start = time.process_time()
        # As a stream does it: what a chunk leaves behind is collected after it.
        made = [work(thing) for thing in things]
        gc.collect(0)
        taken.setdefault(step, []).append(1000 * (time.process_time() - start) / len(made))
        return made

    def applied(rule: Rule) -> Callable[[Sentence], object]:
        return lambda sentence: apply_rule(rule, sentence, limit=limit)

    for part in (texts[start::rounds] for start in range(rounds)):
        parsed = timed("parsing", lambda doc: doc, load_pipeline().pipe(part, batch_size=128))
        read = timed("(taking over)", lambda doc: Sentence(from_spacy(doc)), parsed)
        for rule in rules:
            timed(rule.name, applied(rule), read)
    medians = {step: statistics.median(times) for step, times in taken.items()}
    return Share(medians.pop("parsing"), medians)


@lru_cache(maxsize=1)
def _warmed(names: tuple[str, ...]) -> list[Rule]:
    """The rules, their tables loaded and common words looked up on other sentences: a stream is long."""
    from litotes.languages.en.parser import parse_all
    from litotes.rewrites.apply import apply_rule
    from litotes.rewrites.base import Sentence
    from litotes.rewrites.registry import load_rewrite

    rules = [load_rewrite(name) for name in names]
    for doc in parse_all([one.text for corpus in CORPORA for one in sample(corpus, 1_000, seed=72)]):
        for rule in rules:
            apply_rule(rule, Sentence(doc))
    return rules


# The command.


def cold_start(*, runs: int = 5) -> list[float]:
    """Seconds from the command to its end, for one short sentence; the files are in the system's memory."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run([COMMAND, "rewrite", "negation", "I am glad."], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times[1:]


class Workers(NamedTuple):
    """Seconds for the same file, with one worker and with two."""

    one: list[float]
    two: list[float]

    @property
    def gain(self) -> float:
        """How many times faster two are."""
        return statistics.median(self.one) / statistics.median(self.two)


def workers(*, lines: int = 10_000, rounds: int = 3) -> Workers:
    """The command on a file of real sentences, start-up and all, in turn with one worker and with two."""
    times = Workers([], [])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.txt"
        path.write_text("".join(itertools.islice(_shuffled(), lines)), "utf-8")
        outputs = set()
        for _ in range(rounds):
            for count, seconds in ((1, times.one), (2, times.two)):
                start = time.perf_counter()
                done = subprocess.run(
                    [COMMAND, "rewrite", "negation", "--from", path, "--json", "--workers", str(count)],
                    check=True,
                    capture_output=True,
                )
                seconds.append(time.perf_counter() - start)
                outputs.add(hash(done.stdout))
        if len(outputs) > 1:
            raise SystemExit("one worker and two do not give the same")
    return times


def _shuffled() -> Iterator[str]:
    texts = [text for _, text in CORPORA["tatoeba"]()]
    random.Random(5).shuffle(texts)
    return (f"{text}\n" for text in texts)


class Memory(NamedTuple):
    """The most memory that the command took, in MB."""

    lines: int
    peak: float


def memory(lines: int) -> Memory:
    """The command on so many lines from a pipe."""
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
        told = report.read().decode()
        if process.returncode:
            raise SystemExit(f"the command failed over {lines:,} lines: {told}")
        return Memory(lines, json.loads(told.splitlines()[-1]) / 1024)


_MEASURED = """
import json, resource, subprocess, sys
subprocess.run([sys.argv[1], "rewrite", "negation", "--json"], check=True)
print(json.dumps(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
"""


def _endless(lines: int) -> Iterator[str]:
    """Real sentences in ever new order, and every tenth line with a name that never came before."""
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
        "--rules", nargs="*", metavar="RULE", help="only the time of these rules; of all if none is named"
    )
    parser.add_argument("--million", action="store_true", help="memory over a million lines too (half an hour)")
    asked = parser.parse_args()
    # Each on sentences of its own, so that no word of theirs was looked up before.
    for what, limit, seed in (("the first edit of each rule", 1, 71), ("all edits of each rule", None, 73)):
        share = against_parsing(asked.rules or (), limit=limit, seed=seed)
        print(what)
        for step, milliseconds in share.steps.items():
            print(f"  {step:<20} {milliseconds:7.3f} ms a sentence  {milliseconds / share.parsing:6.1%} of parsing")
        print(f"  {'all rules':<20} {share.together:7.3f} ms; parsing {share.parsing:.3f} ms: {share.ratio:.1%}")
    if asked.rules is not None:
        return
    times = cold_start()
    print(f"cold start: {statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})")
    found = workers()
    print(f"10,000 sentences: one worker {min(found.one):.1f} s, two {min(found.two):.1f} s: {found.gain:.2f} times")
    for lines in (10_000, 100_000, *([1_000_000] if asked.million else [])):
        print(f"{lines:>9,} lines: at most {memory(lines).peak:.0f} MB")


if __name__ == "__main__":
    main()
