"""Hypothesis strategies for English clauses and for random texts."""

from __future__ import annotations

from hypothesis import strategies as st

_PRONOUNS = ("I", "You", "He", "She", "It", "We", "They")
_SINGULAR = ("He", "She", "It", "Tom", "The dog", "My sister", "The man in the hat")
_PLURAL = ("You", "We", "They", "The dogs", "My parents", "Tom and Mary", "These two women")
_VERBS = (
    ("see", "sees", "saw", "seen", "seeing", "the river"),
    ("open", "opens", "opened", "opened", "opening", "a box"),
    ("love", "loves", "loved", "loved", "loving", "the old house"),
    ("sing", "sings", "sang", "sung", "singing", "in the garden"),
    ("give", "gives", "gave", "given", "giving", "the boy a book"),
    ("carry", "carries", "carried", "carried", "carrying", "the bag up the stairs"),
    ("do", "does", "did", "done", "doing", "the work"),
    ("bring", "brings", "brought", "brought", "bringing", "it to the table"),
)
_MODALS = ("can", "could", "will", "would", "should", "must", "might")
_STATES = ("glad", "very old", "afraid of dogs", "in the house", "at home", "ready to go")
_ADVERBS = ("", "", "", "really ", "often ")
_ENDS = ("", "", "", " today", " in the morning", " with a friend")
_ENDINGS = {"am": "'m", "are": "'re", "is": "'s", "have": "'ve", "has": "'s", "will": "'ll"}
_WITH_NOT = {"can": "can't", "will": "won't", "Can": "Can't", "Will": "Won't"}


def _choice(draw: st.DrawFn, *choices: str) -> str:
    return draw(st.sampled_from(choices))


@st.composite
def statements(draw: st.DrawFn) -> str:
    """Subject × tense × auxiliaries × negation × contraction × adverb × object."""
    subject = _choice(draw, "I", *_SINGULAR, *_PLURAL)
    third = subject in _SINGULAR
    past, negated = draw(st.booleans()), draw(st.booleans())
    be = (
        ("was" if third or subject == "I" else "were") if past else "am" if subject == "I" else "is" if third else "are"
    )
    base, sees, saw, participle, seeing, complement = draw(st.sampled_from(_VERBS))
    adverb, end = _choice(draw, *_ADVERBS), _choice(draw, *_ENDS)
    form = _choice(draw, "state", "simple", "modal", "progressive", "perfect", "passive", "modal perfect")
    if form == "state":
        auxiliary, tail, adverb = be, _choice(draw, *_STATES), ""
    elif form == "modal":
        auxiliary, tail = _choice(draw, *_MODALS), f"{base} {complement}"
    elif form == "progressive":
        auxiliary, tail = be, f"{seeing} {complement}"
    elif form == "perfect":
        auxiliary, tail = "had" if past else "has" if third else "have", f"{participle} {complement}"
    elif form == "passive":
        auxiliary, tail, adverb = be, "seen by the teacher", ""
    elif form == "modal perfect":
        auxiliary, tail, adverb = _choice(draw, "could", "would", "should"), f"have {participle} {complement}", ""
    elif negated:
        auxiliary, tail = "did" if past else "does" if third else "do", f"{base} {complement}"
    else:
        auxiliary, tail = "", f"{saw if past else sees if third else base} {complement}"
    return f"{_beginning(draw, subject, auxiliary, negated)} {adverb}{tail}{end}."


def _beginning(draw: st.DrawFn, subject: str, auxiliary: str, negated: bool) -> str:
    if not auxiliary:
        return subject
    style = _choice(draw, "full", "n't", "'s")
    if negated and style == "n't" and auxiliary not in {"am", "might"}:
        return f"{subject} {_WITH_NOT.get(auxiliary, f'{auxiliary}n{chr(39)}t')}"
    if style == "'s" and auxiliary in _ENDINGS and subject in _PRONOUNS:
        return f"{subject}{_ENDINGS[auxiliary]}" + " not" * negated
    if negated and auxiliary == "can":
        return f"{subject} cannot"
    return f"{subject} {auxiliary}" + " not" * negated


@st.composite
def questions(draw: st.DrawFn) -> str:
    """Yes/no questions."""
    base, _, _, _, _, complement = draw(st.sampled_from(_VERBS))
    if draw(st.booleans()):
        subject, auxiliary = draw(st.sampled_from((("he", "Is"), ("they", "Are"), ("the dog", "Was"), ("we", "Were"))))
        complement = _choice(draw, *_STATES)
    else:
        subject = _choice(draw, "he", "the dog", "they", "you")
        present = "Does" if subject in {"he", "the dog"} else "Do"
        auxiliary, complement = _choice(draw, "Did", present, "Can", "Will", "Should"), f"{base} {complement}"
    if draw(st.booleans()):
        auxiliary = _WITH_NOT.get(auxiliary, f"{auxiliary}n't")
    return f"{auxiliary} {subject} {complement}?"


