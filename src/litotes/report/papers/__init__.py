"""The papers' tables and figures, from any runs and from what the papers printed: a module a paper or a figure."""
