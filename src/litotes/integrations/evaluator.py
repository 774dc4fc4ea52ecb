"""`LitotesEvaluator`: suites as an evaluator of sentence-transformers, in its trainer or by hand."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentence_transformers.base.evaluation import BaseEvaluator

from litotes.core.errors import UsageError
from litotes.evaluation.engine import Engine
from litotes.integrations.live_model import live_encoder
from litotes.suites.base import Suite
from litotes.suites.loading import load_suite
from litotes.suites.nli import requires_labels

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from litotes.evaluation.result import RunResult


class LitotesEvaluator(BaseEvaluator):  # type: ignore[misc]
    """Puts the model through suites whenever the trainer evaluates; the accuracy on the first is the primary metric.

    The figures are those of `litotes run` on the saved model, to the digit.
    """

    def __init__(self, suite: str | Suite | Sequence[str | Suite], *, name: str = "", write_csv: bool = True) -> None:
        super().__init__()
        chosen = [suite] if isinstance(suite, (str, Suite)) else list(suite)
        self.suites = [load_suite(one) if isinstance(one, str) else one for one in chosen]
        if not self.suites:
            raise UsageError("L102", "LitotesEvaluator: no suite is given", hint="such as semantoneg-mini")
        for one in self.suites:
            if requires_labels(one):
                raise UsageError("L102", f'LitotesEvaluator: suite "{one.name}" asks for labels, not for likeness')
        self.name = name
        self.write_csv = write_csv
        self.csv_file = f"litotes_evaluation{'_' + name if name else ''}_results.csv"
        self.primary_metric = f"{self.suites[0].name}_accuracy"
        self.results: list[RunResult] = []
        """Of the last evaluation, a result a suite, with every item."""

    def __call__(
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """The accuracy on each suite, with the ends of its interval and the mean over groups."""
        was_training = model.training
        model.eval()
        try:
            self.results = list(Engine(cache=None).run(live_encoder(model), self.suites))
        finally:
            model.train(was_training)
        metrics = {key: value for result in self.results for key, value in _figures(result).items()}
        if output_path is not None and self.write_csv:
            self._append(Path(output_path) / self.csv_file, {"epoch": epoch, "steps": steps, **metrics})
        named: dict[str, float] = self.prefix_name_to_metrics(metrics, self.name)
        self.store_metrics_in_model_card_data(model, named, epoch, steps)
        return named

    def get_config_dict(self) -> dict[str, Any]:
        """The suites, for the model card."""
        return {"suites": [f"{suite.name} ({suite.sha256[:12]})" for suite in self.suites]}

    def _append(self, path: Path, row: dict[str, float]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.is_file()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            if is_new:
                writer.writeheader()
            writer.writerow(row)


def _figures(result: RunResult) -> dict[str, float]:
    name, found = result.suite.name, result.metrics
    return {
        f"{name}_accuracy": found.accuracy,
        f"{name}_accuracy_low": found.accuracy_ci[0],
        f"{name}_accuracy_high": found.accuracy_ci[1],
        f"{name}_group_accuracy": found.group_accuracy,
    }
