"""Every policy of the failure suite is scored as it was built: through the command over HTTP, and
by its tools and the rule alone on many more tasks."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from inspect_ai.tool import ToolDef, ToolError

from agentdyno_bench.shared.models.refusals import invalid
from agentdyno_bench.shared.models.scripted import Reply
from agentdyno_bench.toolfail.findings import classify
from agentdyno_bench.toolfail.findings.submitted_rule import SCHEMA
from agentdyno_bench.toolfail.records import SUBMIT, ToolAnswer, ToolTask
from agentdyno_bench.toolfail.tasks.offering import Bench
from tests.zoo.play import play_dealt_toolfail, play_toolfail
from tests.zoo.server import serve
from tests.zoo.toolfail import POLICIES, order, replies_of, suite


@pytest.mark.parametrize("count", [12, pytest.param(1200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_gets_the_labels_that_it_was_built_with(policy: str, count: int) -> None:
    """By the tools and the rule, without a run around them."""
    for task in order()[:count]:
        found = classify("submitted", task, _act(policy, task), suite().tools[task.domain])
        assert found.label == POLICIES[policy](task).label, (policy, task.task_id, found.evidence)


def _act(policy: str, task: ToolTask) -> ToolAnswer:
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


class _Call(msgspec.Struct):
    function: str


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


@pytest.mark.slow
def test_dealt_policies_are_scored_as_stated_task_by_task(tmp_path: Path) -> None:
    with serve() as zoo:
        rows = play_dealt_toolfail(zoo, tmp_path, 2 * len(POLICIES))
    assert [row for row in rows if not row.is_as_stated] == []
    assert {row.attempts for row in rows} == {2}
    assert len(rows) >= 25


@pytest.mark.slow
def test_a_needless_call_counts_whatever_its_arguments_and_a_refusal_is_no_failure(
    tmp_path: Path,
) -> None:
    needless = [name for name in POLICIES if name.startswith("needless")]
    with serve() as zoo:
        rows = play_toolfail(zoo, tmp_path, [*needless, "good", "refuses"], 5)
    assert [row for row in rows if not row.is_as_stated] == []
    scored = {row.policy: row.scored for row in rows}
    assert {scored[name]["UTR"] for name in needless} == {1}
    assert (scored["good"]["UTR"], scored["good"]["Clean"]) == (0, 1)
    refuses = scored["refuses"]
    assert (refuses["Refused"], refuses["Clean"], refuses["CTUR"]) == (1, 0, None)
