"""Fine-tune an encoder so that it distinguishes opposites."""
