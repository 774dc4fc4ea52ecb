"""Valency: the objects, complements and prepositions that verbs take, and the idioms that they form."""

from __future__ import annotations

from litotes.languages.base import word_set

NO_PASSIVE_VERBS = word_set(
    """
    have get cost weigh resemble lack fit suit become mean want wish let belong seem appear remain stay last equal
    contain total befit number marry meet quit exit flee escape elude await think guess hope suppose feel wonder bet
    afford care matter happen occur exist consist depend differ agree disagree go come be arrive depart fall rise
    sit lie sleep live die smile cry sneeze cough nod bow blush wander hurry rush proceed refuse manage mind fancy
    regret long stand bear outlive predate survive wait owe envy dream leave like include comprise involve
    constitute near pose spend undergo gain lose attempt tend fail end graduate date yield suffice suck travel
    realize realise swim taste smell sound look rid got gonna wanna gotta ’ ' s ai suffer
    """
)
"""Verbs whose passive is wrong, odd or means something else."""

FORCED_PASSIVE_VERBS = word_set(
    "know remember forget understand believe doubt need recall imagine own possess study learn try notice"
)
"""Verbs of states that sound forced with "by me", "by you" or "by us", whatever their object."""

EXPERIENCE_VERBS = FORCED_PASSIVE_VERBS | word_set(
    """
    love hate see hear enjoy prefer trust respect admire fear miss dislike recognize recognise appreciate adore
    dread deserve despise cherish value support suspect
    """
)
"""Verbs of mental states: "You are loved by me" is possible, "It is needed by me" is not."""

INFINITIVE_AFTER_OBJECT = word_set(
    """
    ask tell order force allow permit encourage persuade convince advise invite teach request require urge warn
    remind instruct enable cause beg forbid train hire pay motivate inspire compel oblige push challenge dare lead
    appoint elect authorize authorise tempt trick command direct assign choose select recruit send design condition
    programme program prompt coax pressure induce entitle empower bribe call summon implore exhort train expect
    believe consider know
    """
)
"""Verbs with an object and an infinitive: "They asked her to sing", "She was asked to sing"."""

INFINITIVE_VERBS = word_set("allow expect force enable cause require permit order encourage compel urge oblige")
"""Verbs that usually have an object and an infinitive."""

BARE_INFINITIVE_AFTER_OBJECT = word_set("make see hear notice observe")
"""Verbs with a bare infinitive, which requires "to" in the passive: "They made him go", "He was made to go"."""

PARTICIPLE_AFTER_OBJECT = word_set("see hear watch notice observe catch find spot keep photograph film show leave")
"""Verbs with an object and a participle: "They saw her singing", "She was seen singing"."""

ADJECTIVE_AFTER_OBJECT = word_set(
    """
    make paint keep find leave consider call declare render turn hold prove deem dye drive wipe shoot bury pronounce
    label brand beat set judge believe report rate
    """
)
"""Verbs with an object and an adjective: "They painted it red", "It was painted red"."""

NOUN_AFTER_OBJECT = word_set(
    """
    elect call name make consider appoint crown dub declare christen nickname vote proclaim label deem pronounce
    title
    """
)
"""Verbs with an object and a noun: "They call him Tom", "He is called Tom"."""

GIVING_VERBS = word_set(
    """
    give send show tell teach offer lend hand pass pay sell throw read write bring feed serve award grant promise
    mail assign toss loan deliver ship slip
    """
)
"""Verbs with two objects, or one and "to": "gave him a book", "gave a book to him"."""
MAKING_VERBS = word_set("buy make cook find build order bake knit draw sing prepare fetch pour choose play sew book")
"""Verbs with two objects, or one and "for": "bought him a book", "bought a book for him"."""
DOUBLE_OBJECT_VERBS = word_set("ask deny refuse forgive fine charge allow tip bet spare")
"""Verbs with two objects of which only the first becomes a subject: "I was asked a question"."""

