"""Open-weights models, opened: from a model and a text to a recorded depth profile."""
