"""In which format a file of vectors is: seen from its content, whatever its name."""

from __future__ import annotations

import re
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.word_vectors.arrays import open_npy, open_npz
from litotes.models.word_vectors.fasttext import MAGIC, open_fasttext
from litotes.models.word_vectors.gensim import open_gensim
from litotes.models.word_vectors.lookup import WordLookup
from litotes.models.word_vectors.store import converted_vectors
from litotes.models.word_vectors.text_file import HEADING, open_unpacked, text_blocks, zip_members
from litotes.models.word_vectors.word2vec import binary_blocks

_SEEN = 1 << 16
_NUMPY = b"\x93NUMPY"
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_NUMBERS_AS_TEXT = re.compile(rb"[-+.\deEnaifNAIF \t\r]+")
_UNPRINTED = re.compile(rb"[\x00-\x08\x0e-\x1b]")


def open_file(path: Path, access: Access) -> WordLookup:
    """The vectors in a file of any of the known formats."""
    members = zip_members(path)
    if members and all(name.endswith(".npy") for name in members):
        return open_npz(path)
    with open_unpacked(path) as file:
        start = file.read(_SEEN)
    if start.startswith(_NUMPY):
        return open_npy(path)
    if start.startswith(MAGIC):
        return open_fasttext(path)
    if _PICKLE.match(start):
        return open_gensim(path, access)
    first, _, rest = start.partition(b"\n")
    heading = HEADING.match(first)
    if heading and rest and not _is_text(rest, int(heading[2])):
        return converted_vectors([path], lambda: binary_blocks(path))
    if not heading and b"\0" in start:
        raise LitotesError(
            "L303",
            f"{path}: is no file of word vectors that is known",
            hint="known are GloVe, word2vec and fastText files, .npy with a list of words, gensim's KeyedVectors",
        )
    return converted_vectors([path], lambda: text_blocks(path))


def _is_text(rest: bytes, width: int) -> bool:
    r"""Whether what follows a heading are lines: no sign that no text has, or a word and numbers that can be read.

    >>> _is_text(b"the 0.1 -2e-3\n", 2), _is_text(b"the \xcd\xcc\x00\x3d", 1)
    (True, False)
    """
    numbers = rest.partition(b"\n")[0].partition(b" ")[2]
    is_row = _NUMBERS_AS_TEXT.fullmatch(numbers) is not None and len(numbers) >= min(2 * width - 1, 64)
    return is_row or not _UNPRINTED.search(rest)
