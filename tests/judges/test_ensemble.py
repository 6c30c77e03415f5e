"""The vote of a rule and its judges."""

import pytest

from agentdyno.judges.ensemble import majority


@pytest.mark.parametrize(
    ("rule", "judges", "label", "voters", "tied"),
    [
        ("result_ignore", {"a": "correct", "b": "correct"}, "correct", 3, False),
        ("result_ignore", {"a": "correct", "b": "tool_skip"}, "result_ignore", 3, True),
        ("result_ignore", {"a": "correct", "b": None}, "result_ignore", 2, True),
        ("correct", {"a": None, "b": None}, "correct", 1, False),
        ("correct", {"a": "tool_skip", "b": "tool_skip", "c": "correct"}, "correct", 4, True),
    ],
)
def test_majority_with_ties_to_the_rule(
    rule: str, judges: dict[str, str | None], label: str, voters: int, tied: bool
) -> None:
    vote = majority(rule, judges)
    assert (vote.label, vote.voters, vote.tied) == (label, voters, tied)
    assert vote.overruled == (label != rule)
