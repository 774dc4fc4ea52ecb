"""Forms of auxiliaries, and lemmas of verbs by meaning and by what they say about their arguments and clauses."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.modals import MODALS
from litotes.languages.en.word_lists import word_list, word_table

# Auxiliaries: forms of "be", "have" and "do"; modal verbs are in `modals`

PRESENT_BE = frozenset({"am", "are", "is"})
PAST_BE = frozenset({"was", "were"})
FULL_FINITE_BE = PRESENT_BE | PAST_BE
CONTRACTED_BE = frozenset({"'s", "’s", "'re", "’re", "'m", "’m"})
FORMS_OF_BE = FULL_FINITE_BE | CONTRACTED_BE | {"be", "been", "being"}
FINITE_HAVE = frozenset({"had", "has", "have"})
FORMS_OF_HAVE = FINITE_HAVE | {"having"}
FINITE_DO = frozenset({"did", "do", "does"})
FULL_AUXILIARIES = FULL_FINITE_BE | FINITE_HAVE | FINITE_DO
"""Finite forms of “be”, “have” and “do” that are not contracted."""

PAST_AUXILIARIES = PAST_BE | {"did", "had"}
INVERTIBLE_VERBS = FULL_AUXILIARIES | (MODALS - {"may", "might", "shall"})
"""Verbs that often precede their subject in a question."""

# Light verbs and auxiliaries

LIGHT_VERBS = word_set("have do get make take go")
"""Verbs that carry little meaning of their own: “have a look”, “make a call”."""

# Verbs of speech and thought

SPEECH_VERBS = word_list("speech verbs")
"""Verbs that report a statement as true: “She said that he left.”"""

QUOTING_VERBS = SPEECH_VERBS | word_list("quoting verbs")
"""Verbs that introduce direct speech: “It is late,” she sighed."""

COMMON_STATE_VERBS = frozenset({"feel", "hate", "hope", "know", "like", "love", "need", "think", "want"})
"""Verbs of lasting states that occur in every kind of text."""
NEG_RAISING_VERBS = word_set("think believe suppose expect imagine")
"""Verbs whose “not” is understood in their clause: “I don't think it is good.”"""

APPEARANCE_VERBS = word_set("seem appear look feel sound")
"""Verbs that say how something appears."""

TENTATIVE_BELIEF_VERBS = word_list("tentative belief verbs")
"""Verbs of belief that leave open whether it is true: “I thought you were in Rome.”"""

COGNITION_VERBS = TENTATIVE_BELIEF_VERBS | word_list("cognition verbs")
"""Verbs of thinking, finding out and knowing."""

ASSERTIVE_VERBS = SPEECH_VERBS | COGNITION_VERBS
"""Verbs whose clause is presented as true."""

HEARER_VERBS = word_list("hearer verbs")
"""Verbs that name the hearer before the clause: “assured me that …”."""

DENIAL_VERBS = word_list("denial verbs")
"""Verbs whose clause is presented as false or doubtful."""

NON_ASSERTIVE_VERBS = word_list("non assertive verbs")
"""Verbs whose clause is wished for, feared, ordered or asked about, and not presented as true."""

SUGGESTION_VERBS = word_set("suggest insist propose recommend advise")
"""Verbs that give an order in “that he go”, and report a statement in “that he went”."""

HEDGING_VERBS = word_set("guess mean bet hope suppose swear figure fear pray wager reckon")
"""Verbs that begin a statement about oneself but express the statement that follows: “I guess …”, “I hope …”."""

# Verbs by the relation between their arguments

SYMMETRIC_VERBS = word_list("symmetric verbs")
"""Verbs whose arguments can be exchanged without a change of meaning: “Ann met Tom.”"""

SOCIAL_VERBS = word_list("social verbs")
"""Actions between people or organisations; each party can be the subject or the object."""

ANIMATE_VERBS = word_list("animate verbs")
"""Actions that people do to animals, and animals to people."""

INANIMATE_VERBS = word_list("inanimate verbs")
"""Verbs that relate two things, either of which can be the subject."""

NON_AGENT_OBJECT_VERBS = word_list("non agent object verbs")
"""Verbs whose object cannot be the subject as well: “I have a friend”, “She wears a ring”, “They named him Tom”."""

CAUSATIVE_VERBS = word_set("make let help have see hear watch feel notice want need expect like get")
"""Verbs whose object is the subject of another verb: “made her cry”, “saw him leave”, “wants them to stay”."""

INTENSIONAL_VERBS = word_set("want need expect seek find have")
"""Verbs whose indefinite object need not exist: “She wants a daughter.”"""

ACQUISITION_VERBS = word_set("take get buy borrow steal receive learn hear hide keep win inherit want")
"""Verbs that take “from” and the source: “bought it from him”."""

TOPIC_VERBS = word_list("topic verbs")
"""Verbs that take “of” or “about” and the topic."""

PREPOSITIONAL_VERBS = frozenset(
    f"{verb} {preposition}" for preposition, verbs in word_table("verbs before prepositions").items() for verb in verbs
)
"""Verbs that form one word with their preposition: “look for”."""
