"""Tables and pages as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from urllib.parse import quote, urlencode

from jinja2 import Environment
from markupsafe import Markup

from litotes.report.formats import (
    CORRELATION,
    MISSING,
    PERCENT,
    SIMILARITY,
    counted,
    display_name,
    format_date,
    format_setting,
)
from litotes.report.table import Table
from litotes.web.pages import clean, template_environment

PACKAGE = "litotes.report"


@cache
def environment() -> Environment:
    """Return the environment of the report's templates."""
    templates = template_environment(PACKAGE)
    templates.filters |= {
        "bar_length": lambda share: f"{min(max(share, 0.0), 1.0) * 100:.4g}",
        "correlation": CORRELATION.page,
        "correlation_interval": CORRELATION.page_interval,
        "counted": counted,
        "date": format_date,
        "display_name": display_name,
        "percent": PERCENT.page,
        "percent_interval": PERCENT.page_interval,
        "setting": format_setting,
        "similarity": SIMILARITY.page,
    }
    templates.globals |= {"MISSING": MISSING, "as_html": as_html, "view_href": view_href}
    return templates


def as_html(table: Table, classes: str = "", *, caption: str = "", is_tall: bool = False) -> Markup:
    """Return the table in a box that scrolls; a script makes tables of the class `sortable` sortable."""
    html = (
        environment()
        .get_template("table.html")
        .render(table=table, classes=classes, caption=caption or table.caption, is_tall=is_tall)
    )
    return Markup(html)  # noqa: S704 (escaped by the template)


def view_href(state: Mapping[str, str]) -> str:
    """Return the target of a link to a view of the page, with what is selected in it.

    >>> view_href({"view": "errors", "with frequency": "rare"})
    '#view=errors&with%20frequency=rare'
    """
    return "#" + urlencode({key: clean(value) for key, value in state.items()}, quote_via=quote)
