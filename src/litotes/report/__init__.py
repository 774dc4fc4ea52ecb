"""What people read of a run: the HTML report."""
