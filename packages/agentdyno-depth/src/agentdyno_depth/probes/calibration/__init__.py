"""Measures how long a serving engine takes to prefill, to decode a step and to read its cache.

Takes an engine that generates a given number of tokens for given token ids; returns rows of
seconds. What the rows mean for a cost is worked out in `metrics.cost.calibration`.
"""
