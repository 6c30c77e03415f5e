"""The physical cost: steps by theory, the replay of a batch, GPU-seconds of turns, calibration."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from rich.console import Console

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.physical import Serving, gpu_seconds
from agentdyno.cost.replay import Turn, replay
from agentdyno.cost.servings import Servings
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.cost.steps import numbers_read, theoretical_steps
from agentdyno.records import InputError
from agentdyno_depth.fitting.calibration import Burst, Calibrated, calibrate
from agentdyno_depth.fitting.hardware_profiles import profile, profile_text
from agentdyno_depth.fitting.latency_fit import fit_latencies
from agentdyno_depth.fitting.layout import Layout
from agentdyno_depth.reports.calibration import list_parameters, print_calibration

QWEN = load_architectures()["qwen2.5-7b"]
FLAT = StepModel((1.0, 1000.0, 2000.0), (0.005, 0.005, 0.010), 0.0, 0.0, 0.0)
"""Steps of 5 ms up to 1,000 tokens, 5 us for each beyond; nothing else costs."""


def floats(*values: float) -> "np.typing.NDArray[np.float64]":
    return np.array(values, dtype=np.float64)


def test_a_step_of_one_token_reads_all_weights_once() -> None:
    bare = Efficiency(
        bandwidth=0.8, step_seconds=0, layer_seconds=0, seat_seconds=0, cache_group_seconds=0
    )
    steps = theoretical_steps(QWEN, resolve_hardware("h200-sxm"), bare)
    # (6.53e9 + 152,064 * 3,584) parameters of 2 bytes at 0.80 * 4.8e12 bytes a second.
    assert steps.seconds[0] == pytest.approx((6.53e9 + 544_997_376) * 2 / 3.84e12)


def test_a_mixture_reads_more_experts_the_more_tokens() -> None:
    moe = load_architectures()["qwen3-30b-a3b"]
    # One token: the active ones and the head. 64 tokens miss an expert with (15/16)^64 = 1.6 %.
    assert moe.step_params(1) == pytest.approx(moe.active_params + moe.head_params)
    own = moe.active_params - moe.routed_params / 16
    missed = (15 / 16) ** 64
    assert moe.step_params(64) == pytest.approx(
        own + moe.routed_params * (1 - missed) + moe.head_params
    )


def test_a_request_alone_takes_its_prefill_and_a_step_for_each_further_token() -> None:
    found = replay([[Turn(context=500, decode=11)]], 1, QWEN, FLAT)
    assert (found.steps, found.makespan_seconds) == (11, pytest.approx(11 * 0.005))


def test_those_decoding_together_share_the_steps() -> None:
    found = replay([[Turn(10, 11)] for _ in range(20)], 20, QWEN, FLAT)
    assert found.makespan_seconds == pytest.approx(11 * 0.005)
    halved = replay([[Turn(10, 11)] for _ in range(20)], 10, QWEN, FLAT)
    assert halved.makespan_seconds == pytest.approx(22 * 0.005)
    assert halved.wall_seconds == pytest.approx([0.055] * 20)


def test_a_long_prompt_is_cut_into_chunks_while_others_decode() -> None:
    # 2,500 tokens in chunks of 1,000: two whole ones and the rest.
    found = replay([[Turn(2500, 1)]], 1, QWEN, FLAT, chunk=1000)
    assert (found.steps, found.makespan_seconds) == (3, pytest.approx(0.015))


def test_a_kept_cache_is_not_prefilled_again() -> None:
    evicted = replay([[Turn(2000, 1), Turn(2000, 1)]], 1, QWEN, FLAT)
    kept = replay([[Turn(2000, 1), Turn(2000, 1, cached=1984)]], 1, QWEN, FLAT)
    assert evicted.makespan_seconds == pytest.approx(0.020)
    assert kept.makespan_seconds == pytest.approx(0.015)


def test_gpu_seconds_are_a_share_of_the_steps() -> None:
    serving = Serving(QWEN, FLAT, concurrency=10)
    found = gpu_seconds(serving, floats(100), floats(100), floats(11))
    assert found.step[0] == pytest.approx(10 * 0.0005)
    # Nine others decode anyway in 5 ms; 100 tokens more still fit into 5 ms.
    assert found.prefill[0] == pytest.approx(0.0)
    alone = gpu_seconds(Serving(QWEN, FLAT, concurrency=1), floats(100), floats(100), floats(11))
    assert alone.total[0] == pytest.approx(11 * 0.005)


def test_the_cache_is_read_token_by_token() -> None:
    steps = StepModel((1.0,), (0.0,), 1e-9, 0.0, 0.0)
    found = gpu_seconds(Serving(QWEN, steps, 1), floats(0), floats(100), floats(3))
    # The second and third token read 101 and 102 tokens of 28 * 2 * 4 * 128 numbers.
    assert found.cache[0] == pytest.approx(1e-9 * 28_672 * 203)
    assert numbers_read(QWEN, 101.0, 2.0) == pytest.approx(28_672 * 203)


def bursts(model: StepModel, shape: Architecture = QWEN) -> list[Burst]:
    """What an engine with these parameters would show."""
    rows = [Burst("prefill", 1, p, 1, r, replay([[Turn(p, 1)]], 1, shape, model).makespan_seconds)
            for r in range(2) for p in (16, 256, 512, 1024, 2048, 4096, 8192, 16384)]  # fmt: skip
    for batch, context in ((1, 128), (8, 128), (64, 128), (8, 8000), (32, 4000)):
        for decode in (9, 73):
            turns = [[Turn(context, decode, (context - 1) // 16 * 16)]] * batch
            seconds = replay(turns, batch, shape, model).makespan_seconds
            rows += [Burst("decode", batch, context, decode, r, seconds) for r in range(2)]
    return rows


@pytest.fixture(scope="module")
def calibrated() -> Calibrated:
    return calibrate(bursts(theoretical_steps(QWEN, resolve_hardware("h200-sxm"))), QWEN)


@pytest.fixture
def _one_descent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several: for tests that do not ask for the best fit."""
    monkeypatch.setattr("agentdyno_depth.fitting.calibration.STARTS", 1)


