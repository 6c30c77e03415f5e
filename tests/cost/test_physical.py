"""The physical cost: steps by theory, the replay of a batch, GPU-seconds of turns."""

from pathlib import Path

import numpy as np
import pytest

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.physical import Serving, gpu_seconds
from agentdyno.cost.servings import Servings
from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.cost.steps import numbers_read, theoretical_steps
from agentdyno.records import InputError
from tests.cost.workloads import Turn, replay

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
    assert moe.step_bytes(1) / 2 == pytest.approx(moe.active_params + moe.head_params)
    own = moe.active_params - moe.routed_params / 16
    missed = (15 / 16) ** 64
    assert moe.step_bytes(64) / 2 == pytest.approx(
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


def test_a_peak_is_chosen_with_the_name_and_said() -> None:
    own, dense = resolve_hardware("h200-sxm"), resolve_hardware("h200-sxm:dense")
    assert (own.convention, dense.convention) == ("sparse", "dense")
    assert (dense.hoi, dense.name) == (pytest.approx(989.5e12 / 4.8e12), "h200-sxm:dense")
    with pytest.raises(InputError, match="sparsity"):
        resolve_hardware("v100:sparse")


def test_a_profile_is_used_for_its_models_and_others_go_by_theory() -> None:
    servings, hardware = Servings("h200-sxm-vllm", concurrency=8), resolve_hardware("h200-sxm-vllm")
    measured = {each.architecture: each.steps.seconds for each in hardware.measured}
    own, other = servings.of("qwen2.5-7b"), servings.of("qwen3-32b")
    assert (own.source, other.source) == ("measured", "theory")
    assert own.steps.seconds == measured["qwen2.5-7b"]
    assert servings.of(None).concurrency == 8


def test_a_hardware_file_lends_every_model_its_efficiency(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\nsource = "a test"\npeak_flops = 1e15\npeak_bytes_per_second = 4e12\n'
        "[efficiency]\nstep_seconds = 0.01\n"
    )
    serving = Servings(str(file)).of("qwen2.5-7b")
    assert serving.source == "transferred"
    assert min(serving.steps.seconds) > 0.01


def test_a_concurrency_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="--concurrency"):
        Servings("h200-sxm", concurrency=0)
