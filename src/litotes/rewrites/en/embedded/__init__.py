"""Support for the embedded clause rule."""
