"""Support for the rules that replace one word."""
