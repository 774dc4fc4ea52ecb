"""Which number of a classifier is which label of NLI: its own config says so, or else the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from litotes.core.errors import LitotesError, UsageError
from litotes.corpora.nli import LABELS
from litotes.scorers.names import shorten

_FORMS = {
    "entailment": ("entailment", "entail", "entails", "entailed"),
    "neutral": ("neutral",),
    "contradiction": ("contradiction", "contradict", "contradicts", "contradicted", "contradictory"),
}
_KNOWN = {form: label for label, forms in _FORMS.items() for form in forms}
_TWO = 2


def label_order(config: Any, given: str | None, where: object) -> tuple[str, ...]:
    """The labels in the order of the model's numbers; what is given outweighs what the config says."""
    names = _own_names(config)
    if len(names) != len(LABELS):
        raise _no_nli(names, where)
    if given is not None:
        return _given_order(given)
    order = tuple(_label_of(name) for name in names)
    if set(order) != set(LABELS):
        raise LitotesError(
            "L310",
            f"{where}: its config does not say which label is which ({', '.join(shorten(name, 30) for name in names)})",
            hint="say it in the order of its outputs: nli:MODEL?labels=contradiction,entailment,neutral",
        )
    return order


def _own_names(config: Any) -> list[str]:
    """What the config calls the outputs, in their order."""
    names: Mapping[Any, Any] = getattr(config, "id2label", None) or {}
    return [str(names[key]) for key in sorted(names, key=int)]


def _label_of(name: str) -> str:
    """The label that a name means; "" where that is not clear.

    >>> _label_of("ENTAILMENT"), _label_of("contradictory"), _label_of("LABEL_0"), _label_of("not_entailment")
    ('entailment', 'contradiction', '', '')
    """
    return _KNOWN.get(name.strip().lower(), "")


def _given_order(given: str) -> tuple[str, ...]:
    """The order that a user gives.

    >>> _given_order("contradiction, Entailment, neutral")
    ('contradiction', 'entailment', 'neutral')
    """
    order = tuple(_label_of(name) for name in given.split(","))
    if sorted(order) != sorted(LABELS):
        raise UsageError(
            "L102",
            f"labels={shorten(given)}: the three labels are needed, each once",
            hint=f"labels={','.join(LABELS)}, in the order of the model's outputs",
        )
    return order


def _no_nli(names: Sequence[str], where: object) -> LitotesError:
    hint = "nli: needs a model that tells entailment, neutral and contradiction apart"
    if len(names) == 1:
        return LitotesError("L310", f"{where}: gives one number a pair (how alike, how relevant), no labels", hint=hint)
    shown = ", ".join(shorten(name, 30) for name in names) if len(names) == _TWO else ""
    return LitotesError(
        "L310", f"{where}: tells {len(names)} labels apart{f' ({shown})' if shown else ''}, NLI has three", hint=hint
    )
