"""The grammar of gates, and what is said about a wrong one."""

import pytest

from agentdyno.records import InputError
from agentdyno.studies.comparison.gates import parse_gate


@pytest.mark.parametrize(
    ("text", "metric", "worse", "against", "limit", "unit"),
    [
        ("pte<=+5%", "pte", "above", "ratio", 5.0, "%"),
        ("accuracy>=-2pt", "accuracy", "below", "difference", -2.0, "pt"),
        ("pte<=60000", "pte", "above", "mean", 60000.0, ""),
        ("pte<=60_000", "pte", "above", "mean", 60000.0, ""),
        ("usd<=+0.01", "usd", "above", "difference", 0.01, ""),
        ("calls<=+1", "calls", "above", "difference", 1.0, ""),
        ("accuracy>=80%", "accuracy", "below", "mean", 80.0, "%"),
        ("accuracy>=0.8", "accuracy", "below", "mean", 0.8, ""),
        (" latency <= -10 % ", "latency_seconds", "above", "ratio", -10.0, "%"),
    ],
)
def test_gate_is_read(text, metric, worse, against, limit, unit):
    gate = parse_gate(text)
    assert (gate.metric, gate.worse, gate.against, gate.limit, gate.unit) == (
        metric, worse, against, limit, unit,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pte", "expected METRIC<=LIMIT"),
        ("pte<=", "expected METRIC<=LIMIT"),
        ("pte<=lots", "expected METRIC<=LIMIT"),
        ("pte<=+5%%", "expected METRIC<=LIMIT"),
        ("cost<=+5%", "no metric 'cost'; known: accuracy, pte"),
        ("pte<+5%", "expected <= or >=, found <"),
        ("pte<=5%", "per cent of what; write pte<=+5%"),
        ("pte<=+2pt", "points (pt) are for accuracy"),
        ("pte<=-100%", "nothing costs 100 % less"),
        ("accuracy>=-2%", "a change of accuracy is in points; write accuracy>=-2pt"),
        ("accuracy>=2pt", "points are a change"),
        ("accuracy>=80", "at most 100 %"),
        ("accuracy>=-200pt", "at most 100 points"),
    ],
)
def test_wrong_gate_is_told_what_is_wrong_with_it(text, said):
    with pytest.raises(InputError) as error:
        parse_gate(text)
    assert said in str(error.value)
    assert repr(text) in str(error.value)
