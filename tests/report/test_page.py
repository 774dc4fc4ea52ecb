"""The HTML report without a browser: contents, escaping and policy."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from dataclasses import replace
from html.parser import HTMLParser
from types import ModuleType
from typing import Any

import pytest

from litotes.report.page import render_report

VOID = {"meta", "link", "input", "br", "img", "hr", "rect", "path"}


class Page(HTMLParser):
    """The parsed report: its tags, its text, its scripts and styles."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.texts: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, text: str) -> None:
        if self.open and self.open[-1] in self.inside:
            self.inside[self.open[-1]].append(text)
        else:
            self.texts.append(text)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts)).replace("\u00a0", " ")

    @property
    def data(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.inside["script"][0])
        for suite in parsed["suites"]:
            for model in suite["models"]:
                unpack(suite, model)
        return parsed

    @property
    def policy(self) -> str:
        return next(
            str(attrs["content"]) for _, attrs in self.tags if attrs.get("http-equiv") == "Content-Security-Policy"
        )


def unpack(suite: dict[str, Any], model: dict[str, Any]) -> None:
    """Replace the packed columns by lists, as the page does."""
    model["choice"] = [byte - 1 for byte in base64.b64decode(model["choice"])]
    kind, missing = ("<i", -(2**31)) if model["wide"] else ("<h", -(2**15))
    values = [
        None if value == missing else value for (value,) in struct.iter_unpack(kind, base64.b64decode(model["numbers"]))
    ]
    items = len(suite["ids"])
    model["margin"], *model["similarities"] = [values[start : start + items] for start in range(0, len(values), items)]


def hash_source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_markup_is_balanced_with_a_single_script(examples: ModuleType) -> None:
    page = Page(render_report(*examples.three_models(40)))
    assert page.open == []
    scripts = [attrs for tag, attrs in page.tags if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "data"}, {}]


