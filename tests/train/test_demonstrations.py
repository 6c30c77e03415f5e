"""Styles of demonstration, and credit by goal."""

import random
import statistics
from typing import Any

import pytest

from agentdyno.findings.rewards import Parts
from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import load_bundled, task_by_id
from agentdyno_depth.engines.dialect import read_turn
from agentdyno_train.demonstrations import arrange_calls, choose_style
from agentdyno_train.environment import Environment
from agentdyno_train.goal_credit import credit_tokens
from agentdyno_train.grpo import Rollouts
from agentdyno_train.options import TrainSettings, read_recipe, read_reward_weights
from agentdyno_train.plans import conversation
from agentdyno_train.rewards import Rewarded
from agentdyno_train.sampled_attempts import SampledAttempt
from agentdyno_train.synthetic_dialogues import make_synthetic_dialogues
from agentdyno_train.training_tasks import TrainingTask


def calls_by_turn(messages: list[Any]) -> list[list[Any]]:
    turns = [read_turn(m.text).calls for m in messages if m.role == "assistant"]
    return [[(name, str(arguments)) for name, arguments in turn] for turn in turns]


@pytest.mark.parametrize("style", [None, "single", "shuffled", "hesitant", "repeated"])
def test_every_style_solves_the_task_by_the_same_calls(style: Any) -> None:
    for task in load_bundled("easy").tasks[:6]:
        tools = sorted({step.tool for step in task.subtasks})
        plan = conversation(task, tools)
        found = conversation(task, tools, style=style)
        assert found is not None, f"{task.task_id} is not solved in the style {style}"
        turns = calls_by_turn(found.messages)
        calls = [call for turn in turns for call in turn]
        assert set(calls) == {call for turn in calls_by_turn(plan.messages) for call in turn}
        if style in ("single", "shuffled", "repeated"):
            assert max(map(len, turns)) == 1
        assert len(calls) - len(set(calls)) <= (style == "repeated")


def test_a_share_of_synthetic_dialogues_calls_one_tool_a_turn() -> None:
    made = make_synthetic_dialogues(60, 1, [1001], {"single": 0.5})
    most = [max(map(len, calls_by_turn(talk.messages))) for talk in made]
    assert 15 < sum(count == 1 for count in most) < 55
    assert max(most) > 1


def test_styles_are_drawn_by_their_shares() -> None:
    rng = random.Random(3)
    drawn = [choose_style({"single": 0.5, "hesitant": 0.2}, rng) for _ in range(2000)]
    assert drawn.count("single") == pytest.approx(1000, abs=100)
    assert drawn.count("hesitant") == pytest.approx(400, abs=80)


def test_a_call_that_writes_is_never_repeated() -> None:
    rng = random.Random(1)
    turns = arrange_calls([["read", "write"]] * 3, "repeated", rng, lambda call: call == "read")
    calls = [call for level in turns for turn in level for call in turn]
    assert (calls.count("read"), calls.count("write")) == (4, 3)


def test_a_recipe_has_its_own_reward() -> None:
    assert read_reward_weights(read_recipe("grpo_styles")).parallelism == 0.5
    with pytest.raises(InputError, match="parallelism, validity, cost, shaping"):
        read_reward_weights(read_recipe("grpo", {"reward": {"speed": 0.5}}))
    with pytest.raises(InputError, match="sum to at most 1"):
        read_recipe("sft", {"styles": {"single": 0.8, "hesitant": 0.4}})


def sampled(answers: str) -> SampledAttempt:
    """An attempt at easy-001 with all calls of its plan and this answer; ten tokens a turn."""
    task = task_by_id("easy-001")
    tools = sorted({step.tool for step in task.subtasks})
    environment = Environment(task, tools=tools)
    plan = conversation(task, tools)
    said = [plan.messages[place].text for place in plan.learnt]
    for text in [*said[:-1], answers or said[-1]]:
        environment.step(text)
    own = [1, 1, 1, 0, 0] * len(said)
    return SampledAttempt(
        TrainingTask(task, 7, tools),
        [],
        own,
        own,
        environment.score(),
        Rewarded(0.0, Parts(0.0), None),
    )


def test_credit_goes_to_the_turns_that_worked_on_a_goal() -> None:
    good, silent = sampled(""), sampled("I am done.")
    assert good.scored.marks.completion > silent.scored.marks.completion
    won, lost = credit_tokens([good, silent])
    assert won == [-credit for credit in lost]  # A group's credit sums to nothing.
    assert all(credit == 0 for credit, own in zip(won, good.own, strict=True) if not own)
    share = (good.scored.marks.completion - silent.scored.marks.completion) / 2
    assert won[-3] == pytest.approx(share)  # The answer had to give every value that differs.
    assert max(won) == pytest.approx(share)
    assert credit_tokens([good, good]) == [[0.0] * len(good.own)] * 2


@pytest.mark.parametrize("scaled", [True, False])
def test_credits_are_divided_by_their_own_spread(scaled: bool) -> None:
    """Rewards are equal here: their spread of nothing would make credits as large as 1,000."""
    group = [sampled(""), sampled("I am done.")]
    plain = credit_tokens(group)
    rollouts = Rollouts(None, None, TrainSettings("grpo", scaled=scaled))  # type: ignore[arg-type]
    found = rollouts._scale(group)
    own = [
        credit
        for one, row in zip(group, found, strict=True)
        for credit, mine in zip(row, one.own, strict=True)
        if mine
    ]
    if scaled:
        assert statistics.pstdev(own) == pytest.approx(1.0, abs=0.01)
        assert found[0][-3] / found[1][-3] == pytest.approx(plain[0][-3] / plain[1][-3])
        assert rollouts._scale([group[0]] * 2) == [[0.0] * len(group[0].own)] * 2
    else:
        assert found == plain
