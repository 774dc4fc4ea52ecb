"""The parse as plain objects: rules read each word many times, so what spaCy computes anew each time is kept.

Names and meanings are spaCy's, so that whoever knows its tokens can read and write rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from spacy.tokens import Doc as SpacyDoc

P = ParamSpec("P")
T = TypeVar("T")


class Token:
    """A word with its tags and its place in the tree."""

    __slots__ = (
        "_edges",
        "_subtree",
        "children",
        "dep_",
        "doc",
        "head",
        "i",
        "idx",
        "is_punct",
        "is_sent_start",
        "is_space",
        "lefts",
        "lemma_",
        "like_num",
        "like_url",
        "lower_",
        "morph",
        "pos_",
        "rights",
        "tag_",
        "text",
        "whitespace_",
    )

    doc: Doc
    i: int
    idx: int
    """Where it begins in the text."""
    text: str
    lower_: str
    lemma_: str
    pos_: str
    tag_: str
    dep_: str
    morph: str
    whitespace_: str
    head: Token
    """Itself at the root."""
    children: list[Token]
    lefts: list[Token]
    rights: list[Token]
    is_punct: bool
    is_space: bool
    is_sent_start: bool
    like_num: bool
    like_url: bool
    _edges: tuple[int, int] | None
    _subtree: list[Token] | None

    def __len__(self) -> int:
        return len(self.text)

    def __repr__(self) -> str:
        return self.text

    def nbor(self, steps: int = 1) -> Token:
        """The word so many places on."""
        place = self.i + steps
        if place < 0:
            raise IndexError(place)
        return self.doc.tokens[place]

    @property
    def is_alpha(self) -> bool:
        """Whether it consists of letters."""
        return self.text.isalpha()

    @property
    def is_upper(self) -> bool:
        """Whether it is written in capitals."""
        return self.text.isupper()

    @property
    def is_title(self) -> bool:
        """Whether it begins with a capital."""
        return self.text.istitle()

    @property
    def is_digit(self) -> bool:
        """Whether it consists of digits."""
        return self.text.isdigit()

    @property
    def text_with_ws(self) -> str:
        """With the blank after it."""
        return self.text + self.whitespace_

    @property
    def left_edge(self) -> Token:
        """The first word of what hangs on it."""
        return self.doc.tokens[(self._edges or self._reach())[0]]

    @property
    def right_edge(self) -> Token:
        """The last word of what hangs on it."""
        return self.doc.tokens[(self._edges or self._reach())[1]]

    @property
    def subtree(self) -> list[Token]:
        """Itself and all that hangs on it, in the order of the text."""
        if self._subtree is None:
            found = [one for child in self.lefts for one in child.subtree]
            found.append(self)
            found += [one for child in self.rights for one in child.subtree]
            self._subtree = found
        return self._subtree

    @property
    def ancestors(self) -> Iterator[Token]:
        """Its head, the head of that, and so on."""
        token = self
        while token.head is not token:
            token = token.head
            yield token

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The words that are joined to it by “and” and the like."""
        start = self
        while start.dep_ == "conj" and start.head is not start:
            start = start.head
        found: list[Token] = []
        waiting = [start]
        while waiting:
            token = waiting.pop(0)
            for child in token.rights:
                if child.dep_ == "conj":
                    found.append(child)
                    waiting.append(child)
        return tuple(sorted((one for one in (start, *found) if one is not self), key=lambda one: one.i))

    @property
    def sent(self) -> Span:
        """The sentence that it stands in."""
        sents = self.doc.sents
        return sents[0] if len(sents) == 1 else next(span for span in sents if span.start <= self.i < span.end)

    def is_ancestor(self, other: Token) -> bool:
        """Whether another word hangs on it, at whatever distance."""
        while other.head is not other:
            other = other.head
            if other is self:
                return True
        return False

    def _reach(self) -> tuple[int, int]:
        first = last = self.i
        for child in self.children:  # a tree that crosses itself may reach furthest through any of them
            low, high = child._edges or child._reach()
            if low < first:  # noqa: PLR1730  (sooner than min and max)
                first = low
            if high > last:  # noqa: PLR1730
                last = high
        self._edges = first, last
        return self._edges


