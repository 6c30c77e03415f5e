"""Accuracy and efficiency of a benchmark under smaller tool suites."""
