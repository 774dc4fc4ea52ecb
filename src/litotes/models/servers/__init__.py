"""Models behind an HTTP server."""
