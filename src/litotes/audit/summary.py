"""The result of an audit as text for readers who do not know the field."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litotes.audit.result import Audit, Blindness, Interval, MinedPair, RewriteUsage, ThresholdPoint
from litotes.core.errors import single_line

RULE_NAMES = {
    "all": "any",
    "negation": "“not” added or removed",
    "antonym": "a word replaced by its opposite",
    "synonym": "a word replaced by a synonym",
    "negated_antonym": "“not bad” for “good”, or back",
    "passive": "active changed to passive",
    "contraction": "“isn’t” for “is not”, or back",
    "argument_swap": "subject and object swapped",
    "typo": "a mistyped letter",
}
"""What each rewrite does to a sentence."""

RELATION_NAMES = {
    "opposite": "opposite",
    "same": "paraphrase",
    "different": "different meaning",
    "noise": "typing error",
}

CONTRAST_NAMES = {"polarity": "one affirms, the other denies", "antonym": "a word and its opposite"}

_THRESHOLDS_SHOWN = (0.7, 0.8, 0.85, 0.9, 0.95)
_PAIRS_SHOWN = 5
_WORST_SHOWN = 3
_USAGE_HEAD = ("rewrite", "variants", "most frequent reason for none")
_NBSP = "\u00a0"


def summarise(audit: Audit, *, width: int = 80) -> str:
    """Return the whole result as text for a terminal."""
    parts = [
        single_line(f"{audit.model} on {corpus_name(audit.corpus)}"),
        _fill(headline(audit), width),
        *(_fill(f"Note: {single_line(note)}.", width) for note in audit.notes),
        blindness_table(audit),
        *([_heading("Worst sentences", width) + worst_section(audit, width)] if audit.worst else []),
        _heading("Similarity of sentences and their variants", width) + similarity_table(audit),
        _heading("Thresholds for duplicates", width) + threshold_section(audit, width),
        _heading("Search", width) + _fill(retrieval_text(audit), width),
        _heading("Contradictions in your text", width) + mining_section(audit, width),
        _heading("Sentences used", width) + usage_section(audit, width),
    ]
    return "\n\n".join(parts)


def corpus_name(corpus: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the file, or of the first of several.

    >>> corpus_name([{"name": "faq.txt"}, {"name": "mails.txt"}])
    'faq.txt and 1 more'
    """
    names = [str(file.get("name", "")) for file in corpus]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more" if names else "the text"


def headline(audit: Audit) -> str:
    """Return the blindness rate in one to three sentences."""
    overall = audit.blindness[0]
    subject = "1 sentence" if overall.sentences == 1 else f"{overall.sentences:,} sentences"
    return (
        f"For {subject} with an opposite and a paraphrase, the model considers the opposite at least as similar as "
        f"the paraphrase in {percent(overall.rate)} of cases ({interval(overall.ci)}). "
        f"{_judgement(overall)}{_hardest(audit)}"
    )


def _hardest(audit: Audit) -> str:
    """Return a sentence about the kind of paraphrase with the highest rate, if it is clearly above the overall rate."""
    overall, *rows = audit.blindness
    clearly_worse = [row for row in rows if row.opposite == "all" and row.ci[0] > overall.ci[1]]
    if not clearly_worse:
        return ""
    worst = max(clearly_worse, key=lambda row: row.rate)
    name = RULE_NAMES.get(worst.same, worst.same)
    return f" It is worst when the paraphrase is {name}: {percent(worst.rate)} ({interval(worst.ci)})."


def _judgement(overall: Blindness) -> str:
    low, high = overall.ci
    if low > 0.5:
        return "That is worse than guessing (50 %): shared words matter more to the model than the meaning."
    if high < 0.05:
        return "The model distinguishes sentences from their opposites; guessing would give 50 %."
    if high < 0.5:
        return "That is better than guessing (50 %), but the model still confuses opposites."
    return "That is not clearly different from guessing (50 %)."


