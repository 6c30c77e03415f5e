"""States built to lie near the threshold: labels and profiles against float64, in every type."""

import math
from functools import cache

import pytest
import torch
from bench.depth_reference import jensen_shannon, read_deep, reference_labels
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.measures import depth
from agentdyno.records import InputError
from agentdyno_depth.probes import fast
from agentdyno_depth.probes.distances import profile_block
from agentdyno_depth.probes.fast import deep_labels, exact_distances
from agentdyno_depth.probes.finite import NotFinite
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.recording import StateBlock
from agentdyno_depth.probes.rounding import JSD_BITS_PER_NAT, UNIT, faithful
from agentdyno_depth.records.depth import Distance, Thresholds

TYPES = ["float32", "bfloat16", "float16"]
WIDTH, VOCABULARY, LAYERS = 16, 97, 4
G = 0.5
ROWS = [1_500, pytest.param(10_000, marks=pytest.mark.slow)]


@cache
def near_threshold(dtype: "torch.dtype", size: float, rows: int) -> "tuple[torch.Tensor, Readout]":
    """States whose second layer's JSD is brought to G by bisection, as far as the type lets it.

    `size` is about the largest logit: rounding grows with it. Kept for the next test: whoever
    changes a state takes a copy.
    """
    random = torch.Generator().manual_seed(0)
    weight = torch.randn(VOCABULARY, WIDTH, generator=random)
    weight = (weight * size / (3 * WIDTH)).to(dtype)
    readout = Readout(norm=lambda x: x, weight=weight)
    last = 3 * torch.randn(rows, WIDTH, generator=random, dtype=torch.float64)
    far = 3 * torch.randn(rows, WIDTH, generator=random, dtype=torch.float64)
    low, high = torch.zeros(rows, 1).double(), torch.ones(rows, 1).double()
    rounded = last.to(dtype).to(torch.float64)
    for _ in range(40):
        middle = (low + high) / 2
        mixed = (last + middle * (far - last)).to(dtype).to(torch.float64)
        found = exact_distances(readout, mixed, rounded, 4096).jsd[:, None]
        high = torch.where(found > G, middle, high)
        low = torch.where(found > G, low, middle)
    even = torch.arange(rows)[:, None] % 2 == 0  # Every other row stays just below G.
    at = torch.where(even, high, low)
    states = torch.stack([far, last + at * (far - last), far, last]).to(dtype)
    return states, readout


@pytest.fixture(autouse=True)
def _clever_also_when_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fast.ONE_PRODUCT_ROWS, "cpu", 0)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [20.0, 400.0])
def test_labels_and_profiles_near_the_threshold_are_float64s(
    dtype: str, size: float, rows: int
) -> None:
    states, readout = near_threshold(getattr(torch, dtype), size, rows)
    # rho 0.75 of four layers: the cut is layer 3, so layer 2 decides.
    pair = Thresholds(G, 0.75)
    expected = reference_labels(states, readout, [pair])
    found = deep_labels(states, readout, [pair])
    assert torch.equal(found.labels, expected)
    assert 0.05 < expected.float().mean() < 0.95, "rows on one side of g show nothing"
    profile, _ = profile_block(_block(states), readout, ["jsd"], [pair.g])
    assert torch.equal(read_deep(profile["jsd"], pair), expected[0])
    if dtype == "float32":
        assert found.work.resolved_float64 > 0.4 * rows  # that near, float32 cannot tell


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("distance", ["kl", "cosine"])
def test_profiles_of_other_distances_take_the_second_look(
    dtype: str, distance: Distance, rows: int
) -> None:
    states, readout = near_threshold(getattr(torch, dtype), 20.0, rows)
    exact = _exact(states, readout, distance)
    # A hair from what some rows have: float64 can tell, and float32 cannot.
    gs = [float(exact[1, row]) + hair for row, hair in ((3, -1e-12), (1411, 1e-12))]
    profile, _ = profile_block(_block(states), readout, [distance], gs)
    for g in gs:
        pair = Thresholds(g, 0.75)
        assert torch.equal(read_deep(profile[distance], pair), read_deep(exact, pair))


