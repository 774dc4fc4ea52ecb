"""What differs in two sentences that say the opposite: a negation, or a word and its antonym, and nothing else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Literal, NamedTuple

from litotes.languages.base import Contrast, ContrastSignature
from litotes.languages.en.contrast.normalization import NEGATIONS, Kept, Reading, read
from litotes.languages.en.lexicon.antonyms import is_contradictory, lexicon_opposites, usual_opposites
from litotes.languages.en.lexicon.fixed_expressions import in_fixed_expression
from litotes.languages.en.morphology.inflection import has_form, lemmas
from litotes.languages.en.morphology.inflection_dictionary import known_forms
from litotes.languages.en.parser import parse_all
from litotes.languages.tree import Doc, Token

_GRAMMATICAL = (
    "always/never often/never sometimes/never usually/never frequently/never occasionally/never",
    "always/rarely always/seldom often/rarely often/seldom usually/rarely usually/seldom",
    "everybody/nobody everything/nothing everywhere/nowhere all/none both/neither all/no every/no",
    "with/without inside/outside above/below for/against yes/no",
    "more/less more/fewer most/least many/few much/little",
    "up/down in/out on/off upstairs/downstairs",
)
"""Words of grammar: the lexicon has only what can be looked up."""
_PAIRS = frozenset(frozenset(pair.split("/")) for line in _GRAMMATICAL for pair in line.split())
_NOT_OPPOSED = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        # Where one stands depends on who speaks, and both may be true.
        "come/go bring/take here/there now/then left/right north/south east/west this/that these/those"
        # Parts of one whole, or one after the other.
        " ask/answer teach/learn live/die work/play eat/drink walk/run sit/stand read/write buy/steal say/ask"
        " get/leave have/lack black/white red/green first/second next/last next/previous back/front top/bottom"
        " morning/evening day/night summer/winter yesterday/tomorrow today/tomorrow hungry/thirsty work/rest lie/sit"
        " save/lose saved/lost fear/hope question/answer dream/nightmare before/after"
        # Relatives: another person, not the opposite of one.
        " father/mother dad/mum dad/mom brother/sister son/daughter husband/wife uncle/aunt nephew/niece"
        " grandfather/grandmother grandson/granddaughter boyfriend/girlfriend parent/child king/queen"
    ).split()
)
_FORMS = {
    "v": ("VB", "VBZ", "VBD", "VBN", "VBG"),
    "n": ("NN", "NNS"),
    "a": ("JJ", "JJR", "JJS"),
    "r": ("RB", "RBR", "RBS"),
}


class Opposed(NamedTuple):
    """How two words are opposed."""

    pos: str
    """a, r, v or n; g for a word of grammar."""
    contradictory: bool
    """Whether one holds if the other does not."""


@lru_cache(maxsize=65_536)
def opposed(one: str, other: str) -> tuple[Opposed, ...]:
    """How two words in small letters are opposed, by part of speech; nothing if they are not, or in other forms.

    >>> opposed("taller", "shorter"), opposed("tall", "shorter"), opposed("always", "never")
    ((Opposed(pos='a', contradictory=False),), (), (Opposed(pos='g', contradictory=False),))
    """
    if frozenset({one, other}) in _PAIRS:
        return (Opposed("g", False),)
    found: dict[Opposed, None] = {}
    for pos in _FORMS:
        for left, right in product(lemmas(one, pos), lemmas(other, pos)):
            if _is_opposed(left, right, pos) and _same_form(one, left, other, right, pos):
                found[Opposed(pos, is_contradictory(left, right))] = None
    return tuple(found)


def _is_opposed(one: str, other: str, pos: str) -> bool:
    pair = frozenset({one, other})
    return len(pair) == 2 and pair not in _NOT_OPPOSED and (_is_known(one, other, pos) or _is_known(other, one, pos))


def _is_known(word: str, other: str, pos: str) -> bool:
    rows = usual_opposites(word, pos)
    if any(other in row.words for row in rows):
        return True
    return any(
        one.word == other and one.kind == "direct" and (one.sure or one.sense <= 1) and not one.marker
        for one in lexicon_opposites(word, pos)
    )


def _same_form(one: str, left: str, other: str, right: str, pos: str) -> bool:
    """Whether the two can be the same form of their words: both past, both plural."""
    return any(_is(one, left, tag) and _is(other, right, tag) for tag in _FORMS[pos])


def _is(form: str, lemma: str, tag: str) -> bool:
    return form == lemma if tag in {"VB", "NN", "JJ", "RB"} else form in known_forms(lemma, tag)


_APART = frozenset({"advcl", "relcl", "acl", "csubj", "csubjpass", "pcomp", "parataxis"})
"""Clauses whose change leaves what is said of the rest: “if it does not rain”, “who is not here”."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_OPEN = frozenset(
    {"if", "whether", "unless", "until", "till", "when", "while", "because", "since", "although", "though"}
)
_POS = {"a": ("ADJ", "VERB", "ADV"), "r": ("ADV",), "v": ("VERB",), "n": ("NOUN",)}
_DIRECTIONS = frozenset({"up", "down", "in", "out"})
_ASKING = frozenset({"WP", "WRB", "WDT", "WP$"})


