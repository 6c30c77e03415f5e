"""Schedules: how parallel a trajectory was, what depended on what, and what waiting cost.

inference    dependencies read off values
parallelism  calls per turn, overlap in time
missed       turns that could have been one on a known graph, and what they cost
table        all of it as ledger rows
"""
