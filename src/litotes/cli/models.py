"""`litotes models`: who can be asked."""

from __future__ import annotations

from litotes.cli.guard import put

_WHAT = {
    "st": "a sentence-transformers model, NAME or NAME@REVISION",
    "hf": "any transformers model, hf:NAME?pooling=mean (or cls, max)",
    "onnx": "an ONNX model, onnx:FOLDER or onnx:FILE?output=NAME&tokenizer=FILE",
    "nli": "an NLI model or cross-encoder, nli:NAME?labels=contradiction,entailment,neutral",
    "glove": "averaged word vectors, glove: or glove:FILE (.txt, .gz)",
    "overlap": "the share of common words as a baseline, overlap:words",
}


def models() -> None:
    """List the models on this machine, and how others are named."""
    from litotes.scorers.hub import DEFAULT_MODEL, installed_models
    from litotes.scorers.loading import list_scorers

    put("on this machine:")
    for name in installed_models() or ["(none; pip install 'litotes[torch,model]' brings the default)"]:
        put(f"  {name}" + (" (default)" if name == DEFAULT_MODEL else ""))
    put("\nnamed by:")
    for scheme in list_scorers():
        put(f"  {scheme + ':':<9}{_WHAT.get(scheme, 'from another package')}")
