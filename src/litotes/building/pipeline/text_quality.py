"""Whether a sentence is one to start from: of a fitting length, clean, and grammatical as far as we can tell."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.syntax.question_tags import tag_of
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.en.grammar.clauses import spliced_clause

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_WORD = re.compile(r"[\w'’]+")
_ENDS_WELL = re.compile(r"[\w.!][\"”']?$")
_ODD = re.compile(
    r"https?:|www\.|[\[\]{}<>|\\^~*_#@=]|&\w+;|/[rsu]/|(?:^|\s)/|\.\.|…|!!|\?|[^\x00-\u02ff‘’“”–—]|  |(.)\1\1|:|;|-{2}"
    r"| [-+–.,!]|\w[-–] |\w/\w|\d+(?!st\b|nd\b|rd\b|th\b|s\b)[a-z]+|-?\)$|\"\"|\w\(|,\w|\.[A-Za-z]{2}"
)
_DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_SHOUTED = re.compile(r"\b[A-Z]{4,}\b")
_CAPITALS = re.compile(
    r"\bi\b(?!\.)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:english|american|european|british|german|french"
    r"|russian|chinese|canadian|mexican|america|europe|canada|england|germany|russia|china|christmas|god)\b"
    r"|[a-z0-9] (?:This|That|The|It|It's|He|She|They|We|You|There|But|And|So|If|When|What|Is|Are)\b"
    r"|\b(?:Mt|Mr|Mrs|Ms|Dr|St|No|Jr)\.$"
)
"""Written without care for capitals, or cut off at an abbreviation."""
_MISTAKEN = re.compile(
    r"\b(?:should|could|would|must|might) of\b|\byour (?:an?|the|welcome|so|right|not|going|just)\b"
    r"|\bits (?:an?|the|not|so|just|been|too|like|very|really|\w+ing)\b"
    r"|\b(?:more|less|better|worse|rather|other) then\b|\bthere own\b|\btheir (?:is|are|was|were)\b"
    r"|\bto (?:much|many|bad)\b|\b(?:but|and|or), (?!\w+(?: \w+){0,4},)"
    r"|^(?:kind of|sort of|too bad|plot twist|fun fact|props to|good luck|no wonder|not|at least|at best)\b"
    r"|^(?:how come|how dare|how about|bet|wish|hope|sucks|guess|thank you|thanks,)(?!\w)|\bso (?:glad|happy|sad) it\b"
    r"|\blets (?:just |all )?\w|\bwhos\b|\balot\b|\bkind've\b|\bdid \w+ed\b|\bloosing\b|\bit['’]s own\b",
    re.IGNORECASE,
)
_CHAT = frozenset(
    """u ur ya yall y'all im ive dont cant wont didnt doesnt isnt wasnt thats whats youre theyre gonna wanna gotta
    kinda sorta dunno lemme gimme cuz 'cause coz tho thru lol lmao lmfao rofl omg wtf tbh tbf imo imho idk ngl smh
    irl af btw fyi ok k yeah yea yep yup nah nope hmm hm uh um ugh meh haha hahaha heh ha wow oh ah aw aww yay ooh
    mmh hey hi huh eh whoa bruh ain't ain’t hes shes lil em 'em ’em rn fr ppl bc pls plz thx thnx etc ie eg vs dm
    pm op ama til eli nsfw mod mods sub subs subreddit subreddits upvote upvotes downvote downvotes upvoted
    downvoted reddit redditor redditors repost karma flair everytime eachother atleast aswell infact""".split()
)
_NEW_WORDS = frozenset(
    """app apps cop cops screenshot screenshots username podcast podcasts website websites online offline stats meds
    burger burgers tattoo tattoos ad ads mic fiancé fiancée crypto screenshotted podcaster youtuber emoji emojis
    paycheck paychecks marijuana relatable cringey cringy smartphone smartphones whilst selfie selfies influencer
    blog blogs vlog meme memes wifi streaming livestream teammate teammates workout workouts""".split()
)
"""Younger than the dictionary."""
_PREFIXES = ("off", "out", "un", "re", "over", "under", "mis", "non", "pre", "super")
_SUFFIXES = ("s", "ly", "ing", "ed", "er", "ers", "able", "ness", "ish", "less", "like")
_LONG_ENOUGH = 4
"""Letters of a word that another may be made of."""
_CALLS = frozenset({"man", "dude", "bro", "buddy", "mate", "sir", "guys", "folks"})
"""What somebody is called while one talks to him; as a subject or object they need an article."""
_NO_COMMANDS = frozenset(
    "love hate hope like want need sound seem feel thank guess wonder doubt mean wish miss agree appreciate".split()
)
"""Verbs that begin a sentence whose “I” was left out rather than a command."""
_LEFT_ASIDE = frozenset({"dobj", "attr", "dep", "appos", "nmod", "oprd", "meta", "intj"})


@lru_cache(maxsize=1)
def _cursing() -> re.Pattern[str]:
    listed = (files("litotes.building") / "data" / "cursing.txt").read_text("utf-8").split()
    return re.compile(rf"\b(?:{'|'.join(listed)})", re.IGNORECASE)


def words(text: str) -> int:
    """How many words a text has.

    >>> words("It isn't bad, is it?")
    5
    """
    return len(_WORD.findall(text))


def has_cursing(text: str) -> bool:
    """Whether a text curses, insults or speaks of what not everybody wants to read."""
    return _cursing().search(text) is not None


def is_clean(text: str) -> bool:
    """Whether a text looks like a written sentence: a capital, no signs, no chat, none of the common mistakes.

    >>> is_clean("The soup was cold when it came."), is_clean("lol the soup was cold"), is_clean("Cold soup!!! :)")
    (True, False, False)
    """
    return (
        text[:1].isupper()
        and _ENDS_WELL.search(text) is not None
        and _ODD.search(text) is None
        and _DOUBLED.search(text) is None
        and _SHOUTED.search(text) is None
        and _CAPITALS.search(text) is None
        and _MISTAKEN.search(text) is None
        and not any(mark in text for mark in '"“”')
        and text.count("(") == text.count(")")
        and not any(word in _CHAT for word in _WORD.findall(text.lower()))
    )


def is_grammatical(sentence: Sentence) -> bool:
    """Whether a parsed text is one whole sentence of known words: a finite verb with a subject, or an imperative."""
    if len(sentence.spans) != 1 or tag_of(sentence.doc) is not None:
        return False
    root = sentence.roots[0]
    if root.pos_ not in {"VERB", "AUX"} or not _is_clause(root) or spliced_clause(root) is not None:
        return False
    return not any(_is_aside(child, root) for child in root.children) and all(
        _is_known(token) for token in sentence.doc
    )


def name_fits(sentence: Sentence, name: str) -> bool:
    """Whether a name that was put in for another stands where one person's name can: no “the Jo”, no “Jo are”."""
    return all(_is_person(token) for token in sentence.doc if token.text == name)


