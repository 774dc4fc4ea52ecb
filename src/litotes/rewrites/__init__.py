"""Rewrites: one English sentence in, edits whose effect on the meaning is known out; one file a rule."""
