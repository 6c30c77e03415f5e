"""What every form of a report says about time: what to watch, and latencies it does not believe."""

from agentdyno.records import counted
from agentdyno.studies.cost.results import Latency

WHAT_TO_WATCH = (
    "What to watch depends on the question. How long a user waits under load follows the tokens "
    "that the agent decodes: everybody in a batch waits for the same steps. What the work takes "
    "from the machine, and so how many agents it carries, follows GPU-seconds: prefill, decoding "
    "steps and reading of the cache. Measured with vLLM on one H200 (51 workloads, three shapes, 1 "
    "to 128 at once): predicted makespans of held-out workloads were off by 4.9 % on average, PTE "
    "with growth by 51 % and the best fitted price by 45 %; the wall time of single trajectories "
    "correlated with output tokens at r = 0.73 to 0.99 inside a workload, and with the replayed "
    "schedule at 0.99 or more."
)
"""By hand, with its evidence: bench/serving_study.py."""


def left_out(found: Latency) -> str:
    """A sentence; empty when all were taken in."""
    if not found.left_out:
        return ""
    was = "was" if found.left_out == 1 else "were"
    return (
        f"{counted(found.left_out, 'turn')} {was} left out: the runner was too busy for the time "
        "to be the model's alone."
    )
