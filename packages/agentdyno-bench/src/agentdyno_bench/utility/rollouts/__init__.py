"""Estimates calls from continuations before and after them."""
