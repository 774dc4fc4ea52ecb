"""Arguments: who does what to whom, and whether the two can change places."""
