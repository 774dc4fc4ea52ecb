"""Filters for source sentences: cleanly written, and grammatical as far as a parser can tell."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from litotes.languages.en.abbreviations import TITLES
from litotes.languages.en.lexicon.misspellings import is_word
from litotes.languages.en.syntax.question_tags import question_tag_of
from litotes.languages.en.syntax.tags import SUBJECT_DEPS
from litotes.languages.en.syntax.verb_groups import verb_group
from litotes.rewrites.en.grammar.clauses import spliced_clause

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_WORD = re.compile(r"[\w'’]+")
_SENTENCE_END = re.compile(r"[\w.!][\"”']?$")
_UNUSUAL = re.compile(
    r"https?:|www\.|[\[\]{}<>|\\^~*_#@=]|&\w+;|/[rsu]/|(?:^|\s)/|\.\.|…|!!|\?|[^\x00-\u02ff‘’“”–—]|  |(.)\1\1|:|;|-{2}"
    r"| [-+–.,!]|\w[-–] |\w/\w|\d+(?!st\b|nd\b|rd\b|th\b|s\b)[a-z]+|-?\)$|\"\"|\w\(|,\w|\.[A-Za-z]{2}"
)
_REPEATED_WORD = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_ALL_CAPITALS = re.compile(r"\b[A-Z]{4,}\b")
_WRONG_CAPITALS = re.compile(
    r"\bi\b(?!\.)|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:english|american|european|british|german|french"
    r"|russian|chinese|canadian|mexican|america|europe|canada|england|germany|russia|china|christmas|god)\b"
    r"|[a-z0-9] (?:This|That|The|It|It's|He|She|They|We|You|There|But|And|So|If|When|What|Is|Are)\b"
    rf"|\b(?:{'|'.join(sorted(TITLES | {'No', 'Jr'}))})\.$"
)
"""Wrong capitals, or a text that ends with an abbreviation."""
_COMMON_MISTAKES = re.compile(
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
"""Words that are newer than the dictionary."""
_PREFIXES = ("off", "out", "un", "re", "over", "under", "mis", "non", "pre", "super")
_SUFFIXES = ("s", "ly", "ing", "ed", "er", "ers", "able", "ness", "ish", "less", "like")
_MIN_STEM_LENGTH = 4
"""Letters of a word from which another may be derived."""
_FORMS_OF_ADDRESS = frozenset({"man", "dude", "bro", "buddy", "mate", "sir", "guys", "folks"})
"""Words that address somebody if they have no article."""
_NOT_IMPERATIVE = frozenset(
    "love hate hope like want need sound seem feel thank guess wonder doubt mean wish miss agree appreciate".split()
)
"""Verbs that begin a sentence without its subject “I” rather than an imperative."""
_DISLOCATED = frozenset({"dobj", "attr", "dep", "appos", "nmod", "oprd", "meta", "intj"})


@lru_cache(maxsize=1)
def _cursing() -> re.Pattern[str]:
    stems = (files("litotes.building") / "data" / "cursing.txt").read_text("utf-8").split()
    return re.compile(rf"\b(?:{'|'.join(stems)})", re.IGNORECASE)


def count_words(text: str) -> int:
    """Return the number of words.

    >>> count_words("It isn't bad, is it?")
    5
    """
    return len(_WORD.findall(text))


def has_cursing(text: str) -> bool:
    """Return whether a text contains profanity, insults or explicit content."""
    return _cursing().search(text) is not None


def is_clean(text: str) -> bool:
    """Return whether a text is written like a sentence, without unusual characters, chat language and common mistakes.

    >>> is_clean("The soup was cold when it came."), is_clean("lol the soup was cold"), is_clean("Cold soup!!! :)")
    (True, False, False)
    """
    return (
        text[:1].isupper()
        and _SENTENCE_END.search(text) is not None
        and _UNUSUAL.search(text) is None
        and _REPEATED_WORD.search(text) is None
        and _ALL_CAPITALS.search(text) is None
        and _WRONG_CAPITALS.search(text) is None
        and _COMMON_MISTAKES.search(text) is None
        and not any(mark in text for mark in '"“”')
        and text.count("(") == text.count(")")
        and not any(word in _CHAT for word in _WORD.findall(text.lower()))
    )


def is_grammatical(sentence: Sentence) -> bool:
    """Return whether a text is a complete sentence of known words: a finite verb with a subject, or an imperative."""
    if len(sentence.spans) != 1 or question_tag_of(sentence.doc) is not None:
        return False
    root = sentence.roots[0]
    if root.pos_ not in {"VERB", "AUX"} or not _is_clause(root) or spliced_clause(root) is not None:
        return False
    return not any(_is_aside(child, root) for child in root.children) and all(
        _is_known(token) for token in sentence.doc
    )


def is_used_as_name(sentence: Sentence, name: str) -> bool:
    """Return whether an inserted name is used like the name of one person, unlike in “the Jo” and “Jo are”."""
    return all(_is_personal_name(token) for token in sentence.doc if token.text == name)


def _is_clause(root: Token) -> bool:
    """Return whether a clause is independent: it has a subject before the verb, or is an imperative."""
    group = verb_group(root)
    if group.subject is not None:
        is_question = group.subject.tag_ in {"WP", "WDT"} and group.subject.dep_ != "csubj"
        return group.is_finite and not group.is_inverted and not is_question
    is_imperative = root.tag_ == "VB" and root.lemma_ not in _NOT_IMPERATIVE
    return is_imperative and all(token.lemma_ == "do" for token in group.auxiliaries)


def _is_aside(child: Token, root: Token) -> bool:
    """Return whether a child of the root makes it incomplete or is dislocated: “Because …”, “So smart, it …”."""
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
    return child.dep_ in _DISLOCATED and not any(token.tag_.startswith("W") for token in child.subtree)


def _is_known(token: Token) -> bool:
    lower = token.lower_
    if lower == "cause" and token.pos_ not in {"NOUN", "VERB"}:
        return False  # short for “because”
    if (
        lower in _FORMS_OF_ADDRESS
        and not any(True for _ in token.lefts)
        and (lower not in {"guys", "folks"} or _is_set_off(token))
    ):
        return False
    if token.pos_ == "PROPN":
        return token.text[:1].isupper()
    if token.i + 1 < len(token.doc) and token.doc[token.i + 1].lower_ in {"n't", "n’t", "not"}:
        return True  # the parser splits “won't” and “can't” into “wo” or “ca” and “n't”
    if token.i and token.text[:1].isupper():
        return True  # a name, whatever its part of speech
    return not lower.isalpha() or (len(lower) == 1 and lower in "ai") or _is_english(lower)


@lru_cache(maxsize=16_384)
def _is_english(word: str) -> bool:
    """Return whether a word is known, or derived from or composed of known words: “unironically”, “offseason”."""
    if len(word) > 1 and (is_word(word) or word in _NEW_WORDS):
        return True
    stems = [word.removeprefix(prefix) for prefix in _PREFIXES] + [word.removesuffix(suffix) for suffix in _SUFFIXES]
    if any(len(stem) >= _MIN_STEM_LENGTH and stem != word and is_word(stem) for stem in stems):
        return True
    positions = range(_MIN_STEM_LENGTH, len(word) - _MIN_STEM_LENGTH + 1)
    return any(is_word(word[:index]) and is_word(word[index:]) for index in positions)


def _is_set_off(token: Token) -> bool:
    """Return whether a word is next to punctuation or an end of the sentence."""
    around = token.doc.tokens[max(0, token.i - 1) : token.i + 2]
    return token.i == 0 or len(around) < 3 or any(neighbour.is_punct for neighbour in around)


def _is_personal_name(token: Token) -> bool:
    if any(True for _ in token.lefts) or token.pos_ not in {"PROPN", "NOUN"}:
        return False
    if token.dep_ in {"compound", "nmod", "amod", "det"}:
        return False  # part of a longer name
    if token.dep_ not in SUBJECT_DEPS:
        return True
    if any(child.dep_ == "conj" for child in token.children):
        return True
    return verb_group(token.head).first.tag_ != "VBP" and verb_group(token.head).first.lower_ != "were"
