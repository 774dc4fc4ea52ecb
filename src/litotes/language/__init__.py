"""English: parsing, the lexicon, inflection, spelling, agreement."""
