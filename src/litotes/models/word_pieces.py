"""The word pieces of a named tokenizer, without the tokens that a model adds at the beginning and the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import is_file
from litotes.core.model_folders.files import open_tokenizer_file
from litotes.models.access import Access
from litotes.models.hub import find_model
from litotes.models.names import parse_name

_FILE = "tokenizer.json"


def load_word_pieces(name: str, access: Access | None = None) -> Callable[[str], list[str]]:
    """Return a function that splits a text into the word pieces of a tokenizer.

    `name` is a tokenizer.json, the folder of a model, or the name of a model (bert-base-uncased, all-MiniLM-L6-v2).
    """
    path = Path(name) if is_file(Path(name)) else find_model(parse_name(name), access or Access()) / _FILE
    if not is_file(path):
        raise LitotesError("L304", f"{name}: has no {_FILE}", hint="name a model with a fast tokenizer")
    tokenizer: Any = open_tokenizer_file(path)
    tokenizer.no_truncation()
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).tokens)
