"""Formats of corpora and their detection from the name and the first line of a file."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, field

from litotes.languages.negation_categories import CATEGORIES

FORMATS = {
    "text": "plain text, one sentence per line",
    "running": "running text, split into sentences; a blank line ends a paragraph",
    "jsonl": "JSON lines with the text in a field",
    "csv": "comma- or semicolon-separated with the text in a column; cells may be quoted",
    "tsv": "tab-separated with the text in a column; no quoting",
    "parquet": "Parquet with the text in a column",
    "conllu": "CoNLL-U; sentences from “# text” or from their words",
    "ptb": "Penn Treebank: bracketed parses (.mrg, .ptb); sentences from their words",
    "opusparcus": "Opusparcus: pairs with id and score (.txt, .txt.bz2 or JSON lines)",
    "snli": "SNLI: pairs with label (JSON lines or tab-separated)",
    "mnli": "MultiNLI: pairs with label (JSON lines or tab-separated)",
    "sick": "SICK: pairs with relatedness and label",
    "mrpc": "Microsoft Research Paraphrase Corpus: pairs with label 1 or 0",
    "stsb": "STS benchmark: pairs with a score from 0 to 5 (comma- or tab-separated, with or without header)",
    "goemotions": "GoEmotions: text, emotion numbers, id",
}

_EMOTIONS = re.compile(r"\d+(,\d+)*")
_NLI_LABELS = {
    **{label: label for label in ("entailment", "neutral", "contradiction")},
    **{"0": "entailment", "1": "neutral", "2": "contradiction"},
    **dict.fromkeys(("-", "", "-1", "hidden"), ""),  # no gold label
    "contradictory": "contradiction",
}


@dataclass(frozen=True)
class TableLayout:
    """The possible names of the columns of a format, the most common first, and its labels."""

    text: tuple[str, ...]
    second_text: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    """Labels in files → standard labels; empty if any label is allowed."""
    label_pattern: re.Pattern[str] | None = None
    default_headers: tuple[tuple[str, ...], ...] = ()
    """The columns of files without a header, the longest first; rows may have more columns."""
    category_columns: dict[str, str] = field(default_factory=dict)
    """Columns that contain 1 or 0 → negation categories."""

    def columns(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of the text, second text, label, score and id columns."""
        return self.text, self.second_text, self.label, self.score, self.id


_NLI = TableLayout(
    text=("sentence1", "premise"),
    second_text=("sentence2", "hypothesis", "hypo"),
    label=("gold_label", "label"),
    id=("pairID",),
    labels=_NLI_LABELS,
    category_columns={
        **{category: category for category in CATEGORIES},
        "posession": "possession",  # the spelling of the published files
    },
)
LAYOUTS = {
    "snli": _NLI,
    "mnli": _NLI,
    "sick": TableLayout(
        text=("sentence_A",),
        second_text=("sentence_B",),
        label=("entailment_judgment", "entailment_label"),
        score=("relatedness_score",),
        id=("pair_ID",),
        labels=_NLI_LABELS,
    ),
    "mrpc": TableLayout(
        text=("#1 String",), second_text=("#2 String",), label=("Quality",), labels={"1": "1", "0": "0"}
    ),
    "stsb": TableLayout(
        text=("sentence1",),
        second_text=("sentence2",),
        score=("score", "similarity_score"),
        default_headers=(
            ("genre", "filename", "year", "index", "score", "sentence1", "sentence2"),
            ("sentence1", "sentence2", "score"),
        ),
    ),
    "goemotions": TableLayout(
        text=("text",),
        label=("labels",),
        id=("id",),
        label_pattern=_EMOTIONS,
        default_headers=(("text", "labels", "id"),),
    ),
    "opusparcus": TableLayout(
        text=("sent1",),
        second_text=("sent2",),
        score=("score", "annot_score"),
        id=("id", "gem_id"),
        default_headers=(("id", "sent1", "sent2", "score"),),
    ),
}
PAIR_COLUMNS = (
    ("sentence1", "sentence2"),
    ("premise", "hypothesis"),
    ("premise", "hypo"),
    ("sentence_A", "sentence_B"),
    ("sent1", "sent2"),
    ("text1", "text2"),
    ("question1", "question2"),
    ("#1 String", "#2 String"),
)
COMMA_SEPARATED = ("snli", "mnli", "stsb")
"""Formats that may be comma-separated; the others are always tab-separated."""
TEXT_COLUMNS = ("text", "sentence")
_JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
_OPUSPARCUS_ID = re.compile(r"[a-z]{2}-[NDT]\d+")
_REDDIT_ID = re.compile(r"[a-z0-9]{4,10}")
_STS = re.compile(r"(?<![a-z])sts(b|benchmark)?(?![a-z])")
_CONLLU = re.compile(r"#\s*(sent_id|text)\s*=|# (newdoc|newpar|global\.columns)\b|1(-\d+)?\t[^\t]*(\t[^\t]*){8}$")


