"""ATIF: the trajectory files of Harbor and of agents that write its format (v1.0 to v1.7)."""

from agentdyno.intake.format import Format
from agentdyno.intake.formats.atif.detect import detect
from agentdyno.intake.formats.atif.read import read

FORMAT = Format(
    name="atif",
    title="ATIF trajectories of Harbor (trajectory.json, v1.0 to v1.7)",
    detect=detect,
    read=read,
)
