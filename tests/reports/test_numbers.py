"""Numbers and names as a person reads them."""

from agentdyno.records import plural
from agentdyno.reports.numbers import dollars, label, percent, short
from tests.labelled import from_set


@from_set("reports/numbers", "value", "shown")
def test_short(value: float | None, shown: str) -> None:
    assert short(value) == shown


def test_unknown_is_a_dash_and_nothing_is_zero() -> None:
    assert (percent(None), dollars(None), label(None), label("")) == ("–", "–", "–", "–")
    assert (percent(0.0), dollars(0.0)) == ("0.0 %", "$0")


def test_shares_money_and_plurals() -> None:
    assert percent(0.1234) == "12.3 %"
    assert [dollars(v) for v in (0.00123, 0.0123, 1234.5)] == ["$0.00123", "$0.012", "$1,234.50"]
    assert (plural(1, "turn"), plural(2, "turn"), plural(0, "turn")) == (
        "1 turn",
        "2 turns",
        "0 turns",
    )
    assert plural(1234, "trajectory", "trajectories") == "1,234 trajectories"


def test_names_are_joined_cleaned_and_shortened() -> None:
    assert label("gpt", None, "gaia") == "gpt · gaia"
    assert label("a\x1b[31m\nb") == "a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}b"
    assert len(label("x" * 1000)) == 40
