"""Schedules: how parallel a trajectory was, what depended on what, and what waiting cost.

graph        levels, critical path and bounds of a graph of work
known        a schedule against a known graph
inference    dependencies read off the values of a trajectory
parallelism  calls per turn, overlap in time
missed       independent calls made one after the other
table        all of it as ledger rows
"""

from agentdyno.metrics.scheduling.inference import infer_edges
from agentdyno.metrics.scheduling.known import measure_schedule
from agentdyno.metrics.scheduling.missed import missed_parallelism
from agentdyno.metrics.scheduling.parallelism import measure_parallelism

__all__ = ["infer_edges", "measure_parallelism", "measure_schedule", "missed_parallelism"]
