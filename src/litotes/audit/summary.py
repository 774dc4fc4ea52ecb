"""What an audit found, in words for people who have never heard of negation scope."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litotes.audit.result import Audit, Blind, Interval, Mined, RuleUse, ThresholdPoint
from litotes.core.errors import one_line

RULE_WORDS = {
    "all": "any",
    "negation": "“not” put in or taken out",
    "antonym": "a word turned to its opposite",
    "synonym": "another word for a word",
    "negated_antonym": "“not bad” for “good”, or back",
    "passive": "active turned to passive",
    "contraction": "“isn't” for “is not”, or back",
    "argument_swap": "who and whom changed places",
    "typo": "a slip of the keyboard",
}
"""What each rewrite does to a sentence."""

RELATION_WORDS = {"opposite": "opposite", "same": "paraphrase", "different": "something else", "noise": "typing slip"}

KIND_WORDS = {"polarity": "one says it, the other denies it", "antonym": "a word and its opposite"}

_SHOWN_AT = (0.7, 0.8, 0.85, 0.9, 0.95)
_SHOWN_PAIRS = 5
_SHOWN_WORST = 3
_USAGE_HEAD = ("rewrite", "made of", "why not of others, mostly")
_NBSP = "\u00a0"


def summary(audit: Audit, *, width: int = 80) -> str:
    """All that an audit found, for a terminal of that width."""
    parts = [
        one_line(f"{audit.model} on {corpus_name(audit.corpus)}"),
        _filled(headline(audit), width),
        *(_filled(f"Note: {one_line(one)}.", width) for one in audit.notes),
        blindness_lines(audit),
        *([_heading("Where it is worst", width) + worst_lines(audit, width)] if audit.worst else []),
        _heading("How similar the model finds a sentence and …", width) + similarity_lines(audit),
        _heading("If pairs above a threshold are taken for duplicates", width) + threshold_lines(audit, width),
        _heading("Search", width) + _filled(retrieval_words(audit), width),
        _heading("Opposites that are in the text already", width) + mining_lines(audit, width),
        _heading("What could be used", width) + usage_lines(audit, width),
    ]
    return "\n\n".join(parts)


def corpus_name(corpus: Sequence[Mapping[str, Any]]) -> str:
    """The files that were read; of many the first.

    >>> corpus_name([{"name": "faq.txt"}, {"name": "mails.txt"}])
    'faq.txt and 1 more'
    """
    names = [str(one.get("name", "")) for one in corpus]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more" if names else "the text"


def headline(audit: Audit) -> str:
    """How blind the model is, in one or two sentences."""
    whole = audit.blindness[0]
    count = "1 sentence" if whole.sentences == 1 else f"{whole.sentences:,} sentences"
    return (
        f"Of {count} with an opposite and a paraphrase, the model puts the opposite at least as close as the "
        f"paraphrase in {percent(whole.rate)} ({between(whole.ci)}). {_judgement(whole)}{_hardest(audit)}"
    )


def _hardest(audit: Audit) -> str:
    """The kind of paraphrase that it misses most, if that is surely more often than over all."""
    whole, *rest = audit.blindness
    of_kind = [one for one in rest if one.opposite == "all" and one.ci[0] > whole.ci[1]]
    if not of_kind:
        return ""
    worst = max(of_kind, key=lambda one: one.rate)
    words = RULE_WORDS.get(worst.same, worst.same)
    return f" It is worst where the paraphrase is {words}: {percent(worst.rate)} ({between(worst.ci)})."


def _judgement(whole: Blind) -> str:
    low, high = whole.ci
    if low > 0.5:
        return "That is worse than tossing a coin, 50 %: words in common count for more with it than what is said."
    if high < 0.05:
        return "It tells what is said from its opposite; tossing a coin would give 50 %."
    if high < 0.5:
        return "That is better than tossing a coin, 50 %, but it still takes opposites for the same."
    return "That cannot be told from tossing a coin, 50 %."


def blindness_lines(audit: Audit) -> str:
    """The same by rewrite, as a table."""
    rows = [[blind_name(one), f"{one.sentences:,}", percent(one.rate), between(one.ci)] for one in by_rewrite(audit)]
    return _table(["how often an opposite is as close", "sentences", "blind", "95 % interval"], rows, left=1)


def blind_name(one: Blind) -> str:
    """What was compared.

    >>> blind_name(Blind("negation", "all", 9, 0.5, (0.4, 0.6), 0))
    'opposite: “not” put in or taken out'
    """
    if one.opposite == one.same == "all":
        return "all"
    opposite = "" if one.opposite == "all" else f"opposite: {RULE_WORDS.get(one.opposite, one.opposite)}"
    same = "" if one.same == "all" else f"paraphrase: {RULE_WORDS.get(one.same, one.same)}"
    return "; ".join(filter(None, (opposite, same)))


def by_rewrite(audit: Audit) -> list[Blind]:
    """Over everything, and for each rewrite against all of the other kind."""
    return [one for one in audit.blindness if "all" in (one.opposite, one.same)]


def similarity_lines(audit: Audit) -> str:
    """How similar sentences and their variants are, as a table."""
    rows = [
        [
            RELATION_WORDS[one.relation],
            RULE_WORDS.get(one.rule, one.rule),
            f"{one.count:,}",
            f"{one.mean:.2f}",
            f"{one.quantiles[1]:.2f} to {one.quantiles[3]:.2f}",
        ]
        for one in audit.distributions
    ]
    return _table(["its …", "made by", "pairs", "mean", "middle half"], rows, left=2)


def threshold_lines(audit: Audit, width: int = 80) -> str:
    """What thresholds let through and what they lose."""
    rows = [
        [f"{one.threshold:.2f}", percent(one.opposites_pass), percent(one.paraphrases_lost)]
        for one in _some_points(audit)
    ]
    told = [] if audit.asked is None else [threshold_words(audit.asked)]
    table = _table(["threshold", "opposites that pass", "paraphrases lost"], rows, left=0)
    return "\n\n".join([*(_filled(one, width) for one in told), table, _filled(advice_words(audit), width)])


def _some_points(audit: Audit) -> list[ThresholdPoint]:
    """The thresholds that people use, as near as the curve has them."""
    if not audit.thresholds:
        return []
    nearest = (min(audit.thresholds, key=lambda one: abs(one.threshold - wanted)) for wanted in _SHOWN_AT)
    return list({one.threshold: one for one in nearest}.values())


def threshold_words(point: ThresholdPoint) -> str:
    """What one threshold does.

    >>> threshold_words(ThresholdPoint(0.9, 0.88, None, 0.12, None)).replace("\\u00a0", " ")
    'At 0.90, 88.0 % of the opposites would pass as duplicates and 12.0 % of the paraphrases be lost.'
    """
    return (
        f"At {_threshold(point.threshold)}, {percent(point.opposites_pass)} of the opposites would pass as duplicates "
        f"and {percent(point.paraphrases_lost)} of the paraphrases be lost."
    )


def advice_words(audit: Audit) -> str:
    """The threshold that the error budget allows, or that none does."""
    advice = audit.advice
    both = (
        f"at most {percent(advice.budget)} of the opposites pass and at most {percent(advice.most_lost)} of the "
        "paraphrases are lost"
    )
    if advice.point is None:
        return f"No threshold serves: even the highest lets more than {percent(advice.budget)} of the opposites pass."
    point = advice.point
    if advice.holds:
        return (
            f"Take {_threshold(point.threshold)}: there {percent(point.opposites_pass)} of the opposites pass and "
            f"{percent(point.paraphrases_lost)} of the paraphrases are lost (the budget: {both})."
        )
    return (
        f"No threshold serves (the budget: {both}). To keep the opposites out it has to be "
        f"{_threshold(point.threshold)}, and then {percent(point.paraphrases_lost)} of the paraphrases are lost."
    )


def retrieval_words(audit: Audit) -> str:
    """What becomes of a search when opposites lie in the index."""
    if not audit.retrieval:
        return "No query could be made: that needs a sentence with an opposite and a paraphrase."
    whole = audit.retrieval[0]
    queries = "1 paraphrase" if whole.queries == 1 else f"{whole.queries:,} paraphrases"
    return (
        f"{queries} as queries, the index holding your {audit.usage.sentences:,} sentences and the opposites of each "
        f"that is asked for: the original comes before an opposite in {percent(whole.paired)} "
        f"({between(whole.paired_ci)}), and first of all in {percent(whole.first)}. Mean reciprocal rank: "
        f"{whole.mrr:.2f}; without the opposites {whole.mrr_plain:.2f}."
    )


def worst_lines(audit: Audit, width: int = 80) -> str:
    """A few sentences whose opposite is far closer than their paraphrase."""
    shown = []
    for one in audit.worst[:_SHOWN_WORST]:
        close = (None, one.text), (one.opposite_similarity, one.opposite), (one.same_similarity, one.same)
        shown.append("\n".join(_with_similarity(similarity, text, width) for similarity, text in close))
    return "\n\n".join([_filled("Under each, its opposite and its paraphrase, and how close they are:", width), *shown])


def mining_words(audit: Audit) -> str:
    """How many opposites lie in the corpus already."""
    mined = audit.mining
    if mined is None:
        return "They were not looked for."
    pairs = "1 pair was" if mined.looked_at == 1 else f"{mined.looked_at:,} pairs were"
    found = (
        "None of them says"
        if not mined.found
        else "1 of them says"
        if mined.found == 1
        else f"{mined.found:,} of them say"
    )
    cut = "" if len(mined.pairs) == mined.found else f" The closest {len(mined.pairs):,} were kept."
    how = "" if mined.method == "exact" else " The search was approximate: a few may be missing."
    return (
        f"Among your {mined.sentences:,} sentences {pairs} looked at: of each its {mined.neighbours} nearest that are "
        f"at least {_threshold(mined.threshold)} alike to the model. {found} the opposite, as far as rules can tell."
        f"{cut}{how}"
    )


def mining_lines(audit: Audit, width: int = 80) -> str:
    """The same with the closest of them."""
    told = _filled(mining_words(audit), width)
    if audit.mining is None or not audit.mining.pairs:
        return told
    shown = audit.mining.pairs[:_SHOWN_PAIRS]
    return "\n\n".join([f"{told} The closest:" if len(told.splitlines()[-1]) < width - 13 else f"{told}\nThe closest:",
                        *(_pair_lines(one, width) for one in shown)])  # fmt: skip


def _pair_lines(pair: Mined, width: int) -> str:
    lines = (pair.similarity, pair.one), (None, pair.other), (None, f"({differing(pair)})")
    return "\n".join(_with_similarity(similarity, text, width) for similarity, text in lines)


def differing(pair: Mined) -> str:
    """What stands in the one and not in the other.

    >>> differing(Mined("It is hot.", "It is cold.", "1", "2", 0.9, "antonym", ("hot", "cold")))
    'hot / cold'
    """
    return " / ".join(one or "–" for one in pair.differs)


def _with_similarity(similarity: float | None, text: str, width: int) -> str:
    """A sentence, and before it how close it is to another."""
    start = "" if similarity is None else f"{similarity:.2f}"
    return textwrap.fill(_short(one_line(text)), width, initial_indent=f"  {start:4}  ", subsequent_indent=" " * 8)


def usage_words(audit: Audit) -> str:
    """How much of the text could be used."""
    use = audit.usage
    tried = f"the rewrites were tried on {'all of them' if use.rewritten == use.sentences else f'{use.rewritten:,}'}"
    return (
        f"{use.read:,} sentences read, {use.sentences:,} different ones among them; {tried}, and {use.usable:,} got "
        "both an opposite and a paraphrase."
    )


def left_out_words(audit: Audit) -> str:
    """Why sentences were not tried at all; nothing if all were."""
    reasons = sorted(audit.usage.left_out.items(), key=lambda one: (-one[1], one[0]))
    return f"Not tried: {'; '.join(f'{why} ({count:,})' for why, count in reasons)}." if reasons else ""


def usage_lines(audit: Audit, width: int = 80) -> str:
    """The same by rewrite, with the commonest reason why one made nothing."""
    told = [usage_words(audit), left_out_words(audit)]
    named = [(RULE_WORDS.get(one.rule, one.rule), f"{one.made:,}", commonest_reason(one)) for one in audit.usage.rules]
    room = max(width - max((len(name) for name, _, _ in named), default=0) - len(_USAGE_HEAD[1]) - 4, 20)
    rows: list[list[str]] = []
    for name, made, why in named:
        first, *more = textwrap.wrap(why, room) or [""]
        rows += [[name, made, first], *(["", "", line] for line in more)]
    table = _table(_USAGE_HEAD, rows, left=1, last_left=True)
    return "\n\n".join([*(_filled(one, width) for one in told if one), table])


def commonest_reason(use: RuleUse) -> str:
    """Why a rewrite mostly made nothing, with how often.

    >>> commonest_reason(RuleUse("typo", "noise", 1, {"short": 20, "odd": 3}, {"short": "it is too short"}))
    'it is too short (20)'
    """
    if not use.skipped:
        return ""
    code, count = min(use.skipped.items(), key=lambda one: (-one[1], one[0]))
    return f"{use.reasons.get(code, code)} ({count:,})"


def above_limit(audit: Audit, limit: float) -> str:
    """The line for a check that failed."""
    blind, most = percent(audit.blind), percent(limit)
    if blind == most:  # rounded, they look the same
        blind, most = f"{100 * audit.blind:.10g} %", f"{100 * limit:.10g} %"
    return f"{audit.model}: blindness is {blind}, above the {most} of --fail-above".replace(_NBSP, " ")


def percent(share: float) -> str:
    """A share in per cent, its sign never alone on a line.

    >>> percent(0.9312).replace("\\u00a0", " ")
    '93.1 %'
    """
    return f"{100 * share:.1f}{_NBSP}%"


def between(interval: Interval) -> str:
    """An interval of shares in per cent.

    >>> between((0.916, 0.944))
    '91.6 to 94.4'
    """
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"


def _threshold(value: float) -> str:
    """To two places, or as many more as it has: rounded, it might let pass what it must keep out.

    >>> _threshold(0.9), _threshold(0.976542), _threshold(0.99997)
    ('0.90', '0.976542', '0.99997')
    """
    text = repr(float(value))
    return f"{value:.2f}" if len(text.partition(".")[2]) < 2 else text


def _short(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _heading(text: str, width: int) -> str:
    return f"{text}\n{'-' * min(len(text), width)}\n"


def _filled(text: str, width: int) -> str:
    """Broken into lines; a number stays with its unit: the wrapper does not break at a no-break space."""
    return textwrap.fill(text, width).replace(_NBSP, " ")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int, last_left: bool = False) -> str:
    """Columns, the first few and on demand the last flush left."""
    lines = [list(head), *([cell.replace(_NBSP, " ") for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    flush = {*range(left), *([len(head) - 1] if last_left else [])}
    return "\n".join(
        "  ".join(
            cell.ljust(size) if place in flush else cell.rjust(size)
            for place, (cell, size) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
