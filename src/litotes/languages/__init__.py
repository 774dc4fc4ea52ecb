"""What the rest of the package needs to know about a language."""
