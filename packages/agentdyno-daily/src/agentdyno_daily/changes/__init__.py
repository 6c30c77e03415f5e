"""Changes of settings and files that are applied, and taken back."""
