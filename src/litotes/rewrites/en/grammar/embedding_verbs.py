"""The verb over an embedded clause: whether it says that the clause is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litotes.languages.base import word_set
from litotes.languages.en.syntax.verb_groups import NEGATORS, SUBJECTS, verb_group
from litotes.rewrites.base import Skip

if TYPE_CHECKING:
    from litotes.languages.tree import Span, Token


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


NO_CLAUSE = "no-clause"
WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})
FIRST_PERSON = frozenset({"i", "we"})

_BESIDE = SUBJECTS | frozenset(
    "aux auxpass advmod cc intj prep npadvmod punct prt acomp dobj dative xcomp attr".split()
)
"""What may stand beside the verb and its clause, and goes with the verb."""
_POLITELY_SAID = frozenset({"say", "argue", "guess", "add", "bet", "admit", "tell", "swear"})
"""“I would say”, “I must admit”, “I can tell you”."""


def verb_refusal(verb: Token, holder: Token, clause: Token, span: Span) -> Skip | None:
    """Why the clause after this verb cannot be taken alone; None where it can."""
    lemma = lemma_of(verb)
    if not _embeds(verb, holder, clause, lemma):
        code = (
            "denied" if lemma in DENYING else "not-asserted" if lemma in NOT_ASSERTING or _unsure(verb) else NO_CLAUSE
        )
        return Skip(code)
    top = verb.head if verb.dep_ == "xcomp" else verb
    if "?" in span.text or _asks(top):
        return Skip("question")
    if verb_group(top).first.tag_ in {"VBG", "VBN"}:
        return Skip("more")
    refusal = _polarity_refusal((verb, top, holder))
    if refusal is None and not all(
        _may_stand_beside(child, clause, top) for word in (verb, top) for child in word.children
    ):
        refusal = Skip("more")
    if refusal is None:
        subject = verb_group(top).subject
        if subject is None or subject.i > verb.i:
            refusal = None if _may_lack_subject(lemma, span[0]) else Skip("more")
            subject = None
        else:
            refusal = _subject_refusal(subject, lemma, clause)
        refusal = refusal or _mood_refusal(verb, top, clause, subject)
    return refusal


def _asks(verb: Token) -> bool:
    """Whether it is a question that only lacks its mark: “How do you know he is ill.”"""
    group = verb_group(verb)
    if group.is_inverted and group.auxiliaries:
        return True
    return any(
        child.tag_ in WH_TAGS and child.i < verb.i and child.dep_ in {"advmod", "dobj"} for child in verb.children
    )


def _polarity_refusal(words: tuple[Token, ...]) -> Skip | None:
    for child in (child for word in words for child in word.children):
        if child.dep_ == "neg" or child.lower_ in NEGATORS:
            return Skip("negated")
        if child.dep_ == "advmod" and child.lower_ in DENYING_ADVERBS:
            return Skip("denied")
    return None


def _may_lack_subject(lemma: str, first: Token) -> bool:
    following = first.nbor().lower_
    if lemma == "see" and following == "that":
        return False  # “See that the door is shut” is an order
    return lemma in IMPERATIVES or (following if first.lower_ in {"pretty", "just"} else first.lower_) in OPENERS


def _subject_refusal(subject: Token, lemma: str, clause: Token) -> Skip | None:
    words = {subject.lower_, *(child.lower_ for child in subject.children)}
    if not words.isdisjoint(DENYING_SUBJECTS):
        return Skip("denied")
    if subject.tag_ in WH_TAGS:
        return Skip("dependent")
    if lemma in BELIEFS and (not words.isdisjoint(OTHERS) or _is_error(subject, clause)):
        return Skip("not-asserted", "what other people believe is often told to show that they are wrong")
    if clause.dep_ == "advcl" and subject.lower_ not in {"it", "i", "we"}:
        return Skip("not-asserted", "what somebody looks like is not what they are")
    if lemma == "be" and subject.lower_ not in FIRST_PERSON and clause.head.lower_ == "afraid":
        return Skip("not-asserted")
    return None


def _is_error(subject: Token, clause: Token) -> bool:
    """“He thinks that he is a genius”, “They thought I was the doctor”: told since it is not so."""
    own = verb_group(clause).subject
    return subject.lower_ not in FIRST_PERSON and own is not None and own.lower_ in {"he", "she", "they", "i", "we"}


def _may_stand_beside(child: Token, clause: Token, top: Token) -> bool:
    """Whether a part of the main clause can go with it, or stay, without harm."""
    if child.dep_ == "advcl":
        return bool(child.i == clause.i)
    if child.dep_ == "conj":
        # “I think he is ill and she is tired”: a clause with a subject of its own goes on with what is thought.
        subject = verb_group(top).subject
        mine = subject is not None and subject.lower_ in FIRST_PERSON
        return mine and child.i > clause.i and verb_group(child).subject is not None
    return child.i >= clause.i or child.dep_ in _BESIDE


def _embeds(verb: Token, holder: Token, clause: Token, lemma: str) -> bool:
    """Whether the verb says that the clause is so."""
    if clause.dep_ == "advcl":
        return True
    particle = next((child.lower_ for child in verb.children if child.dep_ == "prt"), None)
    if particle is not None or lemma in {"turn", "point"}:
        return PARTICLES.get(lemma) == particle
    if lemma == "be":
        return _is_point_or_sure(verb, holder)
    hearers = [child for child in verb.children if child.dep_ in {"dobj", "dative"} and child.i < clause.i]
    if hearers:
        return lemma in HEARERS and lemma in ASSERTING and len(hearers) == 1
    return lemma in ASSERTING or lemma in SEEMING or verb.lower_ in {"sure", "positive", "certain"}


def _is_point_or_sure(verb: Token, holder: Token) -> bool:
    """“The truth is that …”, “I am sure that …”, “It is clear that …”."""
    subject = verb_group(verb).subject
    if holder.i == verb.i and subject is not None and subject.lemma_ in POINTS:
        return True
    return any(word.lower_ in SURE for word in (holder, *(one for one in verb.children if one.dep_ == "acomp")))


def _unsure(verb: Token) -> bool:
    return any(child.dep_ == "acomp" and child.lower_ in NO_SURENESS for child in verb.children)


def _mood_refusal(verb: Token, top: Token, clause: Token, subject: Token | None) -> Skip | None:
    """Why the clause is not said to be so: modals, orders, and beliefs that one has had."""
    group = verb_group(top)
    person = subject.lower_ if subject is not None else "i"
    modals = [word.lower_ for word in group.auxiliaries if word.tag_ == "MD"]
    if modals:
        mine = person in FIRST_PERSON
        polite = modals[0] in {"would", "'d", "’d", "must", "can", "will", "'ll", "’ll", "should"}
        if not (mine and polite and (lemma_of(verb) in _POLITELY_SAID or top.lemma_ == "like")):
            return Skip("not-asserted")
    if any(word.lower_ == "to" for word in group.auxiliaries):
        return Skip("not-asserted")
    finite = next((word for word in verb_group(clause).auxiliaries), clause)
    if lemma_of(verb) in DIRECTIVE and finite.tag_ in {"VB", "VBP"} and finite.lower_ not in {"am", "is", "are"}:
        return Skip("not-asserted")
    past = group.first.tag_ == "VBD"
    if past and person in FIRST_PERSON and lemma_of(verb) in LOOSE_BELIEFS and not _is_verdict(clause):
        return Skip("contrary")
    return None


def _is_verdict(clause: Token) -> bool:
    """Whether a clause says what something was like: “I thought it was great” is no belief given up."""
    subject = verb_group(clause).subject
    if subject is None or not (subject.lower_ in {"it", "this", "that", "they"} or subject.tag_ in {"NN", "NNS"}):
        return False
    return clause.lower_ in {"was", "were"} and any(child.dep_ == "acomp" for child in clause.children)


def lemma_of(verb: Token) -> str:
    """The verb as the tables have it."""
    lemma = str(verb.lemma_).lower()
    return {"found": "find", "felt": "feel", "saw": "see", "thought": "think"}.get(lemma, lemma)
