"""English grammar on parsed sentences: tags, verb groups and question tags."""
