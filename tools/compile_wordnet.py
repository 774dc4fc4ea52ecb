"""Compile the files of WordNet 3.0 into the lexicon that the package contains.

Run it from the project with the folder that contains data.noun, index.noun, index.sense and the other files:

    python tools/compile_wordnet.py FOLDER

The files are published by Princeton University; src/litotes/languages/en/data/WORDNET-LICENSE is their licence.
"""

from __future__ import annotations

import sys
from pathlib import Path

from litotes.languages.en.lexicon.compile_wordnet import compile_wordnet

DATA = Path(__file__).resolve().parent.parent / "src/litotes/languages/en/data"


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    target = DATA / "wordnet.sqlite"
    compile_wordnet(
        Path(sys.argv[1]),
        target,
        source="WordNet 3.0, Princeton University",
        licence="WordNet 3.0 license, see WORDNET-LICENSE",
    )
    print(f"{target.stat().st_size:,} bytes → {target}")


if __name__ == "__main__":
    main()
