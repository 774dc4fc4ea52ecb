"""`chat:` — a prompted language model behind a server that speaks the OpenAI protocol, asked which option it takes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.core.http import RetryPolicy
from litotes.models.access import Access
from litotes.models.base import Chooser, Fingerprint, Question, Vectors
from litotes.models.names import ScorerName, parse_options
from litotes.models.prompting.prompt import LETTERS, WORDING, prompt_text, same_as
from litotes.models.servers.client import CAN_CHANGE, DEFAULT_TIMEOUT, OpenAIClient, RefusedByServer, served_model

_TOP = (20, 5)
"""How many of the likeliest tokens are asked for; servers that refuse the first may give the second."""
_REQUESTS_AT_ONCE = 12
"""So many answers are lost at most, for each worker, when a run is killed."""
_TRIAL = same_as("The door is not open.", ("The door is shut.", "The door is wide open."))
"""What a server is asked when it is loaded, to see how it can be asked."""
_LATER_NAME = "max_completion_tokens"
_WRONG_REQUEST = (400, 422)

LEAST_MASS = 0.1
"""Below it the model was not about to name a letter, and what it says tells more."""
_EVEN = 1e-6
"""Shares that differ by less are the same."""
_AROUND = " \t\n\r▁Ġ*_`\"'“”‘’()[]{}<>.,:;!#"
"""What may stand around a letter: blanks, brackets, marks of Markdown, and tokenizers' signs for a blank."""
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_NAMED = (
    # From the surest to the least sure; whatever one of them finds must agree.
    r"^\W*([{letters}])\W*$",
    r"(?i:\banswer\b(?:\s+(?:is|would\s+be|should\s+be))?\W*(?:(?:option|choice|letter)\W+)?)([{letters}])\b(?!\W+(?:or|and)\b)",
    r"\b[{letters}]\b\W+(?:(?:or|and)\W+)?(?i:option\W+)?()[{letters}]\b(?!\s+[a-z])",  # both are named, so none is
    r"^\W*([{letters}])\s*[).:\]*,–—-]",
    r"(?i:\b(?:option|choice|letter|sentence|pair)\W+([{letters}])\b)",
    r"[(\[*]([{letters}])[)\]*]",
    r"\b([{letters}])\b(?!['’])(?!\s+(?!because\b|since\b|is\b|means\b|has\b)[a-z])",  # an “A” may be an article
)

Mode = Literal["auto", "logprobs", "answer"]


@dataclass(frozen=True)
class Options:
    """What can be set in the name, `chat:MODEL@http://HOST:PORT/v1?mode=answer`."""

    mode: Mode = "auto"
    """By the log-probabilities of the letters, by what the answer says, or by the first where the server can."""
    max_tokens: int = 16
    """How long an answer may be; models that think before they answer need far more."""
    key: str | None = None
    """The environment variable that holds the key."""
    timeout: int = DEFAULT_TIMEOUT


@dataclass(frozen=True)
class Manner:
    """How a server lets itself be asked; not every model takes every parameter."""

    top: int
    """How many of the likeliest tokens are asked for; 0: none, the answer's text counts."""
    limit: str = "max_tokens"
    temperature: bool = True

    def request(self, question: Question, max_tokens: int) -> dict[str, Any]:
        """What is sent to ask the question."""
        return {
            "messages": [{"role": "user", "content": prompt_text(question)}],
            self.limit: max_tokens,
            **({"temperature": 0} if self.temperature else {}),
            **({"logprobs": True, "top_logprobs": self.top} if self.top else {}),
        }

    def after(self, refusal: RefusedByServer, mode: Mode) -> Manner | None:
        """Another manner, without what the server refused; None if there is none."""
        if refusal.status not in _WRONG_REQUEST:
            return None
        if "logprobs" in refusal.about and self.top == _TOP[0]:
            return replace(self, top=_TOP[1])
        if "max_tokens" in refusal.about and self.limit != _LATER_NAME:
            return replace(self, limit=_LATER_NAME)
        if "temperature" in refusal.about and self.temperature:
            return replace(self, temperature=False)
        return replace(self, top=0) if self.top and mode == "auto" else None

    def __str__(self) -> str:
        by = f"letters among the {self.top} likeliest tokens" if self.top else "the letter in the answer"
        return by + (", temperature 0" if self.temperature else ", the server's temperature")