class Span:
    """Words that follow each other."""

    __slots__ = ("doc", "end", "start")

    def __init__(self, doc: Doc, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, end

    def __len__(self) -> int:
        return self.end - self.start

    def __iter__(self) -> Iterator[Token]:
        return iter(self.doc.tokens[self.start : self.end])

    @overload
    def __getitem__(self, place: int) -> Token: ...
    @overload
    def __getitem__(self, place: slice) -> Span: ...
    def __getitem__(self, place: int | slice) -> Token | Span:
        if isinstance(place, slice):
            first, last, _ = place.indices(len(self))
            return Span(self.doc, self.start + first, self.start + max(first, last))
        return self.doc.tokens[self.start : self.end][place]

    def __repr__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """Its text, without the blank after it."""
        return self.doc.text[self.start_char : self.end_char] if self.end > self.start else ""

    @property
    def start_char(self) -> int:
        """Where it begins in the text."""
        return self.doc.tokens[self.start].idx

    @property
    def end_char(self) -> int:
        """Where it ends in the text."""
        last = self.doc.tokens[self.end - 1]
        return last.idx + len(last.text)

    @property
    def root(self) -> Token:
        """Its highest word."""
        start, end = self.start, self.end
        for one in self.doc.tokens[start:end]:
            head = one.head
            if head is one or not start <= head.i < end:
                return one
        raise ValueError("no word of it is the highest")


class Doc:
    """A text and its words."""

    def __init__(self, text: str, tokens: list[Token], *, is_parsed: bool) -> None:
        self.text = text
        self.tokens = tokens
        self.is_parsed = is_parsed
        self.results: dict[Any, Any] = {}
        """Results of functions decorated with `cached_on_doc`."""
        self._sents: list[Span] | None = None
        self._lowers: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, place: int) -> Token: ...
    @overload
    def __getitem__(self, place: slice) -> Span: ...
    def __getitem__(self, place: int | slice) -> Token | Span:
        if isinstance(place, slice):
            first, last, _ = place.indices(len(self.tokens))
            return Span(self, first, max(first, last))
        return self.tokens[place]

    def __repr__(self) -> str:
        return self.text

    @property
    def lowers(self) -> frozenset[str]:
        """Its words in small letters: what a rule looks for is mostly not among them, and then it need not look."""
        if self._lowers is None:
            self._lowers = frozenset([token.lower_ for token in self.tokens])
        return self._lowers

    @property
    def sents(self) -> list[Span]:
        """The sentences in it."""
        if self._sents is None:
            starts = [token.i for token in self.tokens if token.is_sent_start]
            ends = [*starts[1:], len(self.tokens)]
            self._sents = [Span(self, start, end) for start, end in zip(starts, ends, strict=True)]
        return self._sents


class HasDoc(Protocol):
    """A token, a span, a sentence: anything that belongs to a document."""

    @property
    def doc(self) -> Doc:
        """The document."""


Source = TypeVar("Source", bound="Doc | HasDoc")


def cached_on_doc(function: Callable[Concatenate[Source, P], T]) -> Callable[Concatenate[Source, P], T]:
    """Cache a function's results like `functools.cache`, but on the document of its first argument.

    The results live as long as the document, so that all rules that read a sentence share them.
    """

    @wraps(function)
    def cached(source: Source, /, *args: P.args, **kwargs: P.kwargs) -> T:
        doc = source if isinstance(source, Doc) else source.doc
        key = (function, source, *args, *kwargs.items())
        try:
            result: T = doc.results[key]
        except KeyError:
            result = doc.results[key] = function(source, *args, **kwargs)
        return result

    return cached


def unread(text: str) -> Doc:
    """A text that nobody parsed."""
    return Doc(text, [], is_parsed=False)


def plain(doc: SpacyDoc) -> Doc:
    """A parse of spaCy's as plain objects."""
    tokens: list[Token] = []
    parts: list[str] = []
    done = Doc("", tokens, is_parsed=doc.has_annotation("DEP"))
    for theirs in doc:
        token = Token()
        token.doc = done
        token.i, token.idx = theirs.i, theirs.idx
        token.text = text = theirs.text
        token.whitespace_ = blank = theirs.whitespace_
        parts += (text, blank)
        token.lower_, token.lemma_ = theirs.lower_, theirs.lemma_
        token.pos_, token.tag_, token.dep_ = theirs.pos_, theirs.tag_, theirs.dep_
        token.morph = str(theirs.morph)
        token.is_punct, token.is_space = theirs.is_punct, theirs.is_space
        token.like_num, token.like_url = theirs.like_num, theirs.like_url
        token.is_sent_start = bool(theirs.is_sent_start)
        token.children, token.lefts, token.rights = [], [], []
        token._edges = token._subtree = None
        tokens.append(token)
    done.text = "".join(parts)  # sooner than by asking spaCy for it
    for token, theirs in zip(tokens, doc, strict=True):
        head = token.head = tokens[theirs.head.i]
        if head is not token:
            head.children.append(token)
            (head.lefts if token.i < head.i else head.rights).append(token)
    return done
