"""Ratios under other conventions, against the formula with the whole vocabulary in float64."""

import math

import pytest

from agentdyno.measures.depth import CONVENTIONS, Convention, cut_layer
from agentdyno_depth.records.depth import Thresholds
from tests.depth.probes.families_tiny import sequences, tiny, torch

from agentdyno_depth.probes.conventions import compare_conventions  # isort: skip
from agentdyno_depth.probes.recording import record_states  # isort: skip


def _by_formula(convention: Convention, g: float, rho: float) -> list[float]:
    """Equations 1 to 6, token by token; the last layer is the model's own prediction."""
    opened = tiny("llama")
    readout, ratios = opened.readout, []
    for sequence in sequences((3, 40), (5, 30)):
        (block,) = record_states(opened.model, opened.family, [sequence])
        normed = readout.normalize(block.states).double()
        states = block.states.double() if convention.startswith("bare") else normed
        states = torch.cat([states[:-1], normed[-1:]])
        p = torch.softmax(readout.finish(states @ readout.weight.double().T), -1)
        middle = (p + p[-1:]) / 2
        bits = -torch.special.xlogy(middle, middle).sum(-1)
        bits += (torch.special.xlogy(p, p) + torch.special.xlogy(p[-1:], p[-1:])).sum(-1) / 2
        distances = bits if convention.endswith("nats") else bits / math.log(2)
        below = distances[: cut_layer(len(distances), rho) - 1]
        ratios.append(float((below > g).all(0).double().mean()))
    return ratios


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_convention_is_the_formula(convention: Convention) -> None:
    pair = Thresholds(0.3, 0.6)
    found = compare_conventions(tiny("llama"), sequences((3, 40), (5, 30)), [convention], pair)
    assert found[convention] == pytest.approx(_by_formula(convention, pair.g, pair.rho))


def test_conventions_differ_on_one_text() -> None:
    pair = Thresholds(0.3, 0.6)
    names: list[Convention] = [*CONVENTIONS]
    found = compare_conventions(tiny("llama"), sequences((3, 40)), names, pair)
    ratios = [found[name][0] for name in names]
    assert len(set(ratios)) > 1
    # More bits than nats: what is within 0.3 bits is within 0.3 nats.
    assert ratios[1] <= ratios[0]
    assert ratios[3] <= ratios[2]