class ServerChooser(Chooser):
    """Every question is a request; as many at once as there are workers."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        *,
        client: OpenAIClient,
        manner: Manner,
        options: Options,
    ) -> None:
        super().__init__(name, fingerprint)
        self._client = client
        self._manner = manner
        self._options = options

    @property
    def batch_tokens(self) -> int:
        """How many requests are made before what they gave is kept."""
        return _REQUESTS_AT_ONCE

    def stop(self) -> None:
        """Wait for no answer any longer than must be."""
        self._client.stop()

    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """1 each: questions are not padded, each is a request of its own."""
        return [1] * len(questions)

    def ask(self, questions: Sequence[Question]) -> Vectors:
        """How likely the model is to take each option, a row a question."""
        return np.array([self._row(question) for question in questions], dtype=np.float32)

    def _row(self, question: Question) -> list[float]:
        answer = self._client.ask("chat/completions", self._manner.request(question, self._options.max_tokens))
        return _read(_choice(answer, self._client), question, by_tokens=self._manner.top > 0)

    def notes(self, rows: Vectors) -> list[str]:
        """That the server's model can change, how it was asked, and how often it named no option."""
        notes = [CAN_CHANGE.format(address=self._client.address)]
        if self._options.mode == "auto" and not self._manner.top:
            notes.append("the server gives no log-probabilities: each answer counts as wholly sure of its option")
        if not self._manner.temperature:
            notes.append("the server does not let its temperature be set: another run may give other answers")
        # Told from the rows, which may come from the cache: a resumed run says what an undisturbed one says.
        lost = int((np.ptp(rows, axis=1) < _EVEN).sum()) if len(rows) else 0
        if lost:
            notes.append(
                f"to {lost:,} of {len(rows):,} questions no answer named an option: all options count alike"
                " (where answers are cut off, a larger ?max_tokens= helps)"
            )
        return notes


def _choice(answer: Mapping[str, Any], client: OpenAIClient) -> Mapping[str, Any]:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise LitotesError("L308", f'{client.address}: {client.model} gave no answer ("choices" with a "message")')
    return first


def _read(choice: Mapping[str, Any], question: Question, *, by_tokens: bool) -> list[float]:
    """A row of probabilities, by the tokens or by the text; where neither names an option, all alike."""
    count = len(question.options)
    text = choice["message"].get("content")
    text = text if isinstance(text, str) else ""
    if by_tokens and (row := letter_probabilities(_tokens(choice), count)) is not None:
        return row
    if (place := named_option(text, question)) is not None:
        return [float(other == place) for other in range(count)]
    return [1 / count] * count


def named_option(text: str, question: Question) -> int | None:
    """The place of the one option that an answer names by its letter or its words; None if that cannot be told.

    >>> asked = Question("Which?", ("It is near.", "It is far.", "It is gone."))
    >>> [named_option(text, asked) for text in ("(B)", "Option C", "The answer is B.", "it is near", "A or B")]
    [1, 2, 1, 0, None]
    """
    said = _THOUGHT.sub("", text).strip()
    if "<think>" in said.lower():
        return None  # it was still thinking when it was cut off
    words = [_bare(option) for option in question.options]
    if words.count(_bare(said)) == 1:
        return words.index(_bare(said))
    letters = LETTERS[: len(question.options)]
    if len(said.strip(_AROUND)) == 1:
        said = said.upper()
    for pattern in _NAMED:
        found = {letter.upper() for letter in re.findall(pattern.replace("{letters}", letters), said)}
        if found:
            only = found.pop() if len(found) == 1 else ""
            return letters.index(only) if only else None
    return None


