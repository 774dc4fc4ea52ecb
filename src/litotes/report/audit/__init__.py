"""The HTML page and the files of an audit."""
