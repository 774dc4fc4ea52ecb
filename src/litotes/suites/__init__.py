"""What is asked: suites, their kinds, their files."""
