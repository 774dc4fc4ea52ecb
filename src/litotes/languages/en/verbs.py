"""Forms of auxiliaries, and lemmas of verbs by meaning and by what they say about their arguments and clauses."""

from __future__ import annotations

from litotes.languages.base import word_set
from litotes.languages.en.modals import MODALS

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

SPEECH_VERBS = word_set(
    """
    say tell announce report claim state declare explain mention add reply answer respond argue insist maintain
    assert admit confess acknowledge concede point note remark observe comment warn confirm reveal suggest write
    emphasize emphasise stress repeat promise swear vow inform remind assure notify estimate testify allege contend
    affirm complain agree signal conclude
    """
)
"""Verbs that report a statement as true: “She said that he left.”"""

QUOTING_VERBS = SPEECH_VERBS | word_set(
    """
    whisper shout cry exclaim yell scream murmur mutter quip joke boast
    ask call continue begin laugh sigh smile snap growl hiss groan gasp interrupt demand order plead beg inquire
    enquire wonder think sneer grumble mumble urge advise offer go finish propose protest object retort read recall
    roar grin chuckle nod drawl grunt moan sob stammer stutter bark snarl breathe counter muse
    """
)
"""Verbs that introduce direct speech: “It is late,” she sighed."""

COMMON_STATE_VERBS = frozenset({"feel", "hate", "hope", "know", "like", "love", "need", "think", "want"})
"""Verbs of lasting states that occur in every kind of text."""
NEG_RAISING_VERBS = word_set("think believe suppose expect imagine")
"""Verbs whose “not” is understood in their clause: “I don't think it is good.”"""

APPEARANCE_VERBS = word_set("seem appear look feel sound")
"""Verbs that say how something appears."""

TENTATIVE_BELIEF_VERBS = word_set(
    "think believe assume figure suppose guess suspect imagine bet reckon mean feel understand presume"
)
"""Verbs of belief that leave open whether it is true: “I thought you were in Rome.”"""

COGNITION_VERBS = TENTATIVE_BELIEF_VERBS | word_set(
    """
    know realize realise see hear notice find discover learn remember recall recognize recognise gather conclude prove
    show demonstrate indicate hold sense read determine calculate guarantee predict
    """
)
"""Verbs of thinking, finding out and knowing."""

ASSERTIVE_VERBS = SPEECH_VERBS | COGNITION_VERBS
"""Verbs whose clause is presented as true."""

HEARER_VERBS = word_set(
    "tell inform remind assure warn notify show promise teach persuade convince advise guarantee bet"
)
"""Verbs that name the hearer before the clause: “assured me that …”."""

DENIAL_VERBS = word_set(
    "deny doubt pretend wish disbelieve disprove refute reject dispute lie forget dream fake disagree"
)
"""Verbs whose clause is presented as false or doubtful."""

NON_ASSERTIVE_VERBS = word_set(
    """
    hope fear expect worry wonder demand request require propose recommend ask order urge pray intend insist prefer
    want desire beg command decide ensure dread anticipate trust question check verify advise care mind love hate
    like appreciate regret wait arrange plan move rule stipulate
    """
)
"""Verbs whose clause is wished for, feared, ordered or asked about, and not presented as true."""

SUGGESTION_VERBS = word_set("suggest insist propose recommend advise")
"""Verbs that give an order in “that he go”, and report a statement in “that he went”."""

HEDGING_VERBS = word_set("guess mean bet hope suppose swear figure fear pray wager reckon")
"""Verbs that begin a statement about oneself but express the statement that follows: “I guess …”, “I hope …”."""

# Verbs by the relation between their arguments

SYMMETRIC_VERBS = word_set(
    """
    meet marry resemble equal divorce date wed hug kiss embrace cuddle fight match join encounter accompany rival face
    parallel adjoin touch contact mirror complement neighbor neighbour friend befriend agree argue chat quarrel differ
    collide play compete live dance wrestle spar debate mate separate unite combine correspond cooperate collaborate
    share exchange swap
    """
)
"""Verbs whose arguments can be exchanged without a change of meaning: “Ann met Tom.”"""

SOCIAL_VERBS = word_set(
    """
    accuse advise alert allow answer apologize ask assure attack authorize beat beg blame bribe challenge charge
    convince criticize criticise defeat defend defy denounce encourage fire forgive forbid help hire inform
    instruct insult interview invite lobby notify obey order outbid outvote oppose pay permit persuade praise
    press pressure promise promote question reassure rebuke remind reprimand request rescue reward ridicule sack
    scold serve sue summon support suspect telephone thank threaten urge warn
    """
)
"""Actions between people or organisations; each party can be the subject or the object."""

ANIMATE_VERBS = word_set(
    """
    chase watch follow see hear love like hate kick hit push kill hurt find approach tease eye sniff ignore avoid bite
    attack scare frighten startle lead surprise miss know smell trust notice fear pull lick touch injure save rescue
    need protect defend disturb wake annoy bother
    """
)
"""Actions that people do to animals, and animals to people."""

INANIMATE_VERBS = word_set(
    """
    hit follow block replace precede cause affect influence beat exceed outweigh crush support threaten destroy damage
    shake outlast outnumber
    """
)
"""Verbs that relate two things, either of which can be the subject."""

NON_AGENT_OBJECT_VERBS = word_set(
    """
    have get be become include involve cost own wear contain lack keep lose play name elect appoint bear mean
    consist comprise represent number make do use excuse bless say bet owe marry father mother sire rent sell
    employ raise breastfeed adopt deliver conceive think assume imagine suppose guess wonder hope agree decide swear
    assemble gather surround outnumber divide ride drive eat drink cook fry boil peel
    plant stand sit socialize socialise obtain
    """
)
"""Verbs whose object cannot be the subject as well: “I have a friend”, “She wears a ring”, “They named him Tom”."""

CAUSATIVE_VERBS = word_set("make let help have see hear watch feel notice want need expect like get")
"""Verbs whose object is the subject of another verb: “made her cry”, “saw him leave”, “wants them to stay”."""

INTENSIONAL_VERBS = word_set("want need expect seek find have")
"""Verbs whose indefinite object need not exist: “She wants a daughter.”"""

ACQUISITION_VERBS = word_set("take get buy borrow steal receive learn hear hide keep win inherit want")
"""Verbs that take “from” and the source: “bought it from him”."""

TOPIC_VERBS = word_set(
    "think dream hear speak talk complain worry know care write forget ask read lie brag wonder sing learn"
)
"""Verbs that take “of” or “about” and the topic."""

PREPOSITIONAL_VERBS = frozenset(
    f"{verb} {preposition}"
    for preposition, verbs in {
        "about": "care talk think",
        "across": "come",
        "after": "look",
        "at": "laugh look point stare",
        "for": "account allow apply ask call care hope long look pay search stand wait wish",
        "from": "suffer",
        "in": "believe result",
        "into": "look run turn",
        "of": "consist die dispose dream hear think",
        "on": "call count depend insist live rely",
        "over": "get",
        "through": "go",
        "to": "belong lead listen object refer see",
        "with": "cope deal",
    }.items()
    for verb in verbs.split()
)
"""Verbs that form one word with their preposition: “look for”."""
