"""Marks a sample by its outcome, with the function that marks any transcript; by judge where asked.

The score is the share of goals met, reduced for harm; its metadata say whether that solves the
task, which takes all of them and no harm, and hold everything else that later measures need, so
that a log is enough to measure from. Every call of the record says whether it ran.

The ceiling is the most that any agent can reach under a setting, computed from the task's own plan.
A selection of at most n tools can do the steps whose tools are among them; a step whose needs
cannot be done cannot be done either. The best choice of n tools is searched exactly for small
plans: tools are dropped one after the other, whichever costs the fewest goals, and the bound is
what is left. One call a turn and k turns leave the last for the answer, so at most k - 1 steps; one
less for each time that the user answers back.

    ceiling = goals that can be met / goals
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import store
from msgspec import Struct

from agentdyno_bench.shared.judges.asking import question
from agentdyno_bench.shared.judges.parsing import parse_answer
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.outcomes.prose import Attempt, apply_verdicts, open_goals
from agentdyno_bench.tps.pool import PoolTool, open_shared_pool
from agentdyno_bench.tps.run import judging
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.run.solving import RECORD, select_tools
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.placing import graph_of, place_calls
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask


@scorer(metrics=[mean()])
def completion(tasks: dict[str, CompoundTask], options: TpsOptions) -> Scorer:
    """The share of goals met, reduced for harm."""

    async def mark(state: TaskState, target: Target) -> Score:
        return await _completion(state, tasks[str(state.sample_id)], options)

    return mark


async def _completion(state: TaskState, task: CompoundTask, options: TpsOptions) -> Score:
    import asyncio

    pool = await asyncio.to_thread(open_shared_pool, options.pool)
    workspace = str(store().get("tps_workspace", ""))
    record: dict[str, Any] = store().get(RECORD, {})
    calls = msgspec.convert(record.get("calls", []), list[ExecutedCall])
    answers: list[str] = record.get("answers", [])
    await pool.forget(workspace)
    marks = mark(task, calls, answers, options.pool.seed, options.pool.faults, options.answers)
    if options.judged and marks.unclear:
        marks = await _judge_prose(Attempt(task, answers, marks))
    about = _about(task, calls, marks, record, options)
    text = "\n\n".join(answers)
    if options.judged:
        about |= await _judge(task, text, record, select_tools(pool, options), options)
    return Score(value=marks.score, answer=text[:2000], metadata=about)


def _about(
    task: CompoundTask,
    calls: list[ExecutedCall],
    marks: AttemptMarks,
    record: dict[str, Any],
    options: TpsOptions,
) -> dict[str, Any]:
    serving = sorted({tool for s in task.subtasks for tool in s.serves})
    return {
        "level": task.level,
        "stages": len(task.follow_ups) + 1,
        "forbidden": task.forbidden,
        "faults": options.pool.faults,
        "subtasks": len(task.goals),
        "answers": options.answers,
        "completed": marks.done,
        "unclear": marks.unclear,
        "solved": marks.solved,
        "harms": msgspec.to_builtins(marks.harms),
        "reasons": {w.goal_id: w.reason for w in marks.goals if not w.done},
        "ceiling": compute_ceiling(task, options),
        "graph": msgspec.to_builtins(graph_of(task)),
        "placed": msgspec.to_builtins(place_calls(task, calls)),
        "needed_tools": [s.serves for s in task.subtasks],
        "serving_tools": serving,
        "selection": options.selection,
        "scheduling": options.scheduling,
        **{key: record.get(key) for key in _STORED},
    }


_STORED = ("selected", "unknown_tools", "cut_tools", "stopped", "wall_seconds", "deaths")


async def _judge(
    task: CompoundTask,
    answer: str,
    record: dict[str, Any],
    offered: list[PoolTool],
    options: TpsOptions,
) -> dict[str, Any]:
    judge = get_model(role="grader")
    request = read_request(task)
    reply = await judge.generate(judging.completion_question(request, answer))
    marked = judging.read_completion(reply.completion)
    available = [f"{t.name}: {t.description}" for t in offered]
    selected = record.get("selected") or []
    most = options.most_tools
    prompt = judging.selection_question(request, selected, available, most)
    reply = await judge.generate(prompt)
    chosen = 0 if options.selection == "none" else len(selected)
    score = judging.read_selection_score(reply.completion, chosen, most)
    return {
        "judged_completion": None if marked is None else marked.rate,
        "judged_subtasks": None if marked is None else marked.parts,
        "judged_parts": [] if marked is None else msgspec.to_builtins(marked.lines),
        "judged_selection": score,
    }


async def _judge_prose(attempt: Attempt) -> AttemptMarks:
    """The marks, with what the judge says of values that an answer in prose may give."""
    judge, verdicts = get_model(role="grader"), {}
    for goal in open_goals(attempt):
        system, user = (message.text for message in question(goal.prompt))
        reply = await judge.generate(
            [ChatMessageSystem(content=system), ChatMessageUser(content=user)]
        )
        verdicts[goal.goal_id] = parse_answer(reply.completion, goal.prompt.form)
    return apply_verdicts(attempt.marks, verdicts)


class Ceilings(Struct, frozen=True):
    """The ceiling of a setting over some tasks."""

    tasks: int
    mean: float
    """Mean of the tasks' ceilings: the best completion rate that can be reached."""
    below: int
    """Tasks that no agent can finish under this setting."""


def ceilings(tasks: Iterable[CompoundTask], options: TpsOptions) -> Ceilings:
    """The ceiling of a setting."""
    values = [compute_ceiling(task, options) for task in tasks]
    return Ceilings(len(values), sum(values) / len(values), sum(value < 1 for value in values))


def compute_ceiling(task: CompoundTask, options: TpsOptions) -> float:
    """Share of the task's goals that can be met under the setting."""
    offered = None if options.tools is None else frozenset(options.tools)
    steps = {s.subtask_id for s in task.subtasks}
    if offered is not None:
        steps = _doable(task, offered)
    if options.selection != "none":
        steps &= _doable(task, _best_tools(task, options.most_tools, offered))
    steps &= _in_time(task, options, steps)
    return sum(goal.step in steps for goal in task.goals) / len(task.goals)


def _best_tools(task: CompoundTask, most: int, offered: frozenset[str] | None) -> frozenset[str]:
    offered_names = {
        tool for s in task.subtasks for tool in s.serves if offered is None or tool in offered
    }
    while len(offered_names) > most:
        cheapest = max(
            sorted(offered_names), key=lambda tool: _worth(task, frozenset(offered_names - {tool}))
        )
        offered_names.discard(cheapest)
    return frozenset(offered_names)


def _worth(task: CompoundTask, tools: frozenset[str]) -> int:
    steps = _doable(task, tools)
    return sum(goal.step in steps for goal in task.goals)


def _doable(task: CompoundTask, tools: frozenset[str]) -> set[str]:
    """Steps that some of the tools can do, with all that they need."""
    completed: set[str] = set()
    for subtask in task.subtasks:
        if tools.intersection(subtask.serves) and completed.issuperset(subtask.needs):
            completed.add(subtask.subtask_id)
    return completed


def _in_time(task: CompoundTask, options: TpsOptions, steps: set[str]) -> set[str]:
    turns = options.turns - 1 - len(task.follow_ups)
    if options.scheduling == "sequential":
        goals = [s.subtask_id for s in task.subtasks if s.subtask_id in steps]
        return set(goals[:turns])
    return {s.subtask_id for level in levels_of(task)[:turns] for s in level}
