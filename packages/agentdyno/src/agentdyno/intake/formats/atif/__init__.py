"""ATIF: the trajectory files of Harbor and of agents that write its format (v1.0 to v1.7)."""

import re

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_VERSION = re.compile(rb'"schema_version"\s*:\s*"ATIF-v')


def detect(head: Head) -> float:
    """0.95 for a record with steps that names an ATIF version."""
    if "schema_version" not in head.keys or not _VERSION.search(head.data):
        return 0.0
    # Steps may begin beyond what was read, when long tool definitions stand before them.
    return 0.95 if head.keys & {"steps", "agent", "session_id", "trajectory_id"} else 0.0


def one_per_line(head: Head) -> bool:
    """Trajectories as JSON lines, as data sets keep them; Harbor gives each a file."""
    has_steps = any(isinstance(line, dict) and "steps" in line for line in head.lines)
    return not head.is_list and has_steps and b"\n" in head.data.strip()


FORMAT = Format(
    name="atif",
    title="ATIF trajectories of Harbor (trajectory.json, v1.0 to v1.7)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.atif.read"),
    description=(
        "Read: steps, calls, results, tokens with cache reads, costs, times, schemas, sub-agents, "
        "the trial's reward; copied context counts once. Missing: error flags (read from the "
        "text), cache writes, times of tools, response ids; what a converter flattened."
    ),
)
