"""The utility judge: a call and the state around it in, `positive` or `non_positive` out.

state      what stood before the call and what it brought      judges.utility.state
prompt     rubric, quoted evidence within a budget             judges.utility.prompt, budget
parsing    whatever the model answers -> a label or a reason   judges.utility.parsing
"""

from agentdyno.judges.utility.parsing import Parsed, parse_answer
from agentdyno.judges.utility.prompt import Framing, Prompt, build_prompt
from agentdyno.judges.utility.state import CallState, state_of

__all__ = [
    "CallState",
    "Framing",
    "Parsed",
    "Prompt",
    "build_prompt",
    "parse_answer",
    "state_of",
]
