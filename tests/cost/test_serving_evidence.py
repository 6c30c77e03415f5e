"""Whether a mechanism was ever measured, and by how much such numbers were off."""

import pytest

from agentdyno.cost.serving_evidence import (
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
