"""The ruleset litotes: a file a category, each a generator of the words that make a text belong to it."""
