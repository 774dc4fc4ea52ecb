"""Peak memory by number of items: only the vectors and the items themselves may add to it.

make bench-memory         (or: python benchmarks/memory.py)
"""

from __future__ import annotations

import json
import subprocess
import sys

SIZES = (2_000, 8_000, 16_000)
DIMENSIONS = 384

_CHILD = """
import json, resource, sys, tempfile
from pathlib import Path
from litotes import load_model, load_suite
from litotes.evaluation.engine import Engine
from litotes.suites.base import Item, Suite

count = int(sys.argv[1])
base = load_suite("semantoneg-mini")
items = [
    Item(f"i{n}", base.items[n % len(base.items)].group,
         {r: f"{s} ({n // len(base.items)})" for r, s in base.items[n % len(base.items)].sentences.items()})
    for n in range(count)
]
suite = Suite("grown", base.kind, items, sha256=str(count))
encoder = load_model("all-MiniLM-L6-v2")
encoder.encode([t for i in base.items[:200] for t in i.sentences.values()][:100])
loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unique = len({t for i in items for t in i.sentences.values()})
result = next(iter(Engine(cache=Path(tempfile.mkdtemp())).run(encoder, [suite])))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"items": count, "sentences": unique, "loaded": loaded / 1024, "peak": peak / 1024}))
"""


def main() -> None:
    print("   items  sentences  model loaded  peak, above  of that vectors")
    for size in SIZES:
        done = subprocess.run([sys.executable, "-c", _CHILD, str(size)], capture_output=True, text=True, check=True)
        document = json.loads(done.stdout.splitlines()[-1])
        vectors = document["sentences"] * DIMENSIONS * 4 / 2**20
        above = document["peak"] - document["loaded"]
        print(
            f"{document['items']:>8,} {document['sentences']:>10,} {document['loaded']:>10.0f} MB {above:>9.0f} MB "
            f"{vectors:>12.0f} MB"
        )


if __name__ == "__main__":
    main()
