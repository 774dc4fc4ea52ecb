"""The MTEB task class of a suite; only imported if MTEB is installed."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from datasets import Dataset, DatasetDict
from mteb import TaskMetadata
from mteb._create_dataloaders import create_dataloader
from mteb.abstasks import AbsTask
from mteb.models import EncoderProtocol
from mteb.types import Licenses

from litotes.core.errors import UsageError
from litotes.integrations.dataset_folder import hub_licence
from litotes.integrations.mteb_tasks import scores_from_vectors
from litotes.suites.base import Suite


class _LitotesTask(AbsTask):  # type: ignore[misc]
    """A suite whose sentences are encoded by MTEB and evaluated by the engine of Litotes."""

    suite: Suite
    abstask_prompt = "Retrieve semantically similar text."

    def load_data(self, *_: Any, **__: Any) -> None:
        """Prepare the unique sentences; nothing is downloaded."""
        roles = self.suite.kind.compared_roles()
        texts = dict.fromkeys(item.sentences[role] for role in roles for item in self.suite.items)
        self.dataset = {"default": DatasetDict({"test": Dataset.from_dict({"text": list(texts)})})}
        self.data_loaded = True

    def _evaluate_subset(
        self,
        model: Any,
        data_split: Any,
        *,
        hf_split: str,
        hf_subset: str,
        encode_kwargs: Any,
        num_proc: int | None = None,
        **_: Any,
    ) -> dict[str, float]:
        if not isinstance(model, EncoderProtocol):
            raise UsageError(
                "L102", f"{self.metadata.name}: the model is not an encoder", hint="use a sentence encoder"
            )
        vectors = model.encode(
            create_dataloader(data_split, task_metadata=self.metadata, num_proc=num_proc, **encode_kwargs),
            task_metadata=self.metadata,
            hf_split=hf_split,
            hf_subset=hf_subset,
            prompt_type=None,
            **encode_kwargs,
        )
        rows = vectors.float().cpu().numpy() if hasattr(vectors, "cpu") else vectors
        return scores_from_vectors(self.suite, list(data_split["text"]), np.asarray(rows, dtype=np.float32))

    def _calculate_descriptive_statistics_from_split(self, split: str, **_: Any) -> dict[str, Any]:
        self.load_data()
        texts = self.dataset["default"][split]["text"]
        return {"num_samples": len(texts), "number_of_characters": sum(map(len, texts))}


def task_class(suite: Suite, name: str) -> Any:
    """Return a task class for a suite, as MTEB needs one class per task."""
    licence = hub_licence(suite.licence)
    metadata = TaskMetadata(
        name=name,
        description=f"{suite.name}: {len(suite.items)} minimal pairs of Litotes, kind {suite.kind.name}.",
        dataset={"path": f"litotes/{suite.name}", "revision": suite.sha256},
        type="STS",
        category="t2t",
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="accuracy",
        license=licence if licence in get_args(Licenses) else None,
        sample_creation="created",
    )
    return type(name, (_LitotesTask,), {"metadata": metadata, "suite": suite})
