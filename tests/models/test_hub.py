"""Tests of finding models by name: in the hub's cache and on its server, and offline."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from local_hub import COMMIT, Hub, put_in_cache
from tiny_models import add_module, copy, pickle_weights, save_bert, save_sentence_transformer

from litotes.models.access import Access
from litotes.models.hub import find_model, installed_models
from litotes.models.loading import load_model
from litotes.models.names import parse_name

OFFLINE = Access(offline=True)

FIND = """
import json, sys
from litotes.core.errors import LitotesError
from litotes.models.access import Access
from litotes.models.hub import find_model
from litotes.models.names import parse_name
found = []
for name in sys.argv[2:]:
    try:
        found.append(str(find_model(parse_name(name), Access(**json.loads(sys.argv[1])))))
    except LitotesError as error:
        found.append(str(error))
print(json.dumps(found))
"""


def find(text: str, access: Access = OFFLINE) -> Path:
    return find_model(parse_name(text), access)


@pytest.fixture
def second_model(tmp_path: Path) -> Path:
    """Return a different model from `tiny_st`."""
    return save_sentence_transformer(tmp_path / "other", save_bert(tmp_path / "other-bert", seed=5))


class TestCache:
    @pytest.mark.parametrize("name", ["org/tiny", "org/tiny@main", f"org/tiny@{COMMIT}"])
    def test_loads_a_cached_hub_id(self, name: str, tiny_st: Path, hub_cache: Path) -> None:
        snapshot = put_in_cache(hub_cache, "org/tiny", tiny_st)
        assert find(name) == snapshot

    def test_a_short_name_is_sentence_transformers_first(self, tiny_st: Path, hub_cache: Path) -> None:
        bare = put_in_cache(hub_cache, "tiny", tiny_st)
        assert find("tiny") == bare
        first = put_in_cache(hub_cache, "sentence-transformers/tiny", tiny_st)
        assert find("tiny") == first

    def test_a_revision_picks_its_snapshot(self, tiny_st: Path, second_model: Path, hub_cache: Path) -> None:
        old = put_in_cache(hub_cache, "org/tiny", second_model, commit="a" * 40, ref="v1")
        new = put_in_cache(hub_cache, "org/tiny", tiny_st, commit="b" * 40)
        assert find("org/tiny") == find("org/tiny@main") == find(f"org/tiny@{'b' * 40}") == new
        assert find("org/tiny@v1") == find(f"org/tiny@{'a' * 40}") == old

    def test_the_revisions_are_different_models(self, tiny_st: Path, second_model: Path, hub_cache: Path) -> None:
        put_in_cache(hub_cache, "org/tiny", second_model, commit="a" * 40, ref="v1")
        put_in_cache(hub_cache, "org/tiny", tiny_st, commit="b" * 40)
        old, new = (load_model(name, offline=True) for name in ("org/tiny@v1", "org/tiny"))
        pair = [("The soup is hot.", "The soup is cold.")]
        assert old.fingerprint.weights != new.fingerprint.weights
        assert old.score(pair) != new.score(pair)
        assert (old.name, new.name) == ("org/tiny@v1", "org/tiny")

    def test_revision_refers_to_the_hub_even_if_a_folder_exists(
        self, tiny_st: Path, hub_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("tiny").mkdir()
        assert find("tiny") == Path("tiny")
        snapshot = put_in_cache(hub_cache, "sentence-transformers/tiny", tiny_st)
        assert find("tiny@main") == snapshot

    @pytest.mark.parametrize("name", ["org/tiny", "org/tiny@v2", f"org/tiny@{'d' * 40}", "hf:org/tiny", "tinny"])
    def test_does_not_download_when_offline(self, name: str, hub_cache: Path, refused: Any) -> None:
        repository = name.removeprefix("hf:")
        with refused("L309", f'"{repository}"', "--offline"):
            load_model(name, offline=True)

    @pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
    @pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
    def test_environment_variable_forbids_the_network(
        self, variable: str, value: str, hub_cache: Path, monkeypatch: pytest.MonkeyPatch, refused: Any
    ) -> None:
        monkeypatch.setenv(variable, value)
        with refused("L309", '"org/tiny"'):
            find("org/tiny", Access())

    def test_suggests_a_similar_name(self, tiny_st: Path, hub_cache: Path, refused: Any) -> None:
        put_in_cache(hub_cache, "sentence-transformers/tiny-soup", tiny_st)
        with refused("L309", "did you mean tiny-soup?"):
            find("tiny-suop")

    @pytest.mark.parametrize("lost", ["model.safetensors", "modules.json"])
    def test_incomplete_model_is_not_used(
        self, lost: str, tiny_st: Path, hub_cache: Path, tmp_path: Path, refused: Any
    ) -> None:
        # Without modules.json, a sentence encoder would run with the wrong pooling.
        put_in_cache(hub_cache, "org/tiny", copy(tiny_st, tmp_path / "part", without=[lost]))
        with refused("L309", "completely"):
            find("org/tiny")

    def test_broken_links_are_not_weights(self, tiny_st: Path, hub_cache: Path, refused: Any) -> None:
        snapshot = put_in_cache(hub_cache, "org/tiny", tiny_st)
        (snapshot / "model.safetensors").resolve().unlink()
        with refused("L309"):
            find("org/tiny")

    def test_transformers_model_needs_no_modules_file(self, tiny_bert: Path, hub_cache: Path) -> None:
        snapshot = put_in_cache(hub_cache, "org/bert", tiny_bert)
        assert find("hf:org/bert") == snapshot
        # The marker that the hub's client writes for a missing file.
        absent = snapshot.parent.parent / ".no_exist" / COMMIT / "modules.json"
        absent.parent.mkdir(parents=True)
        absent.touch()
        assert find("org/bert") == snapshot

    def test_reports_pickled_weights(self, tiny_st: Path, hub_cache: Path, tmp_path: Path, refused: Any) -> None:
        snapshot = put_in_cache(hub_cache, "org/old", pickle_weights(copy(tiny_st, tmp_path / "old")))
        with refused("L305", "pytorch_model.bin", "--allow-pickle"):
            load_model("org/old", offline=True)
        assert find("org/old", Access(offline=True, allow_pickle=True)) == snapshot

    def test_installed_models_can_be_loaded(self, tiny_st: Path, hub_cache: Path, tmp_path: Path) -> None:
        put_in_cache(hub_cache, "org/tiny", tiny_st)
        put_in_cache(hub_cache, "sentence-transformers/short", tiny_st)
        put_in_cache(hub_cache, "org/words", copy(tiny_st, tmp_path / "x", without=["model.safetensors"]))
        names = installed_models()
        assert {"org/tiny", "short"} <= set(names) and "org/words" not in names


class TestPaths:
    def test_reports_a_missing_path(self, tmp_path: Path, refused: Any) -> None:
        for name in (
            str(tmp_path / "nothing"),
            "./nothing",
            "~/nothing",
            "~nobody/nothing",
            "C:\\nothing",
            "C:/nothing",
        ):
            with refused("L301", "no such folder"):
                find(name, Access())

    def test_reports_a_file_instead_of_a_folder(
        self, tiny_st: Path, monkeypatch: pytest.MonkeyPatch, refused: Any
    ) -> None:
        with refused("L202", "is a file"):
            find(str(tiny_st / "model.safetensors"))
        monkeypatch.chdir(tiny_st)
        with refused("L202", "is a file"):
            find("config.json")

    def test_a_folder_has_no_revisions(self, tiny_st: Path, refused: Any) -> None:
        with refused("L102", "no revisions", "leave out @v1", exit_code=2):
            find(f"{tiny_st}@v1")

    @pytest.mark.parametrize("name", ["🙂", "a b", "a/b/c", "x" * 5000, "org/" + "x" * 200, "a\0b", "über", "a--b"])
    @pytest.mark.parametrize("access", [Access(), OFFLINE])
    def test_invalid_hub_id_needs_no_request(self, name: str, access: Access, refused: Any) -> None:
        with refused("L301", name[:10].replace("\0", "\\x00")):
            find(name, access)


Run = Callable[..., Any]


class TestServer:
    def run(self, run_python: Run, hub: Hub, cache: Path, *names: str, **access: bool) -> list[str]:
        ran = run_python(FIND, json.dumps(access), *names, HF_ENDPOINT=hub.url, HF_HUB_CACHE=cache)
        assert ran.stderr == ""  # neither a progress bar nor a warning
        return list(ran.value)

    def test_downloads_a_model_once(self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path) -> None:
        hub.repositories["org/tiny"] = copy(tiny_st, tmp_path / "org")
        for unwanted in (
            "README.md",
            "tf_model.h5",
            "train.py",
            "onnx/model.onnx",
            "checkpoint-5/model.safetensors",
        ):
            path = tmp_path / "org" / unwanted
            path.parent.mkdir(exist_ok=True)
            path.write_text("unwanted")
        pickled = tmp_path / "org" / "pytorch_model.bin"
        pickled.write_text("unwanted, for there are safetensors")
        first, second = self.run(run_python, hub, tmp_path / "hub", "org/tiny", "org/tiny@main", allow_pickle=True)
        assert first == second and Path(first).name == COMMIT
        expected = {path.relative_to(tiny_st).as_posix() for path in tiny_st.rglob("*") if path.is_file()}
        assert hub.downloaded_files == expected
        n_requests = len(hub.requests)
        (offline,) = self.run(run_python, hub, tmp_path / "hub", "org/tiny", offline=True)
        assert offline == first
        assert len(hub.requests) == n_requests

    def test_downloaded_transformers_model_loads_offline(
        self, run_python: Run, hub: Hub, tmp_path: Path, tiny_bert: Path
    ) -> None:
        hub.repositories["org/bert"] = hub.repositories["bert"] = tiny_bert
        first, second, short = self.run(run_python, hub, tmp_path / "hub", "org/bert", "hf:org/bert", "bert")
        assert first == second != short
        assert Path(short).parts[-3] == "models--bert"
        assert self.run(run_python, hub, tmp_path / "hub", "org/bert", offline=True) == [first]

    def test_completes_an_interrupted_download(self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path) -> None:
        hub.repositories["org/tiny"] = tiny_st
        (folder,) = self.run(run_python, hub, tmp_path / "hub", "org/tiny")
        (Path(folder) / "1_Pooling" / "config.json").unlink()
        (missing,) = self.run(run_python, hub, tmp_path / "hub", "org/tiny", offline=True)
        assert missing.startswith("[L309]")
        assert self.run(run_python, hub, tmp_path / "hub", "org/tiny") == [folder]
        assert (Path(folder) / "1_Pooling" / "config.json").exists()

    def test_reports_refusals_of_the_hub(self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path) -> None:
        hub.repositories["org/tiny"] = tiny_st
        hub.gated.add("org/gated")
        hub.broken.add("org/broken")
        names = ("org/unknown", "unknown", "org/tiny@v9", "org/gated", "org/broken", "org/tinny@main")
        unknown, short, revision, gated, broken, near = self.run(run_python, hub, tmp_path / "hub", *names)
        assert unknown.startswith('[L301] "org/unknown": no such folder, and no such model on the hub; ')
        assert short.startswith('[L301] "unknown": no such folder, and no such model on the hub; ')
        assert revision.startswith('[L301] org/tiny: has no revision "v9"; ')
        assert gated.startswith("[L301] org/gated: ") and "hf auth login" in gated
        assert broken.startswith('[L501] model "org/broken" ') and "500" in broken
        assert near.startswith("[L301]")
        assert not list((tmp_path / "hub").rglob("*.safetensors"))

    def test_reports_an_unavailable_hub(self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path) -> None:
        hub.repositories["org/tiny"] = tiny_st
        (folder,) = self.run(run_python, hub, tmp_path / "hub", "org/tiny")
        hub.shutdown()
        hub.server_close()
        here, away, near = self.run(run_python, hub, tmp_path / "hub", "org/tiny", "org/other-one", "org/tiny1")
        assert here == folder
        assert away.startswith('[L501] model "org/other-one" is not on this machine and the hub cannot be reached')
        assert "(ConnectError)" in away and "name a folder" in away
        assert near.startswith("[L501]") and near.endswith("did you mean org/tiny?")

    def test_rejects_pickled_weights_before_downloading(
        self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path
    ) -> None:
        hub.repositories["org/old"] = pickle_weights(copy(tiny_st, tmp_path / "old"))
        dense = copy(tiny_st, tmp_path / "dense")
        (add_module(dense, "dense", "Dense") / "pytorch_model.bin").write_text("a layer")
        hub.repositories["org/dense"] = dense
        hub.repositories["org/none"] = copy(tiny_st, tmp_path / "none", without=["model.safetensors"])
        old, layer, none = self.run(run_python, hub, tmp_path / "hub", "org/old", "org/dense", "org/none")
        assert old.startswith("[L305] org/old: has only pickled weights (pytorch_model.bin)")
        assert layer.startswith("[L305] org/dense: has only pickled weights (dense/pytorch_model.bin)")
        assert none.startswith("[L302] org/none: has no weights in safetensors")
        assert all(file.endswith("config.json") or file == "modules.json" for file in hub.downloaded_files)
        (allowed,) = self.run(run_python, hub, tmp_path / "hub", "org/old", allow_pickle=True)
        assert (Path(allowed) / "pytorch_model.bin").exists()
        assert self.run(run_python, hub, tmp_path / "hub", "org/old", allow_pickle=True, offline=True) == [allowed]

    def test_reports_a_cache_that_is_not_writable(
        self, run_python: Run, hub: Hub, tmp_path: Path, tiny_st: Path
    ) -> None:
        hub.repositories["org/tiny"] = tiny_st
        (tmp_path / "file").write_text("in the way")
        (result,) = self.run(run_python, hub, tmp_path / "file" / "hub", "org/tiny")
        assert result.startswith(f"[L401] {tmp_path / 'file' / 'hub'}: cannot be written")

    def test_reports_a_full_disk(
        self, run_python: Run, hub: Hub, small_disk: Path, fill: Callable[..., None], tiny_st: Path
    ) -> None:
        hub.repositories["org/tiny"] = tiny_st
        fill(small_disk, leave=16_384)
        (result,) = self.run(run_python, hub, small_disk / "hub", "org/tiny")
        assert result.startswith(f"[L402] {small_disk / 'hub'}: the disk is full")
