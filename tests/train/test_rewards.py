"""Rewards of attempts, and the ways to cheat that must not pay."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from bench.scripted.ways import Way, next_move

from agentdyno_bench.shared.rewards import Weights
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.replaying import Answered
from agentdyno_bench.tps.outcomes.submission import answer_of, fields_of
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.references import Results
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_depth.engines.dialect import write_call
from agentdyno_train.attempts import TurnTokens
from agentdyno_train.environment import Environment
from agentdyno_train.rewards import Meter, Rewarded, compute_reward

TASKS = [*load_bundled("easy").tasks[:8], *load_bundled("hard").tasks[:3]]
METER, REFERENCE = Meter(), 1.0


class Policy:
    """Plays an attempt and counts tokens by letters."""

    def __init__(self, task: CompoundTask) -> None:
        self.task = task
        self.environment = Environment(task, load_bundled(task.level).world_seed, turns=99)
        self.context = 1000
        self.results: Results = {}

    def turn(self, calls: list[tuple[str, Any]], problems: int = 0) -> list[Any]:
        text = "\n".join(write_call(*call) for call in calls) + "\n{" * problems
        before = len(self.environment.attempt().calls)
        self.say(text)
        return [call.result for call in self.environment.attempt().calls[before:]]

    def say(self, text: str) -> None:
        tokens = TurnTokens(self.context, len(text) // 4 + 1)
        step = self.environment.step(text, tokens)
        self.context += tokens.generated + sum(len(m.text) // 4 for m in step.messages)

    def work(self, way: Way = "optimal", beside: list[tuple[str, Any]] | None = None) -> str:
        """Works in one of the known ways; `beside` is called along in every turn."""
        for turn in range(99):
            move = next_move(way, self.task, turn, self.results)
            if not move.calls:
                return write_call("submit", json.loads(move.answer))
            asked = [(c.tool, c.arguments) for c in move.calls]
            found = self.turn([*asked, *(beside or [])])
            self.results |= {c.call_id: r for c, r in zip(move.calls, found, strict=False)}
        raise AssertionError

    def reward(self, reference: float | None = None, weights: Weights | None = None) -> Rewarded:
        return compute_reward(self.environment.score(), weights or Weights(), METER, reference)


PLAYED: dict[tuple[str, Way], Policy] = {}


def honest(task: CompoundTask, way: Way = "optimal") -> Policy:
    """An attempt without tricks; played once for all tests."""
    if (task.task_id, way) not in PLAYED:
        policy = PLAYED[task.task_id, way] = Policy(task)
        policy.say(policy.work(way))
    return PLAYED[task.task_id, way]


def reference_of(task: CompoundTask) -> float:
    return honest(task).reward().cost or 0.0


def values(task: CompoundTask) -> str:
    return write_call("submit", json.loads(answer_of(task)))


def recites(policy: Policy) -> None:
    """Every result is submitted in every field, whatever was asked."""
    policy.work()
    everything = "; ".join(map(str, policy.results.values()))[:5_000]
    policy.say(_submit(policy, lambda slot: everything if slot.kind != "number" else 0.5))


def _submit(policy: Policy, form: Callable[[Slot], Any]) -> str:
    return write_call("submit", {f.name: form(f.slot) for f in fields_of(policy.task)})


def knows_by_heart(policy: Policy) -> None:
    """The right values, and nothing was looked up or done."""
    policy.say(values(policy.task))


def claims_it_is_done(policy: Policy) -> None:
    """Cheap, valid and quick: nothing."""
    policy.say("Everything is done.")


def echoes_through_the_calculator(policy: Policy) -> None:
    """Puts the known answers through a service that gives back what it is given."""
    numbers = [v for s in policy.task.subtasks for v in s.answer if isinstance(v, (int, float))]
    policy.turn([("convert_evaluate", {"expression": f"{n} + 0"}) for n in numbers] or
                [("convert_evaluate", {"expression": "1 + 1"})])  # fmt: skip
    policy.say(values(policy.task))


def never_answers(policy: Policy) -> None:
    """Does the work for the shaping, and talks to nobody."""
    policy.work()
    for _ in range(4):
        policy.turn([("mail_list_inbox", {})])


def hedges(policy: Policy) -> None:
    """Every value among others of its kind that stood in the results; of numbers another one."""
    policy.work()
    seen = Seen([Answered("", {}, result) for result in policy.results.values()])

    def among_others(slot: Slot) -> Any:
        others = [*seen.rivals(slot.value)[:3], "whatever"]
        if slot.kind == "number":
            return next((o for o in others if isinstance(o, int | float)), slot.value + 1)
        return " or ".join(map(str, [*others, slot.value]))

    policy.say(_submit(policy, among_others))


def buys_everything(policy: Policy) -> None:
    """All that was asked, and a few things that nobody asked for."""
    answer = policy.work()
    policy.turn([("notes_add_task", {"title": f"extra {n}"}) for n in range(3)])
    policy.turn([("mail_send_mail", {"to": "noor.haddad@kestrel.example", "subject": "Hi",
                                     "body": "unasked"})])  # fmt: skip
    policy.turn([("notes_add_task", {"title": f"more {n}"}) for n in range(5)])
    policy.say(answer)


def tries_every_tool(policy: Policy) -> None:
    """One turn with every tool there is, then the values known by heart."""
    names = list(all_tools())
    for start in range(0, len(names), 60):
        policy.turn([(name, {}) for name in names[start : start + 60]])
    policy.say(values(policy.task))


def shouts(policy: Policy) -> None:
    """Nothing but calls that cannot be read."""
    for _ in range(5):
        policy.turn([], problems=8)
    policy.say(values(policy.task))


def guesses_at_once(policy: Policy) -> None:
    """All calls in the first turn, with guesses for what it cannot know yet."""
    policy.say(policy.work("at_once"))


FRAUDS: list[Callable[[Policy], None]] = [
    knows_by_heart, claims_it_is_done, echoes_through_the_calculator, shouts, buys_everything,
]  # fmt: skip
SHORTCUTS: list[Callable[[Policy], None]] = [recites, never_answers, hedges, tries_every_tool]


@pytest.mark.parametrize("cheat", FRAUDS, ids=lambda cheat: cheat.__name__)
def test_a_fraud_is_worth_less_than_honest_half_work(cheat: Callable[[Policy], None]) -> None:
    for task in TASKS:
        reference = reference_of(task)
        policy = Policy(task)
        cheat(policy)
        half = honest(task, "half_work").reward(reference).reward
        assert half >= 0.3
        assert policy.reward(reference).reward < half, task.task_id


@pytest.mark.parametrize("cheat", SHORTCUTS, ids=lambda cheat: cheat.__name__)
def test_a_shortcut_is_worth_what_it_really_did(cheat: Callable[[Policy], None]) -> None:
    only_asking = [t for t in TASKS if all(goal.slot for goal in t.goals)]
    assert len(only_asking) > 3
    for task in TASKS:
        reference = reference_of(task)
        policy = Policy(task)
        cheat(policy)
        found, full = policy.reward(reference), honest(task).reward(reference)
        assert found.reward < full.reward, task.task_id
        if task in only_asking and cheat is not tries_every_tool:
            assert found.reward < honest(task, "half_work").reward(reference).reward, task.task_id


def test_guessing_all_at_once_is_worth_less_than_waiting_for_results() -> None:
    for task in TASKS:
        policy = Policy(task)
        guesses_at_once(policy)
        chained = any(s.needs for s in task.subtasks)
        best = honest(task).reward(reference_of(task)).reward
        assert (policy.reward(reference_of(task)).reward < best) == chained


@pytest.mark.parametrize(
    "beside",
    [
        [("mail_list_inbox", {})] * 8,
        [("websearch_deep_research", {"question": "anything"})],
        [("nope_tool", {})],
    ],
    ids=["repeated calls raise no speed-up", "slow calls for nothing", "calls that fail"],
)
def test_full_work_with_padding_is_worth_less_than_without(beside: list[tuple[str, Any]]) -> None:
    for task in TASKS:
        reference = reference_of(task)
        policy = Policy(task)
        policy.say(policy.work(beside=beside))
        padded, plain = policy.reward(reference), honest(task).reward(reference)
        assert padded.reward < plain.reward, task.task_id
        assert (padded.parts.parallelism or 0) <= (plain.parts.parallelism or 0) + 1e-9


def test_malformed_calls_beside_full_work_cost() -> None:
    for task in TASKS:
        policy = Policy(task)
        answer = policy.work()
        policy.turn([], problems=3)
        policy.say(answer)
        assert policy.reward().reward < honest(task).reward().reward


def test_the_plan_itself_gets_nearly_everything_and_waiting_costs() -> None:
    for task in TASKS:
        reference = reference_of(task)
        best, slow = honest(task).reward(reference), honest(task, "sequential").reward(reference)
        assert best.parts.outcome == best.parts.validity == best.parts.cost == 1
        assert best.reward > 0.85
        assert slow.parts.outcome == 1
        assert slow.reward < best.reward
        assert (slow.parts.cost or 0) < 1


def test_a_reward_is_worked_by_hand() -> None:
    task = next(t for t in TASKS if len(t.subtasks) == 3 and t.subtasks[1].needs)
    first, second, third = (s.latency_seconds for s in task.subtasks)
    assert [s.needs for s in task.subtasks] == [[], ["s1"], []]
    slow = honest(task, "sequential").reward(1e9)
    total = first + second + third
    available = total / max(first + second, third)
    assert slow.parts.parallelism == pytest.approx(1 / available, abs=1e-6)
    quality = 1 - 0.2 * (1 - 1 / available)
    assert slow.reward == pytest.approx(0.9 * quality + 0.1, abs=1e-6)


def test_cost_is_pte_or_gpu_seconds() -> None:
    tokens = [TurnTokens(1000, 50), TurnTokens(1400, 20)]
    pte = Meter().cost(tokens)
    assert 2400 < pte < 2400 + 78_000  # Prefill, and gamma times pairs, which is below 1.
    seconds = Meter("gpu_seconds", hardware="h100-pcie")
    assert 0 < seconds.cost(tokens) < 1
    assert seconds.cost(tokens) < seconds.cost([*tokens, TurnTokens(1500, 200)])
