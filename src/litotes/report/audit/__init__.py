"""The page of an audit: what was found, drawn and in words, in one file that works from disk."""
