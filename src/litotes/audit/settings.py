"""What is asked of an audit, and of which model: what is wrong with it is told before anything heavy is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litotes.audit.corpus import Corpus
from litotes.audit.mining import MOST, THRESHOLD
from litotes.audit.neighbours import NEIGHBOURS, Method
from litotes.core.errors import UsageError

if TYPE_CHECKING:
    from litotes.models.access import Access
    from litotes.models.base import Encoder

BUDGET, MOST_LOST = 0.05, 0.1
LIMIT = 100_000
"""Sentences that are rewritten: more of them narrow no interval that matters, and take time."""
QUERIES = 5_000

_NO_VECTORS = ("nli", "cross", "chat", "lm", "overlap")
"""Schemes whose models compare two texts and have no vector of one."""


@dataclass(frozen=True)
class Plan:
    """All that what an audit finds depends on, but for the model's weights."""

    model: str
    corpus: Corpus
    threshold: float | None = None
    budget: float = BUDGET
    most_lost: float = MOST_LOST
    limit: int | None = LIMIT
    queries: int = QUERIES
    mining: bool = True
    mine_threshold: float = THRESHOLD
    neighbours: int = NEIGHBOURS
    most_pairs: int | None = MOST
    method: Method | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name, share in (("budget", self.budget), ("most_lost", self.most_lost)):
            if not 0 <= share <= 1:
                raise UsageError("L102", f"{name}={share:g}: a share from 0 to 1 is needed", hint="0.05 is 5 %")
        if self.threshold is not None and not -1 <= self.threshold <= 1:
            raise UsageError("L102", f"threshold={self.threshold:g}: a similarity from -1 to 1 is needed")
        if not 0 < self.mine_threshold <= 1:
            raise UsageError(
                "L102", f"mine_threshold={self.mine_threshold:g}: a similarity above 0, up to 1, is needed"
            )
        for name in ("limit", "queries", "neighbours", "most_pairs"):
            count = getattr(self, name)
            if count is not None and count < 1:
                raise UsageError("L102", f"{name}={count}: at least 1 is needed")
        if not 0 <= self.seed < 2**32:
            raise UsageError("L102", f"seed={self.seed}: must be from 0 to {2**32 - 1}")
        if self.method not in {None, "exact", "approximate"}:
            raise UsageError("L102", f"method={self.method}: exact or approximate is needed")

    def settings(self) -> dict[str, Any]:
        """As the result keeps them."""
        mining = {
            "threshold": self.mine_threshold,
            "neighbours": self.neighbours,
            "most_pairs": self.most_pairs,
            "method": self.method,
        }
        return {
            "model": self.model,
            "columns": list(self.corpus.columns),
            "split": self.corpus.split,
            "threshold": self.threshold,
            "budget": self.budget,
            "most_lost": self.most_lost,
            "limit": self.limit,
            "queries": self.queries,
            "mining": mining if self.mining else None,
            "seed": self.seed,
        }


def name_of(model: str | Encoder) -> str:
    """The name by which a model is asked for; raises if it is one without vectors, where the name tells."""
    if not isinstance(model, str):
        name = getattr(model, "name", None)
        if not isinstance(name, str):
            raise UsageError("L102", f"a {type(model).__name__} is no model", hint="give a name, or a litotes.Encoder")
        return name
    from litotes.models.loading import check_name

    if check_name(model).scheme in _NO_VECTORS:
        raise _no_vectors(model)
    return model


def load_encoder(model: str | Encoder, access: Access | None = None) -> Encoder:
    """The model, which must be one that gives vectors."""
    name = name_of(model)
    from litotes.models.base import Encoder
    from litotes.models.loading import load_model

    scorer = load_model(model, **({} if access is None else access.to_dict())) if isinstance(model, str) else model
    if not isinstance(scorer, Encoder):
        raise _no_vectors(name)
    return scorer


def _no_vectors(model: str) -> UsageError:
    message = f"{model}: compares two texts and gives no vector of one, which is needed here"
    return UsageError("L102", message, hint="take a sentence encoder; litotes run tests the others")
