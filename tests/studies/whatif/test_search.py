"""The front of policies: dollars against text that would have to be read again."""

from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.whatif import search


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return folder


def test_no_policy_of_the_front_is_beaten_in_both(ledger: Path) -> None:
    found = search(ledger)
    [as_it_is] = [each for each in found if not each.command]
    beaten = as_it_is.usd > min(each.usd for each in found)
    front = [each for each in found if each.command or not beaten]
    assert front
    assert as_it_is.read_again == 0
    costs, again = [each.usd for each in front], [each.read_again for each in front]
    assert costs == sorted(costs)
    assert again == sorted(again, reverse=True)
    assert len({*costs}) == len({*again}) == len(front)
