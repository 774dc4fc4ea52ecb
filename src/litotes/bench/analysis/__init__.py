"""What lies behind the figures: which items are missed, by whom, and what they have in common."""
