"""Antonyms and their ranks."""

from __future__ import annotations

import pytest

from litotes.languages.en.lexicon.antonyms import _table as table
from litotes.languages.en.lexicon.antonyms import is_affixal, is_contradictory, lexicon_opposites, usual_opposites
from litotes.languages.en.lexicon.wordnet import default_lexicon


def words(word: str, pos: str) -> list[str]:
    return [opposite.word for opposite in lexicon_opposites(word, pos)]


def test_direct_antonyms_come_first_by_frequency_of_their_sense() -> None:
    results = lexicon_opposites("hard", "a")
    kinds = [result.kind for result in results]
    assert kinds == sorted(kinds, key=["direct", "member", "indirect"].index)
    direct = [result.sense for result in results if result.kind == "direct"]
    assert direct == sorted(direct)


def test_antonyms_of_the_other_members_follow() -> None:
    assert words("right", "a").index("wrong") < words("right", "a").index("incorrect")
    assert (
        next(opposite for opposite in lexicon_opposites("sure", "a") if opposite.word == "uncertain").via == "certain"
    )


def test_indirect_antonyms_are_used_without_direct_ones() -> None:
    results = lexicon_opposites("gigantic", "a")
    assert results and {one.kind for one in results} == {"indirect"}
    assert {"small", "little"} & {one.word for one in results}
    assert all(one.kind != "indirect" for one in lexicon_opposites("good", "a"))


def test_a_word_without_opposites_has_none() -> None:
    assert lexicon_opposites("wooden", "n") == ()
    assert lexicon_opposites("qwxz", "a") == ()


def test_no_word_is_its_own_opposite() -> None:
    for pos in ("a", "v"):
        for word in ("used", "dust", "sanction", "fast", "left"):
            assert word not in words(word, pos)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("happy", "unhappy", True),
        ("unhappy", "happy", True),
        ("possible", "impossible", True),
        ("legal", "illegal", True),
        ("agree", "disagree", True),
        ("careful", "careless", True),
        ("carefully", "carelessly", True),
        ("hairy", "hairless", True),
        ("good", "bad", False),
        ("able", "capable", False),
        ("in", "thin", False),
    ],
)
def test_affixes_are_recognised(first: str, second: str, expected: bool) -> None:
    assert is_affixal(first, second) is expected and is_affixal(second, first) is expected


def test_contradictory_pairs_are_recognised() -> None:
    assert is_contradictory("dead", "alive") and is_contradictory("alive", "dead")
    assert is_contradictory("regular", "irregular")
    assert not is_contradictory("hot", "cold")


def test_reason_names_the_kind_and_marks_affixes() -> None:
    unsure = lexicon_opposites("sure", "a")[0]
    assert "direct antonym of its most frequent sense" in unsure.reason and "affixal" in unsure.reason
    assert "affixal" not in lexicon_opposites("big", "a")[0].reason


def test_table_is_clean_and_has_no_word_opposed_to_itself() -> None:
    for (word, pos), rows in table().items():
        assert pos in "avrn" and word == word.strip().lower() and "-" not in word, (word, pos)
        for row in rows:
            assert word not in row.words, (word, pos)
            assert all(one == one.strip() and one for one in row.words), (word, pos)


def test_most_words_of_the_table_are_in_the_lexicon() -> None:
    lexicon = default_lexicon()
    unknown = {key for key in table() if not lexicon.senses(*key)}
    assert len(unknown) < len(table()) * 0.03, sorted(unknown)


def test_a_row_that_always_holds_is_the_last_of_its_word() -> None:
    for key, rows in table().items():
        assert all(row.conditions for row in rows[:-1]), key


def test_rows_are_sorted() -> None:
    assert [row.words[0] for row in usual_opposites("old", "a") if row.words] == ["young", "young", "young", "new"]
    assert usual_opposites("qwxz", "a") == ()
