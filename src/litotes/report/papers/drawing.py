"""How figures are drawn: as wide as a paper's column, in colours that grey keeps apart, the same bytes each time."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from litotes.core.errors import missing_package, one_line
from litotes.core.versions import installed_version
from litotes.report.html_words import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN = 3.35
"""Inches: the width of one column of a page in two."""
FIGURE_KINDS = ("svg", "png", "pdf")
DARK, MIDDLE, LIGHT, INK = "#08519c", "#6baed6", "#deebf7", "#1c2126"
"""Blues as far apart in grey as in colour."""
ACCENT = "#d55e00"
_DOTS_PER_INCH = 300
_NO_DATES: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
}
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "litotes",
    "pdf.fonttype": 42,  # publishers refuse the other kind of font
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters on every machine
    "font.size": 7,
    "axes.titlesize": 8,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "text.parse_math": False,  # a dollar in a model's name is a dollar
}


def check_drawing() -> None:
    """Raise if nothing can be drawn here: told before the work, not after."""
    if installed_version("matplotlib") is None:
        raise missing_package("matplotlib", "report")


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """The settings of all figures, whatever the user's own are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def rendered(figure: Figure, kind: str) -> bytes:
    """The figure as SVG, PNG or PDF, without the time at which it was made."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a letter that the font lacks in a model's name is drawn as a box
        figure.savefig(out, format=kind, dpi=_DOTS_PER_INCH, metadata=_NO_DATES[kind])
    return out.getvalue()


def new_figure(height: float) -> tuple[Figure, Axes]:
    """An empty figure as wide as a column."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(COLUMN, height), layout="constrained")
    return figure, figure.subplots()


def shortened(name: str, letters: int) -> str:
    """A name without its options, its end kept: it says more than the beginning.

    >>> shortened("sentence-transformers/all-MiniLM-L6-v2", 20)
    '…rs/all-MiniLM-L6-v2'
    """
    bare = one_line(clean(name.partition("?")[0]))
    return bare if len(bare) <= letters else "…" + bare[len(bare) - letters + 1 :]
