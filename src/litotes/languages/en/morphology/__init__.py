"""How English words change: inflection, articles, capitals and contractions."""
