"""The front of policies: dollars against text that would have to be read again."""

from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.whatif import WhatIfOptions, search, whatif
from agentdyno.studies.views import View


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return folder


def test_no_policy_of_the_front_is_beaten_in_both(ledger: Path) -> None:
    front = search(ledger)
    assert front
    costs, again = [each.usd for each in front], [each.read_again for each in front]
    assert costs == sorted(costs)
    assert again == sorted(again, reverse=True)
    assert len({*costs}) == len({*again}) == len(front)


def test_caps_and_compactions_together_are_read_again_for_both(ledger: Path) -> None:
    alone = [
        _cost(ledger, cap_results=50),
        _cost(ledger, compact_at=1_000),
    ]
    assert _cost(ledger, cap_results=50, compact_at=1_000) != pytest.approx(min(alone))


def _cost(ledger: Path, **changes: int) -> float:
    options = WhatIfOptions(counts_rereads=True, **changes)  # type: ignore[arg-type]
    figures = whatif(ledger, options, View(unit="usd"))[0].together.figures
    return next(each.after or 0.0 for each in figures if each.name == "usd")
