"""How the question about a call is put: the order of its parts, and what counts as solved."""

from msgspec import Struct

from agentdyno_bench.shared.judges.evidence_budget import BUDGET_TOKENS

SOLVED = (
    "The task is solved when what the agent delivers in the end meets the task as it was put to "
    "it. Effort, good order or an interesting detour do not count."
)


class Framing(Struct, frozen=True):
    """How the question is put."""

    name: str = "utility"
    swapped: bool = False
    """Labels and evidence in the other order."""
    solved: str = SOLVED
    """When a task of this domain counts as solved."""
    budget_tokens: int = BUDGET_TOKENS
    """Most tokens of the state that the judge is shown."""
