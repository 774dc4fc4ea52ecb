"""`litotes models`: list installed models, schemes of model names, and lists of models."""

from __future__ import annotations

from litotes.cli.error_handling import put

_SCHEMES = {
    "st": "a sentence-transformers model, NAME or NAME@REVISION",
    "hf": "any transformers model, hf:NAME?pooling=mean (or cls, max, …)",
    "onnx": "an ONNX model, onnx:FOLDER or onnx:FILE?output=…&tokenizer=…",
    "nli": "an NLI model, nli:NAME?labels=contradiction,entailment,neutral",
    "cross": "a cross-encoder that scores pairs, cross:NAME",
    "glove": "averaged word vectors, glove: or glove:FILE (GloVe, fastText, …)",
    "sif": "averaged word vectors weighted by rarity (SIF), sif:FILE",
    "pmeans": "concatenated power means of word vectors, pmeans:FILE,FILE?powers=-inf,1,inf",
    "sent2vec": "a sent2vec model, sent2vec:FILE.bin or sent2vec:FOLDER",
    "skipthought": "skip-thought vectors, skipthought:FOLDER?model=combined",
    "infersent": "InferSent, infersent:FOLDER or infersent:FILE.pkl?vectors=FILE",
    "model2vec": "a static model (potion and others), model2vec:NAME or FOLDER",
    "wordllama": "WordLlama's static vectors, wordllama: or wordllama:FOLDER",
    "openai": "an embedding server, openai:MODEL@http://HOST:PORT/v1",
    "chat": "a language model behind a server, chat:MODEL@http://HOST:PORT/v1",
    "lm": "a local language model with a prompt, lm:NAME",
    "adapter": "a model with an adapter over its vectors, adapter:FOLDER",
    "overlap": "the share of common words as a baseline, overlap:words",
}


def models() -> None:
    """List the installed models and the model schemes."""
    from litotes.evaluation.model_list import list_model_lists, load_model_list
    from litotes.models.hub import DEFAULT_MODEL, installed_models
    from litotes.models.loading import list_models

    put("installed:")
    for name in installed_models() or ["(none; pip install 'litotes[torch,model]' installs the default)"]:
        put(f"  {name}" + (" (default)" if name == DEFAULT_MODEL else ""))
    put("\nschemes:")
    for scheme in list_models():
        put(f"  {scheme + ':':<13}{_SCHEMES.get(scheme, 'from another package')}")
    put("\nlists of models, for litotes run --models:")
    for name in list_model_lists():
        found = load_model_list(name)
        put(f"  {name:<13}{found.title}")
