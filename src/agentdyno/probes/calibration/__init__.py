"""Measures how long a serving engine takes: its prefill, its decoding step, its reading of the cache.

Takes an engine that generates a given number of tokens for given token ids; returns rows of seconds.
What the rows mean for a cost is worked out in `metrics.cost.calibration`.
"""
