"""The page of an audit and its files."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from litotes.audit.corpus import open_corpus
from litotes.audit.settings import AuditSettings
from litotes.core.errors import LitotesError, UsageError
from litotes.report.audit_figures import similarity_axis
from litotes.report.audit_page import check_free, mark_differences, render_audit, write_audit
from tests.audit.example_audits import SCRIPT, distribution, example_audit, minimal_audit, mining, point
from tests.kills import kill_before_each_change


class Page(HTMLParser):
    """A parsed page: unclosed elements, tags, and text by section."""

    VOID = ("meta", "input", "br", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.section = ""
        self.text: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        if tag == "section":
            self.section = dict(attrs)["id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag, tag

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append(tag)

    def handle_data(self, data) -> None:
        self.text[self.section] = self.text.get(self.section, "") + data.replace("\u00a0", " ")


def test_the_page_is_well_formed_and_shows_the_results() -> None:
    page = Page(render_audit(example_audit(at_threshold=point(0.9))))
    assert page.open == []
    assert "How blind is all-MiniLM-L6-v2 on help.txt?" in page.text[""]
    assert "93.1 % of cases (91.6 to 94.4)" in page.text[""]
    assert "94.2 %" in page.text["blindness"]
    assert "a word replaced by a synonym" in page.text["similarities"]
    assert "At 0.90," in page.text["thresholds"]
    assert "0.610" in page.text["retrieval"]
    assert "The shop does not open on Sundays." in page.text["worst"]
    assert "Parcel 11 cannot be sent back." in page.text["mined"]
    assert "it has no verb that could be negated (300)" in page.text["used"]
    assert "0123456789abcdef" in page.text["settings"]


def test_text_of_a_corpus_is_escaped_everywhere() -> None:
    text = render_audit(example_audit(model=SCRIPT, corpus=({"name": SCRIPT},)))
    assert "<script>window" not in text
    page = Page(text)
    assert page.tags.count("script") == 2
    assert SCRIPT in " ".join(page.text["worst"].split())


def test_the_page_loads_nothing_and_allows_only_its_own_script() -> None:
    text = render_audit(example_audit())
    assert "default-src 'none'" in text and "unsafe" not in text
    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert not re.search(r"\sstyle=", text)


def test_the_same_audit_gives_the_same_page() -> None:
    assert render_audit(example_audit()) == render_audit(example_audit())


def test_almost_empty_audit_has_a_page() -> None:
    page = Page(render_audit(minimal_audit()))
    assert page.open == []
    assert "No queries are possible" in page.text["retrieval"]
    assert "Mining was switched off." in page.text["mined"]
    assert "There are none" in page.text["worst"]


def test_many_pairs_are_collapsed() -> None:
    page = Page(render_audit(example_audit(mining=mining(700))))
    assert "Show 175 more pairs" in page.text["mined"]
    assert "These are the 200 most similar; opposites.jsonl next to this page has all 700" in page.text["mined"]
    assert "Parcel 200 can" in page.text["mined"] and "Parcel 201 can" not in page.text["mined"]


def test_differences_are_marked() -> None:
    assert mark_differences("It's not open today.", "It's open today.") == "It&#39;s <mark>not</mark> open today."
    assert mark_differences("The soup is cold.", "the soup is hot.") == "The soup is <mark>cold</mark>."
    assert mark_differences("The same.", "The same.") == "The same."
    assert mark_differences("He has no red hat.", "He has a hat.") == "He has <mark>no red</mark> hat."


def test_very_long_sentence_is_truncated() -> None:
    assert len(mark_differences("word " * 10_000, "other " * 10_000)) < 8000


def test_the_axis_begins_where_the_similarities_do() -> None:
    audit = example_audit(distributions=(distribution("negation"),))
    axis = similarity_axis(audit)
    assert axis.ticks[0] == axis.low and axis.ticks[-1] == axis.high == 1.0
    assert 0.6 <= axis.low <= 0.8
    assert similarity_axis(example_audit(distributions=())).low == 0.0


CORPUS = open_corpus(["The soup is hot."], None)
SETTINGS = AuditSettings()


def test_files_are_written_and_can_be_read(tmp_path: Path) -> None:
    paths = write_audit(tmp_path / "out", example_audit())
    assert [path.name for path in paths] == ["audit.json", "audit.html", "opposites.jsonl"]
    document = json.loads(paths[0].read_text("utf-8"))
    assert document["blindness"][0]["rate"] == 0.931
    pairs = [json.loads(line) for line in paths[2].read_text("utf-8").splitlines()]
    assert len(pairs) == 12 and pairs[0]["first"] == "Parcel 1 can be sent back."
    again = write_audit(tmp_path / "out", example_audit(mining=None))
    assert [path.name for path in again] == ["audit.json", "audit.html"] and not paths[2].exists()


def test_another_audit_is_overwritten_only_with_fresh(tmp_path: Path) -> None:
    check_free(tmp_path, CORPUS, SETTINGS, fresh=False)
    write_audit(tmp_path, example_audit(corpus=CORPUS.files, settings=SETTINGS.to_dict()))
    check_free(tmp_path, CORPUS, SETTINGS, fresh=False)
    check_free(tmp_path, CORPUS, SETTINGS, fresh=False, fingerprint="0123456789abcdef")
    with pytest.raises(UsageError, match="contains another audit; use --fresh"):
        check_free(tmp_path, CORPUS, SETTINGS, fresh=False, fingerprint="of other weights")
    other = AuditSettings(seed=1)
    with pytest.raises(UsageError, match="contains another audit"):
        check_free(tmp_path, CORPUS, other, fresh=False)
    check_free(tmp_path, CORPUS, other, fresh=True)


def test_killed_audit_can_be_repeated(tmp_path: Path) -> None:
    audit = example_audit(corpus=CORPUS.files, settings=SETTINGS.to_dict())
    for number in kill_before_each_change(tmp_path, lambda: write_audit(tmp_path / "out", audit)):
        check_free(tmp_path / "out", CORPUS, SETTINGS, fresh=False)
        write_audit(tmp_path / "out", audit)
        names = sorted(path.name for path in (tmp_path / "out").iterdir())
        assert names == ["audit.html", "audit.json", "opposites.jsonl"], number
        shutil.rmtree(tmp_path / "out")
    assert number >= 6  # three files are created and renamed


@pytest.mark.parametrize("name", ["audit.html", "opposites.jsonl"])
def test_foreign_files_are_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=f"{name}: exists and does not belong to an audit; use --fresh"):
        check_free(tmp_path, CORPUS, SETTINGS, fresh=False)
    check_free(tmp_path, CORPUS, SETTINGS, fresh=True)


def test_an_unwritable_folder_is_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LitotesError, match="L401"):
        check_free(tmp_path / "file" / "out", CORPUS, SETTINGS, fresh=False)
