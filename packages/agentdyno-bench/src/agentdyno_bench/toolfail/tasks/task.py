"""The Inspect task: tools are offered, what they return is injected, the answer is submitted.

TaskRecipe("agentdyno_bench.toolfail.tasks.task:toolfail_task", {"turns": "single"})

Where the suite holds its tools' records, a tool answers by its arguments, as such a tool would
(`mocking`). In a suite of the published format it does not: an expected tool gives the next return
of the task's script, whatever the arguments; any other tool says that it has no record.

With `answers="submit"` an answer is a call of `submit`, alone in its turn and once for each message
of the user; the last turn offers it alone and asks for it by name. With "prose" the protocol is the
paper's: the last turn is written with tool choice none, and the tools stay in the request
(`models.metered` sees to that); recipes that do not say are of runs from before there was `submit`.
What ran is noted by the tools themselves (`Bench`). Who marks the answers is the caller's choice;
without a scorer the log says nothing of it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from agentdyno.records import InputError, printable
from agentdyno_bench.toolfail.records import SUBMIT, Answers, TaskSuite, ToolTask
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import NAME, load_suite
from agentdyno_bench.toolfail.tasks.task_suites import Turns

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Scorer
    from inspect_ai.solver import Solver

FACTORY = "agentdyno_bench.toolfail.tasks.task:toolfail_task"
MAX_TOKENS, TEMPERATURE, SEED = 1024, 0.0, 42
"""Of the published protocol."""
EXTRA_ROUNDS = 2
"""Calls beyond those that a task of several turns needs."""
HOW_TO_ANSWER = (
    f"Answer by calling the tool {SUBMIT}, alone and once, when you have what you need. Nothing "
    "else that you write is read."
)
REMINDER = f"Please call {SUBMIT} with your answer."
ANSWER = "answer"
"""Where the sample's store keeps what was done."""


def toolfail_task(
    tasks: str | None = None,
    turns: Turns = "single",
    stride: int | None = None,
    answers: Answers = "prose",
    scorer: "Callable[[TaskSuite], Scorer] | None" = None,
    prompt: str | None = None,
) -> "Task":
    """The task, in an order of which every beginning is like the whole; `stride` takes one in so
    many of its questions, `prompt` stands in the place of every domain's."""
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset

    suite = load_suite(Path(tasks) if tasks else None, turns)
    check_answers(suite, answers)
    suite = replace_prompt(suite, prompt)
    ordered = order_evenly(suite.tasks)[: -(-len(suite.tasks) // (stride or 1))]
    name = run_name(None if tasks is None else suite.name, answers)
    return Task(
        name=name,
        dataset=MemoryDataset([_sample(suite, task, answers) for task in ordered], name=name),
        solver=two_steps(suite, answers),
        scorer=scorer(suite) if scorer else None,
        metadata={
            "suite": suite.name,
            "turns": turns,
            "answers": answers,
            # Who reads the log takes its calls for the answer, and not for work that was done.
            "answer_tool": SUBMIT if answers == "submit" else None,
        },
    )


def run_name(suite: str | None = None, answers: Answers = "submit") -> str:
    """Name of a run: prose gets its own, so that it is never mixed in."""
    return "-".join(filter(None, (NAME, suite, "prose" if answers == "prose" else None)))


def check_answers(suite: TaskSuite, answers: Answers) -> None:
    """`InputError` where answers cannot be submitted: the tasks list fragments, not values."""
    loose = [task.task_id for task in suite.tasks if task.script and not task.fields]
    if answers == "submit" and loose:
        raise InputError(
            f"{suite.name}: {len(loose):,} tasks ({loose[0]}, …) do not say which fields of the "
            "return are asked for, so a submitted value has nothing to be compared with. Run them "
            "as published, with --answers prose."
        )


def replace_prompt(suite: TaskSuite, prompt: str | None) -> TaskSuite:
    """The suite with one prompt for all domains; without it, `InputError` where the tasks name one
    that is not there: another would be another benchmark."""
    if prompt is not None:
        return structs.replace(suite, prompts=dict.fromkeys(suite.prompts, prompt))
    if suite.missing_prompts:
        domain, ref = next(iter(suite.missing_prompts.items()))
        raise InputError(
            f"{suite.name}: the tasks of {domain} name the prompt {printable(ref, 120)}, found no "
            "such file beside or above the folder. Keep the repository's layout, or pass a prompt "
            "of yours with --prompt system=FILE."
        )
    return suite


def _sample(suite: TaskSuite, task: ToolTask, answers: Answers) -> "Sample":
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    return Sample(
        id=task.task_id,
        input=[
            ChatMessageSystem(content=system_prompt(suite, task.domain, answers)),
            ChatMessageUser(content=task.messages[0]),
        ],
        target=" | ".join(task.must_contain),
        metadata={"domain": task.domain, "kind": task.kind, "expected": _expected(task)},
    )


def _expected(task: ToolTask) -> dict[str, Any]:
    """Fields that the published rule needs, so that a log can be labelled alone."""
    return {
        "calls": [{"tool": step.tool, "arguments": step.arguments} for step in task.script],
        "values": list(task.must_contain),
        "match": task.match_mode,
        "by_arguments": task.by_arguments,
    }


def system_prompt(suite: TaskSuite, domain: str, answers: Answers) -> str:
    """The domain's prompt, and how to answer where that is by `submit`."""
    prompt = suite.prompts[domain]
    return f"{prompt.rstrip()}\n\n{HOW_TO_ANSWER}" if answers == "submit" else prompt


def two_steps(suite: TaskSuite, answers: Answers = "submit") -> "Solver":
    """The protocol for every task of the suite."""
    from inspect_ai.model import ChatMessageUser, execute_tools, get_model
    from inspect_ai.solver import Generate, TaskState, solver
    from inspect_ai.tool import ToolFunction

    from agentdyno_bench.toolfail.tasks.offering import Bench

    last_choice: Any = ToolFunction(SUBMIT) if answers == "submit" else "none"
    by_id = {task.task_id: task for task in suite.tasks}

    @solver(name="two_steps")
    def converse() -> "Solver":
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            task, model = by_id[str(state.sample_id)], get_model()
            offered, records = suite.tools[task.domain], suite.records.get(task.domain, ())
            bench = Bench(task, offered, records, answers)
            for number, message in enumerate(task.messages):
                if number:
                    state.messages.append(ChatMessageUser(content=message))
                bench.next_message()
                rounds = _rounds(task, number)
                turn = 0
                while turn <= rounds and not bench.is_answered:
                    is_last = turn == rounds
                    state.output = await model.generate(
                        state.messages,
                        tools=bench.tools,
                        tool_choice=last_choice if is_last else "auto",
                    )
                    state.messages.append(state.output.message)
                    calls = state.output.message.tool_calls or []
                    runnable = bench.take_turn(calls, is_last)
                    if calls and runnable:
                        results, _ = await execute_tools(state.messages, runnable)
                        state.messages.extend(results)
                    state.store.set(ANSWER, bench.note(state.output.completion))
                    if not calls and answers == "prose":
                        break
                    if not calls and not is_last:
                        state.messages.append(ChatMessageUser(content=REMINDER))
                        turn = rounds - 1
                    turn += 1
            state.completed = True
            return state

        return solve

    return converse()


def _rounds(task: ToolTask, message: int) -> int:
    """How often tools may be called before the answer to one message is asked for."""
    needed = sum(call.message == message for call in task.script)
    return 1 if task.trap is None else needed + EXTRA_ROUNDS
