"""How hard a model thought: what the depth of responses and of turns goes with."""
