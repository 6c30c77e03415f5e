"""The parts of the page, one module for parts that belong together."""
