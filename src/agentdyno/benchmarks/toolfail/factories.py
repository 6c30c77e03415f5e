"""Where the factories of scored and lean tasks are: they need the rules, which live upstairs.

Names only, as recipes and settings files hold them.
"""

SCORED = "agentdyno.pipelines.bench.toolfail_scoring:scored_task"
"""The task with its mark."""
LEAN = "agentdyno.pipelines.bench.toolfail_lean:lean_toolfail_task"
"""The same with fewer tools."""
