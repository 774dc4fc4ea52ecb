"""The official files of published suites: where they come from, how to find and download them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from litotes.core.download import OnProgress, download, has_sha256
from litotes.core.errors import LitotesError
from litotes.core.files import is_file, is_folder
from litotes.core.paths import data_folders
from litotes.core.registry import unknown_name


@dataclass(frozen=True)
class OfficialFile:
    """A published file, or a folder of files."""

    name: str
    file: str
    """The name of the file, or of the folder for several files."""
    licence: str
    url: str = ""
    """The address at a fixed revision; empty if the file must be obtained by hand."""
    sha256: str = ""
    page: str = ""
    """The page where the file is found, if it has no address."""
    file_pattern: str = ""
    """The names of the files, if there are several."""

    @property
    def how_to_get(self) -> str:
        """The hint for a missing file."""
        option = f"--data {self.name}=PATH"
        if self.url:
            return f"download it with litotes fetch {self.name}, or give its path with {option}"
        if self.file_pattern:
            folder = data_folders()[0] / self.file
            return (
                f"download {self.file_pattern} from {self.page}; give one of them or their folder with {option}, "
                f"or put them into {folder}"
            )
        return f"download {self.file} from {self.page}; give its path with {option}, or put it into {data_folders()[0]}"

    @property
    def data_path(self) -> str:
        """What `--data` expects, for messages."""
        return "its folder" if self.file_pattern else self.file


OFFICIAL_FILES = {
    "semantoneg": OfficialFile(
        name="semantoneg",
        file="SemAntoNeg_v1.0.json",
        url=(
            "https://raw.githubusercontent.com/Helsinki-NLP/SemAntoNeg/"
            "6b059edbfc60dfb0872d863adecbeddd6121e8d3/SemAntoNeg_v1.0.json"
        ),
        sha256="2d1435c1ae5e6c768581660c8d86834c3e394fd74ea685f0349f0def704796f7",
        licence="CC BY 4.0",
    ),
    "heros": OfficialFile(
        name="heros",
        file="heros.tsv",
        licence="Apache-2.0",
        page="huggingface.co/datasets/dcml0714/Heros",
    ),
    "developmental": OfficialFile(
        name="developmental",
        file="developmental",
        licence="as SNLI and MultiNLI",
        page="github.com/Advancing-Machine-Human-Reasoning-Lab/negation-processing-ACL-2022",
        file_pattern="the *_innoculation_v5.jsonl files",
    ),
}


def official_file(name: str) -> OfficialFile:
    """Return the official file of a suite."""
    if name not in OFFICIAL_FILES:
        raise unknown_name("data set", name, OFFICIAL_FILES)
    return OFFICIAL_FILES[name]


def find_data(name: str) -> Path | None:
    """Return the path of an official file or folder in LITOTES_DATA or the user's data folder, or None."""
    file = official_file(name)
    for folder in data_folders():
        for path in (folder / file.file, folder / file.name / file.file):
            if is_file(path) or (file.file_pattern and is_folder(path)):
                return path
    return None


def fetch(
    name: str,
    *,
    folder: Path | None = None,
    url: str | None = None,
    offline: bool = False,
    on_progress: OnProgress | None = None,
) -> Path:
    """Download the official file of a suite into the data folder, unless it is there, and return its path.

    `url` is the address of a mirror; the sha256 of the file is always verified.
    """
    file = official_file(name)
    if not file.url:
        # Even from a mirror: without a known sha256 the file could not be verified.
        raise LitotesError(
            "L501", f"{name}: the address and the sha256 of {file.file} are unknown", hint=file.how_to_get
        )
    target = (folder or data_folders()[0]) / file.file
    if not offline:
        return download(url or file.url, target, sha256=file.sha256, on_progress=on_progress)
    if has_sha256(target, file.sha256):
        return target
    raise LitotesError(
        "L501",
        f"{file.url}: was not downloaded because of --offline",
        hint=f"remove --offline, or copy the file to {target}",
    )