def test_a_calibration_finds_the_parameters_that_made_its_bursts(calibrated: Calibrated) -> None:
    true, found = theoretical_steps(QWEN, resolve_hardware("h200-sxm")), calibrated
    assert found.error < 0.05
    assert not found.noisy
    assert found.model.read_seconds == pytest.approx(true.read_seconds, rel=0.02)
    for batch in (1.0, 8.0, 64.0):
        assert found.model.decoding(floats(batch)) == pytest.approx(
            true.decoding(floats(batch)), rel=0.02
        )
    for name, read_off, _ in list_parameters(found.model):
        low, high = sorted((read_off(found.low), read_off(found.high)))
        assert low <= read_off(true) <= high, name
    work = [[Turn(1500, 60), Turn(2000, 80, 1552)]] * 40
    assert replay(work, 16, QWEN, found.model).makespan_seconds == pytest.approx(
        replay(work, 16, QWEN, true).makespan_seconds, rel=0.03
    )


@pytest.mark.usefixtures("_one_descent")
def test_a_cached_prompt_on_processors_takes_a_step_of_one_token_not_of_sixteen() -> None:
    shape, lengths = load_architectures()["smollm2-135m"], (1.0, 16.0, 64.0, 256.0)
    # As llama.cpp has it on one core: 20 ms for a token, 250 ms for sixteen.
    true = StepModel((1.0, 4.0), (0.02, 0.05), 0.0, 0.0, 0.001, mixed_tokens=lengths,
                     mixed_seconds=(0.02, 0.25, 1.0, 4.0))  # fmt: skip
    rows = [Burst("prefill", 1, p, 1, r, replay([[Turn(p, 1)]], 1, shape, true).makespan_seconds)
            for r in range(2) for p in (16, 64, 256)]  # fmt: skip
    for batch, context, decode in product((1, 4), (129, 1025), (3, 19)):
        turns = [[Turn(context, decode, context - 1)]] * batch
        seconds = replay(turns, batch, shape, true).makespan_seconds
        rows += [Burst("decode", batch, context, decode, r, seconds) for r in range(2)]
    found = calibrate(rows, shape)
    assert found.error < 0.1  # 0.33 with one curve from sixteen tokens on.
    assert found.model.mixed(floats(1.0)) == pytest.approx(floats(0.02), rel=0.2)


@pytest.mark.usefixtures("_one_descent")
def test_a_mixture_between_two_measured_batches_takes_what_its_experts_take() -> None:
    shape = load_architectures()["mixtral-8x7b"]
    true = theoretical_steps(shape, resolve_hardware("h200-sxm"))
    found = calibrate(bursts(true, shape), shape, recorded=512)
    assert found.error < 0.06  # 0.11 on a card with one step for one token and for sixteen.
    between = floats(2.0, 4.0, 16.0)
    # A straight line from one token to eight would be 17 and 19 % lower.
    assert found.model.decoding(between) == pytest.approx(true.decoding(between), rel=0.05)


def test_a_request_alone_is_the_sum_of_the_parameters_that_enter_it() -> None:
    steps = theoretical_steps(QWEN, resolve_hardware("h200-sxm"))
    mixed = tuple(1.2 * seconds + 0.002 for seconds in steps.seconds)
    model = replace(steps, send_seconds=3e-4, send_token_seconds=3e-7,
                    mixed_tokens=steps.tokens, mixed_seconds=mixed)  # fmt: skip
    layout, turns = Layout(model.tokens, model.mixed_tokens), [Turn(16384, 1), Turn(129, 9, 128)]
    for turn, form in zip(turns, layout.form_requests(turns, QWEN, 8192), strict=True):
        replayed = replay([[turn]], 1, QWEN, model)
        assert form @ layout.values(model) == pytest.approx(replayed.makespan_seconds, rel=1e-6)


