"""Attempts at our own planning tasks."""
