"""The commands that the documentation shows, page by page."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROGRAMS = ("litotes", "make", "pip", "python", "accelerate")
_COMMAND = re.compile(rf"^(?:\$ (.+)|((?:{'|'.join(_PROGRAMS)}) .+))$", re.MULTILINE)
_REMARK = re.compile(r"\s+#\s.*$|\s+&$")
_INLINE = re.compile(r"`(litotes [a-z][^`]*)`")
_PLACEHOLDER = re.compile(r"\b[A-Z]{1,8}\b(?![-\w])|…|\[")
_NAMES = {"train": 3, "build": 3, "experiment": 4}
"""The number of words in the names of commands, if it is not two."""


@dataclass(frozen=True)
class Shown:
    """A command on a page."""

    page: str
    line: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)


def blocks(text: str, *languages: str) -> list[str]:
    """Return the code blocks of these languages."""
    return [inside for language, inside in _FENCE.findall(text) if language in languages]


def shown_commands(page: Path) -> list[Shown]:
    """Return the distinct commands in the code blocks and sentences of a page, in order.

    Forms with a placeholder in capitals (`glove:FILE`) and bare names (`litotes train nli`) are not included. In a
    text block with results, a command ends where its figures begin.
    """
    text = page.read_text("utf-8")
    in_blocks = [
        _REMARK.sub("", prompted or plain)
        for language in ("", "console", "bash", "sh", "text")
        for block in blocks(text, language)
        for prompted, plain in _COMMAND.findall(_without_figures(block) if language == "text" else _joined(block))
    ]
    in_sentences = [line for line in _INLINE.findall(_FENCE.sub("", text)) if _is_whole(line)]
    name = str(page.relative_to(ROOT))
    return [Shown(name, line) for line in dict.fromkeys([*in_blocks, *in_sentences])]


def _joined(block: str) -> str:
    """Join lines that end with a backslash to the next line."""
    return block.replace("\\\n", " ")


def _without_figures(block: str) -> str:
    return "\n".join(re.split(r"\s{3,}", line.rstrip())[0] for line in re.sub(r"\\\n\s*", "", block).splitlines())


def shown_examples(page: Path) -> list[str]:
    """Return the Python examples on a page."""
    return blocks(page.read_text("utf-8"), "python")


def named_targets(page: Path) -> set[str]:
    """Return the make targets that a page mentions."""
    text = page.read_text("utf-8")
    return set(re.findall(r"(?:`|^|^\$ )make ([a-z][a-z-]*)", text, re.MULTILINE))


def named_scripts(page: Path) -> set[str]:
    """Return the scripts of this repository that a page calls with `python`."""
    return set(re.findall(r"\bpython ((?:benchmarks|tools)/[\w/-]+\.py)", page.read_text("utf-8")))


def forms(page: Path) -> list[str]:
    """Return the mentions of commands with options in the sentences of a page."""
    return [line for line in _INLINE.findall(_FENCE.sub("", page.read_text("utf-8"))) if " --" in line]


def _is_whole(line: str) -> bool:
    words = line.split()
    return len(words) > _NAMES.get(words[1], 2) and not _PLACEHOLDER.search(line)
