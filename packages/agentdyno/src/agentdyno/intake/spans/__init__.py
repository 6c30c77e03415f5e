"""Traces that are trees of spans: model calls, tools and agents, with a parent for each.

A format turns its records into `Span`s, with what is known under the names of the GenAI
conventions; what belongs together and what becomes of it is decided here, for all of them.
"""
