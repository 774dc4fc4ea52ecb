"""What the papers printed, as data: a CSV file a table or figure, and where each comes from."""
