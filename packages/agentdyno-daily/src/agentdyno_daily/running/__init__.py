"""A session that is running: what it came to, its budget, its own questions."""