PREPOSITIONAL_VERBS: dict[str, frozenset[str]] = {
    verb: frozenset(prepositions.split(","))
    for verb, prepositions in (
        entry.split(":")
        for entry in """
        look:after,at,into laugh:at listen:to deal:with rely:on,upon talk:about,to speak:to care:for approve:of
        disapprove:of pay:for ask:for call:for account:for stare:at shout:at yell:at scream:at shoot:at point:at
        refer:to operate:on agree:on,upon comment:on attend:to cater:to cope:with interfere:with experiment:with
        tamper:with meddle:with play:with step:on bark:at sneer:at swear:at smile:at wave:at wink:at whistle:at
        glance:at gaze:at frown:at search:for vote:for argue:about joke:about write:about believe:in object:to
        respond:to react:to reply:to adhere:to prey:on spy:on pick:on trample:on dispose:of dispense:with pray:for
        lie:to sing:about,to dote:on growl:at jeer:at honk:at root:for fight:over,for bet:on bump:into
        """.split()
    )
}
"""Verb → prepositions that stay behind in the passive: "laughed at him", "he was laughed at"."""

PREPOSITIONAL_ONLY_VERBS = word_set(
    """
    look laugh listen deal rely talk care approve disapprove account stare yell scream attend cater cope interfere
    experiment tamper meddle step bark sneer smile wink glance gaze frown object react reply adhere prey spy dote
    growl jeer honk dispose dispense lie comment
    """
)
"""Prepositional verbs without a direct object; phrases that the parser labels as objects are adverbials."""

PREPOSITIONAL_IDIOMS: dict[tuple[str, str], frozenset[str]] = {
    ("take", "care"): frozenset({"of"}),
    ("make", "fun"): frozenset({"of"}),
    ("take", "advantage"): frozenset({"of"}),
    ("make", "use"): frozenset({"of"}),
    ("pay", "attention"): frozenset({"to"}),
    ("lose", "sight"): frozenset({"of"}),
    ("take", "notice"): frozenset({"of"}),
    ("take", "note"): frozenset({"of"}),
}
"""(verb, noun) → prepositions of idioms that are passivised as one verb: "is taken care of"."""

_LIGHT_OBJECTS: dict[str, str] = {
    "take": """place part care walk break bath shower nap seat look turn time day breath interest pride pleasure
        form shape effect rest it guess sip dive leap ride swim moment while hour year minute week
        month second stroll bow root toll issue cover charge aim heart stab dip stance bite drag
        hike tumble back swing word leave side offense offence""",
    "make": """sense fun love way room friend living faces face mind peace bed money it difference life point will
        breast light use trouble history headway debut contact eye comeback ends mark round""",
    "do": """thing best good well justice wonder time drug lot anything much favor favour bit business so stuff
        more less same number""",
    "give": """birth way rise try smile damn shit fuck hell crap thought hand look break go hug kiss sigh shrug laugh
        nod wave ride lift start f chance credit hope crack shot""",
    "pay": "attention visit price heed respects dividend",
    "keep": "quiet track eye pace company time watch calm count still word promise secret it mouth head",
    "catch": "fire cold breath sight eye up flu bit",
    "tell": "time difference",
    "play": "fair tag dead catch hooky",
    "change": "name mind color colour clothes place course direction subject hand",
    "shake": "hand head",
    "hold": "hand breath arm water on sway court head arms",
    "stick": "tongue neck",
    "bite": "lip tongue nail",
    "cross": "finger leg arm mind",
    "set": "fire sail foot",
    "lend": "hand ear",
    "jump": "rope queue gun",
    "run": "mile risk errand late water track",
    "turn": "corner curve back color colour age head",
    "blow": "nose kiss",
    "strike": "pose balance chord",
    "draw": "breath near",
    "walk": "aisle mile street road path",
    "see": "point sense doctor light star",
    "show": "sign up",
    "kick": "bucket habit ass",
    "break": "wind sweat bread news",
    "reach": "age point top end",
    "enter": "age phase",
    "raise": "eyebrow brow hand arm",
    "speak": "mind volume",
    "say": "hello goodbye hi bye thank thanks yes no prayer grace much more lot please",
    "serve": "purpose time sentence",
    "beg": "pardon",
    "wear": "smile thin",
    "miss": "point",
    "travel": "world",
    "fly": "solo",
    "ride": "shotgun",
    "sing": "bass tenor soprano alto",
    "fight": "fire",
    "follow": "suit",
    "put": "foot",
    "close": "eye",
    "open": "eye mouth",
    "hit": "road hay sack spot",
    "call": "it",
    "drop": "ball",
    "find": "way time",
    "wish": "luck",
    "hurt": "feeling",
    "practice": "karate",
    "read": "mind",
    "ask": "favor favour",
    "name": "it",
    "move": "location place house home",
    "skip": "beat",
    "cut": "it",
    "mix": "it",
    "help": "it",
    "trip": "ball",
    "pull": "leg",
    "talk": "shop sense business trash",
    "cook": "up",
}
LIGHT_OBJECTS = {verb: frozenset(nouns.split()) for verb, nouns in _LIGHT_OBJECTS.items() if nouns}
"""Verb → objects with which it forms an idiom, in which the verb does not act on the object."""

