"""Grammar of voice: turn active clauses into passive ones and back."""
