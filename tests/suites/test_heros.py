"""The published HEROS table with different headings and orders of columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import litotes
from litotes import LitotesError, Suite, load_suite
from litotes.core.files import read_json
from litotes.review.summary import cohens_kappa
from litotes.suites.heros import KIND, ROLES, load_official
from litotes.suites.official_files import fetch

ROWS = [
    (
        "I know that the new ferry was slow.",
        "I know that the new ferry was sluggish.",
        "I know that the new ferry was fast.",
        "I know that the new ferry was red.",
        "I know that the new ferry was slwo.",
        "I do not know that the new ferry was slow.",
        "I know that the new ferry was not slow.",
    ),
    (
        "My aunt hates the cold mornings here.",
        "My aunt detests the cold mornings here.",
        "My aunt loves the cold mornings here.",
        "My aunt forgets the cold mornings here.",
        "My aunt htaes the cold mornings here.",
        "My aunt does not hate the cold mornings here.",
        "My aunt does not hate the cold mornings here.",
    ),
    (
        "They say the bakery is a cheap place.",
        "They say the bakery is an inexpensive place.",
        "They say the bakery is an expensive place.",
        "They say the bakery is a small place.",
        "They say the bakery is a chaep place.",
        "They do not say the bakery is a cheap place.",
        "They say the bakery is not a cheap place.",
    ),
]
HEADINGS = ["Original", "Synonym", "Antonym", "Random", "Typo", "Negation (Main)", "Negation (Antonym)"]


def write(folder: Path, headings: list[str] | None, rows: list[tuple[str, ...]]) -> Path:
    path = folder / "heros.tsv"
    lines = ["\t".join(row) for row in ([tuple(headings)] if headings else []) + rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def texts(suite: Suite) -> list[tuple[str, ...]]:
    return [tuple(item.sentences[role] for role in ROLES) for item in suite.items]


def test_table_with_the_headings_of_the_paper(tmp_path: Path) -> None:
    suite = load_suite("heros", path=write(tmp_path, HEADINGS, ROWS))
    assert texts(suite) == ROWS
    assert suite.kind is KIND
    assert [item.group for item in suite.items] == ["fast/slow", "hates/loves", "cheap/expensive"]
    assert suite.items[0].tags == {"word": "slow", "antonym": "fast"}
    assert (suite.licence, len(suite.sha256)) == ("Apache-2.0", 64)


ORDERS = {
    "long": ["original sentence", "synonyms", "antonyms", "Random MLM", "Typos", "negation_main", "negation_antonym"],
    "short": ["ORIGINAL", "SYN", "ANT", "MLM", "TYPO", "Negation (M.)", "Negation (A.)"],
    "verb": ["Original", "Synonym", "Antonym", "Random (MLM)", "Misspelling", "Main verb negation", "Antonym negation"],
}  # fmt: skip


@pytest.mark.parametrize("headings", ORDERS.values(), ids=ORDERS.keys())
def test_headings_may_have_variants(tmp_path: Path, headings: list[str]) -> None:
    assert texts(load_official(write(tmp_path, headings, ROWS))) == ROWS


@pytest.mark.parametrize("order", [(6, 5, 4, 3, 2, 1, 0), (0, 1, 2, 5, 3, 4, 6)])
def test_columns_may_be_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    rows = [tuple(row[index] for index in order) for row in ROWS]
    assert texts(load_official(write(tmp_path, [HEADINGS[index] for index in order], rows))) == ROWS


@pytest.mark.parametrize("order", [(0, 1, 2, 5, 3, 4, 6), (0, 1, 2, 6, 3, 4, 5)])
def test_equal_negation_headings_are_distinguished_by_the_negated_word(tmp_path: Path, order: tuple[int, ...]) -> None:
    headings = ["Original", "Synonym", "Antonym", "Negation", "Random", "Typo", "Negation"]
    rows = [tuple(row[index] for index in order) for row in ROWS]
    assert texts(load_official(write(tmp_path, headings, rows))) == ROWS


def test_table_without_header_has_the_order_of_the_paper(tmp_path: Path) -> None:
    assert texts(load_official(write(tmp_path, None, ROWS))) == ROWS
    numbered = [(str(number), *row) for number, row in enumerate(ROWS)]
    assert texts(load_official(write(tmp_path, None, numbered))) == ROWS


def test_column_of_numbers_is_ignored(tmp_path: Path) -> None:
    numbered = [(str(number), *row) for number, row in enumerate(ROWS)]
    assert texts(load_official(write(tmp_path, ["", *HEADINGS], numbered))) == ROWS


def test_quotation_marks_of_programs_are_removed(tmp_path: Path) -> None:
    double_quoted = tuple(f'She called it "{word}", no less.' for word in "slow late fast red slwo two three".split())
    quoted = tuple(f'"{word}."' for word in "Slow Late Fast Red Slwo Two Three".split())
    doubled = tuple('"' + text.replace('"', '""') + '"' for text in double_quoted)
    assert texts(load_official(write(tmp_path, HEADINGS, [double_quoted, quoted]))) == [double_quoted, quoted]
    assert texts(load_official(write(tmp_path, HEADINGS, [doubled]))) == [double_quoted]
    every = [f'"{heading}"' for heading in HEADINGS]
    assert texts(load_official(write(tmp_path, every, [doubled, tuple(f'"{t}"' for t in ROWS[0])]))) == [
        double_quoted,
        ROWS[0],
    ]


def test_bom_and_crlf_are_removed(tmp_path: Path) -> None:
    path = write(tmp_path, HEADINGS, ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert texts(load_official(path)) == ROWS


@pytest.mark.parametrize(
    ("headings", "rows", "code", "message"),
    [
        (HEADINGS, [], "L204", "a header but no items"),
        (HEADINGS[:4], [ROWS[0][:4]], "L203", 'the column "typo" is missing'),
        (HEADINGS[:6], [ROWS[0][:6]], "L203", 'the column "negation_antonym" is missing'),
        (None, [ROWS[0][:5]], "L203", "has 5 columns and no header"),
        (None, [("one", *ROWS[0])], "L203", "has 8 columns and no header"),
        (HEADINGS, [ROWS[0], ROWS[1][:6]], "L203", "heros.tsv:3: has 6 columns instead of at least 7"),
        (HEADINGS, [(*ROWS[0][:3], "", *ROWS[0][4:])], "L203", 'the sentence under "random" is empty'),
    ],
)
def test_invalid_tables_are_errors_with_the_line(
    tmp_path: Path, headings: list[str] | None, rows: list[tuple[str, ...]], code: str, message: str
) -> None:
    with pytest.raises(LitotesError) as caught:
        load_official(write(tmp_path, headings, rows))
    assert caught.value.code == code
    assert message in str(caught.value)


def test_empty_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "heros.tsv").write_text("\n")
    with pytest.raises(LitotesError, match=r"L204.*has no items"):
        load_official(tmp_path / "heros.tsv")


def test_criterion_and_extra_criteria() -> None:
    assert KIND.criterion.right == "synonym"
    assert KIND.criterion.chance == 0.25
    assert {name: reading.chance for name, reading in KIND.extra_criteria.items()} == {
        "over antonym": 0.5,
        "over negation_main": 0.5,
        "over negation_antonym": 0.5,
    }
    assert {pair[0] for pair in KIND.pairs} == {"original"}
    assert {pair[1] for pair in KIND.pairs} == set(ROLES[1:])


def test_fetch_explains_how_to_obtain_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITOTES_DATA", str(tmp_path))
    for url in (None, "http://127.0.0.1:9/heros.tsv"):
        with pytest.raises(LitotesError, match=r"L501.*address .*unknown.*--data heros=PATH.*"):
            fetch("heros", url=url)
    with pytest.raises(LitotesError, match=r"L201.*--data heros=PATH"):
        load_suite("heros")
    write(tmp_path, HEADINGS, ROWS)
    assert texts(load_suite("heros")) == ROWS


def test_the_negations_of_the_built_in_suite_differ() -> None:
    items = load_suite("heros-mini").items
    n_same = sum(item.sentences["negation_main"] == item.sentences["negation_antonym"] for item in items)
    assert len(items) >= 350
    assert n_same <= 0.15 * len(items)
    assert len({item.sentences["original"] for item in items}) == len(items)


def test_the_items_of_the_built_in_suite_are_accepted_by_all_their_reviewers() -> None:
    folder = Path(litotes.__file__).parent / "suites" / "builtin" / "heros-mini"
    verdicts: dict[str, dict[str, str]] = {}
    for line in (folder / "review.jsonl").read_text("utf-8").splitlines():
        verdict = json.loads(line)
        verdicts.setdefault(verdict["unit"], {})[verdict["annotator"]] = verdict["verdict"]
    for item in load_suite("heros-mini").items:
        assert verdicts[item.id] and "reject" not in verdicts[item.id].values()
    both = [(given["lm-2"] == "accept", given["lm-3"] == "accept") for given in verdicts.values() if "lm-2" in given]
    [pair] = read_json(folder / "suite.json")["review"]["agreement"]["pairs"]
    assert (pair["units"], pair["agreed"]) == (len(both), sum(one == other for one, other in both))
    assert pair["kappa"] == pytest.approx(cohens_kappa(both), abs=1e-6)
