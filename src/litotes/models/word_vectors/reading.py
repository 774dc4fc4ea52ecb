"""How texts become words, and how a word is looked up that is not in the file as it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from litotes.models.word_vectors.lookup import WordLookup
from litotes.models.word_vectors.tokens import Case, Split

_VERSION = "words-2"
"""Of how texts become words, and words numbers."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Reading:
    """What people can choose, and what the file asks for."""

    case: Case = "lower"
    split: Split = "treebank"
    digits: str = ""
    """What digits are written as in the file; "" where they are digits."""

    def of_file(self, lookup: WordLookup) -> Reading:
        """The same for a certain file: word2vec's vectors of Google News have ## for every number of two digits."""
        # Web text has a ## too, but beside the numbers.
        hashes, ten = lookup.ranks(["##", "10"]).tolist()
        return Reading(self.case, self.split, "#" if hashes >= 0 > ten else "")

    @property
    def parts(self) -> bool:
        """Whether a hyphenated word without a vector is replaced by its parts; not where only blanks part words."""
        return self.split == "treebank"

    @property
    def respells(self) -> bool:
        """Whether a word without a vector may be in the file in another spelling."""
        return self.case == "keep" or bool(self.digits)

    @property
    def version(self) -> str:
        """All of it, for the fingerprint."""
        told = [_VERSION]
        told += [f"case={self.case}"] if self.case != "lower" else []
        told += [f"tokens={self.split}"] if self.split != "treebank" else []
        told += [f"digits={self.digits}"] if self.digits else []
        return ", ".join(told)

    def spellings(self, word: str) -> list[str]:
        """How a word may stand in the file, what is looked for first coming first.

        >>> Reading(case="keep", digits="#").spellings("Boeing-747")
        ['Boeing-747', 'boeing-747', 'Boeing-###', 'boeing-###']
        """
        found = [word, word.lower()] if self.case == "keep" else [word]
        if self.digits:
            found += [_DIGIT.sub(self.digits, one) for one in found]
        return list(dict.fromkeys(found))


PLAIN_READING = Reading()