def test_logits_kept_in_bfloat16_would_have_decided_wrongly() -> None:
    # Why they are not: the same rows with logits rounded to the short type, as models leave them.
    states, readout = near_threshold(torch.bfloat16, 400.0, 1_500)
    short = [(row @ readout.weight.T).double() for row in (states[1], states[-1])]
    exact = [row.double() @ readout.weight.double().T for row in (states[1], states[-1])]
    rounded, true = (_jsd(*rows) for rows in (short, exact))
    assert ((rounded > 0.5) != (true > 0.5)).float().mean() > 0.05
    # And the derivation holds: no JSD moved by more than its bound.
    moved = [(a - b).abs().amax(-1) for a, b in zip(short, exact, strict=True)]
    assert ((rounded - true).abs() <= JSD_BITS_PER_NAT * (moved[0] + moved[1])).all()
    assert (moved[0] <= UNIT[torch.bfloat16] * exact[0].abs().amax(-1) * 1.01).all()


def test_the_steepest_a_jsd_can_be_is_what_the_constant_says() -> None:
    # Half of 2 b (1 - b) ln(1 + 1/b) in bits, at its largest.
    b = torch.linspace(1e-4, 1 - 1e-4, 200_001, dtype=torch.float64)
    steepest = float((b * (1 - b) * torch.log1p(1 / b)).max()) / math.log(2)
    assert steepest == pytest.approx(0.44490, abs=1e-4)
    assert steepest <= JSD_BITS_PER_NAT < 1.001 * steepest


def test_a_distance_keeps_its_side_when_it_is_rounded_to_float32() -> None:
    g = 0.1  # no float32: the nearest is above it
    exact = torch.tensor([g, math.nextafter(g, 1), math.nextafter(g, 0)], dtype=torch.float64)
    assert (faithful(exact, [g]).double() <= g).tolist() == [True, False, True]


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_broken_state_is_an_error_that_names_token_and_layer(number: float) -> None:
    states, readout = near_threshold(torch.float32, 20.0, 40)
    states = states.clone()
    states[1, 7, 3] = number
    for run in (
        lambda: deep_labels(states, readout, [Thresholds()]),
        lambda: profile_block(_block(states), readout, ["jsd"]),
    ):
        with pytest.raises(NotFinite, match=r"token 7.*layer 2"):
            run()


def test_an_infinite_weight_is_an_error_and_no_depth() -> None:
    states, readout = near_threshold(torch.float32, 20.0, 4)
    weight = readout.weight.clone()
    weight[5, 2] = math.inf
    with pytest.raises(InputError, match=r"token 5 .1 such rows.*layer 1 and token 0"):
        deep_labels(states, Readout(norm=lambda x: x, weight=weight), [Thresholds()])


def test_logits_beyond_float16_are_finite_where_they_are_kept_in_float32() -> None:
    states, readout = near_threshold(torch.float16, 20.0, 64)
    large = Readout(norm=lambda x: x, weight=readout.weight * 500)
    bigger = states * 100  # products of about 1e6: beyond 65,504
    assert deep_labels(bigger, large, [Thresholds()]).labels.shape == (1, 64)
    expected = reference_labels(bigger, large, [Thresholds()])
    assert torch.equal(deep_labels(bigger, large, [Thresholds()]).labels, expected)


def _block(states: "torch.Tensor") -> StateBlock:
    nothing = torch.zeros(states.shape[1], dtype=torch.long)
    return StateBlock(states, nothing, nothing, nothing)


def _jsd(one: "torch.Tensor", two: "torch.Tensor") -> "torch.Tensor":
    from bench.depth_reference import jensen_shannon

    return jensen_shannon(one.log_softmax(-1), two.log_softmax(-1))


def _exact(states: "torch.Tensor", readout: Readout, distance: Distance) -> "torch.Tensor":
    wide = states.double()
    if distance == "cosine":
        return 1 - torch.nn.functional.cosine_similarity(wide, wide[-1:], -1)
    rows = [exact_distances(readout, layer, states[-1], 4096).kl for layer in states]
    return torch.stack(rows)


@given(st.lists(st.lists(st.floats(-30, 30), min_size=5, max_size=5), min_size=2, max_size=2))
def test_the_reference_on_tensors_is_the_definition(logits: list[list[float]]) -> None:
    p, q = torch.tensor(logits, dtype=torch.float64).log_softmax(-1)
    defined = depth.jensen_shannon(p.exp().numpy(), q.exp().numpy())
    assert float(jensen_shannon(p, q)) == pytest.approx(float(defined), abs=1e-12)
