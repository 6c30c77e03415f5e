"""A file that is read with the one beside it is no file that was skipped."""

from pathlib import Path

from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.labelled import DATA


def test_messages_are_read_with_the_account_of_their_run(tmp_path: Path) -> None:
    found = measure([DATA / "mcpmark"], tmp_path / "ledger", MeasureOptions(workers=1))
    reasons = {Path(each.source).name: (each.state, each.reason) for each in found.outcomes}
    assert reasons["messages.json"] == ("read", "read with meta.json")
    assert reasons["meta.json"][0] == "read"
