"""Caches by recorded pauses, reported hits after something was taken out, batches, and money."""

import json
import math

import numpy as np
import polars as pl
import pytest

from agentdyno.cost.columns import NEVER
from agentdyno.intake.format import load_formats
from agentdyno.intake.source import Source
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.whatif import WhatIfOptions, whatif
from agentdyno.records import Trajectory
from agentdyno.studies.whatif.caching import Pauses, predict_cached, warm_turns
from agentdyno.studies.whatif.joined_turns import joined_turns
from agentdyno.studies.whatif.recorded import Recorded
from tests.labelled import from_set

from .traces import chat, turn


def _recorded(started=(), ended=(), turns=(3,), **arrays):
    """One or more trajectories; only what the test names has a meaning."""
    first = np.concatenate([[0], np.cumsum(turns)])
    many = int(first[-1])
    values = dict.fromkeys(Recorded.__struct_fields__, np.zeros(many))
    values |= {
        "trajectories": pl.DataFrame({"trajectory_id": [str(i) for i in range(len(turns))]}),
        "first_turn": first,
        "turn_trajectory": np.repeat(np.arange(len(turns)), turns),
        "started": np.array(started, dtype=float),
        "ended": np.array(ended, dtype=float),
    }
    return Recorded(**(values | arrays))


def _warm(recorded, seconds, alive=(True, True, True), following=(0, 1, 2)):
    return warm_turns(Pauses(recorded), np.array(alive), np.array(following), seconds)


@from_set("studies/whatif/caching", "why", "started", "ended", "seconds", "expected")
def test_which_turns_are_warm(why, started, ended, seconds, expected):
    lives = np.inf if seconds is None else seconds
    warm, unsure = _warm(_recorded(started, ended), lives)
    found = {"warm": warm.tolist(), "unsure": unsure.tolist()}
    assert {name: found[name] for name in expected} == expected, why


def test_first_turns_are_never_warm():
    recorded = _recorded([0, 1, 2, 3], [0, 1, 2, 3], turns=(2, 2))
    warm, _ = _warm(recorded, 300, [True] * 4, [0, 1, 2, 3])
    assert warm.tolist() == [False, True, False, True]


def test_pauses_before_a_turn_that_is_gone_add_up():
    # 200 s before the second turn, 150 s before the third; the second is gone: 350 s.
    recorded = _recorded([0, 201, 352], [1, 202, 360])
    warm, _ = _warm(recorded, 300, [True, False, True], [0, 2, 2])
    assert warm.tolist() == [False, False, False]
    assert _warm(recorded, 300)[0].tolist() == [False, True, True]


def test_reported_hits_shrink_by_what_they_covered():
    # 10 unseen, then parts of 20, 30 and 40: 100 in context; 35 cached, 40 written.
    recorded = _recorded(
        turns=(1,),
        context=np.array([100.0]),
        cached=np.array([35.0]),
        written=np.array([40.0]),
        part_trajectory=np.zeros(3, dtype=int),
        tokens=np.array([20.0, 30.0, 40.0]),
        enters=np.zeros(3, dtype=int),
        leaves=np.ones(3, dtype=int),
        made=np.full(3, NEVER),
    )
    # The second part covers 30 to 60: 5 of it cached, 25 written.
    cached, written = predict_cached(recorded, np.array([20.0, 0.0, 40.0]))
    assert (cached[0], written[0]) == (30.0, 15.0)
    # Cut to 3 tokens, it covers 30 to 33, and 33 to 60 is gone: 2 of the hits, 25 of the writes.
    cached, written = predict_cached(recorded, np.array([20.0, 3.0, 40.0]))
    assert (cached[0], written[0]) == (33.0, 15.0)
    # The last part covers 60 to 100: written up to 75.
    cached, written = predict_cached(recorded, np.array([20.0, 30.0, 0.0]))
    assert (cached[0], written[0]) == (35.0, 25.0)


@pytest.mark.parametrize("seed", range(15))
def test_what_a_cache_loses_equals_every_part_looked_at(seed):
    rng = np.random.default_rng(seed)
    first, enters, leaves, owner = [0], [], [], []
    for place in range(15):
        turns, parts, start = int(rng.integers(1, 6)), int(rng.integers(0, 10)), first[-1]
        at = rng.integers(0, turns, parts)
        for entered in np.sort(at) if rng.random() < 0.8 else at:
            stays = rng.random() < 0.7
            enters.append(NEVER if rng.random() < 0.1 else start + entered)
            leaves.append(start + (turns if stays else int(rng.integers(entered, turns + 1))))
            owner.append(place)
        first.append(start + turns)
    many, tokens = first[-1], rng.integers(0, 20, len(enters)).astype(float)
    recorded = _recorded(
        turns=tuple(np.diff(first)),
        started=np.zeros(many),
        ended=np.zeros(many),
        enters=np.array(enters),
        leaves=np.array(leaves),
        part_trajectory=np.array(owner),
        tokens=tokens,
        context=rng.random(many) * 150,
        cached=np.where(rng.random(many) < 0.2, np.nan, rng.integers(0, 120, many)),
        written=np.where(rng.random(many) < 0.5, np.nan, rng.integers(0, 60, many)),
    )
    kept = np.where(rng.random(len(tokens)) < 0.5, tokens, tokens * rng.random(len(tokens)))
    cached, written = predict_cached(recorded, kept)
    hit, write = np.nan_to_num(recorded.cached), np.nan_to_num(recorded.written)
    lost = _looked_at(recorded, kept, hit)
    np.testing.assert_allclose(cached, recorded.cached - lost)
    both = _looked_at(recorded, kept, hit + write)
    np.testing.assert_allclose(written, recorded.written - (both - lost))


