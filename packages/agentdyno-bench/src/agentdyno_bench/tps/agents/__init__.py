"""Scripted agents with known ways: what every measure must give for them follows from the graph."""
