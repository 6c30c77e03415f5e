"""Where the factories of scored and lean tasks are: they need the rules, which live upstairs.

Names only, as recipes and settings files hold them.
"""

SCORED = "agentdyno_bench.toolfail.scoring:make_scored_task"
"""The task with its mark."""
LEAN = "agentdyno_bench.toolfail.lean_run:lean_toolfail_task"
"""The same with fewer tools."""
