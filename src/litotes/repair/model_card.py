"""The card of a repaired model, README.md in its folder, and the same as data, outcome.json."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any

from litotes.core.errors import LitotesError
from litotes.core.files import expand_user, is_folder, read_json, to_json, write_atomic
from litotes.models.hub import DEFAULT_MODEL
from litotes.models.known_models import known_model
from litotes.models.names import DEFAULT_SCHEME, parse_name
from litotes.repair.holdout import Leakage
from litotes.repair.result import Change, Outcome

OUTCOME = "outcome.json"
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_USE = {
    "training": """from sentence_transformers import SentenceTransformer

vectors = SentenceTransformer("FOLDER").encode(["The door is open.", "The door is not open."])""",
    "adapter": """import litotes

adapted = litotes.adapt(vectors, "FOLDER")  # vectors: those of the original model, a row a text""",
}
_WHAT = {
    "training": "It is the original, trained further so that sentences which say the opposite lie apart. Its vectors "
    "have as many numbers as the original's, but other ones: whatever was stored must be encoded anew.",
    "adapter": "It is a map over the vectors of the original, which stays as it is: vectors that are stored already "
    "are mapped, and nothing is encoded anew. Search with mapped vectors among mapped vectors only. What the original "
    "does not keep in its vectors, no map can bring back.",
}
_LIMITS = (
    "The lessons and the tests are English, and mostly short sentences.",
    "Lessons, and the figures on people's own text, are made by rewriting sentences. Opposites that people write are "
    "less regular: expect less on them.",
    "A repair costs something elsewhere: rows that say “worse” are what was seen of it. What is not in the table was "
    "not looked at, such as long documents, other languages, code, or search by keywords.",
    "A cosine means something else than before. Thresholds that were set on the original's must be set anew.",
    "The original's licence, and what its makers say about its use, hold for this one too.",
)


