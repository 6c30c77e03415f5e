"""A comparison as a person reads it."""

from rich.console import Console

from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.terminal import print_topic
from agentdyno.reports.topics.comparison import render_comparison
from agentdyno.studies.comparison.results import (
    Comparison,
    GateVerdict,
    MetricComparison,
    SideSummary,
)

HOSTILE = "<script>x</script>|[a](http://b)\x1b[31m"


def _comparison(**changes):
    pte = MetricComparison(
        metric="pte", kind="ratio", a_mean=1000.0, b_mean=1120.0, effect=1.12, low=1.02, high=1.23,
        p=0.004, p_holm=0.032, n=48, method="", reason=None,
    )  # fmt: skip
    usd = MetricComparison(
        metric="usd", kind="ratio", a_mean=None, b_mean=None, effect=None, low=None, high=None,
        p=None, p_holm=None, n=0, method="", reason="no model is priced in A and B",
    )  # fmt: skip
    accuracy = MetricComparison(
        metric="accuracy", kind="difference", a_mean=0.8, b_mean=0.82, effect=0.02, low=-0.05,
        high=0.09, p=0.5, p_holm=1.0, n=48, method="", reason=None,
    )  # fmt: skip
    gate = GateVerdict(
        gate="pte<=+5%", metric="pte", state="inconclusive", value=12.0, low=2.0, high=23.0,
        limit=5.0, unit="%", n=48, more_tasks_needed=90,
        sentence="cannot tell with n=48, about 90 more tasks needed: +12.0 % [+2.0, +23.0]",
    )  # fmt: skip
    side = SideSummary("a", HOSTILE, 48, 48, [HOSTILE], 1)
    values = {
        "a": side, "b": side, "paired": True, "pairing": "paired on 48 tasks", "confidence": 0.95,
        "cache": "evicted", "hardware": "h100-pcie", "concurrency": 64,
        "verdict": "B costs 12 % more PTE.",
        "metrics": [accuracy, pte, usd], "gates": [gate], "warnings": ["mind " + HOSTILE],
    }  # fmt: skip
    return Comparison(**(values | changes))


def _terminal(comparison):
    console = Console(width=110, markup=False, emoji=False, color_system=None)
    with console.capture() as captured:
        print_topic(console, render_comparison(comparison))
    return captured.get()


def _markdown(comparison):
    return render_markdown([render_comparison(comparison)])


def test_terminal_shows_effects_in_their_units():
    text = _terminal(_comparison())
    assert text.splitlines()[1] == "Gates: 1 inconclusive. B costs 12 % more PTE."
    assert "+12.0 %" in text
    assert "+2.0 % to +23.0 %" in text
    assert "+2.0 pt" in text
    assert "0.032" in text
    assert "money: no model is priced in A and B." in text
    assert "about 90 more tasks" in text


def test_markdown_is_short_and_says_the_verdict_first():
    text = _markdown(_comparison())
    assert text.splitlines()[2] == "Gates: 1 inconclusive. B costs 12 % more PTE."
    assert r"| PTE | 1,000 | 1,120 | +12.0 % | +2.0 % to +23.0 % | 0.004 | 0.032 | 48 |" in text
    assert r"| pte\<=+5% | inconclusive | cannot tell with n=48" in text
    assert len(text.splitlines()) < 32


def test_all_gates_kept_is_said_in_the_first_line():
    gates = [
        GateVerdict(
            gate=g, metric="pte", state=state, value=0.0, low=0.0, high=0.0, limit=5.0, unit="%",
            n=9, more_tasks_needed=None, sentence="",
        )
        for g, state in (("a", "kept"), ("b", "kept"), ("c", "broken"))
    ]  # fmt: skip
    text = _markdown(_comparison(gates=gates))
    assert text.splitlines()[2].startswith("Gates: 2 kept, 1 BROKEN. ")
