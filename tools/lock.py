"""Write locks/demo.txt and locks/test.txt: exact versions and sha256 for every platform and Python version.

`make lock` runs it with uv, which resolves for all of them at once. It leaves out torch, whose build differs by
platform, and the CUDA packages that belong to a build of torch.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from install import read_lock

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {"test": ("all", "dev"), "demo": ("torch", "model")}  # demo takes its versions from test
BUILD = "hatchling>=1.26\neditables>=0.5\n"  # what installs litotes itself
BY_PLATFORM = ("torch==", "triton==", "nvidia-", "cuda-")
HEADER = "# Written by `make lock`; installed by tools/install.py.\n"


def main(uv: str) -> None:
    """Write both locks."""
    for name, extras in EXTRAS.items():
        path = ROOT / "locks" / f"{name}.txt"
        versions = ["--constraint", "constraints.txt"] + ["--constraint", "locks/test.txt"] * (name == "demo")
        subprocess.run(
            [uv, "pip", "compile", "--quiet", "--universal", "--upgrade", "--python-version", "3.10"]
            + ["--generate-hashes", "--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
            + [part for extra in extras for part in ("--extra", extra)]
            + [*versions, "--output-file", str(path), "pyproject.toml", "-"],
            cwd=ROOT,
            input=BUILD,
            text=True,
            check=True,
        )
        entries = [entry for entry in read_lock(path) if not entry.startswith(BY_PLATFORM)]
        path.write_text(HEADER + "\n".join(entries) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
