"""The Inspect task of a benchmark: questions, prompt, tools, agent and grading put together.

TaskRecipe("agentdyno_bench.pte.tir.task:tir_task", {"benchmark": "math_500"})

On its last turn the model is still shown the tools but may not call them, so that a trajectory
ends with an answer and the prompt is the same as before. The last turn is that of a given number,
or the one after so many tokens were written: with 1,024 tokens and calls of at most 512, a model
that never ends writes 512, 512 and, without tools, 512 more.
"""

from typing import TYPE_CHECKING, Any, Literal

from inspect_ai.model import ModelOutput, execute_tools, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from agentdyno_bench.pte.tir.benchmarks import Benchmark, find_benchmark
from agentdyno_bench.pte.tir.loading import MINI, load_problems, task_name
from agentdyno_bench.pte.tir.problems import Problem, digest
from agentdyno_bench.pte.tir.prompts import system_prompt
from agentdyno_bench.pte.tir.toolset import Toolmaker, Toolset, choose_tools, make_tools

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample

FACTORY = "agentdyno_bench.pte.tir.task:tir_task"
TURNS = 16
"""Model calls in one trajectory at most."""


def tir_task(
    benchmark: str,
    data: str = MINI,
    seed: int = 0,
    turns: int | None = None,
    attempt_tokens: int | None = None,
    tools: list[str] | None = None,
    tool_config: str | None = None,
    unsafe_python: bool = False,
    toolmaker: "str | Toolmaker | None" = None,
    prompts: dict[str, str] | None = None,
) -> "Task":
    """The task; `tools` replaces the benchmark's own set, `toolmaker` what makes them."""
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset
    from inspect_ai.solver import use_tools

    from agentdyno_bench.pte.tir.grading import answer_grader
    from agentdyno_bench.pte.tir.task import TURNS, reason_with_tools

    spec = find_benchmark(benchmark)
    names, prompts = choose_tools(spec, tools), prompts or {}
    system = prompts.get("system") or system_prompt(names)
    problems = load_problems(spec, data, seed)
    name = task_name(spec, data)
    toolset = make_tools(names, tool_config, unsafe_python, toolmaker)
    return Task(
        name=name,
        dataset=MemoryDataset([_sample(p, system) for p in problems], name=name),
        solver=[use_tools(toolset.tools), reason_with_tools(turns or TURNS, attempt_tokens)],
        sandbox=toolset.sandbox,
        scorer=answer_grader(spec.grading, prompts.get("judge")),
        metadata=_about(spec, data, seed, names, problems) | _where(toolset),
    )


def _sample(problem: Problem, system: str) -> "Sample":
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    optional = {"level": problem.level, "answer_type": problem.answer_type}
    return Sample(
        id=problem.id,
        input=[
            ChatMessageSystem(content=system),
            ChatMessageUser(content=problem.question),
        ],
        target=problem.answer,
        metadata={key: value for key, value in optional.items() if value is not None},
    )


def _where(toolset: Toolset) -> dict[str, Any]:
    return {} if toolset.python is None else {"python": toolset.python}


def _about(
    benchmark: Benchmark, data: str, seed: int, tools: list[str], problems: list[Problem]
) -> dict[str, Any]:
    return {
        "benchmark": benchmark.name,
        "data": data,
        "data_digest": digest(problems),
        "seed": seed,
        "tools": tools,
    }


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
