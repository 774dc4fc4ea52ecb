"""Foundations of all other packages: errors, files, settings, paths, HTTP, locks, parallel map, progress."""
