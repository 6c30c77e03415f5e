"""Renders what pipelines computed; does no arithmetic of its own."""
