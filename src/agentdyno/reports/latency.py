"""What every form of a report says about latencies that it does not believe."""

from agentdyno.records import counted
from agentdyno.studies.cost.results import Latency


def left_out(found: Latency) -> str:
    """A sentence; empty when all were taken in."""
    if not found.left_out:
        return ""
    was = "was" if found.left_out == 1 else "were"
    return (
        f"{counted(found.left_out, 'turn')} {was} left out: the runner was too busy for the time "
        "to be the model's alone."
    )
