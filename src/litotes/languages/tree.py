"""Parsed text as plain Python objects: `Doc`, `Token` and `Span`, with the attribute names of spaCy.

Rules read each token many times; spaCy computes most attributes again on each access.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from spacy.tokens import Doc as SpacyDoc

P = ParamSpec("P")
T = TypeVar("T")
Edges = tuple[int, int]


@dataclass(init=False, eq=False, repr=False, slots=True)
class Token:
    """A word with its tags and its position in the dependency tree."""

    doc: Doc
    i: int
    idx: int
    """Character offset."""
    text: str
    lower_: str
    lemma_: str
    pos_: str
    tag_: str
    dep_: str
    morph: str
    whitespace_: str
    head: Token
    """The token itself at the root."""
    children: list[Token]
    lefts: list[Token]
    rights: list[Token]
    is_punct: bool
    is_space: bool
    is_sent_start: bool
    like_num: bool
    like_url: bool
    _edges: Edges | None
    _subtree: list[Token] | None

    def __len__(self) -> int:
        return len(self.text)

    def __repr__(self) -> str:
        return self.text

    def nbor(self, offset: int = 1) -> Token:
        """Return the token at an offset."""
        index = self.i + offset
        if index < 0:
            raise IndexError(index)
        return self.doc.tokens[index]

    @property
    def next(self) -> Token | None:
        """The token after this one."""
        return self.doc.tokens[self.i + 1] if self.i + 1 < len(self.doc.tokens) else None

    @property
    def previous(self) -> Token | None:
        """The token before this one."""
        return self.doc.tokens[self.i - 1] if self.i else None

    @property
    def next_word(self) -> str:
        """The next token in lower case, or "" at the end of the text."""
        return self.doc.tokens[self.i + 1].lower_ if self.i + 1 < len(self.doc.tokens) else ""

    @property
    def previous_word(self) -> str:
        """The previous token in lower case, or "" at the start of the text."""
        return self.doc.tokens[self.i - 1].lower_ if self.i else ""

    @property
    def end(self) -> int:
        """Character offset after the token, without the space after it."""
        return self.idx + len(self.text)

    def child(self, *deps: str) -> Token | None:
        """Return the first child with one of these dependency labels."""
        return next((child for child in self.children if child.dep_ in deps), None)

    def has_child(self, *deps: str) -> bool:
        """Return whether a child has one of these dependency labels."""
        for child in self.children:  # noqa: SIM110  (faster than any())
            if child.dep_ in deps:
                return True
        return False

    @property
    def is_verbal(self) -> bool:
        """Whether it is tagged as a verb or an auxiliary."""
        return self.pos_ in {"VERB", "AUX"}

    @property
    def is_alpha(self) -> bool:
        """Whether all characters are letters."""
        return self.text.isalpha()

    @property
    def is_upper(self) -> bool:
        """Whether it is in upper case."""
        return self.text.isupper()

    @property
    def left_edge(self) -> Token:
        """The first token of the subtree."""
        return self.doc.tokens[(self._edges or self._find_edges())[0]]

    @property
    def right_edge(self) -> Token:
        """The last token of the subtree."""
        return self.doc.tokens[(self._edges or self._find_edges())[1]]

    @property
    def subtree(self) -> list[Token]:
        """The token and all its descendants, in the order of the text."""
        if self._subtree is None:
            tokens = [token for child in self.lefts for token in child.subtree]
            tokens.append(self)
            tokens += [token for child in self.rights for token in child.subtree]
            self._subtree = tokens
        return self._subtree

    @property
    def ancestors(self) -> Iterator[Token]:
        """The head, the head of the head, and so on."""
        token = self
        while token.head is not token:
            token = token.head
            yield token

    @property
    def conjuncts(self) -> tuple[Token, ...]:
        """The tokens that are coordinated with it."""
        first = self
        while first.dep_ == "conj" and first.head is not first:
            first = first.head
        conjuncts = [first]
        for token in conjuncts:  # grows during the iteration
            conjuncts += [child for child in token.rights if child.dep_ == "conj"]
        return tuple(sorted((token for token in conjuncts if token is not self), key=lambda token: token.i))

    @property
    def sent(self) -> Span:
        """The sentence that contains the token."""
        sents = self.doc.sents
        return sents[0] if len(sents) == 1 else next(span for span in sents if span.start <= self.i < span.end)

    def is_ancestor(self, descendant: Token) -> bool:
        """Return whether another token is in the subtree, without the token itself."""
        return any(token is self for token in descendant.ancestors)

    def _find_edges(self) -> Edges:
        first = last = self.i
        for child in self.children:  # all of them, as the tree may have crossing edges
            low, high = child._edges or child._find_edges()
            if low < first:  # noqa: PLR1730  (faster than min and max)
                first = low
            if high > last:  # noqa: PLR1730
                last = high
        self._edges = first, last
        return self._edges


class Span:
    """Consecutive tokens."""

    __slots__ = ("doc", "end", "start")

    def __init__(self, doc: Doc, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, end

    def __len__(self) -> int:
        return self.end - self.start

    def __iter__(self) -> Iterator[Token]:
        return iter(self.doc.tokens[self.start : self.end])

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Token | Span:
        if isinstance(index, slice):
            first, last, _ = index.indices(len(self))
            return Span(self.doc, self.start + first, self.start + max(first, last))
        return self.doc.tokens[self.start : self.end][index]

    def __repr__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text, without the whitespace after it."""
        return self.doc.text[self.start_char : self.end_char] if self.end > self.start else ""

    @property
    def start_char(self) -> int:
        """Character offset of the first token."""
        return self.doc.tokens[self.start].idx

    @property
    def end_char(self) -> int:
        """Character offset after the last token."""
        last = self.doc.tokens[self.end - 1]
        return last.idx + len(last.text)

    @property
    def root(self) -> Token:
        """The token whose head is outside the span, or that is the root of the sentence."""
        start, end = self.start, self.end
        for token in self.doc.tokens[start:end]:
            head = token.head
            if head is token or not start <= head.i < end:
                return token
        raise ValueError("the span has no root")


