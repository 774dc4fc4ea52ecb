"""Asking: plan, encode, compare, judge, count, keep."""
