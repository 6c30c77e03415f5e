import pytest

from agentdyno_depth.records.depth import Thresholds
from tests.depth.probes.families_tiny import NINE, sequences, tiny, torch

from agentdyno_depth.probes.generating import Batch, Sampling, draw  # isort: skip
from agentdyno_depth.probes.online import OnlineDepth  # isort: skip
from agentdyno_depth.probes.profiles import label_sequences  # isort: skip


@pytest.mark.parametrize("every_steps", [1, 4, 100])
def test_depth_while_generating_equals_depth_afterwards(every_steps: int) -> None:
    opened = tiny("granite")
    prompts = [sequence.prompt for sequence in sequences((3, 0), (7, 0), (5, 0))]
    online = OnlineDepth(opened, 3, NINE, every_steps=every_steps)
    batch = Batch(opened, prompts, Sampling(seed=4), online)
    batch.advance(25)
    afterwards = label_sequences(opened, batch.sequences(), NINE).labels
    expected = torch.tensor([[float(row.mean()) for row in own.deep] for own in afterwards]).T
    torch.testing.assert_close(online.ratios(), expected)
    assert online.tokens().tolist() == [len(s.response) for s in batch.sequences()]
    log_probs = [float(own.confidence.log_probs.mean()) for own in afterwards]
    assert online.confidences()[0].tolist() == pytest.approx(log_probs, abs=1e-3)


def test_dropped_sequences_keep_their_counts_and_the_others_go_on() -> None:
    opened = tiny("granite", eos_token_id=None)
    opened.model.generation_config.eos_token_id = None
    prompts = [sequence.prompt for sequence in sequences((3, 0), (7, 0), (5, 0))]
    online = OnlineDepth(opened, 3, [Thresholds(0.5, 0.6)], every_steps=3)
    batch = Batch(opened, prompts, Sampling(temperature=0), online)
    batch.advance(5)
    batch.keep([2, 0])
    batch.advance(4)
    assert [len(s.response) for s in batch.sequences()] == [9, 5, 9]
    assert online.tokens().tolist() == [9, 5, 9]
    # Greedy decoding does not depend on who else is in the batch.
    alone = Batch(opened, [prompts[2]], Sampling(temperature=0))
    alone.advance(9)
    assert alone.sequences()[0] == batch.sequences()[2]


def test_nothing_is_counted_before_the_first_token() -> None:
    online = OnlineDepth(tiny("llama"), 2)
    assert online.ratios().isnan().all()


def test_top_p_leaves_out_the_unlikely_and_never_everything() -> None:
    logits = torch.log(torch.tensor([[0.6, 0.3, 0.1]])).repeat(200, 1)
    random = torch.Generator().manual_seed(0)
    uniform = torch.rand(200, generator=random, dtype=torch.float64)
    drawn = draw(logits, 1.0, 0.7, uniform)
    assert set(drawn.tolist()) == {0, 1}  # 0.6 alone is below 0.7; with 0.3 it is not
    assert set(draw(logits, 1.0, 0.01, uniform).tolist()) == {0}
    assert set(draw(logits, 0.0, 1.0, uniform).tolist()) == {0}
