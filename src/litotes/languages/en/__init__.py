"""English: parser, lexicon, inflection and closed word classes."""
