"""Support for the argument swap rule."""
