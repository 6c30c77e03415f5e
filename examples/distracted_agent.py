"""An agent that reads the news at work, for trying rollouts and ablations without a model.

    PYTHONPATH=examples agentdyno bench tps -m agentdyno/scripted \\
        -M script=distracted_agent:works --level easy --in-process --out day

It works on the tasks of the planning benchmark one call a turn. Where news is offered it looks at
it before every third call or so, and half the time forgets the next thing to do over it. Chance
comes from the seed alone, so that continuations with other seeds take other turns: what a call is
worth can be found out, and what is found out is known to be right.
"""

import re
from random import Random
from typing import Any

import msgspec

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.outcomes.submission import SUBMIT, right_fields
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.references import UnclearError, resolve
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask

NEWS = "news_search_news"
LOOKS, FORGETS = 0.35, 0.5
_TASKS = {task.prompt: task for task in load_bundled("easy").tasks}


def works(messages: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """The next thing that it does."""
    asked = next(message.text for message in messages if message.role == "user")
    if messages[0].role != "system":  # It is asked which tools it wants.
        task = next(task for prompt, task in _TASKS.items() if prompt in asked)
        return Reply(text="\n".join([*(subtask.tool for subtask in task.subtasks), NEWS]))
    task = _TASKS[asked]
    chance = Random(f"{config.seed} {task.task_id} {len(messages)}").random()
    offered = any(tool.name == NEWS for tool in tools)
    distracted = messages[-1].role == "tool" and messages[-1].function == NEWS
    left = _left(task, messages)
    if left and offered and not distracted and chance < LOOKS:
        return Reply(calls=[ReplyCall(NEWS, {"query": "city"}, f"news{len(messages)}")])
    if left and distracted and chance < FORGETS:
        said, left = f"Never mind {left[0].subtask_id}. ", left[1:]
        return _go_on(task, left, messages, tools, said)
    return _go_on(task, left, messages, tools)


def _left(task: CompoundTask, messages: list[Any]) -> list[Subtask]:
    """What is neither done nor forgotten, as the conversation has it."""
    said = " ".join(message.text for message in messages if message.role == "assistant")
    gone = set(re.findall(r"Never mind (\w+)\.", said)) | set(_results(messages))
    return [subtask for subtask in task.subtasks if subtask.subtask_id not in gone]


def _go_on(
    task: CompoundTask, left: list[Subtask], messages: list[Any], tools: list[Any], said: str = ""
) -> Reply:
    results = _results(messages)
    if not left:
        return _submit(task, results, said)
    try:
        arguments = resolve(left[0].arguments, results)
    except UnclearError:  # It rests on something that was forgotten.
        arguments = None
    if arguments is None or not any(tool.name == left[0].tool for tool in tools):
        return _submit(task, results, said)
    return Reply(text=said, calls=[ReplyCall(left[0].tool, arguments, left[0].subtask_id)])


def _submit(task: CompoundTask, results: dict[str, Any], said: str) -> Reply:
    """Hands in what it has found so far."""
    found = {goal.goal_id for goal in task.goals if goal.step in results}
    fields = right_fields(task, 0, found)
    return Reply(text=said, calls=[ReplyCall(SUBMIT, fields, SUBMIT)])


def _results(messages: list[Any]) -> dict[str, Any]:
    return {
        str(message.tool_call_id): msgspec.json.decode(message.text)
        for message in messages
        if message.role == "tool" and message.error is None and message.function != NEWS
    }
