"""Corpora: streaming readers that give one sentence or pair after another, each with the place where it stands."""
