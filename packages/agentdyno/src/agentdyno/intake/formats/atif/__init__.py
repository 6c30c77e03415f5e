"""ATIF: the trajectory files of Harbor and of agents that write its format (v1.0 to v1.7)."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.atif.detect import detect

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
