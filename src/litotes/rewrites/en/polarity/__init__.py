"""Grammar of polarity: add the negation of a clause or remove it."""
