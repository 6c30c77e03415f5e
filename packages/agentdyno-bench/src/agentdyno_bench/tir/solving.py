"""The agent: the model, its tools, and how long it may go on. Nothing else shapes the trajectory.

On its last turn the model is still shown the tools but may not call them, so that a trajectory
ends with an answer and the prompt is the same as before. The last turn is that of a given number,
or the one after so many tokens were written: with 1,024 tokens and calls of at most 512, a model
that never ends writes 512, 512 and, without tools, 512 more.
"""

from typing import Literal

from inspect_ai.model import ModelOutput, execute_tools, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

TURNS = 16
"""Model calls in one trajectory at most."""


@solver
def reason_with_tools(turns: int = TURNS, tokens: int | None = None) -> Solver:
    """Calls the model until it calls no tool; once it wrote `tokens`, only once more."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model, written = get_model(), 0
        for turn in range(turns):
            last = turn == turns - 1 or (tokens is not None and written >= tokens)
            choice: Literal["none", "auto"] = "none" if last else "auto"
            state.output = await model.generate(
                state.messages, tools=state.tools, tool_choice=choice if state.tools else None
            )
            written += _count_written(state.output)
            state.messages.append(state.output.message)
            if not state.output.message.tool_calls or last:
                break
            results, _ = await execute_tools(state.messages, state.tools)
            state.messages.extend(results)
        state.completed = True
        return state

    return solve


def _count_written(output: ModelOutput) -> int:
    """Tokens of an answer; where the provider does not say, only the number of turns limits."""
    return output.usage.output_tokens if output.usage else 0