def _bare(text: str) -> str:
    return text.strip(_AROUND + "?").casefold()


def letter_probabilities(tokens: object, options: int) -> list[float] | None:
    """How likely each letter was where the answer begins, the letters together as 1; None if none was likely.

    `tokens` is what servers give as `logprobs.content`: each token of the answer with the likeliest in its place. A
    letter that is not among these was no likelier than the least of them, and has its share of what they leave.
    """
    for token in tokens if isinstance(tokens, list) else ():
        if not isinstance(token, dict):
            return None
        if _folded(token.get("token")):  # blanks, brackets and stars come before the answer
            return _among_letters(_likely(token.get("top_logprobs")), options)
    return None


def _among_letters(likely: Sequence[tuple[str, float]], options: int) -> list[float] | None:
    letters = LETTERS[:options]
    mass = {letter: sum(chance for token, chance in likely if token == letter) for letter in letters}
    if sum(mass.values()) < LEAST_MASS:
        return None
    missing = [letter for letter in letters if not any(token == letter for token, _ in likely)]
    if missing:
        left = max(0.0, 1 - sum(chance for _, chance in likely))
        share = min(left / len(missing), *(chance for _, chance in likely), 1.0)
        mass.update(dict.fromkeys(missing, share))
    total = sum(mass.values())
    return [mass[letter] / total for letter in letters]


def _likely(top: object) -> list[tuple[str, float]]:
    """The tokens without what stands around them, in capitals, each with its probability."""
    entries: Iterable[Any] = top if isinstance(top, list) else ()
    found = []
    for entry in entries:
        chance = entry.get("logprob") if isinstance(entry, dict) else None
        if isinstance(chance, (int, float)) and not math.isnan(chance):
            found.append((_folded(entry.get("token")), math.exp(min(float(chance), 0.0))))
    return found


def _folded(token: object) -> str:
    return token.strip(_AROUND).upper() if isinstance(token, str) else ""


def _tokens(choice: Mapping[str, Any]) -> Any:
    found = choice.get("logprobs")
    return found.get("content") if isinstance(found, dict) else None


def _agree(client: OpenAIClient, options: Options) -> tuple[Manner, dict[str, Any]]:
    """How the server lets itself be asked, found by asking, and what it answered."""
    manner = Manner(top=0 if options.mode == "answer" else _TOP[0])
    while True:
        try:
            answer = client.ask("chat/completions", manner.request(_TRIAL, options.max_tokens))
        except RefusedByServer as refusal:
            other = manner.after(refusal, options.mode)
            if other is None:
                raise
            manner = other
            continue
        if manner.top and not _has_likely_tokens(_choice(answer, client)):
            if options.mode == "logprobs":
                raise UsageError(
                    "L102", f"{client.address}: gives no log-probabilities", hint="leave out ?mode=logprobs"
                )
            manner = replace(manner, top=0)
        return manner, answer


def _has_likely_tokens(choice: Mapping[str, Any]) -> bool:
    tokens = _tokens(choice)
    return isinstance(tokens, list) and any(isinstance(one, dict) and one.get("top_logprobs") for one in tokens)


def load(
    name: ScorerName, access: Access, given: Mapping[str, Any], *, retry: RetryPolicy | None = None
) -> ServerChooser:
    """The language model behind a server, which is asked once or a few times to see how it can be asked."""
    options = parse_options(Options, given, scheme=name.scheme)
    client = OpenAIClient(served_model(name, access, options.key), timeout=options.timeout, retry=retry)
    manner, answer = _agree(client, options)
    _choice(answer, client)
    fingerprint = Fingerprint(
        backend="openai",
        weights=f"{client.address} {client.model}",
        config=f"served as {client.says_of_itself(answer) or '(not said)'}",
        pooling=f"{manner}, {options.max_tokens} tokens",
        dtype="as sent",
        prompt=WORDING,
    )
    return ServerChooser(name.text, fingerprint, client=client, manner=manner, options=options)
