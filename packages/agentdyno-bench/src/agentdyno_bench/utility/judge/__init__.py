"""The utility judge: a call and the state around it in, `positive` or `non_positive` out.

state      what stood before the call and what it brought      judges.utility.state
prompt     rubric, quoted evidence within a budget             judges.utility.prompt, budget
"""

from agentdyno_bench.utility.judge.state import CallState, state_of
from agentdyno_bench.utility.judge.utility_prompt import build_prompt

__all__ = ["CallState", "build_prompt", "state_of"]
