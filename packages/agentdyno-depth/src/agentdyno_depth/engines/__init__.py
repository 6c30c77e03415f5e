"""Torch models, their chat templates and their tokens."""
