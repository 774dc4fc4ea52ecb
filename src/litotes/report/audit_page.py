"""An audit as files: the HTML page, which works offline and treats all text as data, the result and the mined pairs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from litotes._version import __version__
from litotes.audit import summary
from litotes.audit.corpus import Corpus
from litotes.audit.result import Audit, Blindness, RewriteUsage
from litotes.audit.settings import AuditSettings
from litotes.audit.summary import RELATION_NAMES, RULE_NAMES
from litotes.core.errors import LitotesError, UsageError
from litotes.core.files import ensure_writable, is_file, read_json, to_json, write_together, writing_to
from litotes.report import audit_figures
from litotes.report.formats import COUNT, PERCENT, SIMILARITY, NumberFormat
from litotes.report.table import PACKAGE, Cell, Column, Table, Value, as_html, environment
from litotes.web.pages import read_asset, render_standalone

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\s+|.", re.DOTALL)
_MAX_LENGTH = 600
"""Longer texts are cut."""


def mark_differences(text: str, reference: str) -> Markup:
    """Return the escaped text with the parts marked that the reference does not have.

    >>> print(mark_differences("It is not <b>.", "It is <b>."))
    It is <mark>not</mark> &lt;b&gt;.
    """
    tokens, reference_tokens = _tokens(text), _tokens(reference)
    is_common = [False] * len(tokens)
    matcher = SequenceMatcher(None, _folded(tokens), _folded(reference_tokens), autojunk=False)
    for block in matcher.get_matching_blocks():
        is_common[block.a : block.a + block.size] = [True] * block.size
    parts = [escape(part) if common else _marked(part) for part, common in _parts(tokens, is_common)]
    return Markup("").join([*parts, "…" if len(text) > _MAX_LENGTH else ""])


def _marked(part: str) -> Markup:
    """Return the part in a mark, without the spaces around it."""
    inner = part.strip()
    if not inner:
        return escape(part)
    before, _, after = part.partition(inner)
    return escape(before) + Markup("<mark>{}</mark>").format(inner) + escape(after)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text[:_MAX_LENGTH])


def _folded(tokens: Sequence[str]) -> list[str]:
    """Return the tokens without the distinction of case and of apostrophes."""
    return [token.casefold().replace("’", "'") for token in tokens]


def _parts(tokens: Sequence[str], is_common: Sequence[bool]) -> list[tuple[str, bool]]:
    """Join neighbouring tokens of one class; a space between two that differ belongs to them."""
    classes = [
        common or (token.isspace() and all([*is_common[max(index - 1, 0) : index], *is_common[index + 1 : index + 2]]))
        for index, (token, common) in enumerate(zip(tokens, is_common, strict=True))
    ]
    parts: list[tuple[str, bool]] = []
    for token, common in zip(tokens, classes, strict=True):
        if parts and parts[-1][1] == common:
            parts[-1] = (parts[-1][0] + token, common)
        else:
            parts.append((token, common))
    return parts


_COIN = 0.5
_THRESHOLD = NumberFormat(2)
_DEFAULT_THRESHOLD = 0.9
_MAX_ROWS = 25
_MAX_OPEN_PAIRS, MAX_PAIRS = 25, 200
"""The number of mined pairs that are shown at once, and on the page."""
_CONTENTS = [
    ("blindness", "Blindness"),
    ("similarities", "Similarities"),
    ("thresholds", "Thresholds"),
    ("retrieval", "Search"),
    ("worst", "Worst sentences"),
    ("mined", "Opposites in the text"),
    ("used", "Use of the sentences"),
    ("settings", "Settings"),
]


def render_audit(audit: Audit) -> str:
    """Return the page as an HTML document."""
    axis = audit_figures.similarity_axis(audit)
    by_rewrite = summary.rows_by_rewrite(audit)
    pairwise = [row for row in audit.blindness if row not in by_rewrite]
    return render_standalone(
        environment(),
        "audit.html",
        styles=[read_asset(PACKAGE, "report.css"), read_asset(PACKAGE, "audit.css")],
        scripts=[read_asset(PACKAGE, "audit.js")],
        data=_slider_data(audit, axis),
        title=f"How blind is {audit.model} on {summary.corpus_name(audit.corpus)}?",
        contents=_CONTENTS,
        audit=audit,
        summary=summary,
        figures=audit_figures,
        axis=axis,
        mark_differences=mark_differences,
        audited_with=audit.versions.get("litotes", __version__),
        blindness_by_rewrite=_blindness_table(by_rewrite, "Blindness by rewrite"),
        blindness_pairwise=_blindness_table(pairwise, "Blindness, each rewrite against each") if pairwise else None,
        thresholds=_thresholds_table(audit),
        retrieval=_retrieval_table(audit),
        usage=_usage_table(audit.usage.rules),
        settings=_settings(audit),
        MAX_OPEN_PAIRS=_MAX_OPEN_PAIRS,
        MAX_PAIRS=MAX_PAIRS,
    )


def _blindness_table(rows: Iterable[Blindness], caption: str) -> Markup:
    rows = list(rows)
    columns = [
        Column("Compared", "", list(map(summary.blindness_name, rows)), style="words"),
        Column(
            "Blind",
            "",
            [Cell(row.rate, row.ci, _COIN) for row in rows],
            PERCENT,
            style="bar",
            unit="95\u00a0% interval",
        ),
        Column("Sentences", "", [row.sentences for row in rows], COUNT),
        Column("Ties", "", [row.ties for row in rows], COUNT),
    ]
    return as_html(Table(caption, columns), "blindness")


def _thresholds_table(audit: Audit) -> Markup:
    """Return what passes and what is lost at round thresholds."""
    points = [point for point in audit.thresholds if _is_round(point.threshold)] or list(audit.thresholds)
    points = [point for point in points if point.paraphrases_lost > 0 or point.opposites_pass < 1]
    shares: list[tuple[str, list[float | None]]] = [
        ("Opposites that pass", [point.opposites_pass for point in points]),
        ("Others that pass", [point.different_pass for point in points]),
        ("Paraphrases lost", [point.paraphrases_lost for point in points]),
        ("Typing slips lost", [point.typos_lost for point in points]),
    ]
    columns = [Column("Threshold", "", [_THRESHOLD(point.threshold) for point in points])]
    for heading, values in shares:
        known: list[Value | Cell] = [math.nan if value is None else value for value in values]
        columns.append(Column(heading, "", known, PERCENT))
    return as_html(Table("Effect of thresholds", columns), "thresholds", is_tall=len(points) > _MAX_ROWS)


def _is_round(threshold: float) -> bool:
    return abs(threshold * 20 - round(threshold * 20)) < 1e-6


def _retrieval_table(audit: Audit) -> Markup | None:
    rows = audit.retrieval
    if not rows:
        return None
    columns = [
        Column("Queries made by", "", [RULE_NAMES.get(row.rule, row.rule) for row in rows], style="words"),
        Column(
            "Original before its opposite",
            "",
            [Cell(row.paired, row.paired_ci, _COIN) for row in rows],
            PERCENT,
            style="bar",
            unit="95\u00a0% interval",
        ),
        Column("Original first", "", [row.top_1 for row in rows], PERCENT),
        Column("MRR", "", [Cell(row.mrr, row.mrr_ci) for row in rows], SIMILARITY, unit="95\u00a0% interval"),
        Column("MRR without opposites", "", [row.mrr_without_opposites for row in rows], SIMILARITY),
        Column("Queries", "", [row.queries for row in rows], COUNT),
    ]
    return as_html(Table("Search", columns), "retrieval")


def _usage_table(rules: Iterable[RewriteUsage]) -> Markup:
    rules = list(rules)
    names = [
        Markup('{} <span class="unit"><code>{}</code></span>').format(RULE_NAMES.get(use.rule, use.rule), use.rule)
        for use in rules
    ]
    columns = [
        Column("Rewrite", "", names, style="words"),
        Column("Makes", "", [RELATION_NAMES[use.relation] for use in rules], style="text"),
        Column("Sentences", "", [use.variants for use in rules], COUNT),
        Column("Why not of the others", "", list(map(_skip_reasons, rules)), style="reasons"),
    ]
    return as_html(Table("Use of the rewrites", columns), "usage")


def _skip_reasons(use: RewriteUsage) -> str:
    reasons = sorted(use.skipped.items(), key=lambda reason: (-reason[1], reason[0]))
    return "; ".join(f"{use.reasons.get(code, code)} ({count:,})" for code, count in reasons)


def _settings(audit: Audit) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        ("Model", {"name": audit.model, "fingerprint": audit.fingerprint}),
        *((f"Text {number}", corpus) for number, corpus in enumerate(audit.corpus, 1)),
        ("Settings", audit.settings),
        ("Versions", audit.versions),
    ]


def _slider_data(audit: Audit, axis: audit_figures.SimilarityAxis) -> dict[str, Any]:
    """Return the thresholds of the slider and the index of its initial position."""
    points = audit_figures.points_on_axis(audit, axis)
    initial = audit.at_threshold or audit.advice.point
    threshold = _DEFAULT_THRESHOLD if initial is None else initial.threshold
    nearest = min(range(len(points)), key=lambda index: abs(points[index].threshold - threshold), default=0)
    return {
        "low": axis.low,
        "high": axis.high,
        "start": nearest,
        "points": [
            [point.threshold, point.opposites_pass, point.different_pass, point.paraphrases_lost, point.typos_lost]
            for point in points
        ],
    }


RESULT, PAGE, PAIRS = "audit.json", "audit.html", "opposites.jsonl"


def check_free(
    folder: Path, corpus: Corpus, settings: AuditSettings, *, fresh: bool, fingerprint: str | None = None
) -> None:
    """Raise an error if the folder contains another audit (unless `fresh`), or if it is not writable.

    The same audit may be written again. Before the model is loaded, its fingerprint is not known and not compared.
    """
    hint = "use --fresh to overwrite it, or another --out"
    if is_file(folder / RESULT) and not fresh:
        try:
            existing = read_json(folder / RESULT)
        except LitotesError:
            existing = {}
        expected = json.loads(to_json({"corpus": corpus.files, "settings": settings.to_dict()}))
        is_same = all(existing.get(name) == value for name, value in expected.items())
        if not is_same or fingerprint not in (None, existing.get("fingerprint")):
            raise UsageError("L102", f"{folder}: contains another audit", hint=hint)
    elif not fresh and (foreign := [name for name in (PAGE, PAIRS) if is_file(folder / name)]):
        raise UsageError("L102", f"{folder / foreign[0]}: exists and does not belong to an audit", hint=hint)
    ensure_writable(folder)


def write_audit(folder: Path, audit: Audit) -> list[Path]:
    """Write all files of an audit, or none, and return their paths."""
    # The result comes first: after a kill, it shows to whom the other files belong.
    contents = {folder / RESULT: to_json(audit.to_dict(), indent=2) + "\n", folder / PAGE: render_audit(audit)}
    if audit.mining is not None:
        contents[folder / PAIRS] = "".join(to_json(asdict(pair)) + "\n" for pair in audit.mining.pairs)
    write_together(contents)
    if audit.mining is None:
        with writing_to(folder / PAIRS):
            (folder / PAIRS).unlink(missing_ok=True)  # otherwise the pairs of an earlier audit would remain
    return list(contents)
