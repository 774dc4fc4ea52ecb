"""`chat:MODEL`: a prompted language model behind a server with the OpenAI protocol."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from litotes.core.errors import LitotesError, UsageError
from litotes.core.http import RetryPolicy
from litotes.models.access import Access
from litotes.models.base import Chooser, Fingerprint, Vectors
from litotes.models.names import ModelName, parse_options
from litotes.models.prompts import (
    DEFAULT_PROMPT,
    LETTERS,
    PromptTemplate,
    Question,
    load_prompt,
    paraphrase_question,
)
from litotes.models.servers.openai_client import CAN_CHANGE, DEFAULT_TIMEOUT, OpenAIClient, ServerRefused, served_model

_TOP_LOGPROBS = (20, 5)
"""The numbers of most likely tokens to request; servers that refuse the first may accept the second."""
_REQUESTS_PER_BATCH = 12
"""The maximum number of answers per worker that are lost when a run is killed."""
_TEST_QUESTION = paraphrase_question("The door is not open.", ("The door is shut.", "The door is wide open."))
"""Sent when the model is loaded, to find out which parameters the server accepts."""
_NEWER_LIMIT = "max_completion_tokens"
_INVALID_REQUEST = (400, 422)

MIN_LETTER_PROBABILITY = 0.1
"""If all letters together are less likely, the text of the answer is used instead."""
_TOLERANCE = 1e-6
"""Probabilities that differ by less are equal."""
_DECORATION = " \t\n\r▁Ġ*_`\"'“”‘’()[]{}<>.,:;!#"
"""Characters around a letter: blanks, brackets, Markdown and the blanks of tokenizers."""
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_LETTER_PATTERNS = (
    # From the most to the least reliable; all matches of a pattern must agree.
    r"^\W*([{letters}])\W*$",
    r"(?i:\banswer\b(?:\s+(?:is|would\s+be|should\s+be))?\W*(?:(?:option|choice|letter)\W+)?)([{letters}])\b(?!\W+(?:or|and)\b)",
    r"\b[{letters}]\b\W+(?:(?:or|and)\W+)?(?i:option\W+)?()[{letters}]\b(?!\s+[a-z])",  # not an answer
    r"^\W*([{letters}])\s*[).:\]*,–—-]",
    r"(?i:\b(?:option|choice|letter|sentence|pair)\W+([{letters}])\b)",
    r"[(\[*]([{letters}])[)\]*]",
    r"\b([{letters}])\b(?!['’])(?!\s+(?!because\b|since\b|is\b|means\b|has\b)[a-z])",  # an “A” may be an article
)

Mode = Literal["auto", "logprobs", "answer"]


@dataclass(frozen=True)
class ChatOptions:
    """Options in a name such as `chat:MODEL@http://HOST:PORT/v1?mode=answer`.

    Args:
        mode: Use the log-probabilities of the letters or the text of the answer; "auto": the former if available.
        prompt: The wording of questions: the name of a template, or a TOML file. With "all", `litotes run` evaluates
            every named template.
        max_tokens: The maximum length of an answer; reasoning models need far more than the default.
        key: The name of the environment variable with the API key.
        timeout: Seconds to wait for an answer.
    """

    mode: Mode = "auto"
    prompt: str = DEFAULT_PROMPT
    max_tokens: int = 16
    key: str | None = None
    timeout: int = DEFAULT_TIMEOUT


@dataclass(frozen=True)
class RequestFormat:
    """The parameters that a server accepts.

    Args:
        prompt: The wording of questions.
        top_logprobs: The number of most likely tokens to request; 0: use the text of the answer.
        limit: The name of the parameter for the maximum number of tokens.
        temperature: Whether the temperature can be set.
    """

    prompt: PromptTemplate
    top_logprobs: int
    limit: str = "max_tokens"
    temperature: bool = True

    def request(self, question: Question, max_tokens: int) -> dict[str, Any]:
        """Return the request for a question."""
        return {
            "messages": [{"role": "user", "content": self.prompt.text(question)}],
            self.limit: max_tokens,
            **({"temperature": 0} if self.temperature else {}),
            **({"logprobs": True, "top_logprobs": self.top_logprobs} if self.top_logprobs else {}),
        }

    def without_refused(self, refusal: ServerRefused, mode: Mode) -> RequestFormat | None:
        """Return another format without the parameter that the server refused; None if there is none."""
        if refusal.status not in _INVALID_REQUEST:
            return None
        if "logprobs" in refusal.details and self.top_logprobs == _TOP_LOGPROBS[0]:
            return replace(self, top_logprobs=_TOP_LOGPROBS[1])
        if "max_tokens" in refusal.details and self.limit != _NEWER_LIMIT:
            return replace(self, limit=_NEWER_LIMIT)
        if "temperature" in refusal.details and self.temperature:
            return replace(self, temperature=False)
        return replace(self, top_logprobs=0) if self.top_logprobs and mode == "auto" else None

    def __str__(self) -> str:
        n = self.top_logprobs
        source = f"letters among the {n} likeliest tokens" if n else "the letter in the answer"
        return source + (", temperature 0" if self.temperature else ", the server's temperature")


class ServerChooser(Chooser):
    """A language model behind a server; each question is a separate request, and workers send theirs in parallel."""

    def __init__(
        self,
        name: str,
        fingerprint: Fingerprint,
        *,
        client: OpenAIClient,
        request_format: RequestFormat,
        options: ChatOptions,
    ) -> None:
        super().__init__(name, fingerprint)
        self._client = client
        self._format = request_format
        self._options = options

    @property
    def batch_tokens(self) -> int:
        """The number of requests before their answers are cached."""
        return _REQUESTS_PER_BATCH

    def stop(self) -> None:
        """Cancel requests and pauses in progress."""
        self._client.stop()

    def lengths(self, questions: Sequence[Question]) -> list[int]:
        """Return 1 for each question, because each is a request of its own."""
        return [1] * len(questions)

    def ask(self, questions: Sequence[Question]) -> Vectors:
        """Return one row per question with the probabilities of its options."""
        return np.array([self._answer(question) for question in questions], dtype=np.float32)

    def _answer(self, question: Question) -> list[float]:
        answer = self._client.post("chat/completions", self._format.request(question, self._options.max_tokens))
        return _probabilities(_choice(answer, self._client), question, use_tokens=self._format.top_logprobs > 0)

    def notes(self, rows: Vectors) -> list[str]:
        """Return notes about the server, its answers, and how often it named no option."""
        notes = [CAN_CHANGE.format(address=self._client.address)]
        if self._options.mode == "auto" and not self._format.top_logprobs:
            notes.append("the server returns no log-probabilities: each answer counts with probability 1")
        if not self._format.temperature:
            notes.append("the temperature of the server cannot be set: another run may give other answers")
        # Computed from the rows, which may be cached, so that a resumed run has the same notes.
        n_lost = int((np.ptp(rows, axis=1) < _TOLERANCE).sum()) if len(rows) else 0
        if n_lost:
            notes.append(
                f"no answer to {n_lost:,} of {len(rows):,} questions named an option: all options count equally"
                " (if answers are truncated, use a larger ?max_tokens=)"
            )
        return notes


def _choice(answer: Mapping[str, Any], client: OpenAIClient) -> Mapping[str, Any]:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise LitotesError("L308", f'{client.address}: {client.model} returned no answer ("choices" with a "message")')
    return first


def _probabilities(choice: Mapping[str, Any], question: Question, *, use_tokens: bool) -> list[float]:
    """Return the probabilities of the options, from tokens or text; equal ones if neither names an option."""
    count = len(question.options)
    text = choice["message"].get("content")
    text = text if isinstance(text, str) else ""
    if use_tokens and (row := letter_probabilities(_token_entries(choice), count)) is not None:
        return row
    if (index := named_option(text, question)) is not None:
        return [float(option == index) for option in range(count)]
    return [1 / count] * count


def named_option(text: str, question: Question) -> int | None:
    """Return the index of the only option that an answer names by its letter or its text; None if it is not clear.

    >>> question = Question("Which?", ("It is near.", "It is far.", "It is gone."))
    >>> [named_option(text, question) for text in ("(B)", "Option C", "The answer is B.", "it is near", "A or B")]
    [1, 2, 1, 0, None]
    """
    answer = _THOUGHT.sub("", text).strip()
    if "<think>" in answer.lower():
        return None  # truncated before the answer
    options = [_normalize(option) for option in question.options]
    if options.count(_normalize(answer)) == 1:
        return options.index(_normalize(answer))
    letters = LETTERS[: len(question.options)]
    if len(answer.strip(_DECORATION)) == 1:
        answer = answer.upper()
    for pattern in _LETTER_PATTERNS:
        matches = {letter.upper() for letter in re.findall(pattern.replace("{letters}", letters), answer)}
        if matches:
            letter = matches.pop() if len(matches) == 1 else ""
            return letters.index(letter) if letter else None
    return None


def _normalize(text: str) -> str:
    return text.strip(_DECORATION + "?").casefold()


def letter_probabilities(tokens: object, n_options: int) -> list[float] | None:
    """Return the probability of each letter where the answer begins, relative to all letters; None if all are unlikely.

    A letter that is not among the most likely tokens is at most as likely as the last of these; it gets an equal share
    of the remaining probability.

    Args:
        tokens: `logprobs.content` of an answer: its tokens, each with the most likely tokens at its position.
        n_options: The number of options.
    """
    for token in tokens if isinstance(tokens, list) else ():
        if not isinstance(token, dict):
            return None
        if _strip_token(token.get("token")):  # the answer may begin with blanks and brackets
            return _normalize_letters(_likely_tokens(token.get("top_logprobs")), n_options)
    return None


def _normalize_letters(likely: Sequence[tuple[str, float]], n_options: int) -> list[float] | None:
    letters = LETTERS[:n_options]
    mass = {letter: sum(probability for token, probability in likely if token == letter) for letter in letters}
    if sum(mass.values()) < MIN_LETTER_PROBABILITY:
        return None
    missing = [letter for letter in letters if not any(token == letter for token, _ in likely)]
    if missing:
        remaining = max(0.0, 1 - sum(probability for _, probability in likely))
        share = min(remaining / len(missing), *(probability for _, probability in likely), 1.0)
        mass.update(dict.fromkeys(missing, share))
    total = sum(mass.values())
    return [mass[letter] / total for letter in letters]


def _likely_tokens(entries: object) -> list[tuple[str, float]]:
    """Return the most likely tokens without decoration, in upper case, with their probabilities."""
    tokens = []
    for entry in entries if isinstance(entries, list) else ():
        logprob = entry.get("logprob") if isinstance(entry, dict) else None
        if isinstance(logprob, (int, float)) and not math.isnan(logprob):
            tokens.append((_strip_token(entry.get("token")), math.exp(min(float(logprob), 0.0))))
    return tokens


def _strip_token(token: object) -> str:
    return token.strip(_DECORATION).upper() if isinstance(token, str) else ""


def _token_entries(choice: Mapping[str, Any]) -> Any:
    logprobs = choice.get("logprobs")
    return logprobs.get("content") if isinstance(logprobs, dict) else None


def _negotiate_format(
    client: OpenAIClient, options: ChatOptions, prompt: PromptTemplate
) -> tuple[RequestFormat, dict[str, Any]]:
    """Send a test question until the server accepts all parameters; return the request format and the answer."""
    request_format = RequestFormat(prompt, 0 if options.mode == "answer" else _TOP_LOGPROBS[0])
    while True:
        try:
            answer = client.post("chat/completions", request_format.request(_TEST_QUESTION, options.max_tokens))
        except ServerRefused as refusal:
            next_format = request_format.without_refused(refusal, options.mode)
            if next_format is None:
                raise
            request_format = next_format
            continue
        if request_format.top_logprobs and not _has_top_logprobs(_choice(answer, client)):
            if options.mode == "logprobs":
                message = f"{client.address}: returns no log-probabilities"
                raise UsageError("L102", message, hint="leave out ?mode=logprobs")
            request_format = replace(request_format, top_logprobs=0)
        return request_format, answer


def _has_top_logprobs(choice: Mapping[str, Any]) -> bool:
    tokens = _token_entries(choice)
    return isinstance(tokens, list) and any(isinstance(token, dict) and token.get("top_logprobs") for token in tokens)


def load(
    name: ModelName, access: Access, values: Mapping[str, Any], *, retry: RetryPolicy | None = None
) -> ServerChooser:
    """Load `chat:MODEL@ADDRESS`, with some requests to find out which parameters the server accepts."""
    options = parse_options(ChatOptions, values, scheme=name.scheme)
    prompt = load_prompt(options.prompt)
    client = OpenAIClient(served_model(name, access, options.key), timeout=options.timeout, retry=retry)
    request_format, answer = _negotiate_format(client, options, prompt)
    _choice(answer, client)
    fingerprint = Fingerprint(
        backend="openai",
        weights=f"{client.address} {client.model}",
        config=f"served as {client.served_name(answer) or '(unknown)'}",
        pooling=f"{request_format}, {options.max_tokens} tokens",
        dtype="as sent",
        prompt=prompt.describe(),
    )
    return ServerChooser(name.text, fingerprint, client=client, request_format=request_format, options=options)
