"""Who is asked: everything that turns sentence pairs into numbers."""
