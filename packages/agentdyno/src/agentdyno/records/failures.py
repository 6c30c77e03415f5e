"""The ledger table of failures: which label a trajectory or a call got, and who says so."""

from typing import Literal, get_args

from agentdyno.records.columns import Column

Check = Literal["phantom_call", "unused_call"]
"""Checks that need no ground truth."""
CHECKS: tuple[Check, ...] = get_args(Check)
DOUBTFUL, CLEAR = "doubtful", "clear"
"""Results of a check."""

FAILURES: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn of the call; null when the label is the trajectory's own."),
    Column("call", "whole", "The call within that turn; null when the label is the trajectory's."),
    Column("task_id", "text", "The task of the suite."),
    Column("domain", "text", "The field of the task; null where no truth is known."),
    Column("kind", "text", "`required` or `control`; null where no truth is known."),
    Column("trap", "text", "What a task of several turns tests; null for one turn."),
    Column("label", "text", "What became of the tool-use loop; `doubtful` or `clear` by a check; "
           "null when the rater could not say."),
    Column("rule", "text", "Who says so: `submitted`, `paper`, `ensemble`, a judge's name, or a "
           "check: `phantom_call`, `unused_call`."),
    Column("evidence", "text", "What decided, at most 300 characters."),
    Column("phantom", "truth", "A call was written or claimed and not executed."),
    Column("broken", "truth", "The answer is raw tokens or endless repetition."),
    Column("unclear", "text", "Why a rater gives no label; null where it gives one."),
    Column("pte", "number", "The call's share of `pte`, or the trajectory's where call is null."),
)  # fmt: skip
"""A row per trajectory and rule (turn and call null) and one per executed call of it; a check has
rows only for calls that it doubts. Of two rows for one place and rule, the later one counts."""
