"""The ledger table of rollouts: what continuations from before and after a call came to."""

from agentdyno.records.columns import Column

ROLLOUTS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn of the call."),
    Column("call", "whole", "The call within that turn."),
    Column("before_solved", "whole", "Continuations from before the call that solved the task."),
    Column("after_solved", "whole", "Continuations from after the call that solved the task."),
    Column("both_solved", "whole", "Seeds with which both solved it."),
    Column("continuations", "whole", "Continuations on each side."),
    Column("delta", "number", "Difference of the success rates."),
    Column("low", "number", "Lower end of its interval."),
    Column("high", "number", "Upper end of its interval."),
    Column("label", "text", "`positive`, `non_positive`, or null when nothing was settled."),
    Column("settled", "truth", "Whether the sign was settled."),
)
"""A row per call that was estimated by rollouts."""
