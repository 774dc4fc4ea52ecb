"""Static embeddings: model2vec and WordLlama."""
