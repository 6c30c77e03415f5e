"""Does a tool pay? The same tasks with it and without it, and a verdict."""
