"""`python -m litotes`."""

from litotes.cli.main import main

main()
