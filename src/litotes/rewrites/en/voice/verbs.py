"""The verbs of a clause whose voice changes: their chain, and forms that agree with another subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from litotes.languages.base import word_set
from litotes.languages.en.lexicon.wordnet import frequency
from litotes.languages.en.morphology.casing import cased_like
from litotes.languages.en.morphology.inflection import be, has_form, inflect, lemmas
from litotes.languages.en.negation import NOT_TOKENS
from litotes.languages.en.pronouns import PLAIN_FORM_PRONOUNS, SUBJECT_PRONOUNS
from litotes.languages.en.syntax.tags import FINITE_TAGS
from litotes.languages.en.verbs import FINITE_DO, PAST_AUXILIARIES
from litotes.languages.en.word_lists import word_list
from litotes.languages.tree import Token
from litotes.rewrites.base import Draft, Refusal, Sentence, WordChange, refuse_if
from litotes.rewrites.en.grammar.agreement import VerbAgreement
from litotes.rewrites.patches import Patch, patched, replace

_PARTICIPLES = {
    "bear": "borne", "light": "lit", "smell": "smelled", "spell": "spelled", "spoil": "spoiled", "lean": "leaned",
    "wake": "woken", "mimic": "mimicked", "prove": "proven", "mow": "mowed", "saw": "sawed", "cast": "cast",
    "broadcast": "broadcast", "forecast": "forecast", "bid": "bid", "bet": "bet", "wed": "wed", "knit": "knitted",
    "shave": "shaved", "leap": "leaped", "lie": "lied", "input": "input", "text": "texted", "slay": "slain",
}  # fmt: skip
_PASTS = {
    "light": "lit", "weave": "wove", "cast": "cast", "broadcast": "broadcast", "bid": "bid", "knit": "knitted",
    "mimic": "mimicked", "text": "texted", "slay": "slew", "lie": "lied", "input": "input",
}  # fmt: skip
_T_PARTICIPLES = frozenset(
    {"burnt", "learnt", "dreamt", "spelt", "spilt", "spoilt", "smelt", "leant", "leapt", "knelt"}
)

CONTRACTED = {
    "'s": "is", "’s": "is", "'re": "are", "’re": "are", "'m": "am", "’m": "am", "'ve": "have", "’ve": "have",
    "'ll": "will", "’ll": "will", "'d": "would", "’d": "would",
}  # fmt: skip
"""Contracted auxiliaries; "'s" may also be "has", and "'d" "had"."""


def verb_lemma(token: Token) -> str:
    """Return the lemma of a verb by the dictionary; if there are two, the more frequent one."""
    return _lemma(token.lower_, token.tag_)


@lru_cache(maxsize=16_384)
def _lemma(word: str, tag: str) -> str:
    known = lemmas(word, "v")
    if tag in {"VB", "VBP"}:
        return word if word in known or not known else known[0]
    fitting = [lemma for lemma in known if tag not in {"VBD", "VBN"} or _is_form_of(lemma, word, tag)] or list(known)
    return max(fitting, key=lambda lemma: frequency(lemma, "v")) if len(fitting) > 1 else fitting[0]


def _is_form_of(lemma: str, word: str, tag: str) -> bool:
    return word == (participle(lemma) if tag == "VBN" else past_form(lemma)) or (word != lemma and has_form(word, tag))


@lru_cache(maxsize=16_384)
def participle(lemma: str, surface: str = "") -> str | None:
    """Return the past participle; `surface`, the form in the sentence, decides between spellings ("burnt")."""
    if surface in _T_PARTICIPLES:
        return surface
    return _PARTICIPLES.get(lemma) or inflect(lemma, "VBN")


@lru_cache(maxsize=16_384)
def past_form(lemma: str) -> str | None:
    """Return the past form."""
    return _PASTS.get(lemma) or inflect(lemma, "VBD")


def finite_form(lemma: str, *, is_past: bool, subject: VerbAgreement) -> str | None:
    """Return the finite form that agrees with a subject.

    >>> finite_form("see", is_past=False, subject=VerbAgreement(3, plural=False))
    'sees'
    >>> finite_form("be", is_past=True, subject=VerbAgreement(1, plural=True))
    'were'
    """
    if lemma == "be":
        return be(past=is_past, person=subject.person, plural=subject.plural)
    if is_past:
        return past_form(lemma)
    if subject.person == 3 and not subject.plural:
        return inflect(lemma, "VBZ")
    return lemma


def full_auxiliary(token: Token, following: str) -> str:
    """Return an auxiliary in full; `following` is the tag of the next verb, by which "'s" is "is" or "has"."""
    word = token.lower_
    if word in {"'s", "’s"}:
        return "has" if following == "VBN" else "is"
    if word in {"'d", "’d"}:
        return "had" if following in {"VBN", "VBD"} else "would"
    return CONTRACTED.get(word, word)


def contracted_auxiliary(auxiliary: str, apostrophe: str) -> str:
    """Return the form that is attached to a pronoun: "'s" for "is"."""
    short = {"is": "s", "has": "s", "are": "re", "am": "m", "have": "ve", "will": "ll", "would": "d", "had": "d"}
    return f"{apostrophe}{short[auxiliary]}" if auxiliary in short else f" {auxiliary}"


_AUXILIARY_LEMMAS = {
    "is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "has": "have", "have": "have", "had": "have",
    "do": "do", "does": "do", "did": "do",
}  # fmt: skip


def agreeing_auxiliary(auxiliary: str, subject: VerbAgreement) -> str:
    """Return the form of a full auxiliary that agrees with a subject; modals do not change.

    >>> agreeing_auxiliary("have", VerbAgreement(3, False)), agreeing_auxiliary("was", VerbAgreement(2, False))
    ('has', 'were')
    """
    lemma = _AUXILIARY_LEMMAS.get(auxiliary)
    if lemma is None:
        return auxiliary
    return finite_form(lemma, is_past=auxiliary in PAST_AUXILIARIES, subject=subject) or auxiliary


_RAISING_VERBS = word_set("go use have need ought seem appear happen tend gon")
"""Verbs that add time or likelihood and say nothing about their subject: "is going to", "used to", "have to"."""
_CLAUSE_VERBS = word_list("clause verbs")
"""Verbs whose object may be a clause."""
_CLITIC_HOSTS = SUBJECT_PRONOUNS | {"that", "there", "who", "what"}
"""Words to which a contracted auxiliary is attached."""


VOICE_SKIPS = {
    "no-clause": "the sentence has no finite clause",
    "no-subject": "the verb has no subject of its own",
    "not-finite": "the verb does not carry tense",
    "scope": "negation or a quantifier would have another scope",
    "coordination": "the subject has more than one verb",
    "control": "another clause shares the subject",
    "tag": "a question tag repeats the subject and the verb",
    "agreement": "the number of the new subject is not clear",
    "heavy": "a part is too long, or too interrupted by commas, to be moved",
    "unclear": "the parse is not typical of such a clause",
}
"""Skip codes of both rules of voice."""


@dataclass(frozen=True)
class VerbChain:
    """The verbs of a clause, from the one that carries tense to the lexical one."""

    top: Token
    """The verb that subject and adjuncts depend on; the lexical one too unless it is "going", "used", "have"…"""
    words: tuple[Token, ...]
    """Auxiliaries, raising verbs with their "to", and the lexical verb, in order."""
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
        """Whether "do" is the auxiliary of the lexical verb."""
        return len(self.words) == 2 and self.first.lower_ in FINITE_DO

    @cached_property
    def is_inverted(self) -> bool:
        """Whether the finite verb precedes its subject."""
        return self.first.i < self.subject.i

    @cached_property
    def midfield(self) -> tuple[Token, ...]:
        """The tokens among the verbs, or between subject and verb; mostly adverbs."""
        own = {word.i for word in self.words}
        if self.negation is not None:
            own.add(self.negation.i)
        first, last = self.subject.left_edge.i, self.subject.right_edge.i
        start = min(self.first.i, last + 1)
        indices = range(self.first.i if self.is_inverted else start, self.verb.i)
        tokens = self.top.doc.tokens
        return tuple(tokens[index] for index in indices if index not in own and not first <= index <= last)


def clause_verbs(sentence: Sentence) -> Iterator[Token]:
    """Yield the verbs of the main clauses, then those of clauses that are said, thought or known."""
    later: list[Token] = []
    for top in sentence.roots:
        yield top
        later += _embedded_clauses(top)
    yield from later


def _embedded_clauses(top: Token) -> Iterator[Token]:
    for child in top.children:
        if child.i > top.i and child.dep_ in {"conj", "ccomp"} and child.is_verbal:
            if child.dep_ == "ccomp" and (child.left_edge.i > top.i + 2 or verb_lemma(top) not in _CLAUSE_VERBS):
                continue  # usually a run-on sentence
            if any(
                grandchild.dep_ in {"nsubj", "nsubjpass"} and grandchild.i < child.i for grandchild in child.children
            ):
                yield child
            yield from _embedded_clauses(child)


def read_chain(top: Token) -> VerbChain:
    """Return the verbs of a clause; refuse anything but a finite clause with a subject of its own."""
    words, negation, subject = _group(top)
    if subject is None:
        raise Refusal("no-subject")
    verb = top
    while verb_lemma(verb) in _RAISING_VERBS:
        complement = next((child for child in verb.children if child.dep_ == "xcomp" and child.i > verb.i), None)
        if complement is None:
            break
        lower_words, lower_negation, lower_subject = _group(complement)
        if (
            not lower_words
            or lower_words[0].lower_ not in {"to", "na"}
            or lower_subject is not None
            or lower_negation is not None
        ):
            break
        words += lower_words
        verb = complement
    refuse_if(words[0].tag_ not in FINITE_TAGS and not _is_mistagged_finite(words, subject), "not-finite")
    refuse_if(words[0].lower_ == "ai", "unclear")
    return VerbChain(top, words, negation, subject)


def _is_mistagged_finite(words: tuple[Token, ...], subject: Token) -> bool:
    """Whether a single verb is finite in spite of its tag: "I hit him" as VB, "he cut it" as VBN."""
    if len(words) > 1 or words[0].dep_ not in {"ROOT", "conj"} or subject.i > words[0].i:
        return False
    if words[0].tag_ == "VBN":
        return verb_lemma(words[0]) == words[0].lower_
    return words[0].tag_ == "VB" and subject.tag_ == "PRP" and subject.lower_ in PLAIN_FORM_PRONOUNS


def _group(verb: Token) -> tuple[tuple[Token, ...], Token | None, Token | None]:
    auxiliaries: list[Token] = []
    negation = subject = None
    for child in verb.children:
        dep = child.dep_
        if dep in {"aux", "auxpass"}:
            refuse_if(child.i > verb.i, "unclear")
            auxiliaries.append(child)
        elif dep == "neg":
            if child.lower_ in NOT_TOKENS:
                negation = child
        elif dep in {"nsubj", "nsubjpass"}:
            refuse_if(subject is not None, "unclear")
            subject = child
        elif dep in {"csubj", "csubjpass", "expl"}:
            raise Refusal("no-subject")
    return (*auxiliaries, verb), negation, subject


def auxiliary_patches(chain: VerbChain, auxiliary: str, subject: str, agreement: VerbAgreement) -> list[Patch]:
    """Return the patches that make the finite auxiliary agree with a new subject.

    The auxiliary stays in its place and stays contracted if it was. `subject` is the text of the new subject.
    """
    token, negation = chain.first, chain.negation
    new = agreeing_auxiliary(auxiliary, agreement)
    if token.dep_ not in {"aux", "auxpass"}:  # "needs to", "seems to"
        new = finite_form(verb_lemma(token), is_past=token.tag_ == "VBD", subject=agreement) or new
    is_first = chain.is_inverted
    if negation is not None and negation.lower_ != "not" and new == "am":
        # Standard English has no "amn't": "I'm not", and "Aren't I" in a question.
        if is_first:
            new = "are"
        else:
            apostrophe = negation.text[1:2] if negation.text[1:2] in {"'", "’"} else "'"
            start = token.idx - bool(token.i and token.nbor(-1).whitespace_)
            return [Patch(start, negation.end, f"{apostrophe}m not")]
    if token.lower_ in CONTRACTED and token.text[0] in "'’":
        can_contract = subject.lower() in _CLITIC_HOSTS and not is_first
        return [replace(token, contracted_auxiliary(new, token.text[0]) if can_contract else f" {new}")]
    return [replace(token, cased_like(token.text, new))] if new != token.lower_ else []


def full_first_auxiliary(chain: VerbChain) -> str:
    """Return the finite auxiliary in full: "is" or "has" for "'s"."""
    following = chain.words[1].tag_ if len(chain.words) > 1 else ""
    return full_auxiliary(chain.first, following)


def has_initial_capital(token: Token) -> bool:
    """Whether a token has the capital of the first word of a sentence, which its replacement needs too."""
    if not token.text[:1].isupper():
        return False
    index = token.i
    doc = token.doc
    while index and not doc[index].is_sent_start and not doc[index - 1].is_alpha and not doc[index - 1].like_num:
        index -= 1
    return index == 0 or bool(doc[index].is_sent_start)


def check_quotation(sentence: Sentence, positions: tuple[int, ...]) -> None:
    """Refuse an edit whose positions are not all inside the same brackets and quotation marks."""
    text = sentence.text
    if _PAIRED_MARK.search(text) is None:
        return
    depths = {
        (
            text.count('"', 0, position) % 2,
            text.count("*", 0, position) % 2,
            *(text.count(opening, 0, position) - text.count(closing, 0, position) for opening, closing in _PAIRS),
        )
        for position in positions
    }
    refuse_if(len(depths) > 1, "unclear")


_PAIRED_MARK = re.compile(r"[\"“(\[{*]")
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"), ("{", "}"))


def cut(start: int, end: int, text: str) -> Patch:
    """Return the patch that deletes characters and the spaces before them."""
    while start and text[start - 1] == " ":
        start -= 1
    return Patch(start, end, "")


def make_draft(sentence: Sentence, patches: list[Patch], reason: str) -> Draft:
    """Return the draft of the sentence with patches applied; the patches are its changed words."""
    text = sentence.text
    changed = [WordChange(text[patch.start : patch.end].strip(), patch.new.strip()) for patch in sorted(patches)]
    words = tuple([patch for patch in changed if patch.old != patch.new])
    result = patched(text, patches)
    if ".." in result and ".." not in text:  # an abbreviation at the end: "L.A."
        result = result.replace("..", ".")
    return Draft(result, words, reason)