class Doc:
    """A text and its tokens."""

    def __init__(self, text: str, tokens: list[Token], *, has_dependencies: bool) -> None:
        self.text = text
        self.tokens = tokens
        self.has_dependencies = has_dependencies
        self.results: dict[Any, Any] = {}
        """Results of functions decorated with `cached_on_doc`."""

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Token | Span:
        if isinstance(index, slice):
            first, last, _ = index.indices(len(self.tokens))
            return Span(self, first, max(first, last))
        return self.tokens[index]

    def __repr__(self) -> str:
        return self.text

    @property
    def is_parsed(self) -> bool:
        """Whether there are tokens with dependencies, so that rules can read the text."""
        return self.has_dependencies and bool(self.tokens)

    @cached_property
    def lowers(self) -> frozenset[str]:
        """The set of tokens in lower case, to check quickly that a word does not occur."""
        return frozenset([token.lower_ for token in self.tokens])

    @cached_property
    def sents(self) -> list[Span]:
        """The sentences."""
        starts = [token.i for token in self.tokens if token.is_sent_start]
        return [Span(self, start, end) for start, end in itertools.pairwise([*starts, len(self.tokens)])]


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


def has_word(tokens: Iterable[Token], words: AbstractSet[str]) -> bool:
    """Return whether one of the tokens is in a set of lower-case words."""
    for token in tokens:  # noqa: SIM110  (faster than any())
        if token.lower_ in words:
            return True
    return False


def unparsed(text: str) -> Doc:
    """Return a document without tokens."""
    return Doc(text, [], has_dependencies=False)


def from_spacy(spacy_doc: SpacyDoc) -> Doc:
    """Return a copy of a spaCy document."""
    tokens: list[Token] = []
    parts: list[str] = []
    doc = Doc("", tokens, has_dependencies=spacy_doc.has_annotation("DEP"))
    for source in spacy_doc:
        token = Token()
        token.doc = doc
        token.i, token.idx = source.i, source.idx
        token.text = text = source.text
        token.whitespace_ = whitespace = source.whitespace_
        parts += (text, whitespace)
        token.lower_, token.lemma_ = source.lower_, source.lemma_
        token.pos_, token.tag_, token.dep_ = source.pos_, source.tag_, source.dep_
        token.morph = str(source.morph)
        token.is_punct, token.is_space = source.is_punct, source.is_space
        token.like_num, token.like_url = source.like_num, source.like_url
        token.is_sent_start = bool(source.is_sent_start)
        token.children, token.lefts, token.rights = [], [], []
        token._edges = token._subtree = None
        tokens.append(token)
    doc.text = "".join(parts)  # faster than spacy_doc.text
    for token, source in zip(tokens, spacy_doc, strict=True):
        head = token.head = tokens[source.head.i]
        if head is not token:
            head.children.append(token)
            (head.lefts if token.i < head.i else head.rights).append(token)
    return doc
