"""Where the official files come from, and where they are looked for on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from litotes.core.download import OnProgress, download, has_sha256
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, is_folder
from litotes.core.paths import data_folders
from litotes.core.registry import unknown_name


@dataclass(frozen=True)
class Source:
    """A published file: its name, its address at a fixed revision, its sha256."""

    name: str
    file: str
    """Its own name, or that of the folder into which several files go."""
    url: str
    """"": it cannot be fetched, people bring it."""
    sha256: str
    licence: str
    page: str = ""
    """Where people find it, if it cannot be fetched."""
    several: str = ""
    """What the files are called, if there are several."""

    @property
    def how_to_get(self) -> str:
        """What to do if the file is not here."""
        given = f"--data {self.name}=PATH"
        if self.url:
            return f"litotes fetch {self.name} brings it, or give the file by {given}"
        if self.several:
            folder = data_folders()[0] / self.file
            return (
                f"take {self.several} from {self.page}; give one or their folder by {given}, or put them into {folder}"
            )
        return f"take {self.file} from {self.page} and give it by {given}, or put it into {data_folders()[0]}"

    @property
    def is_at(self) -> str:
        """What is given by --data, in a word."""
        return "its folder" if self.several else self.file


SOURCES = {
    "semantoneg": Source(
        name="semantoneg",
        file="SemAntoNeg_v1.0.json",
        url=(
            "https://raw.githubusercontent.com/Helsinki-NLP/SemAntoNeg/"
            "6b059edbfc60dfb0872d863adecbeddd6121e8d3/SemAntoNeg_v1.0.json"
        ),
        sha256="2d1435c1ae5e6c768581660c8d86834c3e394fd74ea685f0349f0def704796f7",
        licence="CC BY 4.0",
    ),
    "heros": Source(
        name="heros",
        file="heros.tsv",
        url="",
        sha256="",
        licence="Apache-2.0",
        page="huggingface.co/datasets/dcml0714/Heros",
    ),
    "developmental": Source(
        name="developmental",
        file="developmental",
        url="",
        sha256="",
        licence="as SNLI and MultiNLI",
        page="github.com/Advancing-Machine-Human-Reasoning-Lab/negation-processing-ACL-2022",
        several="the *_innoculation_v5.jsonl files",
    ),
}


def source(name: str) -> Source:
    """The source of that name."""
    if name not in SOURCES:
        raise unknown_name("data set", name, SOURCES)
    return SOURCES[name]


def find_data(name: str) -> Path | None:
    """The official file, or folder of files, on this machine, if it is in LITOTES_DATA or in the user's data folder."""
    wanted = source(name)
    for folder in data_folders():
        for place in (folder / wanted.file, folder / wanted.name / wanted.file):
            if is_file(place) or (wanted.several and is_folder(place)):
                return place
    return None


def fetch(
    name: str,
    *,
    folder: Path | None = None,
    url: str | None = None,
    offline: bool = False,
    on_progress: OnProgress | None = None,
) -> Path:
    """The published file of a suite, in the data folder; a mirror may bring it, its sha256 stays the same."""
    wanted = source(name)
    if not wanted.url:
        # Without a sha256 nothing that came could be told from something else.
        raise LitotesError(
            "L501", f"{name}: Litotes knows no address and no sha256 of {wanted.file}", hint=wanted.how_to_get
        )
    target = (folder or data_folders()[0]) / wanted.file
    if not offline:
        return download(url or wanted.url, target, sha256=wanted.sha256, on_progress=on_progress)
    if has_sha256(target, wanted.sha256):
        return target
    raise LitotesError(
        "L501",
        f"{wanted.url}: was not downloaded",
        hint=f"offline was asked: leave that out, or bring the file to {target} by other means",
    )