IDIOMATIC_GIFTS = word_set("birth way rise damn shit fuck hell crap try go f crack shot time finger bird break")
"""Objects of "give" that nobody receives: "gave it a try"."""
BARE_NOUN_IDIOM_VERBS = word_set("make take give do pay lose catch keep gain show lead set hold cast wage draw attract")
"""Verbs that usually form an idiom with a bare noun: "take shape", "cast doubt"."""

PLACING_VERBS = word_set(
    "put place pour lay set stick throw drop hang insert toss hurl smear rub pin attach install store"
)
"""Verbs that require a phrase that says where something goes."""

PUTTING_VERBS = PLACING_VERBS | word_set(
    """
    spread load hang insert dip mix pack stuff sprinkle shove push pull hurl
    toss cut chop crack rub smear fold pin tie install apply add attach drag drive send lead take bring carry move
    lift turn transfer hammer hide store bury plant park roll cook fry boil bake slide dump squeeze shake stir whisk
    beat bounce wrap drain dunk empty slice tape press kick roast melt soak grill park pass
    """
)
"""Verbs of bringing something somewhere; the phrase that says where is close to them."""

TOOL_VERBS = word_set(
    """
    cut chop slice hit stir rinse wash clean spray open break kill shoot fill cover wipe dry draw paint write fix
    dig scrub brush strike tie season sprinkle decorate beat mix whack hammer cook eat dice peel coat rub attack
    """
)
"""Verbs whose "with" names a tool or a material, whatever word the parser attaches it to."""

REMOVAL_VERBS = word_set(
    "remove erase take pull cut tear wipe steal borrow buy drink eat pick receive drain throw extract"
)
"""Verbs of taking something from somewhere."""

TO_COMPLEMENT_VERBS = word_set(
    """
    introduce compare add attach connect expose dedicate devote subject invite reduce limit apply report present
    submit return explain announce recommend tie link donate contribute provide refer transfer convey direct address
    reveal suggest propose allocate distribute
    """
)
"""Verbs with an object and "to"."""
AS_COMPLEMENT_VERBS = word_set(
    "use see regard describe treat view choose know define recognize recognise accept interpret hire"
)
"""Verbs with an object and "as"."""

EFFECT_VERBS = word_set(
    """
    make cause ruin destroy change kill attract damage affect require hurt bring delight spoil fill cover hit
    surround scare annoy drive bore surprise shock please disappoint frighten worry inspire threaten ruin upset
    amaze confuse
    """
)
"""Verbs of effects of things and feelings on people."""

MOTION_VERBS = word_set(
    "jump run walk climb go come crawl swim fly slide grind skate ride drive sail hike ski dive step"
)
"""Verbs of motion: "off", "down" or "up" after them is a direction, not the particle of a phrasal verb."""

TELLING_VERBS = word_set(
    """
    advise tell ask warn inform question teach remind interview consult lecture quiz notify assure convince accuse
    suspect rob deprive relieve rid cure
    """
)
"""Verbs with a person as object and "about" or "of" something."""

TELLING_OF_VERBS = word_set("inform remind notify assure convince accuse suspect rob deprive relieve cure warn")
"""Verbs with a person as object and "of" something."""

TWO_OBJECT_IDIOM_VERBS = word_set("give show promise offer lend hand award grant send write")
"""Verbs that are idiomatic or elliptical with only a person as object: "That will show them"."""

SEPARABLE_ON_VERBS = word_set("turn put try switch take keep leave carry bring pass spur egg cheer lead pull have")
"""Verbs whose "on" may follow a pronoun: "turned it on", but "hit on her"."""
