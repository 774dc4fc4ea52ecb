"""Peak memory of an audit's rewriting against the size of the corpus: beyond the sentences it should not grow.

python benchmarks/audit/memory.py TEXT [SENTENCES …]      (default: 4,000 16,000 64,000)

TEXT contains one sentence per line. All sentences of each corpus are rewritten, in two processes.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (4_000, 16_000, 64_000)

_CHILD = """
import json, resource, sys
from contextlib import closing
from pathlib import Path
from litotes.core.parallel.engine import ParallelEngine
from litotes.audit.variants import make_variants
from litotes.corpora.base import Record

def records(path):
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            yield Record(f"{number}", line.strip())

made = make_variants(
    records(sys.argv[1]),
    store=Path(sys.argv[2]),
    key={},
    limit=None,
    seed=0,
    engine=ParallelEngine.local(2),
    progress=None,
)
with closing(made):
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"sentences": len(made.sentences), "variants": sum(1 for _ in made.pairs()), "peaks": peaks}))
"""


def main() -> None:
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    random.Random(3).shuffle(lines)
    sizes = [int(word.replace(",", "")) for word in sys.argv[2:]] or SIZES
    print("sentences   variants   this process   largest worker   together against the first")
    first = 0.0
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "lines.txt"
            corpus.write_text("\n".join(lines[:size]) + "\n", "utf-8")
            command = [sys.executable, "-c", _CHILD, str(corpus), str(Path(folder) / "store")]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        document = json.loads(done.stdout.splitlines()[-1])
        own, worker = document["peaks"]
        first = first or own + worker
        print(
            f"{document['sentences']:>9,} {document['variants']:>10,} {own:>11.0f} MB {worker:>13.0f} MB "
            f"{(own + worker) / first:>14.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
