"""Sets of Penn Treebank tags and of dependency labels, as spaCy's English pipelines assign them."""

from __future__ import annotations

# Tags

FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD", "MD"})
"""Verb forms that carry tense, and modals."""
PRESENT_TAGS = frozenset({"VBZ", "VBP"})
VERB_TAGS = FINITE_TAGS | {"VB", "VBN", "VBG"}
COMMON_NOUN_TAGS = frozenset({"NN", "NNS"})
PROPER_NOUN_TAGS = frozenset({"NNP", "NNPS"})
NOUN_TAGS = COMMON_NOUN_TAGS | PROPER_NOUN_TAGS
PLURAL_NOUN_TAGS = frozenset({"NNS", "NNPS"})
NOMINAL_TAGS = NOUN_TAGS | {"PRP", "DT", "WP"}
"""Tags of words that can be a subject or an object."""
COMPARISON_TAGS = frozenset({"JJR", "JJS", "RBR", "RBS"})
"""Comparatives and superlatives."""
QUESTION_TAGS = frozenset({"WRB", "WP", "WDT"})
"""Interrogatives and relatives: "where", "who", "which"."""
WH_TAGS = QUESTION_TAGS | {"WP$"}
"""The same and "whose"."""

# Dependency labels

AUXILIARY_DEPS = frozenset({"aux", "auxpass"})
PLAIN_SUBJECT_DEPS = frozenset({"nsubj", "nsubjpass", "expl"})
"""Subjects that are not clauses, and the "there" of existentials."""
SUBJECT_DEPS = PLAIN_SUBJECT_DEPS | {"csubj", "csubjpass"}
ATTRIBUTE_DEPS = frozenset({"amod", "compound", "nmod"})
"""Words before the noun that they modify."""
RELATIVE_CLAUSE_DEPS = frozenset({"acl", "relcl"})
"""Clauses that modify a noun."""
PREDICATIVE_DEPS = frozenset({"acomp", "attr", "oprd"})
"""Predicates: adjectives and nouns after a copula or an object."""
CLAUSAL_COMPLEMENT_DEPS = frozenset({"ccomp", "xcomp"})
NOUN_MODIFIER_DEPS = frozenset({"det", "amod", "nummod", "poss", "compound"})
"""Words before a noun that belong to its phrase."""
LINKED_CLAUSE_DEPS = frozenset({"advcl", "ccomp", "conj", "parataxis"})
"""Clauses that depend on another clause or are coordinated with it."""
