"""Options of a run over the world. Values only."""

from typing import Any, Literal

from msgspec import Struct

from agentdyno_bench.tps.outcomes.marking import AnswerForm
from agentdyno_bench.tps.pool.suite import PoolSpec
from agentdyno_bench.tps.tasks.values import Level

Selection = Literal["self", "none", "rule"]
Scheduling = Literal["parallel", "sequential"]

MOST_TOOLS = 10
"""As in the paper: more than ten selected tools are cut, where `most_tools` says so."""
ENOUGH_TOOLS = 30
"""Every bundled task can be finished with so many."""
ENOUGH_TURNS = 60
"""Every bundled task can be finished in so many, one call a turn."""


PURPOSE_FAULTS = 0.08
"""Share of calls that fail once for no reason of the agent's in tasks with a purpose."""


def default_pool(level: Level) -> dict[str, Any]:
    """How the servers of a level behave unless somebody says otherwise: with a purpose, services
    take their time and fail now and then; the same call tried again is drawn again."""
    return {"faults": PURPOSE_FAULTS, "latency": "real"} if level == "purpose" else {}


class TpsOptions(Struct, frozen=True):
    """How tasks are put to an agent."""

    selection: Selection = "self"
    """`self`: the model names tools first; `none`: all schemas are sent; `rule`: the tools whose
    names and descriptions match the task best, by BM25."""
    most_tools: int = ENOUGH_TOOLS
    """How many tools may be selected. Under the paper's 10 many hard tasks cannot be finished; the
    ceiling beside every result says how many."""
    scheduling: Scheduling = "parallel"
    """`parallel`: calls of one turn run at the same time; `sequential`: one call a turn."""
    turns: int = ENOUGH_TURNS
    """Model calls at most, the selection not counted."""
    attempt_tokens: int | None = None
    """Once an attempt has so many generated tokens it ends; None leaves it to the turns."""
    retries: int = 2
    """How often a sample is begun again after a server died under it; then it fails."""
    pool: PoolSpec = PoolSpec()
    """The servers that offer the tools."""
    tools: tuple[str, ...] | None = None
    """Tools that there are to select from, by their prefixed names; None for all."""
    judged: bool = False
    """Whether the model role `grader` marks completion and selection too."""
    prompts: dict[str, str] = {}
    """Texts in place of our prompts: `selection`, which may have {tools}, {prompt} and {most}, and
    `scheduling`, behind which stands how to answer."""
    answers: AnswerForm = "submit"
    """`submit`: by a call with typed fields; `prose`: in words, which only a judge reads."""
