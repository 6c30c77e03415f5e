"""What could be changed, and what it would save: one file for each sort."""