def test_ids_are_unique(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    page = Page(render_report([*runs, examples.triplet_run("m", 12)], comparisons))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_a_single_model_is_summarised_in_a_sentence(examples: ModuleType) -> None:
    run = examples.example_run(examples.BLIND, examples.example_items(200))
    run = replace(run, metrics=replace(run.metrics, accuracy=0.0194, items=3152))
    text = Page(render_report([run], [])).text
    assert "all-MiniLM-L6-v2 picks the right paraphrase in 1.9 % of 3,152 items; guessing gives 33.3 %." in text
    assert "Do the models differ?" not in text


def test_several_models_are_summarised_by_best_and_weakest(examples: ModuleType) -> None:
    text = Page(render_report(*examples.three_models(240))).text
    assert "negation-aware-base, the best of 3 models, picks the right paraphrase in" in text
    assert "the weakest, all-MiniLM-L6-v2, in" in text


def test_the_header_has_date_and_version(examples: ModuleType) -> None:
    run = examples.example_run(examples.BLIND, examples.example_items(20))
    assert "Run with litotes 0.1.0 · 1 March 2026" in Page(render_report([run], [])).text
    started = replace(run, times={"started": "2026-04-02T08:00:00+00:00"})
    assert "2 April 2026" in Page(render_report([started], [])).text
    assert "Run with litotes 0.1.0 " in Page(render_report([replace(run, times={})], [])).text


def test_models_are_sorted_with_guessing_at_its_rank(examples: ModuleType) -> None:
    source = render_report(*examples.three_models(240))
    start = source.index('<table class="models')
    table = source[start : source.index("</table>", start)]
    names = re.findall(r'<th scope="row" class="name">([^<]*)<', table)
    assert names == [
        "negation-aware-base",
        "paraphrase-multilingual-mpnet-base-v2",
        "guessing",
        "all-MiniLM-L6-v2",
    ]


def test_comparisons_name_the_better_model_first(examples: ModuleType) -> None:
    runs, _ = examples.three_models(240)
    blind, fair, good = runs
    text = Page(
        render_report(
            runs, [examples.example_comparison(blind, good, 0.0002), examples.example_comparison(fair, blind, 0.2)]
        )
    ).text
    assert "negation-aware-base is better than all-MiniLM-L6-v2" in text
    assert "no difference shown between paraphrase-multilingual-mpnet-base-v2 and all-MiniLM-L6-v2" in text
    assert "Of 2 pairs of models, 1 differs" in text
    difference = good.metrics.accuracy - blind.metrics.accuracy
    assert f"+{difference * 100:.1f}+{difference * 100 - 4:.1f} to +{difference * 100 + 4:.1f}< 0.001" in text


def test_missing_comparisons_are_reported(examples: ModuleType) -> None:
    runs, _ = examples.three_models(40)
    assert "The models were not compared with each other." in Page(render_report(runs, [])).text


def test_comparisons_of_different_suites_are_ignored(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    second = [replace(first, suite="elsewhere") for first in comparisons]
    assert "The models were not compared with each other." in Page(render_report(runs, second)).text


def test_the_data_contains_every_item(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(60)
    (suite,) = Page(render_report(runs, comparisons)).data["suites"]
    assert [model["name"] for model in suite["models"]] == [
        "negation-aware-base",
        "paraphrase-multilingual-mpnet-base-v2",
        "all-MiniLM-L6-v2",
    ]
    by_name = {run.model: run for run in runs}
    for model in suite["models"]:
        for index, item in enumerate(by_name[model["name"]].items):
            sentences = {
                role: suite["texts"][suite["sentences"][number][index]] for number, role in enumerate(suite["roles"])
            }
            assert sentences == item.sentences
            assert suite["ids"][index] == item.id
            assert suite["groups"][suite["group"][index]] == item.group
            choice = model["choice"][index]
            assert (None if choice == -1 else suite["options"][choice]) == item.choice
            assert model["margin"][index] / 10_000 == pytest.approx(item.margin, abs=5.1e-5)
            for number, pair in enumerate(suite["pairs"]):
                similarity = model["similarities"][number][index] / 10_000
                assert similarity == pytest.approx(item.similarities[pair], abs=5.1e-5)
            if item.choice is None:
                assert model["credit"][str(index)] == item.credit


def test_sentences_are_stored_once_per_suite(examples: ModuleType) -> None:
    runs, _ = examples.three_models(60)
    source = render_report(runs, [])
    sentence = runs[0].items[0].sentences["input"]
    assert source.count(sentence) == 1


def test_a_hundred_models_on_three_thousand_items_fit_in_twelve_megabytes(examples: ModuleType) -> None:
    items = examples.example_items(3000)
    run = examples.example_run(examples.FAIR, items)
    one = len(render_report([run], []).encode())
    two = len(render_report([run, replace(run, model="second")], []).encode())
    assert one + 99 * (two - one) < 12_000_000


def test_hostile_text_is_escaped(examples: ModuleType) -> None:
    run = examples.hostile_run()
    source = render_report([run], [])
    page = Page(source)
    assert page.open == []
    tags = {tag for tag, _ in page.tags}
    assert "img" not in tags and "i" not in tags
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [
        {"type": "application/json", "id": "data"},
        {},
    ]
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    (suite,) = page.data["suites"]
    assert examples.SCRIPT_SENTENCE in suite["texts"]
    assert examples.IMAGE_SENTENCE in suite["texts"]
    assert run.model in page.text and "<good>/&bad" in page.text
    raw = page.inside["script"][0]
    assert not set("<>&\u2028\u2029") & set(raw)
    assert "\u2028" in "".join(suite["texts"])
    source.encode("utf-8")


def test_the_policy_allows_only_the_own_script_and_style(examples: ModuleType) -> None:
    page = Page(render_report(*examples.three_models(20)))
    assert page.policy.startswith("default-src 'none'; ")
    (style,), (_, script) = page.inside["style"], page.inside["script"]
    assert f"style-src '{hash_source(style)}'" in page.policy
    assert f"script-src '{hash_source(script)}'" in page.policy
    assert "unsafe" not in page.policy
    # The page contains nothing that the policy would block.
    assert not any("style" in attrs for _, attrs in page.tags)


def test_nothing_is_loaded(examples: ModuleType) -> None:
    page = Page(render_report(*examples.three_models(20)))
    assert not any("src" in attrs for _, attrs in page.tags)
    assert all(str(attrs["href"]).startswith("#") for _, attrs in page.tags if "href" in attrs)
    assert not re.search(r"url\(|@import|https?:", page.inside["style"][0] + page.inside["script"][1])


def test_the_script_never_writes_markup(examples: ModuleType) -> None:
    script = Page(render_report(*examples.three_models(20))).inside["script"][1]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script)


def test_missing_numbers_are_dashes_and_nulls(examples: ModuleType) -> None:
    run = examples.example_run(examples.BLIND, examples.example_items(10))
    nan = math.nan
    lost = run.items[0]._replace(margin=nan, choice=None, credit=nan, similarities={"input~both": nan})
    metrics = replace(
        run.metrics,
        accuracy=nan,
        accuracy_ci=(nan, nan),
        group_accuracy_ci=(nan, 0.4),
        similarities=dict.fromkeys(run.metrics.similarities, nan),
    )
    bad = replace(run, metrics=metrics, items=[lost, *run.items[1:]], settings={"odd": nan})
    fine = examples.example_run(examples.GOOD, examples.example_items(10))
    comparison = replace(examples.example_comparison(run, fine, 0.4), difference=nan, ci=(nan, nan), p_adjusted=nan)
    source = render_report([bad, fine], [comparison])
    page = Page(source)
    assert "nan" not in page.text.replace("oddNaN", "").lower()
    # A model without an accuracy is last.
    assert [model["name"] for model in page.data["suites"][0]["models"]] == [fine.model, bad.model]
    assert page.data["suites"][0]["models"][1]["margin"][0] is None
    assert page.data["suites"][0]["models"][1]["similarities"][0][0] is None


def test_several_suites_of_different_kinds(examples: ModuleType) -> None:
    runs, comparisons = examples.three_models(40)
    page = Page(render_report([*runs, examples.triplet_run("m-a", 30), examples.triplet_run("m-b", 30)], comparisons))
    first, second = page.data["suites"]
    assert (first["anchor"], first["pairOfRole"]) == (0, [None, 0, 1, 2])
    assert (second["anchor"], second["pairOfOption"]) == (None, [0, 1])
    assert second["pairs"] == ["original~synonym", "original~negated", "synonym~negated"]
    assert "By antonym pair" in page.text and "By sentence" in page.text
    assert "guessing gives 50.0 %" in page.text


def test_runs_on_different_items_are_separate_suites(examples: ModuleType) -> None:
    short = examples.example_run(examples.BLIND, examples.example_items(10))
    long = examples.example_run(examples.GOOD, examples.example_items(20))
    suites = Page(render_report([short, long], [])).data["suites"]
    assert [(suite["name"], len(suite["ids"])) for suite in suites] == [
        ("semantoneg", 10),
        ("semantoneg (2)", 20),
    ]


def test_repeated_model_names_are_numbered(examples: ModuleType) -> None:
    run = examples.example_run(examples.BLIND, examples.example_items(10))
    (suite,) = Page(render_report([run, run], [])).data["suites"]
    assert [model["name"] for model in suite["models"]] == ["all-MiniLM-L6-v2", "all-MiniLM-L6-v2 (2)"]


def test_groups_show_items_and_share_of_each_model(examples: ModuleType) -> None:
    runs, _ = examples.three_models(240)
    source = render_report(runs, [])
    table = source[source.index('<table class="groups') :]
    group = runs[0].items[0].group
    row = re.search(rf"<tr>(?:(?!</tr>).)*>{group}</a>.*?</tr>", table)
    assert row is not None
    members = [index for index, item in enumerate(runs[0].items) if item.group == group]
    shares = [f"{sum(run.items[index].credit for index in members) / len(members) * 100:.1f}" for run in reversed(runs)]
    assert re.findall(r'<td class="number[^"]*">([^<]*)</td>', row.group()) == [str(len(members)), *shares]


def test_figures_have_descriptions(examples: ModuleType) -> None:
    runs, _ = examples.three_models(240)
    source = render_report(runs, [])
    for run in runs:
        assert f"Choices of {run.model}</title>" in source
        assert f"both: {run.choices['both']} times" in source
    assert source.count('role="img"') == 3


def test_settings_and_versions_are_shown(examples: ModuleType) -> None:
    page = Page(render_report(*examples.three_models(20)))
    assert "9b" * 32 in page.text
    assert '{"method": "bootstrap over groups"}' in page.text
    assert "2.7.0" in page.text


def test_many_models_are_collapsed(examples: ModuleType) -> None:
    items = examples.example_items(20)
    runs = [examples.example_run(replace(examples.FAIR, name=f"model {number}"), items) for number in range(14)]
    comparisons = [examples.example_comparison(a, b, 0.5) for index, a in enumerate(runs) for b in runs[index + 1 :]]
    text = Page(render_report(runs, comparisons)).text
    assert "Show all 91 comparisons" in text
    assert "Show 2 more models" in text


def test_report_without_runs_has_a_message() -> None:
    page = Page(render_report([], []))
    assert "This report has no runs." in page.text
    assert page.data["suites"] == []