def token_at(doc: Doc, start: int) -> Token | None:
    """The word that begins there."""
    return next((token for token in doc if token.idx == start), None)


def denies_the_sentence(doc: Doc, start: int) -> bool:
    """Whether the sentence as a whole turns with the negation that begins there."""
    token = token_at(doc, start)
    return token is not None and _reaches_the_top(token, through_subject=True)


def opposes_the_sentence(doc: Doc, start: int, how: tuple[Opposed, ...]) -> bool:
    """Whether the sentence as a whole turns if the word that begins there has its opposite in its place."""
    token = token_at(doc, start)
    if token is None or token.pos_ == "PROPN":
        return False
    kinds = [one.pos for one in how if one.pos == "g" or token.pos_ in _POS[one.pos]]
    if not kinds or ("g" not in kinds and in_fixed_expression(token)):
        return False
    if token.lower_ in _DIRECTIONS and token.dep_ == "prep":
        return False  # in the window, and out of it
    if kinds == ["n"] and (token.dep_ != "attr" or any(one.dep_ == "expl" for one in token.head.children)):
        return False  # a boy ran, and a girl ran; there is a boy, and there is a girl
    if token.dep_ == "amod" and _is_general(token.head):
        return False  # she likes old songs, and she likes new songs
    return _reaches_the_top(token, through_subject="g" in kinds)


def _is_general(noun: Token) -> bool:
    """Whether a noun stands for any of its kind: one that is not the predicate, not had, and without an article."""
    if noun.dep_ == "attr" or noun.head.lemma_ == "have":
        return False
    return not any(child.dep_ in {"det", "poss", "nummod"} for child in noun.children)


def _reaches_the_top(token: Token, *, through_subject: bool) -> bool:
    """Whether nothing between a word and the root of its sentence keeps what it says apart."""
    while True:
        if any(child.dep_ == "mark" and child.lower_ in _OPEN for child in token.children):
            return False
        if token.head is token:
            return True
        if token.dep_ in _APART or (token.dep_ in _SUBJECTS and not through_subject):
            return False
        if token.dep_ == "ccomp" and any(one.tag_ in _ASKING for one in token.lefts):
            return False  # I know who came, and I know who did not
        if token.dep_ == "ccomp" and any(one.dep_ == "neg" for one in token.head.children):
            return False  # I did not say that he came, nor that he did not
        token = token.head


_ALIKE = frozenset(
    frozenset(pair.split()) for pair in ("'s is", "'s has", "'d would", "'d had", "is are", "was were", "'s are")
)
_TENSES = {"does": "VBZ", "did": "VBD"}
_BEFORE_NOUNS = frozenset(
    [("any", one) for one in ("some", "a", "")] + [("no", one) for one in ("some", "a", "", "any")] + [("", "some")]
)
"""What stands before a noun where it is denied and where it is not: “any” and “some”, “no” and “a”."""
_UNSURE = frozenset({"may", "might", "maybe", "perhaps", "possibly", "sometimes", "occasionally"})
"""Both may be true: perhaps he comes, and perhaps he does not."""
_ABLE = frozenset({"can", "could"})
_SOME = frozenset({"some", "somebody", "something", "somewhere", "many", "several", "few", "half", "often", "another"})
"""Both are true of some: some people do, and some people do not."""
_INVERTED = frozenset("is are was were has have had does did can could will would should must am".split())
_PERSONS = frozenset({"i", "you", "we", "they", "he", "she", "it"})
_TRAPS = re.compile(
    r"\bnot (?:only|just|merely|simply|so much|until|till|necessarily)\b|\b(?:or|if|why|than) not\b|\bnever mind\b"
    r"|\b(?:nothing|anything|nobody|none) but\b|\b(?:can|could) not help (?:\w+ing|but|it)\b|\bcan not wait\b"
    r"|\bno (?:idea|doubt|wonder|matter|sooner|less|way|use|thanks)\b|\b(?:until|till|unless|lest|whether)\b"
    r"|\bcould not .*\b(?:more|less|better|happier|worse)\b"
)
_PIECE = re.compile(r"\w+(?=['’](?:m|re|ve|ll|s|d)\b)|['’](?:m|re|ve|ll|s|d)\b|\w+(?:['’-]\w+)*|[$€£%]", re.IGNORECASE)
_WHOLE = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'s": "is", "'d": "would"}
_PARSE_BATCH = 256
_SURFACE = re.compile(r"\w+(?:['’-]\w+)*|[$€£%]")


