"""Labels by bounds, few products and a second look, against the naive loop."""

import math

import pytest

from agentdyno_depth.records.depth import Thresholds
from tests.depth.probes.families_tiny import FAMILIES, NINE, build_tiny, sequences, tiny, torch

from agentdyno_depth.probes import bounds, fast  # isort: skip
from agentdyno_depth.probes.bounds import common_tokens, least_jsd, likeliest, lower_bounds  # isort: skip
from agentdyno_depth.probes.fast import deep_labels  # isort: skip
from agentdyno_depth.probes.recording import record_states  # isort: skip
from bench.depth_reference import (  # isort: skip
    jensen_shannon,
    reference_distances,
    reference_labels,
)
from agentdyno_depth.probes.rounding import Sizes, state_lengths  # isort: skip
from agentdyno_depth.probes.prediction_rows import last_rows, row_distances  # isort: skip


@pytest.fixture(autouse=True)
def _clever_also_when_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs and survivors, although a tiny model would be done in one product."""
    monkeypatch.setitem(fast.ONE_PRODUCT_ROWS, "cpu", 0)
    monkeypatch.setattr(bounds, "TOP", 16)
    monkeypatch.setattr(bounds, "WIDE", 64)
    monkeypatch.setattr(bounds, "COMMON", 64)


@pytest.mark.parametrize("model_type", FAMILIES)
def test_labels_equal_the_reference_for_nine_pairs(model_type: str) -> None:
    opened = tiny(model_type)
    found = []
    for block in record_states(opened.model, opened.family, sequences((3, 70), (9, 80), (1, 75))):
        expected = reference_labels(block.states, opened.readout, NINE)
        deep = deep_labels(block.states, opened.readout, NINE, budget_bytes=3 * 4 * 331 * 64)
        assert torch.equal(deep.labels, expected)
        found.append(expected.float().mean(1))
    ratios = torch.stack(found).mean(0)
    # A tiny MiniMax has settled after its first layer.
    least = -1 if model_type == "minimax" else 0
    assert least < ratios.mean() < 1, "the labels of this model would show nothing"


def test_whoever_asked_may_change_the_labels() -> None:
    opened = tiny("llama")
    (block,) = record_states(opened.model, opened.family, sequences((4, 10)))
    deep = deep_labels(block.states, opened.readout, NINE)
    deep.labels[0, 0] = ~deep.labels[0, 0]
    deep.entropies.add_(1.0)


def test_one_product_and_the_long_way_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = tiny("granite")
    (block,) = record_states(opened.model, opened.family, sequences((4, 60)))
    clever = deep_labels(block.states, opened.readout, NINE)
    monkeypatch.setitem(fast.ONE_PRODUCT_ROWS, "cpu", 10_000)
    at_once = deep_labels(block.states, opened.readout, NINE)
    assert torch.equal(clever.labels, at_once.labels)
    assert clever.work.proved > 0
    assert at_once.work.proved == 0
    assert clever.work.checks < at_once.work.checks


def test_a_wider_proof_leaves_fewer_layers_open(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = tiny("granite")
    (block,) = record_states(opened.model, opened.family, sequences((4, 60)))
    monkeypatch.setattr(bounds, "TOP", 2)
    wide = deep_labels(block.states, opened.readout, NINE)
    monkeypatch.setattr(fast, "WORTH_WIDENING", 99)
    narrow = deep_labels(block.states, opened.readout, NINE)
    assert torch.equal(wide.labels, narrow.labels)
    assert wide.work.proved > narrow.work.proved
    assert wide.work.checks < narrow.work.checks


def test_half_precision_is_resolved_to_what_its_exact_products_say() -> None:
    opened = build_tiny("granite")
    opened.model.to(torch.bfloat16)
    readout = opened.family.readout(opened.model)
    (block,) = record_states(opened.model, opened.family, sequences((4, 400)))
    assert block.states.dtype == torch.bfloat16
    expected = reference_labels(block.states, readout, NINE)
    deep = deep_labels(block.states, readout, NINE)
    assert torch.equal(deep.labels, expected)


@pytest.mark.parametrize("beside", [-1e-11, 1e-11])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_threshold_that_hits_a_distance_is_decided_in_float64(
    dtype: torch.dtype, beside: float
) -> None:
    opened = build_tiny("llama")
    opened.model.to(dtype)
    readout = opened.family.readout(opened.model)
    (block,) = record_states(opened.model, opened.family, sequences((4, 30)))
    exact = reference_distances(block.states, readout, torch.float64)
    # On the smallest distance of token 7 before the deep layers hangs whether it is deep.
    g = float(exact[: math.ceil(0.6 * len(exact)) - 1, 7].min()) * (1 + beside)
    pair = [Thresholds(g, 0.6)]
    expected = reference_labels(block.states, readout, pair)
    deep = deep_labels(block.states, readout, pair)
    assert torch.equal(deep.labels, expected)
    assert deep.work.resolved_float64 >= 1


def test_rho_of_one_layer_makes_every_token_deep() -> None:
    opened = tiny("llama")
    (block,) = record_states(opened.model, opened.family, sequences((4, 10)))
    # ceil(0.1 * 9) = 1: every layer is a deep one.
    assert deep_labels(block.states, opened.readout, [Thresholds(0.5, 0.1)]).labels.all()


@pytest.mark.parametrize("model_type", ["llama", "gemma2", "granite"])
def test_a_lower_bound_is_never_above_the_distance(model_type: str) -> None:
    opened = tiny(model_type)
    (block,) = record_states(opened.model, opened.family, sequences((4, 90)))
    exact = reference_distances(block.states, opened.readout, torch.float64)[:-1]
    normed = opened.readout.normalize(block.states)
    last = last_rows(opened.readout, opened.readout.raw_logits(normed[-1]))
    tokens = torch.arange(90)
    found = lower_bounds(
        opened.readout,
        normed[:-1],
        last,
        Sizes(state_lengths(normed[-1]), last.peak),
        tokens,
        common_tokens(opened.readout, normed[:-1]),
        likeliest(last.raw, tokens, 16),
    )
    assert (found <= exact + 1e-5).all()
    if model_type == "granite":  # The others' predictions are too flat to prove much.
        assert (found > 0.5 * exact).float().mean() > 0.3, "bounds that bind nothing"


def test_a_common_token_that_stands_there_twice_counts_once() -> None:
    opened = tiny("granite")
    (block,) = record_states(opened.model, opened.family, sequences((4, 40)))
    normed = opened.readout.normalize(block.states)
    last = last_rows(opened.readout, opened.readout.raw_logits(normed[-1]))
    sizes, tokens = Sizes(state_lengths(normed[-1]), last.peak), torch.arange(40)
    common = common_tokens(opened.readout, normed[:-1])
    top = likeliest(last.raw, tokens, 16)
    repeated = torch.cat([common, common[::3], common[:5]]).sort().values
    once, often = (
        lower_bounds(opened.readout, normed[:-1], last, sizes, tokens, each, top)
        for each in (common, repeated)
    )
    torch.testing.assert_close(often, once, rtol=0, atol=1e-5)


@pytest.mark.parametrize("vocabulary", [12, 331, 16 * 64 + 5, 4096])
def test_the_likeliest_tokens_are_those_of_a_search_through_all(vocabulary: int) -> None:
    raw = torch.randn(40, vocabulary, generator=torch.Generator().manual_seed(1))
    raw[:3, -1] = 9.0  # Behind the last whole block.
    tokens = torch.arange(0, 40, 3)
    expected = raw[tokens].topk(min(16, vocabulary), -1).indices
    assert torch.equal(likeliest(raw, tokens, 16).sort(-1).values, expected.sort(-1).values)


def test_the_least_jsd_of_opposed_cells_is_what_the_docstring_works_out() -> None:
    # p = (0.9, 0.1), the other layer has nothing in the first cell: H(0.45) - H(0.9) / 2.
    p = torch.tensor([[0.9, 0.1]])
    share = torch.tensor([[[0.0, 1.0]]])
    assert least_jsd(p, share).item() == pytest.approx(0.7583, abs=2e-3)


def test_the_least_jsd_is_below_every_choice_of_the_normaliser() -> None:
    random = torch.Generator().manual_seed(0)
    p = torch.rand(50, 6, generator=random).softmax(-1) * 0.9
    share = (4 * torch.randn(3, 50, 6, generator=random)).softmax(-1)
    bound = least_jsd(p, share)
    whole_p = torch.cat([p, 1 - p.sum(-1, keepdim=True)], -1)
    for v in torch.linspace(0, 1, 101):
        q = torch.cat([share * v, (1 - v).expand(3, 50, 1)], -1)
        jsd = jensen_shannon(whole_p.expand(3, -1, -1).log(), q.clamp(min=1e-30).log())
        assert (bound <= jsd + 1e-5).all()


def test_the_jsd_of_a_sure_and_an_even_distribution() -> None:
    # H(3/4, 1/4) - 0 - 1/2 = 0.8113 - 0.5.
    sure = torch.tensor([[0.0, -60.0]])
    even = torch.tensor([[0.0, 0.0]])
    opened = tiny("llama")
    last = last_rows(opened.readout, sure)
    found = row_distances(opened.readout, even, last, torch.tensor([0]))
    assert found.jsd.item() == pytest.approx(0.3113, abs=1e-4)
    assert found.kl.item() == pytest.approx(1.0, abs=1e-4)  # log2(1 / (1/2))
    assert jensen_shannon(sure.log_softmax(-1), even.log_softmax(-1)).item() == pytest.approx(
        0.3113, abs=1e-4
    )


def test_sums_over_a_large_vocabulary_keep_float32s_precision() -> None:
    random = torch.Generator().manual_seed(1)
    opened = tiny("llama")
    last_logits = 5 * torch.randn(8, 150_000, generator=random)
    logits = last_logits + 3 * torch.randn(8, 150_000, generator=random)
    found = row_distances(
        opened.readout, logits, last_rows(opened.readout, last_logits), torch.arange(8)
    )
    wide = jensen_shannon(last_logits.double().log_softmax(-1), logits.double().log_softmax(-1))
    assert (found.jsd - wide).abs().max() < 5e-5
