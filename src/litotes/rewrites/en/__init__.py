"""English rewrite rules, one module per rule."""
