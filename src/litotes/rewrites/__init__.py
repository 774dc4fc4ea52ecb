"""Rewrites: rules that turn a sentence into edits with a known effect on its meaning; one module per rule."""
