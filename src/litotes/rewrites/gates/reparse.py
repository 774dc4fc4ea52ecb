"""A gate that parses the edit and looks whether the intended structure is there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from litotes.languages.en.inflection import has_form
from litotes.languages.en.parser import is_parsed, parse_all
from litotes.languages.en.verb_groups import NEGATORS, is_plural, person, verb_group
from litotes.rewrites.base import Edit, Skip
from litotes.rewrites.en.polarity.coordination import can_be, hides_verb
from litotes.rewrites.gates.text import Candidate

if TYPE_CHECKING:
    from litotes.languages.tree import Doc, Token

FAULTS = {
    "not-parsed": "the rewritten sentence cannot be parsed",
    "sentences": "one sentence became several",
    "negation-count": "not one negation more or less, or a negation where none was meant",
    "negation-scope": "the negation ended up in a subordinate clause",
    "voice": "the clause is not in the voice that was meant",
    "agreement": "the verb of the main clause does not agree with its subject",
    "verb-form": "a verb is not in the form that its auxiliary asks for",
    "part-of-speech": "the new word is read as another part of speech than the old one",
}
"""Codes of this gate and what they mean."""

_NEGATORS = frozenset({"not", "n't", "n’t", "nt", "cannot", "no", "never", "nobody", "nothing", "none", "neither"})
_NEGATORS |= {"nowhere", "hardly", "barely", "scarcely", "rarely", "seldom"}
_TAG = re.compile(
    r"[,?] ?\w+(?: ?n['’]t)?(?: not)? (?:I|you|he|she|it|we|they|there|one)(?: not)?\?\W*$", re.IGNORECASE
)

_ONE_NEGATION_MORE_OR_LESS = frozenset({"negation", "negation_at", "quantifier_negation", "negated_antonym"})
_LEAVES_WORDS_OUT = frozenset({"embedded_clause"})
_SEVERAL_EFFECTS = frozenset({"quadruple"})
_WORD_FOR_WORD = frozenset({"antonym", "synonym", "infill"})
_SUBORDINATE = frozenset({"relcl", "acl", "advcl"})
_CLAUSES = frozenset({"ROOT", "ccomp", "csubj", "csubjpass", "pcomp", "parataxis", *_SUBORDINATE})

# Words that take either verb, or for which the tags do not show which.
_EITHER_NUMBER = frozenset(
    "all any some none most more half rest part number majority lot lots plenty variety couple pair family team group "
    "crowd band police staff crew class audience committee government company who which that what you data media one "
    "sheep fish deer series species dozen hundred thousand million percent % there".split()
)
_DO_TENSES = {"does": "VBZ", "did": "VBD"}
_OWN_TENSE = frozenset({"nsubj", "nsubjpass", "expl", "aux", "auxpass"})
_KINDS = {"ADJ": "a", "VERB": "v", "AUX": "v", "NOUN": "n", "ADV": "r"}


def reparse_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    """The code of what the parse of an edit shows to be wrong; None if nothing is. `FAULTS` has the codes.

    >>> from litotes.languages.en.parser import parse
    >>> before = parse("She sings.")
    >>> texts = ("She does not sing.", "She do not sing.", "She never does not sing.")
    >>> [reparse_fault(before, Edit(text, "negation", "opposite", ()), parse(text)) for text in texts]
    [None, 'agreement', 'negation-count']
    """
    if not is_parsed(after) or not is_parsed(before):
        return "not-parsed"
    if _sentences(before) == 1 < _sentences(after):
        return "sentences"
    return (
        _negation_fault(before, edit, after)
        or _voice_fault(before, edit, after)
        or _agreement_fault(before, after)
        or _form_fault(before, after)
        or _part_of_speech_fault(before, edit, after)
    )


class ReparseGate:
    """The gate of `reparse_fault`, with any English pipeline of spaCy."""

    codes: Mapping[str, str] = FAULTS

    def __init__(self, pipeline: str | None = None) -> None:
        self._pipeline = pipeline

    def refusals(self, candidates: Sequence[Candidate]) -> list[Skip | None]:
        """For each candidate why it is refused, or None; every text is parsed once."""
        texts = dict.fromkeys(text for one in candidates for text in (one.text, one.edit.text))
        docs = dict(zip(texts, parse_all(texts, pipeline=self._pipeline), strict=True))
        faults = [reparse_fault(docs[text], edit, docs[edit.text]) for text, edit in candidates]
        return [None if fault is None else Skip(fault, FAULTS[fault]) for fault in faults]


def _sentences(doc: Doc) -> int:
    """How many sentences a text has; a lone sign, or what follows a colon or quote, is none of its own."""
    return sum(any(token.is_alpha for token in span) for span in doc.sents)


def negators(doc: Doc) -> list[Token]:
    """The words that negate, without those of a question tag, which turns the other way round than its clause."""
    tag = _TAG.search(doc.text)
    end = tag.start() if tag else len(doc.text)
    return [token for token in doc if token.lower_ in _NEGATORS and token.idx < end and not _answers(token)]


def _answers(token: Token) -> bool:
    """Whether a "no" is an answer or a sigh, not a negation: "No, I am." """
    return token.lower_ == "no" and token.dep_ in {"intj", "ROOT"}


def _negation_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    old, new = negators(before), negators(after)
    more = len(new) - len(old)
    if edit.rule in _ONE_NEGATION_MORE_OR_LESS:
        if abs(more) != 1:
            return "negation-count"
        return "negation-scope" if edit.rule == "negation" and _subordinate(new) > _subordinate(old) else None
    if edit.rule in _SEVERAL_EFFECTS or _changes_a_negator(edit):
        return None
    wrong = more > 0 if edit.rule in _LEAVES_WORDS_OUT else more != 0
    return "negation-count" if wrong else None


def _changes_a_negator(edit: Edit) -> bool:
    """Whether a negator is what was meant to change: "never" for "always"."""
    return any(word in _NEGATORS for change in edit.words for words in change for word in words.lower().split())


def _subordinate(found: Sequence[Token]) -> int:
    return sum(_clause(token).dep_ in _SUBORDINATE for token in found)


def _clause(token: Token) -> Token:
    """The head of the clause that a word stands in."""
    while token.dep_ not in _CLAUSES and token.head.i != token.i:
        token = token.head
    return token


def _voice_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    wanted = {"passive": 1, "active": -1}.get(edit.rule)
    if wanted is None:
        return None
    return None if (_passives(after) - _passives(before)) * wanted > 0 else "voice"


def _passives(doc: Doc) -> int:
    return sum(token.dep_ == "auxpass" for token in doc)


def _agreement_fault(before: Doc, after: Doc) -> str | None:
    if all(_agrees(verb) for verb in _main_verbs(after)):
        return None
    return None if not all(_agrees(verb) for verb in _main_verbs(before)) else "agreement"


def _main_verbs(doc: Doc) -> Iterator[Token]:
    return (span.root for span in doc.sents if span.root.pos_ in {"VERB", "AUX"})


def _agrees(verb: Token) -> bool:
    """Whether a finite verb fits its subject, as far as that can be told."""
    group = verb_group(verb)
    subject, finite = group.subject, group.first
    if subject is None or subject.dep_ not in {"nsubj", "nsubjpass"} or finite.tag_ not in {"VBZ", "VBP", "VBD"}:
        return True
    form = finite.lower_
    if subject.lower_ == "i":
        return finite.tag_ != "VBZ" and form not in {"are", "were", "'re", "’re"}
    if subject.lower_ in _EITHER_NUMBER:
        return True
    if is_plural(subject) or person(subject) == 2:
        return finite.tag_ != "VBZ" and form not in {"was", "am", "'m", "’m"}
    return _is_doubtful(subject) or (finite.tag_ != "VBP" and form != "were")


def _form_fault(before: Doc, after: Doc) -> str | None:
    wrong = _keeps_an_ending(after) and not _keeps_an_ending(before)
    return "verb-form" if wrong or _lacks_to(before, after) else None


def _keeps_an_ending(doc: Doc) -> bool:
    """Whether a verb under “do” keeps its ending: “does not sing and dances”."""
    return not _DO_TENSES.keys().isdisjoint(doc.lowers) and any(map(_leaves_an_ending, doc))


def _leaves_an_ending(do: Token) -> bool:
    tag = _DO_TENSES.get(do.lower_)
    if tag is None or do.dep_ != "aux" or do.head.tag_ not in {"VB", "VBP"}:
        return False
    return hides_verb(do.head, tag) or any(
        can_be(verb, tag) and not has_form(verb.lower_, "VB") for verb in _under_do(do.head)
    )


def _under_do(verb: Token) -> Iterator[Token]:
    """The words joined to a verb that stand under its “do” with it; “but” gives them a tense of their own."""
    if any(child.dep_ == "cc" and child.lower_ == "but" for child in verb.rights):
        return
    for child in verb.rights:
        if child.dep_ in {"conj", "dep"} and not any(one.dep_ in _OWN_TENSE for one in child.lefts):
            yield child
            yield from _under_do(child)


def _lacks_to(before: Doc, after: Doc) -> bool:
    """Whether “need not go” became “need go”: a bare verb goes with its negation alone."""
    if {"need", "dare"}.isdisjoint(before.lowers) or {"need", "dare"}.isdisjoint(after.lowers):
        return False
    tokens = before.tokens
    bare = {
        (need.lower_, verb.lower_)
        for need, negator, verb in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if need.lower_ in {"need", "dare"} and negator.lower_ in NEGATORS
    }
    return any((one.lower_, other.lower_) in bare for one, other in zip(after.tokens, after.tokens[1:], strict=False))


def _is_doubtful(subject: Token) -> bool:
    """Whether a subject that is no plural may yet take the verb of one."""
    if (
        subject.lower_ in _EITHER_NUMBER
        or subject.tag_ in {"NNP", "NNPS"}
        or subject.pos_ in {"NUM", "X", "SYM", "DET"}
    ):
        return True
    # "a bunch of dogs are"; a coordination; "if she were".
    parts = (child.dep_ in {"conj", "cc", "appos"} or child.lower_ == "of" for child in subject.children)
    return any(parts) or any(child.dep_ == "mark" for child in subject.head.children)


def _part_of_speech_fault(before: Doc, edit: Edit, after: Doc) -> str | None:
    if edit.rule not in _WORD_FOR_WORD:
        return None
    for old, new in edit.words:
        if " " in old or " " in new or not old or not new or {old.lower(), new.lower()} <= {"a", "an"}:
            continue
        kinds, new_kinds = _kinds(before, old), _kinds(after, new)
        if kinds and new_kinds and not kinds & new_kinds:
            return "part-of-speech"
    return None


def _kinds(doc: Doc, word: str) -> set[str]:
    """The parts of speech of a word in a text; a participle is a verb and an adjective."""
    found = set()
    for token in doc:
        if token.text == word:
            if token.tag_ in {"VBN", "VBG"}:
                found |= {"a", "v"}
            elif token.pos_ in _KINDS:  # of what looks like a name, or a small word, nothing can be told
                found.add(_KINDS[token.pos_])
    return found