class _Draft(NamedTuple):
    """Two sentences that are opposed by their words; the parse has not been asked yet."""

    one: Reading
    other: Reading
    kind: Literal["polarity", "antonym"]
    starts: tuple[int, int]
    """Where the word in question begins in each; -1 where it does not stand."""
    opposed: tuple[Opposed, ...] = ()


def find_contrast(one: str, other: str) -> Contrast | None:
    """What differs in two sentences that say the opposite; None if they do not, or if more differs.

    >>> find_contrast("He went home.", "He didn't go home.")
    Contrast(kind='polarity', differs=('went', "didn't go"))
    >>> find_contrast("The soup is cold.", "The soup is hot.")
    Contrast(kind='antonym', differs=('cold', 'hot'))
    >>> find_contrast("I don't think he came.", "I think he didn't come.") is None
    True
    """
    return next((contrast for _, contrast in find_contrasts([(one, other)])), None)


def find_contrasts(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[int, Contrast]]:
    """Yield the index and the contrast of each pair of sentences that contradict each other.

    Words are compared first; only sentences of pairs that contrast by their words are parsed, a batch at a time.

    >>> list(find_contrasts([("He left.", "She left."), ("It is hot.", "It is not hot.")]))
    [(1, Contrast(kind='polarity', differs=('', 'not')))]
    """
    candidates = (
        (index, candidate)
        for index, (first, second) in enumerate(pairs)
        if (candidate := _find_candidate(first, second)) is not None
    )
    while batch := list(islice(candidates, _PARSE_BATCH)):
        contrasts = _confirm([candidate for _, candidate in batch])
        for (index, _), contrast in zip(batch, contrasts, strict=True):
            if contrast is not None:
                yield index, contrast


def contrast_signature(sentence: str) -> ContrastSignature | None:
    """Return the signature of a sentence, or None if it is not compared.

    >>> contrast_signature("Is it?") is None
    True
    """
    reading = read(sentence)
    if reading is None:
        return None
    words, middle = reading.folded, len(reading.folded) // 2
    return ContrastSignature(
        hash(reading.core), len(words), hash(words[:middle]), hash(words[middle:]), len(reading.negations)
    )


def _find_candidate(first: str, second: str) -> _Draft | None:
    left, right = read(first), read(second)
    return None if left is None or right is None else _compare(left, right)


def _compare(one: Reading, other: Reading) -> _Draft | None:
    """The rule on words alone, quick enough for millions of pairs."""
    if one.core == other.core:
        return _polarity(one, other)
    return _antonym(one, other) if len(one.folded) == len(other.folded) else None


def _confirm(drafts: Sequence[_Draft]) -> Iterator[Contrast | None]:
    """Of each draft what differs, or None where the parse shows that both sentences may be true."""
    texts = list(dict.fromkeys(reading.text for draft in drafts for reading, _ in _in_question(draft)))
    docs = dict(zip(texts, parse_all(texts), strict=True))
    for draft in drafts:
        turns = all(_turns(docs[reading.text], start, draft) for reading, start in _in_question(draft))
        yield Contrast(draft.kind, _shown(draft)) if turns else None


def _turns(doc: Doc, start: int, draft: _Draft) -> bool:
    """Whether the sentence as a whole turns with the word in question."""
    if not doc.is_parsed:
        return False
    if draft.kind == "polarity":
        return denies_the_sentence(doc, start)
    return opposes_the_sentence(doc, start, draft.opposed)


def _in_question(draft: _Draft) -> list[tuple[Reading, int]]:
    return [(reading, start) for reading, start in zip(draft[:2], draft.starts, strict=True) if start >= 0]


# Negated, or not.


