"""An audit as one HTML file: it works from disk, asks nobody for anything, and shows text without running it."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Any

from litotes._version import __version__
from litotes.audit import summary
from litotes.audit.result import Audit
from litotes.report.audit.figures import curve_figure, mirror_figure, points_in, rule_rows, span_of
from litotes.report.audit.tables import (
    MOST_MINED,
    blindness_table,
    mined_list,
    retrieval_table,
    thresholds_table,
    usage_table,
    worst_list,
)
from litotes.report.html_parts import asset, content_security_policy, script_json
from litotes.report.html_words import escape, setting

_PACKAGE = "litotes.report.audit"


def render_audit(audit: Audit) -> str:
    """The whole page."""
    style = asset("report.css") + asset("audit.css", _PACKAGE)
    script = asset("audit.js", _PACKAGE)
    span = span_of(audit)
    title = f"How blind is {audit.model} on {summary.corpus_name(audit.corpus)}?"
    return Template(asset("audit.html", _PACKAGE)).substitute(
        policy=content_security_policy(style, script),
        version=escape(__version__),
        title=escape(title),
        style=style,
        findings=_findings(audit),
        made=f"Audited with litotes {escape(audit.versions.get('litotes', __version__))}",
        blindness=_blindness(audit),
        similarities=mirror_figure(audit, span) + rule_rows(audit, span),
        thresholds=_thresholds(audit, curve_figure(audit, span)),
        retrieval=_retrieval(audit),
        worst=_worst(audit),
        mined=_mined(audit),
        used=_used(audit),
        settings=_settings(audit),
        data=script_json(_data(audit)),
        script=script,
    )


def _findings(audit: Audit) -> str:
    asked = [] if audit.asked is None else [summary.threshold_words(audit.asked)]
    told = [summary.headline(audit), *asked, summary.advice_words(audit)]
    if audit.retrieval:
        told.append(summary.retrieval_words(audit))
    if audit.mining is not None:
        told.append(summary.mining_words(audit))
    told += [f"Note: {one}." for one in audit.notes]
    return "".join(f"<p>{escape(one)}</p>" for one in told)


def _blindness(audit: Audit) -> str:
    whole = summary.by_rewrite(audit)
    rest = [one for one in audit.blindness if one not in whole]
    folded = (
        "<details><summary>Show each rewrite against each</summary>"
        f"{blindness_table(rest, 'Blindness, each against each')}</details>"
        if rest
        else ""
    )
    return f"{blindness_table(whole, 'Blindness by rewrite')}{folded}"


def _thresholds(audit: Audit, figure: str) -> str:
    asked = f"<p>{escape(summary.threshold_words(audit.asked))}</p>" if audit.asked is not None else ""
    return (
        f"{asked}<p>{escape(summary.advice_words(audit))}</p>{figure}"
        f"<details><summary>Show the figures</summary>{thresholds_table(audit)}</details>"
    )


def _retrieval(audit: Audit) -> str:
    told = f"<p>{escape(summary.retrieval_words(audit))}</p>"
    return told + (retrieval_table(audit.retrieval) if audit.retrieval else "")


def _worst(audit: Audit) -> str:
    if not audit.worst:
        return "<p>There is none: no opposite is closer than a paraphrase.</p>"
    return worst_list(audit.worst)


def _mined(audit: Audit) -> str:
    told = f"<p>{escape(summary.mining_words(audit))}</p>"
    if audit.mining is None or not audit.mining.pairs:
        return told
    return (
        f"{told}<p>These are the closest {min(len(audit.mining.pairs), MOST_MINED):,}; <code>opposites.jsonl</code> "
        f"beside this page holds {len(audit.mining.pairs):,} for programs.</p>{mined_list(audit.mining.pairs)}"
    )


def _used(audit: Audit) -> str:
    told = [summary.usage_words(audit), summary.left_out_words(audit)]
    return "".join(f"<p>{escape(one)}</p>" for one in told if one) + usage_table(audit.usage.rules)


def _settings(audit: Audit) -> str:
    parts: list[tuple[str, Mapping[str, Any]]] = [
        ("Model", {"name": audit.model, "fingerprint": audit.fingerprint}),
        *((f"Text {number}", one) for number, one in enumerate(audit.corpus, 1)),
        ("Settings", audit.settings),
        ("Versions", audit.versions),
    ]
    return "".join(
        f'<h3>{title}</h3><dl class="settings">'
        + "".join(f"<div><dt>{escape(key)}</dt><dd>{escape(setting(value))}</dd></div>" for key, value in part.items())
        + "</dl>"
        for title, part in parts
    )


def _data(audit: Audit) -> dict[str, Any]:
    """The thresholds between which people can move, and where the slider stands at first."""
    span = span_of(audit)
    points = points_in(audit, span)
    start = audit.asked or audit.advice.point
    wanted = 0.9 if start is None else start.threshold
    nearest = min(range(len(points)), key=lambda place: abs(points[place].threshold - wanted), default=0)
    return {
        "low": span.low,
        "high": span.high,
        "start": nearest,
        "points": [
            [one.threshold, one.opposites_pass, one.different_pass, one.paraphrases_lost, one.typos_lost]
            for one in points
        ],
    }