def _is_clause(root: Token) -> bool:
    """Whether it stands by itself: with a subject before the verb, or as a command."""
    group = verb_group(root)
    if group.subject is not None:
        is_asked = group.subject.tag_ in {"WP", "WDT"} and group.subject.dep_ != "csubj"
        return group.is_finite and not group.is_inverted and not is_asked
    is_command = root.tag_ == "VB" and root.lemma_ not in _NO_COMMANDS
    return is_command and all(token.lemma_ == "do" for token in group.auxiliaries)


def _is_aside(child: Token, root: Token) -> bool:
    """Whether something makes less than a sentence of it, or stands beside it: “Because …”, “So smart, it …”."""
    if child.dep_ == "intj" and child.lower_ in {"yes", "no", "well", "please"}:
        return False
    if child.dep_ in {"mark", "dep", "meta", "intj"}:
        return child.i < root.i or child.dep_ == "dep"
    if child.tag_ == "WRB" and child.dep_ == "advmod":
        return True  # “When you have five minutes left.”
    if child.i > root.i or child.dep_ in SUBJECT_DEPS or child.tag_.startswith("W"):
        return False
    if child.dep_ in {"ccomp", "parataxis"}:
        return True  # “Thank you for coming, we had a nice day.”
    if child.pos_ == "ADJ":
        return child.dep_ not in {"advmod", "npadvmod", "prep"}
    return child.dep_ in _LEFT_ASIDE and not any(one.tag_.startswith("W") for one in child.subtree)


def _is_known(token: Token) -> bool:
    lower = token.lower_
    if lower == "cause" and token.pos_ not in {"NOUN", "VERB"}:
        return False  # for “because”
    if (
        lower in _CALLS
        and not any(True for _ in token.lefts)
        and (lower not in {"guys", "folks"} or _is_set_off(token))
    ):
        return False
    if token.pos_ == "PROPN":
        return token.text[:1].isupper()
    if token.i + 1 < len(token.doc) and token.doc[token.i + 1].lower_ in {"n't", "n’t", "not"}:
        return True  # “wo” and “ca” are what a parser makes of “won't” and “can't”
    if token.i and token.text[:1].isupper():
        return True  # a name, whatever the parser takes it for
    return not lower.isalpha() or (len(lower) == 1 and lower in "ai") or _is_english(lower)


@lru_cache(maxsize=16_384)
def _is_english(word: str) -> bool:
    """Whether a word is known, new, or made of two that are: “unironically”, “offseason”."""
    if len(word) > 1 and (is_word(word) or word in _NEW_WORDS):
        return True
    stems = [word.removeprefix(one) for one in _PREFIXES] + [word.removesuffix(one) for one in _SUFFIXES]
    if any(len(stem) >= _LONG_ENOUGH and stem != word and is_word(stem) for stem in stems):
        return True
    places = range(_LONG_ENOUGH, len(word) - _LONG_ENOUGH + 1)
    return any(is_word(word[:place]) and is_word(word[place:]) for place in places)


def _is_set_off(token: Token) -> bool:
    """Whether a comma or the end of the sentence stands beside a word."""
    around = token.doc.tokens[max(0, token.i - 1) : token.i + 2]
    return token.i == 0 or len(around) < 3 or any(one.is_punct for one in around)


def _is_person(token: Token) -> bool:
    if any(True for _ in token.lefts) or token.pos_ not in {"PROPN", "NOUN"}:
        return False
    if token.dep_ in {"compound", "nmod", "amod", "det"}:
        return False  # half of a longer name, or of something named after someone
    if token.dep_ not in SUBJECT_DEPS:
        return True
    if any(child.dep_ == "conj" for child in token.children):
        return True
    return verb_group(token.head).first.tag_ != "VBP" and verb_group(token.head).first.lower_ != "were"
