"""The formats of corpora: what each is, and how a file's name and first line tell which one it has."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field

from litotes.languages.negation_categories import CATEGORIES

FORMATS = {
    "text": "plain text, a sentence a line",
    "running": "running text, split into sentences; a blank line ends a paragraph",
    "jsonl": "JSON lines, the text in a named field",
    "csv": "comma-separated (or semicolons), the text in a named column; cells may be in quotes",
    "tsv": "tab-separated, the text in a named column; no quoting",
    "conllu": "CoNLL-U, the sentence from “# text” or from its words",
    "opusparcus": "Opusparcus pairs: id, two sentences, score (.txt, .txt.bz2 or JSON lines)",
    "snli": "SNLI pairs with their label (JSON lines or tab-separated)",
    "mnli": "MultiNLI pairs with their label (JSON lines or tab-separated)",
    "sick": "SICK pairs with relatedness and label",
    "mrpc": "Microsoft Research Paraphrase Corpus, pairs with 1 or 0",
    "stsb": "STS benchmark pairs with a score from 0 to 5 (comma- or tab-separated, with or without header)",
    "goemotions": "GoEmotions: text, numbers of the emotions, id",
}

_EMOTIONS = re.compile(r"\d+(,\d+)*")
_NLI_LABELS = {
    **{label: label for label in ("entailment", "neutral", "contradiction")},
    **{"0": "entailment", "1": "neutral", "2": "contradiction"},
    **dict.fromkeys(("-", "", "-1", "hidden"), ""),  # without a gold label
    "contradictory": "contradiction",
}


@dataclass(frozen=True)
class Layout:
    """The names under which a format keeps its parts, the likeliest first; its labels, where they are known."""

    text: tuple[str, ...]
    other: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    label_like: re.Pattern[str] | None = None
    headers: tuple[tuple[str, ...], ...] = ()
    """Columns of a file without a header, the longest first; a row may have more."""
    flags: dict[str, str] = field(default_factory=dict)
    """Columns that hold 1 or 0 → the category that they tell of."""


_NLI = Layout(
    text=("sentence1", "premise"),
    other=("sentence2", "hypothesis", "hypo"),
    label=("gold_label", "label"),
    own=("pairID",),
    labels=_NLI_LABELS,
    flags={
        **{category: category for category in CATEGORIES},
        "posession": "possession",
    },  # as the published files spell it
)
LAYOUTS = {
    "snli": _NLI,
    "mnli": _NLI,
    "sick": Layout(
        text=("sentence_A",),
        other=("sentence_B",),
        label=("entailment_judgment", "entailment_label"),
        score=("relatedness_score",),
        own=("pair_ID",),
        labels=_NLI_LABELS,
    ),
    "mrpc": Layout(text=("#1 String",), other=("#2 String",), label=("Quality",), labels={"1": "1", "0": "0"}),
    "stsb": Layout(
        text=("sentence1",),
        other=("sentence2",),
        score=("score", "similarity_score"),
        headers=(
            ("genre", "filename", "year", "index", "score", "sentence1", "sentence2"),
            ("sentence1", "sentence2", "score"),
        ),
    ),
    "goemotions": Layout(
        text=("text",), label=("labels",), own=("id",), label_like=_EMOTIONS, headers=(("text", "labels", "id"),)
    ),
    "opusparcus": Layout(
        text=("sent1",),
        other=("sent2",),
        score=("score", "annot_score"),
        own=("id", "gem_id"),
        headers=(("id", "sent1", "sent2", "score"),),
    ),
}
PAIR_NAMES = (
    ("sentence1", "sentence2"),
    ("premise", "hypothesis"),
    ("premise", "hypo"),
    ("sentence_A", "sentence_B"),
    ("sent1", "sent2"),
    ("text1", "text2"),
    ("question1", "question2"),
    ("#1 String", "#2 String"),
)
WITH_COMMAS = ("snli", "mnli", "stsb")
"""Known corpora that also come as CSV; the others have tabs, and a comma in them is a comma."""
TEXT_NAMES = ("text", "sentence")
_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_OPUSPARCUS_ID = re.compile(r"[a-z]{2}-[NDT]\d+")
_REDDIT_ID = re.compile(r"[a-z0-9]{4,10}")
_STS = re.compile(r"(?<![a-z])sts(b|benchmark)?(?![a-z])")
_CONLLU = re.compile(r"#\s*(sent_id|text)\s*=|# (newdoc|newpar|global\.columns)\b|1(-\d+)?\t[^\t]*(\t[^\t]*){8}$")


def list_formats() -> dict[str, str]:
    """Every format by its name, with one line about it.

    >>> list_formats()["text"]
    'plain text, a sentence a line'
    """
    return dict(FORMATS)


def first_line(head: bytes) -> str:
    """The first line that is not blank of what a file begins with."""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n\f\v")
    return re.split(r"[\r\n]", text, maxsplit=1)[0]


def detect_format(name: str, line: str) -> str:
    r"""The format of a file, by its name (without .gz and the like, perhaps with its folder) and its first line.

    >>> detect_format("trial.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment")
    'sick'
    >>> detect_format("talk.txt", "Nobody answered the door.")
    'text'
    """
    lower = name.lower()
    if line.startswith("{") and (keys := _keys(line)) is not None:
        return format_by_names(keys, lower) or "jsonl"
    if lower.endswith(_JSON_ENDINGS):
        return "jsonl"
    if lower.endswith((".conllu", ".conll")) or _CONLLU.match(line):
        return "conllu"
    is_csv, is_tsv = lower.endswith(".csv"), lower.endswith((".tsv", ".tab"))
    if "\t" in line:
        cells = line.split("\t")
        # What is called .csv but holds tabs is read as what it holds; in a text a tab means nothing.
        return format_by_names(cells, lower) or _unnamed(cells, lower) or ("tsv" if is_csv or is_tsv else "text")
    if is_csv:
        cells = csv_cells(line)
        return format_by_names(cells, lower) or _unnamed(cells, lower) or "csv"
    return "tsv" if is_tsv else "text"


def csv_cells(line: str) -> list[str]:
    """The cells of one line of CSV, as far as one line tells."""
    try:
        return next(csv.reader([line], delimiter=csv_delimiter(line)), [])
    except csv.Error:
        return []


def csv_delimiter(line: str) -> str:
    """What separates the cells, by the first line: a comma, or semicolons where there is no comma."""
    return ";" if ";" in line and "," not in line else ","


def _keys(line: str) -> list[str] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        # The first line may be longer than what was looked at.
        return re.findall(r'"([^"\\]{1,40})"\s*:', line) if len(line) > 10_000 else None
    return list(value) if isinstance(value, dict) else None


def format_by_names(names: list[str], lower: str) -> str:
    """The format that has columns of these names, if it is one of the known corpora."""
    have = {name.strip() for name in names}
    if {"pair_ID", "sentence_A", "sentence_B"} <= have:
        return "sick"
    if {"Quality", "#1 String", "#2 String"} <= have:
        return "mrpc"
    if {"sentence1", "sentence2", "score"} <= have:
        return "stsb"
    if {"sent1", "sent2"} <= have and have & {"annot_score", "gem_id"}:
        return "opusparcus"
    # sentence1, sentence2 and label alone are any pairs, with labels of their own.
    if {"sentence1", "sentence2", "gold_label"} <= have or (
        {"premise", "label"} <= have and have & {"hypothesis", "hypo"}
    ):
        return "mnli" if have & {"genre", "promptID"} or "mnli" in lower or "multinli" in lower else "snli"
    return ""


def _unnamed(cells: list[str], lower: str) -> str:
    """The format of a file without a header, if its first row is like one of a known corpus."""
    if len(cells) in (4, 7) and _OPUSPARCUS_ID.fullmatch(cells[0]):
        return "opusparcus"
    if len(cells) == 3 and _EMOTIONS.fullmatch(cells[1]) and _REDDIT_ID.fullmatch(cells[2].strip()):
        return "goemotions"
    score = cells[2] if len(cells) == 3 else cells[4] if len(cells) >= 7 else ""
    if _STS.search(lower) and re.fullmatch(r"[0-5](\.\d+)?", score.strip()):
        return "stsb"
    return ""
