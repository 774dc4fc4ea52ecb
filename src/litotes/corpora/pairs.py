"""Sentence pairs with or without similarity scores: tables, and the files of SemEval's STS tasks (2012 to 2016)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from litotes.core.errors import LitotesError
from litotes.core.files import check_is_file, expand_user, is_file, is_folder, numbered_lines
from litotes.corpora.base import Problems, Record
from litotes.corpora.read import describe_sources, read_corpus

MIN_PAIRS = 10
"""Fewest scored pairs from which a correlation is computed."""

_PAIR_FORMATS = ("stsb", "sick", "opusparcus", "mrpc", "snli", "mnli")
_TABLE_EXTENSIONS = frozenset({".csv", ".tsv", ".txt", ".jsonl"})
_SCORED = "two sentences and a score"
_INPUT, _SCORES = "STS.input.", "STS.gs."
"""Prefixes of SemEval's files: sentences separated by a tab, and one score per line, empty for a pair without one."""


@dataclass(frozen=True)
class ScoredPair:
    """Two sentences with a human similarity score."""

    left: str
    right: str
    score: float


def _ignore(_: str) -> None:
    """Do nothing: the default callback."""


def read_pairs(
    path: str | Path,
    warn: Callable[[str], None] = _ignore,
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
) -> list[Record]:
    """Read the pairs of a file, or of a folder of SemEval's STS files; `columns` are the two columns of sentences.

    Three columns without a header are two sentences and a score. Unreadable lines are skipped with a warning.
    """
    return _read(expand_user(path), warn, format=format, columns=columns)


def is_pair_file(path: str | Path) -> bool:
    """Return whether a path is a file that can contain pairs, or a folder of SemEval's files, and not a suite.

    >>> is_pair_file("no-such-file.csv"), is_pair_file("heros-mini")
    (True, False)
    """
    file = expand_user(path)
    has_table_name = file.suffix.lower() in _TABLE_EXTENSIONS and not is_folder(file)
    return has_table_name or (is_file(file) and file.name != "suite.json") or bool(_semeval_files(file))


def _read(
    file: Path,
    warn: Callable[[str], None],
    *,
    format: str | None = None,
    columns: Sequence[str] = (),
    what: str = "sentence pairs",
) -> list[Record]:
    """Read pairs; `what` describes them in error messages."""
    if files := _semeval_files(file):
        return [record for sentences in files for record in _read_semeval(sentences)]
    check_is_file(file)
    problems = Problems()
    try:
        records = list(
            read_corpus([str(file)], format=format or _pair_format(file, columns), columns=columns, problems=problems)
        )
    except LitotesError as error:
        if error.code in {"L102", "L203"} and not (format or columns):
            raise _not_pairs(file, what) from error
        raise
    if problems.count:
        warn(f"{file.name}: {problems.summary()}")
    if any(record.second_text is None for record in records):
        raise _not_pairs(file, what)
    return records


def read_scored_pairs(path: str | Path, warn: Callable[[str], None] = _ignore) -> list[ScoredPair]:
    """Read pairs with human scores: STS-B, SICK, STS 2012 to 2016, or a table with two sentences and a score."""
    file = expand_user(path)
    records = _read(file, warn, what=_SCORED)
    if any(record.score is None for record in records):
        raise _not_pairs(file, _SCORED)
    pairs = [ScoredPair(record.text, record.second_text or "", record.score or 0.0) for record in records]
    if len(pairs) < MIN_PAIRS:
        raise LitotesError("L204", f"{file.name}: has {len(pairs)} scored pairs, at least {MIN_PAIRS} are needed")
    if len({pair.score for pair in pairs}) == 1:
        raise LitotesError("L203", f"{file.name}: all pairs have the same score, {pairs[0].score:g}")
    return pairs


def _pair_format(file: Path, columns: Sequence[str]) -> str | None:
    if columns:
        return None
    detected = str(describe_sources([str(file)])[0]["format"])
    return detected if detected in _PAIR_FORMATS or _has_pairs_without_score(file, detected) else "stsb"


def _has_pairs_without_score(file: Path, format: str) -> bool:
    """Return whether the first record is a pair without a score."""
    if format not in {"csv", "tsv", "jsonl"}:
        return False
    try:
        first = next(iter(read_corpus([str(file)], format=format)))
    except LitotesError:
        return False
    return first.second_text is not None and first.score is None


def _semeval_files(path: Path) -> list[Path]:
    """Return SemEval's files of sentences in a folder, or the file itself if it is one."""
    if is_folder(path):
        return sorted(file for file in path.iterdir() if _is_semeval(file))
    return [path] if _is_semeval(path) else []


def _is_semeval(file: Path) -> bool:
    return file.name.startswith(_INPUT) and file.suffix == ".txt"


def _read_semeval(sentences: Path) -> list[Record]:
    """Read SemEval's sentences with the scores of the file next to them; pairs without a score are skipped."""
    scores = sentences.with_name(_SCORES + sentences.name.removeprefix(_INPUT))
    for file in (sentences, scores):
        check_is_file(file)
    # Blank lines are significant: they are pairs without a score.
    rows = zip_longest(_all_lines(sentences), _all_lines(scores))
    records = []
    for number, (row, score) in enumerate(rows, 1):
        if not ((row or "").strip() or (score or "").strip()):
            continue
        cells = (row or "").split("\t")
        if row is None or score is None or len(cells) < 2:
            raise LitotesError(
                "L203",
                f"{sentences.name}:{number}: needs two sentences separated by a tab, and a line in {scores.name}",
            )
        if not score.strip():
            continue
        try:
            value = float(score)
        except ValueError as error:
            raise LitotesError("L203", f"{scores.name}:{number}: is not a number: {score.strip()[:40]}") from error
        records.append(Record(f"{sentences.name}:{number}", cells[0].strip(), cells[1].strip(), score=value))
    return records


def _all_lines(file: Path) -> list[str]:
    with file.open("rb") as stream:
        return [line for _, line in numbered_lines(stream, str(file))]


def _not_pairs(file: Path, what: str) -> LitotesError:
    hint = "use comma- or tab-separated columns sentence1, sentence2 and score, as in the STS benchmark"
    return LitotesError("L203", f"{file.name}: is not a table of {what}", hint=hint)
