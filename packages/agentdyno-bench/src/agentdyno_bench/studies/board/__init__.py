"""The board: published runs by benchmark, model and harness."""
