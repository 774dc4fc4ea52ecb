"""`LitotesEvaluator`: suites as an evaluator of sentence-transformers, for its trainer or standalone."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentence_transformers.base.evaluation import BaseEvaluator

from litotes.core.errors import UsageError
from litotes.evaluation.engine import Engine
from litotes.models.base import Fingerprint
from litotes.models.transformers.sentence_transformer import SentenceTransformerEncoder, default_prompt
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite
from litotes.suites.nli import requires_labels

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.evaluation.result import RunResult


class LitotesEvaluator(BaseEvaluator):  # type: ignore[misc]
    """Evaluates the model on suites whenever the trainer evaluates; the primary metric is the accuracy on the first.

    The metrics are exactly those of `litotes run` on the saved model.
    """

    def __init__(self, suite: str | Suite | Sequence[str | Suite], *, name: str = "", write_csv: bool = True) -> None:
        super().__init__()
        suites = [suite] if isinstance(suite, (str, Suite)) else suite
        self.suites = [load_suite(each) if isinstance(each, str) else each for each in suites]
        if not self.suites:
            raise UsageError("L102", "LitotesEvaluator: there is no suite", hint="semantoneg-mini, for example")
        for each in self.suites:
            if requires_labels(each):
                raise UsageError("L102", f'LitotesEvaluator: suite "{each.name}" needs labels, not similarities')
        self.name = name
        self.write_csv = write_csv
        self.csv_file = f"litotes_evaluation{'_' + name if name else ''}_results.csv"
        self.primary_metric = f"{self.suites[0].name}_accuracy"
        self.results: list[RunResult] = []
        """The results of the last evaluation, one per suite."""

    def __call__(
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the accuracy on each suite, with its confidence interval and the mean over groups."""
        was_training = model.training
        model.eval()
        try:
            self.results = list(Engine(cache=None).run(live_encoder(model), self.suites))
        finally:
            model.train(was_training)
        metrics = {key: value for result in self.results for key, value in _metrics(result).items()}
        if output_path is not None and self.write_csv:
            self._append(Path(output_path) / self.csv_file, {"epoch": epoch, "steps": steps, **metrics})
        named: dict[str, float] = self.prefix_name_to_metrics(metrics, self.name)
        self.store_metrics_in_model_card_data(model, named, epoch, steps)
        return named

    def get_config_dict(self) -> dict[str, Any]:
        """Return the suites, for the model card."""
        return {"suites": [f"{suite.name} ({suite.sha256[:12]})" for suite in self.suites]}

    def _append(self, path: Path, row: dict[str, float]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.is_file()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            if is_new:
                writer.writeheader()
            writer.writerow(row)


def _metrics(result: RunResult) -> dict[str, float]:
    name, metrics = result.suite.name, result.metrics
    return {
        f"{name}_accuracy": metrics.accuracy,
        f"{name}_accuracy_low": metrics.accuracy_ci[0],
        f"{name}_accuracy_high": metrics.accuracy_ci[1],
        f"{name}_group_accuracy": metrics.group_accuracy,
    }


def live_encoder(model: SentenceTransformer, *, name: str = "live model") -> SentenceTransformerEncoder:
    """Return a loaded model as an encoder; its weights may change, so its vectors must not be cached."""
    prompt = default_prompt(model)
    fingerprint = Fingerprint(backend=f"torch/{model.device.type}", weights="in memory", prompt=prompt)
    return SentenceTransformerEncoder(name, fingerprint, model.device, model, prompt)