def _polarity(one: Reading, other: Reading) -> _Draft | None:
    more = len(one.negations) - len(other.negations)
    if more not in {1, -1} or not one.core:
        return None
    negated, plain = (one, other) if more == 1 else (other, one)
    which = _surplus(negated.negations, plain.negations)
    if which is None or not all(map(_corresponds, negated.kept, plain.kept)):
        return None
    forms = [word.form for word in negated.words]
    place = [number for number, form in enumerate(forms) if form in NEGATIONS][which]
    if _is_trap(forms, place) or (plain.negations and forms[place] != "not"):
        return None  # “I didn't see nothing” may well mean that I saw nothing
    start = negated.words[place].start
    return _Draft(one, other, "polarity", (start, -1) if more == 1 else (-1, start))


def _surplus(negated: tuple[int, ...], plain: tuple[int, ...]) -> int | None:
    """Which negation the one has and the other has not, all others being in the same places."""
    return next((which for which in range(len(negated)) if negated[:which] + negated[which + 1 :] == plain), None)


def _corresponds(denied: Kept, said: Kept) -> bool:
    """Whether a word of the negated sentence is that of the other, in the form that it takes there."""
    articles = (denied.article, said.article)
    if articles not in _BEFORE_NOUNS and (denied.article != said.article or denied.article == "some"):
        return False
    if denied.form == said.form:
        # “I do not go” denies “I go”; “I did not go” does not.
        tense = _TENSES.get(denied.support, "")
        return denied.support == said.support or denied.is_adverb or not tense or has_form(said.form, tense)
    if denied.support and not said.support:
        return has_form(said.form, _TENSES.get(denied.support, "")) and denied.form in lemmas(said.form, "v")
    if denied.support or said.support:
        return False
    if frozenset({denied.form, said.form}) in _ALIKE or denied.is_pronoun:
        return True
    return bool(denied.article or said.article) and lemmas(denied.form, "n")[0] == lemmas(said.form, "n")[0]


def _is_trap(forms: list[str], place: int) -> bool:
    """Whether a negation does not make the opposite of its sentence."""
    if not _UNSURE.isdisjoint(forms) or _TRAPS.search(" ".join(forms)):
        return True
    if place == 1 and (forms[0] in _INVERTED or (forms[0] == "do" and len(forms) > 2 and forms[2] in _PERSONS)):
        return True  # “Isn't it great!” says that it is
    if forms[place] == "no" and place + 1 == len(forms):
        return True  # to say no is not to say nothing
    return forms[place] in {"not", "never", "no"} and not _SOME.isdisjoint(forms[:place])


# A word and its antonym.


def _antonym(one: Reading, other: Reading) -> _Draft | None:
    place = -1
    for number, both in enumerate(zip(one.folded, other.folded, strict=True)):
        if both[0] != both[1]:
            if place >= 0:
                return None
            place = number
    if place < 0:
        return None
    left, right = one.words[place], other.words[place]
    how = opposed(left.form, right.form)
    if not how:
        return None
    forms = [word.form for word in one.words if word is not left]
    if not (_UNSURE | _ABLE).isdisjoint(forms) or not _SOME.isdisjoint(forms[:place]):
        return None
    if not NEGATIONS.isdisjoint(forms):
        # What is not tall need not be short, and who does not agree need not disagree.
        how = tuple(each for each in how if each.contradictory and each.pos == "a")
    same = (
        a.form == b.form or frozenset({a.form, b.form}) in _ALIKE for a, b in zip(one.words, other.words, strict=True)
    )
    if not how or sum(same) != len(one.words) - 1:
        return None
    return _Draft(one, other, "antonym", (left.start, right.start), how)


# What people are shown.


def _shown(draft: _Draft) -> tuple[str, str]:
    if draft.kind == "polarity":
        return _what_differs(*(reading.text[reading.words[0].start :] for reading in draft[:2]))
    left, right = (_SURFACE.match(reading.text, start) for reading, start in _in_question(draft))
    return left[0] if left else "", right[0] if right else ""


def _what_differs(one: str, other: str) -> tuple[str, str]:
    """The words of each that the other has not, as they stand.

    >>> _what_differs("It isn't here.", "It is here."), _what_differs("I'm ill.", "I am not ill.")
    (("isn't", 'is'), ('', 'not'))
    """
    if one > other:  # the same whichever comes first
        right, left = _what_differs(other, one)
        return left, right
    ones, others = _PIECE.findall(one), _PIECE.findall(other)
    matcher = difflib.SequenceMatcher(None, [_plain(word) for word in ones], [_plain(word) for word in others], False)
    parts = [(ones[a:b], others[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    return " … ".join(" ".join(part) for part, _ in parts if part), " … ".join(
        " ".join(part) for _, part in parts if part
    )


def _plain(piece: str) -> str:
    lower = piece.lower().replace("’", "'")
    return _WHOLE.get(lower, lower)
