"""The seven categories of negation that children acquire one after the other, found in parsed sentences."""