def blindness_table(audit: Audit) -> str:
    """Return the blindness rates by rewrite."""
    rows = [
        [blindness_name(row), f"{row.sentences:,}", percent(row.rate), interval(row.ci)]
        for row in rows_by_rewrite(audit)
    ]
    return _table(["opposite at least as similar", "sentences", "blind", "95 % interval"], rows, n_left=1)


def blindness_name(row: Blindness) -> str:
    """Return the rewrites of a row in words.

    >>> blindness_name(Blindness("negation", "all", 9, 0.5, (0.4, 0.6), 0))
    'opposite: “not” added or removed'
    """
    if row.opposite == row.same == "all":
        return "all"
    opposite = "" if row.opposite == "all" else f"opposite: {RULE_NAMES.get(row.opposite, row.opposite)}"
    same = "" if row.same == "all" else f"paraphrase: {RULE_NAMES.get(row.same, row.same)}"
    return "; ".join(filter(None, (opposite, same)))


def rows_by_rewrite(audit: Audit) -> list[Blindness]:
    """Return the overall row and the row of each rewrite, without combinations of two rewrites."""
    return [row for row in audit.blindness if "all" in (row.opposite, row.same)]


def similarity_table(audit: Audit) -> str:
    """Return the similarities of sentences and their variants by rewrite."""
    rows = [
        [
            RELATION_NAMES[distribution.relation],
            RULE_NAMES.get(distribution.rule, distribution.rule),
            f"{distribution.count:,}",
            f"{distribution.mean:.2f}",
            f"{distribution.quantiles[1]:.2f} to {distribution.quantiles[3]:.2f}",
        ]
        for distribution in audit.distributions
    ]
    return _table(["variant", "rewrite", "pairs", "mean", "middle half"], rows, n_left=2)


def threshold_section(audit: Audit, width: int = 80) -> str:
    """Return the errors at common thresholds, and the advice."""
    rows = [
        [f"{point.threshold:.2f}", percent(point.opposites_pass), percent(point.paraphrases_lost)]
        for point in _common_points(audit)
    ]
    parts = [] if audit.at_threshold is None else [_fill(threshold_text(audit.at_threshold), width)]
    parts.append(_table(["threshold", "opposites that pass", "paraphrases lost"], rows, n_left=0))
    parts.append(_fill(advice_text(audit), width))
    return "\n\n".join(parts)


def _common_points(audit: Audit) -> list[ThresholdPoint]:
    """Return the points of the curve that are nearest to common thresholds."""
    if not audit.thresholds:
        return []
    nearest = (
        min(audit.thresholds, key=lambda point: abs(point.threshold - threshold)) for threshold in _THRESHOLDS_SHOWN
    )
    return list({point.threshold: point for point in nearest}.values())


def threshold_text(point: ThresholdPoint) -> str:
    """Return the errors at one threshold.

    >>> threshold_text(ThresholdPoint(0.9, 0.88, None, 0.12, None)).replace("\\u00a0", " ")
    'At 0.90, 88.0 % of the opposites pass as duplicates and 12.0 % of the paraphrases are lost.'
    """
    return (
        f"At {_format_threshold(point.threshold)}, {percent(point.opposites_pass)} of the opposites pass as duplicates "
        f"and {percent(point.paraphrases_lost)} of the paraphrases are lost."
    )


def advice_text(audit: Audit) -> str:
    """Return the threshold that fits the error budget, or that none does."""
    advice = audit.advice
    if advice.point is None:
        return f"No threshold fits: more than {percent(advice.budget)} of the opposites pass even at the highest one."
    point = advice.point
    threshold = _format_threshold(point.threshold)
    budget = (
        f"at most {percent(advice.budget)} of the opposites pass and at most {percent(advice.max_lost)} of the "
        "paraphrases are lost"
    )
    if advice.holds:
        return (
            f"Recommended threshold: {threshold}. {percent(point.opposites_pass)} of the opposites pass and "
            f"{percent(point.paraphrases_lost)} of the paraphrases are lost (budget: {budget})."
        )
    return (
        f"No threshold fits the budget ({budget}). To reject enough opposites, the threshold must be {threshold}, and "
        f"then {percent(point.paraphrases_lost)} of the paraphrases are lost."
    )


