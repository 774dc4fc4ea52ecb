"""Common words by the places in which they can stand, from which `infill` draws."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.wordnet import default_lexicon, frequency

if TYPE_CHECKING:
    from litotes.languages.tree import Token


_VERBS = {
    # With an object; the first part of the name is who does it, the second whom or what it is done to.
    # Those that are "not going on" are not used for what is: no "he is wanting a box".
    "person>thing": "buy sell carry hold drop lift push pull clean wash paint draw hide steal break repair destroy "
    "photograph examine collect cover throw admire burn check order borrow",
    "person>thing not going on": "want need own like love hate prefer miss remember lose find",
    "person>food": "buy sell order smell serve steal share cook eat prepare throw burn",
    "person>food not going on": "want like love hate prefer need",
    "person>person": "help follow watch ignore attack visit push hug kiss blame praise criticize protect teach "
    "call warn invite avoid chase hurt photograph describe mention interview",
    "person>person not going on": "see know love hate like need trust fear admire remember recognize miss respect envy",
    "person>text": "read write hear publish copy translate discuss ignore study collect repeat",
    "person>text not going on": "know like love hate understand remember believe prefer need",
    "person>idea": "mention describe discuss ignore consider explain study avoid accept reject examine support "
    "question choose celebrate announce regret",
    "person>idea not going on": "understand need want remember forget like hate fear prefer notice",
    "person>any": "describe mention ignore discuss choose avoid",
    "person>any not going on": "remember forget need notice like hate find",
    "animal>thing": "chase carry watch smell drop catch guard push hide lick follow",
    "animal>living": "chase follow watch attack bite ignore scare lick guard",
    "thing>person": "surprise frighten hurt help confuse amuse bore disappoint please annoy",
    "thing>thing": "damage destroy cover protect hide improve replace change touch burn",
    "thing>idea": "change affect improve explain reflect prevent cause support include require describe replace",
    "person>body": "wash hurt rub scratch cover burn cut warm touch",
    # With two objects.
    "two objects": "give send show offer bring sell lend hand buy promise pass",
    # Without an object.
    "person": "sleep wait laugh cry smile sing dance talk rest work sit stand jump shout pray read yawn wave cough eat "
    "drink smoke complain swim",
    "animal": "sleep run jump eat rest play wait sit stand swim walk hide drink",
    "thing": "disappear change stop fail improve return end start move",
    "motion": "walk run march crawl jump hurry wander ride drive race swim climb dance slide roll",
    "animal motion": "walk run crawl jump hurry wander race swim",
    # With a clause.
    "that": "say think believe know hope claim admit doubt remember forget announce assume deny fear imagine notice "
    "discover realize dream swear insist promise predict suspect complain argue explain",
    "whether": "know wonder ask remember forget see discover explain understand",
    "to": "try hope decide plan refuse agree expect forget promise fail",
    "to not going on": "want hate love prefer need",
    "whom to": "ask tell want force allow encourage help persuade expect order urge invite teach forbid",
    "ing": "enjoy start stop avoid hate love like finish consider continue quit miss imagine practice",
    # With a preposition.
    "about": "talk think complain ask read write worry argue joke dream learn",
    "for": "wait look ask pay search vote work apply pray hope fight",
    "at": "look laugh shout smile point wave yell stare",
    "to-": "listen talk write speak reply lie pray",
    "with": "agree argue play work live fight dance talk compete cooperate",
    "of": "think hear dream approve complain die",
    "from": "return escape come run hide",
    "on": "depend rely insist focus concentrate work comment",
}

_ADJECTIVES = {
    "person": "angry brave busy calm careful clever curious famous friendly funny generous gentle happy healthy honest "
    "hungry kind lazy lonely lucky nervous old patient polite poor popular proud quiet rich rude sad serious shy sick "
    "strong stupid tall thin tired weak wise young",
    "animal": "big small young old hungry fast fat thin brown black white wild dangerous friendly lazy sick tired",
    "group": "big small famous happy poor rich strange young old strong quiet proud tired",
    "thing": "big black blue broken cheap clean cold dark dirty dry empty expensive green heavy hot large long new old "
    "red round short small soft strange strong thick thin warm wet white yellow beautiful ugly",
    "food": "hot cold sweet cheap expensive fresh dry warm delicious bitter old",
    "place": "quiet beautiful dangerous dark empty famous old small large strange clean dirty cold warm new busy",
    "idea": "strange important interesting terrible surprising secret famous wonderful boring dangerous ordinary",
    "time": "long short quiet strange cold hot boring difficult beautiful terrible busy wonderful",
    "body": "dirty clean dry wet long short beautiful strange",
    "it": "strange important dangerous expensive obvious difficult boring useful true normal rare interesting serious "
    "cheap surprising common necessary illegal possible beautiful funny sad stupid new",
    "of": "afraid proud tired jealous aware ashamed sure",
    "to": "happy ready afraid eager glad proud sorry willing able free sad",
    "it to": "important easy dangerous difficult strange necessary possible useful nice wrong safe cheap expensive "
    "stupid hard illegal",
    "it that": "strange important obvious possible true sad likely clear funny interesting certain",
    "about": "happy angry worried nervous serious sad curious excited wrong confident",
    "with": "happy angry familiar busy patient careful friendly",
    "for": "famous ready responsible sorry grateful",
    "it for": "useful necessary bad important suitable good",
}
# Their comparatives are rarely heard: "yellower", "emptier".
NOT_COMPARED = frozenset(
    {"black", "blue", "broken", "brown", "empty", "green", "illegal", "necessary", "possible", "red", "round"}
)
NOT_COMPARED |= {"secret", "true", "white", "wild", "yellow", "ordinary", "wrong", "dead"}

_NOUNS = {
    "person": "doctor teacher soldier student farmer lawyer artist sailor nurse driver singer waiter priest tourist "
    "clown neighbor stranger king thief dancer judge engineer scientist baker",
    "someone's": "doctor teacher lawyer neighbor driver student nurse cousin boss partner",
    "animal": "dog cat horse cow goat bird pig rabbit lion monkey duck bear wolf fox snake elephant",
    "clothes": "shirt hat coat dress jacket scarf skirt sweater glove tie shoe",
    "vehicle": "car truck bus boat bicycle train motorcycle taxi van ship",
    "instrument": "guitar piano flute drum violin trumpet",
    "furniture": "table chair lamp mirror bed shelf desk sofa clock carpet",
    "tool": "knife hammer bottle cup bag box key rope ladder bucket umbrella camera pen fork spoon",
    "building": "house hotel school hospital church office restaurant museum prison station library castle bank",
    "part of a building": "door window roof wall",
    "dish": "apple egg sandwich cake pizza orange banana potato tomato cookie onion carrot",
    "food": "bread cheese rice soup meat butter sugar salt chicken",
    "drink": "water milk coffee tea juice beer wine",
    "text": "letter story song question joke poem speech message report book article",
    "event": "game party war race meeting wedding trip fight accident concert",
    "place": "city village forest park garden desert valley town",
    "idea": "idea plan problem theory secret dream mistake opinion answer habit",
    "body": "hand foot arm leg knee shoulder finger nose ear neck",
}

# People and animals are told by the lexicon, which knows more of them.
LIST_OF_NOUN = {
    noun: name
    for name, nouns in _NOUNS.items()
    if name not in {"person", "someone's", "animal"}
    for noun in nouns.split()
}

_ADVERBS = {
    "manner": "quickly slowly carefully quietly loudly happily sadly angrily gently nervously proudly secretly "
    "politely patiently badly easily",
}

_TABLES = {"v": _VERBS, "a": _ADJECTIVES, "n": _NOUNS, "r": _ADVERBS}

# Words so near in meaning that one in the place of the other says the same, though the lexicon does not relate them.
_CLUSTERS = """
look stare glance gaze watch see observe notice peer
talk speak chat say tell
work cooperate
say claim announce state insist argue swear explain admit
think believe assume imagine suspect suppose guess expect
know understand realize remember recognize
like love enjoy admire prefer adore appreciate
want need wish hope desire plan expect
hate dislike fear
buy order purchase collect
buy sell
hold carry lift keep grab
push pull drag throw
clean wash wipe
break destroy damage ruin burn cut
draw paint
hide cover steal
find discover notice see
examine check study consider inspect
mention describe discuss explain say announce
ignore avoid forget
help protect support
attack hurt hit push beat fight
walk run march hurry wander race jog stroll rush hike climb
ride drive
jump dance hop leap
slide roll
start begin
read finish study
cook eat prepare serve bake fry taste
stop quit finish end fail
try attempt plan intend
ask tell order urge invite encourage force persuade
give send hand pass offer bring show
laugh smile
shout yell cry scream
sit stand lie rest wait
eat drink
sleep rest
big large huge great tall long enormous
small little tiny short thin
good nice great fine wonderful beautiful excellent amazing lovely pleasant happy delicious
bad terrible awful horrible wrong sad ugly evil
clever smart intelligent wise bright
happy glad pleased cheerful excited joyful proud lucky
sad unhappy upset lonely sorry depressed
angry mad furious annoyed upset rude
stupid dumb silly foolish crazy ridiculous funny
strange weird odd unusual surprising rare interesting curious
hard difficult tough serious
easy simple
sick ill weak tired
rich wealthy expensive
poor cheap
important necessary essential useful serious major
quiet calm silent gentle shy
kind friendly nice generous gentle polite
afraid scared nervous worried
brave strong
true obvious clear certain sure right possible likely
old ancient
young new fresh
hot warm
cold cool
dark black
wet dirty
dry clean
busy serious careful
hungry thin
famous popular
able ready willing free eager capable
quickly fast rapidly hurriedly
slowly carefully gently quietly patiently
loudly angrily
happily proudly
"""


@lru_cache(maxsize=256)
def pool(pos: str, name: str) -> tuple[tuple[str, float], ...]:
    """The words of a place and the weight of each: the square root of how often it stands in WordNet's texts.

    The root keeps the few most frequent words from being drawn every time.

    >>> dict(pool("n", "vehicle"))["car"] > dict(pool("n", "vehicle"))["motorcycle"] > 0
    True
    """
    return tuple((word, (1 + frequency(word, pos)) ** 0.5) for word in _TABLES[pos][name].split())


@lru_cache(maxsize=64)
def words(pos: str, name: str) -> frozenset[str]:
    """The words of a place."""
    return frozenset(_TABLES[pos][name].split())


def near(word: str) -> frozenset[str]:
    """The words of its clusters."""
    return _clusters().get(word, frozenset())


@lru_cache(maxsize=1)
def _clusters() -> dict[str, frozenset[str]]:
    """Each word with all words of its clusters."""
    found: dict[str, frozenset[str]] = {}
    for line in _CLUSTERS.strip().splitlines():
        cluster = frozenset(line.split())
        for word in cluster:
            found[word] = found.get(word, cluster) | cluster
    return found


_PEOPLE = frozenset(
    "i you he she we they me him her us them who whom someone somebody everyone everybody anyone anybody nobody "
    "people one mine yours guys".split()
)
_ANYTHING = frozenset("it this that these those what which something anything everything nothing".split())
# WordNet's lexicographer files by what their words are.
_KINDS = {5: "animal", 6: "thing", 8: "body", 10: "text", 13: "food", 14: "group", 15: "place", 17: "place"}
_KINDS |= {18: "person", 20: "thing", 27: "thing", 28: "time"}
_KIND_OF_WORD = {"person": "person", "man": "person", "animal": "animal", "human": "person", "guy": "person"}
_KIND_OF_WORD |= {"group": "group", "food": "food", "couple": "group", "plant": "thing"}
_KIND_OF_WORD |= dict.fromkeys(("egg", "fish", "chicken", "turkey", "lamb", "salmon", "shrimp", "crab", "duck"), "food")
# The most frequent sense of "table" is a group of figures.
for _list in ("clothes", "vehicle", "instrument", "furniture", "tool"):
    _KIND_OF_WORD |= dict.fromkeys(words("n", _list), "thing")
_PLACES = words("n", "place") | words("n", "building")


def kind(token: Token) -> str:
    """What a noun or pronoun stands for: person, animal, thing, food, text, place, body, group, time, idea or any.

    >>> from litotes.languages.en.parser import parse
    >>> [kind(token) for token in parse("she it dogs car bread idea London Monday")][:6]
    ['person', 'any', 'animal', 'thing', 'food', 'idea']
    """
    lower = token.lower_
    if lower in _PEOPLE:
        return "person"
    if lower in _ANYTHING or token.pos_ in {"PRON", "DET", "NUM"} or token.is_upper:
        return "any"
    return _kind_of_noun(token.lemma_.lower(), token.pos_ == "PROPN")


@lru_cache(maxsize=16_384)
def _kind_of_noun(lemma: str, is_name: bool) -> str:
    if lemma in _PLACES:
        return "place"
    if lemma in _KIND_OF_WORD and not is_name:
        return _KIND_OF_WORD[lemma]
    senses = default_lexicon().senses(lemma, "n")
    if not senses:
        return "person" if is_name else "any"
    found = _KINDS.get(senses[0].synset.lexfile, "idea")
    # A name that is also a word: Tom is a cat, Mark a unit of money; nobody is called "idea".
    return "person" if is_name and found not in {"place", "group"} else found
