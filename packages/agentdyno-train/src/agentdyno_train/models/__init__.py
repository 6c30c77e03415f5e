"""The embedded models, for Inspect."""