@pytest.mark.usefixtures("_one_descent")
def test_pauses_in_a_repetition_and_in_a_burst_sent_once_do_not_move_the_fit() -> None:
    true = theoretical_steps(QWEN, resolve_hardware("h200-sxm"))
    rows = [b._replace(seconds=b.seconds + 1.0) if b.repeat == 1 else b for b in bursts(true)]
    found = calibrate([*rows, Burst("prefill", 1, 129, 1, 0, 0.15)], QWEN)
    assert found.model.read_seconds == pytest.approx(true.read_seconds, rel=0.02)
    for prompt in ([[Turn(256, 1)]], [[Turn(512, 1)]]):
        expected = replay(prompt, 1, QWEN, true).makespan_seconds
        fitted = replay(prompt, 1, QWEN, found.model).makespan_seconds
        assert fitted == pytest.approx(expected, rel=0.1)
    assert found.noisy


@pytest.mark.usefixtures("_one_descent")
def test_bursts_that_were_sent_once_say_nothing_of_scatter() -> None:
    true = theoretical_steps(QWEN, resolve_hardware("h200-sxm"))
    found = calibrate([burst for burst in bursts(true) if burst.repeat == 0], QWEN)
    assert (found.noise, found.noisy) == (None, None)
    console = Console(width=200, color_system=None)
    with console.capture() as said:
        print_calibration(console, found, None, QWEN.name, 8, "profile.toml")
    assert "Each burst was sent once: the scatter is unknown" in said.get()
    assert "apart" not in said.get()
    assert "provider" not in said.get()


def test_rows_without_two_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="two lengths"):
        calibrate([Burst("decode", 1, 128, 9, 0, 0.1)], QWEN)


def test_a_profile_is_read_back_and_used_for_its_model_alone(
    calibrated: Calibrated, tmp_path: Path
) -> None:
    made = profile("my-card", QWEN, calibrated, "vllm", resolve_hardware("h200-sxm"))
    path = tmp_path / "my-card.toml"
    path.write_text(profile_text(made))
    servings = Servings(str(path), concurrency=8)
    own, other = servings.of("qwen2.5-7b"), servings.of("llama-3.1-8b")
    assert (own.source, other.source) == ("measured", "transferred")
    assert own.steps.seconds == pytest.approx(calibrated.model.seconds, rel=1e-6)
    assert servings.of(None).concurrency == 8


def test_latencies_of_turns_give_back_the_pace_that_made_them() -> None:
    chance = np.random.default_rng(1)
    context = chance.integers(200, 9000, 400).astype(float)
    decode = chance.integers(2, 400, 400).astype(float)
    seconds = 0.3 + 2e-5 * context + 0.012 * (decode - 1)
    found = fit_latencies(QWEN, context, context, decode, seconds, np.arange(400) // 4)
    assert found.model.request_seconds == pytest.approx(0.3, rel=0.02)
    assert found.model.seconds[0] == pytest.approx(0.012, rel=0.02)
    assert found.error < 0.01
    with pytest.raises(InputError, match="30 turns"):
        fit_latencies(QWEN, context[:9], context[:9], decode[:9], seconds[:9], np.arange(9))


def test_a_peak_is_chosen_with_the_name_and_said() -> None:
    own, dense = resolve_hardware("h200-sxm"), resolve_hardware("h200-sxm:dense")
    assert (own.convention, dense.convention) == ("sparse", "dense")
    assert (dense.hoi, dense.name) == (pytest.approx(989.5e12 / 4.8e12), "h200-sxm:dense")
    with pytest.raises(InputError, match="sparsity"):
        resolve_hardware("v100:sparse")


def test_a_concurrency_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="--concurrency"):
        Servings("h200-sxm", concurrency=0)


def test_reading_the_cache_is_left_out_where_it_hides_behind_the_step() -> None:
    chance = np.random.default_rng(2)
    context = chance.normal(40_000, 400, 120)
    decode = chance.integers(20, 400, 120).astype(float)
    fresh = chance.integers(200, 9000, 120).astype(float)
    noise = chance.lognormal(0, 0.1, 120)
    seconds = (2.0 + 5e-5 * fresh + 0.011 * (decode - 1)) * noise
    found = fit_latencies(QWEN, fresh, context, decode, seconds, np.arange(120) // 10)
    assert found.model.read_seconds == 0.0
    assert (found.model.seconds[0], found.noise) == (pytest.approx(0.011, rel=0.15), None)
    assert not found.noisy


def test_latencies_that_do_not_follow_tokens_give_no_profile() -> None:
    chance = np.random.default_rng(3)
    context = chance.integers(200, 9000, 200).astype(float)
    decode = chance.integers(2, 400, 200).astype(float)
    seconds = 30.0 / (1 + context / 1000)  # Longer prompts wait less: no prefill explains that.
    with pytest.raises(InputError, match="do not show what a prefilled token"):
        fit_latencies(QWEN, context, context, decode, seconds, np.arange(200) // 4)
