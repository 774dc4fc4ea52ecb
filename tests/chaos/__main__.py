"""Run a campaign: python -m tests.chaos --minutes 30."""

from tests.chaos.campaign import main

if __name__ == "__main__":
    raise SystemExit(main())
