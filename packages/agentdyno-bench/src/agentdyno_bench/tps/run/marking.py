"""Marks a sample by its outcome, with the function that marks any transcript; by judge where asked.

The score is the share of granted wishes, paid for by harm; its metadata say whether that solves the
task, which takes all of them and no harm, and hold everything else that later measures need, so
that a log is enough to measure from.
"""

from typing import Any

import msgspec
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import store

from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.pool import PoolTool, shared_pool
from agentdyno_bench.tps.run import judging
from agentdyno_bench.tps.run.ceiling import ceiling
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.run.solving import RECORD, offered_tools
from agentdyno_bench.tps.tasks.checking import MadeCall
from agentdyno_bench.tps.tasks.placing import graph_of, place_calls
from agentdyno_bench.tps.tasks.values import CompoundTask


@scorer(metrics=[mean()])
def completion(tasks: dict[str, CompoundTask], options: TpsOptions) -> Scorer:
    """The share of granted wishes, paid for by harm."""

    async def mark(state: TaskState, target: Target) -> Score:
        return await _completion(state, tasks[str(state.sample_id)], options)

    return mark


async def _completion(state: TaskState, task: CompoundTask, options: TpsOptions) -> Score:
    import asyncio

    pool = await asyncio.to_thread(shared_pool, options.pool)
    workspace = str(store().get("tps_workspace", ""))
    record: dict[str, Any] = store().get(RECORD, {})
    calls = msgspec.convert(record.get("calls", []), list[MadeCall])
    answer = state.output.completion if record.get("stopped") == "answered" else ""
    await pool.forget(workspace)
    marks = mark(task, calls, answer, options.pool.seed, options.pool.faults)
    about = _about(task, calls, marks, record, options)
    if options.judged:
        about |= await _judged(task, answer, record, offered_tools(pool, options))
    return Score(value=marks.score, answer=answer[:2000], metadata=about)


def _about(
    task: CompoundTask,
    calls: list[MadeCall],
    marks: AttemptMarks,
    record: dict[str, Any],
    options: TpsOptions,
) -> dict[str, Any]:
    serving = sorted({tool for s in task.subtasks for tool in s.serves})
    return {
        "level": task.level,
        "subtasks": len(task.wishes),
        "completed": marks.done,
        "unclear": marks.unclear,
        "solved": marks.solved,
        "harms": msgspec.to_builtins(marks.harms),
        "reasons": {w.wish_id: w.reason for w in marks.wishes if not w.done},
        "ceiling": ceiling(task, options),
        "graph": msgspec.to_builtins(graph_of(task)),
        "placed": msgspec.to_builtins(place_calls(task, calls)),
        "needed_tools": [s.serves for s in task.subtasks],
        "serving_tools": serving,
        "selection": options.selection,
        "scheduling": options.scheduling,
        **{key: record.get(key) for key in _KEPT},
    }


_KEPT = ("selected", "unknown_tools", "cut_tools", "stopped", "wall_seconds", "deaths")


async def _judged(
    task: CompoundTask, answer: str, record: dict[str, Any], offered: list[PoolTool]
) -> dict[str, Any]:
    judge = get_model(role="grader")
    reply = await judge.generate(judging.completion_question(task.prompt, answer))
    marked = judging.read_completion(reply.completion)
    available = [f"{t.name}: {t.description}" for t in offered]
    chosen = record.get("selected") or []
    asked = judging.selection_question(task.prompt, chosen, available)
    score = judging.read_selection_score((await judge.generate(asked)).completion)
    return {
        "judged_completion": None if marked is None else marked.rate,
        "judged_subtasks": None if marked is None else marked.parts,
        "judged_parts": [] if marked is None else msgspec.to_builtins(marked.lines),
        "judged_selection": score,
    }
