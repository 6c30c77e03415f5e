"""What readings of real findings add up to."""

from agentdyno.records.precision import Reading, SecondReading, measure_readings


def _reading(first: bool, second: bool | None, day: str = "2026-11-17") -> Reading:
    again = SecondReading(second, "definition", day)
    return Reading("join", "a.jsonl", 1, first, "definition", "2026-11-15", second=again)


def test_a_finding_counts_as_right_only_where_both_readers_say_so() -> None:
    once = Reading("join", "a.jsonl", 1, True, "definition", "2026-11-18")
    pairs = [(True, True), (True, False), (False, True), (False, None), (True, None)]
    found = measure_readings([once, *(_reading(first, second) for first, second in pairs)])
    assert (found.right, found.read, found.unclear, found.once) == (1, 4, 1, 1)
    assert found.latest == "2026-11-17"


def test_findings_that_were_read_once_are_never_enough() -> None:
    once = Reading("join", "a.jsonl", 1, True, "definition", "2026-11-18")
    assert not measure_readings([once] * 100).is_enough
    assert measure_readings([_reading(True, True)] * 30).is_enough
