"""The verbs that embed a clause: which of them say that it is so, and which do not."""

from __future__ import annotations

from litotes.rewrites.grammar.noun_phrases import word_set

SPEECH = word_set(
    """
    say tell announce report claim state declare explain mention add reply answer respond argue insist maintain
    assert admit confess acknowledge concede point note remark observe comment warn confirm reveal suggest write
    emphasize emphasise stress repeat promise swear vow inform remind assure notify estimate testify allege contend
    affirm complain agree signal conclude
    """
)
"""What people do when they say that something is so."""

QUOTING = SPEECH | word_set(
    """
    whisper shout cry exclaim yell scream murmur mutter quip joke boast
    ask call continue begin laugh sigh smile snap growl hiss groan gasp interrupt demand order plead beg inquire
    enquire wonder think sneer grumble mumble urge advise offer go finish propose protest object retort read recall
    roar grin chuckle nod drawl grunt moan sob stammer stutter bark snarl breathe counter muse
    """
)
"""What may stand beside the very words that were spoken."""

THOUGHT = word_set(
    """
    think believe know feel guess suppose assume figure reckon suspect imagine bet understand realize realise see
    hear notice find discover learn remember recall recognize recognise gather conclude presume mean prove show
    demonstrate indicate hold sense read determine calculate guarantee predict
    """
)
"""What people do that think, find or know that something is so."""

ASSERTING = SPEECH | THOUGHT

HEARERS = word_set(
    """
    tell inform remind assure warn notify show promise teach persuade convince advise guarantee bet
    """
)
"""Verbs that name the hearer before the clause: "told me that"."""

DENYING = word_set(
    """
    deny doubt pretend wish disbelieve disprove refute reject dispute lie forget dream fake disagree
    """
)
NOT_ASSERTING = word_set(
    """
    hope fear expect worry wonder demand request require propose recommend ask order urge pray intend insist prefer
    want desire beg command decide ensure dread anticipate trust question check verify advise care mind love hate
    like appreciate regret wait arrange plan move rule stipulate
    """
)
"""Verbs whose clause is wished for, feared, ordered or asked about: alone it would say that it is so."""

DIRECTIVE = word_set("suggest insist propose recommend advise")
"""With "that he go" these order, with "that he went" they say."""

LOOSE_BELIEFS = word_set(
    "think believe assume figure suppose guess suspect imagine bet reckon mean feel understand presume"
)
"""In the first person and the past these often say that it was not so: "I thought you were in Rome"."""

OTHERS = word_set("they you youd some many most people lot lots folks everyone everybody anybody ppl dudes")
"""What “some people think” is told to show that they are wrong, as often as not."""
BELIEFS = word_set("think believe assume imagine feel figure suppose")

POINTS = word_set(
    "point problem fact truth thing reality conclusion feeling guess belief opinion view news issue catch"
)
"""Nouns that are said to be a clause: “The truth is that …”."""

SURE = word_set("sure certain positive convinced confident aware afraid clear obvious true evident apparent plain")
"""Adjectives whose clause is held to be so."""

NO_SURENESS = word_set(
    """
    possible likely unlikely impossible improbable probable false untrue doubtful unsure uncertain essential
    important necessary vital imperative crucial unaware
    """
)

SEEMING = word_set("seem appear turn")
LIKE_VERBS = word_set("feel look sound seem appear")
"""With "like" and a clause: "It looks like he is late"."""

IMPERATIVES = word_set("note remember notice see")
"""May be told to somebody without a change in what is so: "Remember that it is late"."""

OPENERS = word_set("think guess suppose thought guessed bet figured sounds seems looks turns feels looked sounded sure")
"""May come without their subject: "Guess he's late"."""

PARTICLES = {"turn": "out", "point": "out", "find": "out", "figure": "out"}

DENYING_ADVERBS = word_set(
    """
    never hardly scarcely barely rarely seldom wrongly falsely mistakenly erroneously incorrectly almost nearly only
    no neither nor once so hopefully supposedly allegedly
    """
)
DENYING_SUBJECTS = word_set("not nobody no-one none nothing neither few little no noone hardly")
