"""Grammar: clauses and noun phrases, as several rules read them."""