_PTB = re.compile(
    r"\(\s*(\(\s*)?(ROOT|TOP|S1|S|SINV|SQ|SBARQ|SBAR|FRAG|NP|VP|PP|ADJP|ADVP|UCP|PRN|INTJ|X)([-=][A-Z0-9]+)*\s*(\(|$)|\($"
)
"""The beginning of a bracketed parse; some have a bracket without a label around them."""


def list_formats() -> dict[str, str]:
    """Return the names of all formats with their descriptions.

    >>> list_formats()["text"]
    'plain text, one sentence per line'
    """
    return dict(FORMATS)


def first_line(head: bytes) -> str:
    """Return the first line that is not blank."""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n\f\v")
    return re.split(r"[\r\n]", text, maxsplit=1)[0]


def detect_format(name: str, line: str) -> str:
    r"""Return the format of a file from its name, without .gz and possibly with its folder, and its first line.

    >>> detect_format("trial.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment")
    'sick'
    >>> detect_format("talk.txt", "Nobody answered the door.")
    'text'
    """
    lower = name.lower()
    if line.startswith("{") and (keys := _json_keys(line)) is not None:
        return format_of_columns(keys, lower) or "jsonl"
    if lower.endswith(_JSON_ENDINGS):
        return "jsonl"
    if lower.endswith((".conllu", ".conll")) or _CONLLU.match(line):
        return "conllu"
    if lower.endswith((".mrg", ".ptb")) or _PTB.match(line.rstrip()):
        return "ptb"
    is_csv, is_tsv = lower.endswith(".csv"), lower.endswith((".tsv", ".tab"))
    if "\t" in line:
        cells = line.split("\t")
        # A .csv file with tabs is tab-separated; in plain text a tab has no meaning.
        return (
            format_of_columns(cells, lower)
            or _format_without_header(cells, lower)
            or ("tsv" if is_csv or is_tsv else "text")
        )
    if is_csv:
        cells = _csv_cells(line)
        return format_of_columns(cells, lower) or _format_without_header(cells, lower) or "csv"
    return "tsv" if is_tsv else "text"


def _csv_cells(line: str) -> list[str]:
    """Return the cells of a single line of CSV."""
    try:
        return next(csv.reader([line], delimiter=csv_delimiter(line)), [])
    except csv.Error:
        return []


def csv_delimiter(line: str) -> str:
    """Return the delimiter of a CSV file from its first line: a semicolon only without any comma."""
    return ";" if ";" in line and "," not in line else ","


def _json_keys(line: str) -> list[str] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        # The line may be truncated.
        return re.findall(r'"([^"\\]{1,40})"\s*:', line) if len(line) > 10_000 else None
    return list(value) if isinstance(value, dict) else None


def format_of_columns(names: list[str], lower: str) -> str:
    """Return the known corpus that has these columns, or an empty string."""
    columns = {name.strip() for name in names}
    if {"pair_ID", "sentence_A", "sentence_B"} <= columns:
        return "sick"
    if {"Quality", "#1 String", "#2 String"} <= columns:
        return "mrpc"
    if {"sentence1", "sentence2", "score"} <= columns:
        return "stsb"
    if {"sent1", "sent2"} <= columns and columns & {"annot_score", "gem_id"}:
        return "opusparcus"
    # Other pairs with sentence1, sentence2 and label may have other labels.
    if {"sentence1", "sentence2", "gold_label"} <= columns or (
        {"premise", "label"} <= columns and columns & {"hypothesis", "hypo"}
    ):
        return "mnli" if columns & {"genre", "promptID"} or "mnli" in lower or "multinli" in lower else "snli"
    return ""


def _format_without_header(cells: list[str], lower: str) -> str:
    """Return the known corpus whose rows look like this first row, or an empty string."""
    if len(cells) in (4, 7) and _OPUSPARCUS_ID.fullmatch(cells[0]):
        return "opusparcus"
    if len(cells) == 3 and _EMOTIONS.fullmatch(cells[1]) and _REDDIT_ID.fullmatch(cells[2].strip()):
        return "goemotions"
    score = cells[2] if len(cells) == 3 else cells[4] if len(cells) >= 7 else ""
    if _STS.search(lower) and re.fullmatch(r"[0-5](\.\d+)?", score.strip()):
        return "stsb"
    return ""
