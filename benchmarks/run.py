"""SemAntoNeg with MiniLM: Litotes compared with the two usual alternatives, in one run on one machine.

    make bench-run            (or: python benchmarks/run.py [SemAntoNeg_v1.0.json])

Without the official file the built-in suite is measured. All figures exclude loading the model and are end to end:
tokenization, encoding, similarities, choices, intervals and files.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from litotes import load_model, load_suite
from litotes.core.parallel.engine import usable_cores
from litotes.evaluation.engine import Engine
from litotes.evaluation.result_store import write_run
from litotes.evaluation.settings import EvaluationSettings
from litotes.models.hub import default_wheel
from litotes.suites.base import Suite

HERE = Path(__file__).resolve().parent
OFFICIAL = HERE.parent.parent / "shared/data/semantoneg/SemAntoNeg_v1.0.json"
REPEATS = 3
SCRIPT_ITEMS = 60
BATCH_SIZES = {16: "TripletEvaluator's default", 32: "encode's default"}


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def matmul_speed(threads: int) -> float:
    """Return the matrix-multiplication speed in GFLOP/s: the best of many, so that other processes do not count."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    size = 1024
    a, b = torch.randn(size, size), torch.randn(size, size)
    with torch.inference_mode():
        best = min(timed(lambda: a @ b) for _ in range(60))
    torch.set_num_threads(before)
    return 2 * size**3 / best / 1e9


def encoder_flops(lengths: list[int], layers: int = 6, width: int = 384, inner: int = 1536) -> float:
    """Return the operations of MiniLM-L6: four projections, two feed-forward layers, and attention."""
    tokens = sum(lengths)
    dense = 2 * tokens * layers * (4 * width * width + 2 * width * inner)
    attention = sum(layers * 2 * 2 * length * length * width for length in lengths)
    return dense + attention


def columns_way(suite: Suite, batch_size: int) -> dict[str, int]:
    """Encode the four columns by sentence-transformers, as its evaluators do (a)."""
    model = _sentence_transformer()
    vectors = {
        role: model.encode([item.sentences[role] for item in suite.items], batch_size=batch_size)
        for role in suite.kind.roles
    }
    options = suite.kind.roles[1:]
    unit = {role: rows / np.linalg.norm(rows, axis=1, keepdims=True) for role, rows in vectors.items()}
    similar = np.stack([(unit["input"] * unit[option]).sum(axis=1) for option in options], axis=1)
    chosen = similar.argmax(axis=1)
    return {option: int((chosen == index).sum()) for index, option in enumerate(options)}


def script_way(suite: Suite) -> None:
    """Encode as the published script does (b): sentence by sentence, each padded to 128 tokens."""
    for item in suite.items[:SCRIPT_ITEMS]:
        texts = list(item.sentences.values())
        one, options = _script_vectors(texts[:1]), _script_vectors(texts[1:])
        np.argmax(one @ options.T)


def _script_vectors(texts: list[str]) -> np.ndarray:
    model = _sentence_transformer()
    encoded = [
        model.tokenizer(text, padding="max_length", max_length=128, truncation=True, return_tensors="pt")
        for text in texts
    ]
    ids, mask = (torch.cat([one[key] for one in encoded]) for key in ("input_ids", "attention_mask"))
    with torch.no_grad():
        hidden = model[0].auto_model(input_ids=ids, attention_mask=mask).last_hidden_state
    weights = mask.unsqueeze(-1).expand(hidden.size()).float()
    pooled = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
    return torch.nn.functional.normalize(pooled, dim=1).numpy()


_MODEL = None


def _sentence_transformer():
    global _MODEL  # noqa: PLW0603
    if _MODEL is None:
        from sentence_transformers import SentenceTransformer

        _MODEL = SentenceTransformer(str(default_wheel()), device="cpu")
    return _MODEL


def main() -> None:
    official = Path(sys.argv[1]) if len(sys.argv) > 1 else OFFICIAL
    suite = load_suite("semantoneg", path=official) if official.exists() else load_suite("semantoneg-mini")
    encoder = load_model("all-MiniLM-L6-v2")
    _sentence_transformer()
    cores = usable_cores()
    folder = Path(tempfile.mkdtemp(prefix="litotes-bench-"))
    actual: list[dict[str, int]] = []

    def litotes_way(fresh: bool) -> None:
        engine = Engine(EvaluationSettings(fresh=fresh), cache=folder / "cache")
        result = next(iter(engine.run(encoder, [suite])))
        write_run(folder / "runs", result)
        actual.append(dict(result.choices))

    def cold_and_warm() -> float:
        cold.append(timed(lambda: litotes_way(fresh=True)))
        warm.append(statistics.median(timed(lambda: litotes_way(fresh=False)) for _ in range(5)))
        return cold[-1]

    choices: dict[str, int] = {}
    alternatives: dict[str, Callable[[], object]] = {
        f"(a) encode on the columns, {size} at once ({whose})": lambda size=size: choices.update(
            columns_way(suite, size)
        )
        for size, whose in BATCH_SIZES.items()
    }
    alternatives["(b) item by item, padded to 128"] = lambda: script_way(suite)
    litotes_way(fresh=True)  # the first call of each library is a warm-up
    script_way(suite)
    cold: list[float] = []
    warm: list[float] = []
    seconds: dict[str, list[float]] = {way: [] for way in alternatives}
    times_faster: dict[str, list[float]] = {way: [] for way in alternatives}
    before = cold_and_warm()
    for _ in range(REPEATS):
        for way, work in alternatives.items():
            taken = timed(work) * (len(suite.items) / SCRIPT_ITEMS if way.startswith("(b)") else 1)
            after = cold_and_warm()
            # Each run is compared with the runs before and after it, because the speed of the machine varies.
            seconds[way].append(taken)
            times_faster[way].append(2 * taken / (before + after))
            before = after

    texts = sorted({item.sentences[role] for item in suite.items for role in suite.kind.roles})
    flops = encoder_flops(encoder.lengths(texts))
    reached = [_share_of_peak(encoder, texts, cores, flops) for _ in range(2 * REPEATS)]
    mid = statistics.median
    same = all(one == choices for one in actual)
    print(f"{suite.name}: {len(suite.items):,} items, {len(texts):,} different sentences, {cores} cores")
    print(f"  litotes, cold cache {mid(cold):.2f} s, warm cache {mid(warm):.3f} s: ", end="")
    print(f"{mid(c / w for c, w in zip(cold, warm, strict=True)):.0f} times faster")
    for way in alternatives:
        print(f"  {way:<72} {mid(seconds[way]):7.1f} s: litotes is {mid(times_faster[way]):.1f} times faster")
    print(f"  choices {choices}: {'the same' if same else 'NOT the same'} in litotes, cold and warm, and in (a)")
    print(f"  the encoder reaches {100 * mid(reached):.0f} % of the speed at which this machine multiplies matrices")


def _share_of_peak(encoder, texts: list[str], cores: int, flops: float) -> float:
    """Print the speed of the encoder relative to matrix multiplication, measured directly before and after."""
    before = matmul_speed(cores)
    seconds = _encode_only(encoder, texts, cores)
    return flops / seconds / 1e9 / max(before, matmul_speed(cores))


def _encode_only(encoder, texts: list[str], workers: int) -> float:
    from litotes.core.progress import Progress
    from litotes.evaluation.encoding import encode_sentences

    return timed(lambda: encode_sentences(encoder, texts, cache=None, workers=workers, progress=Progress()))


if __name__ == "__main__":
    main()
