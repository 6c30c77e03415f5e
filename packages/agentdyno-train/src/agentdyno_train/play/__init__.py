"""Attempts played without Inspect, many at once: what a GPU does for a dyno sheet.

    games       a benchmark's task as a chat that a model answers turn by turn
    places      which games a sheet asks of each agent; `dealing` makes them
    table       many games at once on one torch model
    plays       what is kept of them, as JSON lines
    depths      how deep the model thought in each turn
    stages      greedy attempts, samples, continuations from every call, timed attempts
    played_parts    what a folder of plays has whole, and how to play the rest

Importing this package imports no Inspect, no polars and no scipy.
"""
