"""Support for the active and passive rules."""
