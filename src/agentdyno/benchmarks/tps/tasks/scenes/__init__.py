"""What people ask for, each a function that adds subtasks and a sentence to a draft."""

from agentdyno.benchmarks.tps.tasks.scenes.chains import CHAINS
from agentdyno.benchmarks.tps.tasks.scenes.closing import CLOSINGS
from agentdyno.benchmarks.tps.tasks.scenes.small import SMALL

__all__ = ["CHAINS", "CLOSINGS", "SMALL"]
