"""Parallelism that was taken and missed, and attempts at our own planning tasks."""
