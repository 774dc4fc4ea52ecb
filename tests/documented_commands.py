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
"""How many words a bare name has, where it is not two."""


@dataclass(frozen=True)
class Shown:
    """A command on a page."""

    page: str
    line: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)


def blocks(text: str, *languages: str) -> list[str]:
    """What stands between fences of these languages."""
    return [inside for language, inside in _FENCE.findall(text) if language in languages]


def shown_commands(page: Path) -> list[Shown]:
    """The commands in the blocks of a page and in its sentences, each once, in order.

    A form with a placeholder in capitals (`glove:FILE`) and a bare name (`litotes train nli`) are no commands. In a
    block of text, which shows what was measured, a command ends where its figures begin.
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
    """Lines that go on after a backslash are one."""
    return block.replace("\\\n", " ")


def _without_figures(block: str) -> str:
    return "\n".join(re.split(r"\s{3,}", line.rstrip())[0] for line in re.sub(r"\\\n\s*", "", block).splitlines())


def shown_examples(page: Path) -> list[str]:
    """The pieces of Python on a page."""
    return blocks(page.read_text("utf-8"), "python")


def named_targets(page: Path) -> set[str]:
    """What a page says can be made by `make`, in sentences and in blocks."""
    text = page.read_text("utf-8")
    return set(re.findall(r"(?:`|^|^\$ )make ([a-z][a-z-]*)", text, re.MULTILINE))


def named_scripts(page: Path) -> set[str]:
    """The programs of this repository that a page calls by `python`."""
    return set(re.findall(r"\bpython ((?:benchmarks|tools)/[\w/-]+\.py)", page.read_text("utf-8")))


def forms(page: Path) -> list[str]:
    """Everything in a page's sentences that names a command with options."""
    return [line for line in _INLINE.findall(_FENCE.sub("", page.read_text("utf-8"))) if " --" in line]


def _is_whole(line: str) -> bool:
    words = line.split()
    return len(words) > _NAMES.get(words[1], 2) and not _PLACEHOLDER.search(line)
