"""Schedules: how parallel a trajectory was, what depended on what, and what waiting cost.

graph        levels, critical path and bounds of a graph of work
known        a schedule against a known graph
inference    dependencies read off values and off what calls touch
parallelism  calls per turn, overlap in time
joining      which turns could have been one
missed       independent calls made one after the other, and what that cost
table        all of it as ledger rows
"""

from agentdyno.findings.scheduling.graph_measures import measure_schedule
from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import find_joins, joinable_turns
from agentdyno.findings.scheduling.missed import find_missed_parallelism
from agentdyno.findings.scheduling.parallelism import measure_parallelism

__all__ = [
    "find_joins",
    "find_missed_parallelism",
    "infer_edges",
    "joinable_turns",
    "measure_parallelism",
    "measure_schedule",
]