def retrieval_text(audit: Audit) -> str:
    """Return the retrieval metrics over all rewrites."""
    if not audit.retrieval:
        return "No queries are possible: they need sentences with both an opposite and a paraphrase."
    overall = audit.retrieval[0]
    queries = "1 paraphrase was" if overall.queries == 1 else f"{overall.queries:,} paraphrases were"
    return (
        f"{queries} searched for among your {audit.usage.sentences:,} sentences and the opposites of their originals. "
        f"The original is ranked above an opposite in {percent(overall.paired)} of cases "
        f"({interval(overall.paired_ci)}), and first in {percent(overall.top_1)}. Mean reciprocal rank: "
        f"{overall.mrr:.2f}; without the opposites: {overall.mrr_without_opposites:.2f}."
    )


def worst_section(audit: Audit, width: int = 80) -> str:
    """Return a few sentences whose opposite is much more similar than their paraphrase."""
    parts = [_fill("Each sentence is followed by its opposite and its paraphrase, with their similarities:", width)]
    for case in audit.worst[:_WORST_SHOWN]:
        lines = (None, case.text), (case.opposite_similarity, case.opposite), (case.same_similarity, case.same)
        parts.append("\n".join(_sentence_line(similarity, text, width) for similarity, text in lines))
    return "\n\n".join(parts)


def mining_text(audit: Audit) -> str:
    """Return how many contradictions the corpus contains."""
    mining = audit.mining
    if mining is None:
        return "Mining was switched off."
    candidates = "1 pair" if mining.candidates == 1 else f"{mining.candidates:,} pairs"
    if not mining.contradictions:
        result = "No pair is a contradiction"
    elif mining.contradictions == 1:
        result = "1 pair is a contradiction"
    else:
        result = f"{mining.contradictions:,} pairs are contradictions"
    cut = "" if len(mining.pairs) == mining.contradictions else f" The {len(mining.pairs):,} most similar were stored."
    method = "" if mining.method == "exact" else " The search was approximate: a few pairs may be missing."
    return (
        f"Of your {mining.sentences:,} sentences, {candidates} of nearest neighbours ({mining.neighbours} per "
        f"sentence) with a similarity of at least {_format_threshold(mining.threshold)} were compared. {result}, as "
        f"far as rules can decide.{cut}{method}"
    )


def mining_section(audit: Audit, width: int = 80) -> str:
    """Return how many contradictions the corpus contains, with the most similar ones."""
    if audit.mining is None or not audit.mining.pairs:
        return _fill(mining_text(audit), width)
    pairs = (_pair_lines(pair, width) for pair in audit.mining.pairs[:_PAIRS_SHOWN])
    return "\n\n".join([_fill(f"{mining_text(audit)} The most similar:", width), *pairs])


def _pair_lines(pair: MinedPair, width: int) -> str:
    lines = (pair.similarity, pair.first), (None, pair.second), (None, f"({format_contrast(pair)})")
    return "\n".join(_sentence_line(similarity, text, width) for similarity, text in lines)


def format_contrast(pair: MinedPair) -> str:
    """Return the words in which two sentences differ.

    >>> format_contrast(MinedPair("It is hot.", "It is cold.", "1", "2", 0.9, "antonym", ("hot", "cold")))
    'hot / cold'
    """
    return " / ".join(words or "–" for words in pair.differs)


def _sentence_line(similarity: float | None, text: str, width: int) -> str:
    """Return an indented sentence after its similarity."""
    start = "" if similarity is None else f"{similarity:.2f}"
    return textwrap.fill(_shorten(single_line(text)), width, initial_indent=f"  {start:4}  ", subsequent_indent=" " * 8)


