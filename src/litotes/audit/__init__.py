"""People's own text: how blind a model is on it, what threshold to take, opposites that are there already."""
