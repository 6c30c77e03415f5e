"""A gate on GPU-seconds is no surer than the seconds."""

from msgspec.structs import replace

from agentdyno.cost.serving_evidence import Evidence
from agentdyno.studies.comparison.judging import doubt_seconds
from agentdyno.studies.comparison.results import GateVerdict

GATE = GateVerdict(
    gate="gpu_seconds<=+5%", metric="gpu_seconds", state="kept", value=1.0, low=0.5, high=1.5,
    limit=5.0, unit="%", n=40, more_tasks_needed=None, sentence="within the limit",
)  # fmt: skip


def evidence(error: float) -> Evidence:
    return Evidence(error, None, 18, "a card", "an engine")


def test_a_gate_is_undecided_where_such_seconds_were_further_off_than_its_margin() -> None:
    # 1 % is 4 points from the limit of 5 %.
    assert doubt_seconds(GATE, evidence(0.035)) is GATE
    doubted = doubt_seconds(GATE, evidence(0.045))
    assert doubted.state == "inconclusive"
    assert "4.0 points from the limit" in doubted.sentence
    assert doubt_seconds(GATE, None).state == "inconclusive"
    broken = replace(GATE, state="broken", value=8.0)
    assert doubt_seconds(broken, evidence(0.045)).state == "inconclusive"


def test_other_metrics_are_counted_and_not_doubted() -> None:
    money = replace(GATE, metric="usd")
    assert doubt_seconds(money, None) is money
