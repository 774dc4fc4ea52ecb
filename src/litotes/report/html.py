"""The HTML report: one file that works from disk, without network, and shows text without running it."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from litotes._version import __version__
from litotes.evaluation.comparison import Comparison
from litotes.evaluation.result import RunResult
from litotes.report.error_pages import error_pages
from litotes.report.figure_svg import MANY_PANELS, choices_figure
from litotes.report.heat_map import heat_map
from litotes.report.html_data import embedded_json
from litotes.report.html_labels import label_details, label_models_table, label_words
from litotes.report.html_overview import findings
from litotes.report.html_parts import asset, content_security_policy
from litotes.report.html_placing import placing_section
from litotes.report.html_tables import (
    RIGHT_MARK,
    comparisons_table,
    groups_table,
    models_table,
    normalised_table,
    readings_table,
)
from litotes.report.html_words import counted, date_of, display_name, escape, percent, setting
from litotes.report.kind_words import kind_words
from litotes.report.leaderboard import leaderboard
from litotes.report.suite_runs import SuiteRuns, by_suite

TITLE = "How sentence encoders handle negation and antonyms"
_TITLE_OF_LABELS = "How NLI models handle negation"
_TITLE_OF_BOTH = "How models handle negation and antonyms"
_SCRIPTS = (
    "report.js",
    "packed.js",
    "virtual.js",
    "browser.js",
    "item.js",
    "profile.js",
    "compare.js",
    "errors.js",
    "start.js",
)


def render_html(results: Sequence[RunResult], comparisons: Sequence[Comparison]) -> str:
    """The whole report as one HTML document."""
    suites = by_suite(results, comparisons)
    style, script = asset("report.css") + asset("tools.css"), "".join(map(asset, _SCRIPTS))
    return Template(asset("page.html")).substitute(
        policy=content_security_policy(style, script),
        version=escape(__version__),
        title=escape(_title(suites)),
        style=style,
        findings=findings(suites),
        made=_made(results),
        contents=_contents(suites),
        leaderboard=leaderboard(suites),
        tools=_tools(suites),
        suites="".join(_suite_section(number, suite) for number, suite in enumerate(suites)),
        browser_state="" if suites else " hidden",
        method=_method(suites),
        data=embedded_json(suites),
        script=script,
    )


def _tools(suites: Sequence[SuiteRuns]) -> str:
    """The pages that a script brings to life, and what errors have in common."""
    return Template(asset("tools.html")).substitute(
        state="" if suites else " hidden",
        compare_state="" if _comparable(suites) else " hidden",
        common=error_pages(suites),
    )


def _comparable(suites: Sequence[SuiteRuns]) -> bool:
    return any(len(suite.runs) > 1 for suite in suites)


def _title(suites: Sequence[SuiteRuns]) -> str:
    labelled = [suite.labelled for suite in suites]
    if not any(labelled):
        return TITLE
    return _TITLE_OF_LABELS if all(labelled) else _TITLE_OF_BOTH


def _made(results: Sequence[RunResult]) -> str:
    moments = [result.times.get("finished") or result.times.get("started") for result in results]
    latest = max((str(moment) for moment in moments if moment), default="")
    versions = sorted({result.versions["litotes"] for result in results if "litotes" in result.versions})
    made = f"Run with litotes {escape(', '.join(versions) or __version__)}"
    return f'{made} · <time datetime="{escape(latest)}">{escape(date_of(latest))}</time>' if latest else made


def _contents(suites: Sequence[SuiteRuns]) -> str:
    links = [("leaderboard", "Leaderboard")] if len({name for suite in suites for name in suite.names}) > 1 else []
    links += [(f"suite-{number}", suite.label) for number, suite in enumerate(suites)]
    links += [("profile", "Profiles")] if suites else []
    links += [("compare", "Two models side by side")] if _comparable(suites) else []
    links += [("errors", "Errors"), ("browser", "Item by item")] if suites else []
    links += [("method", "How it was computed")]
    return "".join(f'<li><a href="#{target}">{escape(text)}</a></li>' for target, text in links)


def _suite_section(number: int, suite: SuiteRuns) -> str:
    return (
        f'<section id="suite-{number}" aria-labelledby="suite-{number}-name">'
        f'<h2 id="suite-{number}-name">{escape(suite.label)}</h2>'
        f"<p>{escape(kind_words(suite.info).task)}</p>{_roles(suite)}"
        f'<p class="about">{_about(suite)}</p>'
        f"<h3>How right is each model?</h3>{_models(suite)}{_notes(suite)}"
        f"{placing_section(suite)}{comparisons_table(suite)}"
        f"{label_details(number, suite) if suite.labelled else _option_details(number, suite)}</section>"
    )


def _models(suite: SuiteRuns) -> str:
    if suite.labelled:
        return f"{label_words(suite)}{label_models_table(suite)}"
    return f"{_accuracy_words(suite)}{models_table(suite)}"


def _option_details(number: int, suite: SuiteRuns) -> str:
    """The rest of a suite in which the same option is right in every item."""
    return (
        f"{_readings(suite)}{_similarities(number, suite)}"
        f"<h3>What do they choose?</h3>{choices_figure(suite, number)}{_groups(suite)}"
    )


def _accuracy_words(suite: SuiteRuns) -> str:
    word, metrics = escape(suite.info.group_word), suite.runs[0].metrics
    over_groups = (
        f"The mean over the {counted(metrics.groups, word)} counts each {word} once, so that a frequent one "
        "does not speak for all. "
        if suite.grouped
        else ""
    )
    return (
        f"<p>Accuracy is the share of the {counted(metrics.items, 'item')} that the model gets right. {over_groups}"
        f"The upright tick in each bar is guessing, {percent(suite.chance)}; the thin line is the "
        "95\u00a0% interval.</p>"
    )


def _notes(suite: SuiteRuns) -> str:
    notes = [
        f"<li><b>{escape(name)}</b>: {escape(note)}.</li>"
        for name, run in zip(suite.names, suite.runs, strict=True)
        for note in run.notes
    ]
    return f'<ul class="notes">{"".join(notes)}</ul>' if notes else ""


def _readings(suite: SuiteRuns) -> str:
    if not suite.readings:
        return ""
    right = escape(display_name(suite.info.right))
    return (
        "<h3>Other readings</h3>"
        f"<p>The same similarities, asked another way: how often is {right} above one other pair alone? The upright "
        f"tick is guessing.</p>{readings_table(suite)}"
    )


def _similarities(number: int, suite: SuiteRuns) -> str:
    if not suite.normalised:
        return ""
    return (
        "<h3>How similar does each model find them?</h3>"
        "<p>The mean similarity, measured from the baseline: 0 is the mean of two sentences that have nothing to do "
        "with each other, 1 is a sentence and itself. Darker is more similar.</p>"
        '<figure class="heat"><div class="scroll" role="region" tabindex="0" '
        'aria-label="Similarity above the baseline">'
        f"{heat_map(suite, f'heat-{number}')}</div></figure>"
        f"<details><summary>Show the figures with their intervals</summary>{normalised_table(suite)}</details>"
    )


def _groups(suite: SuiteRuns) -> str:
    if not suite.grouped:
        return ""
    word = escape(suite.info.group_word)
    best = f" Shown are the {MANY_PANELS} best models." if len(suite.runs) > MANY_PANELS else ""
    return (
        f"<h3>By {word}</h3>"
        f"<p>Each name leads to its items below. A darker cell means more often right.{best}</p>"
        '<div class="group-filter" hidden><label>Show only names with '
        '<input type="search" autocomplete="off" spellcheck="false"></label> '
        f'<span role="status" data-thing="{word}"></span></div>'
        f"{groups_table(suite)}"
    )


def _roles(suite: SuiteRuns) -> str:
    told = kind_words(suite.info).roles
    rows = [
        f"<div><dt>{escape(display_name(role))}{RIGHT_MARK if role == _right_role(suite) else ''}</dt>"
        f"<dd>{escape(told[role])}</dd></div>"
        for role in suite.info.roles
        if role in told
    ]
    return f'<dl class="roles">{"".join(rows)}</dl>' if rows else ""


def _right_role(suite: SuiteRuns) -> str:
    """The role that the right option brings: itself, or the second of a pair that begins with the first role."""
    first, _, second = suite.info.right.partition("~")
    return second if first == suite.info.roles[0] and second else suite.info.right


def _about(suite: SuiteRuns) -> str:
    info = suite.info
    facts = [
        info.source,
        f"version {info.version}" if info.version else "",
        f"licence {info.licence}" if info.licence else "",
        f"sha256 {info.sha256[:12]}…" if info.sha256 else "",
    ]
    return " · ".join(escape(fact) for fact in facts if fact)


def _method(suites: Sequence[SuiteRuns]) -> str:
    """How it was computed, and everything each run depended on."""
    words = sorted({suite.info.group_word for suite in suites}) or ["group"]
    runs = "".join(_run_details(suite, place) for suite in suites for place in range(len(suite.runs)))
    told = Template(asset("method.html")).substitute(group=escape(" or ".join(words)))
    if any(suite.labelled for suite in suites):
        told += asset("method_labels.html")
    return f"{told}<h3>Settings and versions of each run</h3>{runs or '<p>None.</p>'}"


def _run_details(suite: SuiteRuns, place: int) -> str:
    run = suite.runs[place]
    parts = [
        ("Model fingerprint", run.fingerprint),
        ("Settings", run.settings),
        ("Versions", run.versions),
        ("Times", run.times),
        ("Suite", {"name": run.suite.name, "version": run.suite.version, "sha256": run.suite.sha256}),
    ]
    blocks = "".join(
        f'<h4>{title}</h4><dl class="settings">'
        + "".join(f"<div><dt>{escape(key)}</dt><dd>{escape(setting(value))}</dd></div>" for key, value in part.items())
        + "</dl>"
        for title, part in parts
        if part
    )
    return (
        f"<details><summary>{escape(suite.names[place])} on {escape(suite.label)}</summary>"
        f'<div class="run">{blocks}</div></details>'
    )
