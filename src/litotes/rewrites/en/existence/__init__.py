"""Support for existential sentences."""
