"""Which verbs can change their voice, and with what around them: lists, for a parser cannot know."""

from __future__ import annotations

from litotes.languages.base import word_set

NO_PASSIVE = word_set(
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

FORCED = word_set(
    "know remember forget understand believe doubt need recall imagine own possess study learn try notice"
)
"""States that sound forced with "by me", "by you" or "by us", whatever their object."""

STATES = FORCED | word_set(
    """
    love hate see hear enjoy prefer trust respect admire fear miss dislike recognize recognise appreciate adore
    dread deserve despise cherish value support suspect
    """
)
"""Verbs of a state or of the mind: "You are loved by me" will do, "It is needed by me" will not."""

INFINITIVE_AFTER_OBJECT = word_set(
    """
    ask tell order force allow permit encourage persuade convince advise invite teach request require urge warn
    remind instruct enable cause beg forbid train hire pay motivate inspire compel oblige push challenge dare lead
    appoint elect authorize authorise tempt trick command direct assign choose select recruit send design condition
    programme program prompt coax pressure induce entitle empower bribe call summon implore exhort train expect
    believe consider know
    """
)
"""With object and infinitive: "They asked her to sing" → "She was asked to sing"."""

NEEDS_INFINITIVE = word_set("allow expect force enable cause require permit order encourage compel urge oblige")
"""Verbs that mostly have one."""

BARE_INFINITIVE_AFTER_OBJECT = word_set("make see hear notice observe")
"""In the passive the infinitive gets its "to": "They made him go" → "He was made to go"."""

PARTICIPLE_AFTER_OBJECT = word_set("see hear watch notice observe catch find spot keep photograph film show leave")
"""With object and participle: "They saw her singing" → "She was seen singing"."""

ADJECTIVE_AFTER_OBJECT = word_set(
    """
    make paint keep find leave consider call declare render turn hold prove deem dye drive wipe shoot bury pronounce
    label brand beat set judge believe report rate
    """
)
"""With object and adjective: "They painted it red" → "It was painted red"."""

NOUN_AFTER_OBJECT = word_set(
    """
    elect call name make consider appoint crown dub declare christen nickname vote proclaim label deem pronounce
    title
    """
)
"""With object and noun: "They call him Tom" → "He is called Tom"."""

GIVEN_TO = word_set(
    """
    give send show tell teach offer lend hand pass pay sell throw read write bring feed serve award grant promise
    mail assign toss loan deliver ship slip
    """
)
"""Two objects, and "to": "gave him a book", "gave a book to him"."""
MADE_FOR = word_set(
    """
    buy make cook find build order bake knit draw sing prepare fetch pour choose play sew book
    """
)
"""Two objects, and "for": "bought him a book", "bought a book for him"."""
ASKED_OF = word_set("ask deny refuse forgive fine charge allow tip bet spare")
"""Two objects of which only the first becomes a subject: "I was asked a question"."""

WITH_PREPOSITION: dict[str, frozenset[str]] = {
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
"""Verbs whose preposition stays behind: "laughed at him" → "he was laughed at"."""

WITHOUT_OBJECT = word_set(
    """
    look laugh listen deal rely talk care approve disapprove account stare yell scream attend cater cope interfere
    experiment tamper meddle step bark sneer smile wink glance gaze frown object react reply adhere prey spy dote
    growl jeer honk dispose dispense lie comment
    """
)
"""Verbs of the list above that have no object of their own; what the parser takes for one is an adverbial."""

IDIOM_WITH_PREPOSITION: dict[tuple[str, str], frozenset[str]] = {
    ("take", "care"): frozenset({"of"}),
    ("make", "fun"): frozenset({"of"}),
    ("take", "advantage"): frozenset({"of"}),
    ("make", "use"): frozenset({"of"}),
    ("pay", "attention"): frozenset({"to"}),
    ("lose", "sight"): frozenset({"of"}),
    ("take", "notice"): frozenset({"of"}),
    ("take", "note"): frozenset({"of"}),
}
"""Verb, noun and preposition that go as one: "is taken care of"."""

_LIGHT: dict[str, str] = {
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
LIGHT_OBJECTS = {verb: frozenset(nouns.split()) for verb, nouns in _LIGHT.items() if nouns}
"""Objects with which a verb makes an idiom: the nouns are not acted upon."""

IDIOMS_WITH_RECEIVER = word_set("birth way rise damn shit fuck hell crap try go f crack shot time finger bird break")
"""What is given to nobody, whatever the words say: "gave it a try"."""
BARE_IDIOMS = word_set("make take give do pay lose catch keep gain show lead set hold cast wage draw attract")
"""With a bare noun they mostly make an idiom: "take shape", "cast doubt"."""

MEASURES = word_set(
    """
    mile hour minute day week month year second meter metre kilometer kilometre foot inch pound kilo kilogram gram
    ton dollar cent yen euro buck percent % time times way moment while morning night evening afternoon weekend
    today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday summer winter spring
    autumn century decade distance degree lap step yard o'clock january february march april june july august
    september october november december season lifetime point points
    """
)
"""Heads of objects that measure the action instead of taking part in it."""

AMOUNTS = word_set(
    "lot lots bit much little more less most enough so well what plenty tad ton tons deal bunch whatever"
)
"""Heads of objects that say how much."""

PLACING = word_set(
    """
    put place pour lay set stick throw drop hang insert toss hurl smear rub pin attach install store
    """
)
"""Verbs that must say where something goes."""

PUTTING = PLACING | word_set(
    """
    put place pour lay set stick throw drop spread load hang insert dip mix pack stuff sprinkle shove push pull hurl
    toss cut chop crack rub smear fold pin tie install apply add attach drag drive send lead take bring carry move
    lift turn transfer hammer hide store bury plant park roll cook fry boil bake slide dump squeeze shake stir whisk
    beat bounce wrap drain dunk empty slice tape press kick roast melt soak grill park pass
    """
)
"""Verbs of bringing something somewhere: where it goes is close to them."""

GOALS = word_set("to into onto toward towards from off out as of through across down up")
"""Prepositions of phrases that are close to the verb."""

BEHIND_AUXILIARY = word_set(
    """
    always never often sometimes usually already still just also really probably certainly actually finally recently
    once now then soon rarely seldom ever even simply apparently obviously clearly definitely generally normally
    currently only hardly barely nearly almost truly literally honestly eventually constantly continually frequently
    likely hopefully occasionally immediately suddenly later thus therefore instead maybe perhaps possibly again yet
    long basically typically mostly mainly previously originally initially ultimately long-since merely
    """
)
"""Adverbs of time, truth and degree: they stand behind the first auxiliary, those of manner before the participle."""

DONE_WITH = word_set(
    """
    cut chop slice hit stir rinse wash clean spray open break kill shoot fill cover wipe dry draw paint write fix
    dig scrub brush strike tie season sprinkle decorate beat mix whack hammer cook eat dice peel coat rub attack
    """
)
"""Verbs whose "with" names the tool or the stuff, whatever the parser hangs it on."""

SCENES = word_set(
    """
    street park room kitchen stage beach field house yard pool garden court road grass snow water forest floor
    ground lawn stadium gym ring ocean sea lake river bar restaurant store shop city town backyard playground
    sidewalk track rink arena sand mud rain sun dark woods desert countryside ramp slope hill mountain rock
    competition race game zoo
    """
)
"""Nouns of places where things happen."""

TAKING = word_set(
    """
    remove erase take pull cut tear wipe steal borrow buy drink eat pick receive drain throw extract
    """
)
"""Verbs of taking something from somewhere."""

TAKING_TO = word_set(
    """
    introduce compare add attach connect expose dedicate devote subject invite reduce limit apply report present
    submit return explain announce recommend tie link donate contribute provide refer transfer convey direct address
    reveal suggest propose allocate distribute
    """
)
"""Verbs with object and "to"."""
TAKING_AS = word_set(
    """
    use see regard describe treat view choose know define recognize recognise accept interpret hire
    """
)
"""Verbs with object and "as"."""

CAUSING = word_set(
    """
    make cause ruin destroy change kill attract damage affect require hurt bring delight spoil fill cover hit
    surround scare annoy drive bore surprise shock please disappoint frighten worry inspire threaten ruin upset
    amaze confuse
    """
)
"""What things and feelings do to people."""

MOVING = word_set(
    """
    jump run walk climb go come crawl swim fly slide grind skate ride drive sail hike ski dive step
    """
)
"""With "off", "down" or "up" they say where the way goes: no phrasal verbs."""

TELLING = word_set(
    """
    advise tell ask warn inform question teach remind interview consult lecture quiz notify assure convince accuse
    suspect rob deprive relieve rid cure
    """
)
"""With somebody, and "about" or "of" something."""

TELLING_OF = word_set("inform remind notify assure convince accuse suspect rob deprive relieve cure warn")
"""With somebody, and "of" something."""

NEED_THING = word_set("give show promise offer lend hand award grant send write")
"""With a person alone they are idioms, or short for more: "That will show them"."""

CLOTHES = word_set(
    """
    hat shirt helmet dress coat sweater jacket suit uniform shorts pants jeans skirt bikini costume cap vest hoodie
    robe t-shirt tuxedo wetsuit apron gown outfit jersey scarf glasses sunglasses boots gear
    """
)
"""What people are "in"."""

ON_APART = word_set("turn put try switch take keep leave carry bring pass spur egg cheer lead pull have")
"""Verbs whose "on" can stand after a pronoun: "turned it on", but "hit on her"."""
