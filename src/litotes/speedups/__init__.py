"""Code that trades clarity for speed."""
