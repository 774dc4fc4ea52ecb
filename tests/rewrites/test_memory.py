"""Memory does not grow with the stream; `make bench-rewrites` measures longer ones."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import gc, itertools, json, random, sys
from pathlib import Path
from litotes.speedups.spacy_import import import_minimal_spacy
import_minimal_spacy()
from litotes.rewrites.apply import rewrite_all

def sentences():
    # Each with words that come once: what keeps a word, or a sentence, grows with every line.
    draw = random.Random(3)
    while True:
        one, other = ("".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=8)) for _ in range(2))
        yield f"{one.capitalize()} is not in {other.capitalize()} today."

def used():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

count = int(sys.argv[2])
stream = rewrite_all(sys.argv[1], sentences())
found = []
for _ in range(4):
    assert sum(bool(edits or edits.skips) for edits in itertools.islice(stream, count)) == count
    found.append(used())
print(json.dumps(found))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no /proc here to look into")
@pytest.mark.parametrize("rule", ["infill"])  # the gate that stores the most
def test_memory_does_not_grow_with_the_stream(rule: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, rule, "1500"], capture_output=True, text=True, check=True)
    # The first 1,500 lines fill tables of a fixed size.
    _, first, *_, last = json.loads(done.stdout)
    # 3,000 lines: storing half a kilobyte per line would be detected.
    assert last - first < 1.4, json.loads(done.stdout)
