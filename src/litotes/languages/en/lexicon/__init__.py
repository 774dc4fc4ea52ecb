"""English lexical data: WordNet, antonyms, synonyms, misspellings."""
