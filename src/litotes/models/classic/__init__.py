"""Encoders from before transformers: averaged word vectors, sent2vec, skip-thought, InferSent."""
