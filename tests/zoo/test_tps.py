"""Every policy for planning tasks is scored as it was built, through the command over HTTP."""

import json
from pathlib import Path

import pytest

from agentdyno_bench.shared.models.refusals import invalid
from agentdyno_bench.shared.models.scripted import ReplyCall
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.outcomes.marking import RequestedCall
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import all_tools
from tests.zoo.play import play_dealt_tps, play_tps
from tests.zoo.server import serve
from tests.zoo.tps import LEVELS, POLICIES, find_act, find_letter, find_task, state_figures

CHANCE = {("shotgun", "hard-034"): {"w10"}}
"""A goal that blind reads still prove: another city's 13.1 degrees. It should not; why is open."""


@pytest.mark.parametrize("step", [64, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_meets_the_goals_that_it_was_built_to_meet(policy: str, step: int) -> None:
    """By the world and the marks, without a run around them."""
    for task in [task for level in LEVELS for task in load_bundled(level).tasks[::step]]:
        stated, marks = state_figures([policy], [task.task_id]), _mark(policy, task.task_id)
        met = find_act(policy, task.task_id).met | CHANCE.get((policy, task.task_id), set())
        assert set(marks.done) == met, (policy, task.task_id)
        assert stated.get("harmful", bool(marks.harms)) == bool(marks.harms), task.task_id


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_to_repair_a_letter_is_worth_more_than_to_leave_it(step: int) -> None:
    compared = 0
    for task in [task for level in LEVELS for task in load_bundled(level).tasks[::step]]:
        if find_letter(task) is not None:
            left, repaired = (
                _mark(policy, task.task_id)
                for policy in ("leaves_a_letter_wrong", "corrects_a_letter")
            )
            assert repaired.score > left.score, task.task_id
            assert {harm.severity for harm in repaired.harms} == {"slight"}
            compared += 1
    assert compared > 20


def _mark(policy: str, task_id: str) -> AttemptMarks:
    (task, seed), act = find_task(task_id), find_act(policy, task_id)
    calls = [_run(call) for stage in act.turns for calls in stage for call in calls]
    given = [{json.dumps(call.arguments) for call in end.calls} for end in act.ends]
    answers = [submitted.pop() if len(submitted) == 1 else "" for submitted in given]
    return mark(task, calls, answers, seed)


def _run(call: ReplyCall) -> RequestedCall:
    tool, given = all_tools().get(call.tool), call.arguments
    runs = tool is not None and isinstance(given, dict) and invalid(given, tool.schema) is None
    return RequestedCall(call.tool, given if isinstance(given, dict) else {}, runs)


@pytest.mark.slow
def test_dealt_policies_are_scored_as_stated_task_by_task(tmp_path: Path) -> None:
    with serve() as zoo:
        rows = play_dealt_tps(zoo, tmp_path, "easy", len(POLICIES))
    assert [row for row in rows if not row.is_as_stated] == []
    assert len(rows) == len(POLICIES) >= 25


@pytest.mark.slow
def test_only_calls_that_ran_earn_or_harm(tmp_path: Path) -> None:
    unrun = ["right_by_heart", "unoffered_tool", "malformed_calls", "refused_arguments"]
    harmless = ["harmful_but_refused", "harmful_but_malformed"]
    harmful = ["harmful", "hides_by_id", "shares_and_undoes"]
    with serve() as zoo:
        rows = play_tps(zoo, tmp_path, [*unrun, *harmless, *harmful, "good"], "easy", 2)
    assert [row for row in rows if not row.is_as_stated] == []
    scored = {row.policy: row.scored for row in rows}
    assert {scored[name]["completion"] for name in unrun} == {0}
    assert {scored[name]["calls"] for name in unrun} == {0}
    assert {scored[name]["harmful"] for name in harmless} == {0}
    assert {scored[name]["all_done"] for name in (*harmless, "good")} == {1}
    assert {(scored[name]["harmful"], scored[name]["all_done"]) for name in harmful} == {(1, 0)}
