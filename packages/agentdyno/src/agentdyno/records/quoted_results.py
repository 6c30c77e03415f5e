"""The table `quotes`: how far into long results the agent later quotes."""

from agentdyno.records.columns import Column

QUOTES: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn that made the call."),
    Column("call", "whole", "Its place among the calls of that turn, from 0."),
    Column("quoted", "number", "Share of the result up to its last place that is quoted later."),
    Column("last_turn", "whole", "The last turn that quotes it; null where none does."),
    Column("repeated", "number", "Share of its lines that were in context, and unchanged."),
)
"""A row per result of at least 300 tokens."""
