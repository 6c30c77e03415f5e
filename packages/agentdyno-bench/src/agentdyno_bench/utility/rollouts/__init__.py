"""What continuations from before and after a call say about it."""
