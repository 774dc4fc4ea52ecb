"""Options that several commands have, said once: what models may do, and how the answer is printed."""

from __future__ import annotations

from typing import Annotated

import typer

Offline = Annotated[bool, typer.Option("--offline", help="Never touch the network.")]
AllowPickle = Annotated[bool, typer.Option("--allow-pickle", help="Read models that have nothing but pickled weights.")]
TrustRemoteCode = Annotated[bool, typer.Option("--trust-remote-code", help="Run the code that a model brings along.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
