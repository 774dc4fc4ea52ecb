"""Grammar shared by several rules."""
