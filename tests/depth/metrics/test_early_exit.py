"""Early exit by rules that see only the layers below: worked by hand, and on a tiny model."""

from pathlib import Path

import numpy as np
import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno_depth.metrics.early_exit import (
    ExitRule,
    agreement,
    count_readouts,
    exit_depths,
    largest_depths,
)
from agentdyno_depth.records.layer_choices import LayerChoices
from tests.ledger.traces import write_jsonl

FOUND = LayerChoices(
    tokens=np.array([[7, 5], [4, 5], [4, 5], [4, 6]]),  # Layers x tokens: the last decides.
    probability=np.array([[0.2, 0.6], [0.5, 0.95], [0.95, 0.9], [0.99, 0.5]]),
    margin=np.array([[0.1, 0.3], [0.2, 0.9], [0.9, 0.8], [0.98, 0.1]]),
)


@pytest.mark.parametrize(
    ("rule", "depths", "agrees"),
    [
        (ExitRule("probability", 0.9, 1), [3, 2], 0.5),  # The second token is sure too early.
        (ExitRule("probability", 0.9, 2), [4, 2], 0.5),  # Layer 3 is not looked at.
        (ExitRule("margin", 0.95, 1), [4, 4], 1.0),
        (ExitRule("agreement", 2, 1), [3, 2], 0.5),
        (ExitRule("agreement", 3, 1), [4, 3], 0.5),
        (ExitRule("oracle", 1, 1), [2, 4], 1.0),
    ],
)
def test_a_rule_stops_where_it_first_holds(
    rule: ExitRule, depths: list[int], agrees: float
) -> None:
    found = exit_depths(FOUND, rule)
    assert found.tolist() == depths
    assert agreement(FOUND, found) == agrees


def test_a_batch_ends_with_its_deepest_token() -> None:
    depths = np.array([1, 4])
    assert largest_depths(depths, 4, 1).tolist() == [0.5, 0, 0, 0.5]
    assert largest_depths(depths, 4, 3).tolist() == [0.125, 0, 0, 0.875]
    # Checked after layers 1, 2 and 3: one readout for who leaves at 1, else three and the last.
    assert count_readouts(4, [1, 2, 3], largest_depths(depths, 4, 1)) == 0.5 * 1 + 0.5 * 4


def test_a_ledger_says_what_its_own_turns_would_save(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the depth extra is not installed: torch")
    pytest.importorskip("transformers", reason="the depth extra is not installed: transformers")
    from agentdyno_depth.pipelines.depth.ledger_turns import measure_early_exit
    from agentdyno_depth.reports.depth.early_exit import render_early_exit
    from tests.tiny import tiny_model

    traces = write_jsonl(tmp_path / "traces.jsonl", range(3), calls=2)
    measure([traces], tmp_path / "ledger", MeasureOptions(workers=1))
    found = measure_early_exit(tmp_path / "ledger", tiny_model(), limit=2)
    assert found.tokens > 0
    oracle = found.rows[-1]
    assert (oracle.rule.signal, oracle.agreement) == ("oracle", 1.0)
    for row in found.rows:
        assert 0 <= row.agreement <= 1
        assert row.seconds_saved[1] <= row.layers_saved + 1e-9  # Prefill and checks are not saved.
    assert "oracle" in str(render_early_exit(found).tables[0].rows)
