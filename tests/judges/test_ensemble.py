"""The vote of a rule and its judges."""

from agentdyno.judges.ensemble import majority
from tests.labelled import from_set


@from_set("judges/ensemble", "rule", "judges", "label", "voters", "tied")
def test_majority_with_ties_to_the_rule(
    rule: str, judges: dict[str, str | None], label: str, voters: int, tied: bool
) -> None:
    vote = majority(rule, judges)
    assert (vote.label, vote.voters, vote.tied) == (label, voters, tied)
    assert vote.overruled == (label != rule)
