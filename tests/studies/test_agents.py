"""Main agents against the sub-agents that they start, with figures worked by hand."""

from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.reports.topics.agents import agents_line, bounds_line
from agentdyno.studies.cost.agents import Share, study_agents
from agentdyno.studies.cost.seconds import in_seconds
from tests.pipelines.ledger_builder import LedgerRows


def _family() -> LedgerRows:
    """A call of 40 PTE starts an agent of 1,000, which starts one of 200."""
    started = {"parent_id": "main", "parent_call_id": "toolu_1", "title": "Look it up"}
    return (
        LedgerRows()
        .trajectory("main", 500.0, turns=3, calls=1, decode_tokens=30, usd=0.05)
        .call("main", 0, "Task", call_id="toolu_1", pte=40.0)
        .trajectory("helper", 1000.0, turns=2, calls=1, decode_tokens=20, usd=0.1, **started)
        .call("helper", 0, "Task", call_id="toolu_2", pte=10.0)
        .trajectory("inner", 200.0, parent_id="helper", parent_call_id="toolu_2", usd=0.02)
    )


def test_a_call_that_starts_an_agent_costs_itself_and_all_that_it_started(tmp_path: Path) -> None:
    found = study_agents(Ledger(_family().write(tmp_path)))
    assert found.main == Share(1, 3, 1, 30, 500.0, 0.05)
    assert (found.started.trajectories, found.started.cost) == (2, 1200.0)
    outer, inner = found.calls
    assert (outer.trajectory_id, outer.turn, outer.tool, outer.title) == (
        "main", 0, "Task", "Look it up",
    )  # fmt: skip
    assert (outer.own_cost, outer.agents, outer.started_cost, outer.cost) == (
        40.0,
        2,
        1200.0,
        1240.0,
    )
    assert (inner.own_cost, inner.agents, inner.cost) == (10.0, 1, 210.0)


def test_agents_on_several_architectures_are_added_in_gpu_seconds(tmp_path: Path) -> None:
    started = {"parent_id": "main", "parent_call_id": "toolu_1"}
    rows = LedgerRows().call("main", 0, "Task", call_id="toolu_1", pte=40.0)
    for name, model, pte, fields in (
        ("main", "qwen2.5-7b", 400.0, {"usd": 0.05}),
        ("small", "qwen3-0.6b", 1000.0, {"usd": 0.1} | started),
        ("large", "qwen2.5-7b", 200.0, {"usd": 0.02} | started),
    ):
        rows.trajectory(name, pte, model=model, architecture=model, **fields)
        rows.turn(name, 0, pte, model=model, context_tokens=4000, decode_tokens=100)
    ledger = Ledger(rows.write(tmp_path))
    found = study_agents(ledger)
    taken = dict(in_seconds(ledger, "trajectories").select("trajectory_id", "gpu_seconds").rows())
    assert (found.unit, found.main.cost) == ("gpu_seconds", pytest.approx(taken["main"]))
    assert found.started.cost == pytest.approx(taken["small"] + taken["large"])
    [call] = found.calls
    # A tenth of the caller's PTE, and so of its seconds.
    assert call.own_cost == pytest.approx(taken["main"] / 10)
    assert call.started_cost == pytest.approx(taken["small"] + taken["large"])
    assert call.cost == pytest.approx(taken["main"] / 10 + taken["small"] + taken["large"])
    assert call.started_usd == pytest.approx(0.12)


def test_an_agent_known_by_its_last_response_is_a_lower_bound_with_an_estimate(
    tmp_path: Path,
) -> None:
    agent = {"parent_id": "main", "session_id": "s", "relation": "sub-agent"}
    bare = agent | {"reported_calls": 15, "coverage": "lower_bound", "agent_id": "a1"}
    counted = {"context_tokens": 40_000, "prefill_source": "reported"}
    rows = (
        LedgerRows()
        .trajectory("main")
        .trajectory("bare", parent_call_id="toolu_1", **bare)
        .turn("bare", 0, **counted)
        # Its lines stand in one file, its last answer in another.
        .trajectory("lines", turns=3, calls=4, agent_id="a2", parent_call_id="toolu_2", **agent)
        .trajectory(
            "rest", agent_id="a2", parent_call_id="toolu_2", **agent | {"relation": "resumed"}
        )
    )
    found = study_agents(Ledger(rows.write(tmp_path)))
    assert (found.started.trajectories, found.started.turns) == (2, 5)
    below = found.lower_bounds
    assert (below.agents, below.responses, below.calls, below.listed_calls) == (1, 1, 15, 0)
    assert below.context_tokens == 40_000
    whole = below.estimated_tokens
    assert 40_000 < whole.low < whole.value < whole.high
    calls = {call.turns: call for call in found.calls}
    assert (calls[1].calls, calls[1].bounded, calls[1].estimated_tokens) == (15, 1, whole)
    assert (calls[4].agents, calls[4].calls, calls[4].bounded) == (1, 4, 0)
    said = f"{agents_line(found)} {bounds_line(below)}"
    assert "2 sub-agents: at least 5 turns, 19 calls" in said
    assert "1 sub-agent known only in part, by 1 response (40k context tokens)" in said
    assert "95 %" in said


def test_an_agent_whose_last_response_nobody_counted_is_not_estimated(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("main").turn("a", 0, prefill_source="estimated")
    rows.trajectory("a", parent_id="main", coverage="lower_bound", reported_calls=3)
    found = study_agents(Ledger(rows.write(tmp_path)))
    assert found.lower_bounds.estimated_tokens.value is None
    assert "No estimate" in bounds_line(found.lower_bounds)


def test_an_agent_whose_call_is_not_known_stands_alone(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("main").trajectory("a", 7.0, parent_id="main")
    found = study_agents(Ledger(rows.trajectory("b", 8.0, parent_id="main").write(tmp_path)))
    assert [(c.tool, c.own_cost, c.cost) for c in found.calls] == [
        (None, None, 8.0), (None, None, 7.0),
    ]  # fmt: skip


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 1.0, parent_id="b").trajectory("b", 2.0, parent_id="a")
    found = study_agents(Ledger(rows.write(tmp_path)))
    assert [c.agents for c in found.calls] == [2, 2]


def test_without_sub_agents_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert study_agents(Ledger(LedgerRows().trajectory("a").write(tmp_path))) is None
