"""Schedules: how parallel a trajectory was, what depended on what, and what waiting cost.

inference    dependencies read off values and off what calls touch
parallelism  calls per turn, overlap in time
joining      which turns could have been one
missed       independent calls made one after the other, and what that cost
table        all of it as ledger rows
"""
