"""Word vectors in every common file format."""
