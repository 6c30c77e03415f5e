"""Judges' verdicts on calls and trajectories."""
