"""Checks of the text and of the parse of English edits."""
