"""The card of a trained model: what it is, what it was trained on, what it can and cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litotes import __version__
from litotes.training.settings import TrainSettings


def model_card(about: Mapping[str, Any], settings: TrainSettings) -> str:
    """README.md of a model, with the header that model hubs read."""
    figures = about["dev"]
    dev = (
        f"On {about['dev_pairs']:,} dev pairs: accuracy {figures['accuracy']:.3f}, Matthews correlation"
        f" {figures['mcc']:.3f}."
        if figures
        else "It was not measured on a dev set."
    )
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value} |" for name, value in settings.to_dict().items())
    return f"""---
library_name: transformers
pipeline_tag: text-classification
tags: [natural-language-inference, litotes]
---

# An NLI model trained by Litotes

It reads a premise and a hypothesis and says entailment, neutral or contradiction. It began as `{about["base"]}`,
{"with a new head" if about["new_head"] else "with the head that it had"}, and was trained on {about["pairs"]:,} pairs
in {about["steps"]:,} steps by Litotes {__version__}. {dev}

| setting | |
|---|---|
{rows}
| tokens of a pair | {about["max_length"]} |

`litotes run nli:FOLDER --suite developmental-mini` tests it. `training.json` beside this page says what it depends on;
`metrics.jsonl` how the training went. It knows what its pairs taught it and is made for experiments, not for decisions.
"""
