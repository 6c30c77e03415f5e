"""Side effects in order."""
