"""Every policy gets the labels it was built with: by its tools alone on every task, and through the
run, the log and the ledger."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inspect_ai.tool import ToolDef, ToolError

from agentdyno.ledger.reader import Ledger
from agentdyno.records.failures import SUBMIT, Labelled, ToolAnswer, ToolTask
from agentdyno_bench.findings.failures import classify
from agentdyno_bench.findings.failures.rates import failure_rates
from agentdyno_bench.findings.failures.submitted_rule import SCHEMA
from agentdyno_bench.models.refusals import invalid
from agentdyno_bench.models.scripted import Reply
from agentdyno_bench.pipelines.toolfail import ToolfailOptions, run_toolfail
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.studies.failures.labels import build_label
from agentdyno_bench.toolfail.offering import Bench
from agentdyno_bench.toolfail.sampling import order_evenly
from tests.zoo.toolfail import POLICIES, deal, replies_of, suite

EVERY = pytest.mark.parametrize("count", [60, pytest.param(1200, marks=pytest.mark.slow)])
"""A twentieth of the tasks, in proportion; all of them are slow."""


class _Call(msgspec.Struct):
    function: str


def _act(policy: str, task: ToolTask) -> ToolAnswer:
    """What the policy does, with the tools of the benchmark and without a run around them."""
    bench = Bench(task, suite().tools[task.domain], suite().records[task.domain])
    text = ""
    for replies in replies_of(policy, task):
        bench.next_message()
        for at, reply in enumerate(replies):
            if not bench.is_answered:
                calls: Any = [_Call(call.tool) for call in reply.calls]
                asyncio.run(_execute(reply, bench.take_turn(calls, at == len(replies) - 1), task))
                text = reply.text
    return msgspec.convert(bench.note(text), ToolAnswer)


async def _execute(reply: Reply, runnable: list[ToolDef], task: ToolTask) -> None:
    schemas = {tool.name: tool.parameters for tool in suite().tools[task.domain]}
    tools = {tool.name: tool for tool in runnable}
    for call in reply.calls:
        schema = SCHEMA if call.tool == SUBMIT else schemas.get(call.tool)
        given = call.arguments
        if call.tool not in tools or schema is None or not isinstance(given, dict):
            continue
        if invalid(given, schema) is None:
            try:
                await tools[call.tool].tool(**given)
            except ToolError:
                continue


def _labels(policy: str, count: int) -> list[Labelled]:
    rows = []
    for task in order_evenly(suite().tasks)[:count]:
        answer = _act(policy, task)
        found = classify("submitted", task, answer, suite().tools[task.domain])
        stated = POLICIES[policy](task).label
        assert found.label == stated, (policy, task.task_id, found.evidence)
        rows.append(build_label(task, answer, found))
    return rows


@EVERY
@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_gets_the_labels_that_it_was_built_with(policy: str, count: int) -> None:
    assert len(_labels(policy, count)) == count


@pytest.mark.parametrize("policy", [name for name in POLICIES if name.startswith("needless")])
def test_every_way_to_call_on_controls_has_a_rate_of_a_hundred_percent(policy: str) -> None:
    found = failure_rates(_labels(policy, 60)).rates
    assert (found["UTR"].value, found["CTRL-Acc"].value, found["Clean"].value) == (1, 0, 1)


def _run(out: Path, limit: int | None) -> list[str]:
    """Labels by the log, or marks, that are not as stated."""
    model = ModelSpec("agentdyno/scripted", None, {"script": "tests.zoo.toolfail:all_of_them"})
    options = RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42, limit=limit)
    done = run_toolfail(ToolfailOptions(models=[model], turns="multi"), options)
    assert done.runs[0].failed == []
    marks = Ledger(out / "ledger").read("trajectories").select("trajectory_id", "correct")
    by_mark = dict(marks.iter_rows())
    wrong = []
    labelled = label_logs(out / "logs", suite(), done.runs)
    assert len(labelled) == (limit or len(suite().tasks))
    questions = Counter(task.messages[0] for task in suite().tasks)
    for each in labelled:
        if questions[each.task.messages[0]] > 1:
            continue  # Two pairs of tasks begin alike: a script cannot tell which one it is in.
        policy = deal()[each.task.task_id]
        stated, found = POLICIES[policy](each.task).label, each.by_rule
        if found.label != stated or by_mark[each.trajectory_id] != (stated == "correct"):
            wrong.append(f"{policy} on {each.task.task_id}: {stated}, got {found}")
    return wrong


def test_all_policies_through_run_log_and_ledger_on_a_few_tasks(tmp_path: Path) -> None:
    assert _run(tmp_path, 2 * len(POLICIES)) == []


@pytest.mark.slow
def test_all_policies_through_run_log_and_ledger_on_every_task(tmp_path: Path) -> None:
    assert _run(tmp_path, None) == []