def usage_text(audit: Audit) -> str:
    """Return how many sentences were read, rewritten and used."""
    usage = audit.usage
    rewritten = "all of them" if usage.rewritten == usage.sentences else f"{usage.rewritten:,} of them"
    return (
        f"{usage.read:,} sentences were read, {usage.sentences:,} of them different; {rewritten} were rewritten, and "
        f"{usage.usable:,} have both an opposite and a paraphrase."
    )


def excluded_text(audit: Audit) -> str:
    """Return why sentences were not rewritten, or "" if all were."""
    reasons = sorted(audit.usage.excluded.items(), key=lambda item: (-item[1], item[0]))
    return f"Not rewritten: {'; '.join(f'{reason} ({count:,})' for reason, count in reasons)}." if reasons else ""


def usage_section(audit: Audit, width: int = 80) -> str:
    """Return how many sentences were used, and by rewrite the number of variants."""
    parts = [_fill(text, width) for text in (usage_text(audit), excluded_text(audit)) if text]
    cells = [
        (RULE_NAMES.get(rule.rule, rule.rule), f"{rule.variants:,}", most_frequent_reason(rule))
        for rule in audit.usage.rules
    ]
    name_width = max((len(name) for name, _, _ in cells), default=0)
    reason_width = max(width - name_width - len(_USAGE_HEAD[1]) - 4, 20)
    rows: list[list[str]] = []
    for name, count, reason in cells:
        first, *more = textwrap.wrap(reason, reason_width) or [""]
        rows += [[name, count, first], *(["", "", line] for line in more)]
    return "\n\n".join([*parts, _table(_USAGE_HEAD, rows, n_left=1, is_last_left=True)])


def most_frequent_reason(usage: RewriteUsage) -> str:
    """Return the most frequent reason why a rewrite returned no variant, with its count.

    >>> most_frequent_reason(RewriteUsage("typo", "noise", 1, {"short": 20, "odd": 3}, {"short": "it is too short"}))
    'it is too short (20)'
    """
    if not usage.skipped:
        return ""
    code, count = min(usage.skipped.items(), key=lambda item: (-item[1], item[0]))
    return f"{usage.reasons.get(code, code)} ({count:,})"


def limit_exceeded(audit: Audit, limit: float) -> str:
    """Return the message for a blindness rate above `--fail-above`."""
    rate, maximum = percent(audit.blind), percent(limit)
    if rate == maximum:  # equal after rounding
        rate, maximum = f"{100 * audit.blind:.10g} %", f"{100 * limit:.10g} %"
    return f"{audit.model}: blindness is {rate}, above the {maximum} of --fail-above".replace(_NBSP, " ")


def percent(share: float) -> str:
    """Return a share as a percentage, with a no-break space.

    >>> percent(0.9312).replace("\\u00a0", " ")
    '93.1 %'
    """
    return f"{100 * share:.1f}{_NBSP}%"


def interval(bounds: Interval) -> str:
    """Return an interval of shares as percentages.

    >>> interval((0.916, 0.944))
    '91.6 to 94.4'
    """
    return f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f}"


def _format_threshold(value: float) -> str:
    """Return a threshold with at least two decimals and without rounding, which could change its effect.

    >>> _format_threshold(0.9), _format_threshold(0.976542), _format_threshold(0.99997)
    ('0.90', '0.976542', '0.99997')
    """
    text = repr(float(value))
    return f"{value:.2f}" if len(text.partition(".")[2]) < 2 else text


def _shorten(text: str, max_length: int = 200) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def _heading(text: str, width: int) -> str:
    return f"{text}\n{'-' * min(len(text), width)}\n"


def _fill(text: str, width: int) -> str:
    """Wrap a text; no-break spaces keep numbers and their units together."""
    return textwrap.fill(text, width).replace(_NBSP, " ")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, n_left: int, is_last_left: bool = False) -> str:
    """Return a table whose first columns, and optionally the last, are aligned left."""
    lines = [list(head), *([cell.replace(_NBSP, " ") for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    left = {*range(n_left), *([len(head) - 1] if is_last_left else [])}
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