def _looked_at(r, kept, reach):
    """Per turn: what was removed among the first `reach` tokens, part by part."""
    found = np.zeros(r.turns)
    for number in range(r.turns):
        at = 0.0
        own = r.part_trajectory == r.turn_trajectory[number]
        here = np.flatnonzero(
            own & (r.enters != NEVER) & (r.enters <= number) & (number < r.leaves)
        )
        at = max(r.context[number] - r.tokens[here].sum(), 0.0)
        for part in here:
            removed = r.tokens[part] - kept[part]
            found[number] += min(max(reach[number] - at - kept[part], 0.0), removed)
            at += r.tokens[part]
    return found


@pytest.fixture
def joined(tmp_path):
    def of(*turns, dropped=lambda tool: False):
        file = tmp_path / "chat.jsonl"
        file.write_text(json.dumps(chat(*turns)) + "\n")
        (trajectory,) = load_formats()["openai_chat"].read(Source(file, "chat.jsonl"))
        assert isinstance(trajectory, Trajectory)
        return joined_turns(trajectory, dropped)

    return of


GATE = turn("", ("findAlpha", "gate", "paint number 4711"))


@from_set("studies/whatif/caching", "turns", "expected")
def test_calls_join_unless_they_need_what_came_back(joined, turns, expected):
    found = joined(*(turn(text, *calls) for text, *calls in turns))
    assert sorted(map(list, found.items())) == expected


def test_nothing_joins_when_somebody_spoke(joined):
    spoke = [*GATE, {"role": "user", "content": "And the harbour?"}]
    assert joined(spoke, turn("", ("findAlpha", "harbour", "x"))) == {}


def test_calls_of_a_dropped_tool_do_not_count(joined):
    turns = GATE, turn("", ("findAlpha", "harbour", "x"))
    assert joined(*turns, dropped=lambda tool: tool == "findAlpha") == {}


WRITTEN = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_creation_input_tokens": 150,
    "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 50},
}


def _ledger(tmp_path, name, record):
    file = tmp_path / name
    file.write_text(json.dumps(record) + "\n")
    measure([file], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))
    return tmp_path / "ledger"


def _answered(tmp_path, **usage):
    response = {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn",
        "usage": WRITTEN | usage,
    }  # fmt: skip
    asked = {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hi"}]}
    return _ledger(tmp_path, "log.jsonl", {"request": asked, "response": response})


def _usd(ledger, **options):
    found, _ = whatif(ledger, WhatIfOptions(**options))
    return next(figure for figure in found.together.figures if figure.name == "usd")


def test_what_is_kept_for_an_hour_costs_what_the_ledger_says(tmp_path):
    ledger = _answered(tmp_path)
    # 10 at 3, 150 written at 3.75, 50 of them 2.25 dearer, 5 at 15: 780 over a million.
    figure = _usd(ledger, cap_results=1000)
    assert (figure.before, figure.after) == pytest.approx((780e-6, 780e-6))
    # As claude-opus-4-5: 10 at 5, 150 at 6.25, 50 of them 3.75 dearer, 5 at 25.
    assert _usd(ledger, model="claude-opus-4-5").after == pytest.approx(1300e-6)


def test_a_cache_that_lives_longer_is_written_at_the_price_of_an_hour(tmp_path):
    ledger = _answered(tmp_path)
    # All 160 tokens of the first turn are written, at 3.75 or at 6, and 5 are generated at 15.
    assert _usd(ledger, keep_cache_seconds=300).after == pytest.approx(675e-6)
    assert _usd(ledger, keep_cache_seconds=600).after == pytest.approx(1035e-6)
    assert _usd(ledger, keep_cache_seconds=math.inf).after == pytest.approx(675e-6)


def test_a_tier_is_charged_before_and_after(tmp_path):
    figure = _usd(_answered(tmp_path, service_tier="batch"), cap_results=1000)
    assert (figure.before, figure.after) == pytest.approx((390e-6, 390e-6))


def test_money_that_only_the_trace_tells_is_not_predicted(tmp_path):
    metrics = {"prompt_tokens": 100, "completion_tokens": 10, "cost_usd": 0.5}
    steps = [
        {"step_id": 1, "source": "user", "message": "hi"},
        {"step_id": 2, "source": "agent", "message": "hello", "metrics": metrics},
    ]
    agent = {"name": "a", "version": "1", "model_name": "nobody/unpriced"}
    trial = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": agent, "steps": steps}
    figure = _usd(_ledger(tmp_path, "trajectory.json", trial), cap_results=1000)
    assert (figure.before, figure.after, figure.left_out) == (None, None, 1)
