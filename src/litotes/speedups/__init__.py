"""Code that trades clarity for at least 20 % of the time of a whole command; LITOTES_SPEEDUPS=0 disables all of it."""
