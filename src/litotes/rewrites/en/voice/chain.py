"""What a clause is made of when its voice is changed: the chain of its verbs, its subject, what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from litotes.languages.base import capitalised, word_set
from litotes.languages.en.negation import NOT_TOKENS
from litotes.rewrites.base import Draft, WordChange
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.en.voice.verb_forms import CONTRACTED, agreeing, contracted, finite, full_auxiliary, verb_lemma
from litotes.rewrites.patches import Patch, end_of, patched, start_of

if TYPE_CHECKING:
    from litotes.languages.tree import Token
    from litotes.rewrites.base import Sentence

_RAISING = word_set("go use have need ought seem appear happen tend gon")
"""Verbs that add time or likelihood and say nothing of their subject: "is going to", "used to", "have to"."""
_TAKING_CLAUSES = word_set(
    """
    say think know believe hope guess feel hear realize realise tell see understand find claim wish suppose mean imagine
    remember notice doubt swear bet wonder forget explain argue report announce add admit agree assume insist suggest
    suspect show learn decide discover mention note expect fear deny pretend acknowledge predict confirm prove complain
    """
)
"""Verbs whose object may be a clause."""
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_CLITIC_HOSTS = word_set("i you he she it we they that there who what")
"""Words that an auxiliary leans on in writing."""


class Refusal(Exception):
    """A clause is not touched; the code says why."""

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason


@dataclass(frozen=True)
class Chain:
    """The verbs of a clause, from the one that carries tense to the one that carries meaning."""

    top: Token
    """The verb on which subject and adjuncts hang; the lexical one too unless it is "going", "used", "have"…"""
    words: tuple[Token, ...]
    """Auxiliaries, raising verbs, their "to", and the lexical verb, in order."""
    negation: Token | None
    subject: Token

    @property
    def first(self) -> Token:
        """The word that carries tense."""
        return self.words[0]

    @property
    def verb(self) -> Token:
        """The lexical verb."""
        return self.words[-1]

    @property
    def has_do(self) -> bool:
        """Whether the lexical verb has "do" for its auxiliary."""
        return len(self.words) == 2 and self.first.lower_ in {"do", "does", "did"}

    @cached_property
    def is_inverted(self) -> bool:
        """Whether the finite verb stands before its subject."""
        return self.first.i < self.subject.i

    @cached_property
    def midfield(self) -> tuple[Token, ...]:
        """What stands among the verbs, or between subject and verb: adverbs, mostly."""
        own = {word.i for word in self.words}
        if self.negation is not None:
            own.add(self.negation.i)
        first, last = self.subject.left_edge.i, self.subject.right_edge.i
        start = min(self.first.i, last + 1)
        places = range(self.first.i if self.is_inverted else start, self.verb.i)
        tokens = self.top.doc.tokens
        return tuple(tokens[place] for place in places if place not in own and not first <= place <= last)


def clauses(sentence: Sentence) -> Iterator[Token]:
    """The verbs of main clauses, then of the clauses that are said, thought or known."""
    later: list[Token] = []
    for top in sentence.roots:
        yield top
        later += _more_clauses(top)
    yield from later


def _more_clauses(top: Token) -> Iterator[Token]:
    for child in top.children:
        if child.i > top.i and child.dep_ in {"conj", "ccomp"} and child.pos_ in {"VERB", "AUX"}:
            if child.dep_ == "ccomp" and (child.left_edge.i > top.i + 2 or verb_lemma(top) not in _TAKING_CLAUSES):
                continue  # a run-on sentence, more often than not
            if any(one.dep_ in {"nsubj", "nsubjpass"} and one.i < child.i for one in child.children):
                yield child
            yield from _more_clauses(child)


def read_chain(top: Token) -> Chain:
    """The verbs of a clause; refuses what is no finite clause with a subject of its own."""
    words, negation, subject = _group(top)
    if subject is None:
        raise Refusal("no-subject")
    verb = top
    while verb_lemma(verb) in _RAISING:
        lower = next((one for one in verb.children if one.dep_ == "xcomp" and one.i > verb.i), None)
        if lower is None:
            break
        more, not_here, own = _group(lower)
        if not more or more[0].lower_ not in {"to", "na"} or own is not None or not_here is not None:
            break
        words += more
        verb = lower
    if words[0].tag_ not in _FINITE and not _is_mistagged_finite(words, subject):
        raise Refusal("not-finite")
    if words[0].lower_ == "ai":
        raise Refusal("unclear")
    return Chain(top, words, negation, subject)


def _is_mistagged_finite(words: tuple[Token, ...], subject: Token) -> bool:
    """Whether a lone verb is finite though its tag says otherwise: "I hit him" as VB, "he cut it" as VBN."""
    if len(words) > 1 or words[0].dep_ not in {"ROOT", "conj"} or subject.i > words[0].i:
        return False
    if words[0].tag_ == "VBN":
        return verb_lemma(words[0]) == words[0].lower_
    return words[0].tag_ == "VB" and subject.tag_ == "PRP" and subject.lower_ in {"i", "you", "we", "they"}


def _group(verb: Token) -> tuple[tuple[Token, ...], Token | None, Token | None]:
    auxiliaries: list[Token] = []
    negation = subject = None
    for child in verb.children:
        dep = child.dep_
        if dep in {"aux", "auxpass"}:
            if child.i > verb.i:
                raise Refusal("unclear")
            auxiliaries.append(child)
        elif dep == "neg":
            if child.lower_ in NOT_TOKENS:
                negation = child
        elif dep in {"nsubj", "nsubjpass"}:
            if subject is not None:
                raise Refusal("unclear")
            subject = child
        elif dep in {"csubj", "csubjpass", "expl"}:
            raise Refusal("no-subject")
    return (*auxiliaries, verb), negation, subject


def auxiliary_patches(chain: Chain, auxiliary: str, subject: str, agreement: VerbAgreement) -> list[Patch]:
    """The finite auxiliary, written out, in its place: made to agree, contracted or not as before, with its "not".

    `subject` is the new subject as it will stand before it.
    """
    token, negation = chain.first, chain.negation
    new = agreeing(auxiliary, agreement)
    if token.dep_ not in {"aux", "auxpass"}:  # "needs to", "seems to"
        new = finite(verb_lemma(token), is_past=token.tag_ == "VBD", subject=agreement) or new
    stands_first = chain.is_inverted
    patches: list[Patch] = []
    joined = negation is not None and negation.lower_ not in {"not"}
    if joined and negation is not None and new == "am":
        # There is no "amn't": "I'm not", and "Aren't I" in a question.
        if stands_first:
            new = "are"
        else:
            apostrophe = negation.text[1:2] if negation.text[1:2] in {"'", "’"} else "'"
            lean = start_of(token) - _blanks_before(token)
            return [Patch(lean, end_of(negation), f"{apostrophe}m not")]
    if token.lower_ in CONTRACTED and token.text[0] in "'’":
        if _last_word(subject) in _CLITIC_HOSTS and not stands_first:
            text = contracted(new, token.text[0])
        else:
            text = f" {new}"
        patches.append(Patch(start_of(token), end_of(token), text))
    elif new != token.lower_:
        text = _shaped(token, new)
        patches.append(Patch(start_of(token), end_of(token), text))
    return patches


def _last_word(text: str) -> str:
    return text.rsplit(" ", 1)[-1].lower() if " " not in text else ""


def _blanks_before(token: Token) -> int:
    return 1 if token.i and token.nbor(-1).whitespace_ else 0


def _shaped(token: Token, new: str) -> str:
    """With the capital of the word whose place it takes."""
    if len(token.text) > 1 and token.text.isupper():
        return new.upper()
    return capitalised(new) if token.text[0].isupper() else new


def spelled_first(chain: Chain) -> str:
    """The finite auxiliary written out: "'s" → "is" or "has"."""
    following = chain.words[1].tag_ if len(chain.words) > 1 else ""
    return full_auxiliary(chain.first, following)


def begins_with_capital(token: Token) -> bool:
    """Whether a token has the capital of the first word of a sentence, and what takes its place must have it too."""
    if not token.text[:1].isupper():
        return False
    place = token.i
    doc = token.doc
    while place and not doc[place].is_sent_start and not doc[place - 1].is_alpha and not doc[place - 1].like_num:
        place -= 1
    return place == 0 or bool(doc[place].is_sent_start)


def check_quotation(sentence: Sentence, places: tuple[int, ...]) -> None:
    """That all places of an edit stand inside the same brackets and quotation marks."""
    text = sentence.text
    if _MARK.search(text) is None:
        return
    depths = {
        (
            text.count('"', 0, place) % 2,
            text.count("*", 0, place) % 2,
            *(text.count(opening, 0, place) - text.count(closing, 0, place) for opening, closing in _PAIRS),
        )
        for place in places
    }
    if len(depths) > 1:
        raise Refusal("unclear")


_MARK = re.compile(r"[\"“(\[{*]")
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"), ("{", "}"))


def cut(start: int, end: int, text: str) -> Patch:
    """Nothing in the place of some characters, and the blank before them gone too."""
    while start and text[start - 1] == " ":
        start -= 1
    return Patch(start, end, "")


def drafted(sentence: Sentence, patches: list[Patch], reason: str) -> Draft:
    """The sentence with its patches; what was changed is what the patches say."""
    text = sentence.text
    changed = [WordChange(text[one.start : one.end].strip(), one.new.strip()) for one in sorted(patches)]
    words = tuple([one for one in changed if one.old != one.new])
    done = patched(text, patches)
    if ".." in done and ".." not in text:  # "L.A." at the end
        done = done.replace("..", ".")
    return Draft(done, words, reason)
