"""The agent: the model, its tools, and a number of turns. Nothing else shapes the trajectory.

On its last turn the model is still shown the tools but may not call them, so that a trajectory
ends with an answer and the prompt is the same as before.
"""

from typing import Literal

from inspect_ai.model import execute_tools, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

TURNS = 16
"""Model calls in one trajectory at most."""


@solver
def reason_with_tools(turns: int = TURNS) -> Solver:
    """Calls the model until it calls no tool."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        for turn in range(turns):
            choice: Literal["none", "auto"] = "none" if turn == turns - 1 else "auto"
            state.output = await model.generate(
                state.messages, tools=state.tools, tool_choice=choice if state.tools else None
            )
            state.messages.append(state.output.message)
            if not state.output.message.tool_calls or choice == "none":
                break
            results, _ = await execute_tools(state.messages, state.tools)
            state.messages.extend(results)
        state.completed = True
        return state

    return solve
