"""Judges by Inspect's providers."""
