"""How hard a model thought: layer by layer, over many samples, and how fast its machine is."""
