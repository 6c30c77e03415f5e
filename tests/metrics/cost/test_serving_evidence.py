"""Whether a mechanism was ever measured, and by how much such numbers were off."""

import pytest

from agentdyno.cost.power import widen
from agentdyno.cost.serving_evidence import (
    NEVER_MEASURED,
    NINE_IN_TEN,
    doubt_of,
    evidence_of,
    pick_worst,
)
from agentdyno.cost.servings import Servings


@pytest.mark.parametrize("shape", ["llama-3.1-8b", "gemma-3-12b", "mixtral-8x7b", "gpt-oss-20b"])
def test_a_mechanism_that_ran_on_the_card_has_its_own_error(shape: str) -> None:
    found = evidence_of(Servings("h200-sxm", shape).of(None))
    assert found.is_measured
    assert found.describe().startswith("Such numbers were ")


@pytest.mark.parametrize(
    ("hardware", "shape", "gpus", "speculative", "differs"),
    [
        ("h100-pcie", "llama-3.1-8b", None, None, ("NVIDIA H100 80GB PCIe",)),
        ("h200-sxm", "llama-3.3-70b", 8, "3:0.7", ("8 cards", "speculative decoding")),
        ("h200-sxm", "qwen3-next-80b-a3b", 2, None, ("2 cards", "layers with a state")),
        ("h200-sxm", "deepseek-v3", 8, None, ("8 cards", "latent attention", "8 bits in blocks")),
        ("h200-sxm", "gemma-3-12b", 2, None, ("2 cards",)),
    ],
)
def test_what_was_never_measured_says_so_and_what_differs(
    hardware: str, shape: str, gpus: int | None, speculative: str | None, differs: tuple[str, ...]
) -> None:
    serving = Servings(hardware, shape, gpus=gpus, speculative=speculative).of(None)
    found = evidence_of(serving)
    assert found.differs == differs
    assert found.describe().startswith("Never measured: nearest evidence ")


def test_a_policy_counts_where_it_pushed_prefixes_out() -> None:
    serving = Servings("h200-sxm", "llama-3.1-8b").of(None)
    assert evidence_of(serving, "vllm").is_measured
    assert evidence_of(serving, "sglang").differs == ("prefixes pushed out (sglang)",)


def test_the_least_known_of_several_models_is_shown() -> None:
    known, unknown = (
        evidence_of(Servings(card, "llama-3.1-8b").of(None)) for card in ("h200-sxm", "h100-pcie")
    )
    assert pick_worst([known, unknown]) is unknown
    assert pick_worst([known, None]) is None


def test_a_range_of_energy_is_wider_where_the_mechanism_was_never_measured() -> None:
    """Both widths as independent errors: 5 / exp(hypot(ln 2.5, ln 1.25)) = 1.947."""
    assert widen((2.0, 8.0), (0.8, 1.25)) == pytest.approx((1.947, 8.413), abs=1e-3)
    assert widen((0.0, 0.0), (0.8, 1.25)) == (0.0, 0.0)
    measured, never = (
        doubt_of(evidence_of(Servings(card, "llama-3.1-8b").of(None)))
        for card in ("h200-sxm", "h100-pcie")
    )
    error = NINE_IN_TEN * 0.0348
    assert measured == pytest.approx((1 / (1 + error), 1 / (1 - error)))
    assert never == (measured[0], NEVER_MEASURED[1])
    assert doubt_of(None) == NEVER_MEASURED
