"""Toolathlon: traj_log.json of a run, and the runs of its website."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.97 for a run's own log, 0.9 for what the website publishes."""
    if head.is_list:
        return 0.0
    config = head.keys >= {"config", "messages"} or head.keys >= {"config", "tool_calls"}
    if config and b'"needed_mcp_servers"' in head.data:
        return 0.97
    return 0.9 if head.keys >= {"pass", "messages"} else 0.0


FORMAT = Format(
    name="toolathlon",
    title="Toolathlon runs (traj_log.json, with eval_res.json beside it)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.toolathlon.read"),
    version=2,
    description=(
        "Read: messages, calls, results, the schemas of all tools, the system prompt, what the run "
        "cost, whether it passed (eval_res.json beside it). Missing: tokens of single responses: "
        "the run's totals are shared out over them by length (scaled), and counted from the texts "
        "where there are none; times; response ids."
    ),
)
