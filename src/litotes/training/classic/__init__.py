"""Training of sent2vec, skip-thought and InferSent."""
