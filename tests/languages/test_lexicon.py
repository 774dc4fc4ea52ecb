"""The compiled lexicon against NLTK's reader of the same WordNet, on the whole vocabulary."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from litotes import LitotesError
from litotes.languages.en.lexicon.compile_wordnet import synset_id
from litotes.languages.en.lexicon.wordnet import Lexicon, default_lexicon, open_lexicon

WORDNET = Path(__file__).resolve().parents[2] / ".venv/nltk_data/corpora/wordnet"


@pytest.fixture(scope="module")
def nltk_wordnet():
    if not WORDNET.is_dir():
        pytest.skip(f"{WORDNET} is not there: make test brings it")
    nltk = pytest.importorskip("nltk")
    nltk.data.path.insert(0, str(WORDNET.parents[1]))
    from nltk.corpus import wordnet

    wordnet.ensure_loaded()
    return wordnet


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return default_lexicon()


def plain(name: str) -> str:
    return name.replace("_", " ")


@pytest.mark.parametrize("pos", "nvar")
def test_senses_have_the_order_of_the_dictionary(lexicon: Lexicon, nltk_wordnet, pos: str) -> None:
    words = list(lexicon.words(pos))
    assert set(words) == {plain(name) for name in nltk_wordnet.all_lemma_names(pos)}
    for word in words:
        theirs = nltk_wordnet._lemma_pos_offset_map[word.replace(" ", "_")][pos]
        assert [sense.synset.id for sense in lexicon.senses(word, pos)] == [synset_id(pos, one) for one in theirs]


@pytest.mark.parametrize("pos", "nvar")
def test_senses_have_members_antonyms_derivations_and_similar_senses(lexicon: Lexicon, nltk_wordnet, pos: str) -> None:
    antonyms = 0
    for theirs in nltk_wordnet.all_synsets(pos):
        ours = lexicon.synset(synset_id(pos, theirs.offset()))
        lemmas = theirs.lemmas()
        assert [plain(lemma.name()) for lemma in lemmas] == list(ours.members)
        assert sorted(synset_id(pos, one.offset()) for one in theirs.similar_tos()) == sorted(ours.similar)
        assert ours.satellite == (theirs.pos() == "s")
        for lemma, sense in zip(lemmas, lexicon.members(ours), strict=True):
            assert _linked(lexicon.antonyms(sense)) == _named(lemma.antonyms())
            assert _linked(lexicon.derived(sense)) == _named(lemma.derivationally_related_forms())
            antonyms += len(lemma.antonyms())
    assert antonyms == {"n": 2152, "v": 1093, "a": 4024, "r": 710}[pos]


def _linked(senses) -> list[tuple[str, int]]:
    return sorted((sense.word, sense.synset.id) for sense in senses)


def _named(lemmas) -> list[tuple[str, int]]:
    return sorted((plain(lemma.name()), synset_id(_pos(lemma), lemma.synset().offset())) for lemma in lemmas)


def _pos(lemma) -> str:
    return lemma.synset().pos().replace("s", "a")


def test_counts_match_the_sense_index(lexicon: Lexicon) -> None:
    if not WORDNET.is_dir():
        pytest.skip(f"{WORDNET} is not there: make test brings it")
    kinds = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    checked = 0
    for line in (WORDNET / "index.sense").read_text("utf-8").splitlines():
        key, offset, rank, count = line.split()
        lemma, _, sense_key = key.partition("%")
        sense = lexicon.senses(lemma, kinds[sense_key[0]])[int(rank) - 1]
        assert sense.synset.id == synset_id(kinds[sense_key[0]], int(offset))
        assert sense.count == int(count)
        checked += 1
    assert checked == 206_941


def test_lexicon_opens_in_milliseconds(lexicon: Lexicon) -> None:
    best = min(_open_once(lexicon) for _ in range(20))
    assert best < 0.05


def _open_once(lexicon: Lexicon) -> float:
    start = time.perf_counter()
    assert Lexicon(lexicon.path).senses("good", "a")
    return time.perf_counter() - start


def test_adjectives_have_position_markers(lexicon: Lexicon) -> None:
    assert lexicon.senses("asleep", "a")[0].marker == "p"
    assert lexicon.senses("former", "a")[0].marker in ("a", "")
    assert lexicon.senses("galore", "a")[0].marker == "ip"


def test_unknown_word_has_no_senses(lexicon: Lexicon) -> None:
    assert lexicon.senses("qwertyuiop", "n") == ()
    assert lexicon.senses("", "n") == ()
    assert lexicon.senses("🙂", "n") == ()


def test_another_wordnet_is_compiled_once(tmp_path: Path, monkeypatch) -> None:
    if not WORDNET.is_dir():
        pytest.skip(f"{WORDNET} is not there: make test brings it")
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "other"
    shutil.copytree(WORDNET, folder)
    first = open_lexicon(folder)
    (compiled,) = (tmp_path / "cache" / "lexicons").iterdir()
    modified = compiled.stat().st_mtime_ns
    assert [antonym.word for antonym in first.antonyms(first.senses("good", "a")[0])] == ["bad"]
    open_lexicon(folder)
    assert compiled.stat().st_mtime_ns == modified


@pytest.mark.parametrize("break_it", ["missing", "garbage"])
def test_invalid_wordnet_is_reported(tmp_path: Path, monkeypatch, break_it: str) -> None:
    monkeypatch.setenv("LITOTES_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "other"
    folder.mkdir()
    if break_it == "garbage":
        for kind in ("noun", "verb", "adj", "adv"):
            (folder / f"data.{kind}").write_text("no wordnet at all\n")
            (folder / f"index.{kind}").write_text("no wordnet at all\n")
        (folder / "index.sense").write_text("no wordnet at all\n")
    with pytest.raises(LitotesError) as caught:
        open_lexicon(folder)
    assert caught.value.code == ("L201" if break_it == "missing" else "L203")
    assert not list(tmp_path.glob("cache/lexicons/*.sqlite"))


@pytest.fixture()
def small_wordnet(tmp_path: Path) -> Path:
    """Write a WordNet of two adjectives."""
    folder = tmp_path / "small"
    folder.mkdir()
    for kind in ("noun", "verb", "adv"):
        (folder / f"data.{kind}").write_text("")
        (folder / f"index.{kind}").write_text("")
    (folder / "data.adj").write_text(
        "  1 A licence stands here.\n"
        "00000101 00 a 01 crumbly 0 001 ! 00000202 a 0101 | falls apart\n"
        "00000202 00 a 01 gooey 0 001 ! 00000101 a 0101 | sticks together\n"
    )
    (folder / "index.adj").write_text("crumbly a 1 1 ! 1 1 00000101\ngooey a 1 1 ! 1 1 00000202\n")
    (folder / "index.sense").write_text("crumbly%3:00:00:: 00000101 1 4\ngooey%3:00:00:: 00000202 1 2\n")
    return folder


def litotes(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


ANTONYMS = """
import litotes
print([edit.text for edit in litotes.rewrite("antonym", "This cake is crumbly.")])
from litotes.building.pipeline.settings import versions
print(versions().get("wordnet"))
"""


def test_rewrites_read_the_wordnet_that_the_environment_names(small_wordnet: Path, tmp_path: Path) -> None:
    cache = {"LITOTES_CACHE": str(tmp_path / "cache")}
    own = litotes(ANTONYMS, LITOTES_WORDNET="", **cache)
    assert own.stdout == "[]\nNone\n", own.stderr
    other = litotes(ANTONYMS, LITOTES_WORDNET=str(small_wordnet), **cache)
    result, version = other.stdout.splitlines()
    assert result == "['This cake is gooey.']" and len(version) == 16, other.stderr
    # The compiled file works too and does not depend on the path.
    (compiled,) = (tmp_path / "cache" / "lexicons").iterdir()
    assert litotes(ANTONYMS, LITOTES_WORDNET=str(compiled), **cache).stdout == other.stdout
    moved = small_wordnet.rename(tmp_path / "elsewhere")
    assert litotes(ANTONYMS, LITOTES_WORDNET=str(moved), **cache).stdout == other.stdout
    assert len(list((tmp_path / "cache" / "lexicons").iterdir())) == 2


@pytest.mark.parametrize(
    ("break_it", "code", "message"),
    [
        ("nowhere", "L201", "no such folder"),
        ("empty", "L201", "data.noun is missing"),
        ("file", "L203", "not a lexicon"),
    ],
)
def test_invalid_wordnet_path_is_reported(tmp_path: Path, break_it: str, code: str, message: str) -> None:
    path = tmp_path / "other"
    if break_it == "empty":
        path.mkdir()
    elif break_it == "file":
        path.write_text("no lexicon " * 1000)
    script = (
        "import sys; from litotes.cli.main import main; sys.argv[1:] = ['rewrite', 'antonym', 'It is hot.']; main()"
    )
    done = litotes(script, LITOTES_WORDNET=str(path), LITOTES_CACHE=str(tmp_path / "cache"))
    assert done.returncode and code in done.stderr and message in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and str(path) in done.stderr.replace("\n", "")


def test_invalid_lexicon_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"not a database at all, but long enough to look at" * 100)
    with pytest.raises(LitotesError, match="is not a lexicon"):
        Lexicon(path)
