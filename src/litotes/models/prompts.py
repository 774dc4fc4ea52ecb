"""The wording of multiple-choice questions to language models: named templates, and files of users."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files
from typing import Annotated

from msgspec import Meta

from litotes.core.errors import UsageError
from litotes.core.files import expand_user, is_file
from litotes.core.registry import unknown_name
from litotes.core.settings import Settings, convert, read_toml

LETTERS = "ABCDEFGH"
"""The names of the options."""
DEFAULT_PROMPT = "plain"
ALL = "all"
"""Stands for every named template."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_REQUIRED = {"paraphrase": ["sentence"], "pairs": [], "same": ["first", "second"], "prompt": ["question", "options"]}
"""The placeholders of each field of a template."""


@dataclass(frozen=True)
class Question:
    """A multiple-choice question for a language model."""

    text: str
    options: tuple[str, ...]
    wording: str = ""
    """The field of `PromptTemplate` with which a template asks this question; empty: all templates use `text`."""
    sentences: tuple[str, ...] = ()
    """The sentences that the wording contains."""

    def rotated(self, by: int) -> Question:
        """Return the same question with its options rotated by a number of positions.

        >>> Question("Which?", ("a", "b", "c")).rotated(1).options
        ('b', 'c', 'a')
        """
        return replace(self, options=self.options[by:] + self.options[:by])


class PromptTemplate(Settings, frozen=True, kw_only=True):
    """The wording of a prompt; the defaults are the template `plain`.

    >>> print(PromptTemplate(same="Is “{second}” the same as “{first}”?").text(same_meaning_question("Go!", "Leave!")))
    Is “Leave!” the same as “Go!”?
    A. yes
    B. no
    Answer with one letter.
    """

    paraphrase: Annotated[str, Meta(description="Asks which option means the same as {sentence}.")] = (
        "Which of these sentences means the same as “{sentence}”?"
    )
    pairs: Annotated[str, Meta(description="Asks which option is a pair of sentences that mean the same.")] = (
        "Which of these pairs is of two sentences that mean the same?"
    )
    same: Annotated[str, Meta(description="Asks whether {first} and {second} mean the same.")] = (
        "Do “{first}” and “{second}” mean the same?"
    )
    prompt: Annotated[str, Meta(description="The whole prompt, with {question} and {options}.")] = (
        "{question}\n{options}\nAnswer with one letter."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, required in _REQUIRED.items():
            used = _PLACEHOLDER.findall(getattr(self, name))
            if sorted(used) != sorted(required):
                needed = " and ".join(f"{{{placeholder}}}" for placeholder in required) or "no placeholder"
                raise UsageError("L203", f"{name}: must contain {needed} once and nothing else in braces")

    def text(self, question: Question) -> str:
        """Return the prompt for a question, with its options named by letters."""
        wording = getattr(self, question.wording) if question.wording else question.text
        placeholders = _REQUIRED.get(question.wording, ())
        asked = _fill(wording, dict(zip(placeholders, question.sentences, strict=True))) if placeholders else wording
        options = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, question.options, strict=False))
        return _fill(self.prompt, {"question": asked, "options": options})

    def describe(self) -> str:
        """Return all texts, for fingerprints."""
        return "\n".join(self.to_dict().values())


def _fill(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders; braces in the values are text."""
    return _PLACEHOLDER.sub(lambda match: values[match.group(1)], template)


def list_prompts() -> list[str]:
    """Return the names of the templates that come with the package.

    >>> list_prompts()
    ['plain', 'paraphrase', 'speaker', 'truth', 'careful']
    """
    return [DEFAULT_PROMPT, *_templates()]


def load_prompt(name_or_path: str) -> PromptTemplate:
    """Return a named template, or one from a TOML file, in which missing texts are those of `plain`."""
    if name_or_path == DEFAULT_PROMPT:
        return PromptTemplate()
    if name_or_path in _templates():
        return _templates()[name_or_path]
    path = expand_user(name_or_path)
    if not is_file(path) and path.suffix != ".toml":
        raise unknown_name("prompt", name_or_path, [*list_prompts(), "a TOML file"])
    return convert(read_toml(path), PromptTemplate, where=str(path), code="L203")


@cache
def _templates() -> dict[str, PromptTemplate]:
    with as_file(files("litotes.models") / "prompts.toml") as path:
        return {name: convert(table, PromptTemplate, where=name) for name, table in read_toml(path).items()}


def paraphrase_question(sentence: str, options: Sequence[str]) -> Question:
    """Return the question which option means the same as the sentence.

    >>> paraphrase_question("It is not far.", ("It is near.", "It is far.")).text
    'Which of these sentences means the same as “It is not far.”?'
    """
    return _question("paraphrase", (sentence,), options)


def paraphrase_pair_question(pairs: Sequence[tuple[str, str]]) -> Question:
    """Return the question which of the pairs consists of two sentences with the same meaning."""
    return _question("pairs", (), [f"“{first}” and “{second}”" for first, second in pairs])


def same_meaning_question(first: str, second: str) -> Question:
    """Return the question whether two sentences mean the same; the first option is yes."""
    return _question("same", (first, second), ("yes", "no"))


_DEFAULT = PromptTemplate()


def _question(wording: str, sentences: tuple[str, ...], options: Sequence[str]) -> Question:
    text = _fill(getattr(_DEFAULT, wording), dict(zip(_REQUIRED[wording], sentences, strict=True)))
    return Question(text, tuple(options), wording, sentences)
