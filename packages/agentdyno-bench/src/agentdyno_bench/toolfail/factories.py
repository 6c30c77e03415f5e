"""Where the factories of scored and lean tasks are: they need the rules, which live upstairs.

Names only, as recipes and settings files hold them.
"""

SCORED = "agentdyno_bench.pipelines.toolfail_scoring:make_scored_task"
"""The task with its mark."""
LEAN = "agentdyno_bench.pipelines.toolfail_lean:lean_toolfail_task"
"""The same with fewer tools."""
