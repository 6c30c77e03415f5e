"""A what-if and a comparison as a person reads them."""

from msgspec import structs
from rich.console import Console

from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.terminal import print_topic
from agentdyno.reports.topics.comparison import render_comparison
from agentdyno.reports.topics.whatif import render_whatif
from agentdyno.studies.comparison.results import (
    Comparison,
    GateVerdict,
    MetricComparison,
    SideSummary,
)
from agentdyno.studies.whatif.results import Figure, Scenario, WhatIf

HOSTILE = "drop <img src=x>|[a](http://b)"


def _figure(name, before, after, **changes):
    values = {
        "name": name, "before": before, "after": after, "difference": after - before,
        "change": after / before - 1, "before_mean": before / 10, "after_mean": after / 10,
        "trajectories": 10, "left_out": 0, "assumption": "Nothing else changes.",
    }  # fmt: skip
    return Figure(**(values | changes))


def _whatif(scenarios=(), unit="pte"):
    money = _figure("usd", 2.0, 1.0, assumption="Nothing else changes. Prices hold.", left_out=3)
    scenario = Scenario(
        title=HOSTILE,
        touched="1 result",
        turns_before=30,
        turns_after=28,
        figures=[
            _figure("pte", 2e6, 1.5e6),
            _figure("pte_growth", 2e6, 1.5e6),
            _figure("gpu_seconds", 40.0, 30.0),
            money,
        ],
        cannot_say={"no timestamps": 2},
    )
    return WhatIf(
        ledger="l", trajectories=10, cache="evicted", hardware="h100-pcie",
        concurrency=64, unit=unit,
        scenarios=list(scenarios), together=scenario, notes=["mind the gap\x1b[31m"],
    )  # fmt: skip


def _terminal(answer):
    console = Console(width=110, markup=False, emoji=False, color_system=None)
    with console.capture() as captured:
        print_topic(console, render_whatif(answer))
    return " ".join(captured.get().split())


def test_terminal_shows_totals_means_and_assumptions():
    text = _terminal(_whatif())
    assert text.startswith(
        "What it would save 2M PTE would become 1.5M (-25.0 %), $2.00 would become $1.00 (-50.0 %)"
    )
    assert "200k → 150k" in text
    assert "-500k" in text
    assert "Turns: 30 would become 28." in text
    assert "PTE assumes: Nothing else changes." in text
    assert "Money assumes besides: Prices hold." in text
    assert "Cannot say for 2 trajectories: no timestamps." in text
    assert "No price before or after: 1 trajectory." in text
    assert "\x1b" not in text


def test_another_model_is_compared_in_gpu_seconds() -> None:
    text = _terminal(_whatif(unit="gpu_seconds"))
    assert "40 GPU-seconds would become 30 (-25.0 %)" in text
    assert "64 at once" in text


def test_several_changes_are_shown_alone_and_together():
    single = _whatif()
    alone = structs.replace(single.together, title="cap")
    text = _terminal(structs.replace(single, scenarios=[alone, alone]))
    assert "together: drop" in text
    assert "Assumes all of the above." in text


def test_markdown_holds_the_same_and_forges_nothing():
    text = render_markdown([render_whatif(_whatif())])
    assert r"| PTE | 2M | 1.5M | -500k | -25.0 % | 200k → 150k | 10 |" in text
    assert r"\<img src=x\>" in text
    assert "[a](http" not in text


def test_unknown_money_is_said_to_be_unknown():
    answer = _whatif()
    none = structs.replace(
        answer.together.figures[3], before=None, after=None, difference=None, change=None,
        assumption="Nothing else changes. qwen3-32b has no known price.",
    )  # fmt: skip
    figures = [*answer.together.figures[:3], none]
    answer = structs.replace(answer, together=structs.replace(answer.together, figures=figures))
    text = _terminal(answer)
    assert "Money is unknown: qwen3-32b has no known price." in text
    assert "$" not in text


HOSTILE_NAME = "<script>x</script>|[a](http://b)\x1b[31m"


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
    side = SideSummary("a", HOSTILE_NAME, 48, 48, [HOSTILE_NAME], 1)
    values = {
        "a": side, "b": side, "paired": True, "pairing": "paired on 48 tasks", "confidence": 0.95,
        "cache": "evicted", "hardware": "h100-pcie", "concurrency": 64,
        "verdict": "B costs 12 % more PTE.",
        "metrics": [accuracy, pte, usd], "gates": [gate], "warnings": ["mind " + HOSTILE_NAME],
    }  # fmt: skip
    return Comparison(**(values | changes))


def _comparison_terminal(comparison):
    console = Console(width=110, markup=False, emoji=False, color_system=None)
    with console.capture() as captured:
        print_topic(console, render_comparison(comparison))
    return captured.get()


def _markdown(comparison):
    return render_markdown([render_comparison(comparison)])


def test_terminal_shows_effects_in_their_units():
    text = _comparison_terminal(_comparison())
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