@st.composite
def commands(draw: st.DrawFn) -> str:
    """Commands."""
    base, _, _, _, _, complement = draw(st.sampled_from([verb for verb in _VERBS if verb[0] != "love"]))
    what = _choice(draw, f"{base} {complement}", "be careful", "be late again", "go home")
    text = _choice(draw, "", "do not ", "don't ") + what
    return f"{text[0].upper()}{text[1:]}."


@st.composite
def existentials(draw: st.DrawFn) -> str:
    """Existential clauses."""
    be, noun = draw(st.sampled_from((("is", "a man"), ("are", "two dogs"), ("was", "a fire"))))
    negator = _choice(draw, "", "", " not", "n't")
    return f"There {be}{negator} {noun} {_choice(draw, 'in the house', 'behind the wall')}."


supported = st.one_of(statements(), statements(), questions(), commands(), existentials())
"""Constructions whose negation is known to be undone by negating again."""

_WORDS = (
    "a an the I you he she it we they me him her us them his this that these those there here who which what when "
    "where why how is am are was were be been being have has had having do does did done doing can could will "
    "would shall should may might must ought need dare used let let's not n't no never nobody nothing none "
    "neither nor either or and but if because although that to of by with without for from in on at up down out "
    "off over so such too very only even just also still already yet always any some every all each few many much "
    "more most less least said says say think know tell told ask asked give gave given take taken make made see "
    "saw seen go going gone good bad better worst happy old young hot cold open close dog man woman children "
    "people house Tom Mary London cannot can't won't isn't ain't gonna wanna I'm it's he's they're we've she'd "
    "who's y'all please yes yeah well oh lol U.S. Dr. etc. "
).split()
_SIGNS = (
    *". , ; : ? ! ... … - — – ' \" “ ” ‘ ’ ( ) [ ] { } « » / \\ & % $ # @ * _ ~ ^ | < > + =".split(),
    "😀",
    "👩‍👩‍👧",
    "🇩🇪",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "ﬁ",
    "日本語",
    "שלום",
    "مرحبا",
    "\u200b",
    "\u200f",
    "\u202e",
    "\ufeff",
    "\x00",
    "\x1b",
    "\u2028",
    "\t",
    "\n",
    "\r\n",
    "\xa0",
    "3",
    "1,000",
    "2nd",
    "http://a.b/c?d=e",
    "#tag",
    "@user",
    ":-)",
    "<br>",
)
salad = st.lists(
    st.tuples(st.sampled_from((*_WORDS, *_WORDS, *_SIGNS)), st.sampled_from((" ", " ", " ", "", "  ", "\xa0", "\n"))),
    max_size=25,
).map(lambda pairs: "".join(word + blank for word, blank in pairs))
"""Words and punctuation in random order."""

junk = st.one_of(
    st.text(max_size=60), st.text(st.characters(codec="utf-8", exclude_categories=["Ll", "Lu"]), max_size=20), salad
)


@st.composite
def spoiled(draw: st.DrawFn, sentences: st.SearchStrategy[str]) -> str:
    """Sentences with changed spaces or quotes, or without some letters or words."""
    words = draw(sentences).split(" ")
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(0, len(words) - 1))
        how = _choice(draw, "drop", "double", "swap", "capitals", "sign", "blank", "quote", "cut", "emoji")
        if how == "drop" and len(words) > 1:
            del words[index]
        elif how == "double":
            words.insert(index, words[index])
        elif how == "swap":
            words[index], words[0] = words[0], words[index]
        elif how == "capitals":
            words[index] = words[index].upper()
        elif how == "sign":
            words[index] += draw(st.sampled_from(_SIGNS))
        elif how == "blank":
            words[index] += draw(st.sampled_from((" ", "  ", "\t", "\xa0", "\n", "\u2003")))
        elif how == "quote":
            left, right = draw(st.sampled_from(("“”", '""', "''", "()", "**", "‘’")))
            words[index] = f"{left}{words[index]}{right}"
        elif how == "cut":
            words[index] = words[index][: max(1, len(words[index]) // 2)]
        else:
            words.insert(index, "😀")
    return " ".join(words)
