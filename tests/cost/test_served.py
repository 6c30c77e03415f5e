"""Trajectories on a server: the replay against one step at a time, loads, memory and precision."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.batching import SHARED_READING
from agentdyno.cost.hf_config import architecture_from_config
from agentdyno.cost.replay import EngineLimits, Load, Replayed, replay_load
from agentdyno.cost.served import TurnColumns, serve, serve_alone, serve_full
from agentdyno.cost.servings import Servings, parse_speculation
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel
from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError
from agentdyno.studies.cost.seconds import time_turns
from agentdyno.studies.cost.shared_prefixes import ID, find_shared_prefixes
from tests.cost.workloads import Turn, load_of
from tests.labelled import from_set
from tests.pipelines.ledger_builder import LedgerRows

QWEN, GEMMA = (load_architectures()[name] for name in ("qwen2.5-7b", "gemma-3-4b"))
STEPS = StepModel(
    (1.0, 64.0), (0.005, 0.007), 4e-13, 2e-15, 0.003, 0.0005, 4e-7, (16.0, 600.0), (0.01, 0.03)
)
CONFIG = {
    "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
    "vocab_size": 100, "intermediate_size": 128,
}  # fmt: skip


def walk(items: list[list[Turn]], at_once: int, shape: Architecture, chunk: int) -> float:
    """The makespan by taking every step of every request on its own."""
    queues = [list(item) for item in items]
    order, running, arriving = list(range(len(items))), [], []
    clock = free = 0.0
    waiting: list[list[float]] = []

    def send(owner: int) -> None:
        nonlocal free
        turn = queues[owner].pop(0)
        free = max(free, clock) + STEPS.send_seconds + STEPS.send_token_seconds * turn.context
        start = min(turn.cached, turn.context - 1)
        request = [owner, start, turn.context - start, turn.decode]
        arriving.append((free + STEPS.request_seconds, request))

    for _ in range(min(at_once, len(order))):
        send(order.pop(0))
    while arriving or waiting or running:
        if not waiting and not running:
            clock = max(clock, arriving[0][0])
        while arriving and arriving[0][0] <= clock:
            waiting.append(arriving.pop(0)[1])
        decoding = [r for r in running if not r[2]]
        budget, cost = chunk - len(decoding), 0.0
        chunks = [(r, min(r[2], budget)) for r in running if r[2]]
        budget -= sum(taken for _, taken in chunks)
        while waiting and budget:
            running.append(waiting.pop(0))
            chunks.append((running[-1], min(running[-1][2], budget)))
            budget -= chunks[-1][1]
        for r in decoding:
            r[1], r[3] = r[1] + 1, r[3] - 1
            seen = min(r[1], shape.window_tokens)
            numbers = shape.growing_numbers * r[1] + shape.windowed_numbers * seen
            cost += STEPS.read_seconds * numbers
        tokens = len(decoding) + sum(taken for _, taken in chunks)
        for r, taken in chunks:
            middle = r[1] + taken / 2
            pairs = shape.full_attention_layers * middle
            pairs += shape.window_layers * min(middle, shape.window_tokens)
            cost += STEPS.attend_seconds * shape.attention_flops * taken * pairs
            r[1], r[2] = r[1] + taken, r[2] - taken
            r[3] -= not r[2]
        curve = STEPS.mixed if chunks else STEPS.decoding
        cost += float(curve(np.array([float(tokens)]))[0])
        clock += cost + (STEPS.seat_seconds * len(decoding) if chunks else 0.0)
        done = [r for r in running if r[3] <= 0]
        running = [r for r in running if r[3] > 0]
        for r in done:
            if queues[r[0]]:
                send(r[0])
            elif order:
                send(order.pop(0))
    return clock


turns = st.builds(Turn, st.integers(1, 1500), st.integers(1, 60), st.integers(0, 1500))


@settings(max_examples=40, deadline=None)
@given(
    items=st.lists(st.lists(turns, min_size=1, max_size=4), min_size=1, max_size=9),
    at_once=st.integers(1, 8),
    shape=st.sampled_from([QWEN, GEMMA]),
)
def test_steps_taken_together_are_the_steps_taken_one_by_one(
    items: list[list[Turn]], at_once: int, shape: Architecture
) -> None:
    found = replay_load(load_of(items), at_once, shape, STEPS, EngineLimits(chunk=512))
    assert found.makespan_seconds == pytest.approx(walk(items, at_once, shape, 512), rel=1e-9)


def total(found: Replayed) -> float:
    return float((found.prefill + found.step + found.cache + found.waiting).sum())


@settings(max_examples=40, deadline=None)
@given(
    items=st.lists(st.lists(turns, min_size=1, max_size=4), min_size=1, max_size=9),
    room=st.integers(1600, 20000),
    apart=st.floats(0, 3),
)
def test_every_second_is_some_turns_or_idle_whatever_the_memory_and_the_pauses(
    items: list[list[Turn]], room: int, apart: float
) -> None:
    plain = load_of(items)
    load = Load(
        plain.first, plain.context, plain.decode, plain.cached,
        np.full(len(plain.context), apart), np.arange(len(items)) * apart,
    )  # fmt: skip
    found = replay_load(load, None, GEMMA, STEPS, EngineLimits(chunk=512, cache_tokens=room))
    assert total(found) + found.idle_seconds == pytest.approx(found.makespan_seconds)
    assert min(found.prefill.min(), found.step.min(), found.cache.min()) >= -1e-9


def test_a_memory_that_is_too_small_costs_prefills_again() -> None:
    load = load_of([[Turn(1000, 400)]] * 8)
    roomy = replay_load(load, 8, QWEN, STEPS)
    tight = replay_load(load, 8, QWEN, STEPS, EngineLimits(cache_tokens=8500))
    assert (roomy.preemptions, tight.preemptions > 0) == (0, True)
    assert tight.prefill.sum() > roomy.prefill.sum()
    assert tight.makespan_seconds > roomy.makespan_seconds


def columns(many: int, began: float | None = None, pause: float = 0.0) -> TurnColumns:
    """Agents of three turns, one beginning `began` seconds after the other."""
    place = np.arange(3 * many) % 3
    start = np.nan if began is None else began
    started = np.repeat(np.arange(many) * start, 3) + place * (1.0 + pause)
    context = 2000.0 + 500 * place
    return TurnColumns(
        np.repeat(np.arange(many), 3), context, context, np.full(3 * many, 100.0), started,
        started + 1.0, np.zeros(3 * many),
    )  # fmt: skip


def test_a_prefix_in_common_is_read_faster_by_all_but_the_first_that_decodes() -> None:
    load = load_of([[Turn(4001, 100, 4000)]] * 3)
    shared = replace(load, shared=np.full(3, 4000))
    apart, together = (replay_load(one, 3, QWEN, STEPS) for one in (load, shared))
    reading = QWEN.growing_numbers * STEPS.read_seconds * 4000 * 99
    assert apart.makespan_seconds - together.makespan_seconds == pytest.approx(
        2 * (1 - SHARED_READING) * reading
    )
    assert together.cache.sum() == pytest.approx(
        apart.cache.sum() - 2 * (1 - SHARED_READING) * reading
    )
    alone = [replay_load(one, 1, QWEN, STEPS).makespan_seconds for one in (load, shared)]
    assert alone[0] == alone[1]


def test_traces_with_times_are_replayed_as_they_were_recorded() -> None:
    serving = Servings("h200-sxm").of("qwen2.5-7b")
    apart = serve(serving, columns(8, began=100.0, pause=5.0))
    together = serve(serving, columns(8, began=0.0))
    unknown = serve(serving, columns(8))
    assert (apart.load, together.load, unknown.load) == ("recorded", "recorded", "stated")
    assert apart.mean_at_once == pytest.approx(1.0, abs=0.01)
    assert apart.seconds.total.sum() == pytest.approx(serve_alone(serving, columns(8)), rel=0.01)
    assert together.seconds.total.sum() < 0.6 * apart.seconds.total.sum()
    assert apart.idle_seconds == pytest.approx(700 + 10 - apart.busy_seconds, abs=3)


def test_the_stated_load_lies_between_a_full_server_and_one_request_at_a_time() -> None:
    turns = columns(40)
    servings = {n: Servings("h200-sxm", concurrency=n).of("qwen2.5-7b") for n in (1, 8, 40)}
    spent = {n: serve(each, turns).seconds.total.sum() for n, each in servings.items()}
    assert spent[1] == pytest.approx(serve_alone(servings[1], turns), rel=1e-3)
    assert spent[1] > spent[8] > spent[40] > serve_full(servings[8], turns)


def test_unknown_counts_are_unknown_seconds_and_cost_the_others_nothing() -> None:
    whole, serving = columns(2), Servings("h200-sxm").of("qwen2.5-7b")
    whole.decode[0] = np.nan
    found = serve(serving, whole).seconds.total
    assert np.isnan(found).tolist() == [True] + [False] * 5


def test_too_many_turns_are_replayed_one_stretch_after_the_other() -> None:
    serving = Servings("h200-sxm").of("qwen2.5-7b")
    apart = [serve(serving, columns(40, began=float(n)).only(np.arange(120) // 60 == half))
             for n, half in ((1, 0), (1, 1))]  # fmt: skip
    found = serve(serving, columns(40, began=1.0), most=60)
    assert (found.load, found.concurrency) == ("recorded", None)
    assert found.busy_seconds == pytest.approx(sum(part.busy_seconds for part in apart))
    assert not np.isnan(found.seconds.total).any()


def test_accepted_drafts_save_steps_and_rejected_ones_cost() -> None:
    assert parse_speculation("3:0.7").tokens_per_step == pytest.approx(1 + 0.7 + 0.49 + 0.343)
    turns = columns(4)
    spent = [
        serve(Servings("h200-sxm", speculative=text).of("qwen2.5-7b"), turns).seconds.total.sum()
        for text in (None, "3:0.8", "3:0.0")
    ]
    assert spent[1] < spent[0] < spent[2]
    with pytest.raises(InputError, match="--speculative: expected TOKENS:SHARE"):
        parse_speculation("fast")


def test_experts_in_four_bits_are_read_as_four_bits() -> None:
    found = load_architectures()["gpt-oss-120b"]
    # 116.8e9 parameters, nearly all in experts of 4.25 bits: 62 GB and the rest in 16.
    assert 60e9 < found.step_bytes(10_000) < 66e9
    assert 60e9 < found.weight_bytes < 67e9


@from_set("cost/served", "stated", "weights", "cache", "compute")
def test_bits_are_those_of_the_quantization_config(
    stated: dict[str, object], weights: float, cache: float, compute: int
) -> None:
    found = architecture_from_config(CONFIG | {"quantization_config": stated})
    assert found.precision.weights == pytest.approx(weights)
    assert (found.precision.cache, found.precision.compute) == (cache, compute)
    plain = architecture_from_config(CONFIG)
    own = plain.active_params * 2
    assert plain.step_bytes(1) - found.step_bytes(1) == pytest.approx(own * (1 - weights / 16))


def test_a_method_of_quantising_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected a known 'quant_method'.*found 'magic'"):
        architecture_from_config(CONFIG | {"quantization_config": {"quant_method": "magic"}})


def test_a_model_takes_the_fewest_cards_that_hold_it_or_says_what_it_needs() -> None:
    large = Servings("h100-sxm").of("llama-3.1-70b")
    assert (large.gpus, large.too_small) == (2, None)
    stated = Servings("h100-sxm", gpus=1).of("llama-3.1-70b")
    assert stated.too_small == (
        "llama-3.1-70b does not fit on 1 x h100-sxm: needs 147 GB, has 77 GB"
    )
    small = Servings("h100-sxm", gpus=4).of("qwen2.5-7b")
    one = Servings("h100-sxm").of("qwen2.5-7b")
    spent, alone = (serve(each, columns(8)) for each in (small, one))
    assert spent.busy_seconds < alone.busy_seconds
    assert spent.seconds.total.sum() > alone.seconds.total.sum()


def test_prompts_in_common_are_prefilled_once_where_the_cache_is_kept(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, size in (("a", 4000.0), ("b", 4010.0), ("c", 4020.0), ("other", 9000.0)):
        rows.trajectory(name, 1.0, model="qwen2.5-7b", architecture="qwen2.5-7b")
        tokens = {"context_tokens": 5000, "decode_tokens": 50, "pte_evicted": 5000.0}
        rows.turn(name, 0, 1.0, model="qwen2.5-7b", pte_kept=5000 + 0.001 * 250_000, **tokens)
        tool = "search" if name != "other" else "browse"
        rows.part(name, "system", 1.0, part=0, tokens=size - 100, enters=0)
        rows.part(name, "schema", 1.0, part=1, tokens=100.0, enters=0, name=tool)
    ledger = Ledger(rows.write(tmp_path))
    found = find_shared_prefixes(ledger)
    assert dict(found.select(ID, "shared").rows()) == {"a": 0, "b": 4000, "c": 4000, "other": 0}
    assert found["origin"].to_list() == ["a", "a", "a", "other"]
    spent = {
        cache: dict(time_turns(ledger, 1, cache).turns.select(ID, "gpu_seconds_prefill").rows())
        for cache in ("evicted", "kept", "served")
    }
    assert spent["kept"]["a"] == pytest.approx(spent["evicted"]["a"])
    assert spent["kept"]["b"] < 0.5 * spent["evicted"]["b"]
    assert spent["served"] == pytest.approx(spent["kept"])


def test_a_ledger_with_times_is_replayed_by_them_unless_a_load_is_stated(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, began in (("a", 0.0), ("b", 1000.0)):
        rows.trajectory(name, 1.0, model="qwen2.5-7b", architecture="qwen2.5-7b")
        times = {"started_at": began, "latency_seconds": 2.0}
        rows.turn(name, 0, 1.0, model="qwen2.5-7b", context_tokens=500, decode_tokens=50, **times)
    ledger = Ledger(rows.write(tmp_path))
    [recorded], [stated] = time_turns(ledger).models, time_turns(ledger, 8).models
    assert (recorded.load, recorded.concurrency) == ("recorded", None)
    assert recorded.idle_seconds == pytest.approx(1000, abs=2)
    assert (stated.load, stated.concurrency, stated.idle_seconds) == ("stated", 8, 0.0)
    assert recorded.gpu_seconds > 1.5 * stated.gpu_seconds
