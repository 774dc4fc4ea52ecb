"""Write the lowest versions that pyproject.toml allows, as constraints for pip: `python tools/minimum.py FILE`.

`make test-minimum` installs them. torch is left out: constraints.txt names its version, because its build differs by
platform. Tools for development have their newest versions.
"""

from __future__ import annotations

import sys
from pathlib import Path

from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
NOT_PINNED = {"litotes", "torch"}


def minimum_versions() -> dict[str, str]:
    """Return the lowest version of each package that users of any extra install."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name != "dev"}
    versions: dict[str, str] = {}
    for line in (*project["dependencies"], *(line for lines in extras.values() for line in lines)):
        requirement = Requirement(line)
        if requirement.name in NOT_PINNED:
            continue
        (specifier,) = requirement.specifier
        if versions.setdefault(requirement.name, specifier.version) != specifier.version:
            sys.exit(f"error: pyproject.toml has two lowest versions of {requirement.name}")
    return versions


if __name__ == "__main__":
    lines = [f"{name}=={version}\n" for name, version in minimum_versions().items()]
    Path(sys.argv[1]).write_text("".join(lines), encoding="utf-8")