def model_card(outcome: Outcome) -> str:
    """README.md of a repaired model, with the header that model hubs read; it names no folder of this machine."""
    base = base_name(outcome.base)
    version = outcome.versions.get("litotes", "")
    parts = [
        _header(outcome),
        f"# {base}, repaired to mind negation",
        f"{_WHAT[outcome.method]} Made by Litotes {version} from `{base}`.",
        _use(outcome.method, base),
        "## Before and after",
        _words_on_changes(outcome.changes),
        changes_table(outcome.changes),
        "## What was kept out of the lessons",
        "Sentences and antonym pairs of what is reported above; of your text the sentences alone. A lesson may be left "
        "out for several of them. The last two columns count what is in the lessons all the same.",
        _leakage_table(outcome.leakage),
        "## Lessons and settings",
        f"{sum(outcome.lessons.values()):,} lessons were made, by rewriting plain text or from labelled pairs; "
        f"{outcome.watched:,} more, of antonym pairs or sentences that are in no lesson, told when to stop. What is "
        f"kept was reached after {outcome.steps:,} steps.",
        _two_columns("lessons", "count", {kind: f"{count:,}" for kind, count in outcome.lessons.items()}),
        _two_columns("setting", "value", outcome.settings),
        _two_columns("made with", "version", outcome.versions),
        f"sha256 of the weights: `{outcome.sha256}`",
        "## Limits",
        "\n".join(f"- {one}" for one in _LIMITS),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_outcome(outcome: Outcome) -> Path:
    """outcome.json in the folder: all of the outcome but for where on this machine it lies."""
    told = outcome.to_dict()
    del told["folder"]
    path = outcome.folder / OUTCOME
    write_atomic(path, to_json({**told, "base": base_name(outcome.base)}, indent=2) + "\n")
    return path


def read_outcome(folder: Path) -> Outcome:
    """What `write_outcome` wrote into a folder."""
    path = folder / OUTCOME
    told = read_json(path)
    try:
        changes = tuple(Change(**{**one, "ci": _pair(one["ci"])}) for one in told.pop("changes"))
        leakage = tuple(Leakage(**one) for one in told.pop("leakage"))
        return Outcome(folder=folder, changes=changes, leakage=leakage, **told)
    except (KeyError, TypeError, ValueError) as error:
        raise LitotesError(
            "L203", f"{path}: is not the outcome of a repair", hint="repair again with --fresh"
        ) from error


def base_name(name: str) -> str:
    """The name of the original without the way to its folder.

    >>> base_name("/home/ann/models/minilm"), base_name("organisation/minilm"), base_name("glove:6b-50d")
    ('minilm', 'organisation/minilm', 'glove:6b-50d')
    """
    parsed = parse_name(name)
    if not _is_path(parsed.rest):
        return name
    short = PureWindowsPath(parsed.rest).name or "the original"
    return short if parsed.scheme == DEFAULT_SCHEME else f"{parsed.scheme}:{short}"


def shown(figure: float) -> str:
    """A figure times 100.

    >>> shown(0.01935)
    '1.9'
    """
    return f"{_tenths(figure):.1f}"


def shown_difference(change: Change) -> str:
    """After less before, and its interval.

    >>> shown_difference(Change("STS: Spearman", 1500, 0.867, 0.862, (-0.009, -0.0012), 0.01, "higher"))
    '-0.5 (-0.9 to -0.1)'
    """
    difference = f"{_tenths(change.after - change.before):+.1f}"
    return difference if change.ci is None else f"{difference} ({shown(change.ci[0])} to {shown(change.ci[1])})"


def _tenths(figure: float) -> float:
    return round(100 * figure, 1) + 0.0  # there is no -0


def verdict(change: Change) -> str:
    """“better” or “worse” where the paired test finds a difference, else nothing.

    >>> verdict(Change("your text: blindness", 900, 0.9, 0.2, (-0.73, -0.66), 0.0001, "lower"))
    'better'
    """
    if not change.better or change.p is None or change.p >= 0.05 or change.after == change.before:
        return ""
    return "better" if (change.after > change.before) == (change.better == "higher") else "worse"


def changes_table(changes: Iterable[Change]) -> str:
    """Before and after, in Markdown."""
    rows = [
        [
            one.what + (" (less is better)" if one.better == "lower" else ""),
            f"{one.items:,}",
            shown(one.before),
            shown(one.after),
            shown_difference(one),
            _shown_p(one.p),
            verdict(one),
        ]
        for one in changes
    ]
    heads = ["figure", "items", "before", "after", "difference (95 % interval)", "p", ""]
    return _markdown(heads, rows) if rows else ""


def _words_on_changes(changes: Sequence[Change]) -> str:
    if not changes:
        return "Nothing was compared."
    told = (
        "All figures are times 100. The difference is after less before, on the same items; its interval is by "
        "drawing antonym pairs (or sentences, or pairs of sentences) again, p by a paired test, not corrected for the "
        "number of rows. Where p is below 0.05 the last column says which way it went; similarities are neither better "
        "nor worse by themselves: opposites should lie below synonyms."
    )
    if any(one.what.startswith("your text") for one in changes):
        told += (
            " Your text means sentences of the text that the lessons were made from, but sentences of which no lesson "
            "was made; their antonym pairs may be in the lessons. Blindness is how often an opposite lies at least as "
            "close to a sentence as a paraphrase does. These sentences and their opposites are what is searched."
        )
    return told


def _header(outcome: Outcome) -> str:
    """What model hubs read."""
    training = outcome.method == "training"
    tags = ["sentence-similarity", "feature-extraction", "negation", "litotes"]
    lines = [
        f"library_name: {'sentence-transformers' if training else 'litotes'}",
        "pipeline_tag: sentence-similarity",
        f"tags: [{', '.join(['sentence-transformers', *tags] if training else tags)}]",
        "language: [en]",
    ]
    if repository := _repository(outcome.base):
        lines.append(f"base_model: {repository}")
    return "\n".join(["---", *lines, "---"])


def _use(method: str, base: str) -> str:
    names = "FOLDER is where this page lies."
    if method == "adapter":
        names += f" `litotes run adapter:FOLDER` tests it on top of `{base}`."
    return f"```python\n{_USE[method]}\n```\n\n{names}"


def _repository(name: str) -> str:
    """The original's id on the hub, if its name tells it."""
    parsed = parse_name(name)
    if parsed.scheme not in {DEFAULT_SCHEME, "hf"} or _is_path(parsed.rest):
        return ""
    if parsed.rest == DEFAULT_MODEL:
        return f"sentence-transformers/{DEFAULT_MODEL}"
    known = known_model(parsed.rest)
    repository = known.repository if known is not None else parsed.rest
    return repository if repository is not None and _HUB_ID.fullmatch(repository) else ""


def _is_path(rest: str) -> bool:
    # A server's model may be called as it likes: only what begins like a path, or is a folder, is one.
    return rest.startswith((".", "/", "~", "\\")) or bool(PureWindowsPath(rest).drive) or is_folder(expand_user(rest))


def _leakage_table(leakage: Sequence[Leakage]) -> str:
    if not leakage:
        return "Nothing is reported, so nothing was kept out."
    heads = [
        "reported",
        "sentences",
        "antonym pairs",
        "lessons left out for a sentence",
        "lessons left out for a pair",
        "sentences shared",
        "pairs shared",
    ]
    rows = [
        [
            one.where,
            *(
                f"{count:,}"
                for count in (
                    one.sentences,
                    one.pairs,
                    one.kept_out_for_sentences,
                    one.kept_out_for_pairs,
                    one.shared_sentences,
                    one.shared_pairs,
                )
            ),
        ]
        for one in leakage
    ]
    return _markdown(heads, rows)


def _two_columns(left: str, right: str, values: Mapping[str, Any]) -> str:
    return _markdown([left, right], [[name.replace("_", " "), str(value)] for name, value in values.items()])


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _shown_p(p: float | None) -> str:
    return "" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _pair(ends: Sequence[float] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    return low, high
