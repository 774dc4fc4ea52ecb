"""Words: which word of a sentence is changed, and how another takes its place."""
