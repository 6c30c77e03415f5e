"""Comparisons of the PTE paper."""
