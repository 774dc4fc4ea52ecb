"""The tables and lists of an audit's page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litotes.audit.result import Audit, Blind, Mined, RetrievalFigures, RuleUse, Worst
from litotes.audit.summary import KIND_WORDS, RELATION_WORDS, RULE_WORDS, blind_name
from litotes.report.audit.figures import threshold_row
from litotes.report.audit.marks import marked
from litotes.report.html_tables import accuracy_cell, number_cells, table
from litotes.report.html_words import counted, escape, similarity

_COIN = 0.5
_SHOWN, MOST_MINED = 25, 200
"""So many pairs are in sight, and so many on the page."""


def blindness_table(rows: Iterable[Blind], caption: str) -> str:
    """How often opposites are as close as paraphrases, with bars."""
    head = (
        '<tr><th scope="col" class="words">Compared</th>'
        '<th scope="col">Blind <span class="unit">95\u00a0% interval</span></th>'
        '<th scope="col" class="number">Sentences</th><th scope="col" class="number">Ties</th></tr>'
    )
    body = [
        f'<tr><th scope="row" class="words">{escape(blind_name(one))}</th>{accuracy_cell(one.rate, one.ci, _COIN)}'
        f"{number_cells([f'{one.sentences:,}', f'{one.ties:,}'])}</tr>"
        for one in rows
    ]
    return table(caption, head, body, classes="blindness")


def thresholds_table(audit: Audit) -> str:
    """What is let through and lost at round thresholds."""
    head = (
        '<tr><th scope="col" class="number">Threshold</th><th scope="col" class="number">Opposites that pass</th>'
        '<th scope="col" class="number">Others that pass</th><th scope="col" class="number">Paraphrases lost</th>'
        '<th scope="col" class="number">Typing slips lost</th></tr>'
    )
    shown = [one for one in audit.thresholds if _is_round(one.threshold)] or list(audit.thresholds)
    body = [threshold_row(one) for one in shown if one.paraphrases_lost > 0 or one.opposites_pass < 1]
    return table("What thresholds let through", head, body, classes="thresholds", tall=len(body) > 25)


def _is_round(threshold: float) -> bool:
    return abs(threshold * 20 - round(threshold * 20)) < 1e-6


def retrieval_table(rows: Sequence[RetrievalFigures]) -> str:
    """Queries by rewrite."""
    head = (
        '<tr><th scope="col" class="words">Queries made by</th>'
        '<th scope="col">Original before its opposite <span class="unit">95\u00a0% interval</span></th>'
        '<th scope="col" class="number">Original first</th>'
        '<th scope="col" class="number">MRR <span class="unit">95\u00a0% interval</span></th>'
        '<th scope="col" class="number">MRR without opposites</th>'
        '<th scope="col" class="number">Queries</th></tr>'
    )
    body = [
        f'<tr><th scope="row" class="words">{escape(RULE_WORDS.get(one.rule, one.rule))}</th>'
        f"{accuracy_cell(one.paired, one.paired_ci, _COIN)}"
        f'<td class="number">{100 * one.first:.1f}\u00a0%</td>'
        f'<td class="number">{similarity(one.mrr)} <span class="interval below">{similarity(one.mrr_ci[0])}–'
        f"{similarity(one.mrr_ci[1])}</span></td>{number_cells([similarity(one.mrr_plain), f'{one.queries:,}'])}</tr>"
        for one in rows
    ]
    return table("Search", head, body, classes="retrieval")


def worst_list(found: Sequence[Worst]) -> str:
    """The sentences whose opposites are furthest above their paraphrases, with what was changed marked."""
    return f'<ol class="entries">{"".join(map(_worst, found))}</ol>'


def _worst(one: Worst) -> str:
    variants = (
        ("opposite", one.opposite, one.opposite_rule, one.opposite_similarity),
        ("paraphrase", one.same, one.same_rule, one.same_similarity),
    )
    lines = "".join(
        _line(name, marked(text, one.text), similarity(alike), RULE_WORDS.get(rule, rule))
        for name, text, rule, alike in variants
    )
    # What the opposite lacks can be marked only where it stands.
    return f'<li class="entry"><dl>{_line("sentence", marked(one.text, one.opposite), "", "")}{lines}</dl></li>'


def mined_list(pairs: Sequence[Mined]) -> str:
    """Pairs of the corpus, with what differs marked; of many the rest is folded away."""
    shown, folded = pairs[:_SHOWN], pairs[_SHOWN:MOST_MINED]
    rest = (
        f"<details><summary>Show {counted(len(folded), 'more pair')}</summary>"
        f'<ol class="entries">{"".join(map(_mined, folded))}</ol></details>'
        if folded
        else ""
    )
    return f'<ol class="entries">{"".join(map(_mined, shown))}</ol>{rest}'


def _mined(pair: Mined) -> str:
    why = KIND_WORDS.get(pair.kind, pair.kind)
    one = _line(pair.one_id, marked(pair.one, pair.other), similarity(pair.similarity), why)
    return f'<li class="entry"><dl>{one}{_line(pair.other_id, marked(pair.other, pair.one), "", "")}</dl></li>'


def _line(name: str, sentence: str, figure: str, words: str) -> str:
    """A line of an entry; only the sentence is HTML already."""
    return (
        f'<div class="line"><dt class="role">{escape(name)}</dt><dd class="sentence">{sentence}</dd>'
        f'<dd class="similarity">{escape(figure)}</dd><dd class="marks">{escape(words)}</dd></div>'
    )


def usage_table(rules: Sequence[RuleUse]) -> str:
    """What each rewrite made, and why it made nothing of the others."""
    head = (
        '<tr><th scope="col" class="words">Rewrite</th><th scope="col">Makes</th>'
        '<th scope="col" class="number">Sentences</th><th scope="col" class="reasons">Why not of the others</th></tr>'
    )
    return table("What the rewrites made", head, map(_usage_row, rules), classes="usage")


def _usage_row(one: RuleUse) -> str:
    reasons = sorted(one.skipped.items(), key=lambda skip: (-skip[1], skip[0]))
    told = "; ".join(f"{escape(one.reasons.get(code, code))} ({count:,})" for code, count in reasons)
    return (
        f'<tr><th scope="row" class="words">{escape(RULE_WORDS.get(one.rule, one.rule))} '
        f'<span class="unit"><code>{escape(one.rule)}</code></span></th>'
        f"<td>{RELATION_WORDS[one.relation]}</td>{number_cells([f'{one.made:,}'])}"
        f'<td class="reasons">{told}</td></tr>'
    )
