"""People judging a suite: verdicts in SQLite, a page to give them on, agreement, and the suite that comes of it."""
