"""mini-SWE-agent: trajectories (.traj.json)."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.97 for a trajectory that says what it is."""
    if not head.keys >= {"info", "messages"}:
        return 0.0
    is_named = b'"mini-swe-agent' in head.data or b'"mini_version"' in head.data
    return 0.97 if is_named or head.path.name.endswith(".traj.json") else 0.0


FORMAT = Format(
    name="mini_swe_agent",
    title="mini-SWE-agent trajectories (versions 1 and 2), with a SWE-bench report's outcome",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.mini_swe_agent.read"),
    description=(
        "Read: tokens per response with cache reads and reasoning, costs, response ids, commands "
        "with results, exit codes and times, times of responses (version 2), whether a SWE-bench "
        "report in its folder or the two above names the task as solved. Missing: the schema of "
        "the shell tool (hidden prompt); times in version 1."
    ),
)
