"""SWE-agent: trajectories (.traj)."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for a trajectory with its history."""
    if head.is_list or "trajectory" not in head.keys:
        return 0.0
    if head.keys >= {"trajectory", "history", "info"}:
        return 0.95
    return 0.9 if b'"action"' in head.data and b'"observation"' in head.data else 0.0


FORMAT = Format(
    name="swe_agent",
    title="SWE-agent trajectories (.traj), with the outcome of a SWE-bench report beside them",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.swe_agent.read"),
    description=(
        "Read: messages, commands as calls with results and times, what the run cost, whether a "
        "SWE-bench report in its folder or the two above names the task as solved. Missing: tokens "
        "of single responses: the run's totals are shared out over them by length (scaled), and "
        "counted from the texts where there are none; tool schemas; response ids; when "
        "responses began."
    ),
)
