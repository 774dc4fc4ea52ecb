"""Folders of models: what they contain, and whether it is safe to open them."""
