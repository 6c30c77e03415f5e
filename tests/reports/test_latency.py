"""Latencies that are not believed."""

from agentdyno.reports.latency import left_out
from agentdyno.studies.cost.results import Latency


def test_turns_that_were_left_out_are_told() -> None:
    assert left_out(Latency(5, 2, [], [], None)) == ""
    assert left_out(Latency(5, 2, [], [], None, 1)).startswith("1 turn was left out")
    assert left_out(Latency(5, 2, [], [], None, 1234)).startswith("1,234 turns were left out")
