"""BERT's layers on a shorter way: the library's bits, or the library itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from litotes.speedups import bert_forward
from litotes.speedups.bert_forward import quick_forward


def bert(folder: Path, **config: Any) -> Any:
    from transformers import AutoModel

    return AutoModel.from_pretrained(folder, local_files_only=True, **config).eval()


def batch(model: Any, *lengths: int) -> dict[str, torch.Tensor]:
    longest = max(lengths)
    ids = torch.randint(model.config.vocab_size, (len(lengths), longest), generator=torch.manual_seed(3))
    mask = torch.tensor([[1] * length + [0] * (longest - length) for length in lengths])
    return {"input_ids": ids, "attention_mask": mask}


@pytest.mark.parametrize("lengths", [(7,), (9, 9, 9), (12, 3, 5, 1)])
def test_the_librarys_bits_and_its_layers_stay_as_they_are(tiny_bert: Path, lengths: tuple[int, ...]) -> None:
    model = bert(tiny_bert)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    forward = quick_forward(model)
    assert forward is not None
    features = batch(model, *lengths)
    with torch.inference_mode():
        inside = features["attention_mask"].bool()
        assert torch.equal(forward(features)[inside], bert(tiny_bert)(**features).last_hidden_state[inside])
        assert torch.equal(model(**features).last_hidden_state, bert(tiny_bert)(**features).last_hidden_state)
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())


@pytest.mark.parametrize("other", [{"hidden_act": "relu"}, {"attn_implementation": "eager"}, {"dtype": torch.bfloat16}])
def test_what_is_not_usual_is_left_to_the_library(tiny_bert: Path, other: dict[str, Any]) -> None:
    assert quick_forward(bert(tiny_bert, **other)) is None


def test_one_bit_off_and_the_library_is_asked(tiny_bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = bert(tiny_bert)
    weights = [parameter.data_ptr() for parameter in model.parameters()]
    right = bert_forward._forward
    monkeypatch.setattr(
        bert_forward, "_forward", lambda one: lambda features: right(one)(features).nextafter(torch.tensor(9.0))
    )
    assert quick_forward(model) is None
    assert [parameter.data_ptr() for parameter in model.parameters()] == weights
